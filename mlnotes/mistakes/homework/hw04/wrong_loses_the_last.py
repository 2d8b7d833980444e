"""Returns the weights before the last update. Loses: train."""

import numpy as np


def train(points, labels, _right=train):  # noqa: F821
    updates, w = _right(points, labels)
    i = updates[-1]
    return updates, w - np.append(1.0, points[i]) * (2 * labels[i] - 1)
