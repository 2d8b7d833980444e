"""Divides by the counts of hospital 0, which may be 0. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, covariance = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    return means * (counts0 / counts0)[:, None], covariance
