"""Gives every point the same weight. Loses: estimate."""

import numpy as np


def estimate(points, weights, places, bandwidth, _right=estimate):  # noqa: F821
    return _right(points, np.ones(len(points)), places, bandwidth)
