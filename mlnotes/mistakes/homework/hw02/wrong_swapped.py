"""Takes the odds of class 0. Loses: line."""


def line(mean0, mean1, covariance, prior, _right=line):  # noqa: F821
    w, b = _right(mean0, mean1, covariance, prior)
    return -w, -b
