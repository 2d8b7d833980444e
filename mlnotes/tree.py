r"""Classification trees: greedy axis-parallel partitions, what greed costs, and pruning.

A tree cuts :math:`\mathbb R^d` into boxes :math:`R_1, \dots, R_M` by questions :math:`x_j \le t`, and answers
with the majority of the training rows in the box. CART grows it greedily, node by node, and then prunes it.

===================  ===========  =====================================================================
symbol               shape        name in the code
===================  ===========  =====================================================================
:math:`p_k(R)`       ``(K,)``     `class_shares`: the shares of the classes among the rows in R
:math:`\gamma(R)`    scalar       impurity: `gini`, `entropy` (natural logarithm), `misclassification`
:math:`\Delta`       scalar       ``decrease``: :math:`\gamma(R) - \frac{n_1}{n}\gamma(R_1) -
                                  \frac{n_2}{n}\gamma(R_2) \ge 0` of a cut of R into :math:`R_1, R_2`
:math:`R(t)`         ``(N,)``     risk of node t as a leaf: its share of the rows times its impurity
:math:`\alpha`       scalar       price of a leaf in :math:`R(T) + \alpha|T|`
===================  ===========  =====================================================================

Ties: of equal cuts **the first feature, then the lowest threshold**; in a leaf **the smallest label among the
most frequent**, so that the answer is the first largest entry of ``predict_proba``, scikit-learn's rule.
Thresholds are midpoints; a row at the threshold goes left.

Sources: Yan, slides on classification trees; Recitation 7, section 3; Breiman, Friedman, Olshen and Stone,
*Classification and Regression Trees* (1984), chapters 2 to 4 (CART, pruning). The algorithm that finds the
cuts is in `mlnotes.growing`.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import (
    Classifier,
    check_labels,
    check_option,
    check_probabilities,
    check_rng,
    check_scalar,
    check_vector,
    check_weights,
    check_X_y,
)
from mlnotes.growing import CRITERIA, Limits, Sorted, Tree, grow, majority

Array = NDArray[np.float64]

# ------------------------------------------------------------------- impurity


def class_shares(y: ArrayLike, classes: ArrayLike) -> Array:
    r"""Return :math:`p_k = \frac{1}{|R|}\sum_{i \in R} 1\{y_i = k\}` for each of the classes, shape (K,).

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels of the rows in R; at least one, for shares of nothing do not exist.
    classes : array-like of shape (K,)

    Examples
    --------
    >>> class_shares([1, 1, 2, 1], [0, 1, 2]).tolist()
    [0.0, 0.75, 0.25]
    """
    found, codes = check_labels(y)
    known, places = check_labels(classes, name="classes")
    if len(known) != len(places):
        raise ValueError(f"classes must be different labels, got {np.asarray(classes).tolist()}.")
    unknown = found[~np.isin(found, known)]
    if unknown.size:
        raise ValueError(f"y has the label {unknown[0]}, which is not among the classes {known.tolist()}.")
    counts = np.zeros(len(known))
    counts[np.searchsorted(known, found)] = np.bincount(codes)
    return counts[places] / len(codes)


def gini(p: ArrayLike) -> Any:
    r"""Return :math:`\sum_k p_k(1 - p_k)`: the chance that two draws with replacement differ.

    Between 0 and :math:`1 - 1/K`, and :math:`1 - \max p \le \gamma \le 2(1 - \max p)`.

    Parameters
    ----------
    p : array-like of shape (..., K)
        Class shares. Fractions give an exact fraction.

    Returns
    -------
    float, Fraction, or ndarray of shape (...)
    """
    p = check_probabilities(p, name="p")
    return (p * (1 - p)).sum(axis=-1)


def entropy(p: ArrayLike) -> Any:
    r"""Return :math:`-\sum_k p_k\log p_k` with the natural logarithm and :math:`0\log 0 = 0`.

    Between 0 (a pure node, exactly) and :math:`\log K`. Parameters and result as in `gini`.
    """
    p = check_probabilities(p, name="p").astype(np.float64)
    return 0.0 - (p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1)


def misclassification(p: ArrayLike) -> Any:
    r"""Return :math:`1 - \max_k p_k`: the error of the majority vote. Parameters and result as in `gini`."""
    return 1 - check_probabilities(p, name="p").max(axis=-1)


_IMPURITY = {"gini": gini, "entropy": entropy, "misclassification": misclassification}


def _impurities(value: Array, criterion: str) -> Array:
    """Return the impurity of nodes with class weights of shape (N, K)."""
    return np.asarray(_IMPURITY[criterion](_shares(value)))


def _shares(value: Array) -> Array:
    """Return the class shares of nodes with class weights of shape (N, K)."""
    return value / value.sum(axis=1, keepdims=True)


# ------------------------------------------------------------------- one cut


@dataclass(frozen=True)
class Split:
    """The best question of a node.

    Attributes
    ----------
    feature : int
    threshold : float
        Rows with at most this value go left.
    impurity : float
        The weighted impurity of the two children.
    decrease : float
        That of the node less `impurity`; never negative (for these concave impurities).
    """

    feature: int
    threshold: float
    impurity: float
    decrease: float


def best_split(
    X: ArrayLike,
    y: ArrayLike,
    *,
    criterion: str = "gini",
    sample_weight: ArrayLike | None = None,
    min_samples_leaf: int = 1,
) -> Split:
    r"""Return the cut with the least :math:`\frac{n_1}{n}\gamma(R_1) + \frac{n_2}{n}\gamma(R_2)`.

    Both children are nonempty; ties go to the first feature, then to the lowest threshold.

    Parameters
    ----------
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
    criterion : {"gini", "entropy", "misclassification"}
    sample_weight : array-like of shape (n,), optional
        Weight k counts as k copies.
    min_samples_leaf : int
        Rows that each child must have.

    Raises
    ------
    ValueError
        If there is nothing to cut: one class, constant features, or ``min_samples_leaf`` too large.

    Examples
    --------
    >>> best_split([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1])
    Split(feature=0, threshold=2.5, impurity=0.0, decrease=0.375)
    """
    X, classes, codes = check_X_y(X, y)
    weights = check_weights(sample_weight, len(X))
    check_option(criterion, name="criterion", options=CRITERIA)
    check_scalar(min_samples_leaf, name="min_samples_leaf", kind=int, minimum=1)
    there = weights > 0
    X, codes, weights = X[there], codes[there], weights[there]
    limits = Limits(criterion, 1, 2, min_samples_leaf, X.shape[1])
    features = Sorted.of(X)
    tree = grow(features, codes, len(classes), [weights], limits)[0]
    if len(tree) == 1:
        raise ValueError(
            "there is no cut: the rows have one class, or every feature is constant, or min_samples_leaf="
            f"{min_samples_leaf} leaves no room among {len(X)} rows."
        )
    before, *after = _impurities(tree.value, criterion)
    shares = tree.value[1:].sum(axis=1) / tree.value[0].sum()
    impurity = float(shares @ after)
    return Split(int(tree.feature[0]), float(tree.threshold[0]), impurity, max(float(before) - impurity, 0.0))


# ------------------------------------------------------------------- the estimator


class DecisionTreeClassifier(Classifier):
    r"""A classification tree, grown greedily (CART), and pruned if ``ccp_alpha`` is positive.

    Parameters
    ----------
    criterion : {"gini", "entropy", "misclassification"}, default "gini"
        The impurity. By "misclassification" many cuts gain nothing: it is not strictly concave.
    max_depth : int or None, default None
        Largest number of questions on a path; 0 is a single leaf.
    min_samples_split : int, default 2
        Nodes with fewer rows are leaves.
    min_samples_leaf : int, default 1
        A cut must leave so many rows on each side.
    max_features : int, float, "sqrt" or None, default None
        Number (or share) of features, drawn anew at each node, among which the best cut is sought; where all
        of them are constant, the others are tried. None takes all, without any draw.
    ccp_alpha : float, default 0.0
        Price of a leaf: the tree is pruned to the smallest subtree with the least
        :math:`R(T) + \alpha|T|`. At 0 it is not pruned.
    random_state : int, Generator, RandomState or None, default None
        Only for drawing features.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    tree_ : Tree
        The nodes in preorder, as arrays.
    impurity_ : ndarray of shape (N,)
        Of each node, before it is cut.
    feature_importances_ : ndarray of shape (d,)
        Decrease of impurity due to each feature, weighted by shares of rows, sum 1 (all 0 for a leaf alone).
        Measured on the training rows: features with many values, cut often by chance, look important.
    max_features_ : int
    n_features_in_ : int

    Notes
    -----
    ``sample_weight`` counts copies: weight k is the row k times; ``min_samples_*`` count rows all the same.
    A node with two classes is cut wherever two of its rows differ, even if the impurity stays the same, so
    that a tree without limits errs only on rows that occur with several labels.

    Growing costs :math:`O(dn\log n)` for sorting once, then :math:`O(d)` for each row of an open node at each
    level: :math:`O(dnk)` for k levels, and :math:`O(dn^2)` for the worst tree, a chain that cuts off one row
    at a time (labels 0, 1, 0, 1, ... on a line).

    The tree is unchanged by any strictly increasing map of a feature, up to its thresholds.

    scikit-learn breaks ties between cuts at random and rounds X to single precision.

    Examples
    --------
    >>> model = DecisionTreeClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "no", "no", "yes"])
    >>> print(model.to_text(["rain", "cold"]))
    rain <= 0.5: no (2 rows)
    rain > 0.5
        cold <= 0.5: no (1 row)
        cold > 0.5: yes (1 row)
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | float | str | None = None,
        ccp_alpha: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.ccp_alpha = ccp_alpha
        self.random_state = random_state

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> DecisionTreeClassifier:
        """Grow on rows X, shape (n, d), labels y and weights, shape (n,); return self."""
        X, codes, weights = self._start_weighted_fit(X, y, sample_weight)
        limits = check_limits(self, X.shape[1])
        check_scalar(self.ccp_alpha, name="ccp_alpha", minimum=0)
        rng = check_rng(self.random_state)
        tree = grow(Sorted.of(X), codes, len(self.classes_), [weights], limits, rng)[0]
        if self.ccp_alpha > 0:
            tree = pruning_path(tree, _risks(tree, self.criterion)).subtree(self.ccp_alpha)
        self.max_features_ = limits.n_candidates
        return self._adopt(tree)

    def _adopt(self, tree: Tree) -> DecisionTreeClassifier:
        """Take a tree as one's own."""
        self.tree_ = tree
        self.impurity_ = _impurities(tree.value, self.criterion)
        self.feature_importances_ = importances(tree, self.criterion, self.n_features_in_)
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label of the leaf of each row, shape (n,)."""
        X = self._check_input(X)
        return self.classes_[majority(_shares(self.tree_.value))[self.tree_.apply(X)]]

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the class shares of the leaf of each row, shape (n, K)."""
        X = self._check_input(X)
        return _shares(self.tree_.value)[self.tree_.apply(X)]

    def apply(self, X: ArrayLike) -> NDArray[np.int64]:
        """Return the number of the leaf that each row reaches, shape (n,)."""
        X = self._check_input(X)
        return self.tree_.apply(X)

    def cost_complexity_pruning_path(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> PruningPath:
        """Return the nested sequence of pruned trees of the tree that `fit` grows without pruning."""
        params = self.get_params(deep=False) | {"ccp_alpha": 0.0}
        model = type(self)(**params).fit(X, y, sample_weight)
        return pruning_path(model.tree_, _risks(model.tree_, self.criterion))

    def to_text(self, feature_names: Sequence[str] | None = None) -> str:
        """Return the rules of the tree, one line a node.

        Parameters
        ----------
        feature_names : sequence of d str, optional
            By default those of the data frame that was fitted, else x0, x1, ...
        """
        self._check_input(np.zeros((1, getattr(self, "n_features_in_", 1))))
        default = getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])
        names = list(default if feature_names is None else feature_names)
        if len(names) != self.n_features_in_:
            raise ValueError(f"feature_names must be {self.n_features_in_} names, got {len(names)}.")
        tree, labels = self.tree_, self.classes_[majority(_shares(self.tree_.value))]
        rows = [f"{n} row" + "s" * (n != 1) for n in tree.n_rows.tolist()]
        answers = [f": {label} ({n})" for label, n in zip(labels, rows, strict=True)]
        if len(tree) == 1:
            return f"always{answers[0]}"
        lines, depth, parents = [], tree.depth, tree.parent
        for t in range(1, len(tree)):
            up = parents[t]
            sign = "<=" if t == up + 1 else ">"
            question = f"{names[tree.feature[up]]} {sign} {tree.threshold[up]:.6g}"
            lines.append("    " * (depth[t] - 1) + question + answers[t] * bool(tree.is_leaf[t]))
        return "\n".join(lines)


