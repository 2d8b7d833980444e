"""Divides by n - 1: one mean is taken off in place of K. Loses: within."""


def within(points, labels, _right=within):  # noqa: F821
    n = points.shape[1]
    return _right(points, labels) * (n - labels.max()) / (n - 1)
