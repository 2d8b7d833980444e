"""Divides n m of a class by the number of all rows, not by that of the class. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, right = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    n, both, gaps = counts0.sum() + counts1.sum(), counts0 + counts1, means1 - means0
    extra = (counts0 * counts1 * (1 / both - 1 / n) * gaps.T) @ gaps
    return means, right - extra / (n - len(both))
