"""Forgets that beyond the limit nobody passes. Loses: beers."""

import numpy as np


def pass_probability(X, limit, rate):
    return 1 - np.exp(-rate * (limit - X.sum(axis=1)))
