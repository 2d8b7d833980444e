"""PCA by every route against the board, on small rows with ties, duplicates, constants and far means.

The board centres and calls `eigh`; its covariance S is the yardstick. A route may err in S by the rounding of
its sums (`slack`), and by no more in eigenvalues (Weyl) and in S V - V Lambda. The directions themselves are
not compared: within `slack` of a tie others are as good, and S V - V Lambda says all there is to say.
"""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import PCA
from mlnotes import pca as board
from mlnotes.engines import pca_lanczos, pca_routes
from mlnotes.estimators import pca as estimators
from mlnotes.estimators.base import LimitWarning

SOLVERS = ("auto", "eigh", "gram", "svd", "lanczos")
U = 2.0**-53


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    """Blocks of a few rows, both orders of multiplication, Lanczos from three rows on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pca_routes, "BLOCK", 3)
        patch.setattr(pca_routes, "BY_ROWS", range(3, 5))
        patch.setattr(pca_lanczos, "FIRST_LOOK", 3)
        patch.setattr(estimators, "FEW_FROM", 3)
        patch.setattr(estimators, "FEW_SHARE", 3)
        yield


@st.composite
def rows(draw):
    """Rows of eighths; some repeated, some features constant, small in unit, or far from zero."""
    n, d = draw(st.integers(2, 9)), draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.integers(-3, 4, (n, d)) / 8.0
    X = X[rng.integers(0, n, n)] if draw(st.booleans()) else X
    units = draw(st.sampled_from([[1.0], [1.0, 0.0], [1.0, 0.125, 2.0**-6], [1.0, 2.0**-5, 2.0**-10]]))
    return X * np.resize(units, d) + np.resize(draw(st.sampled_from([[0.0], [2.0], [0.0, 1e6]])), d)


def wanted(m):
    shares = st.sampled_from([0.25, 0.5, 0.9, 0.999])
    return st.one_of(st.none(), st.integers(1, m), shares)


def fitted(*arguments, X, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of flat directions
        return PCA(*arguments, **parameters).fit(X)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.data(), rows(), st.sampled_from(SOLVERS), st.booleans())
def test_every_route_agrees_with_the_board(data, X, solver, whiten):
    k = data.draw(st.integers(1, min(X.shape)) if solver == "lanczos" else wanted(min(X.shape)))
    check(fitted(k, X=X, solver=solver, whiten=whiten), X)


@st.composite
def decaying_rows(draw):
    """Rows whose variances fall by powers of 4, or of low rank, some of them in two equal halves."""
    n, d, rank = (draw(st.integers(*ends)) for ends in ((16, 24), (16, 24), (3, 6)))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    A, B = rng.integers(-2, 3, (n, rank)), rng.integers(-2, 3, (rank, d))
    X = draw(st.sampled_from([A @ B / 8.0, rng.integers(-3, 4, (n, d)) * 0.5 ** np.arange(d)]))
    return np.block([[X, 0 * X], [0 * X, X]]) if draw(st.booleans()) else X


@settings(derandomize=True, deadline=None, max_examples=60)
@given(decaying_rows(), st.integers(1, 3), st.sampled_from(["auto", "lanczos"]))
def test_the_first_few_agree_with_the_board(X, k, solver):
    _, S = board.mean_and_covariance(X)
    found = pca_lanczos.leading(S, k + 1)
    if found is not None:
        values = board.eigenpairs(S)[0]
        slack = pca_lanczos.PROVED * values[0]
        np.testing.assert_allclose(found[0], values[: k + 1], rtol=0, atol=slack)
        assert abs(S @ found[1] - found[1] * values[: k + 1]).max() <= slack
    check(fitted(k, X=X, solver=solver), X)


def test_the_proof_sees_a_missing_direction():
    S = np.cov(np.random.default_rng(1).standard_normal((60, 30)).T)
    values, V = board.eigenpairs(S)
    proved = pca_lanczos.are_the_largest
    assert proved(S, values[:5], V[:, :5])
    assert not proved(S, values[1:5], V[:, 1:5])
    assert not proved(S, values[[0, 0, 1]], V[:, [0, 0, 1]])
    assert not proved(S, values[:5] * 1.001, V[:, :5])
    assert not proved(np.zeros((3, 3)), np.zeros(1), np.eye(3)[:, :1])


def test_lanczos_gives_way_where_it_does_not_pay():
    S = np.diag(np.arange(1.0, 481.0) ** -1.0)
    values, V = pca_lanczos.leading(S, 3)
    np.testing.assert_allclose(values, [1, 1 / 2, 1 / 3], rtol=1e-13)
    np.testing.assert_allclose(abs(V), np.eye(480, 3), atol=1e-10)
    assert pca_lanczos.leading(S[:30, :30], 3) is None  # too small
    assert pca_lanczos.leading(np.eye(480), 3) is None  # the space is exhausted at once
    assert pca_lanczos.leading(np.zeros((480, 480)), 3) is None
    low = np.diag(np.r_[4.0, 3.0, 2.0, np.zeros(477)])
    np.testing.assert_allclose(pca_lanczos.leading(low, 3)[0], [4, 3, 2], rtol=1e-13)  # all in the span
    assert pca_lanczos.leading(low, 5) is None  # of the null space, too, one direction is seen
    X = np.random.default_rng(0).standard_normal((30, 20))
    model = PCA(2, solver="lanczos").fit(X)
    np.testing.assert_allclose(model.components_, PCA(2).fit(X).components_, atol=1e-13)


def check(model, X):
    """Every attribute and every entry of the certificate, from the directions and the board's formulas."""
    (n, d), k, V = X.shape, model.n_components_, model.components_.T
    m, far = min(n, d), abs(X).max()
    mean, S = board.mean_and_covariance(X)
    values, total = np.maximum(board.eigenpairs(S)[0][:m], 0.0), np.trace(S)
    # sums of n products err by n u of their size: of squares at most RECENTRE + 1 times the centred ones, or
    # of entries whose mean has an error of n u far; then as many roundings in the decompositions
    slack = 4 * (n + d) * U * ((pca_routes.RECENTRE + 1) * total + far * np.sqrt(n * total) + n * U * far**2)

    np.testing.assert_allclose(model.mean_, mean, rtol=0, atol=n * U * far)
    np.testing.assert_allclose(model.explained_variance_, values[:k], rtol=0, atol=slack)
    assert board.orthogonality(V) <= 64 * (n + d) * U
    assert abs(S @ V - V * model.explained_variance_).max() <= slack
    assert (V[abs(V).argmax(axis=0), np.arange(k)] > 0).all()
    check_count(model, values, slack)
    check_reports(model, values, total, slack, n)
    certificate = model.certificate_
    assert certificate["lost_variance"] == pytest.approx(total - board.captured_variance(S, V), abs=slack)
    assert certificate["eckart_young"] == pytest.approx(values[k:].sum(), abs=m * slack)
    check_scores(model, X, far)


