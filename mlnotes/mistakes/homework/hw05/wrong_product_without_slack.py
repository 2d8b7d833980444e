"""Multiplies alpha by m - 1, as in the hard margin: the slack is missing in (4). Loses: misses."""

import math


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    found = _right(X, labels, C, w, b, alpha, slack)
    upper = abs(slack) if math.isinf(C) else abs((C - alpha) * slack)
    found[3] = max(abs(alpha * ((2 * labels - 1) * (X @ w + b) - 1)).max(), upper.max())
    return found
