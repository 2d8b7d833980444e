"""Does not ask whether multipliers are below 0. Loses: misses."""


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    found = _right(X, labels, C, w, b, alpha, slack)
    found[1] = max(0.0, (alpha - C).max())
    return found
