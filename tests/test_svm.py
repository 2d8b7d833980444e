"""Support vector machines: messages, warnings, limits, invariances, scikit-learn."""

import math
import pickle
import warnings
from fractions import Fraction

import numpy as np
import pytest
from sklearn import svm as peers
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import claims, datasets, svm
from mlnotes.claims.instances.planes import enumerate_dual
from mlnotes.estimators import svm as estimators
from mlnotes.estimators.base import LimitWarning
from mlnotes.estimators.svm import SVC, NotSeparableError, OneClassSVM

INF = math.inf
SQUARE = np.array([[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 2.0]])
SIDES = np.array([-1, -1, 1, 1])
XOR = np.array([-1, 1, 1, -1])
REAL = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast_cancer": datasets.load_breast_cancer,
    "saheart": datasets.load_saheart,
}


def clouds(n=80, d=3, seed=0, gap=1.5):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    return rng.standard_normal((n, d)) + gap * np.outer(y, np.eye(d)[0]) / 2, y


# --- all sets of multipliers, in fractions


def test_enumeration_is_exact_or_refused():
    rows, y = np.array([[-1.0], [1.0], [3.0]]), np.array([-1, 1, 1])
    for size in (1, 1000, 2**20):  # alpha = (a, a, 0), a = min(C, 1/(2 size^2)), and w = 2 a size
        for C in (Fraction(1, 8), Fraction(1, 3), Fraction(2)):
            a = min(C, Fraction(1, 2 * size**2))
            value, w, *_ = enumerate_dual(size * rows, y, C)
            assert value == pytest.approx(float(2 * a - 2 * (a * size) ** 2), rel=2e-15)  # some roundings
            assert w[0] == pytest.approx(float(2 * a * size), rel=2e-15)
    for X, C in ((2**26 * rows, 1), (1000 * rows, 10**9), (rows / 2, 1)):  # beyond 2^53, or no integers
        with pytest.raises(ValueError, match="integer examples"):
            enumerate_dual(X, y, C)


