"""LDA and QDA against the board: few rows, unequal classes, ties, repeated and constant features, weights.

The board takes its whitener from the eigenvectors of the correlation matrix R, the estimators solve with its
Cholesky factor. Both errors are a multiple of u / lambda, lambda the least eigenvalue of R that is not zero;
the estimates themselves have errors of n u times the distance of the rows from 0 in standard deviations.
"""

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from mlnotes import discriminant as board
from mlnotes.engines import discriminant_solves
from mlnotes.engines.discriminant_sums import class_sums
from mlnotes.estimators import discriminant as estimators
from mlnotes.estimators.base import LimitWarning

U = 2.0**-53
OPTIONS = settings(derandomize=True, deadline=None, max_examples=200)


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    """Scores of one row at a time, strips of three rows of a whitener."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimators, "BLOCK", 3)
        patch.setattr(discriminant_solves, "STRIP", 3)
        yield


@st.composite
def samples(draw, least=1):
    """Rows of eighths, their labels, and new points that obey the same linear relations."""
    counts = draw(st.lists(st.integers(least, 7), min_size=2, max_size=4))
    n, d = sum(counts), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.integers(-3, 4, (n + 5, d)) / 8.0
    y = np.repeat(np.arange(len(counts)), counts)
    X[:n] += draw(st.sampled_from([0.0, 0.5])) * rng.integers(-3, 4, (len(counts), d))[y]
    kind = draw(st.sampled_from([None, "constant", "repeated", "nearly", "close", "label", "duplicates"]))
    if kind == "duplicates":
        X[:n] = X[rng.integers(0, n, n)]
    more = {
        "constant": np.full(n + 5, 0.1),
        "repeated": X.sum(axis=1),
        "nearly": X[:, 0] + 2.0**-22 * rng.integers(-3, 4, n + 5),  # singular to tolerance
        "close": X[:, 0] + 2.0**-15 * rng.integers(-3, 4, n + 5),  # and not
        "label": np.append(y, np.zeros(5)),
    }
    if kind in more:
        X = np.column_stack([X, more[kind]])
    X = X * np.resize(draw(st.sampled_from([[1.0], [1.0, 2.0**-10, 2.0**10]])), X.shape[1])
    X = X + draw(st.sampled_from([0.0, 0.0, 100.0]))
    order = rng.permutation(n)
    return X[:n][order], np.array(["d", "b", "c", "a"])[y][order], X[n:]


def priors_for(K):
    return st.sampled_from([None, "equal", np.arange(1, K + 1) / np.arange(1, K + 1).sum()])


def fitted(model, X, y, **weights):
    """Return the model, or None if it refuses, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model.fit(X, y, **weights)
        except ValueError:
            return None, []
    return model, [w for w in caught if w.category in (LimitWarning, UserWarning)]


def precision(S, X, points):
    """Return a bound for relative errors of what is solved with S, and its rank."""
    scale = board.units(S)
    values = np.linalg.eigvalsh(S / scale / scale[:, None])
    least = min(values[values > board.TOLERANCE * max(values[-1], 0)], default=1.0)
    far = abs(np.vstack([X, points]) / np.where(np.diag(S) > 0, scale, np.inf)).max()
    return 64 * (len(X) + len(S)) * U * (1 + far) / least


def check_answers(model, ours, X, points, slack):
    """Scores, posterior and labels, of the rows and of new points."""
    points = np.vstack([X, points])
    scores, expected = model.decision_function(points), ours.decision_function(points)
    tolerance = slack * (1 + abs(ours.scores(points)).max())
    np.testing.assert_allclose(scores, expected, rtol=0, atol=tolerance)
    pair = np.column_stack([np.zeros(len(scores)), scores]) if scores.ndim == 1 else scores
    labels = model.classes_[board.last_argmax(pair)]
    assert (model.predict(points) == labels).all()
    shifted = np.exp(pair - pair.max(axis=1, keepdims=True))
    posterior = shifted / shifted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(points), posterior, atol=1e-13)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(points)), posterior, atol=1e-13)
    order = np.sort(ours.scores(points), axis=1)
    clear = order[:, -1] - order[:, -2] > 2 * tolerance
    assert (ours.predict(points) == labels)[clear].all()


