"""PCA with every solver against the reference module, on small data with ties, copies, constants and far
means.

The covariance S of the reference module is the yardstick. A solver may err in S by the rounding of its sums
(`slack`), and by no more in eigenvalues (Weyl) and in S V - V Lambda. The directions themselves are not
compared: within `slack` of a tie others are as good, and S V - V Lambda says all there is to say.
"""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import PCA
from mlnotes import pca as reference

SOLVERS = ("auto", "eigh", "gram", "svd")
U = 2.0**-53


@st.composite
def data(draw):
    """Eighths; some observations repeated, some features constant, small in unit, or far from zero."""
    n, d = draw(st.integers(2, 9)), draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.integers(-3, 4, (n, d)) / 8.0
    X = X[rng.integers(0, n, n)] if draw(st.booleans()) else X
    units = draw(st.sampled_from([[1.0], [1.0, 0.0], [1.0, 0.125, 2.0**-6], [1.0, 2.0**-5, 2.0**-10]]))
    return X * np.resize(units, d) + np.resize(draw(st.sampled_from([[0.0], [2.0], [0.0, 1e6]])), d)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.data(), data(), st.sampled_from(SOLVERS), st.booleans())
def test_every_solver_agrees_with_the_reference(draws, X, solver, whiten):
    fractions = st.sampled_from([0.25, 0.5, 0.9, 0.999])
    k = draws.draw(st.one_of(st.none(), st.integers(1, min(X.shape)), fractions))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of directions without variance
        model = PCA(k, solver=solver, whiten=whiten).fit(X)
    (n, d), k, V = X.shape, model.n_components_, model.components_.T
    m, far = min(n, d), abs(X).max()
    mean, S = reference.mean_and_covariance(X)
    values, total = np.maximum(reference.eigenpairs(S)[0][:m], 0.0), np.trace(S)
    # sums of n products err by n u of their size: of squares at most 1,001 times the centred ones, or of
    # entries whose mean has an error of n u far; then as many roundings in the decompositions
    slack = 4 * (n + d) * U * (1001 * total + far * np.sqrt(n * total) + n * U * far**2)

    np.testing.assert_allclose(model.mean_, mean, rtol=0, atol=n * U * far)
    np.testing.assert_allclose(model.explained_variance_, values[:k], rtol=0, atol=slack)
    assert reference.orthogonality_error(V) <= 64 * (n + d) * U
    assert abs(S @ V - V * model.explained_variance_).max() <= slack
    assert (V[abs(V).argmax(axis=0), np.arange(k)] > 0).all()
    certificate = model.certificate_
    captured = reference.captured_variance(S, V)
    assert certificate["lost_variance"] == pytest.approx(total - captured, abs=slack)
    assert certificate["eckart_young"] == pytest.approx(values[k:].sum(), abs=m * slack)
    assert certificate["orthogonality"] == reference.orthogonality_error(V)
    following = values[k] if k < len(values) else 0.0
    assert certificate["gap"] == pytest.approx(values[k - 1] - following, abs=2 * slack)
    check_count(model, values, slack)
    check_attributes(model, total, slack, n)
    check_scores(model, X, far)


def check_count(model, values, slack):
    """k is the number asked for; of a fraction the smallest that reaches it, ties within rounding either
    way."""
    k, asked, sums = model.n_components_, model.n_components, np.append(0.0, np.cumsum(values))
    slack = len(values) * slack
    if isinstance(asked, float):
        assert sums[k] >= asked * sums[-1] - slack
        assert k == 1 or sums[k - 1] <= asked * sums[-1] + slack
    else:
        assert k == (asked or len(values))


def check_attributes(model, total, slack, n):
    variances = model.explained_variance_
    np.testing.assert_allclose(model.explained_variance_ratio_ * total, variances, rtol=0, atol=2 * slack)
    np.testing.assert_allclose(model.singular_values_, np.sqrt((n - 1) * variances), rtol=4 * U)
    assert model.n_samples_ == n


