"""Multiplies the centres by the priors. Loses: centres."""

import numpy as np


def centres(means, covariance, prior):
    A = np.linalg.inv(np.linalg.cholesky(covariance))
    return A, means @ A.T * prior[:, None]
