"""Ensembles: hand cases, slow formulas, identities of AdaBoost, variance, limits, errors, scikit-learn."""

import math
import warnings

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier as PeerBoost
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier as PeerTree
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import claims, datasets
from mlnotes.estimators import ensemble, evaluation
from mlnotes.estimators.base import LimitWarning
from mlnotes.estimators.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    RandomForestClassifier,
    Stump,
    adaboost_update,
    adaboost_weight,
    bootstrap_rows,
    majority_vote,
    out_of_bag_probability,
    training_bound,
    variance_of_average,
    variance_parts,
)
from mlnotes.estimators.neighbors import KNeighborsClassifier
from mlnotes.estimators.tree import DecisionTreeClassifier

LINE = np.arange(4.0)[:, None]
LINE_LABELS = np.array([-1, 1, 1, -1])


def noisy(rng, n=150, d=4, K=2):
    X = rng.standard_normal((n, d))
    y = np.digitize(X[:, 0] + X[:, 1] + rng.normal(0, 0.7, n), np.linspace(-1, 1, K + 1)[1:-1])
    return X, y


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(vars(a).values(), vars(b).values(), strict=True))


# --- exact hand cases


def test_hand_adaboost():
    model = AdaBoostClassifier(n_estimators=3).fit(LINE, LINE_LABELS)
    assert model.estimator_errors_.tolist() == pytest.approx([1 / 4, 1 / 6, 1 / 5])
    np.testing.assert_allclose(np.exp(model.estimator_weights_), [3, 5, 4])
    assert model.estimators_[0] == Stump(0, 0.5, 0, 1)
    assert model.estimators_[1] == Stump(0, 2.5, 1, 0)
    assert model.predict(LINE).tolist() == LINE_LABELS.tolist()
    assert model.certificate_["training_error"] == 0
    bound = 8 * math.sqrt(1 / 4 * 3 / 4 * 1 / 6 * 5 / 6 * 1 / 5 * 4 / 5)
    assert model.certificate_["bound"] == pytest.approx(bound)
    assert model.certificate_["exponential_loss"] == pytest.approx(bound)


def test_hand_update():
    w = adaboost_update([0.25] * 4, [True, False, False, False], math.log(3))
    np.testing.assert_allclose(w, [1 / 2, 1 / 6, 1 / 6, 1 / 6], rtol=1e-15)
    w = adaboost_update([0.25] * 4, [True, True, True, False], adaboost_weight(0.75))  # wrong rows shrink
    np.testing.assert_allclose(w, [1 / 6, 1 / 6, 1 / 6, 1 / 2], rtol=1e-15)
    assert adaboost_weight(0.5) == 0
    assert adaboost_weight(2 / 3, 3) == pytest.approx(0, abs=1e-15)
    assert training_bound([0.5]) == 1
    assert training_bound([0.1, 0.2]) == pytest.approx(2 * 0.3 * 2 * 0.4)
    assert training_bound([2 / 3], 3) == pytest.approx(1)


def test_hand_votes_and_variances():
    assert majority_vote([["a", "b"], ["b", "b"]]).tolist() == ["a", "b"]  # a tie goes to the smallest
    assert variance_of_average(1.0, 0.0, 4) == 0.25
    assert variance_of_average(1.0, 1.0, 4) == 1.0
    assert variance_of_average(9.0, -0.5, 3) == 0
    assert out_of_bag_probability(2) == 0.25
    assert abs(out_of_bag_probability(10**6) - math.exp(-1)) < 1e-6
    parts = variance_parts([[0.0, 2.0], [4.0, 6.0]])
    assert (parts.within, parts.between) == (2.0, 7.0)  # means 1 and 5: variance 8, less 2/2
    assert parts.correlation == pytest.approx(7 / 9)


def test_stumps_answer():
    stump = Stump(1, 0.5, 0, 2)
    assert stump.predict([[9, 0.5], [9, 0.6]]).tolist() == [0, 2]


# --- slow formulas


