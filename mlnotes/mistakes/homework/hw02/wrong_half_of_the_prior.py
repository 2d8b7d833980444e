"""Halves the logarithm of the prior odds with the rest. Loses: quadric."""

import math


def quadric(mean0, covariance0, mean1, covariance1, prior, _right=quadric):  # noqa: F821
    A, b, c = _right(mean0, covariance0, mean1, covariance1, prior)
    return A, b, c - 0.5 * math.log(prior / (1 - prior))
