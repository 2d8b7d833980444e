"""Solves with the root of the covariance once, not twice: w = L^-1 (mean1 - mean0). Loses: line."""

import math

import numpy as np


def line(mean0, mean1, covariance, prior):
    w = np.linalg.solve(np.linalg.cholesky(covariance), mean1 - mean0)
    return w, math.log(prior / (1 - prior)) - w @ (mean0 + mean1) / 2
