"""Averages the two means of a class without their counts, and measures the covariance from there.
Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1):
    n, K = counts0.sum() + counts1.sum(), len(counts0)
    scatter = counts0.sum() * covariance0 + counts1.sum() * covariance1
    means = (means0 + means1) / 2
    for counts, own in ((counts0, means0), (counts1, means1)):
        scatter = scatter + (own - means).T @ (counts[:, None] * (own - means))
    return means, scatter / (n - K)
