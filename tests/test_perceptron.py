"""The perceptron: hand paths, proofs either way, messages, limits, scikit-learn; see also tests/agreement."""

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn import linear_model as peers
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import KernelPerceptron, Perceptron, claims, datasets
from mlnotes.engines import perceptron_loops
from mlnotes.engines.perceptron_separability import decide
from mlnotes.estimators.base import ConvergenceWarning
from mlnotes.estimators.perceptron import separability
from mlnotes.perceptron import (
    margin,
    mistake_bound,
    mistake_set,
    one_pass,
    perceptron_loss,
    perceptron_subgradient,
    signed_rows,
)

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


# --- exact hand cases


def test_hand_path():
    # (2, 0) first: w = (2, 0); then (0, 1) lies on the boundary, a mistake: (2, 1); -(−1, −1) is right
    model = Perceptron(fit_intercept=False).fit([[2, 0], [0, 1], [-1, -1]], [1, 1, -1])
    assert model.mistakes_.tolist() == [0, 1]
    assert model.coef_.tolist() == [[2, 1]]
    assert model.certificate_ == {
        "mistakes": 2, "radius": 2.0, "margin": 1 / math.sqrt(5), "bound": pytest.approx(20, rel=1e-15),
        "separable": True, "lower": 1 / math.sqrt(5), "upper": 2.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("pick", "rows", "w"),
    [
        ("cyclic", [0, 1, 1, 2, 1], [-1, 5]),
        ("first", [0, 1, 1, 0, 1], [0, 5]),
        ("worst", [0, 1, 1, 2, 1], [-1, 5]),
        ("batch", [0, 1, 2, 1, 1], [-1, 5]),
    ],
)
def test_hand_picks(pick, rows, w):
    # signed rows (-3, 1), (2, 1), (-4, 1); by hand: (-3, 1), (-1, 2), (1, 3), then "first" leaves the others
    model = Perceptron(pick=pick, fit_intercept=False).fit([[-3, 1], [2, 1], [4, -1]], [1, 1, -1])
    assert model.mistakes_.tolist() == rows
    assert model.coef_.tolist() == [w]


def test_orthonormal_rows_attain_the_bound():
    for n in (1, 5, 30):
        Z = np.vstack([np.eye(n), -np.eye(n)[:1]])  # the last row gives the second class
        model = Perceptron(fit_intercept=False).fit(Z, np.append(np.ones(n), -1))
        assert model.certificate_["mistakes"] == n == round(mistake_bound(1.0, 1 / math.sqrt(n)))


def test_hand_formulas():
    Z = signed_rows([[3.0], [1.0]], [1, -1])
    assert Z.tolist() == [[3, 1], [-1, -1]]
    assert signed_rows([[3.0], [1.0]], [1, -1], fit_intercept=False).tolist() == [[3], [-1]]
    assert mistake_set([1, -1], Z).tolist() == [1]  # (3, 1): 2; (-1, -1): 0, on the boundary
    assert mistake_set([0, 0], Z).tolist() == [0, 1]
    assert perceptron_loss([-1, 0], Z) == 3
    assert perceptron_subgradient([-1, 0], Z).tolist() == [-3, -1]
    assert margin([3, -4], Z) == 0.2
    assert mistake_bound(3, 2) == 2.25


def test_the_bound_from_another_start_solves_its_equation():
    for R, delta, size, a in ((2.0, 0.5, 3.0, -1.0), (1.0, 0.1, 10.0, 10.0), (5.0, 1.0, 2.0, -2.0)):
        t = mistake_bound(R, delta, start_norm=size, start_along=a)
        assert (a + t * delta) ** 2 == pytest.approx(size**2 + t * R**2, rel=1e-12)


def test_one_pass_by_hand():
    # (1, 1) has score 0 and is right; (2, -1): wrong, b -= (2, 1); (1, 1): score -3, b += (1, 1)
    assert one_pass([[1], [2], [1]], [1, -1, 1]).tolist() == [-1, 0]
    assert one_pass([[1], [2], [1]], [1, -1, 1], rate=0.25).tolist() == [-0.5, 0]


def test_a_score_of_zero_is_the_second_class():
    model = Perceptron().fit([[-1.0], [1.0]], ["a", "b"])
    assert model.decision_function([[0.0]]).tolist() == [0.0]
    assert model.predict([[0.0]]).tolist() == ["b"]


# --- separability


def test_separability_of_hand_data():
    found = separability([[0.0, 2.0], [1.0, 1.0], [-1.0, 1.0]])
    assert (found.separable, found.w.tolist(), found.lower, found.upper) == (True, [0, 1], 1, 1)
    found = separability(signed_rows(XOR, XOR_Y).astype(int), exact=True)
    assert found.separable is False
    assert found.weights.tolist() == [Fraction(1, 4)] * 4
    assert found.upper == 0


def test_a_margin_below_rounding_is_decided_exactly():
    Z = [[1, 10**15], [1, 1 - 10**15]]  # the best margin is 1, the radius 1e15
    assert separability(Z).separable is False
    assert separability(Z, exact=True).separable is True


@pytest.mark.parametrize("scale", [1e-150, 1e-3, 1e150])
def test_separability_does_not_depend_on_the_unit(scale):
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


