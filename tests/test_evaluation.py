"""Splits, errors, cross-validation, ROC curves, calibration: small cases by hand, messages, scikit-learn."""

import math
import re

import numpy as np
import pytest
import sklearn.calibration
import sklearn.metrics
import sklearn.model_selection
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import PlugInClassifier, calibration
from mlnotes.datasets import load_breast_cancer, load_iris
from mlnotes.estimators import evaluation
from mlnotes.estimators.evaluation import (
    Calibration,
    CrossValidation,
    MemorisingClassifier,
    apply_threshold,
    brier_score,
    calibration_curve,
    choose_threshold,
    confusion_matrix,
    cross_validate,
    error_interval,
    error_rate,
    k_folds,
    leave_one_out,
    log_loss,
    mcnemar_test,
    minimum_training_error,
    roc_curve,
    select_by_cross_validation,
    train_test_split,
)

RNG = np.random.default_rng


def refuses(sentence, function, *args, error=ValueError, **kwargs):
    """The call must fail with this sentence, given as a literal part of the message."""
    with pytest.raises(error, match=re.escape(sentence)):
        function(*args, **kwargs)


# --- hand cases


def test_error_rate_and_confusion_by_hand():
    truth, answers = ["a", "a", "b", "c"], ["a", "b", "b", "a"]
    assert error_rate(truth, answers) == 0.5
    assert confusion_matrix(truth, answers).tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]
    assert confusion_matrix([1, 1], [1, 1], labels=[0, 1]).tolist() == [[0, 0], [0, 2]]
    assert error_rate(np.array([True, False]), np.array([1, 1])) == 0.5


def test_roc_by_hand():
    curve = roc_curve(["n", "p", "n", "p"], [1.0, 2.0, 2.0, 3.0])
    assert curve.thresholds.tolist() == [math.inf, 3, 2, 1]
    assert curve.false_positives.tolist() == [0, 0, 1, 2]
    assert curve.true_positives.tolist() == [0, 1, 2, 2]
    assert curve.area == 7 / 8


def test_threshold_choice_by_hand():
    y, score = [0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9]
    assert choose_threshold(y, score) == evaluation.ThresholdChoice(0.9, 0.25)
    assert choose_threshold(y, score, false_negative=9.0) == evaluation.ThresholdChoice(0.5, 0.25)
    assert choose_threshold(y, score, false_negative=0.0) == evaluation.ThresholdChoice(math.inf, 0.0)


def test_a_score_at_the_threshold_is_positive():
    assert apply_threshold([0.2, 0.5, 0.7], 0.5).tolist() == [0, 1, 1]
    assert apply_threshold([0.2], math.inf).tolist() == [0]


def test_proper_scores_by_hand():
    assert brier_score([0, 1], [0.25, 0.5]) == (1 / 16 + 1 / 4) / 2
    assert log_loss([0, 1], [0.5, 0.25]) == pytest.approx(math.log(8) / 2, rel=1e-15)
    assert log_loss([0, 1], [0.0, 1.0]) == 0


def test_calibration_by_hand():
    curve = calibration_curve([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75])
    assert curve.forecast.tolist() == [0.25, 0.75]
    assert curve.observed.tolist() == [0.5, 1.0]
    assert curve.error == 0.25
    assert calibration_curve([0, 1, 1, 1], [0.0, 0.5, 0.5, 1.0], n_bins=2).count.tolist() == [1, 3]


def test_memorising_by_hand():
    X, y = [[0, 1], [0, 1], [0, 1], [2, 2]], ["b", "a", "a", "b"]
    model = MemorisingClassifier().fit(X, y)
    assert model.predict([[0, 1], [2, 2], [9, 9]]).tolist() == ["a", "b", "b"]  # 2 against 2: the larger
    assert model.training_error_ == minimum_training_error(X, y) == 0.25
    assert minimum_training_error([[0.0], [-0.0]], [0, 1]) == 0.5


def test_mcnemar_by_hand():
    truth = np.zeros(7, dtype=int)
    ours = np.array([1, 1, 1, 1, 0, 0, 1])
    theirs = np.array([0, 0, 0, 0, 0, 1, 1])  # one errs alone in rows 0-3 and in row 5
    assert mcnemar_test(truth, ours, theirs) == pytest.approx(2 * 6 / 32, rel=1e-14)
    assert mcnemar_test(truth, ours, ours) == 1


