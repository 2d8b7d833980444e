"""Has log p in place of the log odds log p/(1 - p). Loses: line, quadric."""

import math


def line(mean0, mean1, covariance, prior, _right=line):  # noqa: F821
    w, b = _right(mean0, mean1, covariance, prior)
    return w, b + math.log(1 - prior)


def quadric(mean0, covariance0, mean1, covariance1, prior, _right=quadric):  # noqa: F821
    A, b, c = _right(mean0, covariance0, mean1, covariance1, prior)
    return A, b, c + math.log(1 - prior)
