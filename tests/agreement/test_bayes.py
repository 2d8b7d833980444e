"""The plug-in classifier against its board, on small rows with ties, duplicates, constants and far means.

Both fit by the same formulas: the estimator checks, floors the covariance of a thin class and is quiet far
out. Where no class is thin they agree but for the order of sums; where one is, the floor is what is compared.
"""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import PlugInClassifier
from mlnotes import bayes as board
from mlnotes.estimators.bayes import Gaussian

U = 2.0**-53


@st.composite
def samples(draw):
    """Rows of eighths in up to four classes; some features constant, small, or far from zero."""
    d, K = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    sizes = [draw(st.integers(1, 9)) for _ in range(K)]
    codes = rng.permutation(np.repeat(np.arange(K), sizes))
    X = rng.integers(-8, 9, (len(codes), d)) / 8.0 + codes[:, None] * draw(st.sampled_from([0.0, 0.5]))
    units = draw(st.sampled_from([[1.0], [1.0, 0.0], [1.0, 2.0**-8]]))
    X = X * np.resize(units, d) + draw(st.sampled_from([0.0, 64.0]))
    names = draw(st.sampled_from([np.arange(4), np.array([7, -1, 3, 40]), np.array(list("dbca"))]))
    return X, names[codes]


def fitted(X, y):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return PlugInClassifier().fit(X, y), [str(w.message) for w in caught]


def relative_spectrum(X, covariance):
    """Eigenvalues of a covariance in units of the spread of all rows, of the size where nothing varies."""
    size = abs(X).max(axis=0)
    constant = np.ptp(X, axis=0) == 0
    scale = np.where(constant, np.where(size > 0, size, 1.0), X.std(axis=0))
    return np.linalg.eigvalsh(covariance / np.outer(scale, scale))


@settings(derandomize=True, deadline=None, max_examples=120)
@given(samples())
def test_the_plug_in_classifier_agrees_with_the_board(sample):
    X, y = sample
    model, words = fitted(X, y)
    classes, codes = np.unique(y, return_inverse=True)
    groups = [X[codes == k] for k in range(len(classes))]
    assert model.classes_.tolist() == classes.tolist()
    assert model.prior_.tolist() == [len(rows) / len(X) for rows in groups]
    thin = []
    for name, rows, distribution in zip(classes, groups, model.densities_, strict=True):
        exact = board.Gaussian.fit(rows)
        assert distribution.mean.tolist() == exact.mean.tolist()
        least = relative_spectrum(X, exact.covariance)[0]
        if abs(least - 1e-9) < 1e-12:  # on the edge by rounding: either is right
            return
        if least >= 1e-9:
            assert distribution.covariance.tolist() == exact.covariance.tolist()
        else:
            thin.append(str(name))
            assert relative_spectrum(X, distribution.covariance)[0] == pytest.approx(1e-9, rel=1e-4)
            raised = distribution.covariance - exact.covariance
            assert np.linalg.eigvalsh(raised)[0] >= -64 * U * abs(distribution.covariance).max()
    named = f"{len(thin)} of {len(classes)} classes ({', '.join(thin)})"
    assert [w.split(" hardly")[0] for w in words] == ([named] if thin else [])
    check_answers(model, groups, np.vstack([X, X.mean(axis=0), X.max(axis=0) + 3 * np.ptp(X)]))
    if not thin:
        plain = board.PlugInClassifier().fit(X, y)
        points = np.vstack([X, X.mean(axis=0)])
        slack = 4096 * U * max(np.linalg.cond(distribution.covariance) for distribution in model.densities_)
        np.testing.assert_allclose(
            model.predict_proba(points), plain.predict_proba(points), rtol=0, atol=slack
        )
        assert model.certificate_ == pytest.approx(plain.certificate_, rel=slack, abs=slack)


def check_answers(model, groups, points):
    """Posterior, answers and certificate from the parameters, by the density (9.2) with a solve."""
    logs = np.column_stack([log_density(distribution, points) for distribution in model.densities_])
    terms = logs + np.log(model.prior_)
    weights = np.exp(terms - terms.max(axis=1, keepdims=True))
    expected = weights / weights.sum(axis=1, keepdims=True)
    worst = max(np.linalg.cond(distribution.covariance) for distribution in model.densities_)
    slack = 4096 * U * worst * (1 + abs(terms).max())
    proba = model.predict_proba(points)
    np.testing.assert_allclose(proba, expected, rtol=0, atol=min(slack, 1.0))
    last = [max(k for k, p in enumerate(row) if p == row.max()) for row in proba]
    assert model.predict(points).tolist() == model.classes_[last].tolist()
    own = [
        log_density(distribution, rows).sum()
        for distribution, rows in zip(model.densities_, groups, strict=True)
    ]
    total = sum(own) + sum(len(rows) * math.log(p) for rows, p in zip(groups, model.prior_, strict=True))
    bound = slack * len(points) * (1 + abs(total))
    assert model.certificate_["log_likelihood"] == pytest.approx(total, abs=bound)
    scores = [
        board.score_residual(distribution, rows)
        for distribution, rows in zip(model.densities_, groups, strict=True)
    ]
    assert model.certificate_["score"] == max(scores)
    for distribution, rows in zip(model.densities_, groups, strict=True):
        # L^-1 S L^-T - I has its largest entry between its norm over d and its norm
        gap = (
            np.linalg.eigvals(
                np.linalg.solve(distribution.covariance, np.atleast_2d(np.cov(rows.T, bias=True)))
            )
            - 1
        )
        size = board.score_residual(distribution, rows)
        assert size >= abs(gap).max() / len(gap) - 4096 * U * np.linalg.cond(distribution.covariance)
        assert size <= max(abs(gap).max(), 0) + 4096 * U * np.linalg.cond(distribution.covariance)


