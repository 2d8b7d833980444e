"""Trees: hand cases, invariances, messages, scikit-learn's trees and checks."""

import math
import pickle

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier as PeerTree
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import DecisionTreeClassifier, claims, datasets
from mlnotes import tree as reference
from mlnotes.engines.tree_nodes import Tree
from mlnotes.estimators import evaluation
from mlnotes.estimators.tree import CRITERIA, choose_alpha, importances, pruning_path

EVERY_CRITERION = pytest.mark.parametrize("criterion", CRITERIA)
XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
XOR_LABELS = [0, 1, 1, 0]


def draw(rng, n, d, K, values=6):
    X = rng.integers(0, values, (n, d)).astype(np.float64)
    y = np.concatenate([np.arange(K), rng.integers(0, K, n - K)])
    return X, y


# --- hand cases


def test_hand_tree():
    model = DecisionTreeClassifier().fit(XOR, XOR_LABELS)
    assert model.tree_.feature.tolist() == [0, 1, -1, -1, 1, -1, -1]
    assert model.tree_.left.tolist() == [1, 2, -1, -1, 5, -1, -1]
    assert model.tree_.right.tolist() == [4, 3, -1, -1, 6, -1, -1]
    assert model.tree_.parent.tolist() == [-1, 0, 1, 1, 0, 4, 4]
    assert model.tree_.depth.tolist() == [0, 1, 2, 2, 1, 2, 2]
    assert model.tree_.threshold.tolist() == [0.5, 0.5, 0, 0, 0.5, 0, 0]
    assert model.predict(XOR).tolist() == XOR_LABELS
    assert model.apply([[0.5, 0.5], [0.6, 0.6]]).tolist() == [2, 6]  # a threshold goes left
    np.testing.assert_allclose(model.feature_importances_, [0, 1])


def test_hand_text():
    text = DecisionTreeClassifier().fit(XOR, XOR_LABELS).to_text()
    assert text.splitlines()[:3] == ["x0 <= 0.5", "    x1 <= 0.5: 0 (1 row)", "    x1 > 0.5: 1 (1 row)"]
    assert DecisionTreeClassifier(max_depth=0).fit(XOR, XOR_LABELS).to_text() == "always: 0 (4 rows)"


# --- pruning


def test_cross_validation_chooses_a_smaller_tree():
    data = datasets.load_saheart()
    folds = evaluation.k_folds(462, 5, rng=np.random.default_rng(0), stratify=data.y)
    choice = choose_alpha(DecisionTreeClassifier(), data.X, data.y, folds)
    assert choice.errors.min() <= choice.errors[0]
    assert 0 < choice.best <= choice.simplest
    small = DecisionTreeClassifier(ccp_alpha=choice.simplest).fit(data.X, data.y)
    assert small.tree_.is_leaf.sum() < DecisionTreeClassifier().fit(data.X, data.y).tree_.is_leaf.sum() / 4


# --- limits and invariances


@EVERY_CRITERION
@pytest.mark.parametrize("unit", [5e-324, 2.0**-1024, 2.0**1021])
def test_weights_may_be_of_any_size(unit, criterion):
    rng = np.random.default_rng(2)
    X, y = draw(rng, 4, 2, 2)
    model, plain = (DecisionTreeClassifier(criterion=criterion).fit(X, y, w) for w in ([unit] * 4, None))
    assert np.array_equal(model.tree_.threshold, plain.tree_.threshold)
    assert np.array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_splits_a_node_of_tiny_weight_as_any_other():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [10.0], [11.0]])
    y, weights = [0, 0, 1, 1, 0, 1], [1e-30, 3e-30, 2e-30, 1e-30, 1.0, 1.0]
    model = DecisionTreeClassifier().fit(X, y, weights)
    assert model.score(X, y) == 1
    assert 1.5 in model.tree_.threshold


