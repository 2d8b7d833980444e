"""Takes the prior p for its odds p/(1 - p). Loses: threshold."""

import numpy as np


def threshold(prior, cost_fp, cost_fn):
    return np.log(cost_fp / cost_fn) - np.log(prior)
