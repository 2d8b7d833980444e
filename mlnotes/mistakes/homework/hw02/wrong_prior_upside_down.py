"""Adds the logarithm of the prior odds of class 0: the prior is upside down. Loses: line."""

import math

import numpy as np


def line(mean0, mean1, covariance, prior):
    w = np.linalg.solve(covariance, mean1 - mean0)
    return w, math.log((1 - prior) / prior) - w @ (mean0 + mean1) / 2
