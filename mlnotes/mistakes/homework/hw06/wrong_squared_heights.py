"""Adds the squared heights without the widths of the bins: that is no integral. Loses: uneven."""

import numpy as np


def uneven(counts, edges, _right=uneven):  # noqa: F821
    heights, widths = counts / counts.sum() / np.diff(edges), np.diff(edges)
    return _right(counts, edges) + float((heights**2 * (1 - widths)).sum())
