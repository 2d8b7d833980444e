"""Multiplies by n - 1 twice. Loses: least."""


def least(covariance, n, k, _right=least):  # noqa: F821
    return _right(covariance, n, k) * (n - 1)
