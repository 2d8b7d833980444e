"""Counts, `discriminant.class_means` and `discriminant.scatter` of all classes, from rows sorted by class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.estimators.checks import check_size

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ClassSums:
    """Of one class: the number n_k or total weight, the mean, and the sum of the centred squares."""

    weight: float
    mean: Array  # (d,)
    scatter: Array  # (d, d)


@dataclass(frozen=True)
class PooledSums:
    """Of all classes: numbers or weights, means, and the sum of the scatters."""

    weights: Array  # (K,)
    means: Array  # (K, d)
    scatter: Array  # (d, d)


def class_sums(X: Array, codes: NDArray[Any], K: int, weights: Array | None = None) -> Iterator[ClassSums]:
    """Yield the sums of class 0, 1, ..., K - 1; a stable sort of small integers collects their rows."""
    small = codes.astype(np.min_scalar_type(K))
    order = np.argsort(small, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(small, minlength=K))[:-1]):
        yield _sums(X.take(rows, axis=0), None if weights is None else weights[rows])


def pool(classes: Iterable[ClassSums]) -> PooledSums:
    """Add the scatters up as the classes come, so that one (d, d) matrix of a class is held at a time."""
    weights, means, scatter = [], [], np.zeros((1, 1))
    for sums in classes:
        weights.append(sums.weight)
        means.append(sums.mean)
        scatter = scatter + sums.scatter
    return PooledSums(np.array(weights), np.array(means), scatter)


def _sums(rows: Array, weights: Array | None) -> ClassSums:
    """Return the sums over the rows of a class, which are overwritten."""
    n_rows = len(rows)
    counts = np.ones(n_rows) if weights is None else weights
    total = float(counts.sum())
    with np.errstate(over="ignore", invalid="ignore"):
        mean = counts @ rows / total
        rows -= mean
        if weights is not None:
            rows *= np.sqrt(weights)[:, None]
        scatter = check_size(rows.T @ rows, "the sum of squares of a class")
    constant = np.diag(scatter) <= total * (n_rows * np.finfo(np.float64).eps * mean) ** 2
    if constant.any():
        scatter[constant] = scatter[:, constant] = 0.0
    return ClassSums(total, mean, scatter)
