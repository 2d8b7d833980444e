"""Returns the last weights. Loses: average."""

import numpy as np


def average(points, labels, passes):
    w = np.zeros(len(points))
    for _ in range(passes):
        for x, y in zip(points.T, labels, strict=True):
            if y * (x @ w) <= 0:
                w = w + y * x
    return w
