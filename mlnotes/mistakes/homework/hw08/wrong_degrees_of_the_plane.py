"""Multiplies by n - k - 1: the covariance has the divisor n - 1, whatever the plane. Loses: least."""


def least(covariance, n, k, _right=least):  # noqa: F821
    return _right(covariance, n, k) * (n - k - 1) / (n - 1)
