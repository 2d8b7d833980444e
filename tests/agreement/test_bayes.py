"""The plug-in classifier against the reference module: ties, duplicates, constants, means far from zero.

Both fit by the same formulas. Where a class hardly varies in some direction the estimator raises its variance
and warns: there the raised variance is what is compared.
"""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import PlugInClassifier
from mlnotes import bayes as reference
from mlnotes.estimators.bayes import Gaussian

U = 2.0**-53


@st.composite
def samples(draw):
    """Eighths in up to four classes; some features constant, small, or far from zero."""
    d, K = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    codes = rng.permutation(np.repeat(np.arange(K), [draw(st.integers(1, 9)) for _ in range(K)]))
    X = rng.integers(-8, 9, (len(codes), d)) / 8.0 + codes[:, None] * draw(st.sampled_from([0.0, 0.5]))
    units = draw(st.sampled_from([[1.0], [1.0, 0.0], [1.0, 2.0**-8]]))
    X = X * np.resize(units, d) + draw(st.sampled_from([0.0, 64.0]))
    names = draw(st.sampled_from([np.arange(4), np.array([7, -1, 3, 40]), np.array(list("dbca"))]))
    return X, names[codes]


def relative_eigenvalues(X, covariance):
    """Eigenvalues in units of the spread of all observations; of their size where nothing varies."""
    size = abs(X).max(axis=0)
    constant = np.ptp(X, axis=0) == 0
    scale = np.where(constant, np.where(size > 0, size, 1.0), X.std(axis=0))
    return np.linalg.eigvalsh(covariance / np.outer(scale, scale))


