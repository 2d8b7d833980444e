"""Averages the two covariances without numbers of rows, and forgets that the means differ. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, _ = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    return means, (covariance0 + covariance1) / 2