def test_more_classes():
    X, y = noisy(np.random.default_rng(1), K=3)
    model = AdaBoostClassifier(n_estimators=30).fit(X, y)
    errors = model.estimator_errors_
    np.testing.assert_allclose(model.estimator_weights_, np.log((1 - errors) / errors) + math.log(2))
    assert model.certificate_["training_error"] == pytest.approx(1 - model.score(X, y))
    assert model.certificate_["training_error"] <= model.certificate_["bound"]
    assert model.certificate_["training_error"] < 0.5 * np.mean(y != 1)
    scores = sum(
        a * (m.predict(X)[:, None] == np.arange(3))
        for a, m in zip(model.estimator_weights_, model.estimators_, strict=True)
    )
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-12)
    margins = model.margins(X, y)
    assert ((margins > 1e-12) <= (model.predict(X) == y)).all()
    assert (abs(margins) <= 1).all()


def test_variance_parts_of_known_components():
    rng = np.random.default_rng(2)
    sets, members = rng.normal(0, 2, (4000, 1)), rng.normal(0, 1, (4000, 5))
    parts = variance_parts(sets + members)
    assert parts.between == pytest.approx(4, rel=0.1)
    assert parts.within == pytest.approx(1, rel=0.05)
    mean = (sets + members).mean(axis=1).var(ddof=1)
    assert variance_of_average(parts.variance, parts.correlation, 5) == pytest.approx(mean, rel=1e-12)


# --- forests


def test_a_forest_of_all_features_is_bagging():
    X, y = noisy(np.random.default_rng(3), K=3)
    a = BaggingClassifier(n_estimators=7, random_state=5).fit(X, y)
    b = RandomForestClassifier(7, max_features=None, random_state=5).fit(X, y)
    assert all(same(s, t) for s, t in zip(a.trees_, b.trees_, strict=True))
    one_by_one = BaggingClassifier(DecisionTreeClassifier(), n_estimators=7, random_state=5).fit(X, y)
    for s, member in zip(a.trees_, one_by_one.estimators_, strict=True):
        assert np.array_equal(s.threshold, member.tree_.threshold)
    assert (a.predict(X) == one_by_one.predict(X)).all()


def test_a_forest_does_not_depend_on_threads_or_on_what_else_grows(monkeypatch):
    X, y = noisy(np.random.default_rng(4))
    a = RandomForestClassifier(9, random_state=1, n_jobs=2).fit(X, y)
    b = RandomForestClassifier(9, random_state=1).fit(X, y)
    assert all(same(s, t) for s, t in zip(a.trees_, b.trees_, strict=True))
    c = BaggingClassifier(n_estimators=9, random_state=1).fit(X, y)
    monkeypatch.setattr(ensemble, "_TOGETHER", 1)
    alone = BaggingClassifier(n_estimators=9, random_state=1).fit(X, y)
    assert all(same(s, t) for s, t in zip(c.trees_, alone.trees_, strict=True))


def test_a_forest_votes_and_its_members_are_trees():
    X, y = noisy(np.random.default_rng(5), K=3)
    names = np.array(["x", "y", "z"])
    forest = RandomForestClassifier(15, random_state=0).fit(X, names[y])
    votes = np.array([member.predict(X) for member in forest.estimators_])
    assert (forest.predict(X) == names[majority_vote(votes)]).all()
    shares = (votes[:, :, None] == np.arange(3)).mean(axis=0)
    np.testing.assert_allclose(forest.predict_proba(X), shares)
    assert forest.feature_importances_.sum() == pytest.approx(1)
    assert forest.feature_importances_[:2].min() > forest.feature_importances_[2:].max()
    assert {tuple(t.feature[:1]) for t in forest.trees_} >= {(0,), (1,)}


def test_limits_of_forests():
    X, y = noisy(np.random.default_rng(6))
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, y)
    assert max(t.depth.max() for t in forest.trees_) == 2
    forest = RandomForestClassifier(5, min_samples_leaf=9, criterion="entropy", random_state=0).fit(X, y)
    assert min(t.n_rows[t.is_leaf].min() for t in forest.trees_) >= 9
    forest = RandomForestClassifier(5, min_samples_split=50, random_state=0).fit(X, y)
    assert min(t.n_rows[~t.is_leaf].min() for t in forest.trees_) >= 50


