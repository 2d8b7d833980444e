"""Principal components: small cases by hand, limits, messages, scikit-learn."""

import math

import numpy as np
import pytest
from sklearn.decomposition import PCA as PeerPCA
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import PCA, datasets
from mlnotes import pca as reference
from mlnotes.estimators.base import LimitWarning

SOLVERS = pytest.mark.parametrize("solver", ["eigh", "gram", "svd"])


def draw(rng, n, d):
    return rng.standard_normal((n, d)) * np.linspace(3, 1, d) + rng.normal(0, 5, d)


# --- exact hand cases


@SOLVERS
def test_line_by_hand(solver):
    model = PCA(1, solver=solver).fit([[0, 0], [3, 4], [6, 8]])  # squared steps of length 5
    np.testing.assert_allclose(model.components_, [[0.6, 0.8]], rtol=1e-14)
    np.testing.assert_allclose(model.explained_variance_, [25.0], rtol=1e-14)
    np.testing.assert_allclose(model.singular_values_, [math.sqrt(50)], rtol=1e-14)
    np.testing.assert_allclose(model.transform([[9, 12]]), [[10.0]], rtol=1e-14)
    np.testing.assert_allclose(model.inverse_transform([[10.0]]), [[9, 12]], rtol=1e-14)
    assert model.explained_variance_ratio_ == pytest.approx([1.0])


def test_fractions_by_hand():
    fractions = (0.5, 0.6, 0.61, 0.9, 0.91, 0.999)
    assert [reference.components_for([6, 3, 1], q) for q in fractions] == [1, 1, 2, 2, 3, 3]
    assert reference.components_for([0.1] * 10, 0.3) == 3  # although 0.1 + 0.1 + 0.1 > 0.3 in floating point


# --- invariances


def test_squares_near_the_largest_number_give_no_warning():
    model = PCA().fit(np.multiply([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]], 1e153))
    np.testing.assert_allclose(model.components_[0], [0.6, 0.8], rtol=1e-14)


def test_variances_do_not_change_under_shifts_and_rotations():
    rng = np.random.default_rng(4)
    X = draw(rng, 30, 4)
    model, Q = PCA(3).fit(X), np.linalg.qr(rng.standard_normal((4, 4)))[0]
    for Y in (X + 7, X @ Q, X[rng.permutation(30)]):
        np.testing.assert_allclose(PCA(3).fit(Y).explained_variance_, model.explained_variance_, rtol=1e-10)
    np.testing.assert_allclose(PCA(3).fit(X + 7).components_, model.components_, atol=1e-10)
    np.testing.assert_allclose(abs(PCA(3).fit(X @ Q).transform(X @ Q)), abs(model.transform(X)), atol=1e-9)
    np.testing.assert_allclose(
        PCA(3).fit(3 * X).explained_variance_, 9 * model.explained_variance_, rtol=1e-12
    )
    before = model.transform(X)
    assert (model.fit(X).transform(X) == before).all()
    assert (model.fit_transform(X) == before).all()


def test_feature_names_and_count():
    model = PCA(2).fit(draw(np.random.default_rng(7), 9, 4))
    assert model.get_feature_names_out().tolist() == ["pca0", "pca1"]
    assert (model.n_components_, model.n_samples_, model.n_features_in_) == (2, 9, 4)


# --- degenerate but legal


@pytest.mark.parametrize("n_components", [None, 1, 0.5])
@SOLVERS
def test_warns_when_nothing_varies(solver, n_components):
    X = np.full((5, 3), 0.5)
    with pytest.warns(LimitWarning, match="directions have no variance: any other"):
        model = PCA(n_components, solver=solver).fit(X)
    V = model.components_
    np.testing.assert_allclose(V @ V.T, np.eye(len(V)), atol=1e-14)
    assert not model.explained_variance_ratio_.any()
    assert not model.transform(X).any()


@SOLVERS
def test_whitening_warns_of_a_direction_without_variance(solver):
    X = np.column_stack([np.arange(6.0), np.arange(6.0) ** 2, np.full(6, 3.0)])
    with pytest.warns(LimitWarning, match="1 of the 3 directions have no variance"):
        model = PCA(whiten=True, solver=solver).fit(X)
    assert not model.transform(X)[:, 2].any()
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-12)


