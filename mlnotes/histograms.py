r"""Histograms with m equal bins on [0, 1]: estimate, exact risk, cross-validation.

Bins are :math:`[\frac{k-1}m, \frac km)`, the last one closed; an edge is the float k / m. The functions of
the risk accept `fractions.Fraction` and are exact then.

Sources: Yan, slides on density estimation, Theorem 2.5; Rudemo (1982); Freedman and Diaconis (1981).
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import LimitWarning, check_probabilities, check_scalar, check_vector

Array = NDArray[np.float64]


def bin_counts(x: ArrayLike, n_bins: int) -> NDArray[np.int64]:
    r"""Return the number of points in each of m equal bins of [0, 1], shape (m,).

    Bin j (from 1) is :math:`[\frac{j-1}m, \frac jm)`, the last one :math:`[\frac{m-1}m, 1]`.

    Examples
    --------
    >>> bin_counts([0.0, 0.3, 0.5, 1.0], 2).tolist()
    [2, 2]
    """
    x = _check_unit(x)
    check_scalar(n_bins, name="n_bins", kind=int, minimum=1)
    return np.bincount(bins_of(x, n_bins), minlength=n_bins).astype(np.int64, copy=False)


def bins_of(x: Array, n_bins: int) -> NDArray[np.int64]:
    """Return the bin of each point of [0, 1], counted from 0: the edges are the floats k / m."""
    bins = np.minimum((x * n_bins).astype(np.int64), n_bins - 1)  # off by one at most, by rounding
    bins -= x < bins / n_bins
    return bins + ((x >= (bins + 1) / n_bins) & (bins < n_bins - 1))


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


def histogram_moments(p: ArrayLike, n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    r"""Return mean :math:`p_j/h` and variance :math:`p_j(1 - p_j)/(nh^2)` of the histogram on each bin.

    Parameters
    ----------
    p : array-like of shape (m,)
        Probabilities of the bins; `fractions.Fraction` gives exact answers.
    n : int

    Returns
    -------
    mean, variance : ndarray of shape (m,)
    """
    p, m = _check_masses(p, n)
    return p * m, p * (1 - p) * m**2 / n


def histogram_risk(p: ArrayLike, n: int, square: Any) -> tuple[Any, Any]:
    r"""Return the two parts of the MISE, exactly: squared bias and variance.

    .. math:: \int b^2 = \int f^2 - \frac1h\sum_jp_j^2, \qquad \int v = \frac{1 - \sum_jp_j^2}{nh}

    Parameters
    ----------
    p : array-like of shape (m,)
        Probabilities of the bins; `fractions.Fraction` gives exact answers.
    n : int
    square : float or Fraction
        :math:`\int f^2`, at least :math:`\frac1h\sum_jp_j^2` by the inequality of Cauchy and Schwarz.
    """
    p, m = _check_masses(p, n)
    sum_of_squares = (p * p).sum()
    least = m * sum_of_squares
    if not check_scalar(square, name="square") >= least - 1e-9 * float(least):
        raise ValueError(f"square = {square} is less than sum p_j^2 / h = {least}, so no density has it.")
    return square - m * sum_of_squares, (1 - sum_of_squares) * m / n


def histogram_amise(h: Any, n: int, slope: float) -> Any:
    r"""Return :math:`\frac{h^2}{12}\int f'^2 + \frac1{nh}`, what the MISE tends to (Theorem 2.5).

    It is no bound: :math:`MISE \le (h/\pi)^2\int f'^2 + \frac1{nh}` holds for every h, and no smaller factor
    than :math:`1/\pi^2` would.
    """
    h = check_widths(h, n, slope=slope)
    return h**2 / 12 * slope + 1 / (n * h)


def histogram_best_width(n: int, slope: float) -> float:
    r"""Return :math:`h^* = (6/(n\int f'^2))^{1/3}`, where `histogram_amise` is least."""
    check_widths(1.0, n, slope=slope)
    return (6 / (n * slope)) ** (1 / 3)


def histogram_best_amise(n: int, slope: float) -> float:
    r"""Return :math:`(3/4)^{2/3}(\int f'^2)^{1/3}n^{-2/3}`, the least value of `histogram_amise`."""
    check_widths(1.0, n, slope=slope)
    return 0.75 ** (2 / 3) * slope ** (1 / 3) * n ** (-2 / 3)


def histogram_cv_score(counts: ArrayLike) -> float:
    r"""Return :math:`\hat J = \frac{2}{(n-1)h} - \frac{n+1}{(n-1)h}\sum_j\hat p_j^2`, from the counts.

    This is :math:`\int\hat f^2 - \frac2n\sum_i\hat f_{(-i)}(X_i)` exactly; the notes have lost the h of the
    second term. The fraction is formed in integers and rounded once.

    Parameters
    ----------
    counts : array-like of int, shape (m,)
        Their sum n is at least 2.

    Examples
    --------
    >>> histogram_cv_score([1, 0, 1])  # int f^2 = 3/2, and each point alone in its bin
    1.5
    """
    array = np.asarray(counts)
    if array.ndim != 1 or array.dtype.kind not in "iu" or not array.size or array.min() < 0:
        raise ValueError(f"counts must be a 1-D array of integers >= 0, got {counts!r}.")
    n, squares = sum(array.tolist()), sum(c * c for c in array.tolist())
    if n < 2:
        raise ValueError(f"counts must add up to n >= 2, since a point is left out, got n = {n}.")
    return float(Fraction(len(array) * (2 * n * n - (n + 1) * squares), (n - 1) * n * n))


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
    n, scores = len(x), np.empty(len(sizes))
    for k, m in enumerate(sizes.tolist()):
        ranks = np.searchsorted(x, np.arange(1, m) / m)
        share = np.diff(ranks, prepend=0, append=n) / n
        scores[k] = (2 - (n + 1) * (share @ share)) * m / (n - 1)
    return scores


@dataclass(frozen=True)
class BandwidthSearch:
    """Bandwidths (or numbers of bins) that were tried, their scores, and the one with the least score."""

    values: NDArray[Any]
    scores: Array
    best: Any


def select_bins(x: ArrayLike, n_bins: ArrayLike | None = None) -> BandwidthSearch:
    r"""Return the number of bins with the least :math:`\hat J`; of equals the smallest.

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
    scores = histogram_cv_scores(x, sizes)
    best = int(sizes[np.argmin(scores)])
    n, pairs = len(x), tied_pairs(x)
    if pairs * (n + 1) > n * (n - 1):
        warnings.warn(TIES.format(pairs=pairs, n=n), LimitWarning, stacklevel=2)
    elif len(sizes) > 1 and best == sizes.max():
        warnings.warn(AT_END.format(what="n_bins", best=best), LimitWarning, stacklevel=2)
    return BandwidthSearch(sizes, scores, best)