def test_the_out_of_bag_error_is_an_honest_estimate():
    data = datasets.load_breast_cancer()
    rng = np.random.default_rng(8)
    train, test = np.split(rng.permutation(len(data.y)), [350])
    forest = RandomForestClassifier(40, oob_score=True, random_state=0).fit(data.X[train], data.y[train])
    wrong = round((1 - forest.oob_score_) * len(train))
    interval = evaluation.error_interval(wrong, len(train), confidence=0.999)
    assert interval.low <= 1 - forest.score(data.X[test], data.y[test]) <= interval.high


def test_bagging_of_another_method():
    X, y = noisy(np.random.default_rng(9))
    model = BaggingClassifier(GaussianNB(), n_estimators=6, oob_score=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LimitWarning)
        model.fit(X, y)
    assert model.score(X, y) > 0.8
    assert len(model.estimators_) == 6
    trees = BaggingClassifier(n_estimators=3, random_state=0).fit(X, y)
    again = model.set_params(estimator=None, n_estimators=3, oob_score=False).fit(X, y)
    assert (again.predict_proba(X) == trees.predict_proba(X)).all()
    assert isinstance(again.estimators_[0], DecisionTreeClassifier)


@pytest.mark.parametrize("B", [2, 12])
def test_parameters_that_change_after_the_fit_change_no_answer(B):
    X, y = noisy(np.random.default_rng(9))
    for model in (
        BaggingClassifier(n_estimators=6, random_state=0),
        BaggingClassifier(GaussianNB(), n_estimators=6, random_state=0),
        RandomForestClassifier(6, random_state=0),
    ):
        shares, answers = model.fit(X, y).predict_proba(X), model.predict(X)
        model.set_params(n_estimators=B)
        assert (model.predict_proba(X) == shares).all()
        assert (model.predict(X) == answers).all()
        with pytest.raises(ValueError, match="n_jobs must be an integer >= 1, got -1"):
            model.set_params(n_jobs=-1).predict_proba(X)
    importances = model.feature_importances_
    model.set_params(criterion="entropy")
    assert (model.feature_importances_ == importances).all()


def test_a_bag_whose_member_refuses_its_rows_is_not_fitted():
    X, y = noisy(np.random.default_rng(9), n=9)
    model = BaggingClassifier(KNeighborsClassifier(10), n_estimators=2, random_state=0)
    with pytest.raises(ValueError, match="n_neighbors must be at most"):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)


# --- degenerate but legal


def test_adaboost_stops_where_a_member_is_perfect():
    X, y = np.arange(6.0)[:, None], ["a"] * 3 + ["b"] * 3
    model = AdaBoostClassifier(n_estimators=9).fit(X, y)
    assert (len(model.estimators_), model.estimator_weights_.tolist()) == (1, [1.0])
    assert model.certificate_["bound"] == model.certificate_["training_error"] == 0
    assert np.isfinite(model.decision_function(X)).all()


def test_a_perfect_member_decides_alone():
    rounds = []

    class Later(DecisionTreeClassifier):
        """One question in the first two rounds, then as many as it likes."""

        def fit(self, X, y, sample_weight=None):
            rounds.append(len(rounds))
            self.max_depth = 1 if len(rounds) < 3 else None
            return super().fit(X, y, sample_weight)

    model = AdaBoostClassifier(Later(), n_estimators=9).fit(LINE, LINE_LABELS)
    assert model.estimator_errors_[-1] == 0
    assert model.estimator_weights_[-1] > np.abs(model.estimator_weights_[:-1]).sum()
    assert model.score(LINE, LINE_LABELS) == 1


def test_adaboost_cannot_start_from_a_guess():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.warns(LimitWarning, match=r"weighted error 0.5000 with 2 classes, no better than guessing"):
        model = AdaBoostClassifier().fit(X, y)
    assert model.decision_function(X).tolist() == [0, 0, 0, 0]
    assert model.predict(X).tolist() == [0, 0, 0, 0]
    assert model.certificate_["bound"] == 1
    assert AdaBoostClassifier(DecisionTreeClassifier(max_depth=2)).fit(X, y).score(X, y) == 1


