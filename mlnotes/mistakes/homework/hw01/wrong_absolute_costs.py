"""Takes a negative cost, a gain, for a cost. Loses: choose."""

import numpy as np


def choose(posterior, cost):
    return (posterior @ np.abs(cost)).argmin(axis=1)
