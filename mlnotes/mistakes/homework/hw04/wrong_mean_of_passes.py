"""Averages the weights at the ends of passes, not those after every visit. Loses: average."""

import numpy as np


def average(points, labels, passes):
    w, ends = np.zeros(len(points)), []
    for _ in range(passes):
        for x, y in zip(points.T, labels, strict=True):
            if wrong(y * (x @ w)):  # noqa: F821
                w = w + y * x
        ends.append(w)
    return np.mean(ends, axis=0)