def test_fold_errors_are_weighted_by_fold_size():
    result = CrossValidation(np.array([0.5, 0.0]), np.array([2, 6]))
    assert result.error == 0.125
    assert result.standard_error == pytest.approx(math.sqrt(0.125) / math.sqrt(2), rel=1e-15)


def test_cross_validation_by_hand():
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    result = cross_validate(MemorisingClassifier(), X, y, leave_one_out(6))
    assert result.fold_errors.tolist() == [1] * 6  # 2 against 3: the new label is of the rarer class
    assert result.error == 1


# --- splits


def test_fraction_of_test_data_is_rounded_up():
    assert len(train_test_split(range(10), rng=RNG(0), test_size=0.11)[1]) == 2
    assert len(train_test_split(range(10), rng=RNG(0), test_size=np.int64(3))[1]) == 3


def test_fraction_of_test_data_is_the_decimal_as_written():
    for percent in range(1, 100):  # the float 0.07 times 100 is above 7
        assert len(train_test_split(range(100), rng=RNG(0), test_size=percent / 100)[1]) == percent


@pytest.mark.parametrize("curve", [calibration_curve, calibration.calibration_curve])
def test_bins_are_closed_on_the_left(curve):
    for n_bins in (1, 22, 100):  # the float 15 / 22 times 22 is below 15
        forecasts = np.arange(n_bins + 1) / n_bins
        counts = curve(np.arange(n_bins + 1) > 0, forecasts, n_bins=n_bins).count.tolist()
        assert counts == [1] * (n_bins - 1) + [2]


def test_splits_are_random_and_reproducible():
    one, again, other = (train_test_split(range(50), rng=RNG(s))[1].tolist() for s in (0, 0, 1))
    assert one == again != other
    assert one != sorted(range(50))[-len(one) :]


# --- invariances


def test_roc_curve_depends_on_the_order_of_the_scores_alone():
    rng = RNG(3)
    y, score = np.append(rng.integers(0, 2, 40), [0, 1]), rng.integers(-5, 5, 42).astype(float)
    plain, bent = roc_curve(y, score), roc_curve(y, np.exp(score))
    assert plain.area == bent.area
    assert np.array_equal(plain.true_positives, bent.true_positives)
    assert roc_curve(1 - y, -score).area == plain.area
    assert roc_curve(y, -score).area == pytest.approx(1 - plain.area, rel=1e-15)


def test_changes_neither_inputs_nor_the_model():
    X, y = np.arange(8.0)[:, None], np.array([0, 1] * 4)
    X.flags.writeable = y.flags.writeable = False
    model = MemorisingClassifier()
    cross_validate(model, X, y, k_folds(8, 4, rng=RNG(0)))
    train_test_split(X, y, rng=RNG(0), stratify=y)
    roc_curve(y, X[:, 0])
    assert vars(model) == {}


def test_selection_prefers_the_first_within_one_standard_error():
    class Fixed(MemorisingClassifier):
        """Errs on the observations below `n_wrong`."""

        def __init__(self, n_wrong=0):
            self.n_wrong = n_wrong

        def predict(self, X):
            return np.where(X[:, 0] < self.n_wrong, 1 - X[:, 0] % 2, X[:, 0] % 2).astype(int)

    X = np.arange(20.0)[:, None]
    folds = [(np.setdiff1d(np.arange(20), t), t) for t in np.arange(20).reshape(4, 5)]
    choice = select_by_cross_validation([Fixed(9), Fixed(4), Fixed(3)], X, X[:, 0].astype(int) % 2, folds)
    assert [r.error for r in choice.results] == [0.45, 0.2, 0.15]
    assert choice.results[2].standard_error == pytest.approx(0.15)  # fold errors 0.6, 0, 0, 0
    assert (choice.best, choice.simplest) == (2, 1)
    again = select_by_cross_validation([Fixed(9), Fixed(3)], X, X[:, 0].astype(int) % 2, iter(folds))
    assert [r.error for r in again.results] == [0.45, 0.15]


# --- what is refused


