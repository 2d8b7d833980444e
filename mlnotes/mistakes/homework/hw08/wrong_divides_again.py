"""Divides by n - 1, where the sum is n - 1 times as large as the variance. Loses: least."""


def least(covariance, n, k, _right=least):  # noqa: F821
    return _right(covariance, n, k) / (n - 1) ** 2
