"""Cuts off at distance 1, not where the argument of the kernel is 1, at distance h. Loses: estimate."""

import numpy as np


def estimate(points, weights, places, bandwidth):
    gaps = places[:, None] - points
    heights = np.where(abs(gaps) < 1, 15 / 16 * (1 - (gaps / bandwidth) ** 2) ** 2, 0.0)
    return heights @ weights / (weights.sum() * bandwidth)
