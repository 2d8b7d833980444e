"""The perceptron: messages, warnings, limits, scikit-learn; see also the claims and tests/agreement."""

import contextlib
import math
import pickle
import warnings

import numpy as np
import pytest
from sklearn import linear_model as peers
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import KernelPerceptron, Perceptron, claims, datasets
from mlnotes.estimators.base import ConvergenceWarning
from mlnotes.estimators.perceptron import separability
from mlnotes.perceptron import signed_examples

XOR = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
XOR_Y = np.array([1, 1, -1, -1])


def separable(rng, n=60, d=3, gap=0.2):
    u = rng.normal(size=d)
    u /= np.linalg.norm(u)
    X = rng.normal(size=(n, d))
    side = np.where(X @ u > 0, 1, -1)
    side[:2] = 1, -1
    X[:2] = np.outer(side[:2], u)
    return X + gap * np.outer(side, u), side


def test_certificate_by_hand():
    # (2, 0) first: w = (2, 0); then (0, 1) lies on the boundary, a mistake: (2, 1); -(-1, -1) is right
    model = Perceptron(fit_intercept=False).fit([[2, 0], [0, 1], [-1, -1]], [1, 1, -1])
    assert model.certificate_ == {
        "mistakes": 2, "radius": 2.0, "margin": 1 / math.sqrt(5), "bound": pytest.approx(20, rel=1e-15),
        "separable": True, "lower": 1 / math.sqrt(5), "upper": 2.0,
    }  # fmt: skip


# --- separability


def test_a_margin_below_rounding_is_decided_exactly():
    Z = [[1, 10**15], [1, 1 - 10**15]]  # the best margin is 1, the radius 1e15
    assert separability(Z).separable is False
    assert separability(Z, exact=True).separable is True


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_separability_of_tiny_and_huge_examples(scale):
    rng = np.random.default_rng(0)
    assert separability(scale * rng.normal(size=(40, 3))).separable is False
    assert separability(scale * (rng.normal(size=(40, 3)) + 5)).separable is True


@pytest.mark.parametrize("exact", [False, True])
def test_too_few_steps_decide_nothing(exact):
    triangle = 10 * np.array([[2, 0], [-1, 1], [-1, -1]])
    for Z in (triangle, np.column_stack([triangle, np.ones(3, dtype=np.int64)])):
        early, late = separability(Z, exact=exact, max_iter=1), separability(Z, exact=exact)
        assert early.separable is None
        assert late.separable is not None
        assert early.lower <= late.lower <= late.upper <= early.upper


def test_data_that_cannot_be_separated_get_a_proof():
    with pytest.warns(
        ConvergenceWarning, match=r"^no hyperplane separates the classes: .* stopped after \d+\.$"
    ):
        model = Perceptron().fit(XOR, XOR_Y)
    np.testing.assert_allclose(model.combination_, 0.25)
    assert model.certificate_["separable"] is False
    assert model.certificate_["bound"] == math.inf
    assert np.abs(model.combination_ @ signed_examples(XOR, XOR_Y)).max() <= 1e-15


@pytest.mark.parametrize(
    ("gap", "advice"),
    [
        (1.0, "14 updates from zero are enough. Raise max_iter"),
        (2.9e-3, "951254 updates from zero are enough. Raise max_iter"),
        (2.31e-3, "1.5e[+]06 updates"),
        (3e-4, "Raise max_iter"),
        (2.4e-4, "Scale the features"),
        (1e-6, "Scale the features"),
    ],
)
def test_advice_depends_on_how_many_updates_are_enough(gap, advice):
    with pytest.warns(ConvergenceWarning, match=advice):
        Perceptron(max_iter=1).fit([[1.0, 0.0], [1.0, gap]], [0, 1])


