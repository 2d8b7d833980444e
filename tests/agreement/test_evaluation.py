"""Evaluation against the reference modules: counts, splits of the same draws, every score from raw counts."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import calibration, roc
from mlnotes import evaluation as reference
from mlnotes.estimators import evaluation

quick = settings(derandomize=True, deadline=None, max_examples=80)
labels = st.lists(st.integers(0, 3), min_size=1, max_size=12)


@st.composite
def samples(draw, K=3):
    """Small integers with copies, -0.0 among the zeros, and labels that may contradict each other."""
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    n, d = draw(st.integers(1, 12)), draw(st.integers(1, 2))
    X = rng.integers(-1, 2, (n, d)) * rng.choice([-1.0, 1.0], (n, d))
    return X, rng.integers(0, K, n) * 2 - 1, rng.integers(-1, 2, (5, d)).astype(float)


@st.composite
def scores(draw):
    """Two classes, and scores k/8 with ties."""
    n = draw(st.integers(2, 12))
    y = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n).filter(lambda y: len(set(y)) == 2))
    return np.array(y), np.array(draw(st.lists(st.integers(0, 8), min_size=n, max_size=n))) / 8


@quick
@given(labels, st.randoms(use_true_random=False))
def test_errors_and_confusion(truth, random):
    truth = np.array(truth)
    first, second = (np.array([random.randrange(4) for _ in truth]) for _ in range(2))
    assert evaluation.error_rate(truth, first) == reference.error_rate(truth, first)
    table = reference.confusion_matrix(truth, first)
    assert (evaluation.confusion_matrix(truth, first) == table).all()
    full = evaluation.confusion_matrix(truth, first, labels=np.arange(-1, 5))
    seen = np.union1d(truth, first) + 1  # the position of label k is k + 1
    assert (full[np.ix_(seen, seen)] == table).all()
    assert full.sum() == len(truth)
    p_value = reference.mcnemar_test(truth, first, second)
    assert evaluation.mcnemar_test(truth, first, second) == p_value


@quick
@given(samples())
def test_learning_by_heart(sample):
    X, y, new = sample
    model = evaluation.MemorisingClassifier().fit(X, y)
    plain = reference.MemorisingClassifier().fit(X, y)
    smallest = reference.minimum_training_error(X, y)
    assert model.training_error_ == pytest.approx(smallest, abs=1e-15)
    assert evaluation.minimum_training_error(X, y) == model.training_error_
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
    assert reference.binomial_tail(k, n, float(p)) == pytest.approx(float(exact), rel=1e-13, abs=1e-300)
    assert reference.binomial_tail(n + 1, n, float(p)) == 0
    confidence = data.draw(st.sampled_from([0.5, 0.9, 0.99]))
    low, high, stated = evaluation.error_interval(k, n, confidence=confidence)
    assert (low, high) == reference.clopper_pearson_interval(k, n, 1 - confidence)
    assert stated == confidence
    half, tail = (1 - confidence) / 2, reference.binomial_tail
    assert low == 0 if k == 0 else tail(k, n, low) == pytest.approx(half, rel=1e-9)
    assert high == 1 if k == n else tail(n - k, n, 1 - high) == pytest.approx(half, rel=1e-9)
    interval = evaluation.error_interval(k, n, confidence=confidence, method="hoeffding")
    assert interval[:2] == reference.hoeffding_interval(k, n, 1 - confidence)
    assert k / n in interval
    assert interval.high + 1e-9 not in interval


@quick
@given(st.integers(2, 12), st.integers(0, 2**16), st.booleans(), st.data())
def test_splits_of_the_same_draws(n, seed, stratified, data):
    y, k = np.arange(n) % 3, data.draw(st.integers(2, n))
    strata = y if stratified else None
    ours = evaluation.k_folds(n, k, rng=np.random.default_rng(seed), stratify=strata)
    theirs = reference.k_folds(n, k, np.random.default_rng(seed), strata)
    for pair, other in zip(ours, theirs, strict=True):
        assert all((a == b).all() for a, b in zip(pair, other, strict=True))
    assert sorted(np.concatenate([test for _, test in ours])) == list(range(n))
    for train, test in [*ours, *evaluation.leave_one_out(n)]:
        assert sorted([*train, *test]) == list(range(n))
    size = data.draw(st.sampled_from([0.3, 0.5, n - 1]))
    n_test = size if isinstance(size, int) else int(np.ceil(size * n))
    ours = evaluation.train_test_split(
        np.arange(n), y, rng=np.random.default_rng(seed), test_size=size, stratify=strata
    )
    theirs = reference.train_test_split(np.arange(n), y, n_test, np.random.default_rng(seed), strata)
    for part, other in zip(ours, theirs, strict=True):
        assert part.tolist() == other.tolist()


@quick
@given(samples(2), st.integers(2, 5))
def test_cross_validation(sample, k):
    X, y, _ = sample
    if len(y) < max(k, 2):
        return
    folds = evaluation.k_folds(len(y), k, rng=np.random.default_rng(1))
    models = [evaluation.MemorisingClassifier(), evaluation.MemorisingClassifier()]
    ours = evaluation.cross_validate(models[0], X, y, folds)
    theirs = reference.cross_validate(reference.MemorisingClassifier(), X, y, folds)
    assert (ours.fold_errors == theirs.fold_errors).all()
    assert ours.fold_sizes.tolist() == [len(test) for _, test in folds]
    wrong = ours.fold_errors @ ours.fold_sizes
    assert ours.error == pytest.approx(wrong / len(y), abs=1e-15)
    spread = ((ours.fold_errors - ours.fold_errors.mean()) ** 2).sum() / (k - 1)
    assert ours.standard_error == pytest.approx(np.sqrt(spread / k), abs=1e-15)
    selection = evaluation.select_by_cross_validation(models, X, y, folds)
    assert (selection.best, selection.simplest) == (0, 0)


@quick
@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=5))
def test_the_simplest_within_a_standard_error(errors):
    results = [reference.CrossValidation(np.array(row) / 4, [4, 4, 4]) for row in errors]
    means = [Fraction(sum(row), 12) for row in errors]
    selection = reference.one_standard_error_rule(results)
    assert selection.best == means.index(min(means))
    row = np.array(errors[selection.best]) / 4
    limit = row.mean() + row.std(ddof=1) / np.sqrt(3)
    assert float(means[selection.simplest]) <= limit + 1e-12
    assert all(float(mean) > limit - 1e-12 for mean in means[: selection.simplest])


@quick
@given(scores(), st.sampled_from([0.0, 0.5, 1.0, 3.0]), st.sampled_from([0.25, 1.0]))
def test_thresholds_and_the_curve(sample, false_positive, false_negative):
    y, score = sample
    ours, theirs = evaluation.roc_curve(np.array(["no", "yes"])[y], score), roc.roc_curve(y, score)
    assert (ours.thresholds == theirs.thresholds).all()
    assert ours.false_positive_rate == pytest.approx(theirs.false_positive_rate, abs=1e-15)
    assert ours.true_positive_rate == pytest.approx(theirs.true_positive_rate, abs=1e-15)
    assert (ours.true_positives == [(score[y == 1] >= t).sum() for t in ours.thresholds]).all()
    positive, negative = score[y == 1], score[y == 0]
    pairs = (positive[:, None] > negative).mean() + (positive[:, None] == negative).mean() / 2
    assert ours.area == pytest.approx(pairs, abs=1e-15)
    assert theirs.area == pytest.approx(pairs, abs=1e-12)
    costs = {"false_positive": false_positive, "false_negative": false_negative}
    choice = evaluation.choose_threshold(y, score, **costs)
    assert choice == pytest.approx(roc.choose_threshold(y, score, **costs), abs=1e-15)
    predicted = evaluation.apply_threshold(score, choice.threshold)
    assert choice.cost == pytest.approx(roc.average_cost(y, predicted, **costs), abs=1e-15)


@quick
@given(scores(), st.sampled_from([None, 1, 3]))
def test_forecasts(sample, n_bins):
    y, p = sample
    assert evaluation.brier_score(y, p) == calibration.brier_score(y, p)
    inner = (p + 0.5) / 2
    assert evaluation.log_loss(y, inner) == calibration.log_loss(y, inner)
    ours = evaluation.calibration_curve(y, p, n_bins=n_bins)
    theirs = calibration.calibration_curve(y, p, n_bins=n_bins)
    assert (ours.count == theirs.count).all()
    assert ours.count.sum() == len(y)
    for name in ("forecast", "observed", "error", "reliability", "resolution", "uncertainty"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), abs=1e-14), name
    gap = abs(ours.forecast - ours.observed)
    assert ours.error == pytest.approx(gap @ ours.count / len(y), abs=1e-15)
    if n_bins is None:  # Murphy's identity
        parts = ours.reliability - ours.resolution + ours.uncertainty
        assert evaluation.brier_score(y, p) == pytest.approx(parts, abs=1e-14)


@pytest.mark.parametrize("arrays", [(), (3,), (3, [1, 2]), ([1, 2], 3), ([1, 2], [1, 2, 3])])
def test_refuses_arrays_of_different_length(arrays):
    with pytest.raises(ValueError, match="at least one array, all of the same length"):
        evaluation.train_test_split(*arrays, rng=np.random.default_rng(0))


def test_refuses_what_the_definitions_exclude():
    y, rng = np.array([0, 1]), np.random.default_rng(0)
    for k in (1, 3):
        with pytest.raises(ValueError, match="2 <= k <= n"):
            reference.k_folds(2, k, rng)
    for test_size in (0, 2):
        with pytest.raises(ValueError, match="each part needs at least one"):
            reference.train_test_split(y, y, test_size, rng)
    with pytest.raises(ValueError, match="2 labels, but 1 predictions"):
        reference.error_rate(y, y[:1])
    with pytest.raises(ValueError, match="observations of both classes"):
        roc.roc_curve(np.zeros(2), np.ones(2))
    with pytest.raises(ValueError, match="log loss is infinite"):
        calibration.log_loss(y, np.array([0.5, 0.0]))