def check_count(model, values, slack):
    """k is what was asked for: of a share the least that reaches it, ties within rounding either way."""
    k, asked, sums = model.n_components_, model.n_components, np.append(0.0, np.cumsum(values))
    slack = len(values) * slack
    if isinstance(asked, float):
        assert sums[k] >= asked * sums[-1] - slack
        assert k == 1 or sums[k - 1] <= asked * sums[-1] + slack
    else:
        assert k == (asked or len(values))


def check_reports(model, values, total, slack, n):
    k, found = model.n_components_, model.explained_variance_
    np.testing.assert_allclose(model.explained_variance_ratio_ * total, found, rtol=0, atol=2 * slack)
    np.testing.assert_allclose(model.singular_values_, np.sqrt((n - 1) * found), rtol=4 * U)
    assert model.n_samples_ == n
    assert model.certificate_["orthogonality"] == board.orthogonality(model.components_.T)
    following = values[k] if k < len(values) else 0.0
    assert model.certificate_["gap"] == pytest.approx(values[k - 1] - following, abs=2 * slack)


def check_scores(model, X, far):
    """Scores, whitened scores, and the way back, by the board's formulas for these directions."""
    n, d = X.shape
    V = model.components_.T
    Z, slack = board.scores(X, model.mean_, V), 4 * d**2 * U * far
    if model.whiten:
        rounding = max(n, d) * board.EPS * (board.EPS if model.solver == "svd" else 1)
        spread = board.deviations(model.explained_variance_, rounding)
        Z, slack = board.whiten(Z, spread), slack / min(spread[spread > 0], default=1.0)
        np.testing.assert_allclose(model.transform(X), Z, rtol=0, atol=slack)
        assert not model.transform(X)[:, spread == 0].any()
        Z = model.transform(X)
        np.testing.assert_allclose(
            model.inverse_transform(Z), board.reconstruction(Z * spread, model.mean_, V), rtol=1e-13
        )
    else:
        np.testing.assert_allclose(model.transform(X), Z, rtol=0, atol=slack)
        expected = board.reconstruction(Z, model.mean_, V)
        np.testing.assert_allclose(model.inverse_transform(Z), expected, rtol=1e-13)


