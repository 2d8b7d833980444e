"""Kernel density classifier and naive Bayes: hand cases, slow formulas, 0/0, invariances, agreement."""

import math
import warnings
from fractions import Fraction as F

import numpy as np
import pytest
from sklearn import naive_bayes as peers
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import claims, datasets
from mlnotes import naive_bayes as board
from mlnotes.estimators.base import LimitWarning
from mlnotes.estimators.density import KERNELS
from mlnotes.estimators.naive_bayes import (
    KernelDensityClassifier,
    MultinomialNaiveBayes,
    NaiveBayes,
    naive_posterior,
    smoothed_shares,
)
from mlnotes.estimators.pca import PCA

KINDS = pytest.mark.parametrize("kind", ["gaussian", "histogram", "kernel", "categorical"])


def draw(rng, n=90, d=3, K=3):
    y = np.concatenate([np.arange(K), np.arange(K), rng.integers(0, K, n - 2 * K)])
    return rng.standard_normal((n, d)) + rng.normal(0, 2, (K, d))[y], y


# --- exact hand cases


def test_posterior_by_hand():
    factors = np.log([[[0.5, 0.25], [0.1, 0.4]]])  # one row, two features, two classes
    exact = F(1, 2) * F(1, 10) / (F(1, 2) * F(1, 10) + F(1, 4) * F(4, 10))
    assert naive_posterior(factors, [0.5, 0.5])[0, 0] == pytest.approx(float(exact), rel=1e-15)
    weighted = F(1, 2) * F(1, 10) * 3 / (F(1, 2) * F(1, 10) * 3 + F(1, 4) * F(4, 10))
    assert naive_posterior(factors, [0.75, 0.25])[0, 0] == pytest.approx(float(weighted), rel=1e-15)


def test_smoothing_by_hand():
    assert smoothed_shares([2, 0, 1], alpha=0).tolist() == [2 / 3, 0, 1 / 3]
    assert smoothed_shares([[2, 0], [0, 0]]).tolist() == [[0.75, 0.25], [0.5, 0.5]]


def test_bernoulli_by_hand():
    X, y = [[1, 0], [1, 1], [0, 1]], ["a", "a", "b"]
    model = NaiveBayes(marginals="bernoulli").fit(X, y)
    a, b = F(2, 3) * F(3, 4) * F(1, 2), F(1, 3) * F(1, 3) * F(1, 3)
    assert model.predict_proba([[1, 0]])[0].tolist() == pytest.approx(
        [float(a / (a + b)), float(b / (a + b))]
    )


def test_gaussian_by_hand():
    model = NaiveBayes().fit([[0.0], [2.0], [4.0], [8.0]], [0, 0, 1, 1])  # means 1, 6; variances 1, 4
    logs = model.log_marginals([[3.0]])[0, 0]
    assert logs.tolist() == pytest.approx(
        [-2 - 0.5 * math.log(2 * math.pi), -9 / 8 - 0.5 * math.log(8 * math.pi)]
    )


def test_one_row_a_class_is_the_nearest_neighbour():
    rng = np.random.default_rng(0)
    X, T = rng.normal(size=(7, 2)), rng.normal(size=(100, 2))
    model = KernelDensityClassifier(bandwidth=0.7).fit(X, np.arange(7))
    assert (model.predict(T) == ((T[:, None] - X) ** 2).sum(axis=2).argmin(axis=1)).all()


# --- the slow formula


