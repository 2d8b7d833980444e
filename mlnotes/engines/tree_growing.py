r"""The trees of ``tree.grow``: exact best cuts, all nodes of a level at once, several trees together.

The board sorts the rows of every node by every feature, and a cumulative sum counts the left children of all
cuts. Here the features are sorted **once**. Each feature keeps its rows ordered by (node, value), so that one
cumulative sum over the whole array counts the left children of all cuts of all nodes. Going down a level
keeps the order: first the rows of all left children are picked, then those of all right children, and the
rows of finished leaves fall out.

A row of a feature is one integer, the *key* :math:`(\text{rank}, \text{class}, \text{instance})`: two
neighbours have different values exactly if the keys differ in the rank. An *instance* is a row of the data in
one of the trees, with its weight.

The best cut of a node is the one with the largest *score*. With :math:`C_k` the weight of class k in the
node, :math:`L_k` that in the left child, :math:`n = \sum_k C_k` and :math:`n_L = \sum_k L_k`, the decrease of
the Gini index is

.. math:: \gamma(R) - \frac{n_L}{n}\gamma(R_1) - \frac{n_R}{n}\gamma(R_2)
          = \frac{\sum_k (n L_k - n_L C_k)^2}{n^2\, n_L n_R} ,

and its score leaves out the :math:`n^2`. Counts are integers; the score of a node of at most 16,384 rows is
one correctly rounded quotient of exact integers, so that equal decreases compare equal. Logarithms are
rounded, and so are weights that are no counts: there impurities within ``tree.rounding`` are equal, as on
the board.

Source: Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees* (1984), chapters 2 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Keys = NDArray[np.int64]

BLOCK = 2**15  # entries of a block of features: its temporaries stay in cache
WALKING = 2**14  # pairs of row and tree that walk together: 2**12 to 2**14 are equally fast,
ENTRIES = 2**17  # with at most 1 MiB of rows, that walk twice as fast as from beyond the second cache
MOST_32 = 92_000  # up to this weight of a node, n L - n_L C fits into 32 bits: it is at most n^2 / 4
MOST_COUNT = 2**31  # below this sum, weights that are counts are added up in 32 bits
BITS = 50  # of the integers that stand for other weights, and
SUM_BITS = 61  # of the sum of all nodes of a level
# One term of an impurity is rounded a few times, relative to the logarithm of a sum that has at most 61 bits:
# by less than 256 units in the last place. An impurity has a term for each class, and a sum of weights that
# are no counts one for each row.
ROUNDING = 2.0**-44


@dataclass(frozen=True)
class Tree:
    """A binary tree in preorder: the left child of node t is t + 1, its subtree is a block of numbers.

    Attributes
    ----------
    feature : ndarray of intp, shape (N,)
        The feature that a node asks for, -1 at a leaf.
    threshold : ndarray of shape (N,)
        Rows with at most this value go left; 0 at a leaf.
    right : ndarray of intp, shape (N,)
        The right child, -1 at a leaf.
    value : ndarray of shape (N, K)
        Weight of each class among the training rows of the node.
    n_rows : ndarray of intp, shape (N,)
        Number of training rows of the node.
    """

    feature: Ints
    threshold: Array
    right: Ints
    value: Array
    n_rows: Ints

    def __len__(self) -> int:
        return len(self.feature)

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether a node has no children, shape (N,)."""
        return self.feature < 0

    @property
    def left(self) -> Ints:
        """The left child of each node, -1 at a leaf, shape (N,)."""
        return np.where(self.is_leaf, -1, np.arange(1, len(self) + 1))

    @property
    def parent(self) -> Ints:
        """The parent of each node, -1 for the root, shape (N,)."""
        parents, inner = np.full(len(self), -1), np.flatnonzero(~self.is_leaf)
        parents[inner + 1] = parents[self.right[inner]] = inner
        return parents

    @property
    def depth(self) -> Ints:
        """Number of questions above each node, shape (N,)."""
        depth, parents = np.zeros(len(self), dtype=np.intp), self.parent
        level = np.flatnonzero(parents == 0)
        while level.size:
            depth[level] = depth[parents[level]] + 1
            inner = level[~self.is_leaf[level]]
            level = np.concatenate([inner + 1, self.right[inner]])
        return depth

    @cached_property
    def paths(self) -> Paths:
        """The tree laid out for walking down."""
        return Paths.of([self])

    def apply(self, X: Array) -> Ints:
        """Return the leaf that each row of X reaches, shape (n,)."""
        leaves = np.empty(len(X), dtype=np.intp)
        for block, _ in walking_blocks(*X.shape):
            leaves[block] = self.paths.leaves(X[block])[0]
        return self.paths.node.take(leaves)

    def keep(self, kept: NDArray[np.bool_]) -> Tree:
        """Return the tree of the marked nodes; an inner node whose children are not marked is a leaf."""
        number = np.cumsum(kept) - 1
        inner = ~self.is_leaf & kept
        inner[inner] = kept[np.flatnonzero(inner) + 1]
        return Tree(
            np.where(inner, self.feature, -1)[kept],
            np.where(inner, self.threshold, 0.0)[kept],
            np.where(inner, number[self.right], -1)[kept],
            self.value[kept],
            self.n_rows[kept],
        )


