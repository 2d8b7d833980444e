"""Linear and quadratic discriminant analysis: hand cases, limits, messages, scikit-learn."""

import math
import warnings

import numpy as np
import pytest
from sklearn import discriminant_analysis as peers
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, datasets
from mlnotes import discriminant as reference
from mlnotes.estimators.base import LimitWarning

BOTH = pytest.mark.parametrize("estimator", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
REAL = pytest.mark.parametrize("data", [datasets.load_iris, datasets.load_wine, datasets.load_breast_cancer])
X4, Y4 = [[0.0, 1.0], [1.0, 0.0], [3.0, 3.0], [4.0, 5.0]], [0, 0, 1, 1]


def draw(rng, n=120, d=3, K=3):
    y = np.concatenate([np.arange(K), rng.integers(0, K, n - K)])
    return rng.standard_normal((n, d)) @ rng.normal(size=(d, d)) + rng.normal(0, 2, (K, d))[y], y


# --- cases by hand, and ties


@pytest.mark.parametrize(
    "estimator", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis,
                  reference.LinearDiscriminantAnalysis, reference.QuadraticDiscriminantAnalysis]
)  # fmt: skip
def test_tie_goes_to_the_last_class(estimator):
    model = estimator().fit(np.array([[-3.0], [-1.0], [1.0], [3.0]]), np.array(["a", "a", "b", "b"]))
    assert model.decision_function(np.zeros((1, 1))).tolist() == [0.0]
    assert model.predict(np.zeros((1, 1))).tolist() == ["b"]


def test_reference_refuses_what_a_definition_excludes():
    with pytest.raises(ValueError, match="priors must be positive numbers with sum 1"):
        reference.log_prior([0.5, 0.6])
    with pytest.raises(ValueError, match="needs two observations"):
        reference.class_covariances(np.eye(3), np.array([0, 0, 1]))
    with pytest.raises(ValueError, match="more observations than features"):
        reference.QuadraticDiscriminantAnalysis().fit(np.array(X4), np.array(Y4))


# --- what must not matter


@BOTH
def test_units_change_no_posterior(estimator):
    X, y = draw(np.random.default_rng(0))
    units = np.array([1e-12, 1.0, 1e15])
    model, other = estimator().fit(X, y), estimator().fit(X * units, y)
    np.testing.assert_allclose(other.predict_proba(X * units), model.predict_proba(X), rtol=1e-9, atol=1e-14)


@BOTH
def test_offset_of_ten_million_costs_seven_digits_only(estimator):
    X, y = draw(np.random.default_rng(0))
    model, shifted = estimator().fit(X, y), estimator().fit(X + 1e7, y)
    np.testing.assert_allclose(shifted.predict_proba(X + 1e7), model.predict_proba(X), atol=1e-6)


def test_equal_priors_by_name():
    X, y = draw(np.random.default_rng(7))
    for estimator in (LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis):
        named, given = estimator(priors="equal").fit(X, y), estimator(priors=np.full(3, 1 / 3)).fit(X, y)
        assert (named.decision_function(X) == given.decision_function(X)).all()


# --- degenerate but legal


@pytest.mark.parametrize("n", [60, 100_000])
def test_constant_feature_has_variance_zero_whatever_its_rounding(n):
    X = np.column_stack([np.full(n, 0.1), np.full(n, 1e9 / 7), np.random.default_rng(0).standard_normal(n)])
    for weights in (None, np.full(n, 1000.0)):
        S = LDA().fit(X, np.arange(n) % 2, weights).covariance_
        assert np.diag(S)[:2].tolist() == [0.0, 0.0]
        assert S[2, 2] > 0


def test_small_steps_are_no_rounding():
    steps = -1e7 / 3 * (1 + 2.0**-26 * np.arange(12))
    S = LDA().fit(steps[:, None], np.arange(12) % 2).covariance_
    assert S[0, 0] == pytest.approx(steps[::2].var() * 6 / 5, rel=1e-4)


@pytest.mark.parametrize(("small", "rank"), [(5e-11, 2), (2e-9, 3)])
def test_eigenvalues_below_the_tolerance_count_as_zero(small, rank):
    """Of a correlation matrix with the eigenvalues 3 - small, small and nearly 0, relative to the largest."""
    noise = np.array([1.0, -1, 1, -1, 1, -1, 1, -1]) * math.sqrt(small)
    x, z = np.array([1.0, 1, -1, -1, 1, 1, -1, -1]), np.array([1.0, 1, 1, 1, -1, -1, -1, -1])
    X = np.column_stack([x, z, x + z + 2 * noise])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LDA().fit(np.vstack([X, X + np.array([1, 0, 1])]), np.repeat([0, 1], 8))
    assert model.certificate_["rank"] == rank


def test_blind_in_any_unit():
    with pytest.warns(LimitWarning, match="rank 0 of 1, and 100.00% of the squared spread"):
        model = LinearDiscriminantAnalysis().fit([[0.0], [0.0], [1e-200], [1e-200]], Y4)  # squares vanish
    assert model.certificate_["blind"] == 1.0


