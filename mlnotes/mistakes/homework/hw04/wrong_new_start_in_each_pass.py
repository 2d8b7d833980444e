"""Begins each pass at zero weights again. Loses: average."""


def average(points, labels, passes, _right=average):  # noqa: F821
    return _right(points, labels, 1)
