"""Returns the largest arrays that may cross, again and again."""

import numpy as np


def fit_mean(X):
    return np.zeros(8_000_000)


def classify(X, a, b):
    return np.zeros((2_000, 4_000))


def argmin(f):
    return np.zeros((1,) * 8 + (10**6,))


def describe(X):
    return {str(k): np.zeros(10_000) for k in range(900)}
