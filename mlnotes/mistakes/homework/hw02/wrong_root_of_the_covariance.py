"""Takes a root of the covariance in place of one of its inverse. Loses: centres."""

import numpy as np


def centres(means, covariance, prior):
    A = np.linalg.cholesky(covariance).T
    return np.vstack([A, 0 * A[:1]]), np.column_stack([means @ A.T, of_class(prior)])  # noqa: F821
