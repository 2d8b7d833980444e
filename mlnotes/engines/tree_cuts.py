r"""The best cuts of the nodes of a level: those of ``tree.find_cut``, all features and nodes at once.

A row of a feature is one integer, the *key* (group, rank, kind): a *group* is a pair of a feature and a node,
a *kind* one of a weight and a class; or, if there are many weights, each instance is of its own. Sorting keys
puts the rows of all nodes in order. Where there are fewer possible keys than rows, they are counted instead.
One cumulative sum over the keys counts the left children of all cuts of all nodes; it adds integers that hold
the weights of several classes side by side. Scores are computed at cuts alone.

The best cut of a node is the one with the largest *score*. With :math:`C_k` the weight of class k in the
node, :math:`L_k` that in the left child, :math:`n = \sum_k C_k` and :math:`n_L = \sum_k L_k`, the decrease of
the Gini index is

.. math:: \gamma(R) - \frac{n_L}{n}\gamma(R_1) - \frac{n_R}{n}\gamma(R_2)
          = \frac{\sum_k (n L_k - n_L C_k)^2}{n^2\, n_L n_R} ,

and its score leaves out the :math:`n^2`. Counts are integers; the score of a node of at most 16,384 rows is
one correctly rounded quotient of exact integers, so that equal decreases compare equal. Logarithms are
rounded, and so are weights that are no counts: there impurities within ``tree.rounding`` are equal, as on
the board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.tree_instances import MOST_COUNT, Array, Instances, Ints, Keys, Level

FEW_CLASSES = 4  # up to so many the squares of the Gini index are not multiplied out
DENSE = 1  # up to so many possible keys a row they are counted, which is faster than sorting
UNITS = 2.0**50  # of the integers that stand for other weights, in the sum of a node
# One term of an impurity is rounded a few times, relative to the logarithm of a sum that has at most 61 bits:
# by less than 256 units in the last place. An impurity has a term for each class, and a sum of weights that
# are no counts one for each row.
ROUNDING = 2.0**-44
# Up to these weights of a node, counts give scores that are quotients of integers up to 2^53: the gaps
# n L_k - n_L C_k of one sign add up to n_L n_R at most, so that the squares of all are at most n^4 / 8.
EXACT: dict[Any, int] = {"gini": 2**14, "misclassification": MOST_COUNT}
STRICTLY_CONCAVE = "gini", "entropy"


@dataclass(frozen=True)
class Limits:
    """What the trees may do.

    Attributes
    ----------
    n_candidates : int
        Features, drawn anew at each node, among which it chooses.
    criterion : {"gini", "entropy", "misclassification"} or callable
        A function is any other impurity, of shares of classes, shape (c, K), to (c,).
    max_depth : float
        Largest number of questions on a path; may be infinite.
    min_samples_split, min_samples_leaf : int
        Rows that a node needs to be split, and that each of its children must have.
    """

    n_candidates: int
    criterion: str | Callable[[Array], Array] = "gini"
    max_depth: float = np.inf
    min_samples_split: int = 2
    min_samples_leaf: int = 1


class Cuts(NamedTuple):
    """Of each node the winning feature (-1 for none), ranks on both sides, classes on the left, (A, K)."""

    feature: Ints
    low: Ints
    high: Ints
    left: Array


class Search:
    """The search for the best cuts of some nodes, a block of features after the other."""

    def __init__(self, data: Instances, level: Level, limits: Limits) -> None:
        self.data, self.level, self.limits, A = data, level, limits, len(level.n_rows)
        self.rows, value, kinds = _indices(level.instances >> data.kind_bits), level.value, None
        self.kind, self.kind_bits = _indices(data.kinds(level.instances)), data.kind_bits
        if not data.is_few:
            amounts, classes = data.weight.take(self.kind), data.code.take(self.kind)
            if not data.is_count:  # multiples of a small part of the weight of the node: sums are exact
                amounts = np.maximum(np.rint(amounts / value.sum(axis=1)[level.node] * UNITS), 1)
                cells = level.node * data.K + classes
                value = np.bincount(cells, amounts, value.size).reshape(value.shape).astype(np.float64)
            kinds = amounts, classes
            self.kind, self.kind_bits = np.arange(len(self.rows)), (len(self.rows) - 1).bit_length()
        self.total, self.value = value.sum(axis=1), value.T
        one_word = 64 >> (data.K - 1).bit_length()
        bits = max(int(self.total.max()).bit_length(), one_word)
        self.field = np.min_scalar_type((1 << bits) - 1).newbyteorder("<")
        self.per_word = 8 // self.field.itemsize
        self.words = data.words(kinds, self.per_word)
        self.slack = self._slack()
        self.best = np.full(A, -np.inf)
        self.improved: Ints

    def _slack(self) -> Array:
        """Return by how much the scores of equal cuts may differ at each node, shape (A,)."""
        data, n = self.data, self.total
        square = n * n / 2 if data.K == 2 else n * n  # the score of two classes is half of it
        terms = data.K + (0 if data.is_count else self.level.n_rows)
        slack = ROUNDING * terms * (square if self.limits.criterion == "gini" else n)
        return np.where(n <= EXACT.get(self.limits.criterion, 0), 0.0, slack) if data.is_count else slack

    def _keys(self, slots: slice, features: Ints | None) -> tuple[Ints, Keys | None, int]:
        """Return the keys in ascending order, the weight of each where equal ones are one, bits of a kind."""
        data, A, n_values = self.data, len(self.total), self.data.n_values
        ranks: NDArray[Any]
        if features is None:
            ranks, n_values = data.ranks[slots].take(self.rows, axis=1), n_values[slots]
        else:
            place = (features * data.n).repeat(self.level.n_rows, axis=1)
            place += self.rows
            ranks = data.ranks.ravel().take(place)
        step = int(n_values.max()) * data.K
        n_cells = len(ranks) * A * step
        if n_cells <= ranks.size * DENSE and data.is_few and self.limits.min_samples_leaf == 1:
            return *self._counts(ranks, step), data.class_bits
        shift = self.kind_bits + data.rank_bits
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
        data, A = self.data, len(self.total)
        size = len(ranks) * A * step
        cells: NDArray[Any] = ranks.astype(_integers(size), copy=False)
        cells *= data.K
        cells += (self.level.node * step + (self.kind & (1 << data.class_bits) - 1)).astype(cells.dtype)
        cells += (np.arange(len(cells), dtype=cells.dtype) * (A * step))[:, None]
        weights = None if data.is_one else np.tile((self.kind >> data.class_bits) + 1.0, len(cells))
        times = np.bincount(cells.ravel(), weights, size)
        there = np.flatnonzero(times)
        group, rest = np.divmod(there.astype(np.int64, copy=False), step)
        rank, code = np.divmod(rest, data.K)
        keys = (group << data.rank_bits | rank) << data.class_bits | code
        return keys, times.take(there).astype(np.int64, copy=False)

    def _places(self, keys: Ints, kind_bits: int) -> tuple[Ints, Ints]:
        """Return the last places of all groups but one, and the places in the keys after which a cut may be.

        Between values that occur with one and the same class no cut is best: the impurity is strictly concave
        in the weight of that class on the left.
        """
        data, limits = self.data, self.limits
        differs = keys[1:] ^ keys[:-1]
        is_jump, is_end = differs >= 1 << kind_bits, differs >= 1 << kind_bits + data.rank_bits
        ends, is_cut = np.flatnonzero(is_end), is_jump ^ is_end
        if limits.min_samples_leaf > 1:
            at = np.flatnonzero(is_cut)
            group = _indices(keys.take(at) >> kind_bits + data.rank_bits)
            n_left = at - np.concatenate([[-1], ends]).take(group)
            n_rows = np.resize(self.level.n_rows, len(ends) + 1).take(group)
            least = limits.min_samples_leaf
            return ends, at[(n_left >= least) & (n_rows - n_left >= least)]
        if data.is_few and limits.criterion in STRICTLY_CONCAVE:
            differs &= (1 << data.class_bits) - 1
            inside = differs[1:-1] == 0
            inside &= is_jump[:-2]
            inside &= is_jump[2:]
            is_cut[1:-1] &= ~inside
        return ends, np.flatnonzero(is_cut)

    def cuts_of(self, slots: slice, features: Ints | None) -> Cuts:
        """Return the best cuts of a block of features, of the nodes that they improve: `improved`."""
        data, A, nodes = self.data, len(self.total), np.arange(len(self.total))
        keys, times, kind_bits = self._keys(slots, features)
        ends, at = self._places(keys, kind_bits)
        if not at.size:
            self.improved = at
            return Cuts(at, at, at, np.zeros((0, data.K)))
        sums = self.words.take(_indices(keys & (1 << kind_bits) - 1), axis=1)
        if times is not None:
            sums *= times
        np.add.accumulate(sums, axis=1, out=sums)
        before = np.zeros((len(sums), len(ends) + 1), dtype=np.int64)
        before[:, 1:] = sums.take(ends, axis=1)
        group = _indices(keys.take(at) >> kind_bits + data.rank_bits)
        sums = sums.take(at, axis=1)
        sums -= before.take(group, axis=1)
        scores, left = self._scores(sums, group)
        first = np.ones(len(at), dtype=bool)
        np.not_equal(group[1:], group[:-1], out=first[1:])
        start = np.flatnonzero(first)
        tops = np.full(len(ends) + 1, -np.inf)
        tops[group[start]] = np.maximum.reduceat(scores, start)
        tops = np.reshape(tops, (-1, A))
        slot = (tops >= tops.max(axis=0) - self.slack).argmax(axis=0)
        top = tops[slot, nodes]
        self.improved = won = np.flatnonzero(top > self.best + self.slack)
        self.best[won], slot = top[won], slot[won]
        winner = slot * A + won
        least = np.full(tops.size, np.inf)
        least[winner] = self.best[won] - self.slack[won]
        hits = np.flatnonzero(scores >= least.take(group))[::-1]
        position = np.zeros(tops.size, dtype=np.intp)
        position[group.take(hits)] = hits  # the lowest threshold is written last
        left = left.take(position[winner], axis=1).T
        position = at[position[winner]]
        mask = (1 << data.rank_bits) - 1
        return Cuts(
            slots.start + slot if features is None else features[slot, won],
            keys[position] >> kind_bits & mask,
            keys[position + 1] >> kind_bits & mask,
            left,
        )

    def _scores(self, sums: Keys, group: Ints) -> tuple[Array, Array]:
        """Return the scores of cuts, shape (c,), and the weights of the classes on their left, (K, c).

        `sums` (W, c) are these weights in words, `group` (c,) are the groups in which they cut.
        """
        A, K, n_groups = len(self.total), self.data.K, int(group[-1]) + 1
        low_first = sums.astype("<i8", copy=False)  # the first class is in the lowest bits of a word
        left = low_first.view(self.field).reshape(len(sums), len(group), self.per_word)
        lefts = left.transpose(0, 2, 1).reshape(-1, len(group))[:K].astype(np.float64, order="C")
        table = np.empty((K + 1, -(-n_groups // A), A))
        table[:K], table[K] = self.value[:, None], self.total
        of_cuts = table.reshape(K + 1, -1).take(group, axis=1)
        criterion = self.limits.criterion
        in_integers = criterion == "gini" and K > FEW_CLASSES and self.total.max() <= EXACT["gini"]
        score = SCORES[criterion] if isinstance(criterion, str) else _score_by(criterion)
        score = _gini_score_of_counts if in_integers else score
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


def _score_by(impurity: Callable[[Array], Array]) -> Callable[..., Array]:
    def score(lefts: Array, counts: Array, n_left: Array, n: Array) -> Array:
        """Return minus the sum of the impurities of the children, times n_L and n_R."""
        n_right = n - n_left
        return -n_left * impurity((lefts / n_left).T) - n_right * impurity(((counts - lefts) / n_right).T)

    return score


def _x_log_x(counts: Array) -> Array:
    return counts * np.log(np.maximum(counts, 1))


SCORES = {"gini": _gini_score, "entropy": _entropy_score, "misclassification": _majority_score}
