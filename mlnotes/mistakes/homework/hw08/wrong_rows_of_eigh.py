"""Takes the first rows of the matrix of np.linalg.eigh: the directions are its columns, the last the largest.
Loses: directions, Reduction."""

import numpy as np


def directions(X, k):
    V = np.linalg.eigh(np.atleast_2d(np.cov(X.T)))[1]
    return V[:k].T
