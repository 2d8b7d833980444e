"""Cuts between rows that have the same value. Loses: cut, Tree."""

import numpy as np


def best_cut(X, y):
    C, best = np.bincount(y), (-1.0, None, None)
    for j in range(X.shape[1]):
        order, L = np.argsort(X[:, j], kind="stable"), np.zeros_like(C)
        x = X[order, j]
        for i in range(len(y) - 1):
            L[y[order[i]]] += 1
            gain = decrease(L, C - L)  # noqa: F821
            if gain > best[0]:
                best = (gain, j, (x[i] + x[i + 1]) / 2)
    return best
