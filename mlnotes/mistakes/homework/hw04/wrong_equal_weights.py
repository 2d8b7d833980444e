"""Gives all rows the same weight. Loses: witness."""

import numpy as np


def witness(rows):
    return np.full(len(rows), 1 / len(rows))
