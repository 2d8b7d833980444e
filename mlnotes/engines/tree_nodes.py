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

PAIRS = 2**14  # pairs of observation and tree that go down together: 2**12 to 2**14 are equally fast,
ENTRIES = 2**17  # with at most 1 MiB of X, which is twice as fast as from beyond the second cache


@dataclass(frozen=True)
class Tree:
    """A binary tree in preorder: the left child of node t is t + 1, its subtree is a block of numbers.

    Attributes
    ----------
    feature : ndarray of intp, shape (N,)
        The feature by which a node is split, -1 at a leaf.
    threshold : ndarray of shape (N,)
        Observations with at most this value go left; 0 at a leaf.
    right : ndarray of intp, shape (N,)
        The right child, -1 at a leaf.
    value : ndarray of shape (N, K)
        Weight of each class among the training observations of the node.
    n_rows : ndarray of intp, shape (N,)
        Number of training observations of the node.
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
        """Number of splits above each node, shape (N,)."""
        depth, parents = np.zeros(len(self), dtype=np.intp), self.parent
        level = np.flatnonzero(parents == 0)
        while level.size:
            depth[level] = depth[parents[level]] + 1
            inner = level[~self.is_leaf[level]]
            level = np.concatenate([inner + 1, self.right[inner]])
        return depth

    @cached_property
    def packed(self) -> PackedTrees:
        """The tree in the form in which it predicts."""
        return PackedTrees.of([self])

    def apply(self, X: Array) -> Ints:
        """Return the leaf that each row of X reaches, shape (n,)."""
        leaves = np.empty(len(X), dtype=np.intp)
        for block, _ in prediction_blocks(*X.shape):
            leaves[block] = self.packed.leaves(X[block])[0]
        return self.packed.node.take(leaves)

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


class PackedTrees(NamedTuple):
    """Several trees in one table, in which the two children of a node are neighbours.

    A step down is ``place = child[place] + (x > threshold[place])``, for all observations and all trees
    together. A leaf sends every observation back to itself, so that those that have reached a leaf are left
    out only now and then: after as many steps as brought half of the training observations to a leaf.

    Attributes
    ----------
    feature, threshold, child : ndarray of shape (N,)
        The split at each place, and the place of the left child; at a leaf 0, infinity and its own place.
    root : ndarray of intp, shape (B,)
        The place of the root of each tree.
    node : ndarray of intp, shape (N,)
        The number, in its tree, of the node at each place.
    steps : tuple of int
        The numbers of steps after which observations that have reached a leaf are left out.
    """

    feature: Ints
    threshold: Array
    child: Ints
    root: Ints
    node: Ints
    steps: tuple[int, ...]

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> PackedTrees:
        """Pack the trees."""
        sizes = np.array([len(tree) for tree in trees])
        root = np.cumsum(sizes) - sizes
        columns = []
        for tree, start in zip(trees, root, strict=True):
            is_leaf = tree.is_leaf
            inner = np.flatnonzero(~is_leaf)
            node = np.concatenate([[0], np.stack([inner + 1, tree.right[inner]], axis=1).ravel()])
            child = np.empty(len(tree), dtype=np.intp)
            child[node] = np.arange(len(tree))
            child[inner] = 1 + 2 * np.arange(len(inner))
            feature, threshold = np.where(is_leaf, 0, tree.feature), np.where(is_leaf, np.inf, tree.threshold)
            columns.append((feature[node], threshold[node], child[node] + start, node))
        feature, threshold, child, node = (np.concatenate(part) for part in zip(*columns, strict=True))
        n_rows = np.concatenate([tree.n_rows for tree in trees])[np.repeat(root, sizes) + node]
        return cls(feature, threshold, child, root, node, _steps(child, root, n_rows))

    def arrange(self, columns: Sequence[Array]) -> Array:
        """Return values of the nodes of each tree, shapes (N_b, K), in the order of the places, (N, K)."""
        start = np.repeat(self.root, np.diff(np.append(self.root, len(self.node))))
        return np.concatenate(columns)[start + self.node]

    def leaves(self, X: Array, trees: slice = slice(None)) -> Ints:
        """Return the place of the leaf that each row of X (n, d) reaches in each of the trees, (b, n)."""
        n, d = X.shape
        entries, roots = X.ravel(), self.root[trees]
        place, row = np.repeat(roots, n), np.tile(np.arange(n) * d, len(roots))
        reached, moving = place, np.arange(len(place))
        for n_steps in self.steps:
            for _ in range(n_steps):
                entry = self.feature.take(place)
                entry += row
                goes_right = entries.take(entry) > self.threshold.take(place)
                place = self.child.take(place)
                place += goes_right
            reached[moving] = place
            on = np.flatnonzero(self.child.take(place) != place)
            moving, place, row = moving.take(on), place.take(on), row.take(on)
        return reached.reshape(len(roots), n)


def _steps(child: Ints, root: Ints, n_rows: Ints) -> tuple[int, ...]:
    """Return numbers of steps, each of which brings half of the moving training observations to a leaf."""
    steps, taken, moving, level = [], 0, n_rows[root].sum(), root
    while (level := level[child[level] != level]).size:
        level = np.concatenate([child[level], child[level] + 1])
        taken += 1
        still_moving = n_rows[level[child[level] != level]].sum()
        if 2 * still_moving <= moving:
            steps.append(taken)
            taken, moving = 0, still_moving
    return tuple(steps)


def prediction_blocks(n: int, d: int) -> Iterator[tuple[slice, int]]:
    """Yield slices of n rows of d features, and how many trees predict them at once."""
    height = max(1, min(n, PAIRS, max(ENTRIES // d, PAIRS // 8)))
    return ((slice(i, i + height), PAIRS // height) for i in range(0, n, height))
