"""Hands over the maximum of a part: q has the wrong sign. Loses: program."""


def program(X, labels, C, _right=program):  # noqa: F821
    P, q, *rest = _right(X, labels, C)
    return P, -q, *rest
