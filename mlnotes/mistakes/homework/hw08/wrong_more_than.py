"""Wants more than the share. Loses: how_many."""

import numpy as np


def how_many(variances, share):
    sums = np.cumsum(variances[::-1])
    return min(int((sums <= share * sums[-1] * (1 + 1e-12)).sum()) + 1, len(sums))
