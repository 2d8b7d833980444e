"""Trains an intercept and drops it. Loses: average."""

import numpy as np


def average(points, labels, passes, _right=average):  # noqa: F821
    return _right(np.vstack([points, np.ones(len(labels))]), labels, passes)[:-1]
