"""Computes all slacks anew, and leaves the given ones. Loses: misses."""

import numpy as np


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    return _right(X, labels, C, w, b, alpha, np.maximum(0, 1 - (2 * labels - 1) * (X @ w + b)))
