"""Multiplies by the covariance in place of its inverse. Loses: line."""

import math


def line(mean0, mean1, covariance, prior):
    w = covariance @ (mean1 - mean0)
    return w, math.log(prior / (1 - prior)) - w @ (mean0 + mean1) / 2
