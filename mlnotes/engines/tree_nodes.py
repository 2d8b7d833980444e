"""Trees as arrays, and predictions of many observations by several trees at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

WALKING = 2**14  # pairs of row and tree that walk together: 2**12 to 2**14 are equally fast,
ENTRIES = 2**17  # with at most 1 MiB of rows, that walk twice as fast as from beyond the second cache


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

    @classmethod
    def from_nodes(cls, nodes: Iterable[Any]) -> Tree:
        """Return the tree of these nodes, as ``mlnotes.tree.grow`` yields them, in any order."""
        nodes = sorted(nodes, key=lambda node: bin(node.number))  # preorder: the digits are the path
        place = {node.number: t for t, node in enumerate(nodes)}
        splits = [node.split for node in nodes]
        counts = np.array([node.counts for node in nodes], dtype=np.float64)
        return cls(
            np.array([split.feature if split else -1 for split in splits], dtype=np.intp),
            np.array([split.threshold if split else 0.0 for split in splits]),
            np.array([place.get(2 * number + 1, -1) for number in place], dtype=np.intp),
            counts,
            np.array([len(node.rows) for node in nodes], dtype=np.intp),
        )

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

    def keep(self, marks: NDArray[np.bool_]) -> Tree:
        """Return the tree of the marked nodes; an inner node whose children are not marked is a leaf."""
        number = np.cumsum(marks) - 1
        inner = ~self.is_leaf & marks
        inner[inner] = marks[np.flatnonzero(inner) + 1]
        return Tree(
            np.where(inner, self.feature, -1)[marks],
            np.where(inner, self.threshold, 0.0)[marks],
            np.where(inner, number[self.right], -1)[marks],
            self.value[marks],
            self.n_rows[marks],
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
            is_leaf = tree.is_leaf
            inner = np.flatnonzero(~is_leaf)
            node = np.concatenate([[0], np.stack([inner + 1, tree.right[inner]], axis=1).ravel()])
            first = np.empty(len(tree), dtype=np.intp)
            first[node] = np.arange(len(tree))
            first[inner] = 1 + 2 * np.arange(len(inner))
            feature, threshold = np.where(is_leaf, 0, tree.feature), np.where(is_leaf, np.inf, tree.threshold)
            columns.append((feature[node], threshold[node], first[node] + start, node))
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
    height = max(1, min(n, WALKING, max(ENTRIES // d, WALKING // 8)))
    return ((slice(i, i + height), WALKING // height) for i in range(0, n, height))
