"""Exact nearest neighbours: distances are computed for the few points that a cheap bound cannot discard.

`NearestNeighbors` serves `mlnotes.KNeighborsClassifier`. A tree of boxes is used for few features, products
in float32 otherwise. Either way the points found are the first in the order of the sum of squared differences
in float64, points at equal distance in the order of their indices.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.rows import row_blocks

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

TREE_MAX_FEATURES = 4  # with more features, or fewer points, products are as fast as the tree
TREE_MIN_POINTS = 1000
TREE_MIN_RATIO = 64  # of the number of points to that of neighbours
LEAF_SIZE = 16  # points of a leaf, at most: 8 to 24 are equally fast
MAX_LEAVES = 64  # near a query; with more, products are cheaper
TREE_QUERIES = 2**10  # queries that descend the tree together
MAX_QUERIES = 2**14  # in one block of products: their indices are sorted as int16
MAX_BOUNDS = 2**18  # of a block of queries with all points
TILE = 1024  # points in one product
SLABS = 16  # parts of a tile: the smallest bound at each place of a slab limits the k-th distance
MAX_PAIRS = 2**22  # that the bounds leave, whose distances are computed at once
BLOCK_ENTRIES = 2**17  # of differences, computed at once


class NearestNeighbors:
    r"""The k nearest of n points, exactly: by products in float32, or for few features by a tree.

    What is compared is :math:`s = \|x\|^2 - 2\langle q, x \rangle`, the squared distance without
    :math:`\|q\|^2`, after both are centred at the mean of the points. In float32, with unit roundoff u, its
    error is at most

    .. math:: E(q, x) = \gamma\,(\|x\|^2 + 2\|q\|\|x\|), \qquad \gamma = 1.25\,(d + 8)\,u :

    d + 2 products summed in any order, and four roundings of the factors (Higham, section 3.1); 1.25 covers
    the terms of second order up to d = 600,000. E is linear in :math:`(\|x\|^2, \|x\|)`, so the bounds
    :math:`s \pm E` are products of the stored vectors :math:`[x, \|x\|^2, \|x\|]` with vectors made of q: a
    bound costs no more than s itself. A further slack :math:`\epsilon(q)` covers the float64 rounding of the
    distances that finally decide, so that their ties are ties here too, and underflow.

    Points are in units of a power of two near their largest entry, queries in a unit that is larger where
    they are: dividing is exact, and nothing overflows for any finite input.
    """

    def __init__(self, points: Floats) -> None:
        self.points = points
        n, d = points.shape
        self.gamma = 1.25 * (d + 8) * 2.0**-24
        self.tree = None
        if d <= TREE_MAX_FEATURES and n >= TREE_MIN_POINTS:
            self.tree = _Tree(points / self.unit)

    @cached_property
    def unit(self) -> float:
        """A power of two near the largest entry of the points."""
        return _power_of_two(np.array([max(self.points.max(), -self.points.min())])).item()

    @cached_property
    def stored_vectors(self) -> tuple[Floats, Floats, NDArray[np.float32]]:
        r"""The mean of the points, their distances from it, and the stored vectors."""
        n, d = self.points.shape
        blocks = list(row_blocks(n, d, BLOCK_ENTRIES))
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
        if self.tree is not None and TREE_MIN_RATIO * k <= len(self.points):
            unit = self._unit(Q)
            distances[:, -1] = np.inf  # it stays where the tree gives up
            height = TREE_QUERIES * LEAF_SIZE // (LEAF_SIZE + k) + 1
            for rows in _pieces(np.flatnonzero(unit == self.unit), height):
                query, point = self.tree.within_reach(Q[rows] / self.unit, k)
                distances[rows], nearest[rows] = self._rank(Q[rows], query, point, unit[rows], k)
            rest = np.flatnonzero(distances[:, -1] == np.inf)
        for rows in _pieces(rest, min(max(256, MAX_BOUNDS // len(self.points)), MAX_QUERIES)):
            distances[rows], nearest[rows] = self._nearest(Q[rows], k)
        return distances, nearest

    def _unit(self, Q: Floats) -> Floats:
        return np.maximum(_power_of_two(abs(Q).max(axis=1)), self.unit)

    def _rank(
        self, Q: Floats, query: Indices, point: Indices, unit: Floats, k: int
    ) -> tuple[Floats, Indices]:
        """Compute the distances of pairs, sorted by (query, point); return the k smallest of each query.

        Where a query has fewer, infinite distances and the index -1 fill up.
        """
        square = _squared_distances(Q, self.points, query, point, unit)
        table, place = _table(query, square, len(Q), k)
        order = np.argsort(table, axis=1, kind="stable")[:, :k]  # points come in increasing order
        nearest = np.append(point, -1)[np.take_along_axis(place, order, axis=1)]
        with np.errstate(over="ignore"):  # `kneighbors` refuses an infinite distance, a vote needs none
            return np.sqrt(np.take_along_axis(table, order, axis=1)) * unit[:, None], nearest

    def _nearest(self, Q: Floats, k: int) -> tuple[Floats, Indices]:
        """Search for one block of queries by products; split it when too many pairs are left."""
        unit, centre = self._unit(Q), self.stored_vectors[0]
        scale = self.unit / unit
        moved = Q / unit[:, None] - scale[:, None] * centre
        norms = np.sqrt(np.einsum("ij,ij->i", moved, moved))
        with np.errstate(over="ignore", divide="ignore"):
            slack = np.minimum((Q.shape[1] + 4) * 2.0**-51 * norms**2 / scale, 1e30) + 1e-30
        low = np.column_stack([-2 * moved, (1 - self.gamma) * scale, -2 * self.gamma * norms])
        width = 2 * self.gamma * np.column_stack([scale, 2 * norms])
        query, point = self._candidates(low.astype(np.float32), width, slack, k)
        if len(point) > MAX_PAIRS and len(Q) > 1:
            halves = [self._nearest(half, k) for half in np.array_split(Q, 2)]
            return np.concatenate([h[0] for h in halves]), np.concatenate([h[1] for h in halves])
        return self._rank(Q, query, point, unit, k)

    def _candidates(
        self, low: NDArray[np.float32], width: Floats, slack: Floats, k: int
    ) -> tuple[Indices, Indices]:
        r"""Return the pairs (query, point), sorted, whose s - E is at most the k-th smallest s + E.

        ``low`` (q, d + 2) times the stored vectors is s - E, ``width`` (q, 2) times
        :math:`(\|x\|^2, \|x\|)` is 2 E. The limit falls each time that twice as many points have been seen.
        """
        found, n, vectors = [], len(self.points), self.stored_vectors[2]
        size = max(TILE, 2 * k)
        smallest = np.full((len(low), k), np.inf)  # values of s + E, of k different points
        for start in range(0, n, size):
            bounds = low @ vectors[start : start + size].T  # (q, TILE), 1 MiB for 256 queries
            tile = start // size
            if tile & (tile + 1) == 0 or start + size >= n:
                uppers = self._uppers(bounds, width, start, k)
                smallest = np.partition(np.hstack([smallest, uppers]), k - 1, axis=1)[:, :k]
                limit = np.nextafter((smallest.max(axis=1) + slack).astype(np.float32), np.float32(np.inf))
            places = np.flatnonzero(bounds <= limit[:, None])
            query = places // bounds.shape[1]
            found.append((query, start + places - query * bounds.shape[1], bounds.ravel()[places]))
        query, point, bound = (np.concatenate(parts) for parts in zip(*found, strict=True))
        close = np.flatnonzero(bound <= limit[query])
        order = close[np.argsort(query[close].astype(np.int16), kind="stable")]
        return query[order], point[order]

    def _uppers(self, bounds: NDArray[np.float32], width: Floats, start: int, k: int) -> Floats:
        """Return bounds s + E of different points: of those at the same place of each slab, the smallest."""
        slabs = max(1, min(SLABS, bounds.shape[1] // (4 * k)))
        wide = bounds.shape[1] // slabs
        smallest = bounds[:, : slabs * wide].reshape(-1, slabs, wide).min(axis=1)
        norm = self.stored_vectors[1][start : start + slabs * wide].reshape(slabs, wide).max(axis=0)
        return smallest + width @ np.stack([norm**2, norm])


class _Tree:
    """A balanced k-d tree: a node halves its points along the feature in which they spread most.

    A level is a feature and a threshold for each node; points below the threshold go to the left child.
    Leaves are filled up with NaN, which is never near, so that all have equally many places: ``points``
    (d, places, leaves), ``index`` (leaves, places).
    """

    def __init__(self, points: Floats) -> None:
        n, d = points.shape
        padded = np.vstack([points, np.full(d, np.nan)])
        self.index, self.levels = np.arange(n)[None], []
        while self.index.shape[1] > LEAF_SIZE:
            if self.index.shape[1] % 2:
                self.index = np.column_stack([self.index, np.full(len(self.index), n)])
            inside, half = padded.take(self.index, axis=0), self.index.shape[1] // 2
            some = inside[:, :: max(1, half // LEAF_SIZE)]
            axis = (np.fmax.reduce(some, axis=1) - np.fmin.reduce(some, axis=1)).argmax(axis=1)
            key = inside[np.arange(len(inside)), :, axis]
            order = key.argpartition(half, axis=1)
            self.levels.append((axis, key[np.arange(len(key)), order[:, half]]))
            self.index = np.take_along_axis(self.index, order, axis=1).reshape(-1, half)
        self.points = np.ascontiguousarray(padded.take(self.index.T, axis=0).transpose(2, 0, 1))

    def within_reach(self, Q: Floats, k: int) -> tuple[Indices, Indices]:
        """Return all pairs (query, point) within a distance that at least k points have, sorted.

        A query with too many leaves near it, or too few points in its leaf, has none.
        """
        q, every = len(Q), np.arange(len(Q))
        home, index = np.zeros(q, dtype=np.intp), self.index
        for axis, value in self.levels:
            home = 2 * home + (Q[every, axis.take(home)] >= value.take(home))
        together = min(1 << max(0, math.ceil(math.log2(2 * k / index.shape[1]))), len(index))
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
            if len(query) > MAX_LEAVES * q:
                return query[:0], query[:0]
        few = np.flatnonzero((np.bincount(query, minlength=q) <= MAX_LEAVES)[query])
        query, node = query.take(few), node.take(few)
        places = np.flatnonzero(self._squares(Q, query, node) <= radius.take(query) ** 2)
        place, pair = np.divmod(places, len(query))
        few = np.flatnonzero(
            (np.bincount(query.take(pair), minlength=q) <= MAX_LEAVES + 4 * k)[query.take(pair)]
        )
        place, pair = place.take(few), pair.take(few)
        point = index.ravel().take(node.take(pair) * index.shape[1] + place)
        bits = int(index.max()).bit_length()
        pairs = np.sort(query.take(pair).astype(np.int64) << bits | point)
        return (pairs >> bits).astype(np.intp), (pairs & (1 << bits) - 1).astype(np.intp)

    def _squares(self, Q: Floats, query: Indices, leaf: Indices) -> Floats:
        """Return the squared distances of queries to the points of leaves, shape (places, pairs)."""
        square = np.zeros((self.points.shape[1], len(leaf)))
        for feature, q in zip(self.points, Q.T, strict=True):
            gap = feature.take(leaf, axis=1)
            gap -= q.take(query)
            gap *= gap
            square += gap
        return square


def _pieces(rows: Indices, height: int) -> list[Indices]:
    """Split indices into pieces of at most this length."""
    return [rows[start : start + height] for start in range(0, len(rows), height)]


def _power_of_two(sizes: Floats) -> Floats:
    """Return for each size >= 0 the power of two just below it, and at least 2^-1021."""
    return np.ldexp(1.0, np.maximum(np.frexp(sizes)[1] - 1, -1021))


def _table(query: Indices, value: Floats, n_queries: int, width: int) -> tuple[Floats, Indices]:
    """Return the values of each query in a row, padded by infinity, and the position of each value."""
    counts = np.bincount(query, minlength=n_queries)
    starts = np.cumsum(counts) - counts
    column = np.arange(len(query)) - starts[query]
    table = np.full((n_queries, max(counts.max(), width)), np.inf)
    place = np.full(table.shape, len(value))
    table[query, column], place[query, column] = value, np.arange(len(query))
    return table, place


def _squared_distances(Q: Floats, X: Floats, query: Indices, point: Indices, unit: Floats) -> Floats:
    """Return the sums of squared differences of pairs, in squared units of the query."""
    squares, alike = np.empty(len(query)), unit.min() == unit.max()
    for pairs in row_blocks(len(query), X.shape[1], BLOCK_ENTRIES):
        q, p = query[pairs], point[pairs]
        divisor = unit[0] if alike else unit.take(q)[:, None]
        gap = Q.take(q, axis=0) / divisor
        gap -= X.take(p, axis=0) / divisor
        squares[pairs] = np.einsum("ij,ij->i", gap, gap)
    return squares
