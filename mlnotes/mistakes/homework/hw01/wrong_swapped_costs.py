"""Swaps the two costs. Loses: threshold."""

import numpy as np


def threshold(prior, cost_fp, cost_fn):
    return np.log(cost_fn * (1 - prior) / (cost_fp * prior))
