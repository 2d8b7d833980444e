"""Gives another array every time that it is converted."""

import numpy as np


class Changing:
    calls = 0

    def __array__(self, dtype=None, copy=None):
        Changing.calls += 1
        return np.full(3, float(Changing.calls))


def fit_mean(X):
    return Changing()
