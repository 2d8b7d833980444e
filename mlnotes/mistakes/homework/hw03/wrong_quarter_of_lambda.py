"""Divides lambda by 4 as well. Loses: limit."""


def limit(points, strength, _right=limit):  # noqa: F821
    return _right(points, strength / 4)
