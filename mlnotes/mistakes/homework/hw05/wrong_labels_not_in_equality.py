"""Leaves the labels out of the equality: the sum of alpha y is 0, not that of alpha. Loses: program."""


def program(X, labels, C, _right=program):  # noqa: F821
    P, q, G, h, A, b = _right(X, labels, C)
    return P, q, G, h, abs(A), b