@OPTIONS
@given(st.data(), samples(), st.sampled_from([None, 0.25, 1.0]))
def test_lda_agrees_with_the_board(data, sample, shrinkage):
    X, y, points = sample
    K = len(np.unique(y))
    priors = data.draw(priors_for(K))
    ours, warned = fitted(board.LinearDiscriminantAnalysis(priors=priors, shrinkage=shrinkage), X, y)
    most = min(K - 1, X.shape[1])
    n_components = data.draw(st.sampled_from([None, 1, most]))
    model = LinearDiscriminantAnalysis(priors=priors, shrinkage=shrinkage, n_components=n_components)
    model, limits = fitted(model, X, y)
    assert (ours is None) == (model is None) == (len(X) == K)
    if model is not None:
        check_lda(model, ours, X, points)
        assert len(warned) == len(limits) == (model.certificate_["blind"] > board.TOLERANCE)


def check_lda(model, ours, X, points):
    S, scale = ours.covariance_, board.units(ours.covariance_)
    slack = precision(S, X, points)
    np.testing.assert_allclose(model.means_, ours.means_, rtol=1e-14, atol=1e-14 * abs(X).max())
    np.testing.assert_allclose(model.priors_, ours.priors_, rtol=1e-14)
    np.testing.assert_allclose(model.xbar_, ours.priors_ @ ours.means_, atol=1e-14 * abs(X).max())
    np.testing.assert_allclose(*(C / scale / scale[:, None] for C in (model.covariance_, S)), atol=slack)
    assert model.certificate_["rank"] == ours.certificate_["rank"] == len(board.whitener(S))
    assert model.certificate_["blind"] == pytest.approx(ours.certificate_["blind"], abs=slack)
    size = 1 + abs((ours.means_ - ours.xbar_) / scale).max()
    assert 0 <= model.certificate_["residual"] <= slack * size
    weights = ours.weights_ if len(ours.classes_) > 2 else ours.weights_[1:] - ours.weights_[:1]
    tolerance = slack * (1 + abs(weights * scale).max())
    np.testing.assert_allclose(model.coef_ * scale, weights * scale, atol=tolerance)
    check_answers(model, ours, X, points, slack * size)
    check_directions(model, ours, slack)


def check_directions(model, ours, slack):
    """Fisher's problem is solved: by the definition, and with the board's ratios."""
    S, A, deviations = ours.covariance_, model.scalings_, ours.means_ - ours.xbar_
    B = deviations.T @ (ours.priors_[:, None] * deviations)
    ratios = np.diag(A.T @ B @ A)
    assert np.isfinite(A).all()
    assert len(ratios) == 0 or model.coef_.any()
    if not len(ratios) or ratios[0] < 1e-20:
        return  # the means agree but for rounding
    tolerance = slack * (1 + ratios[0]) / min(1.0, ratios[0])
    np.testing.assert_allclose(A.T @ S @ A, np.eye(len(ratios)), atol=tolerance / min(1.0, ratios[-1]))
    np.testing.assert_allclose(A.T @ B @ A, np.diag(ratios), atol=tolerance / min(1.0, ratios[-1]))
    assert (A[abs(A).argmax(axis=0), np.arange(A.shape[1])] > 0).all()
    every, _ = board.fisher_directions(ours.means_, S, ours.priors_)
    np.testing.assert_allclose(ratios, every[: len(ratios)], atol=tolerance)
    shares = every / every.sum()
    np.testing.assert_allclose(model.explained_variance_ratio_, shares[: len(ratios)], atol=tolerance)
    assert len(ratios) == min(model.n_components or len(every), len(every))


def test_a_constant_feature_has_no_part_in_the_transform():
    X = np.array([[0.0, 1, 7], [1, 0, 7], [3, 3, 7], [5, 4, 7], [1, 5, 7], [0, 6, 7]])
    y = np.repeat([0, 1, 2], 2)
    alone = board.LinearDiscriminantAnalysis().fit(X[:, :2], y).transform(X[:, :2])
    for kind in (board.LinearDiscriminantAnalysis, LinearDiscriminantAnalysis):
        np.testing.assert_allclose(kind().fit(X, y).transform(X), alone, atol=1e-13)


@settings(OPTIONS, max_examples=60)
@given(samples(least=2), st.integers(0, 2**20))
def test_weights_count_copies(sample, seed):
    X, y, points = sample
    weights = np.random.default_rng(seed).integers(0, 4, len(X)).astype(np.intp)
    weights[np.unique(y, return_index=True)[1]] = 2
    ours, _ = fitted(board.LinearDiscriminantAnalysis(), X.repeat(weights, axis=0), y.repeat(weights))
    model, _ = fitted(LinearDiscriminantAnalysis(), X, y, sample_weight=weights)
    check_lda(model, ours, X.repeat(weights, axis=0), points)


