"""Forgets the 1/2 of the midpoint. Loses: line."""

import math

import numpy as np


def line(mean0, mean1, covariance, prior):
    w = np.linalg.solve(covariance, mean1 - mean0)
    return w, math.log(prior / (1 - prior)) - w @ (mean0 + mean1)