def log_density(distribution, X):
    gap = X - distribution.mean
    squares = (gap * np.linalg.solve(distribution.covariance, gap.T).T).sum(axis=1)
    return -0.5 * (
        len(distribution.mean) * math.log(2 * math.pi)
        + np.linalg.slogdet(distribution.covariance)[1]
        + squares
    )


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.integers(0, 2**20), st.integers(1, 4))
def test_the_checked_gaussian_is_that_of_the_board(seed, d):
    rng = np.random.default_rng(seed)
    A = rng.integers(-2, 3, (d, d)) / 4.0
    mean, S, X = rng.integers(-3, 4, d) / 2.0, A @ A.T + np.eye(d), rng.integers(-9, 10, (5, d)) / 2.0
    ours, plain = Gaussian(mean, S), board.Gaussian(mean, S)
    assert ours.log_density(X) == pytest.approx(plain.log_density(X), rel=64 * U)
    assert ours.whiten(X) == pytest.approx(plain.whiten(X), rel=64 * U, abs=64 * U)
    assert ours.floored(np.ones(d)) is ours


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.data())
def test_risks_of_fractions_are_fractions(data):
    """Tables of fractions through every formula of the board that promises to keep them."""
    m, K, A = (data.draw(st.integers(1, 3)) for _ in range(3))
    masses = np.array(data.draw(st.lists(st.integers(0, 4), min_size=m * K, max_size=m * K)), dtype=object)
    joint = (masses + (0 if masses.any() else 1)).reshape(m, K) * (Fraction(1) / max(masses.sum(), 1))
    joint = joint / joint.sum()
    loss = np.array(data.draw(st.lists(st.integers(-3, 9), min_size=A * K, max_size=A * K))).reshape(A, K)
    mu, eta = board.disintegrate(joint)
    assert (board.joint_table(mu, eta) == joint).all()
    assert all(type(p) is Fraction for p in (*mu, *eta.flat))
    assert set(eta.sum(axis=1)) == {1}
    rules = [np.array(rule) for rule in np.ndindex(*[A] * m)]
    costs = [sum(joint[x, k] * int(loss[r[x], k]) for x in range(m) for k in range(K)) for r in rules]
    assert [board.risk(rule, joint, loss) for rule in rules] == costs
    assert board.bayes_risk(joint, loss) == min(costs)
    assert [board.excess_risk(rule, joint, loss) for rule in rules] == [c - min(costs) for c in costs]
    best = board.bayes_rule_for_loss(eta, loss)
    assert best.tolist() == max(r.tolist() for r, c in zip(rules, costs, strict=True) if c == min(costs))
    plain = board.bayes_rule(eta)
    assert plain.tolist() == [max(k for k in range(K) if row[k] == max(row)) for row in eta]
    assert board.plugin_bound(eta, eta[::-1], mu) == (mu[:, None] * abs(eta - eta[::-1])).sum()


def test_two_costs_have_a_threshold_if_one_is_above_zero():
    assert [board.cost_threshold(*costs) for costs in ((1e-9, 0), (0, 1e-9), (1, 3))] == [1, 0, 0.25]
    for costs in ((0, 0), (-1, 2), (2, -1)):
        with pytest.raises(ValueError, match="the two costs must be at least 0"):
            board.cost_threshold(*costs)


class Columns:
    """A distribution whose logarithm of a density is a column of X."""

    def __init__(self, k):
        self.k = k

    def log_density(self, X):
        return X[:, self.k]


def test_scores_that_differ_by_less_than_posteriors_can_are_ties():
    """exp(-2e-17) is 1: the posteriors are both 1/2, and the last class wins; not the larger score."""
    model = PlugInClassifier().fit(np.arange(200.0)[:, None] % 7, np.repeat([0, 1], [198, 2]))
    model.n_features_in_, model.densities_ = 2, (Columns(0), Columns(1))
    gaps = np.array([-1e-10, -2e-17, 0.0, 2e-17, 1e-16, 1e-12, 1e-9, 2e-9])
    X = np.column_stack([gaps, 0 * gaps]) - np.log(model.prior_)
    scores = X + np.log(model.prior_)
    assert 0 < scores[3] @ [1, -1] < 4e-17
    expected = board.bayes_rule(board.posterior(model.prior_, X))
    assert expected.tolist() == [1, 1, 1, 1, 0, 0, 0, 0]
    assert model.predict(X).tolist() == expected.tolist()


def test_densities_that_vanish_and_densities_that_are_none():
    far = Gaussian([0.0], [[1.0]]).log_density([[1e200], [0.0]])
    assert far[0] == -np.inf
    with pytest.raises(ValueError, match="0/0"):
        board.posterior(np.array([0.5, 0.5]), np.array([[0.0, 0.0], [-np.inf, -np.inf]]))
    model = PlugInClassifier().fit(np.arange(8.0)[:, None], np.arange(8) % 2)
    model.densities_ = (Columns(0), NotANumber())
    with pytest.raises(ValueError, match="contains NaN"):
        model.predict([[0.0], [1.0]])


class NotANumber:
    """A distribution of the user's own that fails in one row."""

    def log_density(self, X):
        return np.where(X[:, 0] > 0, np.nan, 0.0)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_covariance_is_symmetric_up_to_rounding(size):
    """By 1e-12 of its largest entry."""
    for off, refused in ((0.6e-12, False), (1.7e-12, True)):
        covariance = size * np.array([[1.0, 0.25 + off], [0.25, 0.5]])
        if refused:
            with pytest.raises(ValueError, match="covariance must be symmetric"):
                Gaussian(np.zeros(2), covariance)
        else:
            assert Gaussian(np.zeros(2), covariance).whitener().shape == (2, 2)
