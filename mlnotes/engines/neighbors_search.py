"""Search for nearest rows: exact distances for the few that a cheap bound cannot discard.

`NearestRows` answers for `mlnotes.KNeighborsClassifier`. Rows are nearer by the sum of squared
differences in float64, rows at equal distance by their number, whichever way is taken.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.rows import row_blocks

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

FLAT = 4  # features up to which halving pays, for
HALVED = 1000  # rows or more: with fewer, or with more features, the screen is as fast
SHARE = 64  # of all rows that are asked for, up to which leaves are looked into
LEAF = 16  # rows of a leaf, at most: 8 to 24 are equally fast
CROWD = 64  # leaves near a query, and with 4 k more rows, up to which the leaves are cheaper than the screen
LOOKING = 2**10  # queries that look into leaves together
QUERIES = 2**14  # in one block: their numbers are sorted as int16
BOUNDS = 2**18  # of a block of queries with all rows
ROWS = 1024  # in one product of the screen
SLABS = 16  # into which they are cut: the least bound of each place in a slab limits the k-th distance
PAIRS = 2**22  # that survive the screen, measured at once
ENTRIES = 2**17  # of differences, measured at once


class NearestRows:
    r"""The k nearest of n rows, exactly, by a screen in float32; of few features by leaves of a tree first.

    What is compared is :math:`s = \|x\|^2 - 2\langle q, x \rangle`, the squared distance without
    :math:`\|q\|^2`, after both are moved by the mean of the rows. In float32, with unit roundoff u, its error
    is at most

    .. math:: E(q, x) = \gamma\,(\|x\|^2 + 2\|q\|\|x\|), \qquad \gamma = 1.25\,(d + 8)\,u :

    d + 2 products summed in any order, and four roundings of the factors (Higham, section 3.1); 1.25 covers
    the terms of second order up to d = 600,000. E is linear in :math:`(\|x\|^2, \|x\|)`, so the bounds
    :math:`s \pm E` are products of the stored rows :math:`[x, \|x\|^2, \|x\|]` with rows made of q: a bound
    costs no more than s itself. A further slack :math:`\epsilon(q)` covers the float64 rounding of the
    distances that finally decide, so that their ties are ties here too, and underflow.

    Rows are measured in units of a power of two near their largest entry, queries in a unit that is larger
    where they are: dividing is exact, and nothing overflows for any finite input.
    """

    def __init__(self, points: Floats) -> None:
        self.points = points
        n, d = points.shape
        self.gamma = 1.25 * (d + 8) * 2.0**-24
        self.leaves = _Leaves(points / self.unit) if d <= FLAT and n >= HALVED else None

    @cached_property
    def unit(self) -> float:
        """A power of two near the largest entry of the rows."""
        return _power_of_two(np.array([max(self.points.max(), -self.points.min())])).item()

    @cached_property
    def screen(self) -> tuple[Floats, Floats, NDArray[np.float32]]:
        r"""The mean of the rows, their norms from there, and what the products of the screen are with."""
        n, d = self.points.shape
        blocks = list(row_blocks(n, d, ENTRIES))
        centre = sum((self.points[rows] / self.unit).sum(axis=0) for rows in blocks) / n
        norms, stored = np.empty(n), np.empty((n, d + 2), dtype=np.float32)
        for rows in blocks:
            moved = self.points[rows] / self.unit - centre
            norms[rows] = np.sqrt(np.einsum("ij,ij->i", moved, moved))
            stored[rows, :d], stored[rows, d], stored[rows, d + 1] = moved, norms[rows] ** 2, norms[rows]
        return centre, norms, stored

    def nearest(self, Q: Floats, k: int) -> tuple[Floats, Indices]:
        """Return distances and indices, both (q, k), by increasing (distance, index)."""
        distances, nearest = np.empty((len(Q), k)), np.empty((len(Q), k), dtype=np.int64)
        rest = np.arange(len(Q))
        if self.leaves is not None and SHARE * k <= len(self.points):
            unit = self._unit(Q)
            distances[:, -1] = np.inf  # beyond all rows it stays: there the leaves' unit may overflow
            for rows in _pieces(np.flatnonzero(unit == self.unit), LOOKING * LEAF // (LEAF + k) + 1):
                query, point = self.leaves.around(Q[rows] / self.unit, k)
                distances[rows], nearest[rows] = self._rank(Q[rows], query, point, unit[rows], k)
            rest = np.flatnonzero(distances[:, -1] == np.inf)
        for rows in _pieces(rest, min(max(256, BOUNDS // len(self.points)), QUERIES)):
            distances[rows], nearest[rows] = self._nearest(Q[rows], k)
        return distances, nearest

    def _unit(self, Q: Floats) -> Floats:
        return np.maximum(_power_of_two(abs(Q).max(axis=1)), self.unit)

    def _rank(
        self, Q: Floats, query: Indices, point: Indices, unit: Floats, k: int
    ) -> tuple[Floats, Indices]:
        """Measure pairs, sorted by (query, point), exactly; return the k least of each query.

        Where a query has fewer, infinite distances and the number -1 fill up.
        """
        square = _squared_distances(Q, self.points, query, point, unit)
        table, place = _table(query, square, len(Q), k)
        order = np.argsort(table, axis=1, kind="stable")[:, :k]  # points come in increasing order
        nearest = np.append(point, -1)[np.take_along_axis(place, order, axis=1)]
        with np.errstate(over="ignore"):  # `kneighbors` refuses an infinite distance, a vote needs none
            return np.sqrt(np.take_along_axis(table, order, axis=1)) * unit[:, None], nearest

    def _nearest(self, Q: Floats, k: int) -> tuple[Floats, Indices]:
        """Search for one block of queries; split it when too many rows survive the screen."""
        unit, centre = self._unit(Q), self.screen[0]
        scale = self.unit / unit
        moved = Q / unit[:, None] - scale[:, None] * centre
        norms = np.sqrt(np.einsum("ij,ij->i", moved, moved))
        with np.errstate(over="ignore", divide="ignore"):
            slack = np.minimum((Q.shape[1] + 4) * 2.0**-51 * norms**2 / scale, 1e30) + 1e-30
        low = np.column_stack([-2 * moved, (1 - self.gamma) * scale, -2 * self.gamma * norms])
        width = 2 * self.gamma * np.column_stack([scale, 2 * norms])
        query, point = self._survivors(low.astype(np.float32), width, slack, k)
        if len(point) > PAIRS and len(Q) > 1:
            halves = [self._nearest(half, k) for half in np.array_split(Q, 2)]
            return np.concatenate([h[0] for h in halves]), np.concatenate([h[1] for h in halves])
        return self._rank(Q, query, point, unit, k)

    def _survivors(
        self, low: NDArray[np.float32], width: Floats, slack: Floats, k: int
    ) -> tuple[Indices, Indices]:
        r"""Return the pairs (query, point), sorted, whose s - E is at most the k-th least s + E.

        Rows of ``low`` (q, d + 2) times those stored are s - E, those of ``width`` (q, 2) times
        :math:`(\|x\|^2, \|x\|)` are 2 E. The limit falls each time that twice as many rows have been seen.
        """
        survivors, n, rows = [], len(self.points), self.screen[2]
        size = max(ROWS, 2 * k)
        least = np.full((len(low), k), np.inf)  # of s + E, of k different rows
        for start in range(0, n, size):
            bounds = low @ rows[start : start + size].T  # (q, ROWS), 1 MiB for 256 queries
            tile = start // size
            if tile & (tile + 1) == 0 or start + size >= n:
                uppers = self._uppers(bounds, width, start, k)
                least = np.partition(np.hstack([least, uppers]), k - 1, axis=1)[:, :k]
                limit = np.nextafter((least.max(axis=1) + slack).astype(np.float32), np.float32(np.inf))
            places = np.flatnonzero(bounds <= limit[:, None])
            query = places // bounds.shape[1]
            survivors.append((query, start + places - query * bounds.shape[1], bounds.ravel()[places]))
        query, point, bound = (np.concatenate(parts) for parts in zip(*survivors, strict=True))
        close = np.flatnonzero(bound <= limit[query])
        order = close[np.argsort(query[close].astype(np.int16), kind="stable")]
        return query[order], point[order]

    def _uppers(self, bounds: NDArray[np.float32], width: Floats, start: int, k: int) -> Floats:
        """Return bounds s + E of different rows: of those at the same place of each slab, the least one."""
        slabs = max(1, min(SLABS, bounds.shape[1] // (4 * k)))
        wide = bounds.shape[1] // slabs
        least = bounds[:, : slabs * wide].reshape(-1, slabs, wide).min(axis=1)
        norm = self.screen[1][start : start + slabs * wide].reshape(slabs, wide).max(axis=0)
        return least + width @ np.stack([norm**2, norm])


class _Leaves:
    """Rows of few features in the leaves of a balanced tree: a node halves its rows where they spread most.

    A level is an axis and a value for each node; the rows below the value are those of its left child. Rows
    that fill up the leaves are NaN: they are never near. All leaves have equally many places, so that rows of
    a leaf are measured without any numbers of rows: ``table`` (d, places, leaves), ``number`` (leaves,
    places).
    """

    def __init__(self, points: Floats) -> None:
        n, d = points.shape
        padded = np.vstack([points, np.full(d, np.nan)])
        self.number, self.levels = np.arange(n)[None], []
        while self.number.shape[1] > LEAF:
            if self.number.shape[1] % 2:
                self.number = np.column_stack([self.number, np.full(len(self.number), n)])
            rows, half = padded.take(self.number, axis=0), self.number.shape[1] // 2
            some = rows[:, :: max(1, half // LEAF)]
            axis = (np.fmax.reduce(some, axis=1) - np.fmin.reduce(some, axis=1)).argmax(axis=1)
            key = rows[np.arange(len(rows)), :, axis]
            order = key.argpartition(half, axis=1)
            self.levels.append((axis, key[np.arange(len(key)), order[:, half]]))
            self.number = np.take_along_axis(self.number, order, axis=1).reshape(-1, half)
        self.table = np.ascontiguousarray(padded.take(self.number.T, axis=0).transpose(2, 0, 1))

    def around(self, Q: Floats, k: int) -> tuple[Indices, Indices]:
        """Return all pairs (query, row) within a distance that at least k rows have, sorted.

        Of queries that have too many leaves near them, or too few rows in their own, there are none.
        """
        q, every = len(Q), np.arange(len(Q))
        home, number = np.zeros(q, dtype=np.intp), self.number
        for axis, value in self.levels:
            home = 2 * home + (Q[every, axis.take(home)] >= value.take(home))
        together = min(1 << max(0, math.ceil(math.log2(2 * k / number.shape[1]))), len(number))
        leaf = (home // together * together) + np.arange(together)[:, None]  # (together, q)
        square = self._squares(Q, np.tile(every, together), leaf.ravel()).reshape(-1, q)
        # more than a rounding of the distance, or of a square that underflows
        radius = np.sqrt(np.partition(square.T, k - 1, axis=1)[:, k - 1]) * (1 + 2.0**-40) + 2.0**-50
        query = np.flatnonzero(radius < np.inf)
        node = np.zeros(len(query), dtype=np.intp)
        for axis, value in self.levels:
            gap = Q[query, axis.take(node)] - value.take(node)
            node = 2 * node + (gap >= 0)
            both = np.flatnonzero(abs(gap) <= radius.take(query))
            query, node = np.append(query, query.take(both)), np.append(node, node.take(both) ^ 1)
            if len(query) > CROWD * q:
                return query[:0], query[:0]
        few = np.flatnonzero((np.bincount(query, minlength=q) <= CROWD)[query])
        query, node = query.take(few), node.take(few)
        places = np.flatnonzero(self._squares(Q, query, node) <= radius.take(query) ** 2)
        place, pair = np.divmod(places, len(query))
        few = np.flatnonzero((np.bincount(query.take(pair), minlength=q) <= CROWD + 4 * k)[query.take(pair)])
        place, pair = place.take(few), pair.take(few)
        point = number.ravel().take(node.take(pair) * number.shape[1] + place)
        bits = int(number.max()).bit_length()
        pairs = np.sort(query.take(pair).astype(np.int64) << bits | point)
        return (pairs >> bits).astype(np.intp), (pairs & (1 << bits) - 1).astype(np.intp)

    def _squares(self, Q: Floats, query: Indices, leaf: Indices) -> Floats:
        """Return the squared distances of queries to the rows of leaves, shape (places, pairs)."""
        square = np.zeros((self.table.shape[1], len(leaf)))
        for table, q in zip(self.table, Q.T, strict=True):
            gap = table.take(leaf, axis=1)
            gap -= q.take(query)
            gap *= gap
            square += gap
        return square


def _pieces(rows: Indices, height: int) -> list[Indices]:
    """Cut row numbers into pieces of at most this length."""
    return [rows[start : start + height] for start in range(0, len(rows), height)]


def _power_of_two(sizes: Floats) -> Floats:
    """Return for each size >= 0 the power of two just below it, 2^-1021 at the least."""
    return np.ldexp(1.0, np.maximum(np.frexp(sizes)[1] - 1, -1021))


def _table(row: Indices, value: Floats, n_rows: int, least: int) -> tuple[Floats, Indices]:
    """Lay values out in one line a row, padded by infinity to at least so many; also say which each is."""
    counts = np.bincount(row, minlength=n_rows)
    starts = np.cumsum(counts) - counts
    column = np.arange(len(row)) - starts[row]
    table = np.full((n_rows, max(counts.max(), least)), np.inf)
    place = np.full(table.shape, len(value))
    table[row, column], place[row, column] = value, np.arange(len(row))
    return table, place


def _squared_distances(Q: Floats, X: Floats, query: Indices, point: Indices, unit: Floats) -> Floats:
    """Return the sums of squared differences of pairs of rows, in squared units of the query."""
    squares, alike = np.empty(len(query)), unit.min() == unit.max()
    for pairs in row_blocks(len(query), X.shape[1], ENTRIES):
        q, p = query[pairs], point[pairs]
        divisor = unit[0] if alike else unit.take(q)[:, None]
        gap = Q.take(q, axis=0) / divisor
        gap -= X.take(p, axis=0) / divisor
        squares[pairs] = np.einsum("ij,ij->i", gap, gap)
    return squares
