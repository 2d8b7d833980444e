"""Normalises along the points. Loses: shares, slope."""

import numpy as np


def shares(scores):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)