def test_a_decision_that_takes_too_long_is_said_to_be_open(monkeypatch):
    monkeypatch.setattr(perceptron_loops, "quick_decision", lambda Z: decide(Z, best=True, max_iter=1))
    sentence = (
        r"whether any hyperplane does was not decided within some seconds \(`separability` of the signed "
    )
    with pytest.warns(ConvergenceWarning, match=sentence):
        model = Perceptron(max_iter=60).fit(XOR, XOR_Y)
    assert model.certificate_["separable"] is None
    assert model.n_iter_ == 60
    assert not hasattr(model, "combination_")
    with pytest.warns(ConvergenceWarning, match=sentence):
        model = KernelPerceptron(max_iter=60).fit(XOR, XOR_Y)
    assert model.certificate_["separable"] is None


def test_data_that_cannot_be_separated_get_a_proof():
    with pytest.warns(
        ConvergenceWarning, match=r"^no hyperplane separates the classes: .* stopped after \d+\.$"
    ):
        model = Perceptron().fit(XOR, XOR_Y)
    np.testing.assert_allclose(model.combination_, 0.25)
    assert model.certificate_["separable"] is False
    assert model.certificate_["bound"] == math.inf
    assert np.abs(model.combination_ @ signed_rows(XOR, XOR_Y)).max() <= 1e-15


@pytest.mark.parametrize("pick", ["cyclic", "batch"])
def test_too_few_passes_say_that_more_would_do(pick):
    X, y = separable(np.random.default_rng(0), n=400, gap=0.001)
    sentence = r"updates were not enough .* updates from zero are enough\. Raise max_iter\.$"
    with pytest.warns(ConvergenceWarning, match=sentence):
        model = Perceptron(pick=pick, max_iter=1).fit(X, y)
    assert model.certificate_["separable"] is True
    assert 0 < model.certificate_["lower"] <= model.certificate_["upper"] * (1 + 1e-9)


def test_what_would_take_years_is_not_advised():
    """The bound of two rows at (1, 0) and (1, 1e-7) on either side is 8e14: no number of passes helps."""
    with pytest.warns(
        ConvergenceWarning, match=r"\d(\.\d*)?e\+1\d updates from zero are enough\. Scale the f"
    ):
        Perceptron(max_iter=100, fit_intercept=False).fit([[1.0, 0.0], [1.0, 1e-7]], [-1, 1])


# --- Gram form


def test_quadratic_kernel_separates_the_diagonals():
    model = KernelPerceptron(lambda A, B: (1 + A @ B.T) ** 2).fit(XOR, XOR_Y)
    assert model.predict(XOR).tolist() == XOR_Y.tolist()
    with pytest.warns(ConvergenceWarning, match="no hyperplane separates"):
        linear = KernelPerceptron().fit(XOR, XOR_Y)
    np.testing.assert_allclose(linear.combination_, 0.25, rtol=1e-12)


# --- invariances


def test_labels_rows_and_repetition():
    X, y = separable(np.random.default_rng(4))
    model = Perceptron().fit(X, y)
    named = Perceptron().fit(X, np.where(y > 0, "yes", "no"))
    assert named.mistakes_.tolist() == model.mistakes_.tolist()
    assert model.fit(X, y).coef_.tolist() == named.coef_.tolist()
    flipped = Perceptron().fit(X, -y)
    assert (flipped.coef_ == -model.coef_).all()
    scaled = Perceptron(fit_intercept=False).fit(4 * X, y)
    assert scaled.mistakes_.tolist() == Perceptron(fit_intercept=False).fit(X, y).mistakes_.tolist()


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


# --- degenerate but legal


def test_a_row_of_zeros_is_always_a_mistake_without_an_intercept():
    with pytest.warns(ConvergenceWarning, match="no hyperplane"):
        model = Perceptron(fit_intercept=False).fit([[0.0], [1.0], [-1.0]], [1, 1, -1])
    np.testing.assert_allclose(model.combination_, [1, 0, 0])


def test_equal_rows_with_different_labels():
    with pytest.warns(ConvergenceWarning, match="no hyperplane"):
        model = Perceptron().fit([[1.0, 2.0], [1.0, 2.0], [5.0, 5.0]], [0, 1, 1])
    np.testing.assert_allclose(model.combination_, [0.5, 0.5, 0])


def test_one_row_a_class_constant_and_repeated_features():
    model = Perceptron().fit([[1.0, 7.0, 1.0], [2.0, 7.0, 2.0]], [0, 1])
    assert model.score([[1.0, 7.0, 1.0], [2.0, 7.0, 2.0]], [0, 1]) == 1


def test_fewer_rows_than_features():
    X = np.random.default_rng(0).normal(size=(10, 50))
    assert Perceptron().fit(X, np.arange(10) % 2).score(X, np.arange(10) % 2) == 1


def test_a_start_that_separates_makes_no_mistake():
    X, y = separable(np.random.default_rng(6))
    first = Perceptron().fit(X, y)
    again = Perceptron().fit(X, y, coef_init=first.coef_, intercept_init=first.intercept_)
    assert again.mistakes_.tolist() == []
    assert again.n_iter_ == 1


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
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_not_fitted():
    with pytest.raises(NotFittedError):
        Perceptron().predict([[1.0]])


# --- scikit-learn


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
