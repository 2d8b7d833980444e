"""Growing classification trees: all nodes of a level at once, and several trees together.

The reference module sorts the observations of every node by every feature, and a cumulative sum counts the
classes in the left child of every split. `tree_splits` does so for all nodes of a level with one sort and one
cumulative sum. Then the observations of all left children are collected, and after them those of all right
children; those of finished leaves are left out.

Source: Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees* (1984), chapters 2 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.tree_features import SortedFeatures, midpoint
from mlnotes.engines.tree_nodes import Tree
from mlnotes.engines.tree_splits import Data, Limits, Splits, SplitSearch

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

BLOCK = 2**18  # entries (observations times features times classes) at once: the temporaries stay in cache


@dataclass(frozen=True)
class Level:
    """Nodes of one depth that may still be split.

    Attributes
    ----------
    number : ndarray of intp, shape (A,)
        The nodes are numbered in the order in which they are made.
    n_rows : ndarray of intp, shape (A,)
        Number of observations of each node.
    value : ndarray of shape (A, K)
        Weight of each class.
    row, y, weight : ndarray of shape (m,)
        Row of X, class and weight of the observations: those of the first node, then those of the second, ...
    """

    number: Ints
    n_rows: Ints
    value: Array
    row: Ints
    y: Ints
    weight: Array

    @cached_property
    def node(self) -> Ints:
        """The position of the node of each observation, 0, ..., A-1, shape (m,)."""
        return np.arange(len(self.n_rows)).repeat(self.n_rows)

    def part(self, chosen: NDArray[np.bool_]) -> Level:
        """Return the chosen nodes."""
        if chosen.all():
            return self
        here = np.flatnonzero(chosen.repeat(self.n_rows))
        nodes = self.number[chosen], self.n_rows[chosen], self.value[chosen]
        return Level(*nodes, self.row.take(here), self.y.take(here), self.weight.take(here))

    def blocks(self, size: int) -> Iterator[tuple[slice, Level]]:
        """Yield consecutive nodes: one, or as many as have together at most so many observations."""
        ends, first, start = self.n_rows.cumsum(), 0, 0
        while first < len(ends):
            last = max(first + 1, int(ends.searchsorted(start + size, side="right")))
            nodes, rows = slice(first, last), slice(start, int(ends[last - 1]))
            of_nodes = self.number[nodes], self.n_rows[nodes], self.value[nodes]
            yield nodes, Level(*of_nodes, self.row[rows], self.y[rows], self.weight[rows])
            first, start = last, rows.stop


class Made(NamedTuple):
    """The splits of a level: number of the node, feature, threshold, numbers of the left and right child."""

    number: Ints
    feature: Ints
    threshold: Array
    left: Ints
    right: Ints


def grow(
    features: SortedFeatures,
    y: NDArray[Any],
    n_classes: int,
    weights: Sequence[Array],
    limits: Limits,
    rng: np.random.Generator | None = None,
) -> list[Tree]:
    """Return the trees that ``tree.grow`` grows with each of the weights.

    Parameters
    ----------
    features : SortedFeatures
        Of n observations and d features.
    y : ndarray of integers, shape (n,)
        Classes 0, ..., K-1.
    n_classes : int
    weights : list of ndarray of shape (n,)
        Weight of each observation in each tree, >= 0; those of weight zero are left out.
    limits : Limits
    rng : Generator, optional
        Draws the features that a node considers; not used if it considers all.

    Returns
    -------
    list of Tree
    """
    data = Data.of(features, n_classes, weights)
    level, depth, n_nodes = _roots(y, n_classes, weights), 0, len(weights)
    nodes, splits = [(level.value, level.n_rows)], list[Made]()
    level = level.part(_may_be_split(level.value, level.n_rows, limits, depth))
    while len(level.number) > 0:
        best = _best_splits(data, level, limits, rng)
        is_split = best.feature >= 0
        level, best = level.part(is_split), best.part(is_split)
        low, high = features.values[best.feature, best.low], features.values[best.feature, best.high]
        left = n_nodes + np.arange(len(level.number))
        right = left + len(left)
        splits.append(Made(level.number, best.feature, midpoint(low, high), left, right))
        depth += 1
        value, n_rows, level = _children(data, level, best, limits, depth, n_nodes)
        nodes.append((value, n_rows))
        n_nodes += len(value)
    return _in_preorder(nodes, splits, len(weights))


def _roots(y: NDArray[Any], n_classes: int, weights: Sequence[Array]) -> Level:
    """Return the first level: the root of each tree."""
    table = np.stack(weights)
    tree, row = np.nonzero(table)
    y, weight = y.astype(np.intp, copy=False).take(row), table[tree, row]
    T = len(weights)
    value = _class_weights(tree, y, weight, T, n_classes)
    return Level(np.arange(T), np.bincount(tree, minlength=T), value, row, y, weight)


def _class_weights(node: Ints, y: Ints, weight: Array, n_nodes: int, n_classes: int) -> Array:
    """Return the weight of each class in each node, shape (n_nodes, K)."""
    sums = np.bincount(node * n_classes + y, weight, n_nodes * n_classes)
    return sums.reshape(n_nodes, n_classes).astype(np.float64, copy=False)


def _may_be_split(value: Array, n_rows: Ints, limits: Limits, depth: int) -> NDArray[np.bool_]:
    """Return which nodes have several classes, and observations enough for two children."""
    if depth >= limits.max_depth:
        return np.zeros(len(value), dtype=bool)
    has_classes: NDArray[np.bool_] = (value > 0).sum(axis=1) > 1
    return has_classes & (n_rows >= max(limits.min_samples_split, 2 * limits.min_samples_leaf))


def _children(
    data: Data, level: Level, best: Splits, limits: Limits, depth: int, n_nodes: int
) -> tuple[Array, Ints, Level]:
    """Return class weights and sizes of all children, and the next level: those that may be split.

    The left children come first, then the right ones; they are numbered from `n_nodes` on.
    """
    A = len(level.number)
    place = (best.feature * data.n).repeat(level.n_rows) + level.row
    goes_right = data.ranks.ravel().take(place) > best.low.repeat(level.n_rows)
    child = level.node + A * goes_right
    value = _class_weights(child, level.y, level.weight, 2 * A, data.K)
    n_rows = np.bincount(child, minlength=2 * A)
    is_open = _may_be_split(value, n_rows, limits, depth)
    stays = is_open.take(child)
    order = np.concatenate([np.flatnonzero(stays & ~goes_right), np.flatnonzero(stays & goes_right)])
    open_nodes = n_nodes + np.flatnonzero(is_open), n_rows[is_open], value[is_open]
    rows = level.row.take(order), level.y.take(order), level.weight.take(order)
    return value, n_rows, Level(*open_nodes, *rows)


def _best_splits(data: Data, level: Level, limits: Limits, rng: np.random.Generator | None) -> Splits:
    """Return the best split of each node, by the features that it considers."""
    if limits.max_features >= data.d:
        return _by_features(data, level, limits)
    lots = np.random.default_rng(rng).random((len(level.number), data.d))
    drawn = np.sort(lots.argpartition(limits.max_features - 1, axis=1)[:, : limits.max_features], axis=1)
    best = _by_features(data, level, limits, drawn.T)
    stuck = best.feature < 0  # all features that were drawn are constant there: try every feature
    if stuck.any():
        best.put(stuck, _by_features(data, level.part(stuck), limits))
    return best


def _by_features(data: Data, level: Level, limits: Limits, considered: Ints | None = None) -> Splits:
    """Return the best splits by the features `considered`, shape (q, A), by default by all of them."""
    best = Splits.none(len(level.number))
    q = data.d if considered is None else len(considered)
    block = BLOCK // data.K
    for nodes, part in level.blocks(block // q):
        search = SplitSearch(data, part, limits)
        step = max(1, block // len(part.row))
        for first in range(0, q, step):
            some = slice(first, min(first + step, q))
            search.try_features(some, None if considered is None else considered[some, nodes])
        best.put(nodes, search.best)
    return best


def _in_preorder(nodes: list[tuple[Array, Ints]], splits: list[Made], n_trees: int) -> list[Tree]:
    """Return the trees, each with its nodes in preorder."""
    value, n_rows = (np.concatenate(column) for column in zip(*nodes, strict=True))
    N = len(value)
    feature, threshold = np.full(N, -1), np.zeros(N)
    right, size = np.full(N, -1), np.ones(N, dtype=np.intp)
    for made in reversed(splits):
        size[made.number] += size[made.left] + size[made.right]
    end = size[:n_trees].cumsum()
    root, place = np.empty_like(size), np.zeros_like(size)  # where a tree starts, and a node in its tree
    root[:n_trees] = end - size[:n_trees]
    for made in splits:
        feature[made.number], threshold[made.number] = made.feature, made.threshold
        place[made.left] = place[made.number] + 1
        right[made.number] = place[made.right] = place[made.left] + size[made.left]
        root[made.left] = root[made.right] = root[made.number]
    order = np.empty_like(place)
    order[root + place] = np.arange(N)
    columns = [np.split(column[order], end[:-1]) for column in (feature, threshold, right, value, n_rows)]
    return [Tree(*column) for column in zip(*columns, strict=True)]
