"""Stops at 1/L. Loses: limit."""


def limit(points, strength, _right=limit):  # noqa: F821
    return _right(points, strength) / 2
