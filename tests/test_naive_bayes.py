"""Kernel density classifier and naive Bayes: hand cases, 0/0, far points, messages, scikit-learn."""

import math
import warnings
from fractions import Fraction as F

import numpy as np
import pytest
from sklearn import naive_bayes as peers
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import claims, datasets
from mlnotes.estimators.base import LimitWarning
from mlnotes.estimators.naive_bayes import KernelDensityClassifier, MultinomialNaiveBayes, NaiveBayes

NAMES = pytest.mark.parametrize("name", ["gaussian", "histogram", "kernel", "categorical"])


def draw(rng, n=90, d=3, K=3):
    y = np.concatenate([np.arange(K), np.arange(K), rng.integers(0, K, n - 2 * K)])
    return rng.standard_normal((n, d)) + rng.normal(0, 2, (K, d))[y], y


# --- by hand


def test_bernoulli_by_hand():
    X, y = [[1, 0], [1, 1], [0, 1]], ["a", "a", "b"]
    model = NaiveBayes(marginals="bernoulli").fit(X, y)
    a, b = F(2, 3) * F(3, 4) * F(1, 2), F(1, 3) * F(1, 3) * F(1, 3)
    posterior = [float(a / (a + b)), float(b / (a + b))]
    assert model.predict_proba([[1, 0]])[0].tolist() == pytest.approx(posterior)


def test_gaussian_by_hand():
    model = NaiveBayes().fit([[0.0], [2.0], [4.0], [8.0]], [0, 0, 1, 1])  # means 1, 6; variances 1, 4
    logs = model.log_marginals([[3.0]])[0, 0]
    assert logs.tolist() == pytest.approx(
        [-2 - 0.5 * math.log(2 * math.pi), -9 / 8 - 0.5 * math.log(8 * math.pi)]
    )


# --- 0/0 and other limits


def test_where_every_density_is_zero_the_prior_is_returned_with_a_warning():
    X, y = [[0.0], [1.0], [10.0]], ["a", "a", "b"]
    model = KernelDensityClassifier(bandwidth=1.0, kernel="uniform").fit(X, y)
    match = r"1 of 2 rows have density 0 in every class \(0/0\): they get the prior"
    with pytest.warns(LimitWarning, match=match):
        posterior = model.predict_proba([[5.0], [10.0]])
    np.testing.assert_allclose(posterior, [[2 / 3, 1 / 3], [0, 1]])
    with pytest.warns(LimitWarning):
        assert model.predict([[5.0]]).tolist() == ["a"]


def test_far_points_have_a_posterior_under_a_gaussian_kernel():
    X, y = draw(np.random.default_rng(0), d=2, K=2)
    for model in (KernelDensityClassifier(bandwidth=0.5), NaiveBayes(marginals="kernel")):
        posterior = model.fit(X, y).predict_proba([[1e5, 0.0], [-1e100, 1e100]])
        np.testing.assert_allclose(posterior.sum(axis=1), 1)
        assert posterior[0].tolist() in ([0.0, 1.0], [1.0, 0.0])


@pytest.mark.parametrize("value", [1e200, 1.7e308])
def test_a_point_too_far_for_a_square_gets_the_prior_and_a_warning(value):
    model = NaiveBayes().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 1, 1])
    near = [0.5, 0.5]
    with pytest.warns(LimitWarning, match="1 of 2 rows have density 0 in every class"):
        both = model.predict_proba([[value, -value], near])
    np.testing.assert_allclose(both[0], [1 / 3, 2 / 3], rtol=1e-15)
    np.testing.assert_allclose(both[1:], model.predict_proba([near]), rtol=1e-12)
    assert np.isneginf(model.log_marginals([[value, -value]])).all()


def test_a_thousand_features_do_not_underflow():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(0, 1, (40, 1000)) + 0.5 * y[:, None]
    for name in ("gaussian", "kernel", "histogram"):
        posterior = NaiveBayes(marginals=name).fit(X, y).predict_proba(X)
        assert np.isfinite(posterior).all()
        assert (posterior.argmax(axis=1) == y).all()


