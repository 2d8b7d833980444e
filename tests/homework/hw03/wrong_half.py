"""Stops at 1/L. Loses: limit."""


def limit(points, _right=limit):  # noqa: F821
    return _right(points) / 2
