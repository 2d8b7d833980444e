"""Gives class 0 the positive scores. Loses: plane."""


def plane(p, q, _right=plane):  # noqa: F821
    w, b = _right(p, q)
    return -w, -b