@settings(derandomize=True, deadline=None, max_examples=120)
@given(samples())
def test_plug_in_classifier_agrees_with_the_reference(sample):
    X, y = sample
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = PlugInClassifier().fit(X, y)
    classes = np.unique(y)
    assert model.classes_.tolist() == classes.tolist()
    assert model.prior_.tolist() == [np.mean(y == label) for label in classes]
    thin = []
    for label, density in zip(classes, model.densities_, strict=True):
        exact = reference.Gaussian.fit(X[y == label])
        assert density.mean.tolist() == exact.mean.tolist()
        smallest = relative_eigenvalues(X, exact.covariance)[0]
        if abs(smallest - 1e-9) < 1e-12:  # at the threshold up to floating-point error: either is right
            return
        if smallest >= 1e-9:
            assert density.covariance.tolist() == exact.covariance.tolist()
        else:
            thin.append(str(label))
            assert relative_eigenvalues(X, density.covariance)[0] == pytest.approx(1e-9, rel=1e-4)
            raised = density.covariance - exact.covariance
            assert np.linalg.eigvalsh(raised)[0] >= -64 * U * abs(density.covariance).max()
    named = f"{len(thin)} of {len(classes)} classes ({', '.join(thin)})"
    assert [str(w.message).split(" hardly")[0] for w in caught] == ([named] if thin else [])
    expected = reference.PlugInClassifier()
    expected.classes_, expected.prior_ = classes, model.prior_
    expected.densities_ = [reference.Gaussian(f.mean, f.covariance) for f in model.densities_]
    points = np.vstack([X, X.mean(axis=0), X.max(axis=0) + 3 * np.ptp(X)])
    logs = np.column_stack([f.log_density(points) for f in expected.densities_])
    worst = max(np.linalg.cond(f.covariance) for f in model.densities_)
    slack = 4096 * U * worst * (1 + abs(logs).max())
    np.testing.assert_allclose(
        model.predict_proba(points), expected.predict_proba(points), atol=min(slack, 1)
    )
    proba = model.predict_proba(points)
    assert model.predict(points).tolist() == classes[reference.bayes_rule(proba)].tolist()
    certificate = expected.certify([X[y == label] for label in classes])
    assert model.certificate_ == pytest.approx(certificate, rel=slack, abs=slack * len(X))


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.integers(0, 2**20), st.integers(1, 4))
def test_gaussian_agrees_with_the_reference(seed, d):
    rng = np.random.default_rng(seed)
    A = rng.integers(-2, 3, (d, d)) / 4.0
    mean, S, X = rng.integers(-3, 4, d) / 2.0, A @ A.T + np.eye(d), rng.integers(-9, 10, (5, d)) / 2.0
    ours, expected = Gaussian(mean, S), reference.Gaussian(mean, S)
    assert ours.log_density(X) == pytest.approx(expected.log_density(X), rel=128 * U)
    assert ours.whiten(X) == pytest.approx(expected.whiten(X), rel=64 * U, abs=64 * U)
    assert ours.floored(np.ones(d)) is ours


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.data())
def test_risks_of_fractions_are_fractions(data):
    m, K, A = (data.draw(st.integers(1, 3)) for _ in range(3))
    masses = np.array(data.draw(st.lists(st.integers(0, 4), min_size=m * K, max_size=m * K)), dtype=object)
    joint = (masses + (0 if masses.any() else 1)).reshape(m, K)
    joint = joint * (Fraction(1) / joint.sum())
    loss = np.array(data.draw(st.lists(st.integers(-3, 9), min_size=A * K, max_size=A * K))).reshape(A, K)
    mu, eta = reference.marginal_and_posterior(joint)
    assert (reference.joint_table(mu, eta) == joint).all()
    assert all(type(p) is Fraction for p in (*mu, *eta.flat))
    assert set(eta.sum(axis=1)) == {1}
    rules = [np.array(rule) for rule in np.ndindex(*[A] * m)]
    costs = [sum(joint[x, k] * int(loss[r[x], k]) for x in range(m) for k in range(K)) for r in rules]
    assert [reference.risk(rule, joint, loss) for rule in rules] == costs
    assert reference.bayes_risk(joint, loss) == min(costs)
    assert [reference.excess_risk(rule, joint, loss) for rule in rules] == [c - min(costs) for c in costs]
    assert reference.risk(reference.bayes_rule_for_loss(eta, loss), joint, loss) == min(costs)
    assert reference.bayes_rule(eta).tolist() == [max(k for k in range(K) if p[k] == max(p)) for p in eta]
    assert reference.plugin_bound(eta, eta[::-1], mu) == (mu[:, None] * abs(eta - eta[::-1])).sum()


class Column:
    """A density whose logarithm is a column of X."""

    def __init__(self, k):
        self.k = k

    def log_density(self, X):
        return X[:, self.k]


def test_log_densities_whose_posteriors_are_equal_are_ties():
    """exp(-2e-17) is 1: both posteriors are 1/2, and the last class wins, not the larger score."""
    model = PlugInClassifier().fit(np.arange(200.0)[:, None] % 7, np.repeat([0, 1], [198, 2]))
    model.n_features_in_, model.densities_ = 2, (Column(0), Column(1))
    gaps = np.array([-1e-10, -2e-17, 0.0, 2e-17, 1e-16, 1e-12, 1e-9, 2e-9])
    X = np.column_stack([gaps, 0 * gaps]) - np.log(model.prior_)
    assert 0 < (X + np.log(model.prior_))[3] @ [1, -1] < 4e-17
    expected = reference.bayes_rule(reference.posterior(model.prior_, X))
    assert expected.tolist() == [1, 1, 1, 1, 0, 0, 0, 0]
    assert model.predict(X).tolist() == expected.tolist()


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_covariance_must_be_symmetric_to_twelve_digits(size):
    nearly, other = (size * np.array([[1.0, 0.25 + off], [0.25, 0.5]]) for off in (0.6e-12, 1.7e-12))
    assert np.isfinite(Gaussian(np.zeros(2), nearly).log_density(np.zeros((1, 2)))).all()
    with pytest.raises(ValueError, match="covariance must be symmetric"):
        Gaussian(np.zeros(2), other)
