"""Counts each pair once in S, which is the sum over all i and j that differ. Loses: search."""

import numpy as np


def search(points, precisions):
    scores = [score(points, 1 / p, lambda n: 2 * n * (n - 1)) for p in precisions]  # noqa: F821
    return np.array(scores), precisions[np.argmin(scores)]
