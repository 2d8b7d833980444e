"""Takes (4.3) for each bin, with its own width, and adds: 2/((n - 1)h) belongs to the points, not to the
bins. Loses: uneven."""

import numpy as np


def uneven(counts, edges):
    n, widths = counts.sum(), np.diff(edges)
    return float(((2 - (n + 1) * (counts / n) ** 2) / ((n - 1) * widths)).sum())
