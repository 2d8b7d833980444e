"""Asks NumPy for a terabyte, and for many touched gigabytes."""

import numpy as np


def fit_mean(X):
    return np.ones((10**6, 10**6)).mean(axis=0)


def classify(X, a, b):
    return [np.ones(10**8) for _ in range(100)]
