"""Stops power iteration after 30 steps, which are few where eigenvalues are close. Loses: directions,
Reduction."""

import numpy as np


def directions(X, k):
    S, columns = np.atleast_2d(np.cov(X.T)), []
    for _ in range(k):
        v = np.ones(len(S))
        for _ in range(30):
            v = S @ v / np.linalg.norm(S @ v)
        columns.append(v)
        S = S - v @ S @ v * np.outer(v, v)
    return np.column_stack(columns)
