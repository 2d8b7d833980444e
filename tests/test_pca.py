"""Principal component analysis: hand cases, slow formulas, the two optimality theorems, limits, agreement."""

import math

import numpy as np
import pytest
from sklearn.decomposition import PCA as PeerPCA
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import claims, datasets, pca
from mlnotes.base import LimitWarning
from mlnotes.discriminant import LinearDiscriminantAnalysis
from mlnotes.pca import (
    PCA,
    captured_variance,
    components_for,
    eigenpairs,
    mean_and_covariance,
    reconstruction_error,
)

SOLVERS = pytest.mark.parametrize("solver", ["eigh", "gram", "svd"])
SHAPES = pytest.mark.parametrize("shape", [(40, 5), (5, 40), (12, 12), (2, 3), (7, 1)])


def draw(rng, n, d):
    return rng.standard_normal((n, d)) * np.linspace(3, 1, d) + rng.normal(0, 5, d)


# --- exact hand cases


def test_hand_covariance():
    mean, S = mean_and_covariance([[0, 0], [2, 0], [1, 3]])
    assert mean.tolist() == [1, 1]
    assert S.tolist() == [[1, 0], [0, 3]]


def test_hand_eigenpairs_are_sorted_and_signed():
    values, vectors = eigenpairs([[2, -1], [-1, 2]])
    np.testing.assert_allclose(values, [3, 1], rtol=1e-15)
    assert (vectors[abs(vectors).argmax(axis=0), [0, 1]] > 0).all()
    np.testing.assert_allclose(abs(vectors), math.sqrt(0.5), rtol=1e-15)
    assert vectors[0, 0] * vectors[1, 0] < 0 < vectors[0, 1] * vectors[1, 1]


@SOLVERS
def test_hand_line(solver):
    model = PCA(1, solver=solver).fit([[0, 0], [3, 4], [6, 8]])  # squared steps of length 5
    np.testing.assert_allclose(model.components_, [[0.6, 0.8]], rtol=1e-14)
    np.testing.assert_allclose(model.explained_variance_, [25.0], rtol=1e-14)
    np.testing.assert_allclose(model.singular_values_, [math.sqrt(50)], rtol=1e-14)
    np.testing.assert_allclose(model.transform([[9, 12]]), [[10.0]], rtol=1e-14)
    np.testing.assert_allclose(model.inverse_transform([[10.0]]), [[9, 12]], rtol=1e-14)
    assert model.explained_variance_ratio_ == pytest.approx([1.0])


def test_hand_fractions():
    assert [components_for([6, 3, 1], f) for f in (0.5, 0.6, 0.61, 0.9, 0.91, 0.999)] == [1, 1, 2, 2, 3, 3]
    assert components_for([0.1] * 10, 0.3) == 3  # although 0.1 + 0.1 + 0.1 > 0.3 in floating point
    assert components_for([0.0, 0.0], 0.5) == 1


# --- slow formulas


@SHAPES
@SOLVERS
def test_against_the_definition(solver, shape):
    X = draw(np.random.default_rng(0), *shape)
    n, d = shape
    m = min(n, d)
    mean = sum(X) / n
    S = sum(np.outer(x - mean, x - mean) for x in X) / (n - 1)
    values = np.sort(np.linalg.eigvalsh(S))[::-1][:m]
    model = PCA(solver=solver).fit(X)
    V = model.components_
    np.testing.assert_allclose(model.mean_, mean, rtol=1e-13)
    np.testing.assert_allclose(model.explained_variance_, values, atol=1e-12 * values[0])
    np.testing.assert_allclose(V @ V.T, np.eye(m), atol=1e-13)
    np.testing.assert_allclose(S @ V.T, V.T * model.explained_variance_, atol=1e-12 * values[0])
    np.testing.assert_allclose(model.explained_variance_ratio_, values / np.trace(S), atol=1e-12)
    np.testing.assert_allclose(model.transform(X), [[v @ (x - mean) for v in V] for x in X], atol=1e-11)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-11)


