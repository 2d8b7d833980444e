"""Returns the mean over the rows, not the sum. Loses: least."""


def least(covariance, n, k, _right=least):  # noqa: F821
    return _right(covariance, n, k) / n
