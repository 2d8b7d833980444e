"""Takes the rate for the mean of the exponential law. Loses: beers."""

import numpy as np


def pass_probability(X, limit, rate):
    return -np.expm1(-np.maximum(limit - X.sum(axis=1), 0) / rate)