class Paths(NamedTuple):
    """Several trees in one table, for walking down: both children of a node stand side by side.

    A step is ``place = first[place] + (x > threshold[place])``, for all rows and all trees together. A leaf
    asks a question that sends every row back to it, so that rows need not leave the walk at once: they do
    each time that half of the training rows that walked have arrived.

    Attributes
    ----------
    feature, threshold, first : ndarray of shape (N,)
        Of each place its question and the place of the left child; of a leaf 0, infinity and its own place.
    root : ndarray of intp, shape (B,)
        The place of the root of each tree.
    node : ndarray of intp, shape (N,)
        The number in its tree of the node at each place.
    strides : tuple of int
        The numbers of steps between two looks at who has arrived.
    """

    feature: Ints
    threshold: Array
    first: Ints
    root: Ints
    node: Ints
    strides: tuple[int, ...]

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> Paths:
        """Lay out the trees."""
        sizes = np.array([len(tree) for tree in trees])
        root = np.cumsum(sizes) - sizes
        columns = []
        for tree, start in zip(trees, root, strict=True):
            inner = np.flatnonzero(~tree.is_leaf)
            node = np.concatenate([[0], np.stack([inner + 1, tree.right[inner]], axis=1).ravel()])
            first = np.empty(len(tree), dtype=np.intp)
            first[node] = np.arange(len(tree))
            first[inner] = 1 + 2 * np.arange(len(inner))
            is_leaf = tree.is_leaf
            question = np.where(is_leaf, 0, tree.feature), np.where(is_leaf, np.inf, tree.threshold)
            columns.append((question[0][node], question[1][node], first[node] + start, node))
        feature, threshold, first, node = (np.concatenate(part) for part in zip(*columns, strict=True))
        n_rows = np.concatenate([tree.n_rows for tree in trees])[np.repeat(root, sizes) + node]
        return cls(feature, threshold, first, root, node, _strides(first, root, n_rows))

    def arrange(self, columns: Sequence[Array]) -> Array:
        """Return values of the nodes of each tree, shapes (N_b, K), in the order of the places, (N, K)."""
        start = np.repeat(self.root, np.diff(np.append(self.root, len(self.node))))
        return np.concatenate(columns)[start + self.node]

    def leaves(self, X: Array, trees: slice = slice(None)) -> Ints:
        """Return the place of the leaf that each row of X (n, d) reaches in each of the trees, (b, n)."""
        n, d = X.shape
        entries, roots = X.ravel(), self.root[trees]
        place, base = np.repeat(roots, n), np.tile(np.arange(n) * d, len(roots))
        reached, walking = place, np.arange(len(place))
        for stride in self.strides:
            for _ in range(stride):
                asked = self.feature.take(place)
                asked += base
                goes_right = entries.take(asked) > self.threshold.take(place)
                place = self.first.take(place)
                place += goes_right
            reached[walking] = place
            on = np.flatnonzero(self.first.take(place) != place)
            walking, place, base = walking.take(on), place.take(on), base.take(on)
        return reached.reshape(len(roots), n)