@pytest.mark.parametrize("offset", [0.0, 5.0, 1e6])
def test_the_covariance_keeps_its_digits(offset):
    X = np.random.default_rng(1).integers(-9, 9, (30, 4)) / 8 + offset  # exact in binary
    centred = (X - offset) - (X - offset).mean(axis=0)
    np.testing.assert_allclose(mean_and_covariance(X)[1], centred.T @ centred / 29, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_moments_of_several_blocks_of_rows(offset):
    X = np.random.default_rng(0).integers(-9, 10, (150_000, 2)) + offset  # blocks of 32,768 rows
    mean, S = mean_and_covariance(X)
    np.testing.assert_allclose(mean, X.mean(axis=0), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(S, np.cov(X.T), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("d", [3, 16, 99, 100])
def test_coordinates_by_rows_and_by_columns(d):
    X = np.random.default_rng(d).standard_normal((130, d)) + 5
    model = PCA(n_components=3).fit(X)
    expected = [[v @ (x - model.mean_) for v in model.components_] for x in X[:9]]
    np.testing.assert_allclose(model.transform(X[:9]), expected, atol=1e-12)


# --- the first few of many directions

SPECTRA = {
    "decaying": np.arange(1.0, 481.0) ** -1.0,
    "falling slowly": np.linspace(3, 1, 480) ** 2,
    "eight equal": np.r_[np.full(8, 5.0), np.linspace(2, 1, 472)],
    "ten in all": np.r_[np.linspace(9, 5, 10), np.zeros(470)],
}


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("name", SPECTRA)
def test_lanczos_finds_the_first_directions(name, transpose):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 480)) * SPECTRA[name]
    if name == "eight equal":
        basis = np.linalg.qr(rng.standard_normal((480, 480)))[0]
        X = np.vstack([basis, -basis]) @ (np.sqrt(SPECTRA[name])[:, None] * basis)
    X = X.T if transpose else X
    few, whole = PCA(7).fit(X), PCA(7, solver="gram" if transpose else "eigh").fit(X)
    scale = whole.explained_variance_[0]
    np.testing.assert_allclose(few.explained_variance_, whole.explained_variance_, rtol=1e-12)
    for key in ("eckart_young", "lost_variance", "gap"):
        assert few.certificate_[key] == pytest.approx(whole.certificate_[key], abs=1e-10 * scale)
    assert few.certificate_["orthogonality"] < 1e-13
    if name == "eight equal":
        return  # any seven directions of these eight are right
    np.testing.assert_allclose(abs(few.components_ @ whole.components_.T), np.eye(7), atol=1e-9)


@pytest.mark.parametrize("scale", [1e-140, 1e150])
def test_lanczos_in_other_units(scale):
    X = np.random.default_rng(0).standard_normal((450, 420)) * SPECTRA["decaying"][:420]
    here, there = PCA(5).fit(X), PCA(5).fit(scale * X)
    np.testing.assert_allclose(there.components_, here.components_, atol=1e-12)
    np.testing.assert_allclose(there.singular_values_, scale * here.singular_values_, rtol=1e-12)


def test_the_proof_sees_a_missing_direction():
    S = np.cov(np.random.default_rng(1).standard_normal((60, 30)).T)
    values, V = eigenpairs(S)
    proved = pca._are_the_largest
    assert proved(S, values[:5], V[:, :5])
    assert not proved(S, values[1:5], V[:, 1:5])
    assert not proved(S, values[[0, 0, 1]], V[:, [0, 0, 1]])
    assert not proved(S, values[:5] * 1.001, V[:, :5])
    assert not proved(np.zeros((3, 3)), np.zeros(1), np.eye(3)[:, :1])


def test_lanczos_gives_way_where_it_does_not_pay():
    S = np.diag(np.arange(1.0, 481.0) ** -1.0)
    values, V = pca._leading(S, 3)
    np.testing.assert_allclose(values, [1, 1 / 2, 1 / 3], rtol=1e-13)
    np.testing.assert_allclose(abs(V), np.eye(480, 3), atol=1e-10)
    assert pca._leading(S[:30, :30], 3) is None  # too small
    assert pca._leading(np.eye(480), 3) is None  # the space is exhausted at once
    assert pca._leading(np.zeros((480, 480)), 3) is None
    low = np.diag(np.r_[4.0, 3.0, 2.0, np.zeros(477)])
    np.testing.assert_allclose(pca._leading(low, 3)[0], [4, 3, 2], rtol=1e-13)  # exhausted, and all is found
    assert pca._leading(low, 5) is None  # of the null space, too, one direction is seen
    X = np.random.default_rng(0).standard_normal((30, 20))
    model = PCA(2, solver="lanczos").fit(X)
    np.testing.assert_allclose(model.components_, PCA(2).fit(X).components_, atol=1e-13)


# --- the two theorems


@pytest.mark.parametrize("seed", range(10))
def test_no_projection_retains_more(seed):
    rng = np.random.default_rng(seed)
    X, k = draw(rng, 20, 6), 1 + seed % 5
    model, (_, S) = PCA(k).fit(X), mean_and_covariance(X)
    best = captured_variance(S, model.components_.T)
    assert best == pytest.approx(model.explained_variance_.sum(), rel=1e-12)
    for _ in range(20):
        W = np.linalg.qr(rng.standard_normal((6, k)))[0]
        assert captured_variance(S, W) <= best * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(10))
