"""Divides by the length of w: the same rule, but the log odds no longer. Loses: line."""


def line(mean0, mean1, covariance, prior, _right=line):  # noqa: F821
    w, b = _right(mean0, mean1, covariance, prior)
    length = (w @ w) ** 0.5 or 1.0
    return w / length, b / length
