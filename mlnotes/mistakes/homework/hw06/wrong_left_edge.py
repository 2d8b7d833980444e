"""Takes h f(left edge) for the probability of a bin. Loses: triangle."""

import numpy as np


def triangle(slope, n_bins, n_points):
    p = (1 + slope * (2 * np.arange(n_bins) / n_bins - 1)) / n_bins
    squares = float((p**2).sum())
    return 1 + slope**2 / 3 - n_bins * squares, (1 - squares) * n_bins / n_points
