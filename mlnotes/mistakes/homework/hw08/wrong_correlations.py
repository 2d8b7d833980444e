"""Divides each column by its deviation: those are the directions of the correlations. Loses: directions,
Reduction."""

import numpy as np


def directions(X, k, _right=directions):  # noqa: F821
    deviations = X.std(axis=0)
    return _right(X / np.where(deviations > 0, deviations, 1.0), k)
