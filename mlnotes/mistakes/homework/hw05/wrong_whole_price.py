"""Derives the dual of C sum xi^2: here the price is C/2. Loses: squared."""


def squared(X, labels, C, alpha, _right=squared):  # noqa: F821
    return _right(X, labels, 2 * C, alpha)
