"""Centres at the mean of all points. Loses: within."""

import numpy as np


def within(points, labels):
    return np.atleast_2d(np.cov(points))
