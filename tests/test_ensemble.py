"""Ensembles: hand cases, other methods inside, degenerate data, messages, scikit-learn."""

import math
import pickle
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
from mlnotes.estimators.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier, Stump
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


# --- forests


def test_forest_of_all_features_is_bagging():
    X, y = noisy(np.random.default_rng(3), K=3)
    a = BaggingClassifier(n_estimators=7, random_state=5).fit(X, y)
    b = RandomForestClassifier(7, max_features=None, random_state=5).fit(X, y)
    assert all(same(s, t) for s, t in zip(a.trees_, b.trees_, strict=True))
    one_by_one = BaggingClassifier(DecisionTreeClassifier(), n_estimators=7, random_state=5).fit(X, y)
    for s, member in zip(a.trees_, one_by_one.estimators_, strict=True):
        assert np.array_equal(s.threshold, member.tree_.threshold)
    assert (a.predict(X) == one_by_one.predict(X)).all()


def test_forest_does_not_depend_on_threads_or_batches(monkeypatch):
    X, y = noisy(np.random.default_rng(4))
    a = RandomForestClassifier(9, random_state=1, n_jobs=2).fit(X, y)
    b = RandomForestClassifier(9, random_state=1).fit(X, y)
    assert all(same(s, t) for s, t in zip(a.trees_, b.trees_, strict=True))
    c = BaggingClassifier(n_estimators=9, random_state=1).fit(X, y)
    monkeypatch.setattr(ensemble, "_TOGETHER", 1)
    alone = BaggingClassifier(n_estimators=9, random_state=1).fit(X, y)
    assert all(same(s, t) for s, t in zip(c.trees_, alone.trees_, strict=True))


@pytest.mark.parametrize(("platform", "n_jobs"), [("linux", None), ("linux", 1), ("emscripten", 2)])
def test_starts_no_thread_for_one_job_or_in_a_browser(platform, n_jobs, monkeypatch):
    def refuse(n):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(ensemble, "ThreadPoolExecutor", refuse)
    monkeypatch.setattr(ensemble.sys, "platform", platform)
    model = BaggingClassifier(n_estimators=3, random_state=0, n_jobs=n_jobs)
    assert model.fit(np.eye(4), np.arange(4) % 2).predict(np.eye(4)).shape == (4,)


def test_out_of_bag_error_estimates_the_test_error():
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
def test_parameters_changed_after_fit_change_no_prediction(B):
    X, y = noisy(np.random.default_rng(9))
    for model in (
        BaggingClassifier(n_estimators=6, random_state=0),
        BaggingClassifier(GaussianNB(), n_estimators=6, random_state=0),
        RandomForestClassifier(6, random_state=0),
    ):
        proportions, predicted = model.fit(X, y).predict_proba(X), model.predict(X)
        model.set_params(n_estimators=B)
        assert (model.predict_proba(X) == proportions).all()
        assert (model.predict(X) == predicted).all()
        with pytest.raises(ValueError, match="n_jobs must be an integer >= 1, got -1"):
            model.set_params(n_jobs=-1).predict_proba(X)
    importances = model.feature_importances_
    model.set_params(criterion="entropy")
    assert (model.feature_importances_ == importances).all()


def test_bagging_is_not_fitted_where_the_method_refuses():
    X, y = noisy(np.random.default_rng(9), n=9)
    model = BaggingClassifier(KNeighborsClassifier(10), n_estimators=2, random_state=0)
    with pytest.raises(ValueError, match="n_neighbors must be at most"):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)


# --- degenerate but legal


def test_adaboost_stops_at_a_perfect_classifier():
    X, y = np.arange(6.0)[:, None], ["a"] * 3 + ["b"] * 3
    model = AdaBoostClassifier(n_estimators=9).fit(X, y)
    assert (len(model.estimators_), model.estimator_weights_.tolist()) == (1, [1.0])
    assert model.certificate_["bound"] == model.certificate_["training_error"] == 0
    assert np.isfinite(model.decision_function(X)).all()


def test_perfect_classifier_decides_alone():
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


def test_warns_where_boosting_cannot_start():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.warns(LimitWarning, match=r"weighted error 0.5000 with 2 classes, no better than guessing"):
        model = AdaBoostClassifier().fit(X, y)
    assert model.decision_function(X).tolist() == [0, 0, 0, 0]
    assert model.predict(X).tolist() == [0, 0, 0, 0]
    assert model.certificate_["bound"] == 1
    assert AdaBoostClassifier(DecisionTreeClassifier(max_depth=2)).fit(X, y).score(X, y) == 1


def test_fits_constant_features_one_class_and_one_example():
    flat = AdaBoostClassifier().fit(np.ones((3, 2)), [0, 1, 1])
    assert flat.predict([[5.0, 5.0]]).tolist() == [1]
    assert flat.certificate_["training_error"] == pytest.approx(1 / 3)
    for model in (AdaBoostClassifier(), BaggingClassifier(n_estimators=3), RandomForestClassifier(3)):
        assert model.fit([[1.0]], ["only"]).predict([[7.0]]).tolist() == ["only"]
        assert model.predict_proba([[7.0]]).tolist() == [[1.0]]


