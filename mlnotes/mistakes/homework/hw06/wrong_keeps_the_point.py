"""Evaluates at a point with the point itself in. Loses: uneven."""

import numpy as np


def uneven(counts, edges):
    return -float(((counts / counts.sum()) ** 2 / np.diff(edges)).sum())
