"""Search for nearest rows: exact distances for the few that a cheap bound cannot discard.

`NearestRows` answers for `mlnotes.KNeighborsClassifier`. Rows are nearer by the sum of squared
differences in float64, rows at equal distance by their number, whichever way is taken.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

GRID = 5000  # rows in the plane from which a grid pays
CROWD = 16  # rows near a query, for each of k + 4, up to which the grid's answer is cheaper than the screen's
QUERIES = 2**14  # in one block: their numbers are sorted as int16
BOUNDS = 2**18  # of a block of queries with all rows
ROWS = 1024  # in one product of the screen
PAIRS = 2**22  # that survive the screen, measured at once
ENTRIES = 2**17  # of differences, measured at once


class NearestRows:
    r"""The k nearest of n rows, exactly, by a screen in float32; in the plane by a grid first.

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
        self.unit = _power_of_two(np.array([abs(points).max()]))[0]
        scaled = points / self.unit
        self.centre = scaled.mean(axis=0)
        moved = scaled - self.centre
        self.norms = np.sqrt(np.einsum("ij,ij->i", moved, moved))
        self.gamma = 1.25 * (d + 8) * 2.0**-24
        self.rows = np.empty((n, d + 2), dtype=np.float32)
        self.rows[:, :d] = moved
        self.rows[:, d] = self.norms**2
        self.rows[:, d + 1] = self.norms
        self.grid = _Grid(points) if d == 2 and n >= GRID else None

    def nearest(self, Q: Floats, k: int) -> tuple[Floats, Indices]:
        """Return distances and indices, both (q, k), by increasing (distance, index)."""
        distances, found = np.empty((len(Q), k)), np.empty((len(Q), k), dtype=np.int64)
        rest = np.arange(len(Q))
        if self.grid is not None:
            pieces = _pieces(rest, QUERIES // k + 1)
            rest = np.concatenate([self._look_around(self.grid, Q, p, distances, found) for p in pieces])
        for rows in _pieces(rest, min(max(256, BOUNDS // len(self.points)), QUERIES)):
            distances[rows], found[rows] = self._nearest(Q[rows], k)
        return distances, found

    def _look_around(
        self, grid: _Grid, Q: Floats, rows: Indices, distances: Floats, found: Indices
    ) -> Indices:
        """Write down the answers to those of these queries that have few rows near them; return the others.

        Any k rows bound the k-th distance; the k nearest are among the rows in the square of that radius.
        """
        k, unit, centre = found.shape[1], self._unit(Q[rows]), grid.cells(Q[rows])
        most, reach = CROWD * (k + 4), math.isqrt(k)
        near = grid.rows_between(
            np.maximum(centre - reach, 0), np.minimum(centre + reach, grid.side - 1), most
        )
        radius = self._rank(Q[rows], *near, unit, k)[0][:, -1]
        with np.errstate(over="ignore"):
            radius = radius * (1 + 2.0**-40) + unit * 2.0**-50  # more than a rounding of distance or corner
            low, high = (grid.cells(Q[rows] + sign * radius[:, None]) for sign in (-1, 1))
        nearest, which = self._rank(Q[rows], *grid.rows_between(low, high, most), unit, k)
        sure = nearest[:, -1] < np.inf
        distances[rows[sure]], found[rows[sure]] = nearest[sure], which[sure]
        return rows[~sure]

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
        found = np.append(point, -1)[np.take_along_axis(place, order, axis=1)]
        with np.errstate(over="ignore"):  # `kneighbors` refuses an infinite distance, a vote needs none
            return np.sqrt(np.take_along_axis(table, order, axis=1)) * unit[:, None], found

    def _nearest(self, Q: Floats, k: int) -> tuple[Floats, Indices]:
        """Search for one block of queries; split it when too many rows survive the screen."""
        unit = self._unit(Q)  # (q,)
        scale = self.unit / unit
        moved = Q / unit[:, None] - scale[:, None] * self.centre
        norms = np.sqrt(np.einsum("ij,ij->i", moved, moved))
        with np.errstate(over="ignore", divide="ignore"):
            slack = np.minimum((Q.shape[1] + 4) * 2.0**-51 * norms**2 / scale, 1e30) + 1e-30
        low, high = (self._factors(moved, scale, norms, sign) for sign in (-1, 1))
        n = len(self.points)
        size = max(k, math.isqrt(10 * k * n))  # a bound on m rows costs m and lets k n / m survive
        part = self.rows[:: max(1, n // size)]
        limit = np.partition(high @ part.T, k - 1, axis=1)[:, k - 1] + slack
        query, point, bound = self._survivors(low, limit)
        if len(point) > PAIRS and len(Q) > 1:
            halves = [self._nearest(half, k) for half in np.array_split(Q, 2)]
            return np.concatenate([h[0] for h in halves]), np.concatenate([h[1] for h in halves])
        width = self.norms[point] * (scale[query] * self.norms[point] + 2 * norms[query])
        upper, _ = _table(query, bound + 2 * self.gamma * width, len(Q), k)
        limit = np.partition(upper, k - 1, axis=1)[:, k - 1] + slack
        close = bound <= limit[query]
        return self._rank(Q, query[close], point[close], unit, k)

    def _factors(self, moved: Floats, scale: Floats, norms: Floats, sign: int) -> NDArray[np.float32]:
        """Return the rows (q, d + 2) whose products with ``self.rows`` are s + sign E."""
        columns = (-2 * moved, (1 + sign * self.gamma) * scale, sign * 2 * self.gamma * norms)
        return np.column_stack(columns).astype(np.float32)

    def _survivors(self, low: NDArray[np.float32], limit: Floats) -> tuple[Indices, Indices, Floats]:
        """Return query, point and lower bound of all pairs with bound <= limit, sorted by (query, point)."""
        ceiling = np.nextafter(limit.astype(np.float32), np.float32(np.inf))[:, None]
        found = []
        for start in range(0, len(self.rows), ROWS):
            bounds = low @ self.rows[start : start + ROWS].T  # (q, ROWS), 1 MiB for 256 queries
            places = np.flatnonzero(bounds <= ceiling)
            query = places // bounds.shape[1]
            found.append((query, start + places - query * bounds.shape[1], bounds.ravel()[places]))
        query, point, bound = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(query.astype(np.int16), kind="stable")
        return query[order], point[order], bound[order].astype(np.float64)


class _Grid:
    """Rows of the plane by the cells of a grid with as many cells as rows.

    Lines and columns hold about equally many rows each, so that clusters get narrow ones. The rows are sorted
    by (line, column), those of one cell by number: a stretch of a line of cells is a stretch of them.
    """

    def __init__(self, points: Floats) -> None:
        n = len(points)
        self.side = math.isqrt(n)
        sample = np.sort(points[:: max(1, n // (16 * self.side))], axis=0)
        self.borders = sample[np.arange(1, self.side) * len(sample) // self.side]  # (side - 1, 2)
        cell = self.cells(points) @ [self.side, 1]
        self.order = np.argsort(cell, kind="stable")
        self.starts = np.append(0, np.cumsum(np.bincount(cell, minlength=self.side**2)))

    def cells(self, Z: Floats) -> Indices:
        """Return line and column of each row: how many borders are at most its coordinate."""
        found = [np.searchsorted(self.borders[:, j], Z[:, j], side="right") for j in (0, 1)]
        return np.column_stack(found).astype(np.intp)

    def rows_between(self, low: Indices, high: Indices, most: int) -> tuple[Indices, Indices]:
        """Return all pairs (query, row in the cells from low to high), sorted; none if more than ``most``."""
        height = high[:, 0] - low[:, 0] + 1
        query = np.repeat(np.arange(len(low)), height)  # one entry for each line of cells
        line = low[query, 0] + np.arange(len(query)) - np.repeat(np.cumsum(height) - height, height)
        first = self.starts[line * self.side + low[query, 1]]
        length = self.starts[line * self.side + high[query, 1] + 1] - first
        length[np.bincount(query, weights=length)[query] > most] = 0
        place = np.repeat(first - np.cumsum(length) + length, length) + np.arange(length.sum())
        n = len(self.order)
        pairs = np.sort(np.repeat(query, length).astype(np.int64) * n + self.order[place])
        return (pairs // n).astype(np.intp), pairs % n


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
    squares = np.empty(len(query))
    height = max(1, ENTRIES // X.shape[1])
    for start in range(0, len(query), height):
        q, p = query[start : start + height], point[start : start + height]
        gap = Q[q] / unit[q, None] - X[p] / unit[q, None]
        squares[start : start + height] = np.einsum("ij,ij->i", gap, gap)
    return squares
