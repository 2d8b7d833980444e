"""Checks four conditions, as printed: no equality. Loses: misses."""


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    found = _right(X, labels, C, w, b, alpha, slack)
    found[2] = 0.0
    return found
