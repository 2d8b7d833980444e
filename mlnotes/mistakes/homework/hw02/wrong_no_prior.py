"""Forgets the prior in the offset. Loses: line."""

import numpy as np


def line(mean0, mean1, covariance, prior):
    w = np.linalg.solve(covariance, mean1 - mean0)
    return w, -w @ (mean0 + mean1) / 2
