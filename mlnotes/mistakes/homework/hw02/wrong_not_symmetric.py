"""Returns the upper triangle of the quadratic form. Loses: quadric."""

import numpy as np


def quadric(mean0, covariance0, mean1, covariance1, prior, _right=quadric):  # noqa: F821
    A, b, c = _right(mean0, covariance0, mean1, covariance1, prior)
    return np.triu(A) + np.triu(A, 1), b, c
