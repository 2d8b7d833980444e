"""Has the square of the difference of the means, not the difference of their squares. Loses: line."""

import math

import numpy as np


def line(mean0, mean1, covariance, prior):
    gap = mean1 - mean0
    w = np.linalg.solve(covariance, gap)
    return w, math.log(prior / (1 - prior)) - w @ gap / 2