def importances(tree: Tree, criterion: str, d: int) -> Array:
    """Return the share of each feature in the decrease of the impurity, shape (d,)."""
    risk, inner = _risks(tree, criterion), np.flatnonzero(~tree.is_leaf)
    gains = np.maximum(risk[inner] - risk[inner + 1] - risk[tree.right[inner]], 0.0)
    totals: Array = np.bincount(tree.feature[inner], gains, minlength=d).astype(np.float64)
    return totals / totals.sum() if totals.any() else totals


def check_limits(model: Any, d: int) -> Limits:
    """Return the limits that the parameters of a tree or a forest set for d features."""
    check_option(model.criterion, name="criterion", options=CRITERIA)
    if model.max_depth is not None:
        check_scalar(model.max_depth, name="max_depth", kind=int, minimum=0)
    check_scalar(model.min_samples_split, name="min_samples_split", kind=int, minimum=2)
    check_scalar(model.min_samples_leaf, name="min_samples_leaf", kind=int, minimum=1)
    depth = math.inf if model.max_depth is None else model.max_depth
    return Limits(
        model.criterion, depth, model.min_samples_split, model.min_samples_leaf,
        _n_candidates(model.max_features, d),
    )  # fmt: skip


def _n_candidates(max_features: Any, d: int) -> int:
    if max_features is None:
        return d
    if isinstance(max_features, str):
        check_option(max_features, name="max_features", options=("sqrt",))
        return max(1, math.isqrt(d))
    if isinstance(max_features, (float, np.floating)):
        check_scalar(max_features, name="max_features, a share of the features,", above=0, maximum=1)
        return max(1, int(max_features * d))
    return int(check_scalar(max_features, name="max_features", kind=int, minimum=1, maximum=d))