TIES = (
    "the data have {pairs} ordered pairs of equal values among n = {n} (rounded data): the cross-validation "
    "score falls to minus infinity as the bandwidth goes to 0, and only the range of candidates stops it."
)
AT_END = "the best {what} = {best:.6g} is at the end of the candidates; widen their range."


def tied_pairs(x: Array) -> int:
    """Return the number of pairs i != j with equal values."""
    counts = np.unique(x, return_counts=True)[1]
    return int((counts * (counts - 1)).sum())


# ------------------------------------------------------------------- checks


def _check_unit(x: ArrayLike, least: int = 1) -> Array:
    values = check_sample(x, least)
    if values.min() < 0 or values.max() > 1:
        raise ValueError(
            f"x must lie in [0, 1], got values from {values.min():g} to {values.max():g}; rescale it first."
        )
    return values


def _check_masses(p: ArrayLike, n: int) -> tuple[NDArray[Any], int]:
    check_scalar(n, name="n", kind=int, minimum=1)
    masses = check_probabilities(p, name="p", ndim=1)
    return masses, len(masses)


def _check_sizes(n_bins: ArrayLike) -> NDArray[np.int64]:
    sizes = np.asarray(n_bins)
    if sizes.ndim != 1 or not sizes.size or sizes.dtype.kind not in "iu" or sizes.min() < 1:
        raise ValueError(f"n_bins must be a 1-D array of integers >= 1, got {n_bins!r}.")
    return sizes.astype(np.int64)


def check_sample(x: ArrayLike, least: int = 1) -> Array:
    """Return x (n,), finite, with at least so many values."""
    values = check_vector(x, name="x")
    if len(values) < least:
        raise ValueError(f"x must have at least {least} values, since one is left out, got {len(values)}.")
    return values


def check_widths(h: Any, n: int, **roughness: float) -> Any:
    """Return h, a positive number or array, having checked n and the constants of f."""
    check_scalar(n, name="n", kind=int, minimum=1)
    for name, value in roughness.items():
        check_scalar(value, name=name, above=0)
    if np.ndim(h) == 0:
        return check_scalar(h, name="h", above=0)
    widths = check_vector(h, name="h")
    if widths.min() <= 0:
        raise ValueError(f"h must be positive, got {widths.min()}.")
    return widths
