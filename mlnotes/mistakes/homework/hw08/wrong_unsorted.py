"""Takes eigenvalues in the order of np.linalg.eig, which does not sort. Loses: directions, least,
Reduction."""

import numpy as np


def directions(X, k):
    return np.linalg.eig(np.atleast_2d(np.cov(X.T)))[1][:, :k].real


def least(covariance, n, k):
    return (n - 1) * np.linalg.eigvals(covariance)[k:].real.sum()
