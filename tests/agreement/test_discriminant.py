"""LDA and QDA against the reference module: few observations, unequal classes, ties, units, weights."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mlnotes import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from mlnotes import discriminant as reference
from mlnotes.estimators import discriminant as estimators
from mlnotes.estimators.base import LimitWarning

U = 2.0**-53
REFUSALS = r"observations than features|positive definite|at most 1 sample"
OPTIONS = settings(derandomize=True, deadline=None, max_examples=150)


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    """Discriminants of one observation at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimators, "BLOCK", 3)
        yield


@st.composite
def samples(draw, least=1):
    """Observations in eighths, labels, and new observations; in units that differ, or far from 0."""
    counts = draw(st.lists(st.integers(least, 7), min_size=2, max_size=4))
    n, d = sum(counts), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.integers(-3, 4, (n + 5, d)) / 8.0
    y = np.repeat(np.arange(len(counts)), counts)
    X[:n] += draw(st.sampled_from([0.0, 0.5])) * rng.integers(-3, 4, (len(counts), d))[y]
    if draw(st.booleans()):
        X = np.column_stack([X, X[:, 0] + 2.0**-15 * rng.integers(-3, 4, n + 5)])  # nearly a copy
    X = X * np.resize(draw(st.sampled_from([[1.0], [1.0, 2.0**-10, 2.0**10]])), X.shape[1])
    X = X + draw(st.sampled_from([0.0, 100.0]))
    order = rng.permutation(n)
    return X[:n][order], np.array(["d", "b", "c", "a"])[y][order], X[n:]


def priors_for(K):
    return st.sampled_from([None, np.full(K, 1 / K), np.arange(1, K + 1) / np.arange(1, K + 1).sum()])


def precision(S, X):
    """Return a bound for relative errors of what is solved with S; skip the data where S is singular."""
    variances = np.diag(S)
    assume(variances.min() > 0)
    scale = np.sqrt(variances)
    least = np.linalg.eigvalsh(S / scale / scale[:, None])[0]
    assume(least > 1e-9)
    return 256 * (len(X) + len(S)) * U * (1 + abs(X / scale).max()) ** 2 / least


def check_predictions(model, expected, X, points, slack):
    points = np.vstack([X, points])
    delta = expected.discriminants(points)
    tolerance = slack * (1 + abs(delta).max())
    against_first = delta - delta[:, :1]
    scores = model.decision_function(points)
    pair = np.column_stack([np.zeros(len(scores)), scores]) if scores.ndim == 1 else scores
    np.testing.assert_allclose(pair - pair[:, :1], against_first, rtol=0, atol=tolerance)
    assert (model.predict(points) == model.classes_[reference.last_argmax(pair)]).all()
    proba = model.predict_proba(points)
    np.testing.assert_allclose(proba, expected.predict_proba(points), atol=2 * tolerance)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(points)), proba, atol=1e-13)
    first, second = np.sort(delta, axis=1)[:, :-3:-1].T
    clear = first - second > 2 * tolerance
    assert (model.predict(points) == expected.predict(points))[clear].all()


@OPTIONS
@given(st.data(), samples(), st.sampled_from([0.0, 0.25, 1.0]), st.booleans())
def test_lda_agrees_with_the_reference(data, sample, shrinkage, weighted):
    X, y, points = sample
    K = len(np.unique(y))
    assume(len(X) > K)
    priors = data.draw(priors_for(K))
    model = LinearDiscriminantAnalysis(priors=priors, shrinkage=shrinkage)
    copies = np.ones(len(X), dtype=np.intp)
    if weighted:
        copies = np.random.default_rng(len(X)).integers(0, 4, len(X)).astype(np.intp)
        copies[np.unique(y, return_index=True)[1]] = 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LimitWarning)
        model.fit(X, y, sample_weight=copies if weighted else None)
    X, y = X.repeat(copies, axis=0), y.repeat(copies)
    expected = reference.LinearDiscriminantAnalysis(priors, shrinkage).fit(X, y)
    size = abs(X).max()
    np.testing.assert_allclose(model.means_, expected.means_, rtol=0, atol=1e-13 * size)
    np.testing.assert_allclose(model.priors_, expected.priors_, rtol=1e-14)
    slack = precision(expected.covariance_, X)
    scale = np.sqrt(np.diag(expected.covariance_))
    off = (model.covariance_ - expected.covariance_) / scale / scale[:, None]
    np.testing.assert_allclose(off, 0, atol=slack)
    assert model.certificate_["rank"] == len(scale)
    assert model.certificate_["blind"] <= slack
    check_predictions(model, expected, X, points, slack)