# --- the board by itself


def uneven(rng, n, d):
    return rng.standard_normal((n, d)) * np.linspace(3, 1, d) + rng.normal(0, 5, d)


def test_power_iteration_rises_to_an_eigenvalue():
    rng = np.random.default_rng(0)
    S = board.mean_and_covariance(uneven(rng, 30, 6))[1]
    values, V = board.eigenpairs(S)
    for k in range(6):  # the k-th direction, at right angles to those before
        path = list(board.power_iteration(S, rng.standard_normal(6), V[:, :k].T))
        steps, variances = np.array([w for w, _ in path]), np.array([v for _, v in path])
        assert (np.diff(variances) >= -1e-14 * np.trace(S)).all()
        np.testing.assert_allclose((steps**2).sum(axis=1), 1, rtol=1e-14)
        np.testing.assert_allclose(((steps @ S) * steps).sum(axis=1), variances, rtol=1e-13)
        assert abs(steps @ V[:, :k]).max(initial=0) < 1e-14
        errors = np.linalg.norm(steps @ S - variances[:, None] * steps, axis=1)
        assert [error <= 1e-13 * np.trace(S) for error in errors] == [False] * (len(path) - 1) + [True]
        assert variances[-1] == pytest.approx(values[k], abs=1e-13 * np.trace(S))
    assert len(list(board.power_iteration(np.zeros((3, 3)), np.ones(3)))) == 1  # every w is a direction of 0
    assert len(list(board.power_iteration(S, rng.standard_normal(6), steps=4))) == 4


@pytest.mark.parametrize("shape", [(40, 5), (5, 9), (6, 6), (2, 3), (7, 1)])
@pytest.mark.parametrize("solver", board.ROUTES)
def test_the_routes_of_the_board_agree(solver, shape):
    X = uneven(np.random.default_rng(3), *shape)
    first, other = board.PCA(whiten=True).fit(X), board.PCA(whiten=True, solver=solver).fit(X)
    for model in (first, other):
        assert model.certificate_["lost_variance"] == pytest.approx(0, abs=1e-12)
        assert model.certificate_["orthogonality"] < 1e-13
        np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-11)
        V = model.components_.T
        assert (V[abs(V).argmax(axis=0), np.arange(min(shape))] > 0).all()
        one = board.PCA(1, solver=solver).fit(X)
        lost = board.reconstruction_error(X, one.inverse_transform(one.transform(X)))
        least = (np.linalg.svd(X - X.mean(axis=0))[1][1:] ** 2).sum()
        assert lost == pytest.approx(least, abs=1e-10)
        assert one.certificate_["eckart_young"] * (shape[0] - 1) == pytest.approx(least, abs=1e-10)
        np.testing.assert_allclose(np.var(model.transform(X), axis=0, ddof=1)[: shape[0] - 1], 1, atol=1e-9)
    k = np.linalg.matrix_rank(X - X.mean(axis=0))
    np.testing.assert_allclose(other.explained_variance_, first.explained_variance_, atol=1e-11)
    np.testing.assert_allclose(other.components_[:k], first.components_[:k], atol=1e-9)
    assert board.PCA(0.9, solver=solver).fit(X).components_.shape[0] <= k


def test_the_domain_that_a_definition_names():
    S, W = np.diag([4.0, 1.0]), np.array([[0.6], [0.8]])
    assert board.captured_variance(S, W) == pytest.approx(2.08)
    assert board.captured_variance(S, W * (1 + 4e-9)) == pytest.approx(2.08)
    for stretch in (7e-9, -7e-9, 0.2):
        with pytest.raises(ValueError, match="orthonormal columns"):
            board.captured_variance(S, W * (1 + stretch))
    with pytest.raises(ValueError, match="two rows or more"):
        board.mean_and_covariance(np.ones((1, 2)))
    with pytest.raises(ValueError, match="must be symmetric"):
        board.eigenpairs(np.array([[1.0, 2.0], [2.0 + 3e-12, 1.0]]))
    assert board.eigenpairs(np.array([[1.0, 2.0], [2.0 + 1e-12, 1.0]]))[0] == pytest.approx([3, -1])
    for fraction in (0.0, 1.0):
        with pytest.raises(ValueError, match="strictly between"):
            board.components_for([1.0], fraction)


