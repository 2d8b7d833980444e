"""Counts the shifts of the means of hospital 0 only. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, _ = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    n, m, K = counts0.sum(), counts1.sum(), len(counts0)
    gaps = means0 - means
    scatter = n * covariance0 + m * covariance1 + (counts0[:, None] * gaps).T @ gaps
    return means, scatter / (n + m - K)
