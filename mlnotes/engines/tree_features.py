"""The features of a data matrix, sorted once: trees and stumps need only the ranks of their values."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


def midpoint(low: Any, high: Any) -> Any:
    """Return the middle of two numbers, elementwise; the lower one where the middle is rounded up."""
    middle = low / 2 + high / 2  # the sum may overflow
    return np.where(middle < high, middle, low)


class SortedFeatures(NamedTuple):
    """The columns of X, shape (n, d), sorted.

    Attributes
    ----------
    rows : ndarray of intp, shape (d, n)
        The rows of X in ascending order of each feature.
    ranks : ndarray of int64, shape (d, n)
        Number of smaller distinct values, in the same order.
    values : ndarray of shape (d, n)
        ``values[j, r]`` is the distinct value of rank r of feature j.
    """

    rows: NDArray[np.intp]
    ranks: NDArray[np.int64]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, X: NDArray[np.float64]) -> SortedFeatures:
        """Sort the columns of X."""
        columns = np.ascontiguousarray(X.T)
        rows = columns.argsort(axis=1)
        start = columns.shape[1] * np.arange(len(columns))[:, None]
        ordered = columns.ravel().take(rows + start)
        ranks = np.zeros(rows.shape, dtype=np.int64)
        np.cumsum(ordered[:, 1:] > ordered[:, :-1], axis=1, out=ranks[:, 1:])
        values = np.empty_like(columns)  # only the entries of ranks that occur are used
        values.ravel()[ranks + start] = ordered
        return cls(rows, ranks, values)

    def ranks_of_rows(self) -> NDArray[np.int32]:
        """Return the ranks in the order of the rows of X, shape (d, n)."""
        ranks = np.empty(self.rows.shape, dtype=np.int32)
        ranks.ravel()[self.rows + self.rows.shape[1] * np.arange(len(self.rows))[:, None]] = self.ranks
        return ranks

    def n_values(self) -> NDArray[np.int64]:
        """Return the number of distinct values of each feature, shape (d,)."""
        return self.ranks[:, -1] + 1