def check_scores(model, X, far):
    """Scores, whitened scores, and the way back, by the formulas of the reference module."""
    V, variances = model.components_.T, model.explained_variance_
    Z, slack = reference.scores(X, model.mean_, V), 4 * len(V) ** 2 * U * far
    scale = np.ones(len(variances))
    if model.whiten:
        eps = 2 * U * (2 * U if model.solver == "svd" else 1)
        varies = variances > max(X.shape) * eps * variances[0]
        scale = np.sqrt(np.where(varies, variances, 0))
        Z = np.where(varies, Z / np.where(varies, scale, 1), 0)
        slack /= min(scale[varies], default=1.0)
        assert not model.transform(X)[:, ~varies].any()
    np.testing.assert_allclose(model.transform(X), Z, rtol=0, atol=slack)
    Z = model.transform(X)
    expected = reference.reconstruction(Z * scale, model.mean_, V)
    np.testing.assert_allclose(model.inverse_transform(Z), expected, rtol=1e-13)


@pytest.mark.parametrize("start", [0.0, 1.0, 2.0**20, -(2.0**20)])
def test_data_far_from_zero_keep_their_variance(start):
    small = np.random.default_rng(0).integers(-4, 5, (40, 3))
    model = PCA().fit(small + start)
    np.testing.assert_allclose(model.mean_ - start, small.mean(axis=0), atol=100 * U * max(1, abs(start)))
    variances = np.linalg.eigvalsh(np.cov(small.T))[::-1]
    np.testing.assert_allclose(model.explained_variance_, variances, atol=16 * 16 * 40 * U)


# --- the reference module


def test_power_iteration_reaches_every_eigenvalue_in_turn():
    rng = np.random.default_rng(0)
    S = reference.mean_and_covariance(rng.standard_normal((30, 6)) * np.linspace(3, 1, 6))[1]
    values, V = reference.eigenpairs(S)
    for k in range(6):
        w, variance = list(reference.power_iteration(S, rng.standard_normal(6), V[:, :k].T))[-1]
        assert variance == pytest.approx(values[k], abs=1e-13 * np.trace(S))
        assert abs(w @ V[:, k]) == pytest.approx(1)
    assert len(list(reference.power_iteration(np.zeros((3, 3)), np.ones(3)))) == 1


@pytest.mark.parametrize("shape", [(40, 5), (5, 9), (6, 6), (2, 3), (7, 1)])
def test_the_gram_matrix_gives_the_same_components(shape):
    rng = np.random.default_rng(3)
    X = rng.standard_normal(shape) * np.linspace(3, 1, shape[1]) + rng.normal(0, 5, shape[1])
    k = min(shape[0] - 1, shape[1])
    expected = reference.PCA(k).fit(X).components_.T
    found = reference.gram_directions(X, k)
    np.testing.assert_allclose(abs((expected * found).sum(axis=0)), 1, atol=1e-12)


def test_refuses_what_the_definitions_exclude():
    S, W = np.diag([4.0, 1.0]), np.array([[0.6], [0.8]])
    assert reference.captured_variance(S, W) == pytest.approx(2.08)
    assert reference.captured_variance(S, W * (1 + 4e-9)) == pytest.approx(2.08)
    with pytest.raises(ValueError, match="orthonormal columns"):
        reference.captured_variance(S, np.diag([1.0, 2.0]))
    for stretch in (7e-9, -7e-9, 0.2):
        with pytest.raises(ValueError, match="orthonormal columns"):
            reference.captured_variance(S, W * (1 + stretch))
    with pytest.raises(ValueError, match="at least two observations"):
        reference.mean_and_covariance(np.ones((1, 2)))
    with pytest.raises(ValueError, match="must be symmetric"):
        reference.eigenpairs(np.array([[1.0, 2.0], [2.1, 1.0]]))
    for fraction in (0.0, 1.0):
        with pytest.raises(ValueError, match="strictly between"):
            reference.components_for([1.0], fraction)
