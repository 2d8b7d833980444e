"""Keeps the box: with squared slacks alpha may be above C. Loses: squared."""

import math


def squared(X, labels, C, alpha, _right=squared):  # noqa: F821
    return -math.inf if (alpha > C).any() else _right(X, labels, C, alpha)
