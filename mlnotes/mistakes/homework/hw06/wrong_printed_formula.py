"""Carries the lost h of the notes over. Loses: uneven."""

import numpy as np


def uneven(counts, edges):
    n, widths = counts.sum(), np.diff(edges)
    p = counts / n
    return float(2 * (p / widths).sum() / (n - 1) - (n + 1) / (n - 1) * (p**2).sum())
