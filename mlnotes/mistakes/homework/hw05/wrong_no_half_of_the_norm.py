"""Forgets the factor 1/2 of the norm. Loses: squared."""


def squared(X, labels, C, alpha, _right=squared):  # noqa: F821
    v = ((2 * labels - 1) * alpha) @ X
    return _right(X, labels, C, alpha) - float(v @ v) / 2