def test_a_member_worse_than_guessing_is_turned_around():
    class Contrary(DecisionTreeClassifier):
        def predict(self, X):
            return 1 - super().predict(X)

    X, y = noisy(np.random.default_rng(10))
    model = AdaBoostClassifier(Contrary(max_depth=1), n_estimators=8).fit(X, y)
    right = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=8).fit(X, y)
    assert (model.estimator_weights_ < 0).all()
    np.testing.assert_allclose(model.estimator_weights_, -right.estimator_weights_)
    assert (model.predict(X) == right.predict(X)).all()
    assert model.certificate_["exponential_loss"] == pytest.approx(model.certificate_["bound"])


def test_constant_features_one_class_and_one_row():
    flat = AdaBoostClassifier().fit(np.ones((3, 2)), [0, 1, 1])
    assert flat.predict([[5.0, 5.0]]).tolist() == [1]
    assert flat.certificate_["training_error"] == pytest.approx(1 / 3)
    for model in (AdaBoostClassifier(), BaggingClassifier(n_estimators=3), RandomForestClassifier(3)):
        assert model.fit([[1.0]], ["only"]).predict([[7.0]]).tolist() == ["only"]
        assert model.predict_proba([[7.0]]).tolist() == [[1.0]]


def test_weights_count_copies():
    X, y = noisy(np.random.default_rng(11), n=60)
    weights = np.random.default_rng(12).integers(0, 4, 60)
    weights[np.unique(y, return_index=True)[1]] = 1
    a = AdaBoostClassifier(n_estimators=10).fit(X, y, weights)
    b = AdaBoostClassifier(n_estimators=10).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert a.estimators_ == b.estimators_
    np.testing.assert_allclose(a.estimator_weights_, b.estimator_weights_, rtol=1e-10)


def test_a_guess_has_the_bound_one_and_nested_estimators_stay_untouched():
    X, y = [[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]], [0, 1, 2, 0, 1, 2]
    with pytest.warns(LimitWarning, match=r"weighted error 0.6667 with 3 classes"):
        model = AdaBoostClassifier().fit(X, y)
    assert model.certificate_["bound"] == 1
    weak = DecisionTreeClassifier(max_depth=1)
    outer = BaggingClassifier(AdaBoostClassifier(weak, n_estimators=2), n_estimators=2, random_state=0)
    outer.fit(*noisy(np.random.default_rng(0)))
    assert not hasattr(weak, "tree_")
    assert not hasattr(outer.estimator, "estimators_")
    assert outer.estimators_[0].estimator is not weak


@pytest.mark.parametrize("B", [2, 4, 10])
@pytest.mark.parametrize("K", [2, 3])
def test_a_tie_goes_to_the_smallest_label_in_votes_and_in_probabilities(B, K):
    rng = np.random.default_rng(B)
    X, y, Z = rng.random((60, 2)), np.array(["a", "b", "c"])[rng.integers(0, K, 60)], rng.random((400, 2))
    for model in (
        BaggingClassifier(n_estimators=B, random_state=0),
        RandomForestClassifier(B, random_state=0),
    ):
        answers, shares = model.fit(X, y).predict(Z), model.predict_proba(Z)
        ranked = np.sort(shares, axis=1)
        assert (ranked[:, -1] == ranked[:, -2]).any()
        assert (answers == model.classes_[shares.argmax(axis=1)]).all()


def test_a_tie_of_boosted_votes_goes_to_the_smallest_label_everywhere():
    model = AdaBoostClassifier(n_estimators=2).fit(LINE, LINE_LABELS)
    stumps = [Stump(0, 1.5, 0, 1), Stump(0, 1.5, 1, 0), Stump(0, 0.5, 0, 1), Stump(0, 0.5, 1, 0)]
    for alphas in ([0.1, 0.3, 0.2, 0.0], [1e-3, 1e-3, 0.7, 0.7 + 1e-16]):  # 0.1 + 0.2 is not 0.3
        model.estimators_, model.estimator_weights_ = stumps, np.array(alphas)
        F, shares = model.decision_function([[2.0]]), model.predict_proba([[2.0]])
        assert (F.tolist(), shares.tolist(), model.predict([[2.0]]).tolist()) == ([0.0], [[0.5, 0.5]], [-1])
        assert [part.tolist() for part in model.staged_predict([[2.0]])][-1] == [-1]
        assert [part.tolist() for part in model.staged_decision_function([[2.0]])][-1] == [0.0]
    model.classes_ = np.array([1, 2, 3])
    model.estimators_ = [Stump(0, 1.5, 0, k) for k in (2, 1, 1)]
    model.estimator_weights_ = np.array([0.3, 0.1, 0.2])
    shares = model.predict_proba([[2.0]])
    assert model.predict([[2.0]]).tolist() == [2]
    assert shares[0, 1] == shares[0, 2] > shares[0, 0]


