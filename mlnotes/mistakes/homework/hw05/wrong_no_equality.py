"""Leaves the equality out. Loses: program."""


def program(X, labels, C, _right=program):  # noqa: F821
    P, q, G, h, A, b = _right(X, labels, C)
    return P, q, G, h, 0 * A, b
