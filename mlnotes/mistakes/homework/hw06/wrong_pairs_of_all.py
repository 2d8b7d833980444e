"""Leaves a point out and divides by n where n - 1 others are left. Loses: uneven."""

import numpy as np


def uneven(counts, edges):
    n, widths = counts.sum(), np.diff(edges)
    others = (counts * (counts - 1) / widths).sum()
    return float(((counts / n) ** 2 / widths).sum() - 2 * others / n**2)