@OPTIONS
@given(st.data(), samples(least=2), st.sampled_from([0.0, 0.0, 0.25, 1.0]))
def test_qda_agrees_with_the_board(data, sample, reg_param):
    X, y, points = sample
    priors = data.draw(priors_for(len(np.unique(y))))
    ours, _ = fitted(board.QuadraticDiscriminantAnalysis(priors=priors, reg_param=reg_param), X, y)
    model, _ = fitted(QuadraticDiscriminantAnalysis(priors=priors, reg_param=reg_param), X, y)
    assert (ours is None) == (model is None)
    if model is None:
        return
    slack = max(precision(S, X, points) for S in ours.covariance_)
    np.testing.assert_allclose(model.means_, ours.means_, atol=1e-14 * abs(X).max())
    np.testing.assert_allclose(model.priors_, ours.priors_, rtol=1e-14)
    np.testing.assert_allclose(model.log_det_, ours.log_det_, atol=len(points.T) * slack)
    for S, A, expected in zip(model.covariance_, model.whitening_, ours.covariance_, strict=True):
        scale = board.units(expected)
        np.testing.assert_allclose(S / scale / scale[:, None], expected / scale / scale[:, None], atol=slack)
        np.testing.assert_allclose(A @ S @ A.T, np.eye(len(S)), atol=slack)
    check_answers(model, ours, X, points, slack)


# --- the board by itself


def test_the_domain_that_a_definition_names():
    X, half = np.eye(2), [0.5, 0.5]
    nearly = np.array([[1.0, 1.0 - 4e-10], [1.0 - 4e-10, 1.0]])  # the ratio of the eigenvalues is 2e-10
    assert len(board.whitener(nearly)) == 2
    assert len(board.whitener((nearly + 3 * np.ones((2, 2))) / 4)) == 1
    for S in (np.ones((2, 2)), -np.eye(2), [[1.0, 1e-9], [0.0, 1.0]], np.diag([1.0, 0.0])):
        with pytest.raises(ValueError, match="positive definite"):
            board.linear_discriminants(X, X, S, half)
    for prior in ([1.0, 0.0], [0.5, 0.5 + 1e-8], [1.5, -0.5]):
        with pytest.raises(ValueError, match="positive, with sum 1"):
            board.linear_discriminants(X, X, np.eye(2), prior)
    with pytest.raises(ValueError, match="some class needs two rows"):
        board.pooled_covariance(X, np.array([0, 1]))
    with pytest.raises(ValueError, match="every class needs two rows"):
        board.class_covariances(np.eye(3), np.array([0, 0, 1]))


def test_the_tolerances_are_one():
    assert discriminant_solves.RANK_TOLERANCE == board.TOLERANCE


def test_the_blind_share_in_any_unit():
    M = np.array([[1e-200, 3e200], [0.0, 4e200]])
    for unit in (1.0, 1e-250):
        assert board.blind_share(unit * M, 0 * M) == 1
        assert board.blind_share(unit * M, unit * M) == 0
        assert board.blind_share(unit * M, unit * M * [[1.0], [0.0]]) == pytest.approx(16 / 25)
    assert board.blind_share(0 * M, 0 * M) == 0


def test_shrinking_moves_the_eigenvalues_towards_their_mean():
    S = np.array([[4.0, 1.0], [1.0, 2.0]])
    for share in (0.0, 0.25, 1.0):
        found = np.linalg.eigvalsh(board.blend(S, share, np.trace(S) / len(S)))
        assert found == pytest.approx((1 - share) * np.linalg.eigvalsh(S) + share * 3)


def test_means_on_a_line_have_one_direction_however_far_apart():
    """Of eigenvalues of 1e10, what rounding leaves of those that are zero is no direction."""
    rng = np.random.default_rng(0)
    within = np.tile(rng.standard_normal((12, 6)), (4, 1))  # the same in each class
    X = np.repeat(np.outer([0.0, 1.0, 3.0, 4.0], rng.integers(-9, 10, 6)) * 1e5, 12, axis=0) + within
    model = LinearDiscriminantAnalysis().fit(X, np.repeat(np.arange(4), 12))
    assert model.transform(X).shape == (48, 1)


