"""Counts in K the classes that hospital 0 has rows of. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, covariance = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    n, m, K = counts0.sum(), counts1.sum(), len(counts0)
    return means, covariance * (n + m - K) / (n + m - (counts0 > 0).sum())