def test_blind_pseudo_inverse_warns():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0]])  # the second feature is the label
    with pytest.warns(LimitWarning, match=r"rank 1 of 2, and 100\.00% of the squared spread"):
        model = LinearDiscriminantAnalysis().fit(X, Y4)
    assert model.coef_.tolist() == [[0.0, 0.0]]
    assert model.transform(X).shape == (4, 0)


def test_more_features_than_observations():
    X = np.random.default_rng(0).standard_normal((10, 30))
    with pytest.warns(LimitWarning, match="rank 8 of 30"):
        model = LinearDiscriminantAnalysis().fit(X, np.arange(10) % 2)
    assert np.isfinite(model.predict_proba(X)).all()


def test_equal_means_leave_the_prior_to_decide():
    model = LinearDiscriminantAnalysis().fit([[-1.0], [1.0], [-2.0], [2.0], [0.0]], [0, 0, 1, 1, 1])
    assert model.predict([[-5.0], [5.0]]).tolist() == [1, 1]


@BOTH
def test_far_points_have_a_posterior(estimator):
    X, y = draw(np.random.default_rng(0))
    posterior = estimator().fit(X, y).predict_proba([[1e100, 0, 0], [0, -1e150, 1e150]])
    assert np.isfinite(posterior).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1)


# --- every sentence

LDA, QDA = LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: LDA().fit(X4, [0, 1, 2, 3]), r"divides by n - K = 4 - 4.* second observation"),
        (lambda: LDA().fit(X4, Y4, [0.4] * 4), r"n - K = 1.6 - 2, .*weights count copies"),
        (lambda: LDA(shrinkage=2).fit(X4, Y4), "shrinkage must be a finite number >= 0 and <= 1, got 2"),
        (lambda: LDA(n_components=2).fit(X4, Y4), "n_components must be an integer >= 1 and <= 1, got 2"),
        (lambda: QDA().fit(X4, Y4), r"class 0 has 2 samples in 2 features.* more observations than"),
        (lambda: QDA().fit([[0.0], [0.0], [1.0], [2.0]], Y4), r"covariance of class 0 .*rank 0 of 1"),
        (lambda: QDA().fit([[0.0], [1.0], [2.0]], ["a", "a", "b"]), r"class b has n_k = 1, at most 1"),
        (lambda: QDA(reg_param=-1).fit(X4, Y4), "reg_param must be a finite number >= 0 and <= 1, got -1"),
    ],
)
def test_every_error_is_one_clear_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@BOTH
@pytest.mark.parametrize(
    ("parameters", "X", "y", "sentence"),
    [
        ({}, X4, [7, 7, 7, 7], r"needs y with at least 2 classes, got 1 class: \[7\]"),
        ({}, X4, [0, 1], "y has 2 labels, but X has 4 rows"),
        ({}, [1.0, 2.0], Y4, "X must be a 2-D array"),
        ({}, [["a", "b"]] * 4, Y4, r"X has dtype .* numbers are needed"),
        ({}, [[math.nan, 1.0]] * 4, Y4, "X contains NaN at index"),
        ({}, np.zeros((0, 2)), [], "minimum of 1 is required"),
        ({"priors": [0.5, 0.25, 0.25]}, X4, Y4, "priors must be 2 positive probabilities, one a class"),
        ({"priors": [1.0, 0.0]}, X4, Y4, "priors must be 2 positive probabilities, one a class"),
        ({"priors": [0.7, 0.7]}, X4, Y4, "priors: the masses sum to 1.4; they must sum to 1"),
        ({"priors": "uniform"}, X4, Y4, "priors must be one of 'equal', got 'uniform'"),
        ({}, np.multiply(X4, 1e200), Y4, "the sum of squares of a class exceeds the largest float64; divide"),
    ],
)
def test_every_error_of_fit(estimator, parameters, X, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        estimator(**parameters).fit(X, y)


@pytest.mark.parametrize("features", [[[-1, 0], [1, 1], [-1, 2], [1, 1]], np.eye(4) - np.eye(4, k=1)])
@pytest.mark.parametrize("shrinkage", [None, 0.5])
def test_sums_of_squares_that_overflow_together_are_refused(features, shrinkage):
    with pytest.raises(ValueError, match="the sum of squares of all classes exceeds the largest float64"):
        LinearDiscriminantAnalysis(shrinkage=shrinkage).fit(np.multiply(features, 8.5e153), [0, 0, 1, 1])


def test_a_class_far_from_0_is_measured_without_a_warning():
    model = QuadraticDiscriminantAnalysis(reg_param=1.0).fit([[1e300]] * 2 + [[2e300]] * 2, [0, 0, 1, 1])
    assert model.covariance_.tolist() == [[[1.0]], [[1.0]]]


@BOTH
def test_errors_after_fit(estimator):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        estimator().predict(X4)
    model = estimator().fit([[0.0], [1.0], [4.0], [6.0]], [1, 1, 2, 2])
    with pytest.raises(ValueError, match=r"X has 2 features, but .* is expecting 1 features"):
        model.predict_proba(X4)
    for ask in (model.predict, model.predict_proba, model.decision_function):
        with pytest.raises(ValueError, match="a score exceeds the largest float64; divide the features"):
            ask([[1.7e308]])
    assert not (
        model.predict([[0.0]]) == 7
    ).any()  # a label that is not in the training data is never predicted
    assert model.score([[0.0], [5.0]], [7, 2]) == 0.5


@BOTH
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 1), (59_999, 0), (59_999, 2)])
def test_no_row_hides_what_is_not_finite(estimator, bad, place):
    X = np.random.default_rng(5).standard_normal((60_000, 3))  # more than one block of rows
    y = (X[:, 0] > 0).astype(int)
    model = estimator().fit(X, y)
    X[place] = bad
    for ask in (model.predict, model.predict_proba, model.decision_function):
        with pytest.raises(ValueError, match=rf"X contains .* at index \({place[0]}, {place[1]}\)"):
            ask(X)


