"""Divides by n: maximum likelihood. Loses: within."""


def within(points, labels, _right=within):  # noqa: F821
    n = points.shape[1]
    return _right(points, labels) * (n - labels.max()) / n