@SOLVERS
def test_reconstruction_error_is_eckart_and_youngs(solver, seed):
    rng = np.random.default_rng(seed)
    X, k = draw(rng, 15, 6), 1 + seed % 5
    model = PCA(k, solver=solver).fit(X)
    lost = reconstruction_error(X, model.inverse_transform(model.transform(X)))
    least = (np.linalg.svd(X - X.mean(axis=0))[1][k:] ** 2).sum()
    assert lost == pytest.approx(least, rel=1e-10)
    assert model.certificate_["lost_variance"] * 14 == pytest.approx(least, rel=1e-8)
    assert model.certificate_["eckart_young"] * 14 == pytest.approx(least, rel=1e-8)
    assert model.certificate_["orthogonality"] < 1e-13
    other = (rng.standard_normal((15, k)) @ rng.standard_normal((k, 6))) + X.mean(axis=0)
    assert reconstruction_error(X, other) >= lost


def test_the_gap_says_whether_the_subspace_is_unique():
    cross = np.vstack([np.eye(3), -np.eye(3)]) * [2.0, 1.0, 1.0]
    assert PCA(1).fit(cross).certificate_["gap"] == pytest.approx(6 / 5)
    assert PCA(2).fit(cross).certificate_["gap"] == pytest.approx(0.0, abs=1e-15)


# --- invariances


@SHAPES
def test_the_routes_agree(shape):
    X = draw(np.random.default_rng(3), *shape)
    k = max(1, min(shape) - 1)
    models = [PCA(k, solver=solver).fit(X) for solver in ("auto", "eigh", "gram", "svd")]
    for model in models[1:]:
        np.testing.assert_allclose(model.components_, models[0].components_, atol=1e-10)
        np.testing.assert_allclose(model.transform(X), models[0].transform(X), atol=1e-10)


def test_shift_rotation_scale_order_and_repetition():
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


def test_rows_to_transform_do_not_know_of_each_other():
    rng = np.random.default_rng(5)
    model, new = PCA(2).fit(draw(rng, 30, 4)), rng.normal(50, 1, (20, 4))
    single = np.vstack([model.transform(row[None]) for row in new])
    np.testing.assert_allclose(single, model.transform(new), rtol=1e-12, atol=1e-12)
    assert abs(model.transform(new).mean(axis=0)).max() > 10  # the training mean, not their own


def test_whitening():
    X = draw(np.random.default_rng(6), 50, 4)
    model = PCA(3, whiten=True).fit(X)
    np.testing.assert_allclose(np.cov(model.transform(X).T), np.eye(3), atol=1e-12)
    plain = PCA(3).fit(X)
    np.testing.assert_allclose(
        model.inverse_transform(model.transform(X)), plain.inverse_transform(plain.transform(X)), atol=1e-11
    )


