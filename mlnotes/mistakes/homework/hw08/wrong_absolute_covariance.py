"""Loses the signs of the covariances. Loses: moments."""


def moments(table, _right=moments):  # noqa: F821
    mean, covariance = _right(table)
    return mean, abs(covariance)
