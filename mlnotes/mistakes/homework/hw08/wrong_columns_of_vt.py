"""Takes columns of V' for those of V: np.linalg.svd returns V transposed, its rows are the directions. Loses:
directions, Reduction."""

import numpy as np


def directions(X, k):
    return np.linalg.svd(X - X.mean(axis=0))[2][:, :k]
