r"""Histograms on data: the board `mlnotes.density` with checked input, counts by ranks, and certificates.

Bin j (from 1) of m equal bins of [0, 1] is :math:`[\frac{j-1}m, \frac jm)`, the last one closed; an edge is
the float j/m. Sources: Freedman and Diaconis (1981); Rudemo (1982).
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import density as board
from mlnotes.engines.density_histograms import bins_of, squared_counts
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

__all__ = [
    "BandwidthSearch", "Histogram", "bin_counts", "histogram_cv_scores", "histogram_density", "select_bins",
]  # fmt: skip

Array = NDArray[np.float64]

# ------------------------------------------------------------------- histograms on [0, 1]


def bin_counts(x: ArrayLike, n_bins: int) -> NDArray[np.int64]:
    r"""Return the number of points in each of m equal bins of [0, 1], shape (m,).

    Examples
    --------
    >>> bin_counts([0.0, 0.3, 0.5, 1.0], 2).tolist()
    [2, 2]
    """
    x = _check_unit(x)
    check_scalar(n_bins, name="n_bins", kind=int, minimum=1)
    return np.bincount(bins_of(x, n_bins), minlength=n_bins).astype(np.int64, copy=False)


def histogram_density(x: ArrayLike, points: ArrayLike, n_bins: int) -> Array:
    r"""Return the histogram :math:`\hat f = \hat p_j / h` of x at the points, shape (k,); 0 off [0, 1].

    Parameters
    ----------
    x : array-like of shape (n,)
        Data in [0, 1].
    points : array-like of shape (k,)
    n_bins : int
        m = 1/h.
    """
    points = check_vector(points, name="points")
    heights = bin_counts(x, n_bins) * (n_bins / np.size(x))
    inside = (points >= 0) & (points <= 1)
    return np.where(inside, heights[bins_of(np.where(inside, points, 0.0), n_bins)], 0.0)


def histogram_cv_scores(x: ArrayLike, n_bins: ArrayLike) -> Array:
    r"""Return :math:`\hat J` of the histograms with these numbers of bins, shape (k,).

    The data are sorted once; after that a count is the difference of the ranks of two edges.

    Parameters
    ----------
    x : array-like of shape (n,)
        Data in [0, 1], n >= 2.
    n_bins : array-like of int, shape (k,)
    """
    x, sizes = np.sort(_check_unit(x, least=2)), _check_sizes(n_bins)
    return np.array([board.score_of_squares(m, len(x), squared_counts(x, m)) for m in sizes.tolist()])


@dataclass(frozen=True)
class BandwidthSearch:
    """Bandwidths (or numbers of bins) that were tried, their scores, and the one with the least score."""

    values: NDArray[Any]
    scores: Array
    best: Any


def select_bins(x: ArrayLike, n_bins: ArrayLike | None = None) -> BandwidthSearch:
    r"""Return the number of bins with the least :math:`\hat J`; of equals the first.

    Parameters
    ----------
    x : array-like of shape (n,)
        Data in [0, 1], n >= 2.
    n_bins : array-like of int, optional
        Candidates; by default 1 to :math:`\lfloor\sqrt n\rfloor`, at least to 5.

    Warns
    -----
    LimitWarning
        If the best candidate is the largest one, or ties make the score fall forever.
    """
    x = _check_unit(x, least=2)
    sizes = np.arange(1, max(5, math.isqrt(len(x))) + 1) if n_bins is None else _check_sizes(n_bins)
    n, pairs = len(x), int(board.tied_pairs(x))
    breaks = board.score_of_squares(1, n, pairs + n) < 0  # the score of so many bins that ties alone meet
    return least_score(x, sizes, histogram_cv_scores(x, sizes), breaks, [sizes.max()], "n_bins")


def least_score(
    x: Array, values: NDArray[Any], scores: Array, breaks: bool, ends: list[Any], what: str
) -> BandwidthSearch:
    """Return the search; warn where ties, or an end of the candidates, decide."""
    best = values[np.argmin(scores)].item()
    if breaks:
        message = (
            f"the data have {board.tied_pairs(x):.0f} ordered pairs of equal values among n = {len(x)} "
            "(rounded data): the cross-validation score falls to minus infinity as the bandwidth goes to 0, "
            "and only the range of candidates stops it."
        )
        warnings.warn(message, LimitWarning, stacklevel=3)
    elif len(values) > 1 and best in ends:
        message = f"the best {what} = {best:.6g} is at the end of the candidates; widen their range."
        warnings.warn(message, LimitWarning, stacklevel=3)
    return BandwidthSearch(values, scores, best)


# ------------------------------------------------------------------- on any interval


class Histogram(Estimator):
    r"""The histogram with m equal bins on an interval.

    Parameters
    ----------
    n_bins : int or "cv", default "cv"
        "cv" takes the least leave-one-out score, `select_bins`.
    support : pair of float or None, default None
        The interval; None takes the smallest and the largest value.

    Attributes
    ----------
    support_ : tuple of float
    n_bins_ : int
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
        self.counts_ = bin_counts(unit, self.n_bins_)
        self.bandwidth_ = (high - low) / self.n_bins_
        self.edges_ = low + (high - low) * (np.arange(self.n_bins_ + 1) / self.n_bins_)
        self.heights_ = self.counts_ / (len(values) * self.bandwidth_)
        score = board.histogram_cv_score(self.counts_) / (high - low) if len(values) > 1 else math.nan
        self.certificate_ = {"score": score}
        return self

    def density(self, x: ArrayLike) -> Array:
        """Return the estimate at x, shape (m,); 0 outside the support."""
        check_fitted(self)
        points, (low, high) = _one_feature(x), self.support_
        inside = (points >= low) & (points <= high)
        unit = (np.clip(points, low, high) - low) / (high - low)
        return np.where(inside, self.heights_[bins_of(unit, self.n_bins_)], 0.0)

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


# ------------------------------------------------------------------- checks of arguments


def _check_unit(x: ArrayLike, least: int = 1) -> Array:
    values = check_sample(x, least)
    if values.min() < 0 or values.max() > 1:
        raise ValueError(
            f"x must lie in [0, 1], got values from {values.min():g} to {values.max():g}; rescale it first."
        )
    return values


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
