r"""AdaBoost: a weighted sum of weak classifiers, each fitted where those before it were wrong.

==================  =========  =========================================================================
symbol              shape      name in the code
==================  =========  =========================================================================
:math:`w`           ``(n,)``   weights of the observations, sum 1
:math:`f_m`                    ``estimators_[m]``; in formulas it predicts :math:`\pm1`
err                 ``(M,)``   ``estimator_errors_``: weighted error of each classifier
:math:`\alpha`      ``(M,)``   ``estimator_weights_``: :math:`\log\frac{1 - \mathrm{err}}{\mathrm{err}}`
:math:`F`           ``(n,)``   ``decision_function``: :math:`\sum_m\alpha_mf_m(x)`
==================  =========  =========================================================================

This is the AdaBoost of the slides: :math:`\alpha` is the whole log-odds, and only the weights of
misclassified observations are multiplied, by :math:`e^\alpha`. Much of the literature takes half of
:math:`\alpha` and multiplies by :math:`e^{\pm\alpha/2}`; after normalising, the weights are the same. Half of
one and half of the other is wrong.

At :math:`F = 0` **the first class** is predicted, and the first of several classes with equal scores, so
that `predict` agrees with the first largest entry of `predict_proba`, scikit-learn's rule. Scores that differ
by no more than rounding (:math:`2^{-40}` of their sum, or of 1) are made equal.

Sources: Yan, slides on boosting; Freund and Schapire, *A decision-theoretic generalization of on-line
learning and an application to boosting* (1997); Zhu, Zou, Rosset and Hastie, *Multi-class AdaBoost* (2009).
"""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import ensemble as reference
from mlnotes.engines.progress import Tell, progress, report
from mlnotes.engines.tree_features import SortedFeatures, midpoint
from mlnotes.ensemble import Stump
from mlnotes.estimators.base import Classifier, LimitWarning, check_count, check_labels, check_rng
from mlnotes.tree import proportions

