"""Averages the covariances by rows: forgets that the means differ, and that K is taken off. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, _ = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    n, m = counts0.sum(), counts1.sum()
    return means, (n * covariance0 + m * covariance1) / (n + m)