@pytest.mark.parametrize("kind", ["full", "gaussian", "histogram", "kernel", "categorical", "biweight"])
def test_answers_are_those_of_the_board(kind):
    """As in tests/agreement, with blocks of the size that they have."""
    X, y = draw(np.random.default_rng(0), n=400)
    X = np.round(X) if kind == "categorical" else X
    if kind == "full":
        model, own = KernelDensityClassifier(), board.KernelDensityClassifier()
    elif kind == "biweight":
        K, options = KERNELS[kind], {"marginals": "kernel", "bandwidth": 1.5}
        model, own = NaiveBayes(**options, kernel=kind), board.NaiveBayes(**options, kernel=K)
    else:
        model, own = NaiveBayes(marginals=kind), board.NaiveBayes(marginals=kind)
    np.testing.assert_allclose(
        model.fit(X, y).predict_proba(X), own.fit(X, y).predict_proba(X), rtol=1e-9, atol=1e-14
    )
    assert (model.predict(X) == own.predict(X)).all()


def test_a_thousand_features_do_not_underflow():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(0, 1, (40, 1000)) + 0.5 * y[:, None]
    for kind in ("gaussian", "kernel", "histogram"):
        posterior = NaiveBayes(marginals=kind).fit(X, y).predict_proba(X)
        assert np.isfinite(posterior).all()
        assert (posterior.argmax(axis=1) == y).all()


# --- 0/0 and other limits


def test_where_every_density_is_zero_the_prior_answers():
    X, y = [[0.0], [1.0], [10.0]], ["a", "a", "b"]
    model = KernelDensityClassifier(bandwidth=1.0, kernel="uniform").fit(X, y)
    with pytest.warns(
        LimitWarning, match=r"1 of 2 rows have density 0 in every class \(0/0\): they get the p"
    ):
        posterior = model.predict_proba([[5.0], [10.0]])
    np.testing.assert_allclose(posterior, [[2 / 3, 1 / 3], [0, 1]])
    with pytest.warns(LimitWarning):
        assert model.predict([[5.0]]).tolist() == ["a"]
    with pytest.warns(LimitWarning):
        assert naive_posterior([[[-np.inf, -np.inf]]], [0.25, 0.75])[0].tolist() == pytest.approx(
            [0.25, 0.75]
        )


def test_far_points_have_a_posterior_under_a_gaussian_kernel():
    X, y = draw(np.random.default_rng(0), d=2, K=2)
    for model in (KernelDensityClassifier(bandwidth=0.5), NaiveBayes(marginals="kernel")):
        posterior = model.fit(X, y).predict_proba([[1e5, 0.0], [-1e100, 1e100]])
        np.testing.assert_allclose(posterior.sum(axis=1), 1)
        assert posterior[0].tolist() in ([0.0, 1.0], [1.0, 0.0])


def test_a_value_that_training_has_not_seen_leaves_its_factor_out():
    X, y = np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 2.0]]), [0, 0, 1]
    for kind in ("histogram", "categorical"):
        model = NaiveBayes(marginals=kind, n_bins=3).fit(X, y)
        assert model.log_marginals([[7.0, 1.0]])[0, 0].tolist() == [0.0, 0.0]
        assert np.isfinite(model.predict_proba([[7.0, 1.0]])).all()


@KINDS
def test_a_constant_feature_changes_nothing(kind):
    X, y = draw(np.random.default_rng(0))
    X = np.round(X) if kind == "categorical" else X
    more = np.column_stack([X, np.full(len(X), 0.1)])
    expected = NaiveBayes(marginals=kind).fit(X, y).predict_proba(X)
    kernel_sizes = kind == "kernel"  # the height of the estimate depends on n_k through the bandwidth
    found = NaiveBayes(marginals=kind, bandwidth=1.0).fit(more, y).predict_proba(more)
    if kernel_sizes:
        expected = NaiveBayes(marginals=kind, bandwidth=1.0).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("kind", ["gaussian", "histogram", "kernel"])
def test_one_row_a_class_and_one_class(kind):
    X, y = [[0.0, 1.0], [3.0, 2.0], [6.0, 5.0]], ["a", "b", "c"]
    model = NaiveBayes(marginals=kind).fit(X, y)
    assert model.predict(X).tolist() == y
    assert NaiveBayes(marginals=kind).fit(X, ["a"] * 3).predict_proba(X).tolist() == [[1.0]] * 3
    assert KernelDensityClassifier().fit(X, y).predict(X).tolist() == y


