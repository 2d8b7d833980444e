"""Multiplies by the inverse of the covariance in place of a root of it. Loses: centres."""

import numpy as np


def centres(means, covariance, prior):
    A = np.linalg.inv(covariance)
    return np.vstack([A, 0 * A[:1]]), np.column_stack([means @ A.T, of_class(prior)])  # noqa: F821
