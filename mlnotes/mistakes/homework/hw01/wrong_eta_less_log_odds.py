"""Subtracts the log odds of the prior from the threshold on eta, which is no logarithm. Loses: threshold."""

import numpy as np


def threshold(prior, cost_fp, cost_fn):
    return cost_fp / (cost_fp + cost_fn) - np.log(prior / (1 - prior))
