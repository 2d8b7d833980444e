"""Does not ask whether multipliers are above C. Loses: misses."""


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    found = _right(X, labels, C, w, b, alpha, slack)
    found[1] = max(0.0, (-alpha).max())
    return found
