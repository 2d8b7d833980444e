"""Leaves the lower bound out. Loses: program."""


def program(X, labels, C, _right=program):  # noqa: F821
    P, q, G, h, A, b = _right(X, labels, C)
    return P, q, G[: len(X)], h[: len(X)], A, b
