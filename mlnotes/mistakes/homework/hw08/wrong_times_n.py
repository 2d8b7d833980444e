"""Multiplies by n, where the covariance has the divisor n - 1. Loses: least."""


def least(covariance, n, k, _right=least):  # noqa: F821
    return _right(covariance, n, k) * n / (n - 1)
