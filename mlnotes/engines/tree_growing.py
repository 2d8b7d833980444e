r"""The trees of ``tree.grow``: exact best cuts, all nodes of a level at once, several trees together.

The board sorts the rows of every node by every feature, and a cumulative sum counts the left children of all
cuts. Here values are replaced by their ranks **once**. At each level a row of a feature is one integer, the
*key* :math:`(\text{feature}, \text{node}, \text{rank}, \text{kind})`, where a kind is a weight and a class:
sorting keys puts the rows of all nodes in order. Where there are fewer possible keys than rows, they are
counted instead. One cumulative sum over the keys counts the left children of all cuts of all nodes; it adds
integers that hold the weights of several classes side by side. Scores are computed at cuts alone.

An *instance* is a row of the data in one of the trees, with its weight. Going down a level, the instances of
all left children come first, then those of all right children; those of finished leaves fall out.

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

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Keys = NDArray[np.int64]

BLOCK = 2**17  # entries of a block of nodes and features, of two classes: its temporaries stay in cache
WALKING = 2**14  # pairs of row and tree that walk together: 2**12 to 2**14 are equally fast,
ENTRIES = 2**17  # with at most 1 MiB of rows, that walk twice as fast as from beyond the second cache
MOST_COUNT = 2**31  # below this sum, weights that are counts are added up as they are
FEW = 2**6  # up to this size, counts are numbered together with the classes
FEW_CLASSES = 4  # up to so many the squares of the Gini index are not multiplied out
DENSE = 1  # up to so many possible keys a row they are counted, which is faster than sorting
UNITS = 2.0**50  # of the integers that stand for other weights, in the sum of a node
# One term of an impurity is rounded a few times, relative to the logarithm of a sum that has at most 61 bits:
# by less than 256 units in the last place. An impurity has a term for each class, and a sum of weights that
# are no counts one for each row.
ROUNDING = 2.0**-44
# Up to these weights of a node, counts give scores that are quotients of integers up to 2^53: the gaps
# n L_k - n_L C_k of one sign add up to n_L n_R at most, so that the squares of all are at most n^4 / 8.
EXACT = {"gini": 2**14, "misclassification": MOST_COUNT, "entropy": 0}


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
        start = columns.shape[1] * np.arange(len(columns))[:, None]
        ordered = columns.ravel().take(rows + start)
        ranks = np.zeros(rows.shape, dtype=np.int64)
        np.cumsum(ordered[:, 1:] > ordered[:, :-1], axis=1, out=ranks[:, 1:])
        values = np.zeros(columns.shape)
        values.ravel()[ranks + start] = ordered
        return cls(rows, ranks, values)

    def ranks_of_rows(self) -> NDArray[np.int32]:
        """Return the ranks in the order of the rows, shape (d, n)."""
        ranks = np.empty(self.rows.shape, dtype=np.int32)
        ranks.ravel()[self.rows + self.rows.shape[1] * np.arange(len(self.rows))[:, None]] = self.ranks
        return ranks


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


@dataclass(frozen=True)
class _Level:
    """Some open nodes of a level.

    `n_rows` (A,) counts instances, `value` (A, K) weighs classes, `number` (A,) are the nodes' numbers;
    `instances` (m,) are those of the first node, then those of the second, and so on: integers (row, kind),
    or (row, place in the weights) if weights are not few.
    """

    n_rows: Ints
    value: Array
    number: Ints
    instances: Keys

    @cached_property
    def node(self) -> Ints:
        """The node of each instance, 0, ..., A-1, shape (m,)."""
        return np.arange(len(self.n_rows)).repeat(self.n_rows)

    def part(self, chosen: NDArray[np.bool_]) -> _Level:
        """Return the nodes that are marked."""
        here = self.instances[chosen.repeat(self.n_rows)]
        return _Level(self.n_rows[chosen], self.value[chosen], self.number[chosen], here)

    def blocks(self, size: int) -> Iterator[tuple[slice, _Level]]:
        """Yield consecutive nodes: one, or as many as have together at most so many instances."""
        if len(self.instances) <= size:
            yield slice(None), self
            return
        ends, first, start = self.n_rows.cumsum(), 0, 0
        while first < len(ends):
            last = max(first + 1, int(ends.searchsorted(start + size, side="right")))
            here, end = slice(first, last), int(ends[last - 1])
            yield (
                here,
                _Level(self.n_rows[here], self.value[here], self.number[here], self.instances[start:end]),
            )
            first, start = last, end


class _Cuts(NamedTuple):
    """Of each node the winning feature (-1 for none), ranks on both sides, classes on the left, (A, K)."""

    feature: Ints
    low: Ints
    high: Ints
    left: Array


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
        self.ranks = features.ranks_of_rows()
        self.d, self.n = self.ranks.shape
        self.n_values = features.ranks[:, -1] + 1
        self.rank_bits = int(self.n_values.max() - 1).bit_length()
        table = np.stack(weights)  # (T, n)
        used = table > 0
        self.n_rows_of_trees = used.sum(axis=1)
        self.weight = table[used]  # (M,)
        row = np.flatnonzero(used) % self.n  # pointers have 32 bits in a browser, keys have 64
        self.code = codes.astype(np.intp, copy=False).take(row)
        self.class_bits = int(n_classes - 1).bit_length()
        whole = bool((self.weight == np.rint(self.weight)).all())
        self.is_count = whole and self.weight.sum() < MOST_COUNT
        most = int(self.weight.max()) if self.is_count else 0
        self.is_one, self.is_few = most == 1, 0 < most <= FEW
        self.n_kinds = most << self.class_bits if self.is_few else len(row)
        kind = np.arange(len(row))
        if self.is_few:
            kind = (self.weight.astype(np.intp) - 1 << self.class_bits) | self.code
        self.kind_bits = (self.n_kinds - 1).bit_length()
        self.instances = row.astype(np.int64) << self.kind_bits | kind
        self.words_of_kinds: dict[int, Keys] = {}

    def run(self) -> list[Tree]:
        """Grow until no node is open."""
        n_rows, n_nodes = self.n_rows_of_trees, len(self.n_rows_of_trees)
        value = self._weigh(np.arange(n_nodes).repeat(n_rows), slice(None), n_nodes)
        self.nodes, self.cuts = [(value, n_rows)], list[tuple[Any, ...]]()
        level = _Level(n_rows, value, np.arange(n_nodes), self.instances)
        level = level.part(self._may_split(value, n_rows, 0))
        depth = 0
        while level.number.size:
            depth += 1
            level, n_nodes = self._split(level, depth, n_nodes)
        return self._finish(n_nodes)

    def _weigh(self, node: Ints, kind: Any, n_nodes: int) -> Array:
        """Return the weight of each class in each node, shape (n_nodes, K), where each instance is a kind."""
        cells = node * self.K + self.code[kind]
        return np.bincount(cells, self.weight[kind], n_nodes * self.K).reshape(-1, self.K).astype(np.float64)

    def _may_split(self, value: Array, n_rows: Ints, depth: int) -> NDArray[np.bool_]:
        limits = self.limits
        if depth >= limits.max_depth:
            return np.zeros(len(n_rows), dtype=bool)
        is_mixed: NDArray[np.bool_] = (value > 0).sum(axis=1) > 1
        return is_mixed & (n_rows >= max(limits.min_samples_split, 2 * limits.min_samples_leaf, 2))

    def _split(self, level: _Level, depth: int, n_nodes: int) -> tuple[_Level, int]:
        """Split the nodes of a level, record it, and return the open nodes of the next one."""
        cuts = self._best_cuts(level)
        is_split = cuts.feature >= 0
        if not is_split.all():
            level, cuts = level.part(is_split), _Cuts._make(column[is_split] for column in cuts)
        A, instances = len(level.number), level.instances
        place = (cuts.feature * self.n).repeat(level.n_rows)
        place += instances >> self.kind_bits
        goes_right = self.ranks.ravel().take(place) > cuts.low.repeat(level.n_rows)
        child = level.node + A * goes_right  # left ones first
        if self.is_count:
            value = np.concatenate([cuts.left, level.value - cuts.left])
        else:
            value = self._weigh(child, instances & (1 << self.kind_bits) - 1, 2 * A)
        n_rows = value.sum(axis=1).astype(np.intp) if self.is_one else np.bincount(child, minlength=2 * A)
        self._record(level, cuts, n_nodes)
        self.nodes.append((value, n_rows))
        is_open = self._may_split(value, n_rows, depth)
        stays = is_open.take(child)
        goes_right &= stays
        stays ^= goes_right
        below = np.concatenate([instances.take(side.nonzero()[0]) for side in (stays, goes_right)])
        number = n_nodes + is_open.nonzero()[0]
        return _Level(n_rows[is_open], value[is_open], number, below), n_nodes + 2 * A

    def _record(self, level: _Level, cuts: _Cuts, n_nodes: int) -> None:
        """Keep feature and threshold of the nodes that are split."""
        low, high = self.values[cuts.feature, cuts.low], self.values[cuts.feature, cuts.high]
        middle = low / 2 + high / 2
        middle = np.where(middle < high, middle, low)  # neighbours in floating point
        left = n_nodes + np.arange(len(low))
        self.cuts.append((level.number, cuts.feature, middle, left, left + len(low)))

    # --------------------------------------------------------------- the best cut of each node

    def _best_cuts(self, level: _Level) -> _Cuts:
        if self.limits.n_candidates >= self.d:
            return self._search(level)
        lots = np.random.default_rng(self.rng).random((len(level.number), self.d))
        drawn = lots.argpartition(self.limits.n_candidates - 1, axis=1)
        cuts = self._search(level, np.sort(drawn[:, : self.limits.n_candidates], axis=1).T)
        stuck = cuts.feature < 0  # all candidates are constant there: try every feature
        if stuck.any():
            for column, other in zip(cuts, self._search(level.part(stuck)), strict=True):
                column[stuck] = other
        return cuts

    def _search(self, level: _Level, candidates: Ints | None = None) -> _Cuts:
        """Return the best cuts among the candidates of each node, shape (slots, A); None is all features."""
        n_slots, A = self.d if candidates is None else len(candidates), len(level.n_rows)
        none = np.zeros(A, dtype=np.intp)
        cuts = _Cuts(none - 1, none, none.copy(), np.zeros((A, self.K)))
        block = max(1, 2 * BLOCK // max(2, self.K))
        for here, part in level.blocks(block // n_slots):
            search, step = _Search(self, part), max(1, block // len(part.instances))
            for first in range(0, n_slots, step):
                slots = slice(first, first + step)
                features = None if candidates is None else candidates[slots, here]
                for column, mine in zip(cuts, search.cuts_of(slots, features), strict=True):
                    column[here][search.improved] = mine
        return cuts

    def words(self, kinds: tuple[Array, Ints] | None, per_word: int) -> Keys:
        """Return the weight of each kind at the place of its class in W integers, (W, P), of so many places.

        Sums over rows are then sums of such integers, modulo 2^64. Kinds are weights and classes; None stands
        for those of the fit.
        """
        if kinds is None and per_word in self.words_of_kinds:
            return self.words_of_kinds[per_word]
        amounts, classes = kinds or (
            (np.arange(self.n_kinds) >> self.class_bits) + 1,
            np.arange(self.n_kinds) & (1 << self.class_bits) - 1,
        )
        words = np.zeros((-(-self.K // per_word), len(classes)), dtype=np.int64)
        word, place = np.divmod(np.minimum(classes, self.K - 1), per_word)
        words[word, np.arange(len(classes))] = amounts.astype(np.int64) << place * (64 // per_word)
        if kinds is None:
            self.words_of_kinds[per_word] = words
        return words

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
        T = len(self.n_rows_of_trees)
        ends = size[:T].cumsum()
        place = np.zeros(n_nodes, dtype=np.intp)  # in the preorder of one tree after the other
        place[:T] = ends - size[:T]
        for at, _, _, low, high in self.cuts:
            place[low], place[high] = place[at] + 1, place[at] + 1 + size[low]
        order = np.empty_like(place)
        order[place] = np.arange(n_nodes)
        right = np.where(right < 0, -1, place[right])
        columns = [column[order] for column in (feature, threshold, right, value, n_rows)]
        columns[2] -= np.where(columns[2] < 0, 0, (ends - size[:T]).repeat(size[:T]))
        return [Tree(*part) for part in zip(*(np.split(c, ends[:-1]) for c in columns), strict=True)]


class _Search:
    """The search for the best cuts of some nodes, a block of features after the other.

    A row of a feature is one integer, the *key* (group, rank, kind). A *group* is a pair of a feature and a
    node, a *kind* one of a weight and a class; or, if there are many weights, each instance is of its own.
    """

    def __init__(self, grower: _Grower, level: _Level) -> None:
        self.grower, self.level, A = grower, level, len(level.n_rows)
        self.rows, value, kinds = _indices(level.instances >> grower.kind_bits), level.value, None
        self.kind, self.kind_bits = _indices(level.instances & (1 << grower.kind_bits) - 1), grower.kind_bits
        if not grower.is_few:
            amounts, classes = grower.weight.take(self.kind), grower.code.take(self.kind)
            if not grower.is_count:  # multiples of a small part of the weight of the node: sums are exact
                amounts = np.maximum(np.rint(amounts / (value.sum(axis=1) / UNITS)[level.node]), 1)
                cells = level.node * grower.K + classes
                value = np.bincount(cells, amounts, value.size).reshape(value.shape).astype(np.float64)
            kinds = amounts, classes
            self.kind, self.kind_bits = np.arange(len(self.rows)), (len(self.rows) - 1).bit_length()
        self.total, self.value = value.sum(axis=1), value.T
        one_word = 64 >> (grower.K - 1).bit_length()
        bits = max(int(self.total.max()).bit_length(), one_word)
        self.field = np.min_scalar_type((1 << bits) - 1)
        self.per_word = 8 // self.field.itemsize
        self.words = grower.words(kinds, self.per_word)
        self.slack = self._slack()
        self.best, self.improved = np.full(A, -np.inf), np.zeros(0, dtype=np.intp)

    def _slack(self) -> Array:
        """Return by how much the scores of equal cuts may differ at each node, shape (A,)."""
        grower, n = self.grower, self.total
        square = n * n / 2 if grower.K == 2 else n * n  # the score of two classes is half of it
        terms = grower.K + (0 if grower.is_count else self.level.n_rows)
        slack = ROUNDING * terms * (square if grower.limits.criterion == "gini" else n)
        return np.where(n <= EXACT[grower.limits.criterion], 0.0, slack) if grower.is_count else slack

    def _keys(self, slots: slice, features: Ints | None) -> tuple[Ints, Keys | None, int]:
        """Return the keys in ascending order, the weight of each where equal ones are one, bits of a kind."""
        grower, A, n_values = self.grower, len(self.total), self.grower.n_values
        ranks: NDArray[Any]
        if features is None:
            ranks, n_values = grower.ranks[slots].take(self.rows, axis=1), n_values[slots]
        else:
            place = (features * grower.n).repeat(self.level.n_rows, axis=1)
            place += self.rows
            ranks = grower.ranks.ravel().take(place)
        step = int(n_values.max()) * grower.K
        if (
            len(ranks) * A * step <= ranks.size * DENSE
            and grower.is_few
            and grower.limits.min_samples_leaf == 1
        ):
            return *self._counts(ranks, step), grower.class_bits
        shift = self.kind_bits + grower.rank_bits
        keys: NDArray[Any] = ranks.astype(_integers(len(ranks) * A << shift), copy=False)
        keys <<= self.kind_bits
        node, kind = (part.astype(keys.dtype, copy=False) for part in (self.level.node, self.kind))
        keys |= node << shift | kind
        keys += (np.arange(len(keys), dtype=keys.dtype) * (A << shift))[:, None]
        keys.sort(axis=1)
        return keys.ravel(), None, self.kind_bits

    def _counts(self, ranks: NDArray[Any], step: int) -> tuple[Ints, Keys]:
        """Return the different keys in ascending order, and the weight of each; a kind is a class.

        They are counted in cells (group, rank, class), `step` for a group.
        """
        grower, A = self.grower, len(self.total)
        size = len(ranks) * A * step
        cells: NDArray[Any] = ranks.astype(_integers(size), copy=False)
        cells *= grower.K
        cells += (self.level.node * step + (self.kind & (1 << grower.class_bits) - 1)).astype(cells.dtype)
        cells += (np.arange(len(cells), dtype=cells.dtype) * (A * step))[:, None]
        weights = None if grower.is_one else np.tile((self.kind >> grower.class_bits) + 1.0, len(cells))
        times = np.bincount(cells.ravel(), weights, size)
        there = times.nonzero()[0]
        group, rest = np.divmod(there.astype(np.int64, copy=False), step)
        rank, code = np.divmod(rest, grower.K)
        keys = (group << grower.rank_bits | rank) << grower.class_bits | code
        return keys, times.take(there).astype(np.int64, copy=False)

    def _places(self, keys: Ints, kind_bits: int) -> tuple[Ints, Ints]:
        """Return the last places of all groups but one, and the places in the keys after which a cut may be.

        Between values that occur with one and the same class no cut is best: the impurity is strictly concave
        in the weight of that class on the left.
        """
        grower, limits = self.grower, self.grower.limits
        differs = keys[1:] ^ keys[:-1]
        is_jump, is_end = differs >= 1 << kind_bits, differs >= 1 << kind_bits + grower.rank_bits
        ends, is_cut = is_end.nonzero()[0], is_jump ^ is_end
        if limits.min_samples_leaf > 1:
            at = is_cut.nonzero()[0]
            group = _indices(keys.take(at) >> kind_bits + grower.rank_bits)
            n_left = at - np.concatenate([[-1], ends]).take(group)
            n_rows = np.resize(self.level.n_rows, len(ends) + 1).take(group)
            least = limits.min_samples_leaf
            return ends, at[(n_left >= least) & (n_rows - n_left >= least)]
        if grower.is_few and limits.criterion != "misclassification":
            differs &= (1 << grower.class_bits) - 1
            inside = differs[1:-1] == 0
            inside &= is_jump[:-2]
            inside &= is_jump[2:]
            is_cut[1:-1] &= ~inside
        return ends, is_cut.nonzero()[0]

    def cuts_of(self, slots: slice, features: Ints | None) -> _Cuts:
        """Return the best cuts of a block of features, of the nodes that they improve: `improved`."""
        grower, A, nodes = self.grower, len(self.total), np.arange(len(self.total))
        keys, times, kind_bits = self._keys(slots, features)
        ends, at = self._places(keys, kind_bits)
        if not at.size:
            self.improved = at
            return _Cuts(at, at, at, np.zeros((0, grower.K)))
        sums = self.words.take(_indices(keys & (1 << kind_bits) - 1), axis=1)
        if times is not None:
            sums *= times
        np.add.accumulate(sums, axis=1, out=sums)
        before = np.zeros((len(sums), len(ends) + 1), dtype=np.int64)
        before[:, 1:] = sums.take(ends, axis=1)
        group = _indices(keys.take(at) >> kind_bits + grower.rank_bits)
        sums = sums.take(at, axis=1)
        sums -= before.take(group, axis=1)
        scores, left = self._scores(sums, group)
        first = np.ones(len(at), dtype=bool)
        np.not_equal(group[1:], group[:-1], out=first[1:])
        start = first.nonzero()[0]
        tops = np.full(len(ends) + 1, -np.inf)
        tops[group[start]] = np.maximum.reduceat(scores, start)
        tops = np.reshape(tops, (-1, A))
        slot = (tops >= tops.max(axis=0) - self.slack).argmax(axis=0)
        top = tops[slot, nodes]
        self.improved = won = (top > self.best + self.slack).nonzero()[0]
        self.best[won], slot = top[won], slot[won]
        winner = slot * A + won
        least = np.full(tops.size, np.inf)
        least[winner] = self.best[won] - self.slack[won]
        hits = (scores >= least.take(group)).nonzero()[0][::-1]
        position = np.zeros(tops.size, dtype=np.intp)
        position[group.take(hits)] = hits  # the lowest threshold is written last
        left = left.take(position[winner], axis=1).T
        position = at[position[winner]]
        mask = (1 << grower.rank_bits) - 1
        return _Cuts(
            slots.start + slot if features is None else features[slot, won],
            keys[position] >> kind_bits & mask,
            keys[position + 1] >> kind_bits & mask,
            left,
        )

    def _scores(self, sums: Keys, group: Ints) -> tuple[Array, Array]:
        """Return the scores of cuts, shape (c,), and the weights of the classes on their left, (K, c).

        `sums` (W, c) are these weights in words, `group` (c,) are the groups in which they cut.
        """
        A, K, n_groups = len(self.total), self.grower.K, int(group[-1]) + 1
        left = sums.view(self.field).reshape(len(sums), len(group), self.per_word)
        if sys.byteorder == "big":
            left = left[:, :, ::-1]
        lefts = left.transpose(0, 2, 1).reshape(-1, len(group))[:K].astype(np.float64, order="C")
        table = np.empty((K + 1, -(-n_groups // A), A))
        table[:K], table[K] = self.value[:, None], self.total
        of_cuts = table.reshape(K + 1, -1).take(group, axis=1)
        criterion = self.grower.limits.criterion
        in_integers = criterion == "gini" and K > FEW_CLASSES and self.total.max() <= EXACT["gini"]
        score = _gini_score_of_counts if in_integers else _SCORES[criterion]
        return score(lefts, of_cuts[:K], lefts.sum(axis=0), of_cuts[K]), lefts


def _integers(size: int) -> type:
    return np.int32 if size < 2**31 else np.int64


def _indices(keys: NDArray[Any]) -> Ints:
    return keys.astype(np.intp, copy=False)


# ------------------------------------------------------------------- scores: the larger the purer
# L_k on the left of a cut and C_k in its node have the shape (K, c), their sums n_L and n the shape (c,).


def _gini_score(lefts: Array, counts: Array, n_left: Array, n: Array) -> Array:
    """Return sum_k (n L_k - n_L C_k)^2 / (n_L n_R), of two classes half of it."""
    if len(lefts) == 2:
        lefts, counts = lefts[1:], counts[1:]
    gaps = lefts * n
    gaps -= n_left * counts
    score: Array = np.einsum("kc,kc->c", gaps, gaps)
    score /= n_left * (n - n_left)
    return score


def _gini_score_of_counts(lefts: Array, counts: Array, n_left: Array, n: Array) -> Array:
    """Return the same to the last bit, of counts up to 2^14: the square is multiplied out, in integers.

    That takes a third of the time: three sums of products are all that is done for every class.
    """
    pairs = (lefts, lefts), (lefts, counts), (counts, counts)
    sums = (np.einsum("kc,kc->c", one, other) for one, other in pairs)
    left_left, left_all, all_all, L, N = (part.astype(np.int64) for part in (*sums, n_left, n))
    score: Array = (N * (N * left_left - 2 * L * left_all) + L * L * all_all) / (L * (N - L))
    return score


def _entropy_score(lefts: Array, counts: Array, n_left: Array, n: Array) -> Array:
    """Return minus the sum of the entropies of the children, times n_L and n_R."""
    score: Array = _x_log_x(lefts).sum(axis=0) + _x_log_x(counts - lefts).sum(axis=0)
    return score - _x_log_x(n_left) - _x_log_x(n - n_left)


def _majority_score(lefts: Array, counts: Array, n_left: Array, n: Array) -> Array:
    """Return the weight that the majorities of the two children classify rightly."""
    score: Array = lefts.max(axis=0) + (counts - lefts).max(axis=0)
    return score


def _x_log_x(counts: Array) -> Array:
    return counts * np.log(np.maximum(counts, 1))


_SCORES = {"gini": _gini_score, "entropy": _entropy_score, "misclassification": _majority_score}
