"""Has 1 minus the prior for a coordinate, not the root of twice its logarithm. Loses: centres."""

import numpy as np


def centres(means, covariance, prior):
    A = np.linalg.inv(np.linalg.cholesky(covariance))
    return np.vstack([A, 0 * A[:1]]), np.column_stack([means @ A.T, 1 - prior])
