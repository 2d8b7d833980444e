"""Computes the slacks of (4) anew, and leaves the given ones. Loses: misses."""

import numpy as np


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    found = _right(X, labels, C, w, b, alpha, slack)
    slack = np.maximum(0, 1 - (2 * labels - 1) * (X @ w + b))
    found[3] = _right(X, labels, C, w, b, alpha, slack)[3]
    return found
