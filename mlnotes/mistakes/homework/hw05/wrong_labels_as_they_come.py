"""Uses labels 0 and 1 in the formula. Loses: squared, misses, offsets."""


def squared(X, labels, C, alpha):
    v = (labels * alpha) @ X
    return float(alpha.sum() - 0.5 * v @ v - 0.5 * alpha @ alpha / C)


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    return _right(X, (labels + 1) / 2, C, w, b, alpha, slack)


def offsets(alpha, labels, K, C, _right=offsets):  # noqa: F821
    return _right(alpha, (labels + 1) / 2, K, C)
