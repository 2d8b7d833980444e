"""Kernel classifiers and naive Bayes against the board: eighths, ties, constants, one row, weights, 0/0.

Logarithms of kernel sums are right to 1e-9; Gaussian scores come from two matrix products, with means of at
most 100 standard deviations, so that the error of a score is some 1e4 units of rounding.
"""

import inspect
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import KernelDensityClassifier, MultinomialNaiveBayes, NaiveBayes
from mlnotes import naive_bayes as board
from mlnotes.estimators import naive_bayes as estimators
from mlnotes.estimators.base import LimitWarning

pytestmark = pytest.mark.usefixtures("short_sums")
OPTIONS = settings(derandomize=True, deadline=None, max_examples=150)
KINDS = ("gaussian", "histogram", "kernel", "categorical", "bernoulli")


@st.composite
def problems(draw, most_features=3):
    """Rows of eighths with copies and constant features, one to three classes, weights, new rows."""
    n, d, K = draw(st.integers(1, 12)), draw(st.integers(1, most_features)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    y = rng.integers(0, K, n)
    X = rng.integers(0, draw(st.sampled_from([1, 3, 20])), (n, d)) / 8.0 + rng.integers(0, 2, (K, d))[y]
    X[:, rng.random(d) < 0.2] = 0.1
    weights = rng.integers(1, 4, n) if draw(st.booleans()) else None
    unseen = X[rng.integers(0, n, 4)] + rng.integers(-30, 31, (4, d)) / 8 + 0.003  # no edge of a bin or box
    return X, np.array(["b", "c", "a"])[y], weights, np.vstack([X, unseen, unseen[:1] + 300.0])


@st.composite
def priors_for(draw, y):
    K = len(np.unique(y))
    weights = np.array(draw(st.lists(st.integers(1, 4), min_size=K, max_size=K)), dtype=float)
    return draw(st.sampled_from([None, weights / weights.sum()]))


def said(call, *arguments):
    """The answer, and how many rows it says to have the prior."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answer = call(*arguments)
    return answer, [int(str(w.message).split()[0]) for w in caught], {w.category for w in caught}


def check(model, own, T):
    """All answers are those of the board's scores."""
    joint = own.log_densities(np.asarray(T, dtype=float)) + np.log(own.priors_)
    assert model.classes_.tolist() == own.classes_.tolist()
    assert model.priors_ == pytest.approx(own.priors_, rel=1e-14)
    slack = 1e-8 * (1 + abs(np.where(np.isfinite(joint), joint, 0)).max(axis=1, keepdims=True))
    close(model.log_joint(T), joint, slack)
    scores, counts, _ = said(own.scores, T)
    expected = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    for answer in (model.predict_log_proba, model.predict_proba, model.predict):
        found, rows, kinds = said(answer, T)
        assert rows == counts == [k for k in [int(np.isneginf(joint).all(axis=1).sum())] if k]
        assert kinds <= {LimitWarning}
        if answer == model.predict:
            top = np.sort(scores, axis=1)
            clear = (
                (top[:, -1] - top[:, -2] > 2 * slack[:, 0]) if scores.shape[1] > 1 else np.ones(len(T), bool)
            )
            assert (found == own.classes_[scores.argmax(axis=1)])[clear].all()
            assert (found == said(own.predict, T)[0])[clear].all()
        elif answer == model.predict_proba:
            close(found, np.exp(expected), 2 * slack)
            close(found, said(own.predict_proba, T)[0], 2 * slack)
        else:
            close(found, expected, 2 * slack)


def close(found, expected, slack):
    with np.errstate(invalid="ignore"):
        assert found.shape == expected.shape
        assert ((found == expected) | (abs(found - expected) <= slack)).all()


def copies(X, weights):
    return X if weights is None else np.repeat(X, weights.astype(np.intp), axis=0)


@OPTIONS
@given(
    st.data(), problems(), st.sampled_from(["silverman", 0.3, 2.0]), st.sampled_from(["gaussian", "uniform"])
)
def test_the_kernel_density_classifier(data, problem, bandwidth, kernel):
    X, y, weights, T = problem
    kernel = kernel if X.shape[1] == 1 else "gaussian"
    options = {"bandwidth": bandwidth, "kernel": kernel, "priors": data.draw(priors_for(y))}
    model = KernelDensityClassifier(**options).fit(X, y, weights)
    own = board.KernelDensityClassifier(**options).fit(copies(X, weights), copies(y, weights))
    for ours, theirs in zip(model.densities_, own.densities_, strict=True):
        d = X.shape[1]
        H = np.reshape(ours.bandwidth_, (d, d)) ** (2 if d == 1 else 1)
        assert pytest.approx(theirs.H, rel=1e-12) == H
    check(model, own, T)


@OPTIONS
@given(st.data(), problems(), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([1, 3, 10]))
def test_naive_bayes(data, problem, alpha, n_bins):
    X, y, weights, T = problem
    d = X.shape[1]
    kinds = data.draw(st.lists(st.sampled_from(KINDS), min_size=d, max_size=d))
    if data.draw(st.booleans()):
        kinds = [kinds[0]] * d
    bits = np.array(kinds) == "bernoulli"
    X, T = np.where(bits, X > 0.5, X), np.where(bits, T > 0.5, T)
    marginals = kinds[0] if len(set(kinds)) == 1 and data.draw(st.booleans()) else kinds
    options = {
        "marginals": marginals, "priors": data.draw(priors_for(y)), "n_bins": n_bins, "alpha": alpha,
        "bandwidth": data.draw(st.sampled_from(["silverman", 0.3])),
        "kernel": data.draw(st.sampled_from(["gaussian", "epanechnikov"])),
        "var_smoothing": data.draw(st.sampled_from([1e-3, 0.25])),
    }  # fmt: skip
    model = NaiveBayes(**options).fit(X, y, weights)
    own = board.NaiveBayes(**options).fit(copies(X, weights), copies(y, weights))
    assert model.marginals_ == tuple(kinds)
    few = T[-1 : -1 - max(1, kinds.count("gaussian")) : -1]  # as many rows as Gaussian features
    close(model.log_joint(few), model.log_joint(T)[::-1][: len(few)], 1e-8 * (1 + abs(few).max()) ** 2)
    logs = own.log_marginals(T)
    close(model.log_marginals(T), logs, 1e-8 * (1 + abs(np.where(np.isfinite(logs), logs, 0))))
    check(model, own, T)


def test_the_largest_value_is_known_to_a_histogram():
    """Though the least value and the range add up to less."""
    X, y = np.array([[0.1], [0.9], [0.6], [-1.0], [0.7], [-0.9]]), np.arange(6) % 2
    assert X.min() + np.ptp(X) < X.max()
    model, own = (side.NaiveBayes(marginals="histogram", n_bins=3).fit(X, y) for side in (estimators, board))
    assert model.log_marginals(X) == pytest.approx(own.log_marginals(X))


@OPTIONS
@given(st.data(), problems(most_features=5), st.sampled_from([0.0, 0.5, 1.0]))
def test_counts(data, problem, alpha):
    X, y, weights, T = problem
    X, T = np.rint(abs(8 * X)), np.rint(abs(8 * T)) * np.random.default_rng(0).integers(0, 2, T.shape)
    if alpha == 0 and any(not X[y == k].any() for k in np.unique(y)):
        with pytest.raises(ValueError, match="there is nothing to share"):
            MultinomialNaiveBayes(alpha=alpha).fit(X, y, weights)
        return
    options = {"alpha": alpha, "priors": data.draw(priors_for(y))}
    model = MultinomialNaiveBayes(**options).fit(X, y, weights)
    own = board.MultinomialNaiveBayes(**options).fit(copies(X, weights), copies(y, weights))
    assert model.shares_ == pytest.approx(own.shares_, rel=1e-14)
    check(model, own, T)


@OPTIONS
@given(st.integers(0, 2**20), st.integers(1, 3), st.integers(1, 4), st.integers(1, 3))
def test_the_naive_posterior_and_smoothed_shares(seed, n, d, K):
    rng = np.random.default_rng(seed)
    logs = rng.choice([-np.inf, -2000.0, -1.5, 0.0, 3.0], (n, d, K))
    prior = rng.integers(1, 5, K) / 1.0
    prior /= prior.sum()
    ours, theirs = (said(side.naive_posterior, logs, prior) for side in (estimators, board))
    assert ours[0] == pytest.approx(theirs[0], rel=1e-13)
    assert ours[1] == theirs[1]
    assert ours[2] <= {LimitWarning}
    counts = rng.integers(0, 4, (n, d))
    for alpha in (0.25, 1.0):
        found = estimators.smoothed_shares(counts, alpha)
        assert found == pytest.approx(board.smoothed_shares(counts, alpha), rel=1e-15)
        assert found.sum(axis=1) == pytest.approx(np.ones(n))
    for side in (estimators, board):
        assert side.smoothed_shares(counts) == pytest.approx((counts + 1) / (counts + 1).sum(axis=1)[:, None])


def test_a_bandwidth_rule_of_a_classifier_sees_the_scale():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 2)), np.arange(30) % 2
    for rule in ("silverman", "scott"):
        for factor in (1e-6, 1.0, 1e6):
            model = KernelDensityClassifier(bandwidth=rule).fit(factor * X, y)
            for k, density in enumerate(model.densities_):
                n, variances = 15, X[y == k].var(axis=0, ddof=1)
                share = (4 / (n * 4) if rule == "silverman" else 1 / n) ** (1 / 3)
                assert density.bandwidth_ == pytest.approx(factor**2 * np.diag(share * variances), rel=1e-12)


