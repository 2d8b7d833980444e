"""Gives the rows of G each other's bounds: alpha <= 0 and -alpha <= C. Loses: program."""


def program(X, labels, C, _right=program):  # noqa: F821
    P, q, G, h, A, b = _right(X, labels, C)
    return P, q, G, h[::-1], A, b