@NAMES
def test_a_constant_feature_changes_nothing(name):
    X, y = draw(np.random.default_rng(0))
    X = np.round(X) if name == "categorical" else X
    more = np.column_stack([X, np.full(len(X), 0.1)])
    model = NaiveBayes(marginals=name, bandwidth=1.0)  # a rule for the bandwidth depends on n_k
    expected = model.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.fit(more, y).predict_proba(more), expected, rtol=1e-9)


@pytest.mark.parametrize("name", ["gaussian", "histogram", "kernel"])
def test_one_observation_in_each_class_and_one_class(name):
    X, y = [[0.0, 1.0], [3.0, 2.0], [6.0, 5.0]], ["a", "b", "c"]
    assert NaiveBayes(marginals=name).fit(X, y).predict(X).tolist() == y
    assert NaiveBayes(marginals=name).fit(X, ["a"] * 3).predict_proba(X).tolist() == [[1.0]] * 3
    assert KernelDensityClassifier().fit(X, y).predict(X).tolist() == y


def test_ties_go_to_the_first_class():
    model = NaiveBayes().fit([[-3.0], [-1.0], [1.0], [3.0]], ["b", "b", "a", "a"])
    assert model.predict([[0.0]]).tolist() == ["a"]


@NAMES
def test_weights_are_copies_and_order_does_not_matter(name):
    rng = np.random.default_rng(5)
    X, y = draw(rng)
    X = np.round(X) if name == "categorical" else X
    w = rng.integers(1, 4, len(X))
    weighted = NaiveBayes(marginals=name).fit(X, y, sample_weight=w).predict_proba(X)
    copied = NaiveBayes(marginals=name).fit(X.repeat(w, 0), y.repeat(w)).predict_proba(X)
    np.testing.assert_allclose(weighted, copied, rtol=1e-8, atol=1e-12)
    order = rng.permutation(len(X))
    shuffled = NaiveBayes(marginals=name).fit(X[order], y[order], w[order]).predict_proba(X)
    np.testing.assert_allclose(shuffled, weighted, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("name", ["gaussian", "histogram", "kernel"])
def test_units_change_no_prediction(name):
    X, y = draw(np.random.default_rng(0))
    units = np.array([1e-9, 1.0, 1e9])
    expected = NaiveBayes(marginals=name).fit(X, y).predict_proba(X)
    scaled = NaiveBayes(marginals=name).fit(X * units, y).predict_proba(X * units)
    np.testing.assert_allclose(scaled, expected, rtol=1e-7, atol=1e-12)


def test_impossible_counts_without_smoothing():
    model = MultinomialNaiveBayes(alpha=0).fit([[3, 0], [0, 2]], ["a", "b"])
    assert model.predict_proba([[1, 0], [0, 5]]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LimitWarning)
        assert model.predict_proba([[1, 1]]).tolist() == [[0.5, 0.5]]


# --- messages

X3, Y3 = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 1, 1]
KDC, NB, MNB = KernelDensityClassifier, NaiveBayes, MultinomialNaiveBayes


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: NB(marginals=3).fit(X3, Y3), "marginals must be one of 'gaussian', .* got 3"),
        (
            lambda: NB(marginals="normal").fit(X3, Y3),
            "marginals must be one of 'gaussian', 'histogram', 'kernel'",
        ),
        (
            lambda: NB(marginals=["gaussian"]).fit(X3, Y3),
            "marginals must be one name or 2 names, one a feature, got 1",
        ),
        (lambda: NB(var_smoothing=0).fit(X3, Y3), "var_smoothing must be a finite number > 0, got 0"),
        (lambda: NB(marginals="histogram", n_bins=0).fit(X3, Y3), "n_bins must be an integer >= 1, got 0"),
        (
            lambda: NB(marginals="kernel", bandwidth="best").fit(X3, Y3),
            "bandwidth, unless it is a number or a matr",
        ),
        (
            lambda: NB(marginals="bernoulli").fit(X3, Y3),
            "a feature with marginal 'bernoulli' must be 0 or 1, got 2",
        ),
        (
            lambda: NB(marginals="bernoulli").fit([[0, 1], [1, 0]], [0, 1]).predict([[0.5, 0]]),
            "marginal 'bernoulli' must be 0 or 1, got 0.5",
        ),
        (lambda: NB(priors=[1.0]).fit(X3, Y3), "priors must be 2 positive probabilities, one a class"),
        (lambda: NB(priors=[1.0, 0.0]).fit(X3, Y3), "priors must be 2 positive probabilities, one a class"),
        (lambda: KDC(bandwidth=0.0).fit(X3, Y3), "bandwidth must be a finite number >= 1e-150"),
        (lambda: KDC(kernel="biweight").fit(X3, Y3), "kernel must be 'gaussian' for X with 2 features"),
        (lambda: MNB().fit([[-1.0]], [0]), "counts are >= 0, got -1.0"),
        (lambda: MNB(alpha=-1).fit([[1.0]], [0]), "alpha must be a finite number >= 0"),
        (lambda: NB().fit(X3, [0, 1]), "y has 2 labels, but X has 3 rows"),
        (lambda: NB().fit([[1e200], [0.0]], [0, 1]), r"X has entries up to 1e\+200, whose squares overflow"),
        (lambda: NB().fit([["a"]], [0]), "X has dtype .* numbers are needed"),
        (lambda: NB().fit([[math.nan]], [0]), "X contains NaN"),
        (lambda: NB().fit(np.zeros((0, 1)), []), "minimum of 1 is required"),
        (lambda: NB().fit(X3, Y3).predict([[1.0]]), "X has 1 features, but NaiveBayes is expecting 2"),
        (lambda: NB().fit(X3, Y3, [0.0, 0.0, 0.0]), "sample_weight: every weight is zero"),
        (
            lambda: NB(marginals="categorical", alpha=-1).fit(X3, Y3),
            "alpha must be a finite number >= 0, got -1",
        ),
        (lambda: MNB(alpha=0).fit([[0, 0], [1, 2]], [0, 1]), "counts of a class are all zero and alpha is 0"),
    ],
)
def test_every_error_is_one_clear_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize("estimator", [KDC(), NB(), MNB()], ids=str)
def test_not_fitted(estimator):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        estimator.predict(X3)


