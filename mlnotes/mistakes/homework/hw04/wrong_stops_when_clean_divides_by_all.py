"""Stops at a pass without a mistake, and divides by the visits of all passes. Loses: average."""

import numpy as np


def average(points, labels, passes):
    rows = (points * labels).T
    w = total = np.zeros(len(points))
    for _ in range(passes):
        before = w
        for z in rows:
            w = w + z * wrong(z @ w)  # noqa: F821
            total = total + w
        if (w == before).all():
            break
    return total / (passes * len(rows))
