"""Divides by the passes, not by the visits. Loses: average."""


def average(points, labels, passes, _right=average):  # noqa: F821
    return _right(points, labels, passes) * len(labels)
