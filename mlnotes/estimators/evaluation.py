r"""Evaluation: how good a classifier is, and how sure one can be.

A classifier :math:`D` is fitted to training data and judged on test data that had no part in its making.
Given :math:`D`, the errors on n independent test observations are flips of one coin, so their number is
:math:`\mathrm{Binomial}(n, R(D))`: all intervals and tests below follow from that.

``y_true`` are the labels of the test data, of any one type, ``y_pred`` the predictions; ``folds`` are k pairs
of index arrays ``(train, test)``, which scikit-learn's ``cv=`` takes too. The evaluation of scores, from
thresholds to calibration, is in `evaluation_scores`.

Sources: lecture notes, chapter 10, section 10.1.1 (training and test data). Beyond them: Hoeffding (1963),
theorem 1; Clopper and Pearson (1934); McNemar (1947); Breiman, Friedman, Olshen and Stone (1984), section
3.4.3, for the one-standard-error rule.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import evaluation as reference
from mlnotes.calibration import Calibration
from mlnotes.engines.progress import Tell, counted, progress
from mlnotes.engines.rows import last_argmax_of_columns
from mlnotes.estimators.base import (
    Classifier,
    check_count,
    check_generator,
    check_labels,
    check_option,
    check_scalar,
    check_X_y,
)
from mlnotes.estimators.evaluation_scores import (
    RocCurve,
    apply_threshold,
    brier_score,
    calibration_curve,
    choose_threshold,
    log_loss,
    roc_curve,
)
from mlnotes.evaluation import CrossValidation, Selection
from mlnotes.roc import ThresholdChoice

__all__ = [
    "Calibration", "CrossValidation", "Interval", "MemorisingClassifier", "RocCurve",
    "Selection", "ThresholdChoice", "apply_threshold", "brier_score",
    "calibration_curve", "choose_threshold", "confusion_matrix", "cross_validate", "error_interval",
    "error_rate", "k_folds", "leave_one_out", "log_loss", "mcnemar_test", "minimum_training_error",
    "roc_curve", "select_by_cross_validation", "train_test_split",
]  # fmt: skip

Folds = list[tuple[NDArray[np.int64], NDArray[np.int64]]]

# ------------------------------------------------------------------- splits


def train_test_split(
    *arrays: ArrayLike,
    rng: np.random.Generator,
    test_size: float | int = 0.25,
    stratify: ArrayLike | None = None,
) -> list[NDArray[Any]]:
    r"""Split all arrays, at random and without overlap, into training and test data.

    Parameters
    ----------
    *arrays : array-likes of length n
        Such as X and y.
    rng : numpy.random.Generator
    test_size : float or int
        A fraction, strictly between 0 and 1 (then :math:`\lceil \mathrm{fraction} \cdot n \rceil`
        observations, with the fraction as a decimal: 0.07 of 100 are 7), or a number of observations. Both
        parts must get at least one.
    stratify : array-like of shape (n,), optional
        Labels: then the test set gets :math:`n_k n_{test} / n` observations of class k, rounded up or down.

    Returns
    -------
    list of ndarray
        ``[X_train, X_test, y_train, y_test, ...]``, copies; observations stay in their order.

    Examples
    --------
    >>> X_train, X_test = train_test_split(range(8), rng=np.random.default_rng(0))
    >>> len(X_train), len(X_test), sorted([*X_train, *X_test]) == list(range(8))
    (6, 2, True)
    """
    check_generator(rng)
    tables = [_as_array(array, "arrays must be tables of numbers or labels") for array in arrays]
    shapes = [table.shape for table in tables]
    if not tables or any(len(shape) == 0 or shape[0] != shapes[0][0] for shape in shapes):
        raise ValueError(f"arrays must be at least one array, all of the same length, got shapes {shapes}.")
    n = shapes[0][0]
    if isinstance(test_size, (int, np.integer)) and not isinstance(test_size, bool):
        n_test = int(test_size)
    else:
        check_scalar(test_size, name="test_size", above=0, below=1)
        n_test = math.ceil(Fraction(str(test_size)) * n)
    if not 0 < n_test < n:
        raise ValueError(
            f"test_size={test_size} means {n_test} test observations out of {n}; "
            "both parts need at least one."
        )
    rows = np.arange(n)
    train, test, _, _ = reference.train_test_split(rows, rows, n_test, rng, _check_strata(stratify, n))
    return [part for table in tables for part in (table[train], table[test])]


def k_folds(n: int, k: int, *, rng: np.random.Generator, stratify: ArrayLike | None = None) -> Folds:
    """Deal n observations, shuffled, to k folds; each fold is the test set once.

    Parameters
    ----------
    n : int
        Number of observations, at least k.
    k : int
        Number of folds, at least 2. Fold sizes differ by at most one.
    rng : numpy.random.Generator
    stratify : array-like of shape (n,), optional
        Labels: then the numbers of each class in two folds differ by at most one.

    Returns
    -------
    list of k pairs (train, test) of increasing int64 indices
    """
    check_generator(rng)
    check_scalar(k, name="k", kind=int, minimum=2)
    check_scalar(n, name="n", kind=int, minimum=k)
    return reference.k_folds(n, k, rng, _check_strata(stratify, n))


def leave_one_out(n: int) -> Folds:
    """Return n folds of one observation each, in order; nothing is random. n is at least 2."""
    return reference.leave_one_out(check_scalar(n, name="n", kind=int, minimum=2))


# ------------------------------------------------------------------- error rates, and how sure they are


def error_rate(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    r"""Return the proportion of wrong predictions, :math:`\frac1n \sum_i 1\{\hat y_i \ne y_i\}`.

    On the training data it is the training error, on new data the test error: an unbiased estimate of the
    risk. Source: chapter 10, section 10.1.1.
    """
    _, truth, predicted = _check_pair(y_true, y_pred)
    return float(reference.error_rate(truth, predicted))


def minimum_training_error(X: ArrayLike, y: ArrayLike) -> float:
    r"""Return the smallest training error of any classifier at all.

    A classifier predicts one class for equal observations, so at each distinct x it can match only one:

    .. math:: \min_D \frac1n \sum_i 1\{D(x_i) \ne y_i\} = \frac1n \sum_x \bigl(n_x - \max_k n_{xk}\bigr),

    which is 0 iff no x comes with two labels. Source: chapter 10, section 10.1.1, corrected.

    Examples
    --------
    >>> minimum_training_error([[0.0], [0.0], [0.0], [1.0]], [0, 0, 1, 1])
    0.25
    """
    return MemorisingClassifier().fit(X, y).training_error_


class MemorisingClassifier(Classifier):
    r"""The classifier that memorises the training set: it attains `minimum_training_error`.

    An observation seen in training gets the label that came with it most often, any other the most frequent
    label of all; ties go to the largest label. Cost :math:`O(nd + n \log n)`.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    table_ : dict
        From the bytes of an observation to the code of its label.
    default_ : int
        Code of the label for observations that were never seen.
    training_error_ : float
        :math:`\frac1n \sum_x (n_x - \max_k n_{xk})`.
    n_features_in_ : int
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> MemorisingClassifier:
        """Store the training data X, shape (n, d), with their labels y, shape (n,); return self."""
        X, codes = self._start_fit(X, y)
        K = len(self.classes_)
        numbers: dict[bytes, int] = {}
        places = np.array([numbers.setdefault(key, len(numbers)) for key in _row_keys(X)])
        counts = np.bincount(places * K + codes, minlength=len(numbers) * K).reshape(-1, K)
        *labels, self.default_ = last_argmax_of_columns(np.vstack([counts, counts.sum(axis=0)]).T).tolist()
        self.table_ = dict(zip(numbers, labels, strict=True))
        self.training_error_ = float((len(X) - counts.max(axis=1).sum()) / len(X))
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the remembered label of each observation, shape (n,)."""
        X = self._check_input(X)
        return self.classes_[[self.table_.get(key, self.default_) for key in _row_keys(X)]]

    def __sklearn_tags__(self) -> Any:
        """Say that it is not expected to do well on new data."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


