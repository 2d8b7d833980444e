"""Divides by n - 2, however many classes there are. Loses: within."""


def within(points, labels, _right=within):  # noqa: F821
    n = len(labels)
    return _right(points, labels) * (n - labels.max()) / (n - 2)
