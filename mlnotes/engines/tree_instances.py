r"""What trees grow on: the rows of the data in each of the trees, as integers.

An *instance* is a row of the data in one of the trees, with its weight. A *kind* is a weight and a class;
where there are many weights, each instance is of its own. Values are replaced by their ranks, **once**.
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

MOST_COUNT = 2**31  # below this sum, weights that are counts are added up as they are
FEW = 2**6  # up to this size, counts are numbered together with the classes


def between(low: Any, high: Any) -> Any:
    """Return the middle of two numbers, elementwise; the lower one where the middle is rounded up."""
    middle = low / 2 + high / 2  # the sum may overflow
    return np.where(middle < high, middle, low)


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
        values = np.empty_like(columns)  # the ranks that occur are read
        values.ravel()[ranks + start] = ordered
        return cls(rows, ranks, values)

    def ranks_of_rows(self) -> NDArray[np.int32]:
        """Return the ranks in the order of the rows, shape (d, n)."""
        ranks = np.empty(self.rows.shape, dtype=np.int32)
        ranks.ravel()[self.rows + self.rows.shape[1] * np.arange(len(self.rows))[:, None]] = self.ranks
        return ranks


@dataclass(frozen=True)
class Level:
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

    def part(self, chosen: NDArray[np.bool_]) -> Level:
        """Return the nodes that are marked."""
        here = self.instances[chosen.repeat(self.n_rows)]
        return Level(self.n_rows[chosen], self.value[chosen], self.number[chosen], here)

    def blocks(self, size: int) -> Iterator[tuple[slice, Level]]:
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
                Level(self.n_rows[here], self.value[here], self.number[here], self.instances[start:end]),
            )
            first, start = last, end


class Instances:
    """The rows of all the trees of a call, with their ranks, classes and weights."""

    def __init__(
        self, features: Sorted, codes: NDArray[Any], n_classes: int, weights: Sequence[Array]
    ) -> None:
        self.values, self.K = features.values, n_classes
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
        self.numbers = row.astype(np.int64) << self.kind_bits | kind
        self.words_of_kinds: dict[int, Keys] = {}

    def all(self) -> Level:
        """Return the roots of the trees."""
        n_rows, T = self.n_rows_of_trees, len(self.n_rows_of_trees)
        value = self.weigh(np.arange(T).repeat(n_rows), slice(None), T)
        return Level(n_rows, value, np.arange(T), self.numbers)

    def kinds(self, instances: Keys) -> Keys:
        """Return the kinds of instances, or their places in the weights if weights are not few."""
        return instances & (1 << self.kind_bits) - 1

    def weigh(self, node: Ints, kind: Any, n_nodes: int) -> Array:
        """Return the weight of each class in each node, shape (n_nodes, K), where each instance is a kind."""
        cells = node * self.K + self.code[kind]
        return np.bincount(cells, self.weight[kind], n_nodes * self.K).reshape(-1, self.K).astype(np.float64)

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