class Interval(NamedTuple):
    """A closed interval, ``value in interval``, and the probability with which it covers the risk."""

    low: float
    high: float
    confidence: float

    def __contains__(self, value: Any) -> bool:
        return self.low <= value <= self.high


def error_interval(n_errors: int, n: int, *, confidence: float = 0.95, method: str = "exact") -> Interval:
    r"""Return a confidence interval for the risk of a fixed classifier with `n_errors` errors on n test data.

    "exact" (Clopper and Pearson, 1934): all risks that neither one-sided binomial test rejects at level
    :math:`\alpha/2`, with :math:`\alpha = 1 - \mathrm{confidence}`:

    .. math:: P_{low}(B \ge e) = \alpha/2, \qquad P_{high}(B \le e) = \alpha/2.

    "hoeffding": :math:`e/n \pm \sqrt{\log(2/\alpha) / (2n)}`, cut to [0, 1], from
    :math:`P(|e/n - R| \ge t) \le 2 e^{-2nt^2}`. Longer, with a formula that shows the rate.

    Both hold for every n and every distribution, provided that the classifier did not see the test data. For
    n_errors = 0 the exact upper end is :math:`1 - (\alpha/2)^{1/n}`, about 3.7/n at 95 %.

    Parameters
    ----------
    n_errors : int
        From 0 to n.
    n : int
        At least 1.
    confidence : float
        Strictly between 0 and 1.
    method : "exact" or "hoeffding"

    Examples
    --------
    >>> interval = error_interval(5, 100)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0164, 0.1128)
    """
    check_count(n, name="n")
    check_scalar(n_errors, name="n_errors", kind=int, minimum=0, maximum=n)
    check_scalar(confidence, name="confidence", above=0, below=1)
    check_option(method, name="method", options=("exact", "hoeffding"))
    intervals = {"exact": reference.clopper_pearson_interval, "hoeffding": reference.hoeffding_interval}
    low, high = intervals[method](n_errors, n, 1 - confidence)
    return Interval(low, high, confidence)


