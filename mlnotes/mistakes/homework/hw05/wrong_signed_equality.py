"""Returns the sum of alpha y with its sign. Loses: misses."""


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    found = _right(X, labels, C, w, b, alpha, slack)
    found[2] = (2 * labels - 1) @ alpha
    return found
