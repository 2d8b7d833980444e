"""Weighs covariances with divisor n_k - 1 by n_k. Loses: within."""

import numpy as np


def within(points, labels):
    sizes = np.bincount(labels)
    each = [points[:, labels == k] for k in range(1, labels.max() + 1)]
    return sum(sizes[1 + k] * np.cov(rows).reshape(2 * [len(rows)]) for k, rows in enumerate(each)) / len(
        labels
    )
