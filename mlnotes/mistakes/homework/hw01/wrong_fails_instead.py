"""Returns the probability of failing. Loses: beers."""

import numpy as np


def pass_probability(X, limit, rate):
    return np.exp(-rate * np.maximum(limit - X.sum(axis=1), 0))
