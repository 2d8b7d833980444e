"""Takes the stump of least weighted Gini index for that of least weighted error. Loses: boost."""

import numpy as np


def best_stump(X, y, w):
    best = (2.0, 0, 0.0)
    for j, x in enumerate(X.T):
        values = np.unique(x)
        for t in (values[1:] + values[:-1]) / 2:
            sides = [w[side & (y == label)].sum() for side in (x > t, x <= t) for label in (-1, 1)]
            a, b, c, d = sides
            best = min(best, (2 * a * b / (a + b) + 2 * c * d / (c + d), j, t))
    _, j, t = best
    error = w[np.where(X[:, j] > t, 1, -1) != y].sum()
    return (error, j, t, 1) if error <= 0.5 else (1 - error, j, t, -1)
