r"""The trees of ``tree.grow``: all nodes of a level at once, several trees together.

The board sorts the rows of every node by every feature, and a cumulative sum counts the left children of all
cuts. Here `tree_cuts` finds the best cuts of a whole level with one sort and one sum. Going down a level, the
rows of all left children come first, then those of all right children; those of finished leaves fall out.

Source: Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees* (1984), chapters 2 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.tree_cuts import Cuts, Limits, Search
from mlnotes.engines.tree_instances import Array, Instances, Ints, Level, Sorted, between
from mlnotes.engines.tree_nodes import Tree

BLOCK = 2**18  # entries of a block of instances, features and classes: its temporaries stay in cache


def grow(
    features: Sorted,
    codes: NDArray[Any],
    n_classes: int,
    weights: Sequence[Array],
    limits: Limits,
    rng: np.random.Generator | None = None,
) -> list[Tree]:
    """Return the trees that ``tree.grow`` grows on the rows with each of the weights.

    Parameters
    ----------
    features : Sorted
        Of n rows and d features.
    codes : ndarray of integers, shape (n,)
        Classes 0, ..., K-1.
    n_classes : int
    weights : list of ndarray of shape (n,)
        Weight of each row in each tree, >= 0; rows of weight zero are left out.
    limits : Limits
    rng : Generator, optional
        Draws the candidates; not used if all features are candidates.

    Returns
    -------
    list of Tree
    """
    return _Grower(Instances(features, codes, n_classes, weights), limits, rng).run()


class _Grower:
    """All the trees of a call while they grow."""

    def __init__(self, data: Instances, limits: Limits, rng: np.random.Generator | None) -> None:
        self.data, self.limits, self.rng = data, limits, rng

    def run(self) -> list[Tree]:
        """Grow until no node is open."""
        level, depth = self.data.all(), 0
        self.nodes, self.cuts = [(level.value, level.n_rows)], list[tuple[Any, ...]]()
        n_nodes = len(level.number)
        level = level.part(self._may_split(level.value, level.n_rows, 0))
        while level.number.size:
            depth += 1
            level, n_nodes = self._split(level, depth, n_nodes)
        return self._finish(n_nodes)

    def _may_split(self, value: Array, n_rows: Ints, depth: int) -> NDArray[np.bool_]:
        limits = self.limits
        if depth >= limits.max_depth:
            return np.zeros(len(n_rows), dtype=bool)
        is_mixed: NDArray[np.bool_] = (value > 0).sum(axis=1) > 1
        return is_mixed & (n_rows >= max(limits.min_samples_split, 2 * limits.min_samples_leaf))

    def _split(self, level: Level, depth: int, n_nodes: int) -> tuple[Level, int]:
        """Split the nodes of a level, record it, and return the open nodes of the next one."""
        cuts = self._best_cuts(level)
        is_split = cuts.feature >= 0
        if not is_split.all():
            level, cuts = level.part(is_split), Cuts._make(column[is_split] for column in cuts)
        A, instances = len(level.number), level.instances
        place = (cuts.feature * self.data.n).repeat(level.n_rows)
        place += instances >> self.data.kind_bits
        goes_right = self.data.ranks.ravel().take(place) > cuts.low.repeat(level.n_rows)
        child = level.node + A * goes_right  # left ones first
        if self.data.is_count:
            value = np.concatenate([cuts.left, level.value - cuts.left])
        else:
            value = self.data.weigh(child, self.data.kinds(instances), 2 * A)
        n_rows = value.sum(axis=1).astype(np.intp) if self.data.is_one else np.bincount(child)
        self._record(level, cuts, n_nodes)
        self.nodes.append((value, n_rows))
        is_open = self._may_split(value, n_rows, depth)
        stays = is_open.take(child)
        goes_right &= stays
        stays ^= goes_right
        below = np.concatenate([instances.take(np.flatnonzero(side)) for side in (stays, goes_right)])
        number = n_nodes + np.flatnonzero(is_open)
        return Level(n_rows[is_open], value[is_open], number, below), n_nodes + 2 * A

    def _record(self, level: Level, cuts: Cuts, n_nodes: int) -> None:
        """Keep feature and threshold of the nodes that are split."""
        low, high = self.data.values[cuts.feature, cuts.low], self.data.values[cuts.feature, cuts.high]
        left = n_nodes + np.arange(len(low))
        self.cuts.append((level.number, cuts.feature, between(low, high), left, left + len(low)))

    # --------------------------------------------------------------- the best cut of each node

    def _best_cuts(self, level: Level) -> Cuts:
        if self.limits.n_candidates >= self.data.d:
            return self._search(level)
        lots = np.random.default_rng(self.rng).random((len(level.number), self.data.d))
        drawn = lots.argpartition(self.limits.n_candidates - 1, axis=1)
        cuts = self._search(level, np.sort(drawn[:, : self.limits.n_candidates], axis=1).T)
        stuck = cuts.feature < 0  # all candidates are constant there: try every feature
        if stuck.any():
            for column, other in zip(cuts, self._search(level.part(stuck)), strict=True):
                column[stuck] = other
        return cuts

    def _search(self, level: Level, candidates: Ints | None = None) -> Cuts:
        """Return the best cuts among the candidates of each node, shape (slots, A); None is all features."""
        n_slots, A = self.data.d if candidates is None else len(candidates), len(level.n_rows)
        none = np.zeros(A, dtype=np.intp)
        cuts = Cuts(none - 1, none, none.copy(), np.empty((A, self.data.K)))
        block = BLOCK // self.data.K
        for here, part in level.blocks(block // n_slots):
            search, step = Search(self.data, part, self.limits), max(1, block // len(part.instances))
            for first in range(0, n_slots, step):
                slots = slice(first, first + step)
                features = None if candidates is None else candidates[slots, here]
                for column, mine in zip(cuts, search.cuts_of(slots, features), strict=True):
                    column[here][search.improved] = mine
        return cuts

    def _finish(self, n_nodes: int) -> list[Tree]:
        """Put the nodes of each tree in preorder."""
        value, n_rows = (np.concatenate(part) for part in zip(*self.nodes, strict=True))
        feature, threshold = np.full(n_nodes, -1), np.zeros(n_nodes)
        right, size = np.full(n_nodes, -1), np.ones(n_nodes, dtype=np.intp)
        for at, _, _, low, high in reversed(self.cuts):
            size[at] += size[low] + size[high]
        T = len(self.data.n_rows_of_trees)
        ends = size[:T].cumsum()
        root, place = np.empty_like(size), np.zeros_like(size)  # one tree after the other, each in preorder
        root[:T] = ends - size[:T]
        for at, f, t, low, high in self.cuts:
            feature[at], threshold[at], right[at] = f, t, place[at] + 1 + size[low]
            place[low], place[high] = place[at] + 1, right[at]
            root[low] = root[high] = root[at]
        order = np.empty_like(place)
        order[root + place] = np.arange(n_nodes)
        columns = [column[order] for column in (feature, threshold, right, value, n_rows)]
        return [Tree(*part) for part in zip(*(np.split(c, ends[:-1]) for c in columns), strict=True)]