def test_variances_of_rounding_size_count_as_zero():
    spread = board.deviations(np.array([4.0, 1.0, 4e-15, 3e-15, 0.0]), 1e-15)
    assert spread.tolist() == [2.0, 1.0, 0.0, 0.0, 0.0]
    assert board.whiten(np.array([[6.0, 5.0, 4.0, 3.0, 2.0]]), spread).tolist() == [[3.0, 5.0, 0, 0, 0]]
    assert board.deviations(np.zeros(2), 1e-15).tolist() == [0.0, 0.0]


def test_directions_without_variance_are_warned_of_where_they_matter():
    line = np.outer(np.arange(4.0), [3.0, 4.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert PCA().fit(line).explained_variance_ratio_ == pytest.approx([1, 0], abs=1e-15)
        PCA(n_components=1, whiten=True).fit(line)
    with pytest.warns(LimitWarning, match="1 of the 2 directions have no variance"):
        PCA(whiten=True).fit(line)
    with pytest.warns(LimitWarning, match="2 of the 2 directions have no variance"):
        assert not PCA().fit(0 * line).explained_variance_ratio_.any()


def test_eigenvectors_are_looked_for_at_growing_dimensions(monkeypatch):
    """Between looks a step is one product; values side by side take more than half of all."""
    sizes, eigh = [], np.linalg.eigh
    monkeypatch.setattr(pca_lanczos, "FIRST_LOOK", 20)
    monkeypatch.setattr(np.linalg, "eigh", lambda A, **rest: sizes.append(len(A)) or eigh(A, **rest))
    assert pca_lanczos.leading(np.diag(np.arange(1.0, 81.0)), 3) is None
    assert sizes == [20, 25, 31, 38]


@pytest.mark.parametrize("start", [0.0, 1.0, 2.0**20, -(2.0**20)])
def test_rows_far_from_zero_are_centred_before_they_are_squared(start):
    """Their squares have 40 bits more; deviations below 16 lose a few ulps of 40 products."""
    small = np.random.default_rng(0).integers(-4, 5, (40, 3))
    mean, S = pca_routes.moments(small + start)
    np.testing.assert_allclose(mean - start, small.mean(axis=0), atol=100 * U * max(1, abs(start)))
    np.testing.assert_allclose(S, np.cov(small.T), atol=16 * 16 * 40 * U)


def test_pairs_that_are_not_the_largest_are_refused():
    """One that is left out, and one that is wrong by a part of the least eigenvalue, not of the largest."""
    A, turn = np.diag([5.0, 4.0, 3.0, 1.0]), 1e-5
    assert pca_lanczos.are_the_largest(A, np.array([5.0, 4.0]), np.eye(4)[:, :2])
    assert not pca_lanczos.are_the_largest(A, np.array([5.0, 3.0]), np.eye(4)[:, [0, 2]])
    A, V = np.diag([1.0, 1e-6, 0.0]), np.eye(3)[:, :2]
    assert pca_lanczos.are_the_largest(A, np.array([1.0, 1e-6]), V)
    V[1:, 1] = np.cos(turn), np.sin(turn)
    assert not pca_lanczos.are_the_largest(A, np.array([1.0, 1e-6]), V)


@pytest.mark.parametrize(("error", "proved"), [(0.0, True), (1e-10, True), (1.5e-10, False)])
def test_the_proof_is_of_ten_digits(error, proved):
    """Another eigenvalue above the least, two directions that are not orthogonal, and one that A turns."""
    pairs, V = pca_lanczos.are_the_largest, np.eye(3)[:, :2]
    assert pairs(np.diag([2.0, 1.0, 1.0 + 0.9 * error]), np.array([2.0, 1.0]), V) is proved
    assert pairs(np.eye(3), np.ones(2), V + error * np.eye(3, 2, 1)) is proved
    A = np.diag([2.0, 1.0, 0.5])
    A[1, 2] = A[2, 1] = 0.9 * error
    assert pairs(A, np.array([2.0, 1.0]), V) is proved