@pytest.mark.parametrize(
    ("sentence", "call"),
    [
        ("rng must be a numpy.random.Generator", lambda: train_test_split([1, 2], rng=0)),
        ("rng must be a numpy.random.Generator", lambda: k_folds(4, 2, rng=None)),
        ("arrays must be at least one array", lambda: train_test_split(rng=RNG(0))),
        (
            "all of the same length, got shapes [(2,), (3,)]",
            lambda: train_test_split([1, 2], [1, 2, 3], rng=RNG(0)),
        ),
        ("got shapes [()]", lambda: train_test_split(3, rng=RNG(0))),
        (
            "test_size=4 means 4 test observations out of 4; both parts need at least one.",
            lambda: train_test_split(range(4), rng=RNG(0), test_size=4),
        ),
        (
            "test_size=0 means 0 test observations",
            lambda: train_test_split(range(4), rng=RNG(0), test_size=0),
        ),
        ("test_size=0.25 means 1 test observations out of 1", lambda: train_test_split([1], rng=RNG(0))),
        (
            "test_size must be a finite number > 0 and < 1, got 1.5",
            lambda: train_test_split([1, 2], rng=RNG(0), test_size=1.5),
        ),
        ("test_size must be a finite number", lambda: train_test_split([1, 2], rng=RNG(0), test_size=True)),
        (
            "stratify has 1 labels, but there are 2 observations.",
            lambda: train_test_split([1, 2], rng=RNG(0), stratify=[1]),
        ),
        ("k must be an integer >= 2, got 1.", lambda: k_folds(4, 1, rng=RNG(0))),
        ("n must be an integer >= 5, got 4.", lambda: k_folds(4, 5, rng=RNG(0))),
        ("n must be an integer >= 2, got 1.", lambda: leave_one_out(1)),
        ("y_true has 2 labels, but y_pred has 1.", lambda: error_rate([0, 1], [0])),
        (
            "y_true has labels of type int64 and y_pred of type <U1; both must be",
            lambda: error_rate([0], ["0"]),
        ),
        ("y_true should be a 1d array", lambda: error_rate([], [])),
        ("y_pred contains NaN", lambda: error_rate([0.0], [np.nan])),
        ("other_pred", lambda: mcnemar_test([0, 1], [0, 1], [0])),
        (
            "labels must hold every label that occurs; it misses [2].",
            lambda: confusion_matrix([0], [2], labels=[0, 1]),
        ),
        ("n must be an integer >= 1, got 0.", lambda: error_interval(0, 0)),
        ("n_errors must be an integer >= 0 and <= 3, got 4.", lambda: error_interval(4, 3)),
        (
            "confidence must be a finite number > 0 and < 1, got 1.",
            lambda: error_interval(1, 3, confidence=1),
        ),
        (
            "method must be one of 'exact', 'hoeffding', got 'wald'.",
            lambda: error_interval(1, 3, method="wald"),
        ),
        ("score must be a 1-D array", lambda: apply_threshold([[0.5]], 0.5)),
        ("threshold must be a finite number", lambda: apply_threshold([0.5], math.nan)),
        ("y_true must have exactly two classes, got 1: [3].", lambda: roc_curve([3, 3], [0.1, 0.2])),
        ("y_true must have exactly two classes, got 3", lambda: roc_curve([1, 2, 3], [0.1, 0.2, 0.3])),
        ("score must be a 1-D array of shape (2,), got shape (3,).", lambda: roc_curve([0, 1], [1, 2, 3])),
        ("score contains NaN at index (1,)", lambda: roc_curve([0, 1], [1, np.nan])),
        (
            "false_positive must be a finite number >= 0",
            lambda: choose_threshold([0, 1], [0, 1], false_positive=-1),
        ),
        (
            "are both 0; at least one cost",
            lambda: choose_threshold([0, 1], [0, 1], false_positive=0, false_negative=0),
        ),
        ("probability must have entries <= 1, got 1.5.", lambda: brier_score([0, 1], [0.5, 1.5])),
        (
            "probability is 0.0 at observation 1, whose label is the other class",
            lambda: log_loss([0, 1], [0.5, 0.0]),
        ),
        ("probability is 1.0 at observation 0", lambda: log_loss([0, 1], [1.0, 0.5])),
        ("n_bins must be an integer >= 1, got 0.", lambda: calibration_curve([0, 1], [0, 1], n_bins=0)),
        (
            "models must be a sequence of at least one estimator, got [].",
            lambda: select_by_cross_validation([], [[1], [2]], [0, 1], leave_one_out(2)),
        ),
        (
            "models must be a sequence of at least one estimator, got 3.",
            lambda: select_by_cross_validation(3, [[1], [2]], [0, 1], leave_one_out(2)),
        ),
        (
            "model must have the methods fit and predict, got None.",
            lambda: cross_validate(None, [[1], [2]], [0, 1], leave_one_out(2)),
        ),
        (
            "arrays must be tables of numbers or labels, got rows of different lengths.",
            lambda: train_test_split([[1], [2, 3]], rng=np.random.default_rng(0)),
        ),
        ("folds must be pairs (train, test), such as those of k_folds, got 5.", lambda: cv(5)),
        ("of non-empty 1-D integer arrays, got 1 for one of them.", lambda: cv([1, 2])),
        ("integer arrays, got rows of different lengths.", lambda: cv([([0, [1, 2]], [3])] * 2)),
        ("folds must be at least two pairs", lambda: cv(leave_one_out(4)[:1])),
        ("folds must be pairs (train, test)", lambda: cv([([0, 1], [1.5]), ([1], [0])])),
        ("folds must be pairs (train, test)", lambda: cv([([0, 1], [[2]]), ([1], [0])])),
        ("folds must be pairs (train, test)", lambda: cv([([0], [1], [2]), ([1], [0])])),
        (
            "model must have the methods fit and predict",
            lambda: cross_validate(FitsOnly(), [[1], [2]], [0, 1], leave_one_out(2)),
        ),
        ("folds must be pairs (train, test) of non-empty", lambda: cv([([0], []), ([1], [0])])),
        ("folds must be pairs (train, test) of non-empty", lambda: cv([([0.0], [1.0]), ([1], [0])])),
        ("folds must hold indices from 0 to 3.", lambda: cv([([0], [4]), ([1], [0])])),
        (
            "folds overlap: observation 1 is in the training and the test part",
            lambda: cv([([0, 1], [1]), ([1], [0])]),
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_refuses(sentence, call):
    refuses(sentence, call)


class FitsOnly:
    def fit(self, X, y):
        return self


def cv(folds):
    return cross_validate(MemorisingClassifier(), np.arange(4.0)[:, None], [0, 1, 0, 1], folds)


# --- scikit-learn 1.6 or newer


SKIPS = {
    "check_array_api_input": "runs only with SCIPY_ARRAY_API=1 set before SciPy is imported",
    "check_classifier_data_not_an_array": "its last part needs pandas",
}


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
def test_passes_scikit_learns_checks():
    results = check_estimator(MemorisingClassifier(), on_skip=None, on_fail=None)
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")] == []
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)


def test_agrees_with_scikit_learn():
    data = load_breast_cancer()
    model = PlugInClassifier().fit(data.X[::2, :10], data.y[::2])
    p, y = model.predict_proba(data.X[1::2, :10])[:, 1], data.y[1::2]
    fpr, tpr, thresholds = sklearn.metrics.roc_curve(y, p, drop_intermediate=False)
    curve = roc_curve(y, p)
    assert np.array_equal(curve.false_positive_rate, fpr)
    assert np.array_equal(curve.true_positive_rate, tpr)
    assert np.array_equal(curve.thresholds, thresholds)
    assert curve.area == pytest.approx(sklearn.metrics.roc_auc_score(y, p), rel=1e-14)
    assert brier_score(y, p) == pytest.approx(sklearn.metrics.brier_score_loss(y, p), rel=1e-14)
    q = np.clip(p, 1e-6, 1 - 1e-6)
    assert log_loss(y, q) == pytest.approx(sklearn.metrics.log_loss(y, q), rel=1e-13)
    predicted = apply_threshold(p, 0.5)
    assert np.array_equal(confusion_matrix(y, predicted), sklearn.metrics.confusion_matrix(y, predicted))
    observed, forecast = sklearn.calibration.calibration_curve(y, p, n_bins=7)
    ours = calibration_curve(y, p, n_bins=7)
    assert isinstance(ours, Calibration)
    assert ours.observed == pytest.approx(observed, rel=1e-14)
    assert ours.forecast == pytest.approx(forecast, rel=1e-14)


def test_folds_serve_scikit_learn_and_give_its_scores():
    data = load_iris()
    folds = k_folds(len(data.X), 5, rng=RNG(0), stratify=data.y)
    scores = sklearn.model_selection.cross_val_score(PlugInClassifier(), data.X, data.y, cv=folds)
    ours = cross_validate(PlugInClassifier(), data.X, data.y, folds)
    assert 1 - ours.fold_errors == pytest.approx(scores, abs=1e-15)
