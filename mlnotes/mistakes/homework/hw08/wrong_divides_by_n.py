"""Divides by n. Loses: moments."""

import numpy as np


def moments(table):
    return table.mean(axis=1), np.cov(table, bias=True)
