r"""Ensembles of trees on data: bagging and random forests, with scikit-learn's conventions.

Definitions and plain algorithms are in the reference module, `mlnotes.ensemble`; here all trees grow at once,
see `mlnotes.engines.tree_growing`. If several classes have equally many votes, the first of them wins, so
that `predict` agrees with the first largest entry of `predict_proba`: scikit-learn's rule.

AdaBoost is in `mlnotes.estimators.boosting`; its name is also here.

Sources: Yan, slides on bagging and random forests; Breiman, *Bagging predictors* (1996) and *Random forests*
(2001).
"""

from __future__ import annotations

import itertools
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import ensemble as reference
from mlnotes.engines.progress import Tell, counted, progress, report
from mlnotes.engines.tree_features import SortedFeatures
from mlnotes.engines.tree_growing import grow
from mlnotes.engines.tree_nodes import PackedTrees, Tree, prediction_blocks
from mlnotes.engines.tree_splits import Limits
from mlnotes.ensemble import Stump
from mlnotes.estimators.base import Classifier, LimitWarning, check_count, check_option, check_rng
from mlnotes.estimators.boosting import AdaBoostClassifier, fresh_copy
from mlnotes.estimators.tree import DecisionTreeClassifier, check_limits, importances

__all__ = ["AdaBoostClassifier", "BaggingClassifier", "RandomForestClassifier", "Stump"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

_TOGETHER = 2**18  # observations of all trees that grow together,
_ENTRIES = 2**25  # with an integer for every feature, 256 MiB at most
_BATCHES = 4  # of trees that grow together, so that threads have work,
_WORTH = 2**13  # where each has so many instances


def _count_votes(predictions: Ints, K: int) -> Array:
    """Return how many of the B trees predict each class, shape (n, K); predictions has shape (B, n)."""
    n = predictions.shape[1]
    votes = np.bincount((predictions + K * np.arange(n)).ravel(), minlength=n * K)
    return votes.reshape(n, K).astype(np.float64)


class _Voting(Classifier):
    """Trees that vote, each grown on its bootstrap sample, and the out-of-bag error."""

    n_estimators: int
    criterion: str
    oob_score: bool
    n_jobs: int | None
    random_state: Any
    verbose: bool | Tell

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label with the most votes for each observation, shape (n,)."""
        X = self._check_input(X)
        return self.classes_[self._votes(X).argmax(axis=1)]

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the proportion of the votes for each class, shape (n, K)."""
        X = self._check_input(X)
        return self._votes(X) / len(self._seeds)

    def _predictions(self, members: range, X: Array) -> Ints:
        """Return the class, 0, ..., K-1, that each of b trees predicts, shape (b, n)."""
        return self._majority.take(self._packed.leaves(X, slice(members.start, members.stop)))

    def _votes(self, X: Array) -> Array:
        """Return the number of votes for each class, shape (n, K)."""
        K, n_threads = len(self.classes_), self._n_threads()

        def count(members: range) -> Array:
            votes = np.zeros((len(X), K))
            for block, together in prediction_blocks(*X.shape):
                rows = X[block]
                for b in range(0, len(members), together):
                    votes[block] += _count_votes(self._predictions(members[b : b + together], rows), K)
            return votes

        parts = _shared_out(len(self._seeds), n_threads)
        return np.sum(list(_in_threads(count, parts, n_threads)), axis=0)

    def _n_threads(self) -> int:
        return 1 if self.n_jobs is None else int(check_count(self.n_jobs, name="n_jobs"))

    def _start_voting(self, X: ArrayLike, y: ArrayLike) -> tuple[Array, Ints]:
        X, codes = self._start_fit(X, y)
        check_count(self.n_estimators, name="n_estimators")
        check_option(self.oob_score, name="oob_score", options=(False, True))
        self._n_threads()
        rng = check_rng(self.random_state)
        self._seeds, self._n_rows = rng.integers(np.iinfo(np.int64).max, size=self.n_estimators), len(X)
        self._criterion = self.criterion  # a parameter may change after the fit
        return X, codes

    def _draws(self, b: int) -> Ints:
        """Return the bootstrap sample of tree b: rows of X, shape (n,)."""
        return reference.bootstrap_rows(self._n_rows, np.random.default_rng(self._seeds[b]))

    def _counts(self, b: int) -> Array:
        """Return how often each row of X was drawn for tree b, shape (n,)."""
        return np.bincount(self._draws(b), minlength=self._n_rows).astype(np.float64)

    def _set_out_of_bag(self, X: Array, codes: Ints) -> None:
        """Let each observation be judged by the classifiers that have not seen it."""
        votes = np.zeros((len(X), len(self.classes_)))
        for b in range(self.n_estimators):
            unseen = np.flatnonzero(self._counts(b) == 0)
            if unseen.size:
                votes[unseen, self._predictions(range(b, b + 1), X[unseen])[0]] += 1
        n_votes = votes.sum(axis=1)
        if not n_votes.all():
            message = (
                f"{(n_votes == 0).sum()} of {len(X)} rows were drawn for all {self.n_estimators} "
                "classifiers: the out-of-bag score leaves them out; use more classifiers."
            )
            warnings.warn(message, LimitWarning, stacklevel=3)
        self.oob_decision_function_ = votes / np.maximum(n_votes, 1)[:, None]
        judged = n_votes > 0
        right = votes.argmax(axis=1)[judged] == codes[judged]
        self.oob_score_ = float(right.mean()) if judged.any() else 0.0

    def _grow(self, X: Array, codes: Ints, limits: Limits) -> None:
        """Grow all trees, some of them at once; the result does not depend on the number of threads."""
        features, K, B = SortedFeatures.of(X), len(self.classes_), self.n_estimators

        def batch(members: range) -> list[Tree]:
            rng = np.random.default_rng([self._seeds[members.start], 1])
            return grow(features, codes, K, [self._counts(b) for b in members], limits, rng)

        n_instances = B * len(X)
        least = math.ceil(max(n_instances / _TOGETHER, n_instances * X.shape[1] / _ENTRIES))
        batches = _shared_out(B, min(max(least, min(_BATCHES, n_instances // _WORTH)), B))
        trees: list[Tree] = []
        with progress(type(self).__name__, self.verbose) as tell:
            for part in _in_threads(batch, batches, self._n_threads()):
                trees += part
                report(tell, len(trees), B, "trees")
        self.trees_, self._packed = trees, PackedTrees.of(trees)
        self._majority = self._packed.arrange([tree.value for tree in trees]).argmax(axis=1)

    @property
    def estimators_(self) -> list[DecisionTreeClassifier]:
        """The trees as estimators; their labels are the positions 0, ..., K-1 of those of the ensemble."""
        members = []
        for tree in self.trees_:
            member = DecisionTreeClassifier(criterion=self._criterion)
            member.n_features_in_, member.classes_ = self.n_features_in_, np.arange(len(self.classes_))
            members.append(member._adopt(tree))
        return members

    @property
    def feature_importances_(self) -> Array:
        """Mean of the importances in the trees, shape (d,); measured on the training set, as theirs are."""
        d = self.n_features_in_
        mean = np.mean([importances(tree, self._criterion, d) for tree in self.trees_], axis=0)
        return mean / mean.sum() if mean.any() else mean

    @property
    def estimators_samples_(self) -> list[Ints]:
        """The bootstrap sample of each tree: the rows of X that it was grown on, shape (n,)."""
        return [self._draws(b) for b in range(len(self._seeds))]


class BaggingClassifier(_Voting):
    r"""Majority vote of copies of one method, each fitted to a bootstrap sample (Breiman, 1996).

    Parameters
    ----------
    estimator : estimator or None, default None
        The method; None is `DecisionTreeClassifier` without limits. Other trees and methods are fitted one by
        one.
    n_estimators : int, default 100
        B, the number of classifiers.
    oob_score : bool, default False
        Whether to compute the out-of-bag score.
    n_jobs : int or None, default None
        Threads for growing trees; None is 1, as is any number in a browser. The result is the same.
    random_state : int, Generator, RandomState or None, default None
    verbose : bool or callable, default False
        Whether a fit of more than a second says how far it is; see `mlnotes.engines.progress`.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    estimators_ : list of fitted estimators
        Their labels are the positions 0, ..., K-1 of ``classes_``.
    oob_score_ : float
        With ``oob_score``: accuracy of the votes of those classifiers that have not seen an observation.
    oob_decision_function_ : ndarray of shape (n, K)
        Proportions of these votes; zeros where every classifier has seen the observation.
    n_features_in_ : int

    Warns
    -----
    LimitWarning
        If some observation was drawn for every classifier.

    Notes
    -----
    An observation is not drawn with probability :math:`(1 - 1/n)^n \approx 0.37`. Given the training set the
    classifiers are independent and identically distributed. There is no ``sample_weight``: an observation of
    weight 2 is not two observations to draw from.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> BaggingClassifier(n_estimators=50, random_state=0).fit(X, y).predict([[0.0], [3.0]]).tolist()
    ['a', 'b']
    """

    criterion = "gini"
    members_: list[Any] | None

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 100,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool | Tell = False,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: ArrayLike) -> BaggingClassifier:
        """Fit to X, shape (n, d), and labels y, shape (n,); return self."""
        X, codes = self._start_voting(X, y)
        members: list[Any] = []
        if self.estimator is None:
            self._grow(X, codes, Limits(X.shape[1]))
        else:
            with progress("BaggingClassifier", self.verbose) as tell:
                for b in counted(range(self.n_estimators), "classifiers", tell):
                    rows, rng = self._draws(b), np.random.default_rng(self._seeds[b])
                    members.append(fresh_copy(self.estimator, rng).fit(X[rows], codes[rows]))
        self.members_ = members or None
        if self.oob_score:
            self._set_out_of_bag(X, codes)
        return self

    def _predictions(self, members: range, X: Array) -> Ints:
        if self.members_ is None:
            return super()._predictions(members, X)
        return np.stack([self.members_[b].predict(X) for b in members])

    @property
    def estimators_(self) -> list[Any]:
        """The classifiers; their labels are the positions 0, ..., K-1 of those of the ensemble."""
        return super().estimators_ if self.members_ is None else self.members_


class RandomForestClassifier(_Voting):
    r"""Majority vote of bagged trees that choose each split among a few features (Breiman, 2001).

    Parameters
    ----------
    n_estimators : int, default 100
        B, the number of trees.
    criterion, max_depth, min_samples_split, min_samples_leaf
        As in `DecisionTreeClassifier`.
    max_features : int, float, "sqrt" or None, default "sqrt"
        q, the number (or fraction) of features, drawn anew at every node, that it considers; d is bagging.
    oob_score, n_jobs, random_state, verbose
        As in `BaggingClassifier`.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    trees_ : list of B `mlnotes.engines.tree_nodes.Tree`
    estimators_ : list of B DecisionTreeClassifier
    feature_importances_ : ndarray of shape (d,)
    oob_score_, oob_decision_function_
        As in `BaggingClassifier`.
    n_features_in_ : int

    Notes
    -----
    The vote counts trees; scikit-learn averages their class proportions instead, which is the same for trees
    grown until every leaf is pure. The bootstrap is a weight: an observation drawn twice counts twice.

    Several trees grow together, level by level (see `mlnotes.engines.tree_growing`).

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> forest = RandomForestClassifier(n_estimators=20, random_state=0).fit(X, y)
    >>> forest.predict([[0.0], [3.0]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | float | str | None = "sqrt",
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool | Tell = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: ArrayLike) -> RandomForestClassifier:
        """Fit to X, shape (n, d), and labels y, shape (n,); return self."""
        X, codes = self._start_voting(X, y)
        self._grow(X, codes, check_limits(self, X.shape[1]))
        if self.oob_score:
            self._set_out_of_bag(X, codes)
        return self


def _shared_out(n: int, n_parts: int) -> list[range]:
    """Return 0, ..., n - 1 in consecutive parts whose sizes differ by at most one."""
    ends = [i * n // n_parts for i in range(n_parts + 1)]
    return [range(*pair) for pair in itertools.pairwise(ends)]


def _in_threads(task: Callable[[Any], Any], arguments: Iterable[Any], n_threads: int) -> Iterator[Any]:
    """Yield the task of each argument. NumPy lets go of the interpreter while it sorts, gathers and adds."""
    if n_threads == 1 or sys.platform == "emscripten":  # a browser's Python has no threads
        yield from map(task, arguments)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        yield from pool.map(task, arguments)
