"""Divides by the root of an eigenvalue 0: where rows are on a line, the second direction has no length 1.
Loses: directions."""

import numpy as np


def directions(X, k):
    centred = X - X.mean(axis=0)
    values, U = np.linalg.eigh(centred @ centred.T)
    return centred.T @ U[:, ::-1][:, :k] / np.sqrt(values[::-1][:k])