# --- gaps, on real data as they are


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("name", REAL)
def test_gap_on_raw_real_data_is_small_or_warned_of(name, C, kernel):
    data = REAL[name]()
    X, y = data.X[:200], np.where(data.y[:200] == data.y[0], -1, 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = SVC(C, kernel=kernel).fit(X, y)
    assert model.certificate_["gap"] <= 1e-8 or caught
    assert kernel == "poly" or not caught


@pytest.mark.parametrize("shape", [(60, 3), (12, 40)])
def test_both_solvers_find_the_same_hyperplane(shape):
    X, y = clouds(*shape)
    linear = SVC(3.0, kernel="linear").fit(X, y)
    gram = SVC(3.0, kernel=svm.linear_kernel).fit(X, y)
    np.testing.assert_allclose(gram.dual_coef_ @ gram.support_vectors_, linear.coef_, atol=1e-9)
    np.testing.assert_allclose(gram.intercept_, linear.intercept_, atol=1e-9)


# --- invariances


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_order_labels_shift_and_repetition(kernel):
    X, y = clouds(50)
    model = SVC(kernel=kernel, gamma=0.3).fit(X, y)
    order = np.random.default_rng(0).permutation(50)
    again = SVC(kernel=kernel, gamma=0.3).fit(X[order], np.where(y[order] > 0, "b", "a"))
    np.testing.assert_allclose(again.decision_function(X), model.decision_function(X), atol=1e-9)
    assert (model.predict(X) == np.where(again.predict(X) == "b", 1, -1)).all()
    opposite = SVC(kernel=kernel, gamma=0.3).fit(X, -y)
    np.testing.assert_allclose(opposite.decision_function(X), -model.decision_function(X), atol=1e-9)
    if kernel != "poly":
        moved = SVC(kernel=kernel, gamma=0.3).fit(X + 100, y)
        np.testing.assert_allclose(moved.decision_function(X + 100), model.decision_function(X), atol=1e-8)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_a_weight_is_a_number_of_copies(kernel):
    X, y = clouds(40)
    copies = np.random.default_rng(1).integers(0, 4, 40)
    weighted = SVC(kernel=kernel).fit(X, y, copies)
    copied = SVC(kernel=kernel).fit(np.repeat(X, copies, axis=0), np.repeat(y, copies))
    np.testing.assert_allclose(weighted.decision_function(X), copied.decision_function(X), atol=1e-8)


def test_units_of_the_features_and_C_trade():
    X, y = clouds(50)
    model, other = SVC(1.0, kernel="linear").fit(X, y), SVC(1e-4, kernel="linear").fit(100 * X, y)
    np.testing.assert_allclose(other.coef_ * 100, model.coef_, rtol=1e-9)


def test_a_prediction_does_not_depend_on_other_test_points():
    X, y = clouds(80)
    model = SVC().fit(X, y)
    one_by_one = np.concatenate([model.decision_function(x[None]) for x in X])
    np.testing.assert_allclose(one_by_one, model.decision_function(X), atol=1e-13)


def test_fit_twice_and_pickle():
    X, y = clouds(60)
    model = SVC().fit(*clouds(30, seed=7)).fit(X, y)
    assert (
        pickle.loads(pickle.dumps(model)).decision_function(X) == SVC().fit(X, y).decision_function(X)
    ).all()


# --- many classes


@pytest.mark.parametrize("multi_class", ["ovo", "ovr"])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_many_classes(multi_class, kernel):
    data = datasets.load_iris()
    model = SVC(kernel=kernel, multi_class=multi_class).fit(data.X, np.array(data.target_names)[data.y])
    assert model.score(data.X, np.array(data.target_names)[data.y]) > 0.95
    assert model.dual_coef_.shape == (3, len(model.support_))
    assert model.decision_function(data.X).shape == (150, 3)
    assert len(model.certificates_) == 3
    assert model.certificate_["gap"] == max(c["gap"] for c in model.certificates_) <= 1e-8


def test_pairs_vote():
    # 3 classes on a line: the machine of a pair is the middle between them
    model = SVC(INF, kernel="linear").fit([[0.0], [2.0], [6.0]], [10, 20, 30])
    np.testing.assert_allclose(-model.intercept_ / model.coef_[:, 0], [1, 3, 4], rtol=1e-12)
    assert model.predict([[0.9], [1.1], [3.9], [4.1]]).tolist() == [10, 20, 20, 30]


# --- the hard margin


@pytest.mark.parametrize("kernel", ["linear", svm.linear_kernel])
def test_hard_margin_refuses_xor_with_a_proof(kernel):
    with pytest.raises(NotSeparableError, match="needs classes that a hyperplane separates") as caught:
        SVC(INF, kernel=kernel).fit(SQUARE, XOR)
    weights = caught.value.weights
    assert weights.min() >= 0
    sums = [weights[XOR * k > 0].sum() for k in (-1, 1)]
    np.testing.assert_allclose(sums, 1, rtol=1e-9)
    np.testing.assert_allclose((XOR * weights) @ SQUARE, 0, atol=1e-6)
    again = pickle.loads(pickle.dumps(caught.value))  # as from a process of its own
    assert (str(again), again.weights.tolist()) == (str(caught.value), weights.tolist())


def test_hard_margin_of_a_kernel_separates_xor():
    model = SVC(INF, gamma=1.0).fit(SQUARE, XOR)
    np.testing.assert_allclose(XOR * model.decision_function(SQUARE), 1, rtol=1e-10)


def test_the_same_point_in_both_classes_is_refused():
    with pytest.raises(NotSeparableError):
        SVC(INF).fit([[0.0], [1.0], [0.0]], [0, 0, 1])


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_hard_margin_in_any_unit(scale):
    X, y = clouds(60, gap=9)
    model = SVC(INF, kernel="linear").fit(X * scale, y)
    assert model.certificate_["gap"] <= 1e-8
    assert (y * model.decision_function(X * scale)).min() == pytest.approx(1, abs=1e-9)


# --- degenerate but legal


def test_rows_without_any_variation():
    for kernel in ("linear", "rbf"):
        model = SVC(kernel=kernel).fit(np.ones((5, 2)), [0, 0, 1, 1, 1])
        assert model.predict([[1.0, 1.0]]).tolist() == [1]
        assert model.certificate_["gap"] <= 1e-12


def test_duplicates_with_both_labels():
    X = np.repeat(np.array([[0.0], [1.0], [2.0]]), 4, axis=0)
    y = np.array([0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1])
    for kernel in ("linear", "rbf"):
        model = SVC(kernel=kernel).fit(X, y)
        assert model.certificate_["gap"] <= 1e-8
        assert model.predict([[0.0], [2.0]]).tolist() == [0, 1]


def test_one_row_a_class():
    model = SVC(100.0).fit([[0.0], [1.0]], ["x", "y"])
    assert model.predict([[0.1], [0.9]]).tolist() == ["x", "y"]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n_features", [1, 12])
def test_a_linear_machine_with_all_multipliers_at_C_takes_the_middle_of_the_optimal_intercepts(
    seed, n_features
):
    X = np.random.default_rng(seed).integers(-2, 3, (8, n_features)).astype(float)
    y, C = np.repeat([-1, 1], 4), 1e-3
    model = SVC(C, kernel="linear").fit(X, y)
    assert model.dual_coef_ == pytest.approx(C * y[None], abs=0)
    low, high = svm.intercept_interval(np.full(8, C), y, X @ X.T, C)
    assert low < high
    assert model.intercept_[0] == pytest.approx((low + high) / 2, abs=1e-12)


# --- one class


def test_one_class_agrees_with_scikit_learn():
    X = np.random.default_rng(6).standard_normal((150, 3))
    ours, theirs = OneClassSVM(0.2).fit(X), peers.OneClassSVM(nu=0.2, tol=1e-9).fit(X)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)
    np.testing.assert_allclose(ours.offset_, theirs.offset_, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e5])
