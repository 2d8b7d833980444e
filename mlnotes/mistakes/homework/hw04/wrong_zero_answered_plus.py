"""Takes a row with product 0 for right if its label is +1. Loses: average."""

import numpy as np


def average(points, labels, passes):
    w = total = np.zeros(len(points))
    for _ in range(passes):
        for x, y in zip(points.T, labels, strict=True):
            if (x @ w >= 0) != (y > 0):
                w = w + y * x
            total = total + w
    return total / (passes * len(labels))