@pytest.mark.parametrize("make", [Perceptron, KernelPerceptron])
def test_does_not_warn_if_the_last_allowed_pass_leaves_no_mistake(make):
    X, y = np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([1, -1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = make(max_iter=1, fit_intercept=False).fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    assert model.mistakes_[-1] == len(X) - 1
    assert model.certificate_["separable"] is True


@pytest.mark.parametrize("pick", ["cyclic", "batch"])
def test_too_few_passes_say_that_more_would_do(pick):
    X, y = separable(np.random.default_rng(0), n=400, gap=0.001)
    sentence = r"updates were not enough .* updates from zero are enough\. Raise max_iter\.$"
    with pytest.warns(ConvergenceWarning, match=sentence):
        model = Perceptron(pick=pick, max_iter=1).fit(X, y)
    assert model.certificate_["separable"] is True
    assert 0 < model.certificate_["lower"] <= model.certificate_["upper"] * (1 + 1e-9)


# --- invariances


def test_the_order_of_the_entries_in_memory_changes_nothing():
    X, y = separable(np.random.default_rng(6), d=9)
    for intercept in (True, False):
        model = Perceptron(fit_intercept=intercept).fit(X, y)
        other = Perceptron(fit_intercept=intercept).fit(np.asfortranarray(X), y)
        assert other.coef_.tolist() == model.coef_.tolist()


def test_the_data_are_not_written_to():
    X, y = separable(np.random.default_rng(5))
    before = X.copy()
    Perceptron(fit_intercept=False).fit(X, y)
    separability(X)
    assert (before == X).all()


@pytest.mark.parametrize("eta", [1e-75, 1e75])
def test_the_least_and_the_largest_step_tell_the_same_margin(eta):
    """Below 1e-160 the length of w was 0, and so was the margin; above 1e150 squares overflowed."""
    X, y = separable(np.random.default_rng(7))
    model, other = (Perceptron(eta0=step).fit(X, y) for step in (1.0, eta))
    again = Perceptron(eta0=eta).fit(X, y, coef_init=other.coef_, intercept_init=other.intercept_)
    assert other.mistakes_.tolist() == model.mistakes_.tolist()
    for fit in (other, again):
        assert fit.certificate_["margin"] == pytest.approx(model.certificate_["margin"], rel=1e-12)
    assert again.mistakes_.size == 0
    far = Perceptron(fit_intercept=False).fit([[1.0], [-1.0]], [1, -1], coef_init=[eta])
    assert far.certificate_["margin"] == 1


# --- refusals

X3, Y3 = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 1, 1]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Perceptron().fit(X3, [1, 1, 1]), r"^Perceptron needs y with at least 2 classes, got 1 clas"),
        (lambda: Perceptron().fit(X3, [0, 1]), r"^y has 2 labels, but X has 3 rows\.$"),
        (lambda: Perceptron().fit([[math.nan]] * 3, Y3), r"^X contains NaN at index \(0, 0\)"),
        (lambda: Perceptron(pick="best").fit(X3, Y3), r"^pick must be one of 'cyclic', 'first', 'random', '"),
        (lambda: Perceptron(output="mean").fit(X3, Y3), r"^output must be one of 'last', 'average', 'vote',"),
        (lambda: Perceptron(eta0=0).fit(X3, Y3), r"^eta0 must be a finite number >= 1e-75 and <= "),
        (lambda: Perceptron(eta0=1e160).fit(X3, Y3), r"^eta0 must be a finite number .*, got 1e\+160\.$"),
        (lambda: Perceptron().fit(X3, Y3, coef_init=[0, 1e160]), r"^the weights to start .* up to 1e\+160 s"),
        (lambda: Perceptron().fit(X3, Y3, coef_init=[0, 1e-160]), r"^the weights to start .* up to 1e-160 s"),
        (lambda: Perceptron(max_iter=0).fit(X3, Y3), r"^max_iter must be an integer >= 1, got 0\.$"),
        (lambda: Perceptron(fit_intercept=1).fit(X3, Y3), r"^fit_intercept must be one of True, False, got "),
        (lambda: Perceptron(pick="first", output="vote").fit(X3, Y3), r"^output='vote' needs pick='cyclic',"),
        (lambda: Perceptron(output="vote").fit(X3, [0, 1, 2]), r"^output='vote' needs two classes, got 3\.$"),
        (lambda: Perceptron().fit(X3, Y3, coef_init=[1]), r"^coef_init must be a 1-D array of shape \(2,\),"),
        (lambda: Perceptron().fit(X3, Y3, intercept_init=[1, 2]), r"^intercept_init must be a 1-D array of "),
        (
            lambda: Perceptron(fit_intercept=False).fit(X3, Y3, intercept_init=1),
            r"^intercept_init needs fit_intercept=True\.$",
        ),
        (lambda: Perceptron(random_state="x").fit(X3, Y3), r"^random_state, unless it is None or a Generato"),
        (lambda: Perceptron().fit(X3, Y3).predict([[1.0]]), r"^X has 1 features, but Perceptron is expectin"),
        (lambda: KernelPerceptron().fit(X3, [0, 1, 2]), r"^Only binary classification is supported\. Kernel"),
        (lambda: KernelPerceptron("rbf").fit(X3, Y3), r"^kernel, unless it is callable, must be one of 'lin"),
        (lambda: KernelPerceptron(lambda A, B: A).fit(X3, Y3), r"^kernel must return shape \(3, 3\), got sh"),
        (
            lambda: KernelPerceptron(lambda A, B: A @ np.array([[0, 1], [0, 0]]) @ B.T).fit(X3, Y3),
            r"^kernel must be symmetric; its matrix differs by",
        ),
        (lambda: KernelPerceptron(max_iter=0).fit(X3, Y3), r"^max_iter must be an integer >= 1, got 0\.$"),
        (lambda: separability([1.0]), r"^Z must be a 2-D array of shape"),
        (lambda: separability([[1.0]], max_iter=0), r"^max_iter must be an integer >= 1, got 0\.$"),
    ],
)  # fmt: skip
def test_refuses_in_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_refuses_to_predict_before_fit():
    with pytest.raises(NotFittedError):
        Perceptron().predict([[1.0]])


