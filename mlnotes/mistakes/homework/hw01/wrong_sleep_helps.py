"""Adds sleep to the limit: it uses up the limit, as beers do. Loses: beers."""

import numpy as np


def pass_probability(X, limit, rate):
    return -np.expm1(-rate * np.maximum(limit + X[:, 0] - X[:, 1], 0))
