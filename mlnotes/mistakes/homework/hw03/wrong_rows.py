"""Normalises along the points. Loses: shares, slope."""

import numpy as np


def shares(scores):
    weights = np.exp(scores - scores.max())
    return weights / weights.sum(axis=1, keepdims=True)
