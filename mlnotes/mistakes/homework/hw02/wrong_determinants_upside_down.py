"""Has the determinants upside down. Loses: quadric."""

import numpy as np


def quadric(mean0, covariance0, mean1, covariance1, prior, _right=quadric):  # noqa: F821
    A, b, c = _right(mean0, covariance0, mean1, covariance1, prior)
    return A, b, c - np.linalg.slogdet(covariance0)[1] + np.linalg.slogdet(covariance1)[1]