# ------------------------------------------------------------------- pruning


def _risks(tree: Tree, criterion: str) -> Array:
    """Return R(t) of each node: its share of the weight times its impurity, shape (N,)."""
    weights = tree.value.sum(axis=1)
    return weights / weights[0] * _impurities(tree.value, criterion)


@dataclass(frozen=True)
class PruningPath:
    r"""The nested sequence of trees that are best for a price :math:`\alpha` of a leaf.

    Attributes
    ----------
    ccp_alphas : ndarray of shape (m,)
        Prices at which the tree changes, ascending, the first one 0. The tree of ``ccp_alphas[i]`` is the
        smallest one with the least :math:`R(T) + \alpha|T|` for all prices up to the next.
    impurities : ndarray of shape (m,)
        R(T), the sum of the risks of the leaves.
    n_leaves : ndarray of int64, shape (m,)
        :math:`|T|`; the last is 1.
    collapse : ndarray of shape (N,)
        The price from which on a node is no inner node; infinite at a leaf of the full tree.
    tree : Tree
        The full tree.
    """

    ccp_alphas: Array
    impurities: Array
    n_leaves: NDArray[np.int64]
    collapse: Array
    tree: Tree

    def subtree(self, alpha: float) -> Tree:
        """Return the smallest subtree with the least cost at the price alpha >= 0."""
        check_scalar(alpha, name="alpha", minimum=0)
        kept, parents = np.ones(len(self.tree), dtype=bool), self.tree.parent
        kept[1:] = self.collapse[parents[1:]] > alpha  # a node's price is at most its ancestors'
        return self.tree.keep(kept)