def _strides(first: Ints, root: Ints, n_rows: Ints) -> tuple[int, ...]:
    """Return numbers of steps after each of which half of the training rows that walked are at a leaf."""
    strides, taken, walked, level = [], 0, n_rows[root].sum(), root
    while (level := level[first[level] != level]).size:
        level = np.concatenate([first[level], first[level] + 1])
        taken += 1
        left = n_rows[level[first[level] != level]].sum()
        if 2 * left <= walked:
            strides.append(taken)
            taken, walked = 0, left
    return tuple(strides)


def walking_blocks(n: int, d: int) -> Iterator[tuple[slice, int]]:
    """Yield slices of n rows of d features that walk together, and down how many trees at once."""
    height = max(1, min(WALKING, max(ENTRIES // d, WALKING // 8)))
    return ((slice(i, i + height), max(1, WALKING // min(height, n - i))) for i in range(0, n, height))


class Sorted(NamedTuple):
    """The features of a data matrix, sorted once.

    Attributes
    ----------
    rows : ndarray of intp, shape (d, n)
        Row numbers of each feature in ascending order of its values.
    ranks : ndarray of int64, shape (d, n)
        Number of smaller distinct values, in the same order.
    values : ndarray of shape (d, n)
        ``values[j, r]`` is the distinct value of rank r of feature j.
    """

    rows: Ints
    ranks: Keys
    values: Array

    @classmethod
    def of(cls, X: Array) -> Sorted:
        """Sort the columns of X, shape (n, d)."""
        columns = np.ascontiguousarray(X.T)
        rows = columns.argsort(axis=1)
        ordered = np.take_along_axis(columns, rows, axis=1)
        ranks = np.zeros(rows.shape, dtype=np.int64)
        np.cumsum(ordered[:, 1:] > ordered[:, :-1], axis=1, out=ranks[:, 1:])
        values = np.zeros(columns.shape)
        np.put_along_axis(values, ranks, ordered, axis=1)
        return cls(rows, ranks, values)


@dataclass(frozen=True)
class Limits:
    """What the trees may do.

    Attributes
    ----------
    n_candidates : int
        Features, drawn anew at each node, among which it chooses.
    criterion : {"gini", "entropy", "misclassification"}
    max_depth : float
        Largest number of questions on a path; may be infinite.
    min_samples_split, min_samples_leaf : int
        Rows that a node needs to be split, and that each of its children must have.
    """

    n_candidates: int
    criterion: str = "gini"
    max_depth: float = np.inf
    min_samples_split: int = 2
    min_samples_leaf: int = 1


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
    return _Grower(features, codes, n_classes, weights, limits, rng).run()


class _Level(NamedTuple):
    """The open nodes of a level, in the order in which their instances stand in the keys.

    `n_rows` (A,) counts instances, `value` (A, K) weighs classes, `number` (A,) are the nodes' numbers.
    """

    n_rows: Ints
    value: Array
    number: Ints


class _Cuts(NamedTuple):
    """Of each node the winning feature (-1 for none) and the position of the last instance that goes left."""

    feature: Ints
    position: Ints


class _Grower:
    """All the trees of a call while they grow."""

    def __init__(
        self,
        features: Sorted,
        codes: NDArray[Any],
        n_classes: int,
        weights: Sequence[Array],
        limits: Limits,
        rng: np.random.Generator | None,
    ) -> None:
        self.values, self.K, self.limits, self.rng = features.values, n_classes, limits, rng
        self.d = len(features.rows)
        table = np.stack(weights)  # (T, n)
        used = table > 0
        self.n_rows_of_trees = used.sum(axis=1)
        self.weight = table[used]  # (M,)
        self.is_count = bool((self.weight == np.rint(self.weight)).all()) and self.weight.sum() < MOST_COUNT
        self.is_one = self.is_count and bool((self.weight == 1).all())
        self.ones_or_weight = None if self.is_one else self.weight
        self.instance_bits = len(self.weight).bit_length()
        self.class_bits = max(1, int(n_classes - 1).bit_length())
        self.rank_shift = self.instance_bits + self.class_bits
        number = np.cumsum(used, dtype=np.int64).reshape(used.shape) - 1
        instance = np.where(used, number, -1)  # (T, n)
        self.keys = self._first_keys(features, codes, instance)  # (d, M)
        self.n_trees = len(weights)

    def _first_keys(self, features: Sorted, codes: NDArray[Any], instance: Keys) -> Keys:
        """Return the keys of each feature by (tree, value), (d, M); instance (T, n) is -1 where none is."""
        labels = codes.astype(np.int64, copy=False)[features.rows]
        row_keys = features.ranks << self.rank_shift | labels << self.instance_bits  # (d, n)
        keys = np.empty((len(row_keys), len(self.weight)), dtype=np.int64)
        for j, rows in enumerate(features.rows):
            instances = instance.take(rows, axis=1)  # in the order of feature j
            there = np.flatnonzero(instances >= 0)
            instances |= row_keys[j]
            instances.ravel().take(there, out=keys[j])
        return keys

    def run(self) -> list[Tree]:
        """Grow until no node is open."""
        number = np.arange(self.n_trees)
        tree = np.repeat(number, self.n_rows_of_trees)
        value = self.weigh(tree, self.keys[0], self.n_trees, self.ones_or_weight)
        level = _Level(self.n_rows_of_trees, value, number)
        self.nodes = [(value, self.n_rows_of_trees)]
        self.cuts: list[tuple[Any, ...]] = []
        is_open = self._may_split(level, 0)
        self._drop(level, is_open)
        level = _Level(level.n_rows[is_open], level.value[is_open], number[is_open])
        depth, n_nodes = 0, self.n_trees
        while len(level.number):
            level, n_nodes = self._split(level, depth, n_nodes)
            depth += 1
        return self._finish(n_nodes)

    def instances_of(self, keys: Keys) -> Ints:
        return (keys & ((1 << self.instance_bits) - 1)).astype(np.intp, copy=False)

    def classes_of(self, keys: Keys) -> Ints:
        return ((keys >> self.instance_bits) & ((1 << self.class_bits) - 1)).astype(np.intp, copy=False)

    def amounts(self, level: _Level, keys: Keys, node: Ints) -> tuple[NDArray[Any] | None, Keys]:
        """Return the weights of the instances as integers (None: all one), and the classes of the nodes.

        Weights that are no counts become multiples of the weight of their node by a small power of two, so
        that sums are exact and a node of tiny weight is judged as accurately as any.
        """
        if self.is_count:
            amounts = None if self.is_one else self.weight.astype(np.int32)
            return amounts, level.value.astype(np.int64)
        bits = min(BITS, SUM_BITS - len(level.n_rows).bit_length())
        unit = level.value.sum(axis=1) / 2.0**bits
        instances = self.instances_of(keys[0])
        mine = np.maximum(np.rint(self.weight[instances] / unit[node]), 1)
        cells = np.bincount(node * self.K + self.classes_of(keys[0]), mine, len(unit) * self.K)
        units = np.zeros(len(self.weight), dtype=np.int64)
        units[instances] = mine
        return units, cells.reshape(-1, self.K).astype(np.int64)

    def weigh(self, node: Ints, keys: Keys, n_nodes: int, weight: Array | None) -> Array:
        """Return the weight of each class in each node, shape (n_nodes, K); None counts instances."""
        weights = None if weight is None else weight.take(self.instances_of(keys))
        cells = np.bincount(node * self.K + self.classes_of(keys), weights, n_nodes * self.K)
        return cells.reshape(n_nodes, self.K).astype(np.float64)

    def _may_split(self, level: _Level, depth: int) -> NDArray[np.bool_]:
        limits = self.limits
        enough = level.n_rows >= max(limits.min_samples_split, 2 * limits.min_samples_leaf, 2)
        return enough & ((level.value > 0).sum(axis=1) > 1) & (depth < limits.max_depth)

    def _drop(self, level: _Level, is_open: NDArray[np.bool_]) -> None:
        """Take the instances of closed nodes out of the keys."""
        if not is_open.all():
            self.keys = self.keys[:, np.repeat(is_open, level.n_rows)]

    def _split(self, level: _Level, depth: int, n_nodes: int) -> tuple[_Level, int]:
        """Split the nodes of a level, record it, and return the open nodes of the next one."""
        cuts = self._best_cuts(level)
        A, split = len(level.number), cuts.feature >= 0
        n_split = int(split.sum())
        node = np.repeat(np.arange(A), level.n_rows)  # (m,)
        keys = self.keys[cuts.feature[node], np.arange(len(node))]  # of the winning feature; -1 is any
        instances = self.instances_of(keys)
        goes_right = np.arange(len(node)) > cuts.position[node]
        child = np.where(split, np.cumsum(split) - 1, 0)[node] + n_split * goes_right  # left ones first
        there = split[node]
        value = self.weigh(child[there], keys[there], 2 * n_split, self.ones_or_weight)
        n_rows = np.bincount(child[there], minlength=2 * n_split)
        self._record(level, cuts, n_nodes)
        number = n_nodes + np.arange(2 * n_split)
        self.nodes.append((value, n_rows))
        below = _Level(n_rows, value, number)
        is_open = self._may_split(below, depth + 1)
        side = np.full(len(self.weight), 2, dtype=np.int8)  # of each instance; 2 drops it
        stays = there.copy()
        stays[there] = is_open[child[there]]
        side[instances[stays]] = goes_right[stays]
        self._descend(side)
        return _Level(n_rows[is_open], value[is_open], number[is_open]), n_nodes + 2 * n_split

    def _descend(self, side: NDArray[np.int8]) -> None:
        """Reorder the keys: all left children, then all right ones, every feature still in its order."""
        sizes = np.bincount(side, minlength=3)[:2]
        below = np.empty((self.d, int(sizes.sum())), dtype=np.int64)
        step = max(1, BLOCK // self.keys.shape[1])
        for first in range(0, self.d, step):
            block = self.keys[first : first + step]
            flat = block.ravel()
            sides = side.take(self.instances_of(flat))
            for s, place in ((0, slice(sizes[0])), (1, slice(sizes[0], None))):
                kept = flat.take(np.flatnonzero(sides == s))
                below[first : first + step, place] = kept.reshape(len(block), sizes[s])
        self.keys = below

    def _record(self, level: _Level, cuts: _Cuts, n_nodes: int) -> None:
        """Keep feature and threshold of the nodes that are split."""
        split = np.flatnonzero(cuts.feature >= 0)
        f, at = cuts.feature[split], cuts.position[split]
        low = self.values[f, self.keys[f, at] >> self.rank_shift]
        high = self.values[f, self.keys[f, at + 1] >> self.rank_shift]
        middle = low / 2 + high / 2
        middle = np.where(middle < high, middle, low)  # neighbours in floating point
        left = n_nodes + np.arange(len(split))
        self.cuts.append((level.number[split], f, middle, left, left + len(split)))

    # --------------------------------------------------------------- the best cut of each node

    def _best_cuts(self, level: _Level) -> _Cuts:
        if self.limits.n_candidates >= self.d:
            return self._search(self.keys, level)
        lots = np.random.default_rng(self.rng).random((len(level.number), self.d))
        drawn = lots.argpartition(self.limits.n_candidates - 1, axis=1)
        candidates = np.sort(drawn[:, : self.limits.n_candidates], axis=1)
        cuts = self._search(self.keys, level, candidates.T)
        stuck = cuts.feature < 0  # all candidates are constant there: try every feature
        if stuck.any():
            part = self.keys[:, np.repeat(stuck, level.n_rows)]
            those = _Level(level.n_rows[stuck], level.value[stuck], level.number[stuck])
            again = self._search(part, those)
            ends = np.cumsum(level.n_rows)[stuck]
            shift = ends - np.cumsum(level.n_rows[stuck])
            cuts.feature[stuck], cuts.position[stuck] = again.feature, again.position + shift
        return cuts

    def _search(self, keys: Keys, level: _Level, candidates: Ints | None = None) -> _Cuts:
        """Return the best cuts among the candidates of each node, shape (slots, A); None is all features."""
        counts = _NodeCounts.of(level, self, keys)
        places, nodes = np.arange(keys.shape[1]), np.arange(len(level.n_rows))
        best, feature = np.full(len(nodes), -np.inf), np.full(len(nodes), -1)
        position, slack = np.zeros(len(nodes), dtype=np.intp), self._slack(counts)
        n_slots, step = self.d if candidates is None else len(candidates), max(1, BLOCK // len(places))
        for first in range(0, n_slots, step):
            block = slice(first, first + step)
            if candidates is None:
                chosen = keys[block]
            else:
                chosen = keys.ravel().take(candidates[block][:, counts.node] * len(places) + places)
            scores = counts.scores(chosen, self)  # (b, m), -inf where no cut is
            tops = np.maximum.reduceat(scores, counts.start, axis=1)  # (b, A)
            slot = (tops >= tops.max(axis=0) - slack).argmax(axis=0)
            better = tops[slot, nodes] > best + slack
            best = np.where(better, tops[slot, nodes], best)
            winner = scores[0] if len(scores) == 1 else scores[slot[counts.node], places]
            hits = np.flatnonzero((winner >= (best - slack)[counts.node]) & better[counts.node])[::-1]
            position[counts.node[hits]] = hits  # the lowest threshold is written last
            won = slot + first if candidates is None else candidates[block][slot, nodes]
            feature = np.where(better, won, feature)
        return _Cuts(feature, position)

    def _slack(self, counts: _NodeCounts) -> Array:
        """Return by how much the scores of equal cuts may differ at each node, shape (A,)."""
        criterion, n = self.limits.criterion, counts.value.sum(axis=1).astype(np.float64)
        if self.is_count and criterion != "entropy":
            return np.zeros(len(n))
        square = n * n / 2 if self.K == 2 else n * n  # the score of two classes is half of it
        terms = self.K + (0 if self.is_count else counts.n_rows.sum(axis=1))
        return ROUNDING * terms * (square if criterion == "gini" else n)

    def _finish(self, n_nodes: int) -> list[Tree]:
        """Put the nodes of each tree in preorder."""
        value, n_rows = (np.concatenate(part) for part in zip(*self.nodes, strict=True))
        feature, threshold = np.full(n_nodes, -1), np.zeros(n_nodes)
        right = np.full(n_nodes, -1)
        for at, f, t, _, high in self.cuts:
            feature[at], threshold[at], right[at] = f, t, high
        size = np.ones(n_nodes, dtype=np.intp)
        for at, _, _, low, high in reversed(self.cuts):
            size[at] += size[low] + size[high]
        place = np.zeros(n_nodes, dtype=np.intp)  # in the preorder of its tree
        tree = np.arange(n_nodes)
        for at, _, _, low, high in self.cuts:
            place[low], place[high] = place[at] + 1, place[at] + 1 + size[low]
            tree[low] = tree[high] = tree[at]
        order = np.lexsort((place, tree))
        right = np.where(right < 0, -1, place[right])
        columns = [column[order] for column in (feature, threshold, right, value, n_rows)]
        ends = np.cumsum(size[: self.n_trees])[:-1]
        return [Tree(*part) for part in zip(*(np.split(c, ends) for c in columns), strict=True)]


@dataclass(frozen=True)
class _NodeCounts:
    """What the scores of a level need of its nodes, spread over the m positions of the keys.

    `exact` are cumulative sums of integers; products of counts are taken in `product`: 32-bit integers where
    they fit, else float64, which is exact below 2^53.
    """

    node: Ints  # (m,)
    start: Ints  # (A,)
    inner: NDArray[np.bool_]  # (m,) whether the limits allow a cut after the position
    amounts: NDArray[Any] | None  # (M,) weight of each instance as an integer, None for ones
    value: Keys  # (A, K) C_k
    n_rows: Ints  # (A, K) instances of each class
    exact: Any
    product: Any

    @classmethod
    def of(cls, level: _Level, grower: _Grower, keys: Keys) -> _NodeCounts:
        node = np.repeat(np.arange(len(level.n_rows)), level.n_rows)
        start = np.cumsum(level.n_rows) - level.n_rows
        left = np.arange(1, len(node) + 1) - start[node]
        least = grower.limits.min_samples_leaf
        inner = (left >= least) & (level.n_rows[node] - left >= least)
        amounts, value = grower.amounts(level, keys, node)
        n_rows = value if amounts is None else grower.weigh(node, keys[0], len(start), None)
        product = np.int32 if value.sum(axis=1).max() <= MOST_32 else np.float64
        exact = np.int32 if grower.is_count else np.int64
        return cls(node, start, inner, amounts, value, n_rows.astype(np.intp, copy=False), exact, product)

    @cached_property
    def total(self) -> NDArray[Any]:
        """The weight n of the node of each position, shape (m,)."""
        return self.value.sum(axis=1).astype(self.product)[self.node]

    @cached_property
    def classes(self) -> NDArray[Any]:
        """C_k of the node of each position, shape (K, m)."""
        return self.value.T.astype(self.product)[:, self.node]

    @cached_property
    def before(self) -> NDArray[Any]:
        """Weight of class k in the nodes before that of each position, shape (K, m)."""
        return (np.cumsum(self.value, axis=0) - self.value).T.astype(self.exact)[:, self.node]

    @cached_property
    def all_before(self) -> NDArray[Any]:
        """Weight of the nodes before that of each position, shape (m,)."""
        totals = self.value.sum(axis=1)
        return (np.cumsum(totals) - totals).astype(self.exact)[self.node]

    @cached_property
    def unit_left(self) -> NDArray[Any]:
        """n_L after each position where all weights are one, shape (m,)."""
        return (np.arange(1, len(self.node) + 1) - self.start[self.node]).astype(self.product)

    @cached_property
    def square_sums(self) -> tuple[Keys, Keys]:
        """Q = sum_k C_k^2 of the node of each position, and the sum of those of the nodes before, (m,)."""
        Q = (self.value**2).sum(axis=1)
        return Q[self.node], (np.cumsum(Q) - Q)[self.node]

    @cached_property
    def sorted_before(self) -> Keys:
        """Weight before the group of each instance, where they are sorted by class and node, shape (m,)."""
        groups = self.value.T.ravel()
        return np.repeat(np.cumsum(groups) - groups, self.n_rows.T.ravel())

    def scores(self, keys: Keys, grower: _Grower) -> Array:
        """Return the score of the cut after each position, shape (b, m); -inf where there is none."""
        classes = grower.classes_of(keys).astype(np.min_scalar_type(self.value.shape[1]))
        weights = None if self.amounts is None else self.amounts.take(grower.instances_of(keys))
        scores = _SCORES[grower.limits.criterion](_Lefts(classes, weights, self))
        cut = np.zeros(keys.shape, dtype=bool)
        np.greater_equal(keys[:, 1:] ^ keys[:, :-1], 1 << grower.rank_shift, out=cut[:, :-1])
        cut &= self.inner
        return np.where(cut, scores, -np.inf)


class _Lefts:
    """Weights of the left children of all cuts of a block of features.

    Parameters
    ----------
    classes : ndarray of small unsigned integers, shape (b, m)
        Of the instances in the order of the keys.
    weights : ndarray of integers, shape (b, m), or None
        Of the same instances; None for ones.
    counts : _NodeCounts
    """

    def __init__(self, classes: NDArray[Any], weights: NDArray[Any] | None, counts: _NodeCounts) -> None:
        self.classes, self.weights, self.counts = classes, weights, counts
        self.n_classes, self.total = counts.value.shape[1], counts.total  # n
        if weights is None:
            self.left = counts.unit_left  # n_L
        else:
            left = np.cumsum(weights, axis=1, dtype=counts.exact)
            left -= counts.all_before
            self.left = left.astype(counts.product, copy=False)
        self.right = np.maximum(self.total - self.left, 1)  # n_R, where it is a divisor

    def of_class(self, k: int) -> NDArray[Any]:
        """Return L_k after each position, a new array of shape (b, m)."""
        mine = self.classes == k
        sums = np.cumsum(
            mine if self.weights is None else mine * self.weights, axis=1, dtype=self.counts.exact
        )
        sums -= self.counts.before[k]
        return sums.astype(self.counts.product, copy=False)

    def growth_of_squares(self) -> Keys:
        """Return by how much sum_k L_k^2 grows when each instance goes left, w (2 L_k + w), shape (b, m).

        A stable sort by class puts the instances of a class and a node side by side, in the order of the
        feature; these groups have the same sizes and weights in every feature.
        """
        (b, m), order = self.classes.shape, self.classes.argsort(axis=1, kind="stable")
        order += m * np.arange(b)[:, None]
        place = order.ravel()
        if self.weights is None:
            grows = 2 * (np.arange(1, m + 1) - self.counts.sorted_before) - 1
        else:
            weights = self.weights.ravel().take(place).reshape(b, m)
            grows = np.cumsum(weights, axis=1, dtype=np.int64)
            grows -= self.counts.sorted_before
            grows *= 2
            grows -= weights
            grows *= weights
        result = np.empty(b * m, dtype=np.int64)
        result[place] = np.broadcast_to(grows, (b, m)).ravel()
        return result.reshape(b, m)


# ------------------------------------------------------------------- scores: the larger the purer


def _gini_score(lefts: _Lefts) -> Array:
    """Return sum_k (n L_k - n_L C_k)^2 / (n_L n_R), of two classes half of it; or see `_purity_score`."""
    if lefts.n_classes > 2 and lefts.counts.product == np.int32:
        return _purity_score(lefts)
    squares: Any = 0.0
    for k in range(1 if lefts.n_classes == 2 else 0, lefts.n_classes):
        gap = lefts.of_class(k)
        gap *= lefts.total
        gap -= lefts.left * lefts.counts.classes[k]
        gap = gap.astype(np.float64, copy=False)
        gap *= gap
        squares += gap
    return squares / (lefts.left * lefts.right)


def _purity_score(lefts: _Lefts) -> Array:
    """Return sum_k L_k^2 / n_L + sum_k R_k^2 / n_R in integers, at a cost that does not grow with K.

    With S = sum_k L_k^2, P = sum_k L_k C_k and Q = sum_k C_k^2 it is (n S + n_L (Q - 2 P)) / (n_L n_R). When
    an instance of class k and weight w goes left, S grows by w (2 L_k + w) and P by w C_k: two cumulative
    sums. The numerator is at most n^3 < 2^53; what overflows on the way comes back, modulo 2^64.
    """
    counts = lefts.counts
    Q, base = counts.square_sums
    own = counts.value.ravel().take(lefts.classes + counts.node * lefts.n_classes)  # C_k
    if lefts.weights is not None:
        own *= lefts.weights
    S, P = np.cumsum(lefts.growth_of_squares(), axis=1), np.cumsum(own, axis=1)  # both too large by base
    S -= base
    S *= lefts.total
    P *= -2
    P += Q + 2 * base
    P *= lefts.left
    S += P
    score: Array = S / (lefts.left * lefts.right)
    return score


def _entropy_score(lefts: _Lefts) -> Array:
    """Return minus the sum of the entropies of the children, times n_L and n_R."""
    score = -_x_log_x(lefts.left) - _x_log_x(lefts.total - lefts.left)
    for k in range(lefts.n_classes):
        mine = lefts.of_class(k)
        score = score + _x_log_x(mine) + _x_log_x(lefts.counts.classes[k] - mine)
    return score


def _majority_score(lefts: _Lefts) -> Array:
    """Return the weight that the majorities of the two children classify rightly."""
    most_left: Any = 0.0
    most_right: Any = 0.0
    for k in range(lefts.n_classes):
        mine = lefts.of_class(k)
        most_left = np.maximum(most_left, mine)
        most_right = np.maximum(most_right, lefts.counts.classes[k] - mine)
    return most_left + most_right


def _x_log_x(counts: NDArray[Any]) -> Array:
    return counts * np.log(np.maximum(counts, 1), dtype=np.float64)


_SCORES = {"gini": _gini_score, "entropy": _entropy_score, "misclassification": _majority_score}
