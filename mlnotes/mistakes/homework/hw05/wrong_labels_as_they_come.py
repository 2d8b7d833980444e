"""Uses labels 0 and 1 in the formula. Loses: squared, program, misses, offsets."""


def squared(X, labels, C, alpha):
    v = (labels * alpha) @ X
    return float(alpha.sum() - 0.5 * v @ v - 0.5 * alpha @ alpha / C)


def program(X, labels, C, _right=program):  # noqa: F821
    P, q, G, h, _, b = _right(X, labels, C)
    return P * labels * labels[:, None], q, G, h, 1.0 * labels[None], b


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    return _right(X, (labels + 1) / 2, C, w, b, alpha, slack)


def offsets(alpha, labels, K, C, _right=offsets):  # noqa: F821
    return _right(alpha, (labels + 1) / 2, K, C)
