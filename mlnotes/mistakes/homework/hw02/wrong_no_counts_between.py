"""Adds the outer products of the gaps of the means without n m / (n + m). Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, _ = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    n, m = counts0.sum(), counts1.sum()
    gaps = (means1 - means0)[(counts0 > 0) & (counts1 > 0)]
    return means, (n * covariance0 + m * covariance1 + gaps.T @ gaps) / (n + m - len(counts0))