def test_ties_go_to_the_first_class():
    model = NaiveBayes().fit([[-3.0], [-1.0], [1.0], [3.0]], ["b", "b", "a", "a"])
    assert model.predict([[0.0]]).tolist() == ["a"]


# --- invariances


@KINDS
def test_weights_are_copies_and_order_does_not_matter(kind):
    rng = np.random.default_rng(5)
    X, y = draw(rng)
    X = np.round(X) if kind == "categorical" else X
    w = rng.integers(1, 4, len(X))
    weighted = NaiveBayes(marginals=kind).fit(X, y, sample_weight=w).predict_proba(X)
    copied = NaiveBayes(marginals=kind).fit(X.repeat(w, 0), y.repeat(w)).predict_proba(X)
    np.testing.assert_allclose(weighted, copied, rtol=1e-8, atol=1e-12)
    order = rng.permutation(len(X))
    shuffled = NaiveBayes(marginals=kind).fit(X[order], y[order], w[order]).predict_proba(X)
    np.testing.assert_allclose(shuffled, weighted, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("kind", ["gaussian", "histogram", "kernel"])
def test_units_change_no_answer(kind):
    X, y = draw(np.random.default_rng(0))
    units = np.array([1e-9, 1.0, 1e9])
    expected = NaiveBayes(marginals=kind).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(
        NaiveBayes(marginals=kind).fit(X * units, y).predict_proba(X * units), expected, rtol=1e-7, atol=1e-12
    )


def test_an_irrelevant_feature_cancels_only_with_the_true_factor():
    log_factors = np.log([[[0.3, 0.6], [0.2, 0.2]]])
    without = naive_posterior(log_factors[:, :1], [0.5, 0.5])
    np.testing.assert_allclose(naive_posterior(log_factors, [0.5, 0.5]), without, rtol=1e-14)


def test_the_answers_are_labels_of_any_type():
    X, y = draw(np.random.default_rng(0))
    names = np.array(["c", "a", "b"])
    model, renamed = NaiveBayes().fit(X, y), NaiveBayes().fit(X, names[y])
    assert (renamed.predict(X) == names[model.predict(X)]).all()


# --- real data


def test_mixed_marginals_on_heart_disease():
    heart = datasets.load_saheart()
    kinds = ["bernoulli" if name == "famhist" else "kernel" for name in heart.feature_names]
    train = np.arange(462) % 2 == 0
    model = NaiveBayes(marginals=kinds).fit(heart.X[train], heart.y[train])
    assert model.score(heart.X[~train], heart.y[~train]) > 1 - heart.y.mean()


def test_naive_beats_full_on_the_digits_in_many_dimensions_and_not_in_few():
    digits = datasets.load_digits()
    train = np.arange(len(digits.y)) % 2 == 0
    full, naive = KernelDensityClassifier(), NaiveBayes(marginals="kernel")
    model = make_pipeline(PCA(n_components=5), full)
    assert model.fit(digits.X[train], digits.y[train]).score(digits.X[~train], digits.y[~train]) > 0.85
    Z = PCA(n_components=20).fit(digits.X[train])
    scores = [
        m.fit(Z.transform(digits.X[train]), digits.y[train]).score(
            Z.transform(digits.X[~train]), digits.y[~train]
        )
        for m in (full, naive)
    ]
    assert min(scores) > 0.85


@pytest.mark.parametrize("value", [1e200, 1.7e308])
def test_a_row_too_far_for_a_square_gets_the_prior_and_a_warning(value):
    model = NaiveBayes().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 1, 1])
    near = [0.5, 0.5]
    with pytest.warns(LimitWarning, match="1 of 2 rows have density 0 in every class"):
        both = model.predict_proba([[value, -value], near])
    np.testing.assert_allclose(both[0], [1 / 3, 2 / 3], rtol=1e-15)
    np.testing.assert_allclose(both[1:], model.predict_proba([near]), rtol=1e-12)
    assert np.isneginf(model.log_marginals([[value, -value]])).all()


