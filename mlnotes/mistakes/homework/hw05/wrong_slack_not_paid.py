"""Adds the price of the slack, but not what the slack takes off the constraints. Loses: squared."""


def squared(X, labels, C, alpha, _right=squared):  # noqa: F821
    return _right(X, labels, C, alpha) + float(alpha @ alpha / C)