def test_nested_estimators_stay_untouched():
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
def test_first_class_wins_a_tie_of_votes(B, K):
    rng = np.random.default_rng(B)
    X, y, Z = rng.random((60, 2)), np.array(["a", "b", "c"])[rng.integers(0, K, 60)], rng.random((400, 2))
    for model in (
        BaggingClassifier(n_estimators=B, random_state=0),
        RandomForestClassifier(B, random_state=0),
    ):
        predicted, proportions = model.fit(X, y).predict(Z), model.predict_proba(Z)
        ranked = np.sort(proportions, axis=1)
        assert (ranked[:, -1] == ranked[:, -2]).any()
        assert (predicted == model.classes_[proportions.argmax(axis=1)]).all()


def test_first_class_wins_a_tie_of_scores():
    model = AdaBoostClassifier(n_estimators=2).fit(LINE, LINE_LABELS)
    stumps = [Stump(0, 1.5, 0, 1), Stump(0, 1.5, 1, 0), Stump(0, 0.5, 0, 1), Stump(0, 0.5, 1, 0)]
    for alphas in ([0.1, 0.3, 0.2, 0.0], [1e-3, 1e-3, 0.7, 0.7 + 1e-16]):  # 0.1 + 0.2 is not 0.3
        model.estimators_, model.estimator_weights_ = stumps, np.array(alphas)
        F, proportions = model.decision_function([[2.0]]), model.predict_proba([[2.0]])
        assert (F.tolist(), proportions.tolist(), model.predict([[2.0]]).tolist()) == (
            [0.0],
            [[0.5, 0.5]],
            [-1],
        )
        assert [part.tolist() for part in model.staged_predict([[2.0]])][-1] == [-1]
        assert [part.tolist() for part in model.staged_decision_function([[2.0]])][-1] == [0.0]
    model.classes_ = np.array([1, 2, 3])
    model.estimators_ = [Stump(0, 1.5, 0, k) for k in (2, 1, 1)]
    model.estimator_weights_ = np.array([0.3, 0.1, 0.2])
    proportions = model.predict_proba([[2.0]])
    assert model.predict([[2.0]]).tolist() == [2]
    assert proportions[0, 1] == proportions[0, 2] > proportions[0, 0]


def test_warns_of_examples_that_all_trees_have_seen():
    X, y = noisy(np.random.default_rng(13), n=30)
    with pytest.warns(
        LimitWarning, match="rows were drawn for all 2 classifiers: the out-of-bag score leaves"
    ):
        forest = RandomForestClassifier(2, oob_score=True, random_state=0).fit(X, y)
    assert np.isfinite(forest.oob_decision_function_).all()
    assert 0 <= forest.oob_score_ <= 1


def test_adaboost_is_invariant_under_order_and_labels():
    X, y = noisy(np.random.default_rng(14))
    order = np.random.default_rng(15).permutation(len(y))
    for a, b in ((0, 1), (-1, 1), ("n", "y")):
        labels = np.array([a, b])[y]
        model = AdaBoostClassifier(n_estimators=15).fit(X[order], labels[order])
        assert (
            model.predict(X) == np.array([a, b])[AdaBoostClassifier(n_estimators=15).fit(X, y).predict(X)]
        ).all()


@pytest.mark.parametrize("method", [AdaBoostClassifier, BaggingClassifier, RandomForestClassifier])
def test_predictions_survive_pickling(method):
    X, y = noisy(np.random.default_rng(19), n=40, K=3)
    model = method(n_estimators=5, random_state=0).fit(X, y)
    assert pickle.loads(pickle.dumps(model)).predict_proba(X).tolist() == model.predict_proba(X).tolist()


# --- every sentence

I2, Y2 = np.eye(2), [0, 1]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
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
def test_refuses_with_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize(
    "model", [AdaBoostClassifier(), BaggingClassifier(), RandomForestClassifier()], ids=str
)
def test_refuses_before_fit(model):
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
def test_passes_check_estimator(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] not in ("passed", "skipped")}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


@pytest.mark.parametrize("K", [2, 3])
def test_adaboost_equals_scikit_learn_with_the_same_classifiers(K):
    X, y = noisy(np.random.default_rng(16), K=K)
    weak = PeerTree(max_depth=2, random_state=0)
    ours = AdaBoostClassifier(weak, n_estimators=10, random_state=0).fit(X, y)
    theirs = PeerBoost(weak, n_estimators=10, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, rtol=1e-9)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-9)
    assert (ours.predict(X) == theirs.predict(X)).all()


def test_digits_forest():
    digits = datasets.load_digits()
    order = np.random.default_rng(18).permutation(len(digits.y))
    train, test = order[:600], order[600:]
    forest = RandomForestClassifier(20, random_state=0).fit(digits.X[train], digits.y[train])
    tree = DecisionTreeClassifier().fit(digits.X[train], digits.y[train])
    assert forest.score(digits.X[test], digits.y[test]) > tree.score(digits.X[test], digits.y[test]) + 0.05


# --- the claims


def test_every_statement_of_the_notes_is_a_claim():
    names = """bagging-bootstrap bagging-vote bagging-identical bagging-bias bagging-variance-reduction
    bagging-var-formula bagging-B-limit forest-algorithm forest-decorrelate boosting-setup boosting-bias
    adaboost-algorithm adaboost-reweighted-half adaboost-exp-identity adaboost-edge-cases adaboost-inflate"""
    ids = {claim.id.partition(".")[2] for claim in claims.of("ensemble")}
    assert set(names.split()) - ids == set()
    assert {f"erratum-y{k}" for k in range(45, 51)} - ids == set()
