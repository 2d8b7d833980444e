"""Leaves the terms i = j in S: each point judges itself. Loses: search."""

import math

import numpy as np


def search(points, precisions, _right=search):  # noqa: F821
    itself = 2 / (len(points) - 1) / math.sqrt(2 * math.pi)
    scores = _right(points, precisions)[0] - itself * np.asarray(precisions)
    return scores, precisions[scores.argmin()]
