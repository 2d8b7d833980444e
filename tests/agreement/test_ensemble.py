"""Forests, bagging and AdaBoost on small awkward data: ties, duplicates, constants, weights of any size.

What a forest reports is recomputed from its trees and its bootstrap samples; the trees of bagging are those
of `DecisionTreeClassifier`, which has its own tests. AdaBoost is replayed from the predictions of its
classifiers. Equal errors of stumps differ by the rounding of weights, 1e-15 or so; others differ by far more
than 2^-40, for the weights are whole in some unit, and the rounds few.
"""

import contextlib
import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mlnotes import (
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    RandomForestClassifier,
)
from mlnotes import ensemble as reference
from mlnotes.claims.adapters.tree import as_dictionary
from mlnotes.engines import tree_growing, tree_nodes
from mlnotes.estimators import boosting
from mlnotes.estimators import ensemble as estimators
from mlnotes.estimators.base import LimitWarning


def many(n):
    return settings(derandomize=True, deadline=None, max_examples=n, phases=[Phase.generate])


@contextlib.contextmanager
def small_blocks(draw):
    """Blocks of three entries, observations and trees, or as they are."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in (
            (tree_growing, "BLOCK"), (tree_nodes, "PAIRS"), (tree_nodes, "ENTRIES"), (boosting, "_BLOCK"),
            (estimators, "_TOGETHER"), (estimators, "_ENTRIES"), (estimators, "_WORTH"),
        ):  # fmt: skip
            patch.setattr(module, name, draw(st.sampled_from([3, getattr(module, name)])))
        yield


@st.composite
def samples(draw, most_classes=4, least=1):
    """X, y with n <= 12, d <= 4 and up to four classes, whose labels are words or numbers."""
    n, d, K = draw(st.integers(least, 12)), draw(st.integers(1, 4)), draw(st.integers(1, most_classes))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.integers(0, draw(st.sampled_from([1, 3, 9])), (n, d)) / 2.0
    X = X[rng.integers(0, n, n)] if draw(st.booleans()) else X
    X[:, 0] = X[0, 0] if draw(st.booleans()) else X[:, 0]
    labels = draw(st.sampled_from([np.array(["d", "b", "c", "a"]), np.array([-1, 1, 5, 3])]))
    noise = rng.integers(0, 2, n)
    codes = rng.integers(0, K, n) if draw(st.booleans()) else (X.sum(axis=1) + noise).astype(int) % K
    return X, labels[codes]


def points(X):
    """The observations, and points between and beside them."""
    return np.vstack([X, X[::-1] / 2 + X / 2, X + 0.25, X - 7])


def quietly(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LimitWarning)  # examples that all trees have seen, first guesses
        return model.fit(*data)


def check_votes(model, X, y):
    """Recompute everything that a forest reports from its trees and samples."""
    Z, K, classes = points(X), len(np.unique(y)), np.unique(y)
    predictions = np.array([member.predict(Z) for member in model.estimators_])
    votes = np.array([[(column == k).sum() for k in range(K)] for column in predictions.T])
    assert model.classes_.tolist() == classes.tolist()
    assert model.predict_proba(Z).tolist() == (votes / len(predictions)).tolist()
    assert model.predict(Z).tolist() == classes[votes.argmax(axis=1)].tolist()
    mean = np.mean([member.feature_importances_ for member in model.estimators_], axis=0)
    np.testing.assert_allclose(model.feature_importances_, mean / (mean.sum() or 1), atol=1e-12)
    trees = [as_dictionary(tree) for tree in model.trees_]
    votes = reference.out_of_bag_votes(trees, model.estimators_samples_, X, K)
    total = votes.sum(axis=1)
    assert model.oob_decision_function_.tolist() == (votes / np.maximum(total, 1)[:, None]).tolist()
    right = (classes[votes.argmax(axis=1)] == y)[total > 0]
    assert model.oob_score_ == pytest.approx(right.mean() if right.size else 0.0, abs=1e-15)


def check_samples(model, X, y):
    """Each tree was grown on its bootstrap sample."""
    codes = np.unique(y, return_inverse=True)[1]
    for tree, rows in zip(model.trees_, model.estimators_samples_, strict=True):
        assert len(rows) == len(X)
        assert tree.value[0].tolist() == np.bincount(codes[rows], minlength=len(model.classes_)).tolist()


@many(60)
@given(st.data(), samples(), st.integers(1, 6), st.integers(0, 2**20), st.sampled_from([None, 1, 2]))
def test_bagged_trees_are_those_of_the_bootstrap_samples(data, sample, B, seed, n_jobs):
    X, y = sample
    with small_blocks(data.draw):
        model = BaggingClassifier(n_estimators=B, random_state=seed, oob_score=True, n_jobs=n_jobs)
        quietly(model, X, y)
        check_votes(model, X, y)
    check_samples(model, X, y)
    plain = reference.BaggingClassifier(n_estimators=B, random_state=seed).fit(X, y)
    assert np.array_equal(plain.samples_, model.estimators_samples_)
    for tree, rows in zip(model.trees_, model.estimators_samples_, strict=True):
        alone = DecisionTreeClassifier().fit(X, y, np.bincount(rows, minlength=len(X))).tree_
        assert tree.feature.tolist() == alone.feature.tolist()
        assert tree.threshold.tolist() == alone.threshold.tolist()
        assert tree.value[:, tree.value[0] > 0].tolist() == alone.value.tolist()


@many(60)
@given(st.data(), samples(least=2), st.integers(1, 5), st.integers(0, 2**20))
def test_a_forest_reports_what_its_trees_and_samples_say(data, sample, B, seed):
    X, y = sample
    q = data.draw(st.integers(1, X.shape[1]))
    chosen = {
        "criterion": data.draw(st.sampled_from(["gini", "entropy", "misclassification"])),
        "max_features": q,
        "max_depth": data.draw(st.sampled_from([None, 0, 1, 2])),
        "min_samples_split": data.draw(st.integers(2, 4)),
        "min_samples_leaf": data.draw(st.integers(1, 2)),
        "oob_score": True,
        "random_state": seed,
    }
    with small_blocks(data.draw):
        model = quietly(RandomForestClassifier(B, **chosen), X, y)
        check_votes(model, X, y)
        check_samples(model, X, y)
        again = quietly(RandomForestClassifier(B, n_jobs=2, **chosen), X, y)
    assert again.predict_proba(X).tolist() == model.predict_proba(X).tolist()
    for tree in model.trees_:
        inner = ~tree.is_leaf
        assert (tree.depth[inner] < (chosen["max_depth"] or 0)).all() or chosen["max_depth"] is None
        assert (tree.n_rows[inner] >= chosen["min_samples_split"]).all()
        assert (tree.n_rows[1:] >= chosen["min_samples_leaf"]).all()


def test_every_node_draws_its_own_features():
    """With q = 1 the features are used equally often."""
    rng = np.random.default_rng(0)
    X, y = rng.random((600, 6)), rng.integers(0, 2, 600)
    forest = RandomForestClassifier(4, max_features=1, random_state=1).fit(X, y)
    for tree in forest.trees_:
        used = np.bincount(tree.feature[~tree.is_leaf], minlength=6)
        assert used.sum() > 100
        assert used.min() > 0.08 * used.sum()
    pairs = {tuple(tree.feature[[1, tree.right[0]]]) for tree in forest.trees_}
    assert len(pairs) > 1


def test_a_node_whose_drawn_features_are_constant_is_split_by_another_one():
    """The corners of a cube and their parity: a feature that was used above is constant, at some nodes."""
    X = np.array(list(itertools.product([0.0, 1.0], repeat=3)))
    for seed in range(5):
        tree = DecisionTreeClassifier(max_features=1, random_state=seed).fit(X, X.sum(axis=1) % 2).tree_
        assert tree.n_rows[tree.is_leaf].tolist() == [1] * 8


@pytest.mark.parametrize("member", [None, KNeighborsClassifier(1)])
@pytest.mark.parametrize(("B", "warned"), [(1, True), (2, True), (60, False)])
def test_warns_of_examples_that_all_classifiers_have_seen(B, warned, member):
    X, y = np.arange(6.0)[:, None], np.arange(6) % 2
    model = BaggingClassifier(member, n_estimators=B, oob_score=True, random_state=0)
    with pytest.warns(LimitWarning, match="of 6 rows were drawn") if warned else contextlib.nullcontext():
        model.fit(X, y)
    votes = model.oob_decision_function_.sum(axis=1)
    assert (0 in votes) == warned
    assert 1 in votes


# --- AdaBoost


def weights_of(data, n):
    """Whole weights, some of them 0, in some unit; or none."""
    if data.draw(st.booleans()):
        return None
    w = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    w[data.draw(st.integers(0, n - 1))] = 1
    return w * data.draw(st.sampled_from([1.0, 0.1, 2.0**-200]))


def replayed(model, X, codes, w, K):
    """Errors, alphas, scores and weights from the predictions alone, by the steps of the algorithm."""
    errors, alphas, weights, scores = [], [], [], np.zeros((len(X), K))
    for member, alpha in zip(model.estimators_, model.estimator_weights_, strict=True):
        wrong = member.predict(X) != codes
        weights.append(w)
        errors.append(math.fsum(w[wrong]))
        scores[np.arange(len(X)), member.predict(X)] += alpha
        odds = (1 - errors[-1]) / errors[-1] * (K - 1) if 0 < errors[-1] < 1 else 1.0
        alphas.append(math.log(odds) if odds > 0 else 0.0)
        w = np.where(wrong, w * odds, w)
        w = w / math.fsum(w)
    return np.array(errors), np.array(alphas), scores, weights


def check_boosting(model, X, y, w):
    """Replay the rounds, recompute everything that the model reports, return the data and all weights."""
    Z, K = points(X), len(model.classes_)
    there = np.ones(len(X), dtype=bool) if w is None else w > 0
    start = np.ones(len(X)) if w is None else w
    X, y, start = X[there], y[there], start[there] / start[there].sum()
    codes = np.searchsorted(model.classes_, y)
    errors, odds, V, weights = replayed(model, X, codes, start, K)
    np.testing.assert_allclose(model.estimator_errors_, errors, atol=1e-12)
    alphas, report = model.estimator_weights_, model.certificate_
    total = abs(alphas).sum()
    if errors[-1] == 0:
        assert alphas[-1] == 1 + abs(alphas[:-1]).sum()
    elif not alphas.any():
        assert len(alphas) == 1
        assert errors[0] > 1 - 1 / K - 1e-12 or abs(errors[0] - 0.5) < 1e-12
    else:
        np.testing.assert_allclose(alphas, odds, rtol=1e-9, atol=1e-9)
    other = V.copy()
    other[np.arange(len(y)), codes] = -np.inf
    own = V[np.arange(len(y)), codes]
    rival = other.max(axis=1) if K > 1 else np.zeros(len(y))
    predicted, clear = model.predict(X), abs(own - rival) > 1e-9
    assert (predicted == y)[clear].tolist() == (own > rival)[clear].tolist()
    assert report["training_error"] == pytest.approx(start[predicted != y].sum(), abs=1e-14)
    factors = [max(K, 2) * math.sqrt(e * (1 - e) / (max(K, 2) - 1)) for e in errors]
    bound = math.prod(factors) if alphas.any() else 1.0
    assert report["bound"] == pytest.approx(bound, rel=1e-9, abs=1e-12)
    assert report["n_rounds"] == len(alphas)
    loss = math.fsum(start * np.exp(alphas.sum() / 2 - own))
    assert report["exponential_loss"] == pytest.approx(loss, rel=1e-9)
    if K == 2 and errors.all():
        assert loss == pytest.approx(report["bound"], rel=1e-9)
        assert report["training_error"] <= report["bound"] * (1 + 1e-9)
    np.testing.assert_allclose(model.margins(X, y), (own - rival) / max(total, 1e-300), atol=1e-11)
    F, probabilities = model.decision_function(Z), model.predict_proba(Z)
    if K == 2:
        np.testing.assert_allclose(probabilities[:, 1], 1 / (1 + np.exp(-F)), atol=1e-12)
    check_stages(model, Z, K)
    return X, codes, weights


def check_stages(model, Z, K):
    """The scores and predictions after each round, of the classifiers so far."""
    scores, rows = np.zeros((len(Z), K)), np.arange(len(Z))
    stages = zip(model.staged_decision_function(Z), model.staged_predict(Z), strict=True)
    rounds = zip(model.estimators_, model.estimator_weights_, strict=True)
    for (F, predicted), (member, alpha) in zip(stages, rounds, strict=True):
        scores[rows, member.predict(Z)] += alpha
        np.testing.assert_allclose(F, scores[:, 1] - scores[:, 0] if K == 2 else scores, atol=1e-9)
        first = (scores >= scores.max(axis=1, keepdims=True) - 1e-10).argmax(axis=1)
        assert predicted.tolist() == model.classes_[first].tolist()
    assert predicted.tolist() == model.predict(Z).tolist()
    np.testing.assert_allclose(F, model.decision_function(Z), atol=1e-9)


def first_best_stump(X, codes, w, K):
    """The first of the stumps of smallest error, up to a tie; a split is preferred to none."""
    Y = (codes[:, None] == np.arange(K)) * w[:, None]
    best = (w.sum() - Y.sum(axis=0).max(), 0, math.inf, Y.sum(axis=0), Y.sum(axis=0))
    is_first, tie = True, 2.0**-40
    for j, x in enumerate(X.T):
        own = []
        for low, high in itertools.pairwise(np.unique(x)):
            sides = Y[x <= low].sum(axis=0), Y[x > low].sum(axis=0)
            own.append((w.sum() - sides[0].max() - sides[1].max(), j, low / 2 + high / 2, *sides))
        if not own or K == 1:
            continue
        found = next(split for split in own if split[0] <= min(own)[0] + tie)
        if found[0] < best[0] - tie:
            best, is_first = found, False
        elif is_first:
            best, is_first = (best[0], *own[0][1:]), False
    _, j, threshold, left, right = best
    first = [int((side >= side.max() - tie).argmax()) for side in (left, right)]
    return (j, threshold, *(first if threshold < math.inf else first[:1]))


@many(150)
@given(st.data(), samples(), st.sampled_from([1, 2, 12]))
def test_boosted_stumps_are_the_first_of_the_best(data, sample, rounds):
    X, y = sample
    w = weights_of(data, len(X))
    with small_blocks(data.draw):
        model = quietly(AdaBoostClassifier(n_estimators=rounds), X, y, w)
        X, codes, weights = check_boosting(model, X, y, w)
    for stump, of_round in zip(model.estimators_, weights, strict=True):
        expected = first_best_stump(X, codes, of_round, len(model.classes_))
        assert tuple(stump)[: len(expected)] == expected


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_stumps_of_few_values_are_the_first_of_the_best(seed, K):
    rng = np.random.default_rng(seed)
    X, y, w = rng.integers(0, 3, (60, 4)).astype(float), rng.integers(0, K, 60), rng.integers(1, 9, 60) / 8
    model = quietly(AdaBoostClassifier(n_estimators=6), X, y, w)
    X, codes, weights = check_boosting(model, X, y, w)
    for stump, of_round in zip(model.estimators_, weights, strict=True):
        assert tuple(stump) == first_best_stump(X, codes, of_round, K)


@many(60)
@given(st.data(), samples(), st.sampled_from([1, 4]), st.integers(0, 2))
def test_other_classifiers_are_boosted_in_the_same_way(data, sample, rounds, depth):
    X, y = sample
    w = weights_of(data, len(X))
    weak = DecisionTreeClassifier(max_depth=depth)
    model = quietly(AdaBoostClassifier(weak, n_estimators=rounds), X, y, w)
    X, codes, weights = check_boosting(model, X, y, w)
    for member, of_round in zip(model.estimators_, weights, strict=True):
        alone = DecisionTreeClassifier(max_depth=depth).fit(X, codes, of_round)
        assert member.predict(X).tolist() == alone.predict(X).tolist()


@pytest.mark.parametrize(("K", "times"), [(2, 1), (3, 1), (3, 4)])
def test_at_a_tie_the_first_split_wins_and_beyond_it_the_second(K, times):
    """The splits err on the weight of the last example and on that of the first; between is another class."""
    X, y = np.repeat([[0.0], [1.0], [2.0]], times, axis=0), np.repeat([0, 1, 0], times)
    X, y = (np.vstack([X, [[1.0]]]), np.append(y, 2)) if K == 3 else (X, y)
    for more, threshold in ((2.0**-41, 0.5), (2.0**-38, 1.5)):
        w = np.append(np.repeat([0.25, 0.5, 0.25 + more], times) / times, [1e-9] * (K == 3))
        model = AdaBoostClassifier(n_estimators=1).fit(X, y, w)
        assert model.estimators_[0].threshold == threshold


def test_at_a_tie_a_side_predicts_the_first_class():
    X, y = [[0.0], [0.0], [1.0]], [0, 1, 1]
    for more, side in ((2.0**-41, 0), (2.0**-38, 1)):
        stump = AdaBoostClassifier(n_estimators=1).fit(X, y, [0.25, 0.25 + more, 0.5]).estimators_[0]
        assert tuple(stump) == (0, 0.5, side, 1)


def test_many_rounds_neither_overflow_nor_stop():
    rng = np.random.default_rng(5)
    X = rng.random((80, 3))
    y = (X.sum(axis=1) > 1.5).astype(int)
    model = AdaBoostClassifier(n_estimators=400).fit(X, y)
    assert len(model.estimators_) == 400
    assert np.isfinite(model.decision_function(X)).all()
    assert model.certificate_["exponential_loss"] == pytest.approx(model.certificate_["bound"], rel=1e-6)
