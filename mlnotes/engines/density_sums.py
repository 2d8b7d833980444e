r"""Sums of kernels, :math:`s(t) = \sum_i w_iK((t - x_i)/h)`, faster than pair by pair and as accurate.

With n observations and m evaluation points the double sum costs nm evaluations of K. On the line a kernel of
bounded support is summed over the sorted observations within its reach. For the Gaussian kernel two ideas
replace the double sum; they keep the result within 1e-12 of :math:`\sup_t s(t)` for *every* bandwidth, ties
and outliers included.

**Packing.** An interval of length h that holds the weight W makes :math:`s \ge W K(1/2)` at its middle. So no
interval of length h holds more than :math:`\sup s / K(1/2)`, and if a term errs by at most e(u) at distance
uh, with e decreasing, then s errs by at most :math:`2\sum_{j \ge 0}e(j)\sup s / K(1/2)`: errors relative to
:math:`\sup s`, whatever the data are. For the Gaussian, cutting off at u = 8.5 costs 5e-16.

**Fourier series of the cells.** Within a span of P the observations fall into cells of width at most h/32.
About the cell's centre, :math:`e^{-u^2/2}` is replaced by seven terms of its Taylor series; by Cramer's
bound :math:`|He_k(u)| \le 1.087\sqrt{k!}\,e^{u^2/4}` the packing argument leaves an error below 2e-14
:math:`\sup s`, for observations within h/64 of the centre. The seven moments of each cell go through seven
FFTs; damping by :math:`e^{-h^2\omega^2/2}` is the convolution with the kernel, and the inverse way, with
seven terms again and once more 2e-14, gives s anywhere. Frequencies above 8.5/h are left out: since
:math:`\int s/W = h\sqrt{2\pi}` for the total weight W, nearly all of it within P, that is at most 5e-15
:math:`\sup s` when P is below 530 h. Rounding adds about 1e-15 (measured).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.density_kernels import GAUSSIAN, Kernel
from mlnotes.engines.progress import Tell

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Weights: TypeAlias = "Array | None"  # nonnegative; None is one each

REACH = 8.5  # of the Gaussian, in bandwidths, in space and in frequency
_TERMS = 7  # of each Taylor series
_CELLS = 32  # cells for each bandwidth
_SPAN = 512  # longest span of one Fourier series, in bandwidths: it keeps rounding errors below 1e-13
_MAX_CELLS = 2**19  # of one Fourier series for many bandwidths
_MIN_PAIRS = 2**15  # from which a Fourier series is faster than the pairs
_MIN_WINDOW = 256  # the same, for one evaluation point
_MIN_SAMPLE = 200  # the same, for the sums over all pairs
_BLOCK = 2**16  # observations, or pairs, at a time: in cache
_SHORT_BLOCK = 2**12  # weighted observations at a time: adding them one by one costs 2e-13
_TILE = 512  # observations and evaluation points at a time in several features: 2 MiB
_MAX_RADIUS = 1e-11 * 2**53  # squared radius times d + 4: rounding costs 2^-53 of that


# ---- one feature


def kernel_sum(x: Array, weights: Weights, kernel: Kernel, h: float, points: Array) -> Array:
    r"""Return :math:`\sum_i w_iK((t - x_i)/h)` at every point t, in any order, shape (m,); h is positive."""
    if kernel is GAUSSIAN:
        return _gaussian_sum(x, weights, h, points) / math.sqrt(2 * math.pi)
    x, weights = _sorted(x, weights)
    low, high = _windows(x, points, kernel.radius * h)
    return _window_sums(x, weights, points, low, high, lambda gap, _: kernel.density(gap / h))


def log_kernel_sum(x: Array, weights: Weights, kernel: Kernel, h: float, points: Array) -> Array:
    r"""Return the log of the same sums to an absolute error of 1e-9, ``-inf`` out of reach, shape (m,).

    Arguments are those of `kernel_sum`; weights are positive. The fast sums of the Gaussian kernel err by at
    most 5e-14 W, W the total weight: they serve where the sum is above 1e-4 W. Elsewhere the terms near the
    nearest observation are added relative to its own: terms left out are together below e^-33 of it.
    """
    sums = kernel_sum(x, weights, kernel, h, points)
    with np.errstate(divide="ignore"):
        logs = np.log(sums)
    if kernel is not GAUSSIAN:
        return logs
    total, smallest = (len(x), 1.0) if weights is None else (weights.sum(), weights.min())
    inaccurate = np.flatnonzero(sums <= 1e-4 * total)
    if not len(inaccurate):
        return logs
    (x, weights), far = _sorted(x, weights), points[inaccurate]
    right = np.searchsorted(x, far)
    before, after = np.maximum(right - 1, 0), np.minimum(right, len(x) - 1)
    nearest = np.where(abs(far - x[before]) <= abs(far - x[after]), before, after)
    distance = abs(far - x[nearest])
    reach = np.hypot(distance, h * math.sqrt(2 * (math.log(total / smallest) + 33)))
    low, high = _windows(x, far, reach)
    low, high = np.minimum(low, nearest), np.maximum(high, nearest + 1)  # far - reach may round to far

    def relative(gap: Array, index: Index) -> Array:
        size, shortest = abs(gap), distance[index]
        exponents = -0.5 * ((size - shortest) / h) * ((size + shortest) / h)
        return np.exp(np.where(size > shortest, exponents, 0.0))  # 0 times infinity is 0 here

    with np.errstate(over="ignore", invalid="ignore"):
        sums = _window_sums(x, weights, far, low, high, relative)
        logs[inaccurate] = np.log(sums) - 0.5 * (distance / h) ** 2 - 0.5 * math.log(2 * math.pi)
    return logs


def pair_sum(x: Array, kernel: Kernel, h: float, spectrum: Spectrum | None = None) -> tuple[float, float]:
    r"""Return :math:`\sum_{ij}(K * K)(\frac{x_i - x_j}h)`, i = j as well, and :math:`\sum_{i \ne j}K(\cdot)`.

    A spectrum of x for this h saves the passes over x. It serves K * K, the Gaussian of :math:`h\sqrt2`, too:
    its period keeps pairs apart by 17 h, where that is e^-72.
    """
    n = len(x)
    if kernel is GAUSSIAN:
        wide, narrow = (
            float(_gaussian_sum(x, None, side, x).sum()) if spectrum is None else spectrum.pair_sum(side)
            for side in (h * math.sqrt(2), h)
        )
        return wide / math.sqrt(4 * math.pi), (narrow - n) / math.sqrt(2 * math.pi)
    x = np.sort(x)

    def different(function: Callable[[Array], Array], reach: float) -> float:
        after = np.arange(1, n + 1)  # the pairs j > i
        high = np.maximum(after, np.searchsorted(x, x + reach, side="right"))
        return 2 * float(_window_sums(x, None, x, after, high, lambda gap, _: function(gap / h)).sum())

    reach = kernel.radius * h
    return n * kernel.roughness + different(kernel.self_convolution, 2 * reach), different(
        kernel.density, reach
    )


def _sorted(x: Array, weights: Weights) -> tuple[Array, Weights]:
    if weights is None:
        return np.sort(x), None
    order = np.argsort(x)
    return x[order], weights[order]


def _windows(x: Array, points: Array, reach: Array | float) -> tuple[Index, Index]:
    """Return for every point the first and the last but one of the sorted observations in its reach."""
    return np.searchsorted(x, points - reach), np.searchsorted(x, points + reach, side="right")


def _window_sums(
    x: Array, weights: Weights, points: Array, low: Index, high: Index, term: Callable[[Array, Index], Array]
) -> Array:
    """Return the sum over x[low:high] of w term(t - x, index of t), each point t separately, shape (m,)."""
    counts = high - low
    sums, ends = np.zeros(len(points)), np.cumsum(counts, dtype=np.int64)
    start = 0
    while start < len(points):
        before = ends[start] - counts[start]
        stop = max(start + 1, int(np.searchsorted(ends, before + _BLOCK, side="right")))
        index = np.repeat(np.arange(start, stop), counts[start:stop])  # (pairs,)
        begins = (ends[start:stop] - counts[start:stop] - before).astype(np.intp)
        pair = np.arange(len(index)) + np.repeat(low[start:stop] - begins, counts[start:stop])
        values = term(points[index] - x[pair], index)
        if weights is not None:
            values = values * weights[pair]
        some = np.flatnonzero(counts[start:stop])
        if some.size:
            sums[start + some] = np.add.reduceat(values, begins[some])
        start = stop
    return sums


def _gaussian_sum(x: Array, weights: Weights, h: float, points: Array) -> Array:
    """Return the sums of exp(-u^2/2): by one Fourier series, or window by window and span by span."""
    if len(x) * len(points) > _MIN_PAIRS and float(x.max() - x.min()) <= _SPAN * h:
        return Spectrum(x, weights, h, h).smooth(h, points)
    x, weights = _sorted(x, weights)
    low, high = _windows(x, points, REACH * h)
    few = (high - low <= _MIN_WINDOW) | ((high - low).sum(dtype=np.int64) <= _MIN_PAIRS)
    sums = np.empty(len(points))
    sums[few] = _window_sums(
        x, weights, points[few], low[few], high[few], lambda gap, _: np.exp(-0.5 * (gap / h) ** 2)
    )
    rest = np.flatnonzero(~few)
    rest = rest[np.argsort(points[rest])]
    while rest.size:  # spans of the line with a full window: at most 2n/_MIN_WINDOW + 1 of them
        near = int(np.searchsorted(points[rest], points[rest[0]] + (_SPAN - 2 * REACH) * h, side="right"))
        now, rest = rest[:near], rest[near:]
        span = slice(int(low[now[0]]), int(high[now[-1]]))
        inside = None if weights is None else weights[span]
        sums[now] = Spectrum(x[span], inside, h, h).smooth(h, points[now])
    return sums


class Spectrum:
    r"""The Fourier coefficients :math:`c_k = \sum_iw_ie^{-2\pi ikx_i/P}` of a sample, for a range of h.

    P is so long that no kernel of the largest bandwidth reaches around, the frequencies go up to 8.5 / the
    smallest. At points out of reach of the largest one, sums are 0.
    """

    def __init__(self, x: Array, weights: Weights, smallest: float, largest: float) -> None:
        self.origin, self.margin = float(x.min()), REACH * largest
        self.period = float(x.max()) - self.origin + 2 * self.margin
        self.n_cells = 2 ** math.ceil(math.log2(_CELLS * self.period / smallest))
        n_frequencies = math.ceil(REACH * self.period / (2 * math.pi * smallest)) + 1
        self.frequencies = 2 * math.pi / self.period * np.arange(n_frequencies)
        moments = self._moments(x, weights)
        phase = -1j * (self.period / self.n_cells) * self.frequencies  # across a cell
        transforms = np.fft.rfft(moments)[:, :n_frequencies]  # (terms, frequencies)
        self.coefficients = transforms[-1].copy()
        for q in range(_TERMS - 1, 0, -1):  # Horner
            self.coefficients = self.coefficients * phase / q + transforms[q - 1]

    @classmethod
    def where_faster(cls, x: Array, smallest: float, largest: float) -> Spectrum | None:
        """Return the spectrum; None for few observations, and for FFTs of over 2^19 cells."""
        span = float(x.max() - x.min()) + 2 * REACH * largest
        faster = len(x) > _MIN_SAMPLE and span * _CELLS <= _MAX_CELLS * smallest
        return cls(x, None, smallest, largest) if faster else None

    def _moments(self, x: Array, weights: Weights) -> Array:
        """Return the sums of w d^q in each cell, d the distance to its centre in cells, q < 7."""
        moments = np.zeros((_TERMS, self.n_cells))
        step = _BLOCK if weights is None else _SHORT_BLOCK  # counts are exact, higher moments weigh little
        for start in range(0, len(x), step):
            cell, distance = self._locate(x[start : start + step])
            power = None if weights is None else weights[start : start + step]
            for q in range(_TERMS):
                moments[q] += np.bincount(cell, weights=power, minlength=self.n_cells)
                power = distance if power is None else power * distance
        return moments

    def _locate(self, x: Array) -> tuple[NDArray[np.int64], Array]:
        """Return the cell of each value and its distance to the centre, in cells, from -1/2 to 1/2."""
        position = (x - self.origin + self.margin) * (self.n_cells / self.period)
        cell = np.minimum(position.astype(np.int64), self.n_cells - 1)
        return cell, position - cell - 0.5

    def _damped(self, h: float) -> Array:
        """Return the Fourier transform of the kernel, both signs of the frequency together."""
        weights = np.exp(-0.5 * (h * self.frequencies) ** 2) * (2 * h * math.sqrt(2 * math.pi) / self.period)
        weights[0] /= 2
        return weights

    def pair_sum(self, h: float) -> float:
        r"""Return :math:`\sum_{i,j}w_iw_je^{-(x_i - x_j)^2/(2h^2)}`, the pairs i = j included."""
        power = self.coefficients.real**2 + self.coefficients.imag**2
        return float(power @ self._damped(h))

    def sum_at(self, h: float, point: float) -> float:
        r"""Return the sum of `smooth` at one point, frequency by frequency."""
        position = point - self.origin + self.margin
        if not 0 <= position <= self.period:
            return 0.0
        phase = 1j * (position - self.period / self.n_cells / 2)  # relative to the middle of a cell
        return float((self.coefficients * np.exp(phase * self.frequencies)).real @ self._damped(h))

    def smooth(self, h: float, points: Array) -> Array:
        r"""Return :math:`\sum_iw_ie^{-(t - x_i)^2/(2h^2)}` at every point t, shape (m,)."""
        n, width = self.n_cells, self.period / self.n_cells
        phase = 1j * width * self.frequencies
        damped = self.coefficients * self._damped(h) * (n / 2)
        damped[0] *= 2
        damped = np.array([damped * phase**q / math.factorial(q) for q in range(_TERMS)])
        tables = np.fft.irfft(damped, n)  # derivatives at the centres of the cells
        inside = abs(points - self.origin + self.margin - self.period / 2) <= self.period / 2
        cell, distance = self._locate(np.where(inside, points, self.origin))
        sums = np.zeros(len(points))
        for table in tables[::-1]:
            sums = sums * distance + table[cell]
        return np.where(inside, np.maximum(sums, 0.0), 0.0)


# ---- several features


def multivariate_log_sum(
    X: Array, weights: Weights, points: Array, A: Array, tell: Tell | None = None
) -> Array:
    r"""Return :math:`\log\sum_iw_ie^{-\|A(t - x_i)\|^2/2}`, shape (m,); A is lower triangular, shape (d, d).

    Squared distances are a matrix product of the rows z = Ax with their squared lengths as two more columns.
    Where rounding could cost more than 1e-11 by cancellation, and where sums underflow, `direct_log_sum`
    takes over. `tell` receives how many terms are done.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        centre = X.mean(axis=0)
        Z, T = (X - centre) @ A.T, (points - centre) @ A.T
        radius = np.linalg.norm(Z, axis=1).max()
        far = ~(np.linalg.norm(T, axis=1) <= radius + 40)  # beyond, every term is below e^(-40^2/2) = 0
    if not (len(A) + 4) * radius**2 < _MAX_RADIUS:
        return direct_log_sum(X, weights, points, A)
    T[far] = 0.0
    left = np.column_stack([T, -0.5 * (T**2).sum(axis=1), np.ones(len(T))])
    right = np.column_stack([Z, np.ones(len(Z)), -0.5 * (Z**2).sum(axis=1)])
    sums = np.zeros(len(points))
    for first in range(0, len(X), _TILE):
        columns = slice(first, first + _TILE)
        for start in range(0, len(points), _TILE // 2):
            rows = slice(start, start + _TILE // 2)
            tile = left[rows] @ right[columns].T  # minus half the squared distances
            np.exp(np.minimum(tile, 0.0, out=tile), out=tile)
            sums[rows] += tile.sum(axis=1) if weights is None else tile @ weights[columns]
        if tell:
            tell(first / len(X), f"{first} of {len(X)} kernels at {len(points)} points")
    tiny = far | (sums < 1e-250)
    with np.errstate(divide="ignore"):
        logs = np.log(sums)
    logs[tiny] = direct_log_sum(X, weights, points[tiny], A)
    return logs


def direct_log_sum(
    X: Array, weights: Weights, points: Array, A: Array, left_out: NDArray[np.intp] | None = None
) -> Array:
    """Return the same from differences, relative to the nearest observation, however far, shape (m,).

    With ``left_out``, shape (m,), the sum at each point is without the row of X with that index.
    """
    logs = np.empty(len(points))
    shift = np.zeros(len(X)) if weights is None else np.log(weights)
    step = max(1, _BLOCK // len(X))
    for start in range(0, len(points), step):
        exponents = _exponents(X, points[start : start + step], A) + shift
        if left_out is not None:
            exponents[np.arange(len(exponents)), left_out[start : start + step]] = -np.inf
        top = np.maximum(exponents.max(axis=1), -np.finfo(np.float64).max)
        with np.errstate(divide="ignore"):
            logs[start : start + step] = top + np.log(np.exp(exponents - top[:, None]).sum(axis=1))
    return logs


def _exponents(X: Array, points: Array, A: Array) -> Array:
    """Return minus half the squared lengths of A (t - x), shape (m, n)."""
    squares = np.zeros((len(points), len(X)))
    with np.errstate(over="ignore"):
        for row in A:
            gaps = (row[k] * np.subtract.outer(points[:, k], X[:, k]) for k in np.flatnonzero(row))
            squares -= 0.5 * sum(gaps) ** 2
    return squares
