r"""Sums of kernels, :math:`s(t) = \sum_i w_iK((t - x_i)/h)`, faster than pair by pair and as exact.

With n points and m places the double loop costs nm evaluations. Three ideas replace it; each keeps the result
within 1e-12 of :math:`\sup_t s(t)` for *every* bandwidth, ties and outliers included.

**Packing.** An interval of length h that holds the weight W makes :math:`s \ge W K(1/2)` at its middle. So no
interval of length h holds more than :math:`\sup s / K(1/2)`, and if a term errs by at most e(u) at distance
uh, with e decreasing, then s errs by at most :math:`2\sum_{j \ge 0}e(j)\sup s / K(1/2)`: errors relative to
:math:`\sup s`, whatever the data are. For the Gaussian, cutting off at u = 8.5 costs 5e-16.

**Gaussian: Fourier series of the cells.** Within a span of P the points fall into cells of width at most
h/32. About the cell's centre, :math:`e^{-u^2/2}` is replaced by seven terms of its Taylor series; by Cramer's
bound :math:`|He_k(u)| \le 1.087\sqrt{k!}\,e^{u^2/4}` the packing argument leaves an error below 2e-14
:math:`\sup s`, for points within h/64 of the centre. The seven moments of each cell go through seven FFTs;
damping by :math:`e^{-h^2\omega^2/2}` is the convolution with the kernel, and the inverse way, with seven
terms again and once more 2e-14, gives s anywhere. Frequencies above 8.5/h are left out: since
:math:`\int s/W = h\sqrt{2\pi}` for the total weight W, nearly all of it within P, that is at most 5e-15
:math:`\sup s` when P is below 530 h. Rounding adds about 1e-15 (measured).

**Polynomial kernels: prefix sums of integers.** In sorted order a window is a range, and the sum of a
polynomial over it is a difference of prefix sums of powers. Floating point would cancel here; powers rounded
to multiples of :math:`2^{-60}` in two integer parts do not, since sums of integers are exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.density_kernels import GAUSSIAN, Kernel
from mlnotes.engines.progress import Tell

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Weights: TypeAlias = "Array | None"  # nonnegative; None is one each

REACH = 8.5  # of the Gaussian, in bandwidths, in space and in frequency
_TERMS = 7  # of each Taylor series
_CELLS = 32  # cells for each bandwidth
_SPAN = 512  # longest span of one Fourier series, in bandwidths: it keeps rounding errors below 1e-13
_MAX_CELLS = 2**19  # of a spectrum
_DIRECT, _FEW = 2**15, 256  # pairs that are summed one by one in all, and for each place
_BLOCK, _SHORT = 2**16, 2**12  # points at a time: in cache; so few that adding them in turn costs 2e-13
_ROWS, _COLUMNS = 256, 512  # of a tile of pairs in several dimensions: 1 MiB
_PLAIN = 5e-13 * 2**53  # squared radius times d + 4: rounding is 2^-53 of that
_SPLIT = 5e-13 * 2**77 / 18  # squared reach times d^1.5: in two parts rounding is 18 * 2^-77 of that
_SLOW = 2**16  # pairs at a time where sums underflow
_PIECES = 8  # points for each place, from which moments of pieces are faster
_WORTH = 200  # points from which a spectrum is faster than pairs


def kernel_sum(x: Array, weights: Weights, kernel: Kernel, h: float, places: Array) -> Array:
    r"""Return :math:`\sum_i w_iK((t - x_i)/h)` at every place t, in any order, shape (m,); h is positive."""
    if kernel is GAUSSIAN:
        return _gaussian(x, weights, h, places) / math.sqrt(2 * math.pi)
    reach = kernel.radius * h
    x, weights = _in_order(x, weights)
    if only_ties := _only_ties(x, reach):
        x, weights = _merged(x, weights)
    turn, sums = np.argsort(places), np.empty(len(places))  # in order, neighbours read neighbouring memory
    places = places[turn]
    low, high = np.searchsorted(x, places - reach, side="right"), np.searchsorted(x, places + reach)
    if only_ties:  # where a place absorbs the reach, the points on it are in reach
        low = np.minimum(low, np.searchsorted(x, places))
        high = np.maximum(high, np.searchsorted(x, places, side="right"))
    coefficients = () if only_ties else kernel.coefficients
    sums[turn] = _range_sums(x, weights, places, low, high, reach, coefficients, lambda gap: kernel(gap / h))
    return sums


def log_kernel_sum(x: Array, weights: Weights, kernel: Kernel, h: float, places: Array) -> Array:
    r"""Return the log of the same sums to an absolute error of 1e-9, ``-inf`` out of reach, shape (m,).

    Arguments are those of `kernel_sum`; weights are positive. The fast sums of the Gaussian kernel err by at
    most 5e-14 W, W the total weight: they serve where the sum is above 1e-4 W. Elsewhere the terms near the
    nearest point are added relative to its own: terms left out are together below e^-33 of it.
    """
    sums = kernel_sum(x, weights, kernel, h, places)
    total, least = (len(x), 1.0) if weights is None else (weights.sum(), weights.min())
    exact = sums > 1e-4 * total if kernel is GAUSSIAN else np.ones(len(places), dtype=bool)
    with np.errstate(divide="ignore"):
        logs = np.log(sums)
    if exact.all():
        return logs
    (x, weights), far = _in_order(x, weights), places[~exact]
    right = np.searchsorted(x, far)
    before, after = np.maximum(right - 1, 0), np.minimum(right, len(x) - 1)
    nearest = np.where(abs(far - x[before]) <= abs(far - x[after]), before, after)
    gap = abs(far - x[nearest])
    reach = np.hypot(gap, h * math.sqrt(2 * (math.log(total / least) + 33)))
    low = np.minimum(np.searchsorted(x, far - reach), nearest)  # very far, far - reach has lost the points
    high = np.maximum(np.searchsorted(x, far + reach, side="right"), nearest + 1)

    def relative(difference: Array, index: Index) -> Array:
        size, least = abs(difference), gap[index]
        exponents = -0.5 * ((size - least) / h) * ((size + least) / h)
        return np.exp(np.where(size > least, exponents, 0.0))  # 0 times infinity is 0 here

    with np.errstate(over="ignore", invalid="ignore"):
        sums = _window_sums(x, weights, far, low, high, relative)
        logs[~exact] = np.log(sums) - 0.5 * (gap / h) ** 2 - 0.5 * math.log(2 * math.pi)
    return logs


def pair_sum(x: Array, kernel: Kernel, h: float, spectrum: Spectrum | None = None) -> tuple[float, float]:
    r"""Return :math:`\sum_{ij}(K * K)(\frac{x_i - x_j}h)`, i = j as well, and :math:`\sum_{i \ne j}K(\cdot)`.

    A spectrum of x for this h saves the passes over x. It serves K * K, the Gaussian of :math:`h\sqrt2`, too:
    its period keeps pairs apart by 17 h, where that is e^-72.
    """
    n = len(x)
    if kernel is GAUSSIAN:
        wide, narrow = (
            float(_gaussian(x, None, side, x).sum()) if spectrum is None else spectrum.pair_sum(side)
            for side in (h * math.sqrt(2), h)
        )
        return wide / math.sqrt(4 * math.pi), narrow / math.sqrt(2 * math.pi) - n * kernel.at_zero
    others = float(kernel_sum(x, None, kernel, h, x).sum()) - n * kernel.at_zero
    x, weights, reach = np.sort(x), np.ones(n), 2 * kernel.radius * h
    if only_ties := _only_ties(x, reach):
        x, weights = _merged(x, weights)
    low = np.arange(1, len(x) + 1)  # the pairs j > i
    high = np.maximum(np.searchsorted(x, x + reach), low)
    coefficients = () if only_ties or not kernel.coefficients else kernel.convolution_coefficients
    twice = kernel.self_convolution
    upper = _range_sums(x, weights, x, low, high, reach, coefficients, lambda gap: twice(gap / h))
    return float(weights @ weights) * kernel.roughness + 2 * float(weights @ upper), others


def _only_ties(x: Array, reach: float) -> bool:
    """Return whether at most a few floats are in reach of a place: powers of distances have no digits."""
    return reach < 1e-14 * float(abs(x).max())


def _in_order(x: Array, weights: Weights) -> tuple[Array, Weights]:
    """Return the points in order, and their weights."""
    if weights is None:
        return np.sort(x), None
    order = np.argsort(x)
    return x[order], weights[order]


def _merged(x: Array, weights: Weights) -> tuple[Array, Array]:
    """Return the distinct values of sorted x and their total weights."""
    first = np.flatnonzero(np.append(True, x[1:] > x[:-1]))
    return x[first], np.add.reduceat(np.ones(len(x)) if weights is None else weights, first)


# ------------------------------------------------------------------- windows, pair by pair


def _range_sums(
    x: Array, weights: Weights, places: Array, low: Index, high: Index, reach: float,
    coefficients: tuple[float, ...], profile: Callable[[Array], Array],
) -> Array:  # fmt: skip
    """Return the sum over x[low:high] of w profile(t - x), which is a polynomial if it has coefficients."""
    if coefficients and (high - low).sum(dtype=np.int64) > _DIRECT:
        return polynomial_sums(x, weights, places, low, high, reach, coefficients)
    return _window_sums(x, weights, places, low, high, lambda gap, _: profile(gap))


def _window_sums(
    x: Array, weights: Weights, places: Array, low: Index, high: Index, term: Callable[[Array, Index], Array]
) -> Array:
    """Return the sum over x[low:high] of w term(t - x, index of t), each place t on its own, shape (m,)."""
    counts = high - low
    sums, ends = np.zeros(len(places)), np.cumsum(counts, dtype=np.int64)
    start = 0
    while start < len(places):
        before = ends[start] - counts[start]
        stop = max(start + 1, int(np.searchsorted(ends, before + _BLOCK, side="right")))
        index = np.repeat(np.arange(start, stop), counts[start:stop])  # (pairs,)
        begins = (ends[start:stop] - counts[start:stop] - before).astype(np.intp)
        pair = np.arange(len(index)) + np.repeat(low[start:stop] - begins, counts[start:stop])
        values = term(places[index] - x[pair], index)
        if weights is not None:
            values = values * weights[pair]
        some = np.flatnonzero(counts[start:stop])
        if some.size:
            sums[start + some] = np.add.reduceat(values, begins[some])
        start = stop
    return sums


# ------------------------------------------------------------------- polynomial kernels


def polynomial_sums(
    x: Array, weights: Weights, places: Array, low: Index, high: Index, reach: float,
    coefficients: tuple[float, ...],
) -> Array:  # fmt: skip
    r"""Return :math:`\sum w_i\sum_k a_kz^k`, :math:`z = (x_i - t)/` reach, over i in [low, high), shape (m,).

    x is sorted and all \|z\| are at most 1. The line is cut into cells as long as a window, so that three
    of them hold a window, and powers are taken about their centres c: nothing large cancels, because
    :math:`z = v - \tau` with :math:`v = (x_i - c)/` reach and :math:`\tau = (t - c)/` reach are at most 3.

    With few places, points between two ends of windows are a piece: it has one cell, and its moments serve in
    place of the points.
    """
    origin, most = x[0], 1.0
    if weights is not None:
        most = float(weights.max())
        weights = weights / most
    if len(x) <= _PIECES * len(places):
        cell = _cell(x, origin, reach)
        moments = _powers((x - _centre(cell, origin, reach)) / reach, weights, len(coefficients))
    else:
        cuts = np.unique(np.concatenate([low, high]))
        inside, starts = slice(cuts[0], cuts[-1]), cuts[:-1] - cuts[0]
        cell = _cell((x[cuts[:-1]] + x[cuts[1:] - 1]) / 2, origin, reach)
        v = (x[inside] - np.repeat(_centre(cell, origin, reach), np.diff(cuts))) / reach
        w = None if weights is None else weights[inside]
        powers = _powers(np.clip(v, -3.0, 3.0), w, len(coefficients))  # beyond 3 are pieces of no window
        moments = (np.add.reduceat(power, starts) for power in powers)
        low, high = np.searchsorted(cuts, low), np.searchsorted(cuts, high)
    return most * _combine(moments, cell, origin, places, low, high, reach, coefficients)


def _cell(x: Array, origin: float, reach: float) -> Array:
    return np.floor((x - origin) / (2 * reach))


def _centre(cell: Array, origin: float, reach: float) -> Array:
    return origin + (cell + 0.5) * (2 * reach)


def _powers(v: Array, weights: Weights, number: int) -> Iterator[Array]:
    """Yield w, w v, w v^2, ..."""
    power = np.ones(len(v)) if weights is None else weights
    for j in range(number):
        yield power
        if j + 1 < number:
            power = power * v


def _combine(
    moments: Iterator[Array], cell: Array, origin: float, places: Array, low: Index, high: Index,
    reach: float, coefficients: tuple[float, ...],
) -> Array:  # fmt: skip
    """Add up the moments about the centres of the cells over the windows [low, high), shape (m,)."""
    prefixes, sums = [_prefix_sums(values) for values in moments], np.zeros(len(places))
    for start in range(0, len(places), _BLOCK):
        rows = slice(start, start + _BLOCK)
        home = _cell(places[rows], origin, reach) + np.array([[-1.0], [0.0], [1.0], [2.0]])
        tau = (places[rows] - _centre(home[:3], origin, reach)) / reach  # (3, rows)
        ends = np.clip(np.searchsorted(cell, home), low[rows], high[rows])
        for j, prefix in enumerate(prefixes):
            factor = np.zeros_like(tau)  # the coefficient of v^j in sum_k a_k (v - tau)^k
            for k in range(j, len(coefficients)):
                factor += coefficients[k] * math.comb(k, j) * (-tau) ** (k - j)
            ranges = sum(np.diff(whole[ends], axis=0) / scale for whole, scale in prefix)
            sums[rows] += np.where(ends[1:] > ends[:-1], factor * ranges, 0.0).sum(axis=0)
    return sums


def _prefix_sums(values: Array) -> list[tuple[Index, float]]:
    """Return two parts (prefix, scale): values[i:j].sum() is that of (prefix[j] - prefix[i]) / scale.

    It is exact to 2^-60 of the largest value a term, or to 2^-60 where all are below 1, the largest weight.
    """
    scale, parts = 2.0 ** (30 - math.frexp(max(1.0, float(abs(values).max())))[1]), []
    for finer in (1.0, 2.0**30):
        whole = np.rint(values * (scale * finer))
        parts.append((np.concatenate([[0], np.cumsum(whole.astype(np.int64))]), scale * finer))
        values = values - whole / (scale * finer)
    return parts


# ------------------------------------------------------------------- the Gaussian


def _gaussian(x: Array, weights: Weights, h: float, places: Array) -> Array:
    """Return the sums of exp(-u^2/2): in one Fourier series, or window by window and chunk by chunk."""
    if len(x) * len(places) > _DIRECT and float(x.max() - x.min()) <= _SPAN * h:
        return Spectrum(x, weights, h, h).smooth(h, places)
    x, weights = _in_order(x, weights)
    low, high = np.searchsorted(x, places - REACH * h), np.searchsorted(x, places + REACH * h, side="right")
    light = (high - low <= _FEW) | ((high - low).sum(dtype=np.int64) <= _DIRECT)
    sums = np.empty(len(places))
    sums[light] = _window_sums(
        x, weights, places[light], low[light], high[light], lambda gap, _: np.exp(-0.5 * (gap / h) ** 2)
    )
    rest = np.flatnonzero(~light)
    rest = rest[np.argsort(places[rest])]
    while rest.size:  # chunks of the line in which some window is full: at most 2n/_FEW + 1 of them
        near = int(np.searchsorted(places[rest], places[rest[0]] + (_SPAN - 2 * REACH) * h, side="right"))
        now, rest = rest[:near], rest[near:]
        points = slice(int(low[now[0]]), int(high[now[-1]]))
        inside = None if weights is None else weights[points]
        sums[now] = Spectrum(x[points], inside, h, h).smooth(h, places[now])
    return sums


class Spectrum:
    r"""The Fourier coefficients :math:`c_k = \sum_iw_ie^{-2\pi ikx_i/P}` of points, for a range of h.

    P is so long that no kernel of the largest bandwidth reaches around, the frequencies go up to 8.5 / the
    smallest. At places out of reach of the largest one, sums are 0.
    """

    def __init__(self, x: Array, weights: Weights, smallest: float, largest: float) -> None:
        self.origin, self.margin = float(x.min()), REACH * largest
        self.period = float(x.max()) - self.origin + 2 * self.margin
        self.n_cells = 2 ** math.ceil(math.log2(_CELLS * self.period / smallest))
        n_frequencies = math.ceil(REACH * self.period / (2 * math.pi * smallest)) + 1
        self.frequencies = 2 * math.pi / self.period * np.arange(n_frequencies)
        moments = self._moments(x, weights)
        turn = -1j * (self.period / self.n_cells) * self.frequencies  # phase across a cell
        transforms = np.fft.rfft(moments)[:, :n_frequencies]  # (terms, frequencies)
        self.coefficients = transforms[-1].copy()
        for q in range(_TERMS - 1, 0, -1):  # Horner
            self.coefficients = self.coefficients * turn / q + transforms[q - 1]

    @classmethod
    def where_faster(cls, x: Array, smallest: float, largest: float) -> Spectrum | None:
        """Return the spectrum; None for few points, faster in pairs, and for FFTs of over 2^19 cells."""
        span = float(x.max() - x.min()) + 2 * REACH * largest
        worth = len(x) > _WORTH and span * _CELLS <= _MAX_CELLS * smallest
        return cls(x, None, smallest, largest) if worth else None

    def _moments(self, x: Array, weights: Weights) -> Array:
        """Return the sums of w d^q in each cell, d the distance to its centre in cells, q < 7."""
        moments = np.zeros((_TERMS, self.n_cells))
        step = _BLOCK if weights is None else _SHORT  # counts are exact, and the other moments weigh little
        for start in range(0, len(x), step):
            cell, distance = self._locate(x[start : start + step])
            power = None if weights is None else weights[start : start + step]
            for q in range(_TERMS):
                moments[q] += np.bincount(cell, weights=power, minlength=self.n_cells)
                power = distance if power is None else power * distance
        return moments

    def _locate(self, x: Array) -> tuple[NDArray[np.int64], Array]:
        """Return the cell of each point and its distance to the centre, in cells, from -1/2 to 1/2."""
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

    def sum_at(self, h: float, place: float) -> float:
        r"""Return the sum of `smooth` at one place, frequency by frequency."""
        position = place - self.origin + self.margin
        if not 0 <= position <= self.period:
            return 0.0
        turn = 1j * (position - self.period / self.n_cells / 2)  # phases are those of the cells' middles
        return float((self.coefficients * np.exp(turn * self.frequencies)).real @ self._damped(h))

    def smooth(self, h: float, places: Array) -> Array:
        r"""Return :math:`\sum_iw_ie^{-(t - x_i)^2/(2h^2)}` at every place t, shape (m,)."""
        n, width = self.n_cells, self.period / self.n_cells
        turn = 1j * width * self.frequencies
        damped = self.coefficients * self._damped(h) * (n / 2)
        damped[0] *= 2
        damped = np.array([damped * turn**q / math.factorial(q) for q in range(_TERMS)])
        tables = np.fft.irfft(damped, n)  # derivatives at the centres of the cells
        inside = abs(places - self.origin + self.margin - self.period / 2) <= self.period / 2
        cell, distance = self._locate(np.where(inside, places, self.origin))
        sums = np.zeros(len(places))
        for table in tables[::-1]:
            sums = sums * distance + table[cell]
        return np.where(inside, np.maximum(sums, 0.0), 0.0)


# ------------------------------------------------------------------- several features


def multivariate_log_sum(
    X: Array, weights: Weights, points: Array, A: Array, tell: Tell | None = None
) -> Array:
    r"""Return :math:`\log\sum_iw_ie^{-\|A(t - x_i)\|^2/2}`, shape (m,); A is lower triangular, shape (d, d).

    Squared distances are a matrix product of the rows z = Ax with their squared lengths as two more columns.
    Where rounding could cost 5e-13 by cancellation, z is the sum of a coarse part, on a grid on which the
    product is exact, and of a fine part, whose share is a product of its own: there rounding costs 2^-25 of
    that. Where even this is too much, and where sums underflow, `slow_log_sums` serves. `tell` hears how many
    terms are done.
    """
    d, sums = X.shape[1], np.zeros(len(points))
    with np.errstate(over="ignore", invalid="ignore"):
        centre = X.mean(axis=0)
        radius = float(np.linalg.norm((X - centre) @ A.T, axis=1).max())
        reach = radius + 40  # beyond, kernels are below e^(-40^2/2) = 0
        far = ~(np.linalg.norm((points - centre) @ A.T, axis=1) <= reach)
        near = np.where(far[:, None], centre, points)
        spread = np.maximum(abs(X - centre).max(axis=0), abs(near - centre).max(axis=0))
    plain = (d + 4) * radius * radius < _PLAIN
    if not (plain or d**1.5 * reach * reach < _SPLIT):
        return slow_log_sums(X, weights, points, A)
    sizes = None if plain else (np.maximum(spread, 2.0**-27 * abs(centre)), reach)
    right = _factors(near, centre, A, sizes)[1]
    for first in range(0, len(X), _COLUMNS):
        columns = slice(first, first + _COLUMNS)
        left = _factors(X[columns], centre, A, sizes)[0]
        for start in range(0, len(points), _ROWS):
            rows = slice(start, start + _ROWS)
            tile = right[0][rows] @ left[0].T
            if not plain:
                tile += right[1][rows] @ left[1].T
            np.exp(np.minimum(tile, 0.0, out=tile), out=tile)
            sums[rows] += tile.sum(axis=1) if weights is None else tile @ weights[columns]
        if tell:
            tell(first / len(X), f"{first} of {len(X)} kernels at {len(points)} points")
    tiny = far | (sums < 1e-250)
    with np.errstate(divide="ignore"):
        logs = np.log(sums)
    logs[tiny] = slow_log_sums(X, weights, points[tiny], A)
    return logs


def _factors(X: Array, centre: Array, A: Array, sizes: tuple[Array, float] | None) -> list[list[Array]]:
    """Return left and right factors: the products of two rows add up to minus half their squared distance."""
    one, Z = np.ones(len(X)), (X - centre) @ A.T
    if sizes:
        spread, reach = (np.ldexp(1.0, np.frexp(size)[1]) for size in sizes)
        coarse, fine = _halves(X, spread)
        coarse -= _halves(centre, spread)[0]
        A_coarse, A_fine = _halves(A, np.ldexp(1.0, np.frexp(abs(A) @ spread)[1])[:, None] / spread)
        Z, rest = _halves(coarse @ A_coarse.T, reach)
        rest += coarse @ A_fine.T + fine @ A.T
    square = -0.5 * (Z**2).sum(axis=1)
    left, right = [[Z, square, one]], [[Z, one, square]]
    if sizes:
        cross = -((Z + 0.5 * rest) * rest).sum(axis=1)
        left.append([Z, rest, cross, one])
        right.append([rest, Z + rest, one, cross])
    return [[np.column_stack(part) for part in side] for side in (left, right)]


def _halves(M: Array, size: Array) -> tuple[Array, Array]:
    """Return M, at most the size, a power of 2, on a grid of 2^-25 of it, and what is left, both exact."""
    coarse = np.rint(M / size * 2.0**25) * size * 2.0**-25
    return coarse, M - coarse


def _exponents(X: Array, points: Array, A: Array) -> Array:
    """Return minus half the squared lengths of A (t - x), shape (m, n)."""
    squares = np.zeros((len(points), len(X)))
    with np.errstate(over="ignore"):
        for row in A:
            gaps = (row[k] * np.subtract.outer(points[:, k], X[:, k]) for k in np.flatnonzero(row))
            squares -= 0.5 * sum(gaps) ** 2
    return squares


def slow_log_sums(
    X: Array, weights: Weights, points: Array, A: Array, left_out: NDArray[np.intp] | None = None
) -> Array:
    """Return the same, relative to the nearest point: exact however far the points are, shape (m,).

    With ``left_out``, shape (m,), the sum at each point is without the row of X with that index.
    """
    logs = np.empty(len(points))
    shift = np.zeros(len(X)) if weights is None else np.log(weights)
    step = max(1, _SLOW // len(X))
    for start in range(0, len(points), step):
        exponents = _exponents(X, points[start : start + step], A) + shift
        if left_out is not None:
            exponents[np.arange(len(exponents)), left_out[start : start + step]] = -np.inf
        top = np.maximum(exponents.max(axis=1), -np.finfo(np.float64).max)
        with np.errstate(divide="ignore"):
            logs[start : start + step] = top + np.log(np.exp(exponents - top[:, None]).sum(axis=1))
    return logs
