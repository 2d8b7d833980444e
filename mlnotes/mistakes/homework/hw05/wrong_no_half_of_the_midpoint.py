"""Forgets the half of the midpoint: b is twice the right one. Loses: plane."""


def plane(p, q, _right=plane):  # noqa: F821
    w, b = _right(p, q)
    return w, 2 * b
