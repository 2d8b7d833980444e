"""Takes the logarithm to base 10. Loses: threshold."""

import numpy as np


def threshold(prior, cost_fp, cost_fn):
    return np.log10(cost_fp * (1 - prior) / (cost_fn * prior))