def test_a_fraction_is_reached_and_not_overshot():
    X = datasets.load_digits().X
    full = PCA().fit(X)
    for fraction in (0.1, 0.5, 0.9, 0.99):
        model = PCA(fraction).fit(X)
        share = np.cumsum(full.explained_variance_ratio_)
        assert share[model.n_components_ - 1] >= fraction
        assert model.n_components_ == 1 or share[model.n_components_ - 2] < fraction
        np.testing.assert_allclose(model.components_, full.components_[: model.n_components_], atol=1e-10)


def test_feature_names_and_count():
    model = PCA(2).fit(draw(np.random.default_rng(7), 9, 4))
    assert model.get_feature_names_out().tolist() == ["pca0", "pca1"]
    assert (model.n_components_, model.n_samples_, model.n_features_in_) == (2, 9, 4)


# --- degenerate but legal


@pytest.mark.parametrize("n_components", [None, 1, 0.5])
@SOLVERS
def test_nothing_varies(solver, n_components):
    X = np.full((5, 3), 0.5)
    with pytest.warns(LimitWarning, match="directions have no variance: any others"):
        model = PCA(n_components, solver=solver).fit(X)
    V = model.components_
    np.testing.assert_allclose(V @ V.T, np.eye(len(V)), atol=1e-14)
    assert not model.explained_variance_ratio_.any()
    assert not model.transform(X).any()


@SOLVERS
def test_whitening_a_flat_direction_warns_and_gives_zeros(solver):
    X = np.column_stack([np.arange(6.0), np.arange(6.0) ** 2, np.full(6, 3.0)])
    with pytest.warns(LimitWarning, match="1 of the 3 directions have no variance"):
        model = PCA(whiten=True, solver=solver).fit(X)
    assert not model.transform(X)[:, 2].any()
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-12)


@SOLVERS
def test_repeated_rows_and_features(solver):
    X = np.repeat(draw(np.random.default_rng(8), 4, 3), 3, axis=0)[:, [0, 0, 1, 2, 2]]
    model = PCA(solver=solver).fit(X)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(5), atol=1e-13)
    np.testing.assert_allclose(model.explained_variance_[3:], 0, atol=1e-13)


def test_the_svd_sees_variances_that_squares_lose():
    rng = np.random.default_rng(9)
    U, V = (np.linalg.qr(rng.standard_normal(shape))[0] for shape in ((20, 3), (3, 3)))
    U -= U.mean(axis=0)
    X = np.linalg.qr(U)[0] * [1.0, 1e-5, 1e-10] @ V
    expected = np.array([1.0, 1e-10, 1e-20]) / 19
    np.testing.assert_allclose(PCA(solver="svd").fit(X).explained_variance_, expected, rtol=1e-4)


def test_two_rows_and_one_feature():
    assert PCA().fit([[0.0], [2.0]]).explained_variance_.tolist() == [2.0]
    np.testing.assert_allclose(PCA(1).fit([[0.0, 0], [2.0, 0]]).components_, [[1.0, 0.0]])


def test_pca_can_delete_what_tells_the_classes_apart():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = np.column_stack([rng.normal(0, 10, 200), (2 * y - 1) + rng.uniform(-0.5, 0.5, 200)])
    lda = LinearDiscriminantAnalysis
    assert make_pipeline(PCA(2), lda()).fit(X, y).score(X, y) == 1.0
    assert make_pipeline(PCA(1), lda()).fit(X, y).score(X, y) < 0.65


# --- every sentence

