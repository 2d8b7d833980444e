"""Reports a row once, however often it was updated. Loses: train."""

import numpy as np


def train(points, labels, _right=train):  # noqa: F821
    updates, w = _right(points, labels)
    return np.unique(updates), w
