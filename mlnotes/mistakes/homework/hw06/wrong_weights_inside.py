"""Divides by the weights inside the window, not by the sum of all. Loses: estimate."""

import numpy as np


def estimate(points, weights, places, bandwidth):
    u = (places[:, None] - points) / bandwidth
    inside = (abs(u) < 1) @ weights
    return bump(u) @ weights / np.where(inside > 0, inside * bandwidth, 1)  # noqa: F821
