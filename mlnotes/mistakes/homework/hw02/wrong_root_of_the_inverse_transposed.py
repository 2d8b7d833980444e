"""Takes a triangular root of the inverse without its transpose: A'A is not the inverse. Loses: centres."""

import numpy as np


def centres(means, covariance, prior):
    A = np.linalg.cholesky(np.linalg.inv(covariance))
    return np.vstack([A, 0 * A[:1]]), np.column_stack([means @ A.T, of_class(prior)])  # noqa: F821
