"""Has the intercept last. Loses: train."""

import numpy as np


def train(points, labels, _right=train):  # noqa: F821
    updates, w = _right(points, labels)
    return updates, np.roll(w, -1)
