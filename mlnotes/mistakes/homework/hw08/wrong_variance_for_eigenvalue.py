"""Divides X_c'u by the root of a variance, that is of lambda/(n - 1), in place of lambda. Loses: directions,
Reduction."""

import numpy as np


def directions(X, k):
    centred = X - X.mean(axis=0)
    values, U = np.linalg.eigh(centred @ centred.T / (len(X) - 1))
    return centred.T @ U[:, ::-1][:, :k] / np.sqrt(values[::-1][:k])
