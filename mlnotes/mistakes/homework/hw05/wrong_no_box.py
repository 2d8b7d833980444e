"""Leaves the upper bound out. Loses: program."""


def program(X, labels, C, _right=program):  # noqa: F821
    P, q, G, h, A, b = _right(X, labels, C)
    n = len(X)
    return P, q, G[n:], h[n:], A, b
