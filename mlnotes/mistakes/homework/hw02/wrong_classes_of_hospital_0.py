"""Takes the classes from hospital 0: the mean of a class that only hospital 1 has stays 0. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, covariance = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    return means * (counts0 > 0)[:, None], covariance