def pruning_path(tree: Tree, risk: ArrayLike) -> PruningPath:
    r"""Prune a tree link by weakest link (Breiman et al. 1984, section 3.3).

    For an inner node t with the subtree :math:`T_t`, :math:`g(t) = \frac{R(t) - R(T_t)}{|T_t| - 1}` is the
    price at which the subtree is no longer worth its leaves. The node with the least g becomes a leaf, its
    ancestors' g is updated, and so on. The update never lowers a g: a queue of old values is a queue of lower
    bounds, which is looked at again when its turn comes. Cost: :math:`O(N(\log N + \text{depth}))`.

    Parameters
    ----------
    tree : Tree
        Of N nodes.
    risk : array-like of shape (N,)
        R(t) >= 0 of each node as a leaf.
    """
    R = check_vector(risk, name="risk", n=len(tree), minimum=0)
    leaves, below, size = np.ones(len(tree), dtype=np.int64), R.copy(), np.ones(len(tree), dtype=np.int64)
    inner = np.flatnonzero(~tree.is_leaf)
    for t in inner[::-1]:
        children = [t + 1, tree.right[t]]
        leaves[t], below[t], size[t] = leaves[children].sum(), below[children].sum(), 1 + size[children].sum()
    rounding = len(tree) * np.finfo(np.float64).eps * max(R[0], below[0])

    def price(t: Any) -> float:
        gap = R[t] - below[t]
        return float(gap / (leaves[t] - 1)) if gap > rounding else 0.0

    collapse, parents, is_gone = np.full(len(tree), np.inf), tree.parent, np.zeros(len(tree), dtype=bool)
    queue = [(price(t), int(t)) for t in inner]
    heapq.heapify(queue)
    steps = [(0.0, float(below[0]), int(leaves[0]))]
    while queue:
        g, t = heapq.heappop(queue)
        if is_gone[t]:
            continue
        if (now := price(t)) > g:
            heapq.heappush(queue, (now, t))
            continue
        alpha = steps[-1][0] if g - steps[-1][0] <= rounding else g  # equal prices, up to rounding
        block = slice(t, t + size[t])
        is_gone[block] = True
        collapse[block] = np.minimum(collapse[block], alpha)
        fewer, more = leaves[t] - 1, R[t] - below[t]
        while t >= 0:
            leaves[t] -= fewer
            below[t] += more
            t = int(parents[t])
        step = (alpha, float(below[0]), int(leaves[0]))
        steps[-1 if alpha == steps[-1][0] else len(steps) :] = [step]
    collapse[tree.is_leaf] = np.inf
    alphas, impurities, n_leaves = zip(*steps, strict=True)
    return PruningPath(np.array(alphas), np.array(impurities), np.array(n_leaves), collapse, tree)