@pytest.mark.parametrize("nu", [0.1, 0.3])
def test_one_class_warns_where_all_scores_are_zero(scale, nu):
    X = scale * np.random.default_rng(7).standard_normal((30, 2))
    with pytest.warns(LimitWarning, match="every point looks alike") as record:
        model = OneClassSVM(nu, kernel="linear").fit(X)
    assert len(record) == 1
    assert (model.predict(X) == 1).all()
    assert model.certificate_["gap"] == 0
    assert model.certificate_["steps"] < 1000  # it does not walk on for ever


# --- errors

ONE, TWO = [[1.0, 2.0]], [[1.0], [2.0]]


@pytest.mark.parametrize(
    ("model", "X", "y", "sentence"),
    [
        (SVC(), TWO, [1, 1], r"SVC needs y with at least 2 classes, got 1 class: \[1\]"),
        (SVC(), TWO, [1], "y has 1 labels, but X has 2 rows"),
        (SVC(), [[1.0], [math.nan]], [0, 1], "X contains NaN at index"),
        (SVC(), [1.0, 2.0], [0, 1], "X must be a 2-D array"),
        (SVC(0), TWO, [0, 1], "C, unless it is infinity, must be a finite number > 0, got 0"),
        (SVC(math.nan), TWO, [0, 1], "C, unless it is infinity, must be a finite number > 0"),
        (SVC(kernel="sigmoid"), TWO, [0, 1], "kernel must be one of 'linear', 'rbf', 'poly', got 'sigmoid'"),
        (SVC(gamma="wide"), TWO, [0, 1], "gamma must be one of 'scale', 'auto', got 'wide'"),
        (SVC(gamma=-1.0), TWO, [0, 1], "gamma must be a finite number > 0, got -1.0"),
        (SVC(degree=1.5), TWO, [0, 1], "degree must be an integer >= 1, got 1.5"),
        (SVC(coef0=-1.0), TWO, [0, 1], "coef0 must be a finite number >= 0, got -1.0"),
        (SVC(multi_class="all"), TWO, [0, 1], "multi_class must be one of 'ovo', 'ovr', got 'all'"),
        (SVC(kernel=lambda X, Z: X), TWO, [0, 1], r"the kernel must return shape \(2, 2\) for 2 and 2 rows"),
        (SVC(kernel=lambda X, Z: -X @ Z.T), TWO, [0, 1], r"the kernel has k\(x, x\) = -4 < 0 for a row"),
        (OneClassSVM(0.0), TWO, None, "nu must be a finite number <= 1 and > 0, got 0.0"),
        (OneClassSVM(2), TWO, None, "nu must be a finite number <= 1 and > 0, got 2"),
    ],
)
def test_fit_refuses_in_a_sentence(model, X, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y)


def test_predict_refuses_in_a_sentence():
    with pytest.raises(NotFittedError, match="This SVC instance is not fitted yet; call fit first"):
        SVC().predict(TWO)
    model = SVC().fit(TWO, [0, 1])
    with pytest.raises(ValueError, match="X has 2 features, but SVC is expecting 1 features as input"):
        model.predict(ONE)
    with pytest.raises(NotFittedError):
        OneClassSVM().predict(TWO)


