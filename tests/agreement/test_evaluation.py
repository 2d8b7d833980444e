"""Evaluation against the board: fast counts, splits of the same draws, every score from raw counts."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import evaluation as board
from mlnotes.estimators import evaluation as own

quick = settings(derandomize=True, deadline=None, max_examples=80)
labels = st.lists(st.integers(0, 3), min_size=1, max_size=12)


@st.composite
def tables(draw, K=3):
    """Small integer rows with copies, -0.0 among the zeros, and labels that may contradict each other."""
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    n, d = draw(st.integers(1, 12)), draw(st.integers(1, 2))
    X = rng.integers(-1, 2, (n, d)) * rng.choice([-1.0, 1.0], (n, d))
    return X, rng.integers(0, K, n) * 2 - 1, rng.integers(-1, 2, (5, d)).astype(float)


@st.composite
def scores(draw):
    """Two classes, and scores k/8 with ties."""
    n = draw(st.integers(2, 12))
    y = draw(st.lists(st.sampled_from([-1, 4]), min_size=n, max_size=n).filter(lambda y: len(set(y)) == 2))
    return np.array(y), np.array(draw(st.lists(st.integers(0, 8), min_size=n, max_size=n))) / 8


@quick
@given(labels, st.randoms(use_true_random=False))
def test_errors_and_confusion(truth, random):
    answers = [random.randrange(4) for _ in truth]
    every = np.arange(5)
    assert own.error_rate(truth, answers) == board.error_rate(truth, answers)
    assert (own.confusion_matrix(truth, answers) == board.confusion_matrix(truth, answers)).all()
    full = own.confusion_matrix(truth, answers, labels=every)
    assert (full == board.confusion_matrix(truth, answers, labels=every)).all()
    others = [random.randrange(4) for _ in truth]
    assert own.mcnemar_test(truth, answers, others) == board.mcnemar_test(truth, answers, others)


@quick
@given(tables())
def test_learning_by_heart(table):
    X, y, new = table
    model, plain = own.MemorisingClassifier().fit(X, y), board.MemorisingClassifier().fit(X, y)
    assert model.training_error_ == pytest.approx(plain.training_error_, abs=1e-15)
    assert own.least_training_error(X, y) == model.training_error_
    assert 1 - model.score(X, y) == pytest.approx(model.training_error_, abs=1e-15)
    assert (model.predict(np.vstack([X, new])) == plain.predict(np.vstack([X, new]))).all()


@quick
@given(st.integers(1, 20), st.data())
def test_tails_and_intervals(n, data):
    k = data.draw(st.integers(0, n))
    p = Fraction(data.draw(st.integers(0, 8)), 8)
    choose = [1]
    for j in range(n):
        choose.append(choose[-1] * (n - j) // (j + 1))
    exact = sum(choose[j] * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))
    assert own.binomial_tail(k, n, float(p)) == pytest.approx(float(exact), rel=1e-13, abs=1e-300)
    assert own.binomial_tail(n + 1, n, float(p)) == 0
    level = data.draw(st.sampled_from([0.5, 0.9, 0.99]))
    assert own.error_interval(k, n, confidence=level) == board.error_interval(k, n, level)
    low, high, said = own.error_interval(k, n, confidence=level)
    assert said == level
    half = (1 - level) / 2
    assert low == 0 if k == 0 else own.binomial_tail(k, n, low) == pytest.approx(half, rel=1e-9)
    assert high == 1 if k == n else own.binomial_tail(n - k, n, 1 - high) == pytest.approx(half, rel=1e-9)
    radius = np.sqrt(np.log(2 / (1 - level)) / (2 * n))
    ends = max(0.0, k / n - radius), min(1.0, k / n + radius)
    interval = own.error_interval(k, n, confidence=level, method="hoeffding")
    assert interval[:2] == pytest.approx(ends, abs=1e-15)
    assert k / n in interval
    assert interval.high + 1e-9 not in interval


@pytest.mark.parametrize("n", range(2, 10))
def test_rows_of_the_test_are_evenly_spread_over_the_order(n):
    """The i-th is one of them iff the share of n_test rows that is due rises to a whole number there."""

    class InOrder:
        def permutation(self, n):
            return np.arange(n)

    for n_test in range(1, n):
        due = [Fraction((i + 1) * n_test, n) // 1 - Fraction(i * n_test, n) // 1 for i in range(n)]
        for size in (n_test, (n_test - 0.5) / n):
            train, test = board.train_test_split(np.arange(n), rng=InOrder(), test_size=size)
            assert test.tolist() == [i for i in range(n) if due[i]]
            assert train.tolist() == [i for i in range(n) if not due[i]]


@quick
@given(st.integers(2, 12), st.integers(0, 2**16), st.booleans(), st.data())
def test_splits_of_the_same_draws(n, seed, stratified, data):
    y = np.arange(n) % 3 if stratified else None
    k = data.draw(st.integers(2, n))
    ours = own.k_folds(n, k, rng=np.random.default_rng(seed), stratify=y)
    theirs = board.k_folds(n, k, np.random.default_rng(seed), y)
    for pair, other in zip(ours, theirs, strict=True):
        assert all((a == b).all() for a, b in zip(pair, other, strict=True))
    assert sorted(np.concatenate([test for _, test in ours])) == list(range(n))
    for train, test in [*ours, *own.leave_one_out(n)]:
        assert sorted([*train, *test]) == list(range(n))
    size = data.draw(st.sampled_from([0.3, 0.5, n - 1]))
    parts = own.train_test_split(np.arange(n), rng=np.random.default_rng(seed), test_size=size, stratify=y)
    wanted = size if isinstance(size, int) else int(np.ceil(size * n))
    assert len(parts[1]) == wanted
    assert sorted(np.concatenate(parts)) == list(range(n))


@quick
@given(tables(2), st.integers(2, 5))
def test_cross_validation(table, k):
    X, y, _ = table
    if len(y) < max(k, 2):
        return
    folds = own.k_folds(len(y), k, rng=np.random.default_rng(1))
    models = [own.MemorisingClassifier(), own.MemorisingClassifier()]
    ours = own.cross_validate(models[0], X, y, folds)
    theirs = board.cross_validate(board.MemorisingClassifier(), X, y, folds)
    assert (ours.fold_errors == theirs.fold_errors).all()
    assert ours.fold_sizes.tolist() == [len(test) for _, test in folds]
    wrong = ours.fold_errors @ ours.fold_sizes
    assert ours.error == pytest.approx(wrong / len(y), abs=1e-15)
    spread = ((ours.fold_errors - ours.fold_errors.mean()) ** 2).sum() / (k - 1)
    assert ours.standard_error == pytest.approx(np.sqrt(spread / k), abs=1e-15)
    selection = own.select_by_cross_validation(models, X, y, folds)
    assert (selection.best, selection.simplest) == (0, 0)


@quick
@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=5))
def test_the_simplest_within_a_standard_error(errors):
    results = [board.CrossValidation(np.array(row) / 4, [4, 4, 4]) for row in errors]
    means = [Fraction(sum(row), 12) for row in errors]
    selection = board.select(results)
    assert selection.best == means.index(min(means))
    row = np.array(errors[selection.best]) / 4
    limit = row.mean() + row.std(ddof=1) / np.sqrt(3)
    assert float(means[selection.simplest]) <= limit + 1e-12
    assert all(float(mean) > limit - 1e-12 for mean in means[: selection.simplest])


@quick
@given(scores(), st.sampled_from([0.0, 0.5, 1.0, 3.0]), st.sampled_from([0.25, 1.0]))
def test_thresholds_and_the_curve(sample, alarm, miss):
    y, score = sample
    ours, theirs = own.roc_curve(y, score), board.roc_curve(y, score)
    for name in (
        "thresholds",
        "true_positives",
        "false_positives",
        "true_positive_rate",
        "false_positive_rate",
    ):
        assert (getattr(ours, name) == getattr(theirs, name)).all(), name
    positive, negative = score[y == 4], score[y == -1]
    pairs = (positive[:, None] > negative).mean() + (positive[:, None] == negative).mean() / 2
    assert ours.area == pytest.approx(pairs, abs=1e-15)
    assert theirs.area == pytest.approx(pairs, abs=1e-12)
    costs = {"false_positive": alarm, "false_negative": miss}
    choice = own.choose_threshold(y, score, **costs)
    assert choice == board.choose_threshold(y, score, **costs)
    answers = own.apply_threshold(score, choice.threshold)
    paid = (alarm * ((answers == 1) & (y == -1)) + miss * ((answers == 0) & (y == 4))).mean()
    assert choice.cost == pytest.approx(paid, abs=1e-15)


@quick
@given(scores(), st.sampled_from([None, 1, 3]))
def test_forecasts(sample, n_bins):
    y, p = sample
    assert own.brier_score(y, p) == pytest.approx(((p - (y == 4)) ** 2).mean(), abs=1e-15)
    inner = (p + 0.5) / 2
    right = np.where(y == 4, inner, 1 - inner)
    if (right > 0).all():
        assert own.log_loss(y, inner) == pytest.approx(-np.log(right).mean(), abs=1e-14)
    ours, theirs = (side.calibration_curve(y, p, n_bins=n_bins) for side in (own, board))
    assert (ours.count == theirs.count).all()
    assert ours.count.sum() == len(y)
    for name in ("forecast", "observed", "error", "reliability", "resolution", "uncertainty"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), abs=1e-14), name
    gap = abs(ours.forecast - ours.observed)
    assert ours.error == pytest.approx(gap @ ours.count / len(y), abs=1e-15)
    if n_bins is None:  # Murphy's identity
        parts = ours.reliability - ours.resolution + ours.uncertainty
        assert own.brier_score(y, p) == pytest.approx(parts, abs=1e-14)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda rng: own.train_test_split(rng=rng), "at least one array"),
        (lambda rng: own.train_test_split([1, 2], 3, rng=rng), "all with as many rows"),
        (lambda rng: own.train_test_split(3, [1, 2], rng=rng), "all with as many rows"),
        (lambda rng: own.train_test_split([1, 2, 3], [1, 2], rng=rng), "all with as many rows"),
        (lambda rng: own.train_test_split([1, 2], [1, 2, 3], [1, 2], rng=rng), "all with as many rows"),
        (lambda rng: own.train_test_split([1, 2], rng=rng, test_size=0), "asks for 0 test rows out of 2"),
        (lambda rng: own.train_test_split([1, 2], rng=rng, test_size=2), "asks for 2 test rows out of 2"),
        (lambda rng: own.train_test_split([1, 2], rng=rng, test_size=3), "asks for 3 test rows out of 2"),
        (lambda rng: own.train_test_split([1, 2], rng=rng, test_size=1.0), "test_size"),
        (lambda rng: own.confusion_matrix([1, 2], [1, 1], labels=[1, 3]), "labels must hold every label"),
        (lambda rng: own._check_fold(([0, 1], [1.5]), 3), "folds must be pairs"),
        (lambda rng: own._check_fold(([0, 1], []), 3), "folds must be pairs"),
        (lambda rng: own._check_fold(([0, 1], np.zeros(0, dtype=int)), 3), "folds must be pairs"),
        (lambda rng: own._check_fold(([0, 1], [[2]]), 3), "folds must be pairs"),
        (lambda rng: own._check_fold(([0], [1], [2]), 3), "folds must be pairs"),
        (lambda rng: own._check_fold(([0, 1], [3]), 3), "folds name rows outside 0, ..., 2"),
        (lambda rng: own._check_fold(([0, 1], [1, 2]), 3), "row 1 is in the training and the test part"),
    ],
)
def test_what_cannot_be_split_or_counted_is_refused(call, sentence):
    with pytest.raises(ValueError) as refusal:
        call(np.random.default_rng(0))
    assert sentence in str(refusal.value)


def test_what_can_just_be_split_is_split():
    rng = np.random.default_rng(0)
    for size in (1, 3, 0.01):
        train, test, labels, _ = own.train_test_split(np.arange(4), list("abcd"), rng=rng, test_size=size)
        assert sorted([*train, *test]) == [0, 1, 2, 3]
        assert labels.tolist() == ["abcd"[i] for i in train]
    assert [side.tolist() for side in own._check_fold(([0, 2], [1]), 3)] == [[0, 2], [1]]


def test_what_learns_by_heart_tells_scikit_learn_so():
    pytest.importorskip("sklearn")
    assert own.MemorisingClassifier().__sklearn_tags__().classifier_tags.poor_score


class Half:
    """A model that cannot answer."""

    def fit(self, X, y):
        return self


def test_models_must_fit_and_predict():
    folds = [([0, 1], [2]), ([1, 2], [0])]
    for model in (Half(), 3):
        with pytest.raises(ValueError, match="model must have the methods fit and predict"):
            own.cross_validate(model, [[0.0], [1.0], [2.0]], [0, 1, 1], folds)
    for models in ([], 3, iter([own.MemorisingClassifier()])):
        with pytest.raises(ValueError, match="models must be a sequence of at least one estimator"):
            own.select_by_cross_validation(models, [[0.0], [1.0], [2.0]], [0, 1, 1], folds)
