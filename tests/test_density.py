"""Density estimation: hand cases, any data and bandwidth, exact risks, limits, messages, scikit-learn."""

import copy
import math
import pickle
import warnings
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from scipy.stats import gaussian_kde
from sklearn import neighbors
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import claims
from mlnotes import density as reference
from mlnotes.datasets.mixtures import NormalMixture, gaussian_relative_mise, sample_size
from mlnotes.estimators import density
from mlnotes.estimators.base import LimitWarning
from mlnotes.estimators.density import (
    KERNELS,
    DensityThreshold,
    Histogram,
    Kernel,
    KernelDensity,
    kernel_cv_scores,
    kernel_density,
    select_bandwidth,
    select_bins,
)
from mlnotes.histogram import histogram_cv_score

NORMAL = NormalMixture([1.0], [0.0], [1.0])
BIMODAL = NormalMixture([0.4, 0.6], [-1.0, 2.0], [0.5, 1.0])
EVERY = pytest.mark.parametrize("kernel", list(KERNELS))

# --- by hand


def test_histogram_score_by_hand():
    # bins of width 1/2 with counts 3 and 1: int f^2 = (9/4 + 1/4)/2, left out 2 * (2/3) * 3 / 4
    assert histogram_cv_score(np.array([3, 1])) == pytest.approx(float(F(5, 4) - F(2, 4) * 3 * 2 * F(2, 3)))


def test_kernel_estimate_by_hand():
    assert kernel_density([0.0, 1.0], [0.0, 0.5], 2.0, "uniform").tolist() == [0.25, 0.25]
    assert kernel_density([0.0], [0.0, 1.0], 2.0, "epanechnikov-unit") == pytest.approx([0.375, 0.28125])
    gaussian = (1 + math.exp(-0.5)) / math.sqrt(2 * math.pi) / 2
    assert kernel_density([0.0, 1.0], [0.0], 1.0) == pytest.approx([gaussian], rel=1e-15)


def test_sample_sizes_for_small_errors_and_in_many_dimensions():
    for d, error in ((1, 1e-9), (3, 1e-8), (1, 0.9), (40, 0.5)):
        n = sample_size(d, error)
        smallest = min(gaussian_relative_mise(h, n, d) for h in np.geomspace(1e-3, 20, 20_001))
        assert smallest == pytest.approx(error, rel=1e-5)  # steps of 5e-4 in log h, d = 40 of the curvature
    assert sample_size(1, 1e-9) / sample_size(1, 1e-8) == pytest.approx(10**1.25, rel=0.01)  # the -4/5 of n
    assert sample_size(900) == math.inf
    assert gaussian_relative_mise(1e-200, 5, 2) == math.inf


# --- kernels


@pytest.mark.parametrize(
    ("profile", "radius", "sentence"),
    [
        (lambda x: np.ones_like(x), 1.0, "kernel mine has mass 2; a kernel is a density"),
        (lambda x: np.full(np.shape(x), 0.5 + 1e-9), 1.0, "kernel mine has mass 1; a kernel is a density"),
        (lambda x: 1 + x, 1.0, "kernel mine is not even"),
        (lambda x: np.maximum(1 - abs(x), 0) + 2e-12 * (x < 0), 1.0, "kernel mine is not even"),
        (lambda x: 1.5 - 3 * x**2, 1.0, "must give one finite value >= 0 at every point"),
        (lambda x: 0.25 / np.sqrt(abs(x)), 1.0, "must give one finite value >= 0 at every point"),
        (lambda x: np.where(x == 0, math.nan, 0.5), 1.0, "one finite value >= 0 at every point, 0 included"),
        (lambda x: x.sum(), 1.0, "must give one finite value >= 0 at every point"),
        (np.cos, -1.0, "radius of kernel mine must be a finite number > 0, got -1.0"),
        (
            lambda x: np.exp(-2 * abs(x)),
            math.inf,
            "radius of kernel mine must be a finite number > 0, got inf",
        ),
    ],
)
def test_refuses_what_is_no_kernel(profile, radius, sentence):
    with pytest.raises(ValueError, match=sentence):
        Kernel("mine", profile, radius)


