"""Forgets the prior in the offset c of the quadric. Loses: quadric."""

import math


def quadric(mean0, covariance0, mean1, covariance1, prior, _right=quadric):  # noqa: F821
    A, b, c = _right(mean0, covariance0, mean1, covariance1, prior)
    return A, b, c - math.log(prior / (1 - prior))
