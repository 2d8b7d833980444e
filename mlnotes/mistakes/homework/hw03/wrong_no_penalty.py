"""Forgets that the penalty curves too. Loses: limit."""


def limit(points, strength, _right=limit):  # noqa: F821
    return _right(points, 0.0)
