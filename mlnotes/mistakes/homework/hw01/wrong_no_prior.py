"""Forgets the prior. Loses: threshold."""

import numpy as np


def threshold(prior, cost_fp, cost_fn):
    return np.log(cost_fp / cost_fn)