def mcnemar_test(y_true: ArrayLike, y_pred: ArrayLike, other_pred: ArrayLike) -> float:
    r"""Return the p-value of "both classifiers have the same risk", from the errors that only one makes.

    Of the m observations that exactly one of the two gets wrong, the first then gets Binomial(m, 1/2) wrong:
    the two-sided tail of that distribution is exact (McNemar, 1947).
    With m = 0 there is nothing to tell them apart, and the p-value is 1.
    """
    _, truth, first = _check_pair(y_true, y_pred)
    _, again, second = _check_pair(y_true, other_pred, name="other_pred")
    ours, theirs = truth != first, again != second
    return float(reference.mcnemar_test(np.zeros(len(ours)), ours, theirs))


# ------------------------------------------------------------------- cross-validation


def cross_validate(
    model: Any, X: ArrayLike, y: ArrayLike, folds: Folds, *, verbose: bool | Tell = False
) -> CrossValidation:
    r"""Fit a copy of the model to the training part of each fold and count its errors on the test part.

    Everything that looks at labels must happen inside ``model.fit``: what is chosen on all data before has
    already seen the test folds.

    Parameters
    ----------
    model : estimator
        With ``fit(X, y)`` and ``predict(X)``; it is not changed.
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
    folds : list of pairs (train, test)
        From `k_folds` or `leave_one_out`; at least two.
    verbose : bool or callable, default False
        Whether to report progress after more than a second; see `mlnotes.engines.progress`.

    Returns
    -------
    CrossValidation
        ``fold_errors`` and ``fold_sizes``, shape (k,); ``error``, all errors over all predictions;
        ``standard_error``, the standard deviation of the fold errors (divisor k - 1) over :math:`\sqrt k`.
        The folds share training data, so this is a guide and no guarantee: no unbiased estimate of the
        variance exists (Bengio and Grandvalet, 2004).
    """
    matrix, classes, codes = check_X_y(X, y)
    labels = classes[codes]
    if not (hasattr(model, "fit") and hasattr(model, "predict")):
        raise ValueError(f"model must have the methods fit and predict, got {model!r}.")
    if not isinstance(folds, Iterable):
        raise ValueError(f"folds must be pairs (train, test), such as those of k_folds, got {folds!r}.")
    pairs = [_check_fold(fold, len(matrix)) for fold in folds]
    if len(pairs) < 2:
        raise ValueError(f"folds must be at least two pairs (train, test), got {len(pairs)}.")
    errors = []
    with progress("cross_validate", verbose) as tell:
        for train, test in counted(pairs, "folds", tell):
            fitted = copy.deepcopy(model).fit(matrix[train], labels[train])
            errors.append(error_rate(labels[test], fitted.predict(matrix[test])))
    return CrossValidation(errors, [len(test) for _, test in pairs])


