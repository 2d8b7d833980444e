"""Adds the left-out estimate once for each bin that holds a point, not once for each point. Loses:
uneven."""

import numpy as np


def uneven(counts, edges):
    n, widths = counts.sum(), np.diff(edges)
    others = (np.maximum(counts - 1, 0) / widths).sum()
    return float(((counts / n) ** 2 / widths).sum() - 2 * others / (n * (n - 1)))
