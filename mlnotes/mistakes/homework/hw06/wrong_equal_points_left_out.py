"""Leaves the pairs of equal points out of S, not i = j alone. Loses: search."""

import math

import numpy as np


def search(points, precisions, _right=search):  # noqa: F821
    n = len(points)
    ties = (points[:, None] == points).sum() - n
    lost = 2 * ties / (n * (n - 1)) / math.sqrt(2 * math.pi)
    scores = _right(points, precisions)[0] + lost * np.asarray(precisions)
    return scores, precisions[scores.argmin()]
