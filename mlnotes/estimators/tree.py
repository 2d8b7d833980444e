r"""Classification trees on data: grown greedily (CART), pruned, with scikit-learn's conventions.

Definitions and plain algorithms are in the reference module, `mlnotes.tree`. `mlnotes.engines.tree_growing`
finds the best splits of all nodes of a level at once, and `mlnotes.engines.tree_pruning` the weakest links.

Ties. Of equally good splits the first feature wins, then the lowest threshold; impurities that differ by no
more than floating-point error count as equal. A leaf predicts the first of its most frequent classes.

Sources: Yan, slides on classification trees; Recitation 7, section 3; Breiman, Friedman, Olshen and Stone,
*Classification and Regression Trees* (1984), chapters 2 to 4 (CART, pruning).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import tree as reference
from mlnotes.engines import tree_growing as growing
from mlnotes.engines import tree_nodes as nodes
from mlnotes.engines import tree_pruning as pruning
from mlnotes.engines.tree_features import SortedFeatures
from mlnotes.engines.tree_splits import ROUNDING, Limits
from mlnotes.estimators.base import (
    Classifier,
    check_count,
    check_fitted,
    check_option,
    check_rng,
    check_scalar,
    check_vector,
    check_X_y,
)

Array = NDArray[np.float64]
Impurity = Callable[[Array], Array]

CRITERIA: dict[str, Impurity] = {
    "gini": reference.gini,
    "entropy": reference.entropy,
    "misclassification": reference.misclassification,
}


class DecisionTreeClassifier(Classifier):
    r"""A classification tree, grown greedily (CART), and pruned if ``ccp_alpha`` is positive.

    Parameters
    ----------
    criterion : {"gini", "entropy", "misclassification"} or callable, default "gini"
        The impurity. With "misclassification" many splits gain nothing: it is not strictly concave. A
        function maps class proportions, shape (m, K), to impurities, shape (m,).
    max_depth : int or None, default None
        Largest depth of a leaf; 0 is a single leaf.
    min_samples_split : int, default 2
        Nodes with fewer observations are leaves.
    min_samples_leaf : int, default 1
        Each child of a split must have so many observations.
    max_features : int, float, "sqrt" or None, default None
        Number (or fraction) of features, drawn anew at each node, that are considered for its split; where
        all of them are constant, the others are. None considers all, without any draw.
    ccp_alpha : float, default 0.0
        Complexity parameter: the tree is pruned to the smallest subtree that minimises
        :math:`R(T) + \alpha|T|`. At 0 it is not pruned.
    random_state : int, Generator, RandomState or None, default None
        Only for drawing features.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    tree_ : Tree
        The nodes in preorder, as arrays.
    impurity_ : ndarray of shape (N,)
        Of each node, before it is split.
    feature_importances_ : ndarray of shape (d,)
        Fraction of the decrease of the risk that is due to each feature (all 0 for a leaf alone). It is
        measured on the training set: features with many values, often split by chance, look important.
    max_features_ : int
    n_features_in_ : int

    Notes
    -----
    ``sample_weight`` counts copies: weight k is the observation k times; ``min_samples_*`` ignore weights. A
    node with two classes is split wherever two of its observations differ, even if the impurity stays the
    same, so that a tree without limits errs only on observations that occur with several labels.

    Growing to depth k costs :math:`O(dnk\log n)`, and :math:`O(dn^2\log n)` for the worst tree, a chain that
    separates one observation at a time (labels 0, 1, 0, 1, ... on a line).

    The tree is unchanged by any strictly increasing map of a feature, up to its thresholds.

    scikit-learn breaks ties between splits at random and rounds X to single precision.

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
        criterion: str | Impurity = "gini",
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
        """Grow on X, shape (n, d), labels y and weights, shape (n,); return self."""
        X, codes, weights = self._start_weighted_fit(X, y, sample_weight)
        limits = check_limits(self, X.shape[1])
        check_scalar(self.ccp_alpha, name="ccp_alpha", minimum=0)
        rng = check_rng(self.random_state)
        (tree,) = growing.grow(SortedFeatures.of(X), codes, len(self.classes_), [weights], limits, rng)
        if self.ccp_alpha > 0:
            tree = pruning_path(tree, _node_risks(tree, self.criterion)).subtree(self.ccp_alpha)
        self.max_features_ = limits.max_features
        return self._adopt(tree)

    def _adopt(self, tree: nodes.Tree) -> DecisionTreeClassifier:
        """Use this tree."""
        self.tree_ = tree
        self._majority = reference.proportions(tree.value).argmax(axis=1)
        self.impurity_ = _impurity(tree.value, self.criterion)
        self.feature_importances_ = importances(tree, self.criterion, self.n_features_in_)
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the majority label of the leaf of each observation, shape (n,)."""
        X = self._check_input(X)
        return self.classes_.take(self._majority.take(self.tree_.apply(X)))

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the class proportions in the leaf of each observation, shape (n, K)."""
        X = self._check_input(X)
        return reference.proportions(self.tree_.value)[self.tree_.apply(X)]

    def apply(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return the number of the leaf that each observation reaches, shape (n,)."""
        X = self._check_input(X)
        return self.tree_.apply(X)

    def cost_complexity_pruning_path(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> PruningPath:
        """Return the nested sequence of pruned trees of the tree that `fit` grows without pruning."""
        params = self.get_params() | {"ccp_alpha": 0.0}
        model = type(self)(**params).fit(X, y, sample_weight)
        return pruning_path(model.tree_, _node_risks(model.tree_, self.criterion))

    def to_text(self, feature_names: Sequence[str] | None = None) -> str:
        """Return the tree as text, one line a node.

        Parameters
        ----------
        feature_names : sequence of d str, optional
            By default those of the data frame that was fitted, else x0, x1, ...
        """
        check_fitted(self)
        default = getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])
        names = list(default if feature_names is None else feature_names)
        if len(names) != self.n_features_in_:
            raise ValueError(f"feature_names must be {self.n_features_in_} names, got {len(names)}.")
        tree, labels = self.tree_, self.classes_[self._majority]
        sizes = [f"{n} row" + "s" * (n != 1) for n in tree.n_rows.tolist()]
        predictions = [f": {label} ({size})" for label, size in zip(labels, sizes, strict=True)]
        if len(tree) == 1:
            return f"always{predictions[0]}"
        lines, depth, parents = [], tree.depth, tree.parent
        for t in range(1, len(tree)):
            up = parents[t]
            sign = "<=" if t == up + 1 else ">"
            test = f"{names[tree.feature[up]]} {sign} {tree.threshold[up]:.6g}"
            lines.append("    " * (depth[t] - 1) + test + predictions[t] * bool(tree.is_leaf[t]))
        return "\n".join(lines)


def check_limits(model: Any, d: int) -> Limits:
    """Return the limits that the parameters of a tree or a forest set for d features."""
    rule = _criterion(model.criterion)
    if model.max_depth is not None:
        check_scalar(model.max_depth, name="max_depth", kind=int, minimum=0)
    check_scalar(model.min_samples_split, name="min_samples_split", kind=int, minimum=2)
    check_count(model.min_samples_leaf, name="min_samples_leaf")
    depth = math.inf if model.max_depth is None else model.max_depth
    n_candidates = _n_candidates(model.max_features, d)
    return Limits(n_candidates, rule, depth, model.min_samples_split, model.min_samples_leaf)


def _criterion(criterion: str | Impurity) -> str | Impurity:
    """Return the name of a criterion that the engine knows, or a function."""
    if callable(criterion):
        names = {function: name for name, function in CRITERIA.items()}
        return names.get(criterion, criterion)
    return check_option(criterion, name="criterion", options=tuple(CRITERIA))


def _impurity(value: Array, criterion: str | Impurity) -> Array:
    """Return the impurity of each node, shape (N,)."""
    function = criterion if callable(criterion) else CRITERIA[criterion]
    return function(reference.proportions(value))


def _node_risks(tree: nodes.Tree, criterion: str | Impurity) -> Array:
    """Return R(t) of each node, whether it is a leaf or not, shape (N,)."""
    return tree.value.sum(axis=1) / tree.value[0].sum() * _impurity(tree.value, criterion)


def importances(tree: nodes.Tree, criterion: str | Impurity, d: int) -> Array:
    """Return the fraction of the decrease of the risk that is due to each feature, shape (d,)."""
    R, n = _node_risks(tree, criterion), tree.value.sum(axis=1)
    decrease = R - R[tree.left] - R[tree.right]
    terms = tree.value.shape[1] + tree.n_rows * (tree.value % 1).any()  # of a sum; whole numbers are exact
    decrease[decrease <= ROUNDING * terms * n / n[0]] = 0.0
    sums = np.bincount(tree.feature + 1, decrease, minlength=d + 1)[1:].astype(np.float64)  # without leaves
    return sums / sums.sum() if sums.any() else sums


def _n_candidates(max_features: Any, d: int) -> int:
    if max_features is None:
        return d
    if isinstance(max_features, str):
        check_option(max_features, name="max_features", options=("sqrt",))
        return math.isqrt(d)
    if isinstance(max_features, (float, np.floating)):
        check_scalar(max_features, name="max_features, a fraction of the features,", above=0, maximum=1)
        return max(1, int(max_features * d))
    return int(check_count(max_features, name="max_features", maximum=d))


# ------------------------------------------------------------------- pruning


@dataclass(frozen=True)
class PruningPath:
    r"""The nested sequence of the trees that minimise :math:`R(T) + \alpha|T|` for some :math:`\alpha`.

    Attributes
    ----------
    ccp_alphas : ndarray of shape (m,)
        Values of :math:`\alpha` at which the tree changes, ascending from 0. The tree of ``ccp_alphas[i]`` is
        the smallest of the best ones up to the next value.
    impurities : ndarray of shape (m,)
        R(T), the sum of the risks of the leaves.
    n_leaves : ndarray of intp, shape (m,)
        :math:`|T|`; the last is 1.
    collapse : ndarray of shape (N,)
        The :math:`\alpha` from which on a node is not split; infinite at a leaf of the full tree.
    tree : Tree
        The full tree.
    """

    ccp_alphas: Array
    impurities: Array
    n_leaves: NDArray[np.intp]
    collapse: Array
    tree: nodes.Tree

    def subtree(self, alpha: float) -> nodes.Tree:
        r"""Return the smallest subtree that minimises :math:`R(T) + \alpha|T|`, for :math:`\alpha \ge 0`."""
        check_scalar(alpha, name="alpha", minimum=0)
        stays, parents = np.ones(len(self.tree), dtype=bool), self.tree.parent
        stays[1:] = self.collapse[parents[1:]] > alpha  # that of a node is at most its ancestors'
        return self.tree.keep(stays)


def pruning_path(tree: nodes.Tree, risk: ArrayLike) -> PruningPath:
    """Collapse the weakest link of a tree again and again (Breiman et al. 1984, section 3.3).

    Parameters
    ----------
    tree : Tree
        Of N nodes.
    risk : array-like of shape (N,)
        R(t) >= 0 of each node as a leaf.
    """
    R = check_vector(risk, name="risk", n=len(tree), minimum=0)
    return PruningPath(*pruning.weakest_links(tree.right, tree.parent, R), tree)


@dataclass(frozen=True)
class AlphaChoice:
    r"""Cross-validated errors for each value of :math:`\alpha`.

    Attributes
    ----------
    alphas : ndarray of shape (m,)
        One value for each tree of the path: the geometric mean of the ends of its interval.
    errors, standard_errors : ndarray of shape (m,)
        Cross-validated error rate, and its standard error over the folds.
    best : float
        The largest value with the smallest error.
    simplest : float
        The largest value whose error is at most the smallest one plus its standard error.
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
    folds: Iterable[tuple[NDArray[Any], NDArray[Any]]],
) -> AlphaChoice:
    """Choose ``ccp_alpha`` by cross-validation: in each fold one tree is grown, and pruned at every value.

    Parameters
    ----------
    model : DecisionTreeClassifier
        Its other parameters are kept.
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
    folds : iterable of pairs of row numbers (training, test)
        At least two, as of `mlnotes.estimators.evaluation.k_folds`.
    """
    X, _, codes = check_X_y(X, y)
    path = model.cost_complexity_pruning_path(X, codes).ccp_alphas
    alphas = np.append(np.sqrt(path[:-1] * path[1:]), path[-1])
    rates = []
    for training, test in folds:
        fold = model.cost_complexity_pruning_path(X[training], codes[training])
        present = np.unique(codes[training])
        trees = [fold.subtree(alpha) for alpha in alphas]
        predictions = [present[tree.value.argmax(axis=1)[tree.apply(X[test])]] for tree in trees]
        rates.append([np.mean(predicted != codes[test]) for predicted in predictions])
    if len(rates) < 2:
        raise ValueError(f"folds must be at least 2 pairs of row numbers, got {len(rates)}.")
    errors = np.mean(rates, axis=0)
    deviations = np.std(rates, axis=0, ddof=1) / math.sqrt(len(rates))
    least = int(np.flatnonzero(errors == errors.min())[-1])
    allowed = np.flatnonzero(errors <= errors[least] + deviations[least])[-1]
    return AlphaChoice(alphas, errors, deviations, float(alphas[least]), float(alphas[allowed]))
