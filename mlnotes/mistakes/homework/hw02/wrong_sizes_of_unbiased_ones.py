"""Weighs covariances with divisor n_k - 1 by n_k. Loses: within."""

import numpy as np


def within(points, labels):
    sizes = np.bincount(labels)
    each = [points[:, labels == k] for k in range(1, labels.max() + 1)]
    several = [(m, rows) for m, rows in zip(sizes[1:], each, strict=True) if m > 1]
    return sum(m * np.cov(rows).reshape(2 * [len(rows)]) for m, rows in several) / len(labels)
