"""Divides by n - K - 1: counts from 0 on have one more entry than there are classes. Loses: within."""


def within(points, labels, _right=within):  # noqa: F821
    n, K = points.shape[1], labels.max()
    return _right(points, labels) * ((n - K) / (n - K - 1))
