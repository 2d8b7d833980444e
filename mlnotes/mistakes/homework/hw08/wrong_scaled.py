"""Multiplies the directions by the singular values: they have not length 1. Loses: directions, Reduction."""

import numpy as np


def directions(X, k):
    _, s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return (s[:k, None] * Vt[:k]).T
