"""Counts equal points once. Loses: estimate."""

import numpy as np


def estimate(points, weights, places, bandwidth, _right=estimate):  # noqa: F821
    points, first = np.unique(points, return_index=True)
    return _right(points, weights[first], places, bandwidth)