# --- scikit-learn

SKIPS = {
    "check_sample_weights_pandas_series": "pandas is not installed",
    "check_array_api_input": "SciPy's array-API mode is off",
    "check_classifier_data_not_an_array": "pandas is not installed",
}


@pytest.mark.parametrize(
    "estimator",
    [KDC(), NB(), NB(marginals="histogram"), NB(marginals="kernel"), NB(marginals="categorical"), MNB()],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.estimators.base.LimitWarning")
def test_scikit_learns_own_checks_pass(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"} == {}
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


@pytest.mark.parametrize("data", [datasets.load_iris, datasets.load_wine])
def test_gaussian_posteriors_agree(data):
    X, y = data().X, data().y
    ours, theirs = NaiveBayes().fit(X, y), peers.GaussianNB(var_smoothing=0).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-7, atol=1e-12)


def test_counts_agree():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (60, 7)), rng.integers(0, 3, 60)
    ours, theirs = MultinomialNaiveBayes(alpha=0.5).fit(X, y), peers.MultinomialNB(alpha=0.5).fit(X, y)
    np.testing.assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)
    binary = (X > 2).astype(int)
    ours, theirs = NaiveBayes(marginals="bernoulli").fit(binary, y), peers.BernoulliNB().fit(binary, y)
    np.testing.assert_allclose(ours.predict_proba(binary), theirs.predict_proba(binary), rtol=1e-9)
    ours, theirs = NaiveBayes(marginals="categorical").fit(X, y), peers.CategoricalNB().fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)


STATEMENTS = (
    "kernel-classifier-rule", "model", "rule", "estimates", "pros-cons",
    "erratum-y37", "erratum-y38", "erratum-y39",
)  # fmt: skip


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    ids = {claim.id for claim in claims.of("naive_bayes")}
    assert {f"naive_bayes.{name}" for name in STATEMENTS} - ids == set()