@pytest.mark.parametrize("name", ["NaiveBayes", "MultinomialNaiveBayes", "KernelDensityClassifier"])
def test_defaults_are_those_of_the_board(name):
    ours, own = (
        inspect.signature(side).parameters for side in (getattr(estimators, name), getattr(board, name))
    )
    assert {key: ours[key].default for key in own} == {key: own[key].default for key in own}


@pytest.mark.parametrize("far", [1.0, 1e4, 1e200])
def test_gaussian_marginals_of_classes_any_number_of_deviations_apart(far):
    """Two matrix products would cancel from 100 on; from 1e154 on the squares leave float64."""
    X = np.array([[0.0, 1.0], [1.0, 3.0], [far, 0.0], [far + 1 + far * 2.0**-50, 1.0]])
    T = np.array([[0.5, 0.5], [far, 2.0], [far / 2, 1.0], [2.0, -far]])
    with np.errstate(over="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        groups = [(np.arange(2), np.ones(2)), (np.arange(2, 4), np.ones(2))]
        marginals = estimators._Gaussian(NaiveBayes(), X, groups, np.ones(2))
        means, variances = marginals.means, marginals.variances
        expected = board.normal_log_density(T[:, :, None], means.T, variances.T).sum(axis=1)
        found = marginals.log_density(T)
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)
