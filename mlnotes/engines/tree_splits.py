r"""The best splits of all nodes of a level, as ``tree.best_split`` finds them node by node.

For each *pair* of a feature and a node the observations must be sorted by the feature. All pairs are sorted
together: an observation becomes one integer, its *code* (pair, rank of the value, label), where the *label*
stands for class and weight. Where there are few possible codes, they are counted instead of sorted. One
cumulative sum over the codes then gives the class weights to the left of every split of every pair; counts of
several classes share an integer of 64 bits.

Splits are compared by a *score*, the larger the better. With :math:`C_k` the weight of class k in the node,
:math:`L_k` that in the left child, :math:`n = \sum_k C_k` and :math:`n_L = \sum_k L_k`, the decrease of the
Gini index is

.. math:: \gamma(R) - \frac{n_L}{n}\gamma(R_1) - \frac{n_R}{n}\gamma(R_2)
          = \frac{\sum_k (n L_k - n_L C_k)^2}{n^2\, n_L n_R} ,

and its score leaves out the :math:`n^2`. With counts the score of a node of at most 16,384 observations is
one correctly rounded quotient of exact integers, so that equal decreases compare equal. Logarithms are
rounded, and so are weights that are no counts: there scores that differ by rounding are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.tree_features import SortedFeatures

if TYPE_CHECKING:
    from mlnotes.engines.tree_growing import Level

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Codes = NDArray[Any]  # integers of 32 or 64 bits

LARGEST_TOTAL = 2**31  # up to this sum, weights that are counts are added up as they are
LARGEST_COUNT = 2**6  # up to this count, a label stands for a class and a count
FEW_CLASSES = 4  # up to so many the squares of the Gini index are not multiplied out
UNITS = 2.0**50  # weights that are no counts become integers, with this sum in each node
# One term of an impurity is rounded a few times, relative to the logarithm of a sum that has at most 61 bits:
# by less than 256 units in the last place. An impurity has a term for each class, and a sum of weights that
# are no counts one for each observation.
ROUNDING = 2.0**-44
# Up to these weights of a node, counts give scores that are quotients of integers up to 2^53: the gaps
# n L_k - n_L C_k of one sign add up to n_L n_R at most, so that the squares of all are at most n^4 / 8.
EXACT: dict[Any, int] = {"gini": 2**14, "misclassification": LARGEST_TOTAL}
STRICTLY_CONCAVE = "gini", "entropy"


@dataclass(frozen=True)
class Limits:
    """The parameters of trees.

    Attributes
    ----------
    max_features : int
        Features, drawn anew at each node, that it considers.
    criterion : {"gini", "entropy", "misclassification"} or callable
        A function is any other impurity, of class proportions, shape (m, K), to (m,).
    max_depth : float
        Largest depth of a leaf; may be infinite.
    min_samples_split, min_samples_leaf : int
        Observations that a node needs to be split, and that each of its children must have.
    """

    max_features: int
    criterion: str | Callable[[Array], Array] = "gini"
    max_depth: float = np.inf
    min_samples_split: int = 2
    min_samples_leaf: int = 1


@dataclass(frozen=True)
class Data:
    """What all levels have in common.

    Attributes
    ----------
    n, d, K : int
        Numbers of observations, features and classes.
    ranks : ndarray of int32, shape (d, n)
        The rank of each value among the distinct values of its feature.
    n_values : ndarray of int64, shape (d,)
    largest_count : int
        The largest weight, if all weights are counts and their sum is not too large; otherwise 0.
    """

    n: int
    d: int
    K: int
    ranks: NDArray[np.int32]
    n_values: NDArray[np.int64]
    largest_count: int

    @classmethod
    def of(cls, features: SortedFeatures, n_classes: int, weights: Sequence[Array]) -> Data:
        """Collect it from the features and the weights of all trees."""
        ranks, n_values = features.ranks_of_rows(), features.n_values()
        are_counts = all((w == np.rint(w)).all() for w in weights)
        is_small = are_counts and sum(w.sum() for w in weights) < LARGEST_TOTAL
        largest = int(max(w.max() for w in weights)) if is_small else 0
        d, n = ranks.shape
        return cls(n, d, n_classes, ranks, n_values, largest)


class Splits(NamedTuple):
    """The feature of each split, -1 for none, and the ranks of the values on both sides, shapes (A,)."""

    feature: Ints
    low: Ints
    high: Ints

    @classmethod
    def none(cls, A: int) -> Splits:
        """Return A nodes without a split."""
        return cls(np.full(A, -1), np.zeros(A, dtype=np.intp), np.zeros(A, dtype=np.intp))

    def part(self, chosen: Any) -> Splits:
        """Return the splits of the chosen nodes."""
        return Splits(*(column[chosen] for column in self))

    def put(self, chosen: Any, others: Splits) -> None:
        """Replace the splits of the chosen nodes."""
        for column, other in zip(self, others, strict=True):
            column[chosen] = other


class SplitSearch:
    """The best splits of some nodes of a level, by one block of features after another.

    `best` holds the best splits so far, and `score` their scores.
    """

    def __init__(self, data: Data, level: Level, limits: Limits) -> None:
        self.data, self.level, self.limits = data, level, limits
        self.best = Splits.none(len(level.number))
        self.score = np.full(len(level.number), -np.inf)
        amount, value = self._integer_weights()
        self.total, self.value = value.sum(axis=1), value.T
        self.slack = self._slack()
        self._set_labels(amount)

    def _integer_weights(self) -> tuple[Array, Array]:
        """Return weights of the observations that are whole numbers, and their sums by class, (A, K)."""
        data, level = self.data, self.level
        if data.largest_count > 0:
            return level.weight, level.value
        total = level.value.sum(axis=1)[level.node]
        amount = np.maximum(np.rint(level.weight / total * UNITS), 1)
        value = np.bincount(level.node * data.K + level.y, amount, level.value.size)
        return amount, value.reshape(level.value.shape).astype(np.float64)

    def _slack(self) -> Array:
        """Return by how much the scores of equal splits may differ at each node, shape (A,)."""
        n, K, criterion = self.total, self.data.K, self.limits.criterion
        are_counts = self.data.largest_count > 0
        terms = K if are_counts else K + self.level.n_rows
        scale = n
        if criterion == "gini":
            scale = n * n / 2 if K == 2 else n * n  # the score of two classes is half of it
        slack = ROUNDING * terms * scale
        return np.where(n <= EXACT.get(criterion, 0), 0.0, slack) if are_counts else slack

    def _set_labels(self, amount: Array) -> None:
        """Set the label of each observation, and the packed class weights of each label.

        A label is a count and a class where counts are small, otherwise the position of the observation.
        Packed weights, shape (W, n_labels), have the weight of a label at the place of its class in W
        integers of 64 bits; the total weight of a node fits into a place, so that sums do not overflow.
        """
        data = self.data
        y: Ints = self.level.y
        self.class_bits = int(data.K - 1).bit_length()
        self.labels_are_classes = 0 < data.largest_count <= LARGEST_COUNT
        if self.labels_are_classes:
            self.label = (amount.astype(np.intp) - 1 << self.class_bits) | y
            every = np.arange(data.largest_count << self.class_bits)
            amount = ((every >> self.class_bits) + 1).astype(np.float64)
            y = np.minimum(every % (1 << self.class_bits), data.K - 1)
        else:
            self.label = np.arange(len(y))
        self.label_bits = int(len(y) - 1).bit_length()
        bits = max(int(self.total.max()).bit_length(), 64 >> self.class_bits)
        self.place_type = np.min_scalar_type((1 << bits) - 1).newbyteorder("<")
        self.n_places = 8 // self.place_type.itemsize  # in an integer of 64 bits
        word, place = np.divmod(y, self.n_places)
        self.packed = np.zeros((-(-data.K // self.n_places), len(y)), dtype=np.int64)
        self.packed[word, np.arange(len(y))] = amount.astype(np.int64) << place * (64 // self.n_places)

    def try_features(self, some: slice, considered: Ints | None) -> None:
        """Compare the best splits so far with those by a block of features.

        The block is a slice of all features, or of the features `considered` by the nodes, shape (f, A).
        """
        codes, times, label_bits = self._codes(some, considered)
        last, split = self._places(codes, label_bits)
        if split.size == 0:
            return
        pair = _indices(codes.take(split) >> label_bits + self._rank_bits())
        left = self._left_weights(codes, times, label_bits, last, split, pair)
        scores = self._scores(left, pair)
        feature, position = self._winners(scores, pair, len(last) + 1)
        won = position >= 0
        at = split.take(position[won])
        mask = (1 << self._rank_bits()) - 1
        nodes = np.flatnonzero(won)
        columns = some.start + feature[won] if considered is None else considered[feature[won], nodes]
        low, high = (codes.take(at + side) >> label_bits & mask for side in (0, 1))
        self.best.put(nodes, Splits(columns, low, high))

    def _rank_bits(self) -> int:
        return int(self.data.n_values.max() - 1).bit_length()

    def _codes(self, some: slice, considered: Ints | None) -> tuple[Codes, Codes | None, int]:
        """Return the codes in ascending order, the weight of each if they were counted, bits of a label."""
        data, level, A = self.data, self.level, len(self.total)
        if considered is None:
            ranks: Codes = data.ranks[some].take(level.row, axis=1)
            n_values = int(data.n_values[some].max())
        else:
            place = (considered * data.n).repeat(level.n_rows, axis=1) + level.row
            ranks = data.ranks.ravel().take(place)
            n_values = int(data.n_values.max())
        n_cells = len(ranks) * A * n_values * data.K
        if self.labels_are_classes and n_cells <= ranks.size and self.limits.min_samples_leaf == 1:
            return *self._counted(ranks, n_values), self.class_bits
        bits = self.label_bits + self._rank_bits()
        codes: Codes = ranks.astype(_integers(len(ranks) * A << bits), copy=False)
        codes <<= self.label_bits
        node, label = (part.astype(codes.dtype, copy=False) for part in (level.node, self.label))
        codes |= node << bits | label
        codes += (np.arange(len(codes), dtype=codes.dtype) * (A << bits))[:, None]
        codes.sort(axis=1)
        return codes.ravel(), None, self.label_bits

    def _counted(self, ranks: Codes, n_values: int) -> tuple[Codes, Codes]:
        """Return the different codes, whose labels are classes, and the weight of each."""
        K, A = self.data.K, len(self.total)
        cells: Codes = ranks.astype(
            _integers(len(ranks) * A * n_values * K), copy=False
        )  # (pair, rank, class)
        cells *= K
        cells += (self.level.node * (n_values * K) + self.level.y).astype(cells.dtype)
        cells += (np.arange(len(cells), dtype=cells.dtype) * (A * n_values * K))[:, None]
        weights = None if self.data.largest_count == 1 else np.tile(self.level.weight, len(cells))
        times = np.bincount(cells.ravel(), weights)
        occur = np.flatnonzero(times)
        pair, rest = np.divmod(occur.astype(np.int64, copy=False), n_values * K)
        rank, y = np.divmod(rest, K)
        codes = (pair << self._rank_bits() | rank) << self.class_bits | y
        return codes, times.take(occur).astype(np.int64, copy=False)

    def _places(self, codes: Codes, label_bits: int) -> tuple[Ints, Ints]:
        """Return the last place of each pair but the last one, and the places after which a split may be.

        Between two values that occur with one and the same class alone no split is best: the impurity is
        strictly concave in the weight of that class on the left.
        """
        differs = codes[1:] ^ codes[:-1]
        is_new_value = differs >= 1 << label_bits
        is_new_pair = differs >= 1 << label_bits + self._rank_bits()
        last, is_split = np.flatnonzero(is_new_pair), is_new_value ^ is_new_pair
        least = self.limits.min_samples_leaf
        if least > 1:
            split = np.flatnonzero(is_split)
            pair = _indices(codes.take(split) >> label_bits + self._rank_bits())
            n_left = split - np.concatenate([[-1], last]).take(pair)
            n_rows = np.resize(self.level.n_rows, len(last) + 1).take(pair)
            return last, split[(n_left >= least) & (n_rows - n_left >= least)]
        if self.labels_are_classes and self.limits.criterion in STRICTLY_CONCAVE:
            same_class = differs & (1 << self.class_bits) - 1 == 0
            is_split[1:-1] &= ~(same_class[1:-1] & is_new_value[:-2] & is_new_value[2:])
        return last, np.flatnonzero(is_split)

    def _left_weights(
        self, codes: Codes, times: Codes | None, label_bits: int, last: Ints, split: Ints, pair: Ints
    ) -> Array:
        """Return the weight of each class to the left of each split, shape (K, c)."""
        sums = self.packed.take(_indices(codes & (1 << label_bits) - 1), axis=1)
        if times is not None:
            sums *= times
        np.add.accumulate(sums, axis=1, out=sums)
        before = np.zeros((len(sums), len(last) + 1), dtype=np.int64)  # the pair
        before[:, 1:] = sums.take(last, axis=1)
        sums = sums.take(split, axis=1) - before.take(pair, axis=1)
        places = sums.astype("<i8", copy=False).view(self.place_type)  # the first class in the lowest bits
        places = places.reshape(len(sums), len(split), self.n_places).transpose(0, 2, 1)
        return places.reshape(-1, len(split))[: self.data.K].astype(np.float64, order="C")

    def _scores(self, left: Array, pair: Ints) -> Array:
        """Return the scores of splits, shape (c,), from the class weights to their left, (K, c)."""
        node = pair % len(self.total)
        counts, total = self.value.take(node, axis=1), self.total.take(node)
        criterion = self.limits.criterion
        score = SCORES[criterion] if isinstance(criterion, str) else _score_by(criterion)
        if criterion == "gini" and self.data.K > FEW_CLASSES and self.total.max() <= EXACT["gini"]:
            score = _gini_score_of_counts
        return score(left, counts, left.sum(axis=0), total)

    def _winners(self, scores: Array, pair: Ints, n_pairs: int) -> tuple[Ints, Ints]:
        """Return the best feature of the block at each node, and its split, -1 if it does not improve, (A,).

        Of equal splits the first feature wins, then the lowest threshold.
        """
        A = len(self.total)
        is_first = np.ones(len(pair), dtype=bool)
        np.not_equal(pair[1:], pair[:-1], out=is_first[1:])
        start = np.flatnonzero(is_first)
        best_of_pair = np.full(n_pairs, -np.inf)
        best_of_pair[pair[start]] = np.maximum.reduceat(scores, start)
        best = best_of_pair.reshape(-1, A)
        feature = (best >= best.max(axis=0) - self.slack).argmax(axis=0)
        best_of_node = best[feature, np.arange(A)]
        improves = np.flatnonzero(best_of_node > self.score + self.slack)
        self.score[improves] = best_of_node[improves]
        winner = feature[improves] * A + improves
        smallest = np.full(n_pairs, np.inf)
        smallest[winner] = self.score[improves] - self.slack[improves]
        good = np.flatnonzero(scores >= smallest.take(pair))[::-1]
        split = np.zeros(n_pairs, dtype=np.intp)
        split[pair.take(good)] = good  # the lowest threshold is written last
        position = np.full(A, -1)
        position[improves] = split[winner]
        return feature, position


def _integers(size: int) -> type:
    return np.int32 if size < 2**31 else np.int64


def _indices(codes: Codes) -> Ints:
    return codes.astype(np.intp, copy=False)


# ------------------------------------------------------------------- scores: the larger the purer
# L_k on the left of a split and C_k in its node have the shape (K, c), their sums n_L and n the shape (c,).


def _gini_score(left: Array, counts: Array, n_left: Array, n: Array) -> Array:
    """Return sum_k (n L_k - n_L C_k)^2 / (n_L n_R), of two classes half of it."""
    if len(left) == 2:
        left, counts = left[1:], counts[1:]
    gaps = left * n
    gaps -= n_left * counts
    score: Array = np.einsum("kc,kc->c", gaps, gaps)
    score /= n_left * (n - n_left)
    return score


def _gini_score_of_counts(left: Array, counts: Array, n_left: Array, n: Array) -> Array:
    """Return the same to the last bit, of counts up to 2^14: the square is multiplied out, in integers.

    That takes a third of the time: three sums of products are all that is done for every class.
    """
    pairs = (left, left), (left, counts), (counts, counts)
    sums = (np.einsum("kc,kc->c", one, other) for one, other in pairs)
    left_left, left_all, all_all, L, N = (part.astype(np.int64) for part in (*sums, n_left, n))
    score: Array = (N * (N * left_left - 2 * L * left_all) + L * L * all_all) / (L * (N - L))
    return score


def _entropy_score(left: Array, counts: Array, n_left: Array, n: Array) -> Array:
    """Return minus the sum of the entropies of the children, times n_L and n_R."""
    score: Array = _x_log_x(left).sum(axis=0) + _x_log_x(counts - left).sum(axis=0)
    return score - _x_log_x(n_left) - _x_log_x(n - n_left)


def _majority_score(left: Array, counts: Array, n_left: Array, n: Array) -> Array:
    """Return the weight that the majorities of the two children classify correctly."""
    score: Array = left.max(axis=0) + (counts - left).max(axis=0)
    return score


def _score_by(impurity: Callable[[Array], Array]) -> Callable[..., Array]:
    def score(left: Array, counts: Array, n_left: Array, n: Array) -> Array:
        """Return minus the sum of the impurities of the children, times n_L and n_R."""
        n_right = n - n_left
        return -n_left * impurity((left / n_left).T) - n_right * impurity(((counts - left) / n_right).T)

    return score


def _x_log_x(counts: Array) -> Array:
    return counts * np.log(np.maximum(counts, 1))


SCORES = {"gini": _gini_score, "entropy": _entropy_score, "misclassification": _majority_score}