def test_invariant_under_order_labels_and_monotone_maps():
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((90, 4)), rng.integers(0, 3, 90)
    model, order = DecisionTreeClassifier().fit(X, y), rng.permutation(90)
    points = X[:-1] / 2 + X[1:] / 2
    predicted = model.predict(points)
    assert (DecisionTreeClassifier().fit(X[order], y[order]).predict(points) == predicted).all()
    named = DecisionTreeClassifier().fit(X, np.array(["x", "y", "z"])[y])
    assert (named.predict(points) == np.array(["x", "y", "z"])[predicted]).all()
    warped = DecisionTreeClassifier().fit(X**3 * 7 - 1, y)  # the same partition of the training data
    assert np.array_equal(warped.apply(X**3 * 7 - 1), model.apply(X))
    assert (model.fit(X, y).predict(points) == predicted).all()
    single = [model.predict(row[None])[0] for row in points]
    assert (single == predicted).all()
    np.testing.assert_allclose(model.predict_proba(points).sum(axis=1), 1)


def test_draws_features_at_each_node():
    rng = np.random.default_rng(4)
    X, y = rng.standard_normal((300, 6)), rng.integers(0, 2, 300)
    whole = DecisionTreeClassifier(max_features=6, random_state=1).fit(X, y).tree_
    assert np.array_equal(whole.threshold, DecisionTreeClassifier().fit(X, y).tree_.threshold)
    one = DecisionTreeClassifier(max_features=1, random_state=1).fit(X, y)
    assert set(one.tree_.feature) == {-1, 0, 1, 2, 3, 4, 5}
    assert one.score(X, y) == 1
    again = DecisionTreeClassifier(max_features=1, random_state=1).fit(X, y)
    assert np.array_equal(one.tree_.threshold, again.tree_.threshold)
    sizes = [DecisionTreeClassifier(max_features=m).fit(X, y).max_features_ for m in ("sqrt", 0.5, 2, None)]
    assert sizes == [2, 3, 2, 6]


def test_criterion_may_be_a_function():
    rng = np.random.default_rng(5)
    X, y = draw(rng, 60, 3, 3)
    for name, function in CRITERIA.items():
        for same in (function, lambda p, function=function: function(p)):  # known to the engine, and not
            tree = DecisionTreeClassifier(criterion=same).fit(X, y)
            named = DecisionTreeClassifier(criterion=name).fit(X, y)
            assert tree.tree_.threshold.tolist() == named.tree_.threshold.tolist()
            assert tree.impurity_.tolist() == named.impurity_.tolist()


def test_predictions_survive_pickling():
    X, y = draw(np.random.default_rng(6), 40, 2, 3)
    model = DecisionTreeClassifier(criterion=reference.entropy, ccp_alpha=0.01).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert copy.predict_proba(X).tolist() == model.predict_proba(X).tolist()


def test_grows_and_prunes_a_chain_of_a_thousand_levels():
    X, y = np.arange(1200.0)[:, None], np.arange(1200) % 2
    model = DecisionTreeClassifier().fit(X, y)
    assert model.tree_.depth.max() == 1199
    assert model.score(X, y) == 1
    assert model.cost_complexity_pruning_path(X, y).n_leaves.tolist()[-1] == 1


def test_the_reference_module_grows_and_prunes_a_chain_of_five_hundred_levels():
    """It is recursive, and Python's recursion limit is 1000.  Numbers of nodes exceed 64 bits."""
    X, y = np.arange(501.0)[:, None], np.arange(501) % 2
    plain = reference.DecisionTreeClassifier().fit(X, y)
    assert max(plain.tree_).bit_length() - 1 == 500
    assert (plain.predict(X) == y).all()
    assert plain.apply(X).tolist() == list(range(501))
    *_, (_, root) = reference.weakest_links(plain.tree_, reference.node_risks(plain.tree_))
    assert list(root) == [1]


# --- degenerate but legal


@EVERY_CRITERION
def test_fits_constant_features_duplicates_and_one_class(criterion):
    make = DecisionTreeClassifier(criterion=criterion)
    flat = make.fit(np.ones((4, 2)), [0, 1, 1, 0])
    assert len(flat.tree_) == 1
    assert flat.predict([[5.0, 5.0]]).tolist() == [0], "of equal counts the smallest label"
    assert not flat.feature_importances_.any()
    repeated = make.fit([[0.0], [0.0], [0.0], [1.0]], [0, 0, 1, 1])
    assert repeated.predict([[0.0], [1.0]]).tolist() == [0, 1]
    np.testing.assert_allclose(repeated.predict_proba([[0.0]]), [[2 / 3, 1 / 3]])
    assert make.fit([[1.0], [2.0]], ["only", "only"]).predict([[9.0]]).tolist() == ["only"]


