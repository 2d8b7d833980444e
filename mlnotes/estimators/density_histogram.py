r"""Histograms on data: `mlnotes.histogram` with validated input, any support, and fast cross-validation.

Sources: Freedman and Diaconis (1981); Rudemo (1982).
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import histogram as reference
from mlnotes.estimators.base import (
    Estimator,
    LimitWarning,
    check_fitted,
    check_matrix,
    check_option,
    check_rng,
    check_scalar,
    check_vector,
)

__all__ = ["BandwidthSearch", "Histogram", "select_bins"]

Array = NDArray[np.float64]

# ---- the choice of the number of bins


@dataclass(frozen=True)
class BandwidthSearch:
    """Bandwidths (or numbers of bins) that were tried, their scores, and the one with the smallest score."""

    values: NDArray[Any]
    scores: Array
    best: Any


def select_bins(x: ArrayLike, n_bins: ArrayLike | None = None) -> BandwidthSearch:
    r"""Return the number of bins with the smallest leave-one-out score; of equals the first.

    The data are sorted once; after that the count of a bin is the difference of the ranks of its edges.

    Parameters
    ----------
    x : array-like of shape (n,)
        Data in [0, 1], n >= 2.
    n_bins : array-like of int, optional
        Candidates; by default 1 to :math:`\lfloor\sqrt n\rfloor`, at least to 5.

    Warns
    -----
    LimitWarning
        If the best candidate is the largest one, or ties make the score fall without bound.
    """
    x = np.sort(check_sample(x, least=2))
    if x[0] < 0 or x[-1] > 1:
        raise ValueError(f"x must lie in [0, 1], got values from {x[0]:g} to {x[-1]:g}; rescale it first.")
    sizes = np.arange(1, max(5, math.isqrt(len(x))) + 1) if n_bins is None else _check_sizes(n_bins)
    scores = np.array([reference.histogram_cv_score(_counts(x, m)) for m in sizes.tolist()])
    n = len(x)
    unbounded = 2 * n**2 < (n + 1) * (tied_pairs(x) + n)  # (4.3) is negative if only ties share a bin
    return smallest_score(x, sizes, scores, unbounded, [sizes.max()], "n_bins")


def _counts(x: Array, m: int) -> NDArray[np.intp]:
    """Return the counts of the bins of sorted points."""
    ranks = np.searchsorted(x, np.arange(1, m) / m)
    return np.diff(ranks, prepend=0, append=len(x))


def tied_pairs(x: Array) -> int:
    """Return the number of ordered pairs of different observations with equal values."""
    counts = np.unique(x, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1)).sum())


def smallest_score(
    x: Array, values: NDArray[Any], scores: Array, unbounded: bool, ends: list[Any], name: str
) -> BandwidthSearch:
    """Return the search; warn where ties, or an end of the candidates, decide."""
    best = values[np.argmin(scores)].item()
    if unbounded:
        message = (
            f"the data have {tied_pairs(x)} ordered pairs of equal values among n = {len(x)} (rounded data): "
            "the cross-validation score falls to minus infinity as the bandwidth goes to 0, and only the "
            "range of candidates stops it."
        )
        warnings.warn(message, LimitWarning, stacklevel=3)
    elif len(values) > 1 and best in ends:
        message = f"the best {name} = {best:.6g} is at the end of the candidates; widen their range."
        warnings.warn(message, LimitWarning, stacklevel=3)
    return BandwidthSearch(values, scores, best)


# ---- on any interval


class Histogram(Estimator):
    r"""The histogram with m equal bins on an interval.

    Bin j (from 1) of [0, 1] is :math:`[\frac{j-1}m, \frac jm)`, the last closed; an edge is the float j/m.

    Parameters
    ----------
    n_bins : int or "cv", default "cv"
        "cv" takes the smallest leave-one-out score, `select_bins`.
    support : pair of float or None, default None
        The interval; None takes the smallest and the largest value.

    Attributes
    ----------
    support_ : tuple of float
    n_bins_ : int
    counts_ : ndarray of shape (m,)
    bandwidth_ : float
        Width of a bin, in the unit of the data.
    edges_ : ndarray of shape (m + 1,)
    heights_ : ndarray of shape (m,)
        Values of the estimate; ``(heights_ * bandwidth_).sum()`` is 1.
    certificate_ : dict
        ``score``: :math:`\hat J`; NaN for one value, which cannot be left out.
    n_features_in_ : int
        1.

    Raises
    ------
    ValueError
        If a value lies outside ``support``, or the length of the support is not from 1e-300 to 1e300.

    Examples
    --------
    >>> model = Histogram(n_bins=2, support=(0, 4)).fit([0.0, 1.0, 2.0, 4.0])
    >>> model.density([1.0, 3.0, 5.0]).tolist()
    [0.25, 0.25, 0.0]
    """

    def __init__(self, *, n_bins: int | str = "cv", support: Any = None) -> None:
        self.n_bins = n_bins
        self.support = support

    def fit(self, x: ArrayLike, y: None = None) -> Histogram:
        """Count the values x, shape (n,) or (n, 1); return self."""
        values = _one_feature(x)
        low, high = check_support(self.support, values)
        if not 1e-300 <= high - low <= 1e300:
            raise ValueError(
                f"the support has the length {high - low:g}, beyond 1e-300 and 1e300; rescale x."
            )
        unit = (values - low) / (high - low)
        self._restart(x, 1)
        self.support_ = (low, high)
        if isinstance(self.n_bins, str):
            check_option(self.n_bins, name="n_bins, unless it is an integer,", options=("cv",))
            self.n_bins_ = 1 if len(unit) < 2 else select_bins(unit).best
        else:
            self.n_bins_ = int(check_scalar(self.n_bins, name="n_bins", kind=int, minimum=1))
        self.counts_ = reference.bin_counts(unit, self.n_bins_).astype(np.int64, copy=False)
        self.bandwidth_ = (high - low) / self.n_bins_
        self.edges_ = low + (high - low) * (np.arange(self.n_bins_ + 1) / self.n_bins_)
        self.heights_ = self.counts_ / (len(values) * self.bandwidth_)
        score = reference.histogram_cv_score(self.counts_) / (high - low) if len(values) > 1 else math.nan
        self.certificate_ = {"score": float(score)}
        return self

    def density(self, x: ArrayLike) -> Array:
        """Return the estimate at x, shape (m,); 0 outside the support."""
        check_fitted(self)
        points, (low, high) = _one_feature(x), self.support_
        inside = (points >= low) & (points <= high)
        unit = (np.clip(points, low, high) - low) / (high - low)
        return np.where(inside, self.heights_[reference.bin_index(unit, self.n_bins_)], 0.0)

    def score_samples(self, x: ArrayLike) -> Array:
        """Return the log of the estimate, shape (m,); ``-inf`` where it is 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.density(x))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Array:
        """Draw from the estimate, shape (n_samples,)."""
        check_fitted(self)
        check_scalar(n_samples, name="n_samples", kind=int, minimum=1)
        rng = check_rng(random_state)
        bins = rng.choice(self.n_bins_, n_samples, p=self.counts_ / self.counts_.sum())
        return self.edges_[bins] + self.bandwidth_ * rng.random(n_samples)

    def __sklearn_tags__(self) -> Any:
        """One feature only."""
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array, tags.input_tags.two_d_array = True, False
        return tags