def test_rows_that_every_tree_has_seen():
    X, y = noisy(np.random.default_rng(13), n=30)
    with pytest.warns(LimitWarning, match="rows were drawn for all 2 members: the out-of-bag score leaves"):
        forest = RandomForestClassifier(2, oob_score=True, random_state=0).fit(X, y)
    assert np.isfinite(forest.oob_decision_function_).all()
    assert 0 <= forest.oob_score_ <= 1


def test_relabelling_and_order():
    X, y = noisy(np.random.default_rng(14))
    order = np.random.default_rng(15).permutation(len(y))
    for a, b in ((0, 1), (-1, 1), ("n", "y")):
        labels = np.array([a, b])[y]
        model = AdaBoostClassifier(n_estimators=15).fit(X[order], labels[order])
        assert (
            model.predict(X) == np.array([a, b])[AdaBoostClassifier(n_estimators=15).fit(X, y).predict(X)]
        ).all()


# --- every sentence

I2, Y2 = np.eye(2), [0, 1]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: bootstrap_rows(0, np.random.default_rng(0)), "n must be an integer >= 1, got 0"),
        (lambda: out_of_bag_probability(1.5), "n must be an integer >= 1, got 1.5"),
        (lambda: majority_vote([1, 2]), r"votes must have shape \(B, n\) .* got shape \(2,\)"),
        (
            lambda: variance_of_average(1.0, -0.6, 3),
            r"correlation of B variables is from -1 / \(B - 1\) to 1, got -0.6",
        ),
        (lambda: variance_of_average(-1.0, 0, 3), "variance must be .* >= 0, got -1.0"),
        (lambda: variance_parts([[1.0, 2.0]]), r"outputs need r, B >= 2: .* got \(1, 2\)"),
        (lambda: adaboost_weight(0.0), "alpha is infinite at err = 0 and at err = 1, got 0.0"),
        (lambda: adaboost_weight(0.1, 1), "n_classes must be an integer >= 2, got 1"),
        (
            lambda: adaboost_update([1.0], [1], 0.1),
            r"wrong must be booleans of shape \(n,\), got int64 of shape",
        ),
        (
            lambda: adaboost_update([0.0], [True], 0.1),
            "weights: every weight is zero; at least one must be positive",
        ),
        (lambda: adaboost_update([-1.0], [True], 0.1), "weights must have entries >= 0"),
        (lambda: adaboost_update([1.0], [True], math.inf), "alpha must be a finite number, got inf"),
        (lambda: training_bound([1.5]), "errors must have entries <= 1, got 1.5"),
        (
            lambda: AdaBoostClassifier(n_estimators=0).fit(I2, Y2),
            "n_estimators must be an integer >= 1, got 0",
        ),
        (
            lambda: AdaBoostClassifier("tree").fit(I2, Y2),
            "estimator must have fit, predict and get_params, got",
        ),
        (
            lambda: AdaBoostClassifier().fit(I2, Y2).predict([[1.0]]),
            "X has 1 features, but AdaBoostClassifier",
        ),
        (lambda: AdaBoostClassifier().fit(I2, Y2).margins(I2, [0, 7]), "y has labels that were not fitted"),
        (lambda: AdaBoostClassifier().fit(I2, Y2, [0, 0]), "sample_weight: every weight is zero"),
        (lambda: AdaBoostClassifier().fit(I2, Y2, [1e308, 1e308]), "sample_weight: the sum exceeds the larg"),
        (lambda: AdaBoostClassifier().fit(I2, [0, 1, 1]), "y has 3 labels, but X has 2 rows"),
        (lambda: BaggingClassifier(n_estimators=0).fit(I2, Y2), "n_estimators must be .* >= 1, got 0"),
        (lambda: BaggingClassifier(oob_score="yes").fit(I2, Y2), "oob_score must be one of False, True"),
        (lambda: BaggingClassifier(n_jobs=0).fit(I2, Y2), "n_jobs must be an integer >= 1, got 0"),
        (lambda: BaggingClassifier(3).fit(I2, Y2), "estimator must have fit, predict and get_params, got 3"),
        (lambda: RandomForestClassifier(max_features=0).fit(I2, Y2), "max_features must be .* >= 1 and <= 2"),
        (lambda: RandomForestClassifier(criterion="mse").fit(I2, Y2), "criterion must be one of"),
        (lambda: RandomForestClassifier(n_jobs=-1).fit(I2, Y2), "n_jobs must be an integer >= 1, got -1"),
        (lambda: RandomForestClassifier().fit([[math.inf], [0.0]], Y2), "X contains infinity"),
    ],
)
def test_every_error_is_one_clear_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize(
    "model", [AdaBoostClassifier(), BaggingClassifier(), RandomForestClassifier()], ids=str
)
def test_not_fitted(model):
    for method in ("predict", "predict_proba"):
        with pytest.raises(NotFittedError, match="instance is not fitted yet"):
            getattr(model, method)([[0.0]])


