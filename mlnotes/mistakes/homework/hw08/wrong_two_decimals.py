"""Rounds the shares to two decimals. Loses: how_many."""

import numpy as np


def how_many(variances, share):
    shares = np.round(np.cumsum(variances[::-1]) / variances.sum(), 2)
    return int((shares < round(share, 2)).sum()) + 1