# --- every sentence

X3, Y3 = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 1, 1]
KDC, NB, MNB = KernelDensityClassifier, NaiveBayes, MultinomialNaiveBayes


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: naive_posterior([[0.0, 1.0]], [0.5, 0.5]),
            r"log_factors must have shape \(n, d, K\).* got shape \(1",
        ),
        (lambda: naive_posterior([[[0.0, math.nan]]], [0.5, 0.5]), "no NaN and no \\+inf"),
        (lambda: naive_posterior([[[0.0, math.inf]]], [0.5, 0.5]), "no NaN and no \\+inf"),
        (
            lambda: naive_posterior([[[0.0, 0.0]]], [1.0]),
            "prior must be 2 positive probabilities, one a class",
        ),
        (lambda: naive_posterior([["a"]], [1.0]), "log_factors must be an array of numbers, all rows of one"),
        (lambda: naive_posterior([[1.0], [1.0, 2.0]], [1.0]), "log_factors must be an array of numbers"),
        (lambda: naive_posterior(None, [1.0]), r"log_factors must have shape \(n, d, K\)"),
        (lambda: smoothed_shares(["a"]), "counts must be an array of numbers"),
        (lambda: smoothed_shares([1j]), "counts must be an array of numbers"),
        (lambda: NB(marginals=3).fit(X3, Y3), "marginals must be one of 'gaussian', .* got 3"),
        (lambda: smoothed_shares([-1, 2]), "counts must be finite numbers >= 0, at least one"),
        (lambda: smoothed_shares([0, 0], alpha=0), "counts are all zero and alpha is 0"),
        (lambda: smoothed_shares([1], alpha=-1), "alpha must be a finite number >= 0, got -1"),
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
def test_gaussian_parameters_agree(data):
    X, y = data().X, data().y
    ours, theirs = NaiveBayes().fit(X, y), peers.GaussianNB(var_smoothing=0).fit(X, y)
    factors = ours._gaussian[1]
    np.testing.assert_allclose(factors.means, theirs.theta_, rtol=1e-12)
    np.testing.assert_allclose(factors.variances, theirs.var_, rtol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-7, atol=1e-12)


def test_counts_agree():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (60, 7)), rng.integers(0, 3, 60)
    ours, theirs = MultinomialNaiveBayes(alpha=0.5).fit(X, y), peers.MultinomialNB(alpha=0.5).fit(X, y)
    np.testing.assert_allclose(np.log(ours.shares_), theirs.feature_log_prob_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)
    binary = (X > 2).astype(int)
    ours, theirs = NaiveBayes(marginals="bernoulli").fit(binary, y), peers.BernoulliNB().fit(binary, y)
    np.testing.assert_allclose(ours.predict_proba(binary), theirs.predict_proba(binary), rtol=1e-9)
    ours, theirs = NaiveBayes(marginals="categorical").fit(X, y), peers.CategoricalNB().fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)


def test_impossible_counts_without_smoothing():
    model = MultinomialNaiveBayes(alpha=0).fit([[3, 0], [0, 2]], ["a", "b"])
    assert model.predict_proba([[1, 0], [0, 5]]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LimitWarning)
        assert model.predict_proba([[1, 1]]).tolist() == [[0.5, 0.5]]


STATEMENTS = (
    "kernel-classifier-rule", "model", "rule", "estimates", "pros-cons",
    "erratum-y37", "erratum-y38", "erratum-y39",
)  # fmt: skip


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    ids = {claim.id for claim in claims.of("naive_bayes")}
    assert {f"naive_bayes.{name}" for name in STATEMENTS} - ids == set()
