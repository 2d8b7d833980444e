"""Takes standard deviation 2 for K * K: of a sum the variance is 2, the deviation the root of it. Loses:
search."""

import math

import numpy as np


def search(points, precisions):
    n, squares = len(points), (points[:, None] - points) ** 2

    def value(p):
        square = p * np.exp(-squares * p**2 / 8).sum() / (n**2 * math.sqrt(8 * math.pi))
        others = p * (np.exp(-squares * p**2 / 2).sum() - n) / math.sqrt(2 * math.pi)
        return square - 2 * others / (n * (n - 1))

    scores = np.array([value(p) for p in precisions])
    return scores, precisions[scores.argmin()]