__all__ = ["AdaBoostClassifier", "fresh_copy"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

_UNITS = 2.0**50  # weights are integers, with this sum
_BLOCK = 2**15  # entries of a block of features: its temporaries stay in cache
TIE = 2.0**-40  # errors and scores that differ by no more than this count as equal
_TIE = round(TIE * _UNITS)


def fresh_copy(estimator: Any, rng: np.random.Generator) -> Any:
    """Return a new estimator with the same parameters, and a seed of its own if it takes one."""
    if not all(hasattr(estimator, name) for name in ("fit", "predict", "get_params")):
        raise ValueError(f"estimator must have fit, predict and get_params, got {estimator!r}.")
    params = copy.deepcopy(estimator.get_params(deep=False))
    if "random_state" in params:
        params["random_state"] = int(rng.integers(np.iinfo(np.uint32).max))
    return type(estimator)(**params)


class AdaBoostClassifier(Classifier):
    r"""A weighted sum of weak classifiers, each trained where those before it were wrong.

    Start from equal weights. Fit :math:`f_m` to the weighted observations; err is its weighted error;
    :math:`\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}} + \log(K - 1)`; multiply the weights of
    misclassified observations by :math:`e^\alpha`. For two classes this is AdaBoost, for more SAMME (Zhu et
    al., 2009).

    Parameters ---------- estimator : estimator or None, default None The weak method, which must take
    ``sample_weight``. None is the stump with the smallest weighted error: the features are sorted once, and a
    round is one cumulative sum. n_estimators : int, default 50 Largest number of rounds. random_state : int,
    Generator, RandomState or None, default None Handed on to estimators that take one. verbose : bool or
    callable, default False Whether a fit of more than a second says how far it is; see
    `mlnotes.engines.progress`.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    estimators_ : list
        Their labels are the positions 0, ..., K-1 of ``classes_``.
    estimator_errors_, estimator_weights_ : ndarray of shape (M,)
        err and :math:`\alpha` of each round.
    certificate_ : dict
        ``training_error`` (weighted with ``sample_weight``), and its ``bound``, see `training_bound`; after a
        round without error, 0. ``exponential_loss``: the mean of :math:`e^{-y F/2}`, which for two classes
        equals the bound as long as no err is 0. ``n_rounds``.
    n_features_in_ : int

    Warns
    -----
    LimitWarning
        If the first weak classifier is no better than guessing (err = 1/2 for two classes).

    Notes
    -----
    It stops early at

    * err = 0: :math:`\alpha` would be infinite. This classifier is always right; its weight is 1 plus the
      sum of the others, so that it decides alone;
    * err = 1/2 (two classes): :math:`\alpha = 0`, the weights would stay as they are for ever;
    * err :math:`\ge 1 - 1/K` (more classes): the classifier is no better than guessing.

    For two classes err > 1/2 is allowed: :math:`\alpha < 0` turns the classifier around. ``sample_weight``
    counts copies: weight k is the observation k times. Errors of stumps that differ by less than
    :math:`2^{-40}` count as equal, and then the first feature and the lowest threshold win.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [-1, 1, 1, -1]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> model.predict(X).tolist()
    [-1, 1, 1, -1]
    >>> np.exp(model.estimator_weights_).round(9).tolist()
    [3.0, 5.0, 4.0]
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        random_state: Any = None,
        verbose: bool | Tell = False,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> AdaBoostClassifier:
        """Fit to X, shape (n, d), labels y and weights, shape (n,); return self."""
        X, codes, weights = self._start_weighted_fit(X, y, sample_weight)
        check_count(self.n_estimators, name="n_estimators")
        start = weights / weights.sum()
        learn = self._weak_learner(X, codes)
        rounds = []
        with progress("AdaBoostClassifier", self.verbose) as tell:
            for one in islice(_boost(X, codes, start, learn), self.n_estimators):
                rounds.append(one)
                report(tell, len(rounds), self.n_estimators, "rounds")
        self.estimators_ = [one.classifier for one in rounds]
        self.estimator_errors_ = np.array([one.error for one in rounds])
        self.estimator_weights_ = np.array([one.alpha for one in rounds])
        if not self.estimator_weights_.any():
            err, K = rounds[0].error, len(self.classes_)
            message = (
                f"the first weak classifier has the weighted error {err:.4f} with {K} classes, no better "
                "than guessing: boosting cannot start; use a richer weak classifier."
            )
            warnings.warn(message, LimitWarning, stacklevel=2)
        self.certificate_ = self._certificate(X, codes, start)
        return self

    def _certificate(self, X: Array, codes: Ints, w: Array) -> dict[str, float]:
        """Return the weighted training error, its bound, and the mean of exp(-y F / 2)."""
        scores, K = self._scores(X), max(len(self.classes_), 2)
        err, alphas = self.estimator_errors_, self.estimator_weights_
        factors = K * np.sqrt(err * (1 - err) / (K - 1))  # Zhu et al. (2009); for K = 2 those of (4.2)
        loss = np.exp(alphas.sum() / 2 - scores[np.arange(len(X)), codes])  # y F = 2 score - sum of alphas
        return {
            "training_error": float(w[scores.argmax(axis=1) != codes].sum()),
            "bound": float(factors.prod()) if alphas.any() else 1.0,
            "exponential_loss": float(w @ loss),
            "n_rounds": len(err),
        }

    def _weak_learner(self, X: Array, codes: Ints) -> Callable[[Array, Ints, Array], Any]:
        """Return a function that trains a classifier on the weighted observations of the fit."""
        rng = check_rng(self.random_state)
        if self.estimator is None:
            search = _StumpSearch(X, codes, len(self.classes_))
            return lambda X, codes, w: search.best(w)
        return lambda X, codes, w: fresh_copy(self.estimator, rng).fit(X, codes, sample_weight=w)

    def _scores(self, X: Array) -> Array:
        """Return the score of each class, shape (n, K); equal ones are made equal by `_tied`."""
        if all(isinstance(member, Stump) for member in self.estimators_):
            scores = _add_stumps(self.estimators_, self.estimator_weights_, X, len(self.classes_))
        else:
            *_, scores = self._sums(X)
        return self._tied(scores)

    def _sums(self, X: Array) -> Iterator[Array]:
        """Yield the scores after each round, in one array that is changed."""
        scores, rows = np.zeros((len(X), len(self.classes_))), np.arange(len(X))
        for member, alpha in zip(self.estimators_, self.estimator_weights_, strict=True):
            scores[rows, member.predict(X)] += alpha
            yield scores

    def _tied(self, scores: Array) -> Array:
        """Return the scores; those that are equal up to floating-point error are made equal."""
        largest = scores.max(axis=-1, keepdims=True)
        slack = TIE * max(float(np.abs(self.estimator_weights_).sum()), 1.0)
        return np.where(scores >= largest - slack, largest, scores)

    def _as_decision(self, scores: Array) -> Array:
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label with the largest score for each observation, shape (n,)."""
        X = self._check_input(X)
        return self.classes_[self._scores(X).argmax(axis=1)]

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return :math:`F(x) = \sum_m\alpha_mf_m(x)`, shape (n,); of more classes their scores, (n, K)."""
        return self._as_decision(self._scores(self._check_input(X)))

    def predict_proba(self, X: ArrayLike) -> Array:
        r"""Return :math:`1/(1 + e^{-F})` and the rest, shape (n, K); of more classes a softmax of the scores.

        It is the posterior that has F as the minimiser of the expected exponential loss: overconfident, since
        the training minimises an average over few observations.
        """
        scores = self._scores(self._check_input(X))
        return proportions(np.exp(scores - scores.max(axis=1, keepdims=True)))

    def staged_decision_function(self, X: ArrayLike) -> Iterator[Array]:
        """Yield `decision_function` after each round."""
        for scores in self._sums(self._check_input(X)):
            yield self._as_decision(self._tied(scores))

    def staged_predict(self, X: ArrayLike) -> Iterator[NDArray[Any]]:
        """Yield the predictions after each round, shape (n,)."""
        for scores in self._sums(self._check_input(X)):
            yield self.classes_[self._tied(scores).argmax(axis=1)]

    def margins(self, X: ArrayLike, y: ArrayLike) -> Array:
        r"""Return :math:`y F(x)/\sum_m|\alpha_m|`, from -1 to 1, shape (n,): how clearly it is right.

        Of more classes the score of the label minus the largest score of another one, divided by the sum.
        """
        X = self._check_input(X)
        classes, codes = check_labels(y, n_rows=len(X))
        if not np.isin(classes, self.classes_).all():
            raise ValueError(
                f"y has labels that were not fitted: {classes[~np.isin(classes, self.classes_)]}."
            )
        own = np.searchsorted(self.classes_, classes)[codes]
        scores = self._scores(X)
        is_own = own[:, None] == np.arange(scores.shape[1])
        others = np.where(is_own, -np.inf, scores).max(axis=1) if scores.shape[1] > 1 else 0.0
        total = np.abs(self.estimator_weights_).sum()
        return (scores[is_own] - others) / max(total, np.finfo(float).tiny)


def _boost(
    X: Array, codes: Ints, w: Array, train: Callable[[Array, Ints, Array], Any]
) -> Iterator[reference.Round]:
    """Yield the rounds of ``ensemble.boost`` from any starting weights, with finite alphas."""
    K, total = int(codes.max()) + 1, 0.0
    while True:
        classifier = train(X, codes, w)
        wrong = classifier.predict(X) != codes
        err = float(w[wrong].sum())
        if err == 0:
            yield reference.Round(classifier, err, 1 + total, w)  # outweighs all others together
            return
        if _is_guess(err, K):
            if total == 0:
                yield reference.Round(classifier, err, 0.0, w)
            return
        alpha = math.log1p(-err) - math.log(err) + math.log(K - 1)
        total += abs(alpha)
        w = w * np.exp(alpha * wrong - max(alpha, 0))  # the larger factor is 1: no overflow
        w = w / w.sum()
        yield reference.Round(classifier, err, alpha, w)


def _is_guess(err: float, K: int) -> bool:
    """Return whether alpha is 0, negative with more than two classes, or minus infinity."""
    if K == 2:
        return err >= 1 or abs(err - 0.5) <= TIE
    return err >= 1 - 1 / K - TIE


class _StumpSearch:
    """The stumps of ``ensemble.best_stump``, over and over: the features are sorted once.

    Weights become integers, multiples of 2^-50 of their sum, because NumPy adds up integers ten times faster
    than floats, and exactly. For two classes let c be the weight of class 1 less that of class 0 to the left
    of a split: a stump that predicts (0, 1) errs on W_0 + c, one that predicts (1, 0) on W_1 - c. So a round
    is a gather, a cumulative sum, and its smallest and largest value.
    """

    def __init__(self, X: Array, codes: Ints, K: int) -> None:
        self.codes, self.K = codes, K
        features = SortedFeatures.of(X)
        self.rows, self.ranks, self.values = features
        self.n_values = self.ranks[:, -1].astype(np.intp) + 1  # indices, of 32 bits in a browser
        self.cells = np.zeros(0, dtype=np.intp)
        if int(self.n_values.sum()) * K <= X.size and K > 2:  # of feature, value and class, row by row
            self.first_value = np.cumsum(self.n_values) - self.n_values
            self.cells = ((features.ranks_of_rows() + self.first_value[:, None]) * K + codes).ravel()
        self.splits = [np.flatnonzero(row) for row in self.ranks[:, 1:] > self.ranks[:, :-1]]
        places = ((j, int(at[0])) for j, at in enumerate(self.splits) if at.size and K > 1)
        self.first = next(places, None)

    def best(self, w: Array) -> Stump:
        """Return what ``ensemble.best_stump`` finds for weights with sum 1."""
        amounts = np.rint(w * _UNITS).astype(np.int64)
        totals = np.bincount(self.codes, amounts, self.K).astype(np.int64)
        least, place = (
            int(totals.sum() - totals.max()),
            self.first,
        )  # no split is worse than one class everywhere
        if self.K == 2:
            candidates = self._two_classes(np.where(self.codes == 1, amounts, -amounts), totals, least)
        elif self.cells.size:
            candidates = self._few_values(amounts, totals)
        else:
            candidates = self._more_classes(amounts, totals)
        for j, error, position in candidates:
            if error < least - _TIE:
                least, place = error, (j, position)
        if place is None:
            majority = self._majority(totals)
            return Stump(0, math.inf, majority, majority)
        j, position = place
        left = self.rows[j, : position + 1]
        counts = np.bincount(self.codes[left], amounts[left], self.K).astype(np.int64)
        low, high = self.values[j, self.ranks[j, position : position + 2]]
        return Stump(j, float(midpoint(low, high)), self._majority(counts), self._majority(totals - counts))

    @staticmethod
    def _majority(amounts: Ints) -> int:
        return int((amounts >= amounts.max() - _TIE).argmax())

    # Each search yields (feature, error, position) of the best split by features that may be the best.

    def _two_classes(self, gaps: Ints, totals: Ints, least: int) -> Iterator[tuple[int, int, int]]:
        """Pass over a feature that is no better than those before, by the range of c over all positions."""
        d, n = self.rows.shape
        step = max(1, _BLOCK // n)
        for first in range(0, d, step):
            block = gaps.take(self.rows[first : first + step]).cumsum(axis=1)
            bounds = np.minimum(totals[0] + block.min(axis=1), totals[1] - block.max(axis=1)).tolist()
            for j, (c, bound) in enumerate(zip(block, bounds, strict=True), start=first):
                at = self.splits[j]
                if at.size and bound < least:
                    c = c[:-1] if len(at) == n - 1 else c.take(at)
                    error, position = _first_best(np.minimum(totals[0] + c, totals[1] - c), at)
                    least = min(least, error)
                    yield j, error, position

    def _few_values(self, amounts: Ints, totals: Ints) -> Iterator[tuple[int, int, int]]:
        """Count the weights of the values and classes of all features at once."""
        d, n_cells = len(self.rows), int(self.n_values.sum()) * self.K
        weights = np.bincount(self.cells, np.tile(amounts, d), n_cells)  # below 2^53: exact
        left = np.cumsum(weights.astype(np.int64).reshape(-1, self.K), axis=0)
        left -= np.arange(d).repeat(self.n_values)[:, None] * totals  # those of the features before
        errors = totals.sum() - left.max(axis=1) - (totals - left).max(axis=1)
        for j, at in enumerate(self.splits):
            if at.size:  # the last value has nothing on its right
                own = errors[self.first_value[j] : self.first_value[j] + len(at)]
                yield j, *_first_best(own, at)

    def _more_classes(self, amounts: Ints, totals: Ints) -> Iterator[tuple[int, int, int]]:
        for j, (rows, at) in enumerate(zip(self.rows, self.splits, strict=True)):
            if at.size:
                hot = self.codes[rows] == np.arange(self.K)[:, None]  # (K, n)
                left = np.cumsum(hot * amounts[rows], axis=1)[:, at]
                right = totals[:, None] - left
                yield j, *_first_best(totals.sum() - left.max(axis=0) - right.max(axis=0), at)


def _first_best(errors: Ints, at: Ints) -> tuple[int, int]:
    """Return error and position of the first of the best splits, which are after the positions `at`."""
    best = int((errors <= errors.min() + _TIE).argmax())
    return int(errors[best]), int(at[best])


def _add_stumps(stumps: Sequence[Stump], alphas: Array, X: Array, K: int) -> Array:
    """Return the scores by stumps, shape (n, K); those of one feature add up to a step function."""
    features, thresholds, lefts, rights = (np.array(column) for column in zip(*stumps, strict=True))
    one_hot, scores = np.eye(K), np.zeros((len(X), K))
    for j in np.unique(features):
        mine = np.flatnonzero(features == j)
        mine = mine[thresholds[mine].argsort(kind="stable")]
        lowest = alphas[mine] @ one_hot[lefts[mine]]  # the scores below the first threshold
        steps = alphas[mine, None] * (one_hot[rights[mine]] - one_hot[lefts[mine]])
        levels = np.concatenate([[lowest], lowest + steps.cumsum(axis=0)])
        scores += levels[np.searchsorted(thresholds[mine], X[:, j], side="left")]
    return scores