@EVERY
@pytest.mark.parametrize("again", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_copies_and_pickles_predict_the_same(kernel, again):
    x, far = np.array([[0.0], [1.0], [3.0]]), np.array([[0.5], [90.0]])
    model = KernelDensity(kernel=KERNELS[kernel]).fit(x)
    same = again(model)
    assert same.kernel_ is KERNELS[kernel]
    assert same.score_samples(far).tolist() == model.score_samples(far).tolist()
    if kernel == "gaussian":
        assert again(KernelDensity(kernel=KERNELS[kernel])).fit(np.eye(2)).bandwidth_.shape == (2, 2)


# --- any data and any bandwidth

DATA = {
    "normal": lambda rng, n: rng.normal(size=n),
    "outliers": lambda rng, n: np.append(rng.normal(size=n - 2), [1e6, -1e9]),
    "ties": lambda rng, n: rng.integers(0, 5, n) * 1.0,
    "offset": lambda rng, n: 1e8 + rng.normal(size=n),
    "cauchy": lambda rng, n: rng.standard_cauchy(n),
    "equal": lambda rng, n: np.full(n, 0.1),
}


@pytest.mark.parametrize("data", list(DATA))
@pytest.mark.parametrize("h", [1e-300, 1e-7, 1e-3, 0.02, 0.21, 3.1, 1e4, 1e300])
def test_estimates_are_within_the_bound_for_any_data_and_bandwidth(data, h):
    rng = np.random.default_rng(0)
    x = DATA[data](rng, 2000)
    points = np.concatenate([rng.choice(x, 40), np.linspace(x.min(), x.max(), 40), [-1e12, 1e12]])
    for kernel, weights in product(KERNELS.values(), (None, rng.integers(1, 4, 2000) * 1.0)):
        with np.errstate(over="ignore"):
            terms = kernel.density(np.subtract.outer(points, x) / h)
            fast = kernel_density(x, points, h, kernel, weights) * h
        slow = terms.mean(axis=1) if weights is None else terms @ weights / weights.sum()
        assert abs(fast - slow).max() <= 5e-13 * slow.max(), kernel.name


def test_crowded_and_empty_stretches_in_turn():
    rng = np.random.default_rng(1)
    centres = np.cumsum(rng.uniform(0, 300, 12))
    x = np.concatenate([c + 0.2 * rng.normal(size=k) for c, k in zip(centres, [1, 2500] * 6, strict=True)])
    points = np.concatenate([rng.choice(x, 150), rng.uniform(-100, 4000, 150)])
    for h in (1e-4, 0.01, 0.1, 1.0, 5.0):
        fast, slow = kernel_density(x, points, h), reference.kernel_density(x, points, h)
        assert abs(fast - slow).max() <= 1e-13 * slow.max()


@pytest.mark.parametrize("data", ["normal", "cauchy", "offset", "clusters"])
def test_a_hundred_thousand_gaussian_bumps_are_not_added_pair_by_pair(data):
    rng, n = np.random.default_rng(0), 100_000
    x = (
        np.repeat(np.arange(n // 500) * 600.0, 500) + rng.random(n)
        if data == "clusters"
        else DATA[data](rng, n)
    )
    some = rng.choice(n, 20)
    for h in (0.01, 0.3, 20.0):  # 10^10 pairs would take minutes
        fast, slow = kernel_density(x, x, h), reference.kernel_density(x, x[some], h)
        assert abs(fast[some] - slow).max() <= 1e-12 * fast.max()


@EVERY
@pytest.mark.parametrize("n", [5, 700])
def test_scores_against_the_double_sum(kernel, n):
    rng, K = np.random.default_rng(n), KERNELS[kernel]
    x = np.round(rng.normal(size=n), 2)  # some ties
    for h in (0.0113, 0.3057, 2.0031):  # no two points are just h apart
        assert kernel_cv_scores(x, [h], kernel) == pytest.approx(
            reference.kernel_cv_score(x, h, K), abs=1e-11 / h
        )
    far = np.append(x, 1e7)  # too long for one Fourier series
    assert kernel_cv_scores(far, [0.0513]) == pytest.approx(reference.kernel_cv_score(far, 0.0513), rel=1e-11)


@pytest.mark.parametrize("scale", [1.0, 1e-4, 1e-9])
def test_small_bandwidths_in_several_features_do_not_cancel(scale):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    T = np.vstack([X[:20] + scale * rng.normal(size=(20, 2)), [[1e6, 0.0], [3e130, -1e130]]])
    slow = reference.KernelDensity(scale**2 * np.eye(2)).fit(X).score_samples(T)
    model = KernelDensity(bandwidth=scale).fit(X)
    np.testing.assert_allclose(model.score_samples(T), slow, rtol=1e-9, atol=1e-9)


def test_a_tiny_bandwidth_has_one_bump_for_each_observation():
    X, h = 1e10 * np.random.default_rng(0).normal(size=(5, 2)), 1e-150  # squares of distances overflow
    alone = -math.log(5) - math.log(2 * math.pi) - 2 * math.log(h)
    assert KernelDensity(bandwidth=h).fit(X).score_samples(X) == pytest.approx(alone)


@pytest.mark.parametrize("d", [2, 20, 64])
@pytest.mark.parametrize("far", [10.0, 1e3, 1e5])
def test_outliers_in_many_features_do_not_cancel(d, far):
    rng = np.random.default_rng(d)
    X = rng.normal(size=(60, d)) / math.sqrt(d)
    X[::7] *= far
    L = np.tril(rng.normal(size=(d, d))) / d + np.diag(rng.uniform(0.3, 2.0, d))
    T = X[:40] + L @ rng.normal(size=d) / math.sqrt(d) + 1e4
    X, T = X + 1e4, np.vstack([T, T[:1] + 1e200])
    gaps = (T[:40, None].astype(np.longdouble) - X) @ np.linalg.inv(L).T.astype(np.longdouble)
    slow = np.log(np.exp(-0.5 * (gaps**2).sum(axis=2)).mean(axis=1))
    slow -= 0.5 * d * math.log(2 * math.pi) + np.log(np.diag(L)).sum()
    logs = KernelDensity(bandwidth=L @ L.T).fit(X).score_samples(T)
    np.testing.assert_allclose(logs[:40], slow.astype(float), rtol=0, atol=1e-11)
    assert logs[40] < -1e300


# --- exact risks


@pytest.mark.parametrize("distribution", [NORMAL, BIMODAL])
def test_exact_risk_of_the_kernel_estimate_by_quadrature(distribution):
    t, step = np.linspace(-14, 14, 40_001, retstep=True)
    bias, variance = distribution.bias_variance(t, 0.4, 50)
    squared, spread = distribution.risk(0.4, 50)
    assert (bias**2).sum() * step == pytest.approx(squared, rel=1e-10)
    assert variance.sum() * step == pytest.approx(spread, rel=1e-10)
    f = distribution.density(t)
    assert f.sum() * step == pytest.approx(1, rel=1e-12)
    assert (f**2).sum() * step == pytest.approx(distribution.roughness(), rel=1e-10)
    assert (np.gradient(f, step) ** 2).sum() * step == pytest.approx(distribution.roughness(1), rel=1e-4)
    second = np.gradient(np.gradient(f, step), step)
    assert (second**2).sum() * step == pytest.approx(distribution.roughness(2), rel=1e-4)


def test_the_mean_error_over_samples_is_the_exact_risk():
    rng = np.random.default_rng(0)
    errors = [BIMODAL.integrated_squared_error(BIMODAL.sample(60, rng), 0.4) for _ in range(400)]
    deviation = np.std(errors) / math.sqrt(400)
    assert abs(np.mean(errors) - sum(BIMODAL.risk(0.4, 60))) < 6 * deviation


@pytest.mark.parametrize("n", [40, 2000])  # in pairs, and by the spectrum
def test_exact_error_of_several_bandwidths_is_the_double_sum(n):
    rng, widths = np.random.default_rng(n), np.array([0.9, 0.05, 0.3])
    x = BIMODAL.sample(n, rng)
    far = NormalMixture([0.5, 0.5], [-1.0, 900.0], [0.5, 1.0])  # a mean out of reach of every point
    for distribution in (BIMODAL, far):
        errors = distribution.integrated_squared_error(x, widths)
        for h, error in zip(widths, errors, strict=True):
            u = np.subtract.outer(x, x) / h
            square = reference.GAUSSIAN.self_convolution(u).sum() / (n**2 * h)
            spreads = np.hypot(distribution.scales, h)
            terms = reference.normal_density(x[:, None] - distribution.means, spreads)
            mixed = (terms @ distribution.weights).mean()
            assert error == pytest.approx(square - 2 * mixed + distribution.roughness(), abs=1e-13)
            assert distribution.integrated_squared_error(x, h) == pytest.approx(error, abs=1e-13)


def test_the_best_bandwidth_has_the_smallest_risk():
    best = BIMODAL.best_bandwidth(100)
    smallest = sum(BIMODAL.risk(best, 100))
    assert all(smallest <= sum(BIMODAL.risk(best * c, 100)) for c in (0.9, 0.99, 1.01, 1.1))


# --- the choice of a bandwidth


def test_ties_cause_a_warning_by_the_exact_criterion():
    x = np.random.default_rng(0).normal(size=40)
    for copies in range(2, 40):  # some values twice: the sign of n h J at a tiny h decides
        data = np.append(x, x[:copies])
        h = np.diff(np.unique(data)).min() / 20
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            select_bandwidth(data, [h])
        assert len(caught) == (kernel_cv_scores(data, [h])[0] < 0)
    with pytest.warns(LimitWarning, match=r"80 ordered pairs of equal values among n = 80"):
        select_bandwidth(np.repeat(x, 2))
    with pytest.warns(LimitWarning, match="falls to minus infinity"):
        select_bins(np.repeat([0.1, 0.7, 0.4], 4))


def test_a_minimum_at_the_end_of_the_candidates_causes_a_warning():
    x = np.random.default_rng(0).normal(size=100)
    with pytest.warns(LimitWarning, match=r"the best bandwidth = 0\.1 is at the end of the candidates"):
        select_bandwidth(x, [0.01, 0.1])
    with pytest.warns(LimitWarning, match="the best n_bins = 3 is at the end"):
        select_bins((x.argsort() / 99.0) ** 4, [1, 2, 3])


# --- estimators: degenerate but legal


def test_a_leak_causes_a_warning():
    x = np.random.default_rng(0).exponential(size=300)[:, None]
    with pytest.warns(LimitWarning, match=r"\d\.\d% of the mass of the estimate lies outside the support"):
        model = KernelDensity(bandwidth=0.3, support=(0, 50)).fit(x)
    inside = [0.5 * math.erfc(-v / (0.3 * math.sqrt(2))) for v in x[:, 0]]
    assert model.certificate_["leak"] == pytest.approx(1 - np.mean(inside), abs=1e-10)
    for h, leak in ((0.5 / 2.43, 0.0151), (0.5 / 2.70, 0.0069)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = KernelDensity(bandwidth=h, support=(0.0, 1.0)).fit([[0.5]])
        assert model.certificate_["leak"] == pytest.approx(leak, abs=1e-4)
        assert len(caught) == (leak > 0.01)


@pytest.mark.parametrize("rows", [np.eye(2), [[5.0], [6.0]]])
def test_a_support_that_is_refused_leaves_no_fit(rows):
    model = KernelDensity(support=(0.0, 1.0))
    with pytest.raises(ValueError, match="support"):
        model.fit(rows)
    with pytest.raises(NotFittedError):
        model.density(rows)


def test_one_observation_needs_a_bandwidth_and_is_its_own_estimate():
    model = KernelDensity(bandwidth=2.0).fit([[1.0, 1.0]])
    assert model.density([[1.0, 1.0]])[0] == pytest.approx(1 / (2 * math.pi * 4))
    assert model.sample(random_state=0).shape == (1, 2)
    assert Histogram(n_bins=1, support=(0, 1)).fit([1.0]).density([1.0]).tolist() == [1.0]


def test_fitting_twice_is_fitting_once_and_the_input_is_kept():
    X = np.random.default_rng(0).normal(size=(30, 1))
    kept = X.copy()
    model = KernelDensity(bandwidth="cv").fit(X)
    first = model.score_samples(X)
    assert (model.fit(X).score_samples(X) == first).all()
    assert (kept == X).all()
    X[:] = 0
    assert (model.score_samples(kept) == first).all()


@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_proportion_of_ties_counts_equal_observations_alone(d):
    rng = np.random.default_rng(d)
    X = rng.integers(0, 3, size=(50, d)) * 1e307
    X[rng.random(X.shape) < 0.2] *= -1.0  # -0.0 is 0.0
    rows = [tuple(row) for row in X.tolist()]
    proportion = np.mean([rows.count(row) > 1 for row in rows])
    assert KernelDensity(bandwidth=1.0).fit(X).certificate_["ties"] == proportion


def test_about_the_level_of_new_points_is_flagged():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    model = DensityThreshold(level=0.1).fit(X)
    assert (model.predict([[0.0, 0.0], [8.0, 8.0]]) == [1, -1]).all()
    assert (model.predict(rng.normal(size=(4000, 2))) == -1).mean() == pytest.approx(0.1, abs=0.04)


def test_progress_is_reported():
    steps = []
    model = KernelDensity(bandwidth=1.0, verbose=lambda *step: steps.append(step)).fit(
        np.eye(2).repeat(600, axis=0)
    )
    model.density(np.eye(2))
    assert steps[0] == (0.0, "0 of 1200 kernels at 2 points")
    assert all(0 <= proportion < 1 for proportion, _ in steps)


# --- messages

X2 = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: select_bins([0.5, 1.5]), r"x must lie in \[0, 1\], got values from 0.5 to 1.5"),
        (lambda: select_bins([]), "x must be a 1-D array"),
        (lambda: select_bins([0.5, math.nan]), "x contains NaN"),
        (lambda: select_bins(["a"]), "x has dtype .* numbers are needed"),
        (lambda: select_bins([0.5]), "x must have at least 2 values, since one is left out, got 1"),
        (lambda: select_bins([0.5, 0.1], [1.5]), "n_bins must be an integer >= 1, got 1.5"),
        (lambda: select_bins([0.5, 0.1], [0]), "n_bins must be an integer >= 1, got 0"),
        (lambda: Histogram(n_bins=0).fit([0.5, 0.1]), "n_bins must be an integer >= 1, got 0"),
        (lambda: gaussian_relative_mise(-1.0, 5, 2), "bandwidth must be a finite number > 0 .* got -1.0"),
        (lambda: gaussian_relative_mise(1.0, 0, 2), "n must be a finite number > 0, got 0"),
        (lambda: gaussian_relative_mise(1.0, 5, 0), "d must be an integer >= 1, got 0"),
        (
            lambda: kernel_density([0.0], [0.0], 0.0),
            "bandwidth must be a finite number >= 1e-300 and <= 1e\\+300, got 0.0",
        ),
        (lambda: kernel_density([0.0], [math.inf], 1.0), "points contains infinity"),
        (
            lambda: kernel_density([0.0], [0.0], 1.0, "normal"),
            "kernel, unless it is a Kernel, must be one of",
        ),
        (
            lambda: kernel_density([0.0], [0.0], 1.0, sample_weight=[-1]),
            "sample_weight must have entries >= 0",
        ),
        (lambda: kernel_cv_scores([0.0], [1.0]), "x must have at least 2 values"),
        (lambda: kernel_cv_scores([0.0, 1.0], [0.0]), "bandwidths must be positive, got 0.0"),
        (lambda: select_bandwidth([1.0]), "x must have at least 2 values"),
        (lambda: select_bandwidth([1.0, 1.0]), "feature 0 of X does not vary over n_samples = 2"),
        (
            lambda: KernelDensity().fit([[0.0, 1.0], [1.0, 1.0]]),
            r"feature 1 of X does not vary over n_samples = 2",
        ),
        (
            lambda: KernelDensity(bandwidth="scott").fit([[1e200], [0.0]]),
            r"X has entries up to 1e\+200, whose squares overflow",
        ),
        (lambda: KernelDensity(bandwidth=[[1.0]]).fit(X2), r"symmetric matrix of shape \(2, 2\), got shape"),
        (
            lambda: KernelDensity(bandwidth=[1.0, 2.0]).fit(X2),
            r"must be a number or a symmetric matrix of shape",
        ),
        (
            lambda: KernelDensity(bandwidth=[[1.0, 0.5], [0.0, 1.0]]).fit(X2),
            "symmetric matrix; this one is not",
        ),
        (lambda: NormalMixture([0.5, 0.4], [0, 1], [1, 1]), "weights: the masses sum to 0.9"),
        (lambda: NormalMixture([1.0], [0.0], [0.0]), "scales must be positive standard deviations, got 0.0"),
        (lambda: NORMAL.roughness(3), "derivative must be an integer >= 0 and <= 2, got 3"),
        (lambda: NORMAL.risk(-1.0, 3), "bandwidth must be a finite number > 0, got -1.0"),
        (lambda: NORMAL.integrated_squared_error([0.0], [1.0, 0.0]), "bandwidth must be positive, got 0.0"),
        (lambda: sample_size(0), "d must be an integer >= 1, got 0"),
        (lambda: sample_size(1, 1.0), "error must be a finite number > 0 and < 1, got 1.0"),
        (
            lambda: Histogram().fit([2.0, 2.0]),
            "all values of x are 2, an interval without length; set support",
        ),
        (
            lambda: Histogram(support=(1, 0)).fit([0.5]),
            r"support must be \(low, high\) with low < high, got \(1, 0\)",
        ),
        (lambda: Histogram(n_bins=3).fit([0.0, 1e-310]), "support has the length 1e-310, beyond 1e-300"),
        (lambda: Histogram(n_bins=3).fit([-1e308, 1e308]), "support has the length inf, .* rescale x"),
        (lambda: Histogram(support=(0, 1)).fit([2.0]), r"x has values from 2 to 2, outside support \[0, 1\]"),
        (
            lambda: Histogram(n_bins="best").fit([0.0, 1.0]),
            "n_bins, unless it is an integer, must be one of 'cv'",
        ),
        (lambda: Histogram().fit(X2), r"x must be a 1-D array of shape \(n,\), got shape \(3, 2\)"),
        (lambda: Histogram(n_bins=1).fit([0.0, 1.0]).sample(0), "n_samples must be an integer >= 1, got 0"),
        (
            lambda: KernelDensity(kernel="biweight").fit(X2),
            "kernel must be 'gaussian' for X with 2 features, got 'biw",
        ),
        (
            lambda: KernelDensity(bandwidth="cv").fit(X2),
            r"bandwidth='cv' is for one feature without weights, got 2",
        ),
        (
            lambda: KernelDensity(bandwidth="cv").fit([[0.0], [1.0]], None, [1, 2]),
            r"one feature without weights, got 1 feature\(s\) and weights",
        ),
        (
            lambda: KernelDensity(bandwidth="best").fit(X2),
            "bandwidth, unless it is a number or a matrix, must be",
        ),
        (
            lambda: KernelDensity(bandwidth=-1.0).fit(X2),
            "bandwidth must be a finite number >= 1e-150 .* got -1.0",
        ),
        (lambda: KernelDensity(support=(0, 1)).fit(X2), "support is for one feature, X has 2"),
        (lambda: KernelDensity().fit([[1.0]]), "feature 0 of X does not vary over n_samples = 1"),
        (lambda: KernelDensity().fit(X2, None, [1.0]), r"sample_weight must be a 1-D array of shape \(3,\)"),
        (lambda: DensityThreshold(level=0).fit(X2), "level must be a finite number > 0 and < 1, got 0"),
        (lambda: DensityThreshold().fit([[1.0]]), "minimum of 2 is required"),
        (lambda: Histogram().density([1.0]), "Histogram instance is not fitted yet"),
        (lambda: KernelDensity().sample(2), "KernelDensity instance is not fitted yet"),
        (lambda: KernelDensity().score_samples([[1.0]]), "KernelDensity instance is not fitted yet"),
        (lambda: KernelDensity(bandwidth=1.0).fit(X2).sample(0), "n_samples must be an integer >= 1, got 0"),
        (
            lambda: KernelDensity(bandwidth=1.0).fit(X2).density([[1.0]]),
            "X has 1 features, but KernelDensity is exp",
        ),
    ],
)
def test_every_error_is_one_clear_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


# --- scikit-learn and SciPy

SKIPS = {
    "check_sample_weights_pandas_series": "pandas is not installed",
    "check_array_api_input": "SciPy's array-API mode is off",
    "check_estimators_unfitted": "no such method",
}


@pytest.mark.parametrize(
    "estimator", [KernelDensity(), KernelDensity(bandwidth=0.5), DensityThreshold()], ids=str
)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
def test_scikit_learns_own_checks_pass(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"} == {}
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 25


def test_agreement_with_scikit_learn_and_scipy():
    rng = np.random.default_rng(0)
    x, t = rng.normal(size=400), np.linspace(-6, 6, 200)
    for kernel, ours in (("gaussian", "gaussian"), ("epanechnikov", "epanechnikov-unit")):
        peer = neighbors.KernelDensity(kernel=kernel, bandwidth=0.4, rtol=0, atol=0).fit(x[:, None])
        expected = np.exp(peer.score_samples(t[:, None]))
        np.testing.assert_allclose(kernel_density(x, t, 0.4, ours), expected, atol=1e-13)
    peer = gaussian_kde(x, bw_method="scott")
    np.testing.assert_allclose(
        KernelDensity(bandwidth="scott").fit(x[:, None]).density(t[:, None]), peer(t), atol=1e-14
    )
    X = rng.normal(size=(200, 3))
    peer = neighbors.KernelDensity(bandwidth=0.7, rtol=0, atol=0).fit(X)
    np.testing.assert_allclose(
        KernelDensity(bandwidth=0.7).fit(X).score_samples(X), peer.score_samples(X), atol=1e-12
    )
    counts = np.histogram(x, bins=17, range=(-5, 5))[0]
    model = Histogram(n_bins=17, support=(-5, 5)).fit(x)
    assert (model.counts_ == counts).all()
    tags = model.__sklearn_tags__().input_tags
    assert (tags.one_d_array, tags.two_d_array) == (True, False)


def test_public_names_exist():
    assert all(hasattr(density, name) for name in density.__all__)


STATEMENTS = (
    "setup", "mise", "bias-var", "decomposition", "histogram-estimator", "histogram-figure",
    "histogram-exact-mise", "histogram-amise", "histogram-hstar", "histogram-constant", "cv-risk", "cv-jhat",
    "cv-select", "cv-hist-approx", "cv-hist-formula", "histogram-limits", "kde-estimator", "kde-kernel",
    "kde-gaussian", "kde-epanechnikov", "kde-amise", "kde-hstar", "kde-rate", "kde-cv-unbiased",
    "kde-cv-formula", "kde-stone", "kde-multivariate", "kde-silverman", "kde-curse",
    *(f"erratum-y{number}" for number in range(25, 37)),
)  # fmt: skip


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    ids = {claim.id for claim in claims.of("density")}
    assert {f"density.{name}" for name in STATEMENTS} - ids == set()