def test_a_function_that_is_no_kernel_is_refused_by_its_eigenvalue():
    X, y = clouds(30, gap=0.2)

    def no_kernel(A, B):  # diagonal 1, and 3 elsewhere
        return np.where((A[:, None] == B).all(axis=2), 1.0, 3.0)

    with pytest.raises(ValueError, match="not positive semi-definite: its Gram matrix has the eigenvalue -2"):
        SVC(kernel=no_kernel).fit(X, y)


def test_a_tolerance_ends_the_search_between_its_rounds():
    """The pairs leave a gap of 1e-2 here, the rounds after them 1e-2, 5e-4, 1e-6 and what is rounding."""
    rng = np.random.default_rng(32)
    X = rng.standard_normal((rng.integers(60, 200), 2))
    y = np.where(X[:, 0] + rng.standard_normal(len(X)) > 0, 1, -1)
    found = [SVC(gamma=1.0, tol=tol).fit(X, y).certificate_ for tol in (0.1, 1e-3, 1e-5, 1e-12)]
    assert all(c["gap"] <= tol for c, tol in zip(found, (0.1, 1e-3, 1e-5, 1e-12), strict=True))
    steps = [c["steps"] for c in found]
    assert steps[:3] == sorted(set(steps[:3]))
    assert steps[3] >= steps[2]


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("C", [1e-300, 1e200, 1e300])
def test_warns_of_an_unproved_fit_where_C_leaves_float64(kernel, C):
    X, y = clouds(20)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = SVC(C, kernel=kernel).fit(X, y)
    proved = model.certificate_["gap"] <= estimators.GAP
    assert [issubclass(item.category, ConvergenceWarning) for item in caught] == [True] * (not proved)
    assert proved or C > 1


# --- agreement with scikit-learn

SKIPS = {  # no pandas here, and SciPy's array-API mode is off
    "check_sample_weights_pandas_series",
    "check_array_api_input",
    "check_classifier_data_not_an_array",
}


@pytest.mark.parametrize(
    "estimator", [SVC(), SVC(kernel="linear"), SVC(kernel="poly", multi_class="ovr"), OneClassSVM()], ids=str
)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.estimators.base.LimitWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.estimators.base.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learns_own_checks_pass(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] not in ("passed", "skipped")}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= SKIPS


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("name", REAL)
def test_decision_function_agrees(name, kernel):
    data = REAL[name]()
    X, y = StandardScaler().fit_transform(data.X), data.y == data.y[0]
    ours = SVC(kernel=kernel).fit(X, y)
    theirs = peers.SVC(kernel=kernel, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=2e-5)
    if kernel != "linear":
        assert ours.gamma_ == pytest.approx(theirs._gamma, rel=1e-12)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_many_classes_agree(kernel):
    data = datasets.load_wine()
    X = StandardScaler().fit_transform(data.X)
    ours, theirs = SVC(kernel=kernel).fit(X, data.y), peers.SVC(kernel=kernel, tol=1e-8).fit(X, data.y)
    assert (ours.predict(X) == theirs.predict(X)).all()
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=2e-4)


def test_in_a_pipeline():
    data = datasets.load_breast_cancer()
    assert make_pipeline(StandardScaler(), SVC()).fit(data.X, data.y).score(data.X, data.y) > 0.98


STATEMENTS = (
    "maxmargin", "distance", "unique", "margin", "nonconvex", "reformulation", "hard-primal", "hard-dual",
    "slater", "kkt", "support-vectors", "recover", "span", "soft-primal", "C-infinity", "soft-dual", "form2",
    "equivalence", "margin-inverse-norm", "hinge-erm", "lagrangian", "stationarity", "complementarity",
    "dual-derivation", "b-average", "decision-dual", "sparsity", "sv-types", "kernel", "strong-duality",
    "vc-bound", "vc-margin-dim",
    "erratum-y16", "erratum-y17", "erratum-y21", "erratum-y22", "erratum-y23", "erratum-s12", "erratum-s13",
    "erratum-s14", "erratum-s15", "erratum-s16", "erratum-s17", "erratum-s18", "erratum-s19", "erratum-s27",
)  # fmt: skip


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    # text only: intuition, qp-easier, sv-figure, vc-other-bounds
    ids = {claim.id for claim in claims.of("svm")}
    assert {f"svm.{name}" for name in STATEMENTS} - ids == set()
