"""Uses labels 0 and 1 in the formula. Loses: squared."""


def squared(X, labels, C, alpha):
    v = (labels * alpha) @ X
    return float(alpha.sum() - 0.5 * v @ v - 0.5 * alpha @ alpha / C)
