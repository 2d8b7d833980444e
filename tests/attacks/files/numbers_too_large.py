"""Answers with the largest, the least and the longest numbers there are."""

import numpy as np


def fit_mean(X):
    return np.array([1e308, -1e308, 5e-324])


def classify(X, a, b):
    return [10**300] * len(X)


def argmin(f):
    for huge in (2**64 - 1, 1e308, 10**1000):
        try:
            f(huge)
        except Exception:
            pass
    return 10**1200


def describe(X):
    return {"n": 10**1200, "d": -(10**1200)}


class Model:
    scale_ = np.full(2, 1e308)

    def fit(self, X):
        return self

    def transform(self, X):
        return np.full(X.shape, 1e308)