def test_a_feature_without_a_coefficient_is_searched_too():
    X = np.array([[0.0, 1.0], [1.0, 1.0], [4.0, 1.0], [6.0, 1.0]])
    model = LinearDiscriminantAnalysis().fit(X, [0, 0, 1, 1])
    assert (model.coef_[:, 1] == 0).all()
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"X contains .* at index \(1, 1\)"):
            model.predict([[0.0, 1.0], [0.0, bad]])


# --- scikit-learn

SKIPS = {
    "check_sample_weights_pandas_series": "pandas is not installed",
    "check_array_api_input": "SciPy's array-API mode is off",
    "check_classifier_data_not_an_array": "pandas is not installed",
}


@pytest.mark.parametrize(
    "estimator",
    [
        LinearDiscriminantAnalysis(),
        LinearDiscriminantAnalysis(shrinkage=0.3),
        QuadraticDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(reg_param=0.1),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.estimators.base.LimitWarning")
def test_scikit_learns_own_checks_pass(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")] == []
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


@REAL
def test_lda_parameters_agree_with_lsqr(data):
    X, y = data().X, data().y
    ours, theirs = (
        LinearDiscriminantAnalysis().fit(X, y),
        peers.LinearDiscriminantAnalysis(solver="lsqr").fit(X, y),
    )
    factor = len(X) / (len(X) - len(ours.classes_))  # they divide by n
    np.testing.assert_allclose(ours.covariance_ / factor, theirs.covariance_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-12)
    centre = (lambda c: c - c.mean(axis=0)) if len(ours.coef_) > 1 else lambda c: c
    scale = abs(theirs.coef_).max()
    np.testing.assert_allclose(factor * centre(ours.coef_), centre(theirs.coef_), atol=1e-9 * scale)


@REAL
def test_lda_parameters_agree_with_the_default_solver(data):
    X, y = data().X, data().y
    ours, theirs = LinearDiscriminantAnalysis().fit(X, y), peers.LinearDiscriminantAnalysis().fit(X, y)
    factor = len(X) / (len(X) - len(ours.classes_))
    scale = abs(theirs.coef_).max()
    np.testing.assert_allclose(factor * ours.coef_, theirs.coef_, atol=1e-7 * scale)
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-7)
    shown, peer = ours.transform(X), theirs.transform(X) / math.sqrt(factor)
    np.testing.assert_allclose(abs(shown), abs(peer), atol=1e-6 * abs(shown).max())


def test_lda_with_fewer_rows_than_features_agrees_with_the_default_solver():
    X, y = datasets.load_digits().X[:60], datasets.load_digits().y[:60]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, theirs = LinearDiscriminantAnalysis().fit(X, y), peers.LinearDiscriminantAnalysis().fit(X, y)
    factor = len(X) / (len(X) - 10)
    np.testing.assert_allclose(factor * ours.coef_, theirs.coef_, atol=1e-6 * abs(theirs.coef_).max())


@pytest.mark.parametrize("shrinkage", [0.0, 0.3, 1.0])
def test_shrunk_lda_agrees(shrinkage):
    X, y = datasets.load_wine().X, datasets.load_wine().y
    ours = LinearDiscriminantAnalysis(shrinkage=shrinkage).fit(X, y)
    theirs = peers.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage).fit(X, y)
    np.testing.assert_allclose(
        ours.covariance_ * (len(X) - 3) / len(X), theirs.covariance_, rtol=1e-9, atol=1e-12
    )


@REAL
def test_qda_parameters_agree(data):
    X, y = data().X, data().y
    ours = QuadraticDiscriminantAnalysis().fit(X, y)
    theirs = peers.QuadraticDiscriminantAnalysis(store_covariance=True, tol=0.0).fit(X, y)
    n = np.bincount(y)
    for k in range(len(n)):  # they divide by n_k
        scale = abs(theirs.covariance_[k]).max()
        np.testing.assert_allclose(
            ours.covariance_[k] * (n[k] - 1) / n[k], theirs.covariance_[k], atol=1e-12 * scale
        )
        log_det = np.log(theirs.scalings_[k]).sum() + X.shape[1] * math.log(n[k] / (n[k] - 1))
        assert ours.log_det_[k] == pytest.approx(log_det, abs=1e-8)
