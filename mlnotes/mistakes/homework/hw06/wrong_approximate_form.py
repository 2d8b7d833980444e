"""Uses the approximate form of the notes. Loses: search."""

import numpy as np


def search(points, precisions):
    scores = np.array([score(points, 1 / p, lambda n: n**2) for p in precisions])  # noqa: F821
    return scores, precisions[scores.argmin()]
