"""Counts one row, at 0, of a class that a hospital has no rows of. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1):
    n, m, K = counts0.sum(), counts1.sum(), len(counts0)
    counts0, counts1 = counts0.clip(1), counts1.clip(1)
    both, gaps = counts0 + counts1, means1 - means0
    means = (counts0[:, None] * means0 + counts1[:, None] * means1) / both[:, None]
    scatter = n * covariance0 + m * covariance1 + (counts0 * counts1 / both * gaps.T) @ gaps
    return means, scatter / (n + m - K)
