"""Adds the weights before the visit. Loses: average."""

import numpy as np


def average(points, labels, passes):
    w = total = np.zeros(len(points))
    for _ in range(passes):
        for x, y in zip(points.T, labels, strict=True):
            total = total + w
            if y * (x @ w) <= 0:
                w = w + y * x
    return total / (passes * len(labels))
