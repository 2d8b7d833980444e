"""Lets a miss be negative: inside the box it is 0. Loses: misses."""


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    answer = _right(X, labels, C, w, b, alpha, slack)
    answer[0] = max((1 - slack - (2 * labels - 1) * (X @ w + b)).max(), (-slack).max())
    answer[1] = max((-alpha).max(), (alpha - C).max())
    return answer