I2 = np.eye(2)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: mean_and_covariance([[1.0, 2.0]]), r"X has 1 sample\(s\).* minimum of 2 is required"),
        (lambda: mean_and_covariance([1.0, 2.0]), "X must be a 2-D array"),
        (lambda: eigenpairs([[1.0, 2.0]]), r"S must be a symmetric matrix; shape \(1, 2\) came, not square"),
        (lambda: eigenpairs([[1, 2], [0, 1]]), r"S must be a symmetric matrix; shape .* not symmetric"),
        (lambda: captured_variance(I2, [[1.0]]), r"W must have 2 rows, as S has, got shape \(1, 1\)"),
        (lambda: captured_variance(I2, 2 * I2), "W must have orthonormal columns; .* differs .* by 3"),
        (
            lambda: reconstruction_error(I2, [[1.0]]),
            r"approximation must have shape \(2, 2\).* got shape \(1, 1\)",
        ),
        (lambda: components_for([1.0, -1.0], 0.5), "explained_variance must have entries >= 0"),
        (lambda: components_for([1.0], 1.0), "fraction must be a finite number > 0 and < 1, got 1.0"),
        (lambda: mean_and_covariance([[1e200], [0.0]]), "the sum of squares exceeds the largest float64"),
        (lambda: PCA().fit([[1e308], [-1e308]]), "the sum of squares exceeds the largest float64; divide"),
        (lambda: PCA(solver="gram").fit([[1e200], [0.0]]), "the sum of squares exceeds the largest float64"),
        (lambda: PCA(solver="svd").fit([[1e200], [0.0]]), "the sum of squares exceeds the largest float64"),
        (lambda: captured_variance(np.diag([1e308] * 2), np.eye(2)), "the variance exceeds the largest"),
        (lambda: reconstruction_error([[1e200]], [[0.0]]), "the sum of squares exceeds the largest float64"),
        (lambda: PCA(3).fit(I2), r"integer from 1 to min\(n, d\) = 2, a fraction .* got 3"),
        (lambda: PCA(0).fit(I2), "n_components must be an integer .* got 0"),
        (lambda: PCA(1.0).fit(I2), "fraction strictly between 0 and 1, or None, got 1.0"),
        (lambda: PCA(math.nan).fit(I2), "fraction strictly between 0 and 1, or None, got nan"),
        (lambda: PCA(True).fit(I2), "n_components must be .* got True"),
        (lambda: PCA("mle").fit(I2), "n_components must be .* got 'mle'"),
        (
            lambda: PCA(solver="full").fit(I2),
            "solver must be one of 'auto', 'eigh', 'gram', 'svd', 'lanczos', got 'full'",
        ),
        (lambda: PCA(0.5, solver="lanczos").fit(I2), "solver 'lanczos' needs a whole number .* got 0.5"),
        (lambda: PCA(whiten="yes").fit(I2), "whiten must be one of False, True, got 'yes'"),
        (lambda: PCA().fit([[1.0, 2.0]]), r"X has 1 sample\(s\).* minimum of 2 is required"),
        (lambda: PCA().fit([[1.0, math.nan]] * 2), "X contains NaN at index"),
        (lambda: PCA().fit([["a"], ["b"]]), "X has dtype .* numbers are needed"),
        (lambda: PCA().fit(np.zeros((2, 0))), "minimum of 1 is required"),
        (
            lambda: PCA().fit([[0.0], [1.0]]).transform(I2),
            "X has 2 features, but PCA is expecting 1 features",
        ),
        (lambda: PCA().fit([[0.0], [1.0]]).inverse_transform(I2), r"Z must have 1 columns, one a component"),
        (lambda: PCA().fit([[0.0], [1.0]]).inverse_transform([[math.inf]]), "Z contains infinity"),
    ],
)
def test_every_error_is_one_clear_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize("method", ["transform", "inverse_transform"])
def test_not_fitted(method):
    with pytest.raises(NotFittedError, match="PCA instance is not fitted yet"):
        getattr(PCA(), method)([[0.0]])


# --- the claims


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    names = ("purpose", "mean-cov", "eig", "project", "max-variance", "optimal-k")
    errata = ("erratum-t12", "erratum-t13", "erratum-t14")
    assert {f"pca.{name}" for name in names + errata} <= {claim.id for claim in claims.of("pca")}


# --- scikit-learn

SKIPS = {"check_array_api_input": "SciPy's array-API mode is off"}


@pytest.mark.parametrize("estimator", [PCA(), PCA(0.5), PCA(2, whiten=True), PCA(solver="gram")], ids=str)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.base.LimitWarning")
def test_scikit_learns_own_checks_pass(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] not in ("passed", "skipped")}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 30


@pytest.mark.parametrize("data", [datasets.load_iris, datasets.load_wine, datasets.load_digits])
@pytest.mark.parametrize("whiten", [False, True])
@SOLVERS
def test_parameters_agree(solver, whiten, data):
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
