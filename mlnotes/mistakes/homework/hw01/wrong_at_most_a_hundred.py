"""Starts the search for the smallest cost at 100: above, the first answer stays. Loses: choose."""

import numpy as np


def choose(posterior, cost):
    costs = posterior @ cost
    return np.where(costs.min(axis=1) < 100, costs.argmin(axis=1), 0)
