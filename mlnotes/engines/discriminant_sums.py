"""Counts, `discriminant.class_means` and `discriminant.scatter` of all classes, from rows sorted by class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes.checks import check_size

Array = NDArray[np.float64]


class ClassSums(NamedTuple):
    """Of one class: the number n_k or total weight, the mean, and the sum of the centred squares."""

    weight: float
    mean: Array  # (d,)
    scatter: Array  # (d, d)


def class_sums(X: Array, codes: NDArray[Any], K: int, weights: Array | None = None) -> Iterator[ClassSums]:
    """Yield the sums of class 0, 1, ..., K - 1; a stable sort of small integers collects their rows.

    One (d, d) matrix at a time, so that who adds them up never holds those of all classes.
    """
    small = codes.astype(np.min_scalar_type(K))
    order = np.argsort(small, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(small, minlength=K))[:-1]):
        yield _sums(X.take(rows, axis=0), None if weights is None else weights[rows])


def _sums(rows: Array, weights: Array | None) -> ClassSums:
    """Return the sums over the rows of a class, which are overwritten."""
    counts = np.ones(len(rows)) if weights is None else weights
    total = float(counts.sum())
    with np.errstate(over="ignore", invalid="ignore"):
        mean = counts @ rows / total
        rows -= mean
        if weights is not None:
            rows *= np.sqrt(weights)[:, None]
        scatter = check_size(rows.T @ rows, "the sum of squares of a class")
    constant = np.sqrt(np.diag(scatter) / total) <= len(rows) * np.finfo(np.float64).eps * abs(mean)
    if constant.any():
        scatter[constant] = scatter[:, constant] = 0.0
    return ClassSums(total, mean, scatter)
