"""The bins of `density.bin_of` and the sums of its squared counts, for many points and many numbers of bins.

A product and two comparisons give the bin of a point, whatever the number of bins. Of a sorted sample the
counts for every number of bins are differences of the ranks of its edges.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def bins_of(x: Array, n_bins: int) -> NDArray[np.int64]:
    """Return the bin of each point of [0, 1], counted from 0: the edges are the floats k / m."""
    bins = np.minimum((x * n_bins).astype(np.int64), n_bins - 1)  # off by one at most, by rounding
    bins -= x < bins / n_bins
    return bins + ((x >= (bins + 1) / n_bins) & (bins < n_bins - 1))


def squared_counts(x: Array, n_bins: int) -> int:
    """Return the sum of the squared counts of the bins, for points in order; exact up to n = 9e7."""
    ranks = np.searchsorted(x, np.arange(1, n_bins) / n_bins)
    counts = np.diff(ranks, prepend=0, append=len(x)).astype(np.float64)
    return int(counts @ counts)