# --- scikit-learn 1.9

SKIPS = {
    "check_array_api_input": "SciPy's array-API mode is off",
    "check_sample_weights_pandas_series": "pandas is not installed",
    "check_classifier_data_not_an_array": "pandas is not installed",
}


@pytest.mark.parametrize(
    "estimator",
    [
        AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=2),  # two stumps are too few
        *(AdaBoostClassifier(n_estimators=B) for B in (5, 10, 20)),
        AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=3),
        *(BaggingClassifier(n_estimators=B, random_state=0) for B in (2, 5, 10, 20)),
        BaggingClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=4, random_state=0),
        *(RandomForestClassifier(B, random_state=0) for B in (2, 5, 10, 20)),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.estimators.base.LimitWarning")
def test_scikit_learns_own_checks_pass(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] not in ("passed", "skipped")}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


@pytest.mark.parametrize("K", [2, 3])
def test_adaboost_with_the_same_members_is_scikit_learns(K):
    X, y = noisy(np.random.default_rng(16), K=K)
    weak = PeerTree(max_depth=2, random_state=0)
    ours = AdaBoostClassifier(weak, n_estimators=10, random_state=0).fit(X, y)
    theirs = PeerBoost(weak, n_estimators=10, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, rtol=1e-9)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-9)
    assert (ours.predict(X) == theirs.predict(X)).all()


def test_a_stump_is_the_tree_of_depth_one_with_the_fewest_errors():
    rng = np.random.default_rng(17)
    for _ in range(20):
        X, y = rng.integers(0, 9, (25, 3)).astype(float), rng.integers(0, 2, 25)
        y[:2] = 0, 1
        stump = AdaBoostClassifier(n_estimators=1).fit(X, y)
        tree = DecisionTreeClassifier(criterion="misclassification", max_depth=1).fit(X, y)
        assert stump.score(X, y) == tree.score(X, y)


def test_digits_forest():
    digits = datasets.load_digits()
    order = np.random.default_rng(18).permutation(len(digits.y))
    train, test = order[:600], order[600:]
    forest = RandomForestClassifier(20, random_state=0).fit(digits.X[train], digits.y[train])
    tree = DecisionTreeClassifier().fit(digits.X[train], digits.y[train])
    assert forest.score(digits.X[test], digits.y[test]) > tree.score(digits.X[test], digits.y[test]) + 0.05


# --- the claims


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    names = """bagging-bootstrap bagging-vote bagging-identical bagging-bias bagging-variance-reduction
    bagging-var-formula bagging-B-limit forest-algorithm forest-decorrelate boosting-setup boosting-bias
    adaboost-algorithm adaboost-reweighted-half adaboost-exp-identity adaboost-edge-cases adaboost-inflate"""
    ids = {claim.id.partition(".")[2] for claim in claims.of("ensemble")}
    assert set(names.split()) - ids == set()
    assert {f"erratum-y{k}" for k in range(45, 51)} - ids == set()