def test_svd_keeps_variances_that_squares_lose():
    rng = np.random.default_rng(9)
    U, V = (np.linalg.qr(rng.standard_normal(shape))[0] for shape in ((20, 3), (3, 3)))
    U -= U.mean(axis=0)
    X = np.linalg.qr(U)[0] * [1.0, 1e-5, 1e-10] @ V
    expected = np.array([1.0, 1e-10, 1e-20]) / 19
    np.testing.assert_allclose(PCA(solver="svd").fit(X).explained_variance_, expected, rtol=1e-4)


# --- every sentence

I2 = np.eye(2)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: PCA().fit([[1e308], [-1e308]]), "the sum of squares exceeds the largest float64; divide"),
        (lambda: PCA(solver="gram").fit([[1e200], [0.0]]), "the sum of squares exceeds the largest float64"),
        (lambda: PCA(solver="svd").fit([[1e200], [0.0]]), "the sum of squares exceeds the largest float64"),
        (lambda: PCA(3).fit(I2), r"integer from 1 to min\(n, d\) = 2, a fraction .* got 3"),
        (lambda: PCA(0).fit(I2), "n_components must be an integer .* got 0"),
        (lambda: PCA(1.0).fit(I2), "fraction strictly between 0 and 1, or None, got 1.0"),
        (lambda: PCA(math.nan).fit(I2), "fraction strictly between 0 and 1, or None, got nan"),
        (lambda: PCA(True).fit(I2), "n_components must be .* got True"),
        (lambda: PCA("mle").fit(I2), "n_components must be .* got 'mle'"),
        (
            lambda: PCA(solver="full").fit(I2),
            "solver must be one of 'auto', 'eigh', 'gram', 'svd', got 'full'",
        ),
        (lambda: PCA(whiten="yes").fit(I2), "whiten must be one of False, True, got 'yes'"),
        (lambda: PCA().fit([[1.0, 2.0]]), r"X has 1 sample\(s\).* minimum of 2 is required"),
        (lambda: PCA().fit([[1.0, math.nan]] * 2), "X contains NaN at index"),
        (lambda: PCA().fit([["a"], ["b"]]), "X has dtype .* numbers are needed"),
        (lambda: PCA().fit(np.zeros((2, 0))), "minimum of 1 is required"),
        (
            lambda: PCA().fit([[0.0], [1.0]]).transform(I2),
            "X has 2 features, but PCA is expecting 1 features",
        ),
        (lambda: PCA().fit([[0.0], [1.0]]).inverse_transform(I2), "Z must have 1 columns"),
        (lambda: PCA().fit([[0.0], [1.0]]).inverse_transform([[math.inf]]), "Z contains infinity"),
    ],
)
def test_refuses_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize("method", ["transform", "inverse_transform"])
def test_refuses_to_transform_before_fit(method):
    with pytest.raises(NotFittedError, match="PCA instance is not fitted yet"):
        getattr(PCA(), method)([[0.0]])


# --- scikit-learn

SKIPS = {"check_array_api_input": "SciPy's array-API mode is off"}


@pytest.mark.parametrize("estimator", [PCA(), PCA(0.5), PCA(2, whiten=True), PCA(solver="gram")], ids=str)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.estimators.base.LimitWarning")
def test_passes_scikit_learns_checks(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] not in ("passed", "skipped")}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 30


@pytest.mark.parametrize("data", [datasets.load_iris, datasets.load_wine, datasets.load_digits])
@pytest.mark.parametrize("whiten", [False, True])
@SOLVERS
def test_agrees_with_scikit_learn(solver, whiten, data):
    X = data().X[:300]
    ours = PCA(4, whiten=whiten, solver=solver).fit(X)
    theirs = PeerPCA(4, whiten=whiten, svd_solver="full").fit(X)
    np.testing.assert_allclose(ours.mean_, theirs.mean_, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(ours.explained_variance_, theirs.explained_variance_, rtol=1e-9)
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-9)
    np.testing.assert_allclose(ours.singular_values_, theirs.singular_values_, rtol=1e-9)
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-9)
    shown = theirs.transform(X)
    np.testing.assert_allclose(ours.transform(X), shown, atol=1e-9 * abs(shown).max())
    np.testing.assert_allclose(ours.inverse_transform(shown), theirs.inverse_transform(shown), atol=1e-9)
