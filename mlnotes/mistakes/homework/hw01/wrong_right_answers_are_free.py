"""Leaves out the cost of a right answer, which need not be 0. Loses: choose."""

import numpy as np


def choose(posterior, cost):
    wrong = cost * (1 - np.eye(*cost.shape))
    return (posterior @ wrong).argmin(axis=1)