@OPTIONS
@given(st.data(), samples(least=2), st.sampled_from([0.0, 0.0, 0.25, 1.0]))
def test_qda_agrees_with_the_reference(data, sample, reg_param):
    X, y, points = sample
    priors = data.draw(priors_for(len(np.unique(y))))
    expected = reference.QuadraticDiscriminantAnalysis(priors, reg_param)
    model = QuadraticDiscriminantAnalysis(priors=priors, reg_param=reg_param)
    if reg_param == 0 and np.unique(y, return_counts=True)[1].min() <= X.shape[1]:
        for one in (expected, model):
            with pytest.raises(ValueError, match=REFUSALS):
                one.fit(X, y)
        return
    expected.fit(X, y)
    slack = max(precision(S, X) for S in expected.covariance_)
    model.fit(X, y)
    np.testing.assert_allclose(model.means_, expected.means_, rtol=0, atol=1e-13 * abs(X).max())
    np.testing.assert_allclose(model.priors_, expected.priors_, rtol=1e-14)
    for S, A, log_det, exact in zip(
        model.covariance_, model.whitening_, model.log_det_, expected.covariance_, strict=True
    ):
        scale = np.sqrt(np.diag(exact))
        np.testing.assert_allclose((S - exact) / scale / scale[:, None], 0, atol=slack)
        np.testing.assert_allclose(A @ S @ A.T, np.eye(len(S)), atol=slack)
        assert log_det == pytest.approx(reference.log_determinant(exact), abs=len(S) * slack)
    check_predictions(model, expected, X, points, slack)


@OPTIONS
@given(samples(least=2), st.sampled_from([None, 1]))
def test_directions_solve_fishers_problem(sample, n_components):
    X, y, _ = sample
    expected = reference.LinearDiscriminantAnalysis().fit(X, y)
    S, centred = expected.covariance_, expected.means_ - expected.priors_ @ expected.means_
    slack = precision(S, X)
    B = (centred.T * expected.priors_) @ centred
    ratios, _ = reference.fisher_directions(expected.means_, S, expected.priors_)
    assume(ratios[-1] > 1e-3)  # otherwise a ratio of 0 may be left out
    model = LinearDiscriminantAnalysis(n_components=n_components).fit(X, y)
    A = model.scalings_
    m = n_components or len(ratios)
    tolerance = slack * (1 + ratios[0]) / min(1.0, ratios[-1])
    np.testing.assert_allclose(A.T @ S @ A, np.eye(m), atol=tolerance)
    np.testing.assert_allclose(A.T @ B @ A, np.diag(ratios[:m]), atol=tolerance * (1 + ratios[0]))
    assert (A[abs(A).argmax(axis=0), np.arange(m)] > 0).all()
    np.testing.assert_allclose(model.explained_variance_ratio_, (ratios / ratios.sum())[:m], atol=tolerance)
    reach = tolerance * abs(A).max() * (1 + abs(X).max())
    np.testing.assert_allclose(model.transform(X), (X - expected.priors_ @ expected.means_) @ A, atol=reach)


@pytest.mark.parametrize("unit", [1.0, 2.0**-30, 1e7])
@pytest.mark.parametrize(
    ("more", "blind"),
    [
        (lambda X, y: np.full(len(X), 0.1), False),
        (lambda X, y: X.sum(axis=1), False),
        (lambda X, y: X[:, 0] + 2.0**-22 * (np.arange(len(X)) % 3), False),  # a copy to tolerance
        (lambda X, y: X[:, 0] + y, True),
    ],
    ids=["constant", "sum", "nearly a copy", "copy plus label"],
)
def test_a_redundant_feature_is_ignored(more, blind, unit):
    rng = np.random.default_rng(0)
    y = np.arange(24) % 3
    X = rng.integers(-3, 4, (24, 2)) + rng.integers(-2, 3, (3, 2))[y]
    wide = np.column_stack([X, unit * more(X, y)])
    model = LinearDiscriminantAnalysis()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(wide, y)
    assert len(caught) == blind
    assert model.certificate_["rank"] == 2
    assert model.certificate_["residual"] < 1e-12
    assert (model.certificate_["blind"] > 1e-3) == blind
    if not blind:
        alone = LinearDiscriminantAnalysis().fit(X, y)
        np.testing.assert_allclose(model.predict_proba(wide), alone.predict_proba(X), atol=1e-5)
        np.testing.assert_allclose(abs(model.transform(wide)), abs(alone.transform(X)), atol=1e-4)


def test_means_on_a_line_have_one_direction_however_far_they_lie():
    rng = np.random.default_rng(0)
    within = np.tile(rng.standard_normal((12, 6)), (4, 1))  # the same in each class
    X = np.repeat(np.outer([0.0, 1.0, 3.0, 4.0], rng.integers(-9, 10, 6)) * 1e5, 12, axis=0) + within
    model = LinearDiscriminantAnalysis().fit(X, np.repeat(np.arange(4), 12))
    assert model.transform(X).shape == (48, 1)


@pytest.mark.parametrize("gap", [1e-6, 1e6])
def test_one_direction_however_little_or_much_the_classes_differ(gap):
    X = np.array([[1.0, 1], [-1, 1], [1, -1], [-1, -1]] * 2)
    X[4:, 0] += gap
    model = LinearDiscriminantAnalysis().fit(X, np.repeat([0, 1], 4))
    assert abs(model.scalings_[:, 0] * np.sqrt(4 / 3)) == pytest.approx([1, 0], abs=1e-9)
    assert model.explained_variance_ratio_.tolist() == [1.0]