# ---- validation


def _check_sizes(n_bins: ArrayLike) -> NDArray[np.int64]:
    check_vector(n_bins, name="n_bins")
    sizes = np.asarray(n_bins).tolist()
    return np.array([check_scalar(m, name="n_bins", kind=int, minimum=1) for m in sizes])


def check_sample(x: ArrayLike, least: int = 1) -> Array:
    """Return x (n,), finite, with at least so many values."""
    values = check_vector(x, name="x")
    if len(values) < least:
        raise ValueError(f"x must have at least {least} values, since one is left out, got {len(values)}.")
    return values


def _one_feature(x: ArrayLike) -> Array:
    array = np.asarray(x)
    if array.ndim == 2 and array.shape[1] == 1:
        return check_matrix(array, name="x")[:, 0]
    return check_vector(x, name="x")


def check_support(support: Any, values: Array) -> tuple[float, float]:
    """Return the ends of the support, which holds the values; without one, the smallest and largest value."""
    if support is None:
        low, high = float(values.min()), float(values.max())
        if low == high:
            raise ValueError(f"all values of x are {low:g}, an interval without length; set support.")
        return low, high
    low, high = (float(end) for end in check_vector(support, name="support", n=2))
    if not low < high:
        raise ValueError(f"support must be (low, high) with low < high, got ({low:g}, {high:g}).")
    if values.min() < low or values.max() > high:
        raise ValueError(
            f"x has values from {values.min():g} to {values.max():g}, outside support [{low:g}, {high:g}]."
        )
    return low, high