# --- every sentence

I2, Y2 = np.eye(2), [0, 1]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: DecisionTreeClassifier(criterion="x").fit(I2, Y2), "criterion must be one of 'gini'"),
        (
            lambda: DecisionTreeClassifier(max_depth=-1).fit(I2, Y2),
            "max_depth must be an integer >= 0, got -1",
        ),
        (lambda: DecisionTreeClassifier(max_depth=1.5).fit(I2, Y2), "max_depth must be an integer"),
        (
            lambda: DecisionTreeClassifier(min_samples_split=1).fit(I2, Y2),
            "min_samples_split must be .* >= 2",
        ),
        (lambda: DecisionTreeClassifier(min_samples_leaf=0).fit(I2, Y2), "min_samples_leaf must be .* >= 1"),
        (lambda: DecisionTreeClassifier(max_features=3).fit(I2, Y2), "max_features must be .* <= 2, got 3"),
        (
            lambda: DecisionTreeClassifier(max_features=1.5).fit(I2, Y2),
            "max_features, a fraction .*, got 1.5",
        ),
        (
            lambda: DecisionTreeClassifier(max_features="log").fit(I2, Y2),
            "max_features must be one of 'sqrt'",
        ),
        (lambda: DecisionTreeClassifier(ccp_alpha=-1.0).fit(I2, Y2), "ccp_alpha must be .* >= 0, got -1.0"),
        (lambda: DecisionTreeClassifier(random_state=-1).fit(I2, Y2), "random_state, .* >= 0, got -1"),
        (lambda: DecisionTreeClassifier().fit(I2, [0]), "y has 1 labels, but X has 2 rows"),
        (lambda: DecisionTreeClassifier().fit(I2, Y2, [0, 0]), "sample_weight: every weight is zero"),
        (lambda: DecisionTreeClassifier().fit([[math.nan]], [0]), "X contains NaN at index"),
        (lambda: DecisionTreeClassifier().fit([["a"]], [0]), "numbers are needed"),
        (lambda: DecisionTreeClassifier().fit(I2, Y2).predict([[1.0]]), "X has 1 features, but DecisionTree"),
        (lambda: DecisionTreeClassifier().fit(I2, Y2).to_text(["a"]), "feature_names must be 2 names, got 1"),
        (lambda: pruning_path(DecisionTreeClassifier().fit(I2, Y2).tree_, [1.0]), r"risk must be .* \(3,\)"),
        (
            lambda: choose_alpha(DecisionTreeClassifier(), I2, Y2, []),
            "folds must be at least 2 pairs .* got 0",
        ),
        (
            lambda: DecisionTreeClassifier().cost_complexity_pruning_path(I2, Y2).subtree(-1.0),
            "alpha must be",
        ),
    ],
)
def test_refuses_with_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply"])
def test_refuses_before_fit(method):
    with pytest.raises(NotFittedError, match="DecisionTreeClassifier instance is not fitted yet"):
        getattr(DecisionTreeClassifier(), method)([[0.0]])
    with pytest.raises(NotFittedError):
        DecisionTreeClassifier().to_text()


# --- the claims


def test_every_statement_of_the_notes_is_a_claim():
    names = """setup leaf-vote saheart-figure split impurity pk gini entropy gain-nonneg stopping
    interpretable unstable hypothesis-class loss erm np cart-g cart-choice cart-growing cart-cost-split
    cart-cost-total"""
    errata = "y40 y41 y42 y43 y44 r10 r11 r12 r13 r14 r15 r16 r17 r18"
    ids = {claim.id.partition(".")[2] for claim in claims.of("tree")}
    assert set(names.split()) - ids == set()
    assert {f"erratum-{label}" for label in errata.split()} - ids == set()


# --- scikit-learn 1.9

