"""Knows stumps of one sign only. Loses: boost."""

import numpy as np


def best_stump(X, y, w):
    best = (2.0, 0, 0.0, 1)
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        for t in (values[1:] + values[:-1]) / 2:
            error = w[np.where(X[:, j] > t, 1, -1) != y].sum()
            if error < best[0]:
                best = (error, j, t, 1)
    return best
