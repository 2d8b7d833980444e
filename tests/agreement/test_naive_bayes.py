"""Kernel classifiers and naive Bayes against the reference module: eighths, ties, weights, priors.

Logarithms of kernel sums are right to 1e-9; Gaussian scores come from two matrix products, with means of at
most 100 standard deviations, so that the error of a score is some 1e4 units of rounding.
"""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import KernelDensityClassifier, MultinomialNaiveBayes, NaiveBayes
from mlnotes import naive_bayes as reference

pytestmark = pytest.mark.usefixtures("short_sums")
OPTIONS = settings(derandomize=True, deadline=None, max_examples=150)


@st.composite
def problems(draw, most_features=3):
    """Eighths with copies, one to three classes that vary in every feature, weights, priors, new points."""
    n, d, K = draw(st.integers(0, 12)), draw(st.integers(1, most_features)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    y = np.concatenate([np.arange(K), np.arange(K), rng.integers(0, K, n)])
    X = rng.integers(0, draw(st.sampled_from([1, 3, 20])), (len(y), d)) / 8.0 + rng.integers(0, 2, (K, d))[y]
    X[K : 2 * K] = X[:K] + 1
    weights = rng.integers(1, 4, len(y)) if draw(st.booleans()) else None
    priors = draw(st.sampled_from([None, rng.dirichlet(np.full(K, 5.0))]))
    new = X[rng.integers(0, len(y), 4)] + rng.integers(-30, 31, (4, d)) / 8 + 0.003  # no edge of a bin or box
    return X, np.array(["b", "c", "a"])[y], weights, priors, np.vstack([X, new, new[:1] + 300.0])


def fitted(own, X, y, weights, priors):
    """Return the reference classifier, fitted to as many copies as the weights say, with these priors."""
    if weights is not None:
        X, y = np.repeat(X, weights.astype(np.intp), axis=0), np.repeat(y, weights.astype(np.intp))
    own.fit(X, y)
    own.priors_ = own.priors_ if priors is None else priors
    return own


def check(model, own, T):
    """All outputs are those of the reference classifier's scores."""
    joint = own.scores(T)
    assert model.classes_.tolist() == own.classes_.tolist()
    assert model.priors_ == pytest.approx(own.priors_, rel=1e-14)
    slack = 1e-8 * (1 + abs(joint).max(axis=1, keepdims=True))
    assert (abs(model.log_joint(T) - joint) <= slack).all()
    expected = joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)
    assert (abs(model.predict_log_proba(T) - expected) <= 2 * slack).all()
    assert (abs(model.predict_proba(T) - own.predict_proba(T)) <= 2 * slack).all()
    top = np.sort(joint, axis=1)
    clear = top[:, -1] - top[:, -2] > 2 * slack[:, 0] if joint.shape[1] > 1 else np.ones(len(T), bool)
    assert (model.predict(T) == own.predict(T))[clear].all()


@OPTIONS
@given(problems(), st.sampled_from(["silverman", 0.3, 2.0]))
def test_the_kernel_density_classifier_agrees(problem, bandwidth):
    X, y, weights, priors, T = problem
    H = None if bandwidth == "silverman" else bandwidth**2 * np.eye(X.shape[1])
    model = KernelDensityClassifier(bandwidth=bandwidth, priors=priors).fit(X, y, weights)
    check(model, fitted(reference.KernelDensityClassifier(H), X, y, weights, priors), T)


