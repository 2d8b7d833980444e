"""Takes the threshold on eta for its odds: t in place of t/(1 - t). Loses: threshold."""

import numpy as np


def threshold(prior, cost_fp, cost_fn):
    return np.log(cost_fp / (cost_fp + cost_fn) * (1 - prior) / prior)
