"""Does not count a class of one row in K. Loses: within."""

import numpy as np


def within(points, labels, _right=within):  # noqa: F821
    n, sizes = points.shape[1], np.bincount(labels)[1:]
    return _right(points, labels) * (n - len(sizes)) / (n - (sizes > 1).sum())