def select_by_cross_validation(models: Sequence[Any], X: ArrayLike, y: ArrayLike, folds: Folds) -> Selection:
    """Compare methods on the same folds.

    The error of the winner is biased downwards: it is the smallest of many. Judge it on data that had no part
    in the choice, a test set or an outer cross-validation.

    Parameters
    ----------
    models : sequence of estimators
        From simple to flexible.
    X, y, folds
        As in `cross_validate`.

    Returns
    -------
    Selection
        ``results``, one a method; ``best``, the position of the smallest error, the first one in a tie;
        ``simplest``, that of the first method whose error is at most that of the best plus the standard
        error of the best: the one-standard-error rule.
    """
    if not isinstance(models, Sequence) or not len(models):
        raise ValueError(f"models must be a sequence of at least one estimator, got {models!r}.")
    pairs = list(folds) if isinstance(folds, Iterable) else folds  # the first model would spend a generator
    return reference.one_standard_error_rule([cross_validate(model, X, y, pairs) for model in models])


# ------------------------------------------------------------------- the confusion matrix


def confusion_matrix(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: ArrayLike | None = None
) -> NDArray[np.int64]:
    """Count the observations of each pair of label and prediction.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
    labels : array-like of shape (K,), optional
        All labels, sorted; by default those that occur on either side.

    Returns
    -------
    ndarray of int64, shape (K, K)
        Entry (i, j) counts the observations of class i that are predicted as class j; the diagonal is right.

    Examples
    --------
    >>> confusion_matrix(["cat", "cat", "dog"], ["cat", "dog", "dog"]).tolist()
    [[1, 1], [0, 1]]
    """
    classes, truth, predicted = _check_pair(y_true, y_pred)
    wanted = classes if labels is None else check_labels(labels, name="labels")[0]
    missing = np.setdiff1d(classes, wanted)
    if missing.size:
        raise ValueError(f"labels must hold every label that occurs; it misses {missing[:5].tolist()}.")
    places, K = np.searchsorted(wanted, classes), len(wanted)
    return np.bincount(places[truth] * K + places[predicted], minlength=K * K).reshape(K, K)


# ------------------------------------------------------------------- checks of this module's arguments


def _as_array(values: ArrayLike, wanted: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{wanted}, got rows of different lengths.") from error


def _check_strata(stratify: ArrayLike | None, n: int) -> NDArray[np.int64] | None:
    """Return the codes of the classes to stratify by; None without labels."""
    if stratify is None:
        return None
    _, codes = check_labels(stratify, name="stratify")
    if len(codes) != n:
        raise ValueError(f"stratify has {len(codes)} labels, but there are {n} observations.")
    return codes


def _check_pair(
    y_true: ArrayLike, y_pred: ArrayLike, name: str = "y_pred"
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """Return all labels (K,) and both sides as codes (n,)."""
    truths, truth = check_labels(y_true, name="y_true")
    predictions, prediction = check_labels(y_pred, name=name)
    if len(truth) != len(prediction):
        raise ValueError(f"y_true has {len(truth)} labels, but {name} has {len(prediction)}.")
    if (truths.dtype.kind in "UO") != (predictions.dtype.kind in "UO"):
        raise ValueError(
            f"y_true has labels of type {truths.dtype} and {name} of type {predictions.dtype}; "
            "both must be text or both numbers."
        )
    classes = np.union1d(truths, predictions)
    return (
        classes,
        np.searchsorted(classes, truths)[truth],
        np.searchsorted(classes, predictions)[prediction],
    )


def _check_fold(fold: Any, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return one pair (train, test) of index arrays, which must not overlap."""
    pairs_only = "folds must be pairs (train, test) of non-empty 1-D integer arrays"
    if not isinstance(fold, Iterable):
        raise ValueError(f"{pairs_only}, got {fold!r} for one of them.")
    sides = [_as_array(side, pairs_only) for side in fold]
    if len(sides) != 2 or any(
        side.ndim != 1 or not side.size or side.dtype.kind not in "iu" for side in sides
    ):
        raise ValueError(f"{pairs_only}.")
    train, test = (side.astype(np.int64) for side in sides)
    if not np.isin(np.append(train, test), range(n)).all():
        raise ValueError(f"folds must hold indices from 0 to {n - 1}.")
    shared = np.intersect1d(train, test)
    if len(shared):
        raise ValueError(
            f"folds overlap: observation {shared[0]} is in the training and the test part of one fold."
        )
    return train, test


def _row_keys(X: NDArray[np.float64]) -> list[bytes]:
    """Return the bytes of each row, with -0.0 made 0.0 so that equal rows have equal bytes."""
    return [row.tobytes() for row in X + 0.0]
