"""Blocks of rows that stay in the processor's cache, and the largest score in each column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["last_argmax_of_columns", "row_blocks"]


def row_blocks(n: int, d: int, entries: int = 2**17) -> Iterator[slice]:
    """Yield slices of the rows of an (n, d) array, by default of 1 MiB of float64.

    Fewer than four columns count as four, since arrays that are computed from the rows have columns as well.
    """
    height = max(1, entries // max(d, 4))
    return (slice(start, start + height) for start in range(0, n, height))


def last_argmax_of_columns(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the row of the largest entry of each column of a (K, n) array, the last on ties, shape (n,)."""
    best, codes = scores[0].copy(), np.zeros(scores.shape[1], dtype=np.int64)
    for k in range(1, len(scores)):
        codes[scores[k] >= best] = k
        np.maximum(best, scores[k], out=best)
    return codes
