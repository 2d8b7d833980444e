"""Forgets the factor 1/2 of the squares. Loses: squared."""


def squared(X, labels, C, alpha):
    v = ((2 * labels - 1) * alpha) @ X
    return float(alpha.sum() - 0.5 * v @ v - alpha @ alpha / C)
