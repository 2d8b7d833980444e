"""Reports the updates of the last pass alone. Loses: train."""

import numpy as np


def train(points, labels, _right=train):  # noqa: F821
    _, w = _right(points, labels)
    return np.zeros(0, dtype=np.int64), w
