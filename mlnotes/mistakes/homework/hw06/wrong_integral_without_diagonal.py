"""Leaves i = j out of A, the integral of the squared estimate: only S leaves them out. Loses: search."""

import math

import numpy as np


def search(points, precisions, _right=search):  # noqa: F821
    itself = np.asarray(precisions) / (len(points) * math.sqrt(4 * math.pi))
    scores = _right(points, precisions)[0] - itself
    return scores, precisions[scores.argmin()]