@OPTIONS
@given(
    st.data(),
    problems(),
    st.sampled_from([0.5, 1.0]),
    st.sampled_from([1, 3, 10]),
    st.sampled_from([None, 0.3]),
)
def test_naive_bayes_agrees(data, problem, alpha, n_bins, h):
    X, y, weights, priors, T = problem
    d = X.shape[1]
    marginals = {
        "gaussian": reference.gaussian,
        "histogram": partial(reference.histogram, n_bins=n_bins, alpha=alpha),
        "kernel": partial(reference.kernel, h=h),
        "categorical": partial(reference.categorical, alpha=alpha),
        "bernoulli": partial(reference.bernoulli, alpha=alpha),
    }
    names = data.draw(st.lists(st.sampled_from(sorted(marginals)), min_size=d, max_size=d))
    bits = np.array(names) == "bernoulli"
    X, T = np.where(bits, X > 0.5, X), np.where(bits, T > 0.5, T)
    options = {"n_bins": n_bins, "alpha": alpha, "bandwidth": "silverman" if h is None else h}
    same = names[0] if len(set(names)) == 1 else names
    model = NaiveBayes(marginals=same, priors=priors, **options).fit(X, y, weights)
    own = fitted(reference.NaiveBayes([marginals[name] for name in names]), X, y, weights, priors)
    assert model.marginals_ == tuple(names)
    check(model, own, T)
    factors = model.log_marginals(T)
    assert factors.sum(axis=1) + np.log(model.priors_) == pytest.approx(
        model.log_joint(T), rel=1e-8, abs=1e-8
    )
    few = T[-1 : -1 - max(1, names.count("gaussian")) : -1]  # as many points as Gaussian features
    assert model.log_joint(few) == pytest.approx(model.log_joint(T)[::-1][: len(few)], rel=1e-8, abs=1e-8)


@OPTIONS
@given(problems(most_features=5), st.sampled_from([0.5, 1.0]))
def test_multinomial_naive_bayes_agrees(problem, alpha):
    X, y, weights, priors, T = problem
    X, T = np.rint(abs(8 * X)), np.rint(abs(8 * T)) * np.random.default_rng(0).integers(0, 2, T.shape)
    model = MultinomialNaiveBayes(alpha=alpha, priors=priors).fit(X, y, weights)
    check(model, fitted(reference.MultinomialNaiveBayes(alpha), X, y, weights, priors), T)


def test_the_largest_value_is_inside_a_histogram():
    """Though the smallest value and the range add up to less."""
    X, y = np.array([[0.1], [0.9], [0.6], [-1.0], [0.7], [-0.9]]), np.arange(6) % 2
    assert X.min() + np.ptp(X) < X.max()
    model = NaiveBayes(marginals="histogram", n_bins=3).fit(X, y)
    own = reference.NaiveBayes(partial(reference.histogram, n_bins=3)).fit(X, y)
    assert model.log_joint(X) == pytest.approx(own.scores(X))


@pytest.mark.parametrize("rule", ["silverman", "scott"])
@pytest.mark.parametrize("factor", [1e-6, 1.0, 1e6])
def test_a_bandwidth_rule_of_a_classifier_uses_the_scale(rule, factor):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 2)), np.arange(30) % 2
    model = KernelDensityClassifier(bandwidth=rule).fit(factor * X, y)
    for k, density in enumerate(model.densities_):
        variances = X[y == k].var(axis=0, ddof=1)
        scale = (1 / 15) ** (1 / 3)  # (4 / (n (d + 2)))^(2/(d + 4)) is n^(-2/(d + 4)) for d = 2
        assert density.bandwidth_ == pytest.approx(factor**2 * np.diag(scale * variances), rel=1e-12)


@pytest.mark.parametrize("far", [1.0, 1e4, 1e140])
def test_gaussian_classes_any_number_of_deviations_apart(far):
    """Two matrix products would cancel from 100 deviations on."""
    X = np.array([[0.0, 1.0], [1.0, 3.0], [far, 0.0], [far + 1 + far * 2.0**-50, 1.0]])
    T = np.array([[0.5, 0.5], [far, 2.0], [far / 2, 1.0], [2.0, -far]])
    model = NaiveBayes(var_smoothing=1e-300).fit(X, [0, 0, 1, 1])
    own = reference.NaiveBayes().fit(X, np.array([0, 0, 1, 1]))
    np.testing.assert_allclose(model.log_joint(T), own.scores(T), rtol=1e-13, atol=1e-13)
    with_far = model.log_joint(np.vstack([T, [[1.7e308, 0.0]]]))  # its square is beyond float64
    np.testing.assert_allclose(with_far[:-1], own.scores(T), rtol=1e-13, atol=1e-13)
    assert np.isneginf(with_far[-1]).all()
