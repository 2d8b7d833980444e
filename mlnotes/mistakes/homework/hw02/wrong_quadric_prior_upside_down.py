"""Adds the logarithm of the prior odds of class 0 to c: the prior is upside down. Loses: quadric."""

import math


def quadric(mean0, covariance0, mean1, covariance1, prior, _right=quadric):  # noqa: F821
    A, b, c = _right(mean0, covariance0, mean1, covariance1, prior)
    return A, b, c - 2 * math.log(prior / (1 - prior))