def test_sums_of_constants_and_of_features_that_hardly_vary():
    """A constant has no scatter, though its mean is rounded; 2^-26 is no rounding, whatever the unit."""
    for n, unit, weight in itertools.product(range(2, 30), (0.1, -1e7 / 3), (None, 1000.0)):
        steps = unit * (1 + 2.0**-26 * np.arange(n))
        X = np.column_stack([np.full(n, unit), steps])
        (sums,) = class_sums(X, np.zeros(n, dtype=int), 1, weight and np.full(n, weight))
        assert sums.mean == pytest.approx(X.mean(axis=0), rel=1e-14)
        variance = np.var([Fraction(value) for value in steps])
        assert sums.scatter[1, 1] == pytest.approx(float(variance) * n * (weight or 1), rel=1e-4)
        assert not sums.scatter[0].any()
        assert not sums.scatter[:, 0].any()


def test_the_range_ends_at_a_share_of_the_largest_eigenvalue():
    """Eigenvalues 3, 1 and e: the part along the last is seen if e is above 3e-10."""
    V = np.linalg.qr(np.array([[0.3, 0.3, 0.9], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).T)[0]
    for small, rank in ((5e-11, 2), (2e-9, 3)):
        R, B = (V[:, ::-1] * [1.0, 3.0, small]) @ V[:, ::-1].T, np.eye(3)
        found = discriminant_solves.solve_on_range(R, B)
        assert found.rank == rank
        assert found.seen == pytest.approx(np.eye(3) if rank == 3 else V[:, 1:] @ V[:, 1:].T, abs=1e-6)
        assert found.seen == pytest.approx(R @ found.Z, abs=1e-5)


def test_classes_that_hardly_differ_have_directions():
    deviations, prior = np.array([[1.0, 0.0], [-1.0, 2.0], [1.0, -4.0]]), np.array([0.25, 0.5, 0.25])
    values, directions = discriminant_solves.fisher_directions(deviations, deviations, prior)
    small, same = discriminant_solves.fisher_directions(1e-6 * deviations, 1e-6 * deviations, prior)
    assert len(values) == 2
    assert small == pytest.approx(1e-12 * values, rel=1e-9)
    assert abs(same) == pytest.approx(abs(directions), rel=1e-6, abs=1e-9)


# --- the estimators by themselves


def test_what_both_analyses_refuse():
    rows, y = np.array([[0.0], [1.0], [3.0], [4.0], [6.0], [8.0], [9.0], [7.0]]), np.arange(8) % 4
    lda, qda = LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    plane = np.hstack([rows, rows**2])
    for model, X, codes, words in (
        (lda(), rows, 0 * y, "class"),
        (qda(), rows, 0 * y, "class"),
        (lda(n_components=2), rows, y, "n_components"),
        (lda(priors=[[0.25] * 4]), rows, y, "1-D"),
        (qda(), plane, y, "needs more rows than features"),
        (qda(reg_param=0.5), rows[:5], y[:5], "n_k = 1, at most 1 sample"),
    ):
        with pytest.raises(ValueError, match=words):
            model.fit(X, codes)
    assert np.isfinite(qda(reg_param=1.0).fit(plane, y).predict_proba(plane)).all()
    assert lda().fit(plane, y % 2).get_feature_names_out().size == 1


@pytest.mark.parametrize(
    "model", [LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis(reg_param=0.5)]
)
def test_rows_are_finite_and_so_are_scores(model):
    X = np.array([[-1.0, 0.0], [1.0, 0.0], [2.0, 0.0], [4.0, 0.0]])
    model.fit(X, [0, 0, 1, 1])
    for row in ([np.nan, 0.0], [0.0, np.nan], [0.0, np.inf]):
        with pytest.raises(ValueError, match="X "):
            model.predict([row])
    with pytest.raises(ValueError, match="a score"):
        LinearDiscriminantAnalysis().fit(X / 1e3, [0, 0, 1, 1]).predict([[1e306, 0.0]])


def test_the_residual_is_the_largest_of_all(monkeypatch):
    """Of weights that miss the solution by a half in one entry."""
    solve = estimators.solve_on_range

    def worse(R, B):
        solution = solve(R, B)
        solution.Z[0, 0] += 0.5
        return solution

    monkeypatch.setattr(estimators, "solve_on_range", worse)
    X, y = np.array([[0.0, 0.0], [1.0, 0.5], [3.0, -1.0], [4.0, 2.0]]), [0, 0, 1, 1]
    assert LinearDiscriminantAnalysis().fit(X, y).certificate_["residual"] == pytest.approx(0.5)
