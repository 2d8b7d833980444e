"""Adds up from the smallest variance. Loses: how_many."""

import numpy as np


def how_many(variances, share):
    sums = np.cumsum(variances)
    return int(np.searchsorted(sums, share * sums[-1] * (1 - 1e-12))) + 1
