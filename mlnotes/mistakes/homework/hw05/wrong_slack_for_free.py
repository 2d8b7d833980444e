"""Lets the hard margin have slack: no second product for an infinite C. Loses: misses."""

import math


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    found = _right(X, labels, C, w, b, alpha, slack)
    if math.isinf(C):
        found[3] = abs(alpha * (1 - slack - (2 * labels - 1) * (X @ w + b))).max()
    return found