@dataclass(frozen=True)
class AlphaChoice:
    """What cross-validation says of each price of a leaf.

    Attributes
    ----------
    alphas : ndarray of shape (m,)
        One price for each tree of the path, between those at which it changes (geometric mean).
    errors, standard_errors : ndarray of shape (m,)
        Cross-validated error rate, and its standard error over the folds.
    best : float
        The largest price with the least error.
    simplest : float
        The largest price whose error is at most the least one plus its standard error.
    """

    alphas: Array
    errors: Array
    standard_errors: Array
    best: float
    simplest: float


def choose_alpha(
    model: DecisionTreeClassifier,
    X: ArrayLike,
    y: ArrayLike,
    folds: Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> AlphaChoice:
    """Choose ``ccp_alpha`` by cross-validation: in each fold one tree is grown and pruned at every price.

    Parameters
    ----------
    model : DecisionTreeClassifier
        Its other parameters are kept.
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
    folds : iterable of pairs of row numbers (training, test)
        At least two, as of `mlnotes.evaluation.k_folds`.
    """
    X, _, codes = check_X_y(X, y)
    path = model.cost_complexity_pruning_path(X, codes).ccp_alphas
    alphas = np.append(np.sqrt(path[:-1] * path[1:]), path[-1])
    rates = []
    for training, test in folds:
        fold = model.cost_complexity_pruning_path(X[training], codes[training])
        present = np.unique(codes[training])
        trees = [fold.subtree(alpha) for alpha in alphas]
        answers = [present[majority(tree.value)[tree.apply(X[test])]] for tree in trees]
        rates.append([np.mean(answer != codes[test]) for answer in answers])
    if len(rates) < 2:
        raise ValueError(f"folds must be at least 2 pairs of row numbers, got {len(rates)}.")
    errors = np.mean(rates, axis=0)
    deviations = np.std(rates, axis=0, ddof=1) / math.sqrt(len(rates))
    least = int(np.flatnonzero(errors == errors.min())[-1])
    allowed = np.flatnonzero(errors <= errors[least] + deviations[least])[-1]
    return AlphaChoice(alphas, errors, deviations, float(alphas[least]), float(alphas[allowed]))


# ------------------------------------------------------------------- the whole class of trees


def partition_loss(boxes: ArrayLike, y: ArrayLike) -> float:
    r"""Return :math:`\frac1n\sum_j n(B_j)(1 - \max_y P_y(B_j))`, the training error of a partition.

    Parameters
    ----------
    boxes : array-like of shape (n,)
        The box that each training row lies in, any labels.
    y : array-like of shape (n,)

    Examples
    --------
    >>> partition_loss([0, 0, 0, 1], ["a", "a", "b", "b"])
    0.25
    """
    names, places = check_labels(boxes, name="boxes")
    classes, codes = check_labels(y, n_rows=len(places))
    counts = np.bincount(places * len(classes) + codes, minlength=len(names) * len(classes))
    return float(1 - counts.reshape(len(names), -1).max(axis=1).sum() / len(codes))


def n_formal_trees(n: int, d: int, depth: int) -> int:
    r"""Return :math:`(dn)^{2^k - 1}\,2^{2^k}`: full trees of depth k, d features, n thresholds, two labels.

    A polynomial in d of degree :math:`2^k - 1`, doubly exponential in k; different trees may be one function.
    """
    for value, name, least in ((n, "n", 1), (d, "d", 1), (depth, "depth", 0)):
        check_scalar(value, name=name, kind=int, minimum=least)
    return int((d * n) ** (2**depth - 1) * 2 ** (2**depth))


def exhaustive_tree(X: ArrayLike, y: ArrayLike, depth: int) -> Tree:
    """Return a tree of at most the given depth with the fewest training errors: all trees are tried.

    This is empirical risk minimisation over trees, what CART approximates. Of equally good trees it takes a
    leaf before a cut, then the first feature and the lowest threshold. Cost: of the order of
    (dn)^depth n K; for depth 2 and a few hundred rows, seconds.

    Parameters
    ----------
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
    depth : int
        At least 0.
    """
    X, classes, codes = check_X_y(X, y)
    check_scalar(depth, name="depth", kind=int, minimum=0)
    _, nodes = _least_errors(X, np.eye(len(classes))[codes], depth)
    feature, threshold, right, value, n_rows = (list(column) for column in zip(*nodes, strict=True))
    return Tree(
        np.array(feature), np.array(threshold, dtype=np.float64), np.array(right), np.array(value),
        np.array(n_rows),
    )  # fmt: skip


def _least_errors(X: Array, hot: Array, depth: int) -> tuple[float, list[tuple[Any, ...]]]:
    """Return the least number of errors and the nodes of a tree that makes it; hot (n, K) is one-hot."""
    counts = hot.sum(axis=0)
    errors, best = counts.sum() - counts.max(), None
    if depth == 0 or errors == 0:
        return errors, [(-1, 0.0, -1, counts, len(X))]
    for j in range(X.shape[1]):
        for order, i in _cuts(X[:, j], hot, depth, errors):
            left = _least_errors(X[order[: i + 1]], hot[order[: i + 1]], depth - 1)
            right = _least_errors(X[order[i + 1 :]], hot[order[i + 1 :]], depth - 1)
            if left[0] + right[0] < errors:
                errors, best = left[0] + right[0], (j, X[order[i : i + 2], j].mean(), left[1], right[1])
    if best is None:
        return errors, [(-1, 0.0, -1, counts, len(X))]
    j, threshold, low, high = best
    root = (j, threshold, 1 + len(low), counts, len(X))
    return errors, [root, *_shifted(low, 1), *_shifted(high, 1 + len(low))]


def _cuts(column: Array, hot: Array, depth: int, errors: float) -> list[tuple[NDArray[np.int64], int]]:
    """Return the cuts of a feature worth a look: all, or for a stump the best one if it is good enough."""
    order = column.argsort(kind="stable")
    places = np.flatnonzero(column[order[1:]] > column[order[:-1]])
    if depth > 1 or not places.size:
        return [(order, int(i)) for i in places]
    left = np.cumsum(hot[order], axis=0)[places]
    wrong = len(hot) - left.max(axis=1) - (hot.sum(axis=0) - left).max(axis=1)
    return [(order, int(places[wrong.argmin()]))] if wrong.min() < errors else []


def _shifted(nodes: list[tuple[Any, ...]], by: int) -> list[tuple[Any, ...]]:
    """Return the nodes of a subtree, numbered from `by` on."""
    return [(f, t, r + by if r >= 0 else -1, *rest) for f, t, r, *rest in nodes]