@pytest.mark.parametrize("model", [Perceptron(), KernelPerceptron()])
def test_refuses_entries_whose_fourth_powers_overflow(model):
    X, y = np.array([[0.0], [1.0]]), [0, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert model.fit(1e75 * X, y).certificate_["bound"] > 1e299
    with pytest.raises(ValueError, match="whose fourth powers overflow"):
        model.fit(1.01e75 * X, y)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_kernel_is_symmetric_up_to_ten_digits_of_its_largest_entry(size):
    for error in (0.9e-10, 1.1e-10):
        table = size * np.array([[1.0, error, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
        model = KernelPerceptron(lambda A, B, table=table: table, fit_intercept=False, max_iter=2)
        with (
            pytest.raises(ValueError, match="symmetric") if error > 1e-10 else contextlib.nullcontext(),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            model.fit(np.eye(3), [0, 1, 1])


# --- scikit-learn


def test_tags_say_whether_several_classes_are_supported():
    tags = [get_tags(model()).classifier_tags.multi_class for model in (Perceptron, KernelPerceptron)]
    assert tags == [True, False]


def test_a_fitted_model_can_be_pickled():
    X, y = separable(np.random.default_rng(1))
    for model in (Perceptron(output="vote"), KernelPerceptron()):
        again = pickle.loads(pickle.dumps(model.fit(X, y)))
        assert again.predict(X).tolist() == y.tolist()


SKIPS = {
    "check_array_api_input": "SciPy's array-API mode is off",
    "check_classifier_data_not_an_array": "pandas is not installed",
}


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.estimators.base.ConvergenceWarning")
@pytest.mark.parametrize("estimator", [Perceptron(), Perceptron(pick="batch"), KernelPerceptron()], ids=repr)
def test_check_estimator(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")] == []
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


@pytest.mark.parametrize("seed", range(5))
def test_the_path_is_scikit_learns(seed):
    X, y = separable(np.random.default_rng(seed), 200, 4)
    model = Perceptron().fit(X, y)
    peer = peers.Perceptron(shuffle=False, tol=None, max_iter=model.n_iter_).fit(X, y)
    np.testing.assert_allclose(model.coef_, peer.coef_, rtol=1e-10)
    np.testing.assert_allclose(model.intercept_, peer.intercept_, rtol=1e-10)


def test_real_data_setosa_is_separated_and_the_others_are_not():
    iris = datasets.load_iris()
    names = np.array(iris.target_names)[iris.y]
    setosa = names == "setosa"
    assert Perceptron().fit(iris.X, setosa).score(iris.X, setosa) == 1
    with pytest.warns(ConvergenceWarning, match="no hyperplane"):
        Perceptron().fit(iris.X[~setosa], names[~setosa])


STATEMENTS = (
    "separable", "merge", "goal", "mistake-set", "loss", "loss-dist", "update", "eta1", "sgd-view",
    "convergence", "mistake-bound", "proof-steps", "margin", "class", "nonunique", "nonseparable",
    "many-steps", "batch", "predict", "erm-view", "subgradient", "pseudocode",
    *(f"erratum-{name}" for name in ("y14", "y15", "t10", "t11", "t15", "w9", "w10", "w11", "w12")),
    *(f"erratum-{name}" for name in ("s9", "s10", "s11")),
)  # fmt: skip


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    # first-nn is a remark on history: text only
    ids = {claim.id for claim in claims.of("perceptron")}
    assert {f"perceptron.{name}" for name in STATEMENTS} - ids == set()