SKIPS = {
    "check_array_api_input": "SciPy's array-API mode is off",
    "check_sample_weights_pandas_series": "pandas is not installed",
    "check_classifier_data_not_an_array": "pandas is not installed",
}
LOADERS = [
    datasets.load_iris, datasets.load_wine, datasets.load_breast_cancer, datasets.load_digits,
    datasets.load_saheart,
]  # fmt: skip


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(),
        DecisionTreeClassifier(criterion="entropy", max_depth=3),
        DecisionTreeClassifier(criterion="misclassification"),
        DecisionTreeClassifier(max_features="sqrt", random_state=0),
        DecisionTreeClassifier(ccp_alpha=0.01),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
def test_passes_check_estimator(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] not in ("passed", "skipped")}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


def peer_tree(loader):
    data = loader()
    X = data.X.astype(np.float32).astype(np.float64)  # scikit-learn casts
    peer = PeerTree(random_state=0).fit(X, data.y)
    arrays, is_leaf = peer.tree_, peer.tree_.children_left < 0
    tree = Tree(
        np.where(is_leaf, -1, arrays.feature),
        np.where(is_leaf, 0, arrays.threshold),
        arrays.children_right.astype(np.int64),
        arrays.value[:, 0] * arrays.weighted_n_node_samples[:, None],
        arrays.n_node_samples,
    )
    assert np.array_equal(tree.left, arrays.children_left)  # preorder, as here
    return X, data.y, peer, tree


@pytest.mark.parametrize("loader", LOADERS)
def test_splits_as_well_as_scikit_learn_at_every_node(loader):
    X, y, peer, tree = peer_tree(loader)
    w, impurity, visits = tree.n_rows, peer.tree_.impurity, peer.decision_path(X).tocsc()
    for t in np.flatnonzero(~tree.is_leaf):
        rows, children = visits[:, t].indices, [t + 1, tree.right[t]]
        theirs = impurity[t] - (w[children] * impurity[children]).sum() / w[t]
        stump = DecisionTreeClassifier(max_depth=1).fit(X[rows], y[rows])
        ours = stump.impurity_[0] - stump.tree_.n_rows[1:] @ stump.impurity_[1:] / len(rows)
        assert abs(ours - theirs) < 1e-12
    np.testing.assert_allclose(importances(tree, "gini", X.shape[1]), peer.feature_importances_, atol=1e-12)
    assert (tree.apply(X) == peer.apply(X)).all()
    assert (tree.value.argmax(axis=1)[tree.apply(X)] == peer.predict(X)).all()


@pytest.mark.parametrize("loader", LOADERS)
def test_prunes_as_scikit_learn(loader):
    X, y, peer, tree = peer_tree(loader)
    theirs = peer.cost_complexity_pruning_path(X, y)
    last = np.append(np.diff(theirs.ccp_alphas) > 1e-12, True)  # it lists equal penalties one by one
    path = pruning_path(tree, tree.n_rows / len(X) * peer.tree_.impurity)
    np.testing.assert_allclose(path.ccp_alphas, theirs.ccp_alphas[last], atol=1e-12)
    np.testing.assert_allclose(path.impurities, theirs.impurities[last], atol=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_scikit_learn_where_no_two_splits_tie(criterion, weighted):
    X = np.random.default_rng(6).standard_normal((400, 1)).astype(np.float32).astype(np.float64)
    y = ((X[:, 0] > -0.5) + (X[:, 0] > 0.7) + (X[:, 0] > 1.5)).astype(np.int64)
    weights = np.random.default_rng(7).random(400) + 0.5 if weighted else None
    ours = DecisionTreeClassifier(criterion=criterion).fit(X, y, weights)
    theirs = PeerTree(criterion=criterion, random_state=0).fit(X, y, weights)
    assert np.array_equal(ours.tree_.left, theirs.tree_.children_left)
    np.testing.assert_allclose(
        ours.tree_.threshold[~ours.tree_.is_leaf], theirs.tree_.threshold[~ours.tree_.is_leaf], rtol=1e-12
    )
    scale = 1 if criterion == "gini" else math.log(2)  # its entropy is in bits
    np.testing.assert_allclose(ours.impurity_, theirs.tree_.impurity * scale, atol=1e-12)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)
