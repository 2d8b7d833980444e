"""Adds the gaps of the means without n m / (n + m), also from the mean 0 of a class that a hospital has no
rows of. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, _ = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    n, m, K = counts0.sum(), counts1.sum(), len(counts0)
    gaps = means1 - means0
    return means, (n * covariance0 + m * covariance1 + gaps.T @ gaps) / (n + m - K)
