"""Histograms, kernel estimates, their scores and thresholds against the reference modules, on a lattice.

Points are eighths, so that ties are ties, edges are edges, and distances are exact. The estimators' sums are
within 1e-12 of the maximum of the estimate, their logarithms within 1e-9.
"""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import DensityThreshold, Histogram, KernelDensity
from mlnotes import density as reference
from mlnotes import histogram as histograms
from mlnotes.estimators import density as estimators
from mlnotes.estimators.base import LimitWarning
from mlnotes.estimators.density import KERNELS, Kernel

pytestmark = pytest.mark.usefixtures("short_sums")
OPTIONS = settings(derandomize=True, deadline=None, max_examples=120)
NAMES = st.sampled_from(sorted(KERNELS))
WIDTHS = st.sampled_from(  # no lattice distance is 1 or sqrt 5 times one; at the first only ties meet
    [2.0**-43, 2.0**-7, 0.0313, 0.21, 0.77, 2.0, 31.0]
)


@st.composite
def samples(draw, least=1):
    """Points with ties, constant, in clusters or far from 0, how often each counts, and evaluation points."""
    n = draw(st.integers(least, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    x = rng.integers(0, draw(st.sampled_from([1, 4, 40])), n) / 8.0
    if draw(st.booleans()):
        x[rng.random(n) < 0.3] += 60.0
    x += draw(st.sampled_from([0.0, 0.0, -3.0, 1000.0]))
    weights = rng.integers(0, 4, n)
    weights[0] = 1
    points = np.concatenate([x, rng.integers(-20, 60, 8) / 8.0 + x[0], [x.min() - 90.0, x.max() + 200.0]])
    return x, draw(st.sampled_from([None, weights])), rng.permutation(points)


def copies(x, weights):
    return x if weights is None else np.repeat(x, weights.astype(np.intp), axis=0)


def with_warnings(call, *arguments):
    """Return the result, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call(*arguments)
    assert all(w.category is LimitWarning for w in caught)
    return result, [str(w.message) for w in caught]


# --- histograms


@OPTIONS
@given(samples(), st.sampled_from([1, 2, 7]), st.sampled_from([None, (-2.0, 1.0), (0.0, 0.125)]))
def test_histogram_agrees_with_the_reference(sample, n_bins, margins):
    x, _, points = sample
    support = None if margins is None else (x.min() + margins[0], x.max() + margins[1])
    if support is None and np.ptp(x) == 0:
        return
    model = Histogram(n_bins=n_bins, support=support).fit(x)
    low, high = model.support_
    assert (low, high) == (support or (x.min(), x.max()))
    own = histograms.Histogram((low, high), n_bins).fit(x)
    edges = low + (high - low) * np.arange(n_bins + 1) / n_bins
    points = np.concatenate([points, edges])
    assert model.density(points) == pytest.approx(own.density(points), rel=1e-13)
    assert model.edges_ == pytest.approx(edges, rel=1e-14)
    assert model.bandwidth_ == pytest.approx((high - low) / n_bins, rel=1e-14)
    assert model.counts_.tolist() == histograms.bin_counts(own.sample_, n_bins).tolist()
    assert model.heights_ == pytest.approx(model.counts_ / (len(x) * model.bandwidth_), rel=1e-14)
    with np.errstate(divide="ignore"):
        assert (model.score_samples(points) == np.log(model.density(points))).all()
    score = histograms.histogram_cv_score(model.counts_) / (high - low) if len(x) > 1 else math.nan
    assert model.certificate_ == pytest.approx({"score": score}, nan_ok=True)


@OPTIONS
@given(st.integers(0, 2**20), st.integers(2, 70), st.integers(1, 12))
def test_the_number_of_bins_is_that_of_the_reference(seed, n, m):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, m * 8 + 1, n) / (8 * m)
    for candidates in (rng.integers(1, 40, 9), None):
        search, notes = with_warnings(estimators.select_bins, x, candidates)
        assert search.best == histograms.select_bins(x, candidates)
        own = [histograms.histogram_cv_score(histograms.bin_counts(x, int(k))) for k in search.values]
        assert search.scores.tolist() == own
        ties = np.unique(x, return_counts=True)[1]
        unbounded = histograms.histogram_cv_score(ties) < 0  # as if only ties shared a bin
        assert bool(notes) == (unbounded or (search.best == search.values.max() and len(search.values) > 1))
        assert all(("falls to minus infinity" in note) == unbounded for note in notes)
    if np.ptp(x):
        model, _ = with_warnings(Histogram().fit, x)
        unit = (x - x.min()) / np.ptp(x)
        assert model.n_bins_ == histograms.select_bins(unit)


# --- kernel estimates on the line


@pytest.mark.parametrize("kernel", sorted(KERNELS))
def test_constants_of_a_kernel(kernel):
    K = KERNELS[kernel]
    reach = min(K.radius, 12.0)
    u, step = np.linspace(-reach, reach, 200_001, retstep=True)
    assert K.density(u).sum() * step == pytest.approx(1, abs=1e-4)
    assert (u**2 * K.density(u)).sum() * step == pytest.approx(K.second_moment, abs=1e-4)
    assert (K.density(u) ** 2).sum() * step == pytest.approx(K.roughness, abs=1e-4)
    for x in (0.0, 0.3, 1.1, 1.9):
        assert (K.density(u) * K.density(x - u)).sum() * step == pytest.approx(
            K.self_convolution(x), abs=1e-4
        )
    assert K.self_convolution(0.0) == pytest.approx(K.roughness, rel=1e-13)
    silverman = {"epanechnikov": 1.0, "biweight": 0.9939, "triangular": 0.9859, "gaussian": 0.9512}
    silverman["uniform"] = 0.9295  # his table 3.1
    assert K.efficiency == pytest.approx(silverman[kernel.removesuffix("-unit")], abs=1e-4)


@pytest.mark.parametrize("kernel", sorted(KERNELS.keys() - {"gaussian"}))
def test_a_kernel_without_closed_form_is_integrated(kernel):
    known = KERNELS[kernel]
    own = Kernel("own", known.profile, known.radius)
    u = np.linspace(-5, 5, 101)
    # 64 panels of 40 nodes, a corner in at most two of them: about (2 sqrt 5 / 128)^2 / 40^2 = 8e-7
    assert own.self_convolution(u) == pytest.approx(known.self_convolution(u), abs=2e-6)
    x = np.random.default_rng(0).normal(size=50)
    assert estimators.kernel_density(x, u, 0.5, own) == pytest.approx(
        estimators.kernel_density(x, u, 0.5, kernel), rel=1e-13
    )
    assert len({own, known}) == 2


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_draws_have_the_moments_of_the_kernel(name):
    kernel = KERNELS[name]
    draws = kernel.draw(4000, np.random.default_rng(0))
    assert abs(draws).max() < kernel.radius
    # 7 standard errors of a mean of squares, whose fourth moment is at most 3 mu_2^2
    variance = kernel.second_moment
    assert (draws**2).mean() == pytest.approx(variance, abs=7 * 1.5 * variance / 4000**0.5)
    assert draws.mean() == pytest.approx(0, abs=7 * (variance / 4000) ** 0.5)


@OPTIONS
@given(samples(), WIDTHS, NAMES)
def test_density_and_its_logarithm_agree_with_the_double_sum(sample, h, name):
    x, weights, points = sample
    kernel, rows = KERNELS[name], copies(x, weights)
    own = reference.kernel_density(rows, points, h, kernel)
    highest = reference.kernel_density(rows, np.append(x, points), h, kernel).max()
    model = KernelDensity(bandwidth=h, kernel=name).fit(x[:, None], sample_weight=weights)
    for found in (model.density(points[:, None]), estimators.kernel_density(x, points, h, name, weights)):
        assert found == pytest.approx(own, abs=1e-12 * highest)
    with np.errstate(divide="ignore"):
        logs = np.log(own)
    if name == "gaussian":
        logs = reference.KernelDensity(np.array([[h**2]])).fit(rows[:, None]).score_samples(points[:, None])
    assert model.score_samples(points[:, None]) == pytest.approx(logs, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("n", [60, 700])
@pytest.mark.parametrize("step", [0.75, 2.9])
def test_points_that_share_a_fourier_series_have_their_whole_windows(n, step):
    x, points = np.arange(float(n)), np.arange(0.0, n, step)
    for weights in (None, 1.0 + x % 5):
        own = np.exp(-0.5 * np.subtract.outer(points, x) ** 2) @ (np.ones(n) if weights is None else weights)
        own /= math.sqrt(2 * math.pi) * (n if weights is None else weights.sum())
        found = estimators.kernel_density(x, points, 1.0, sample_weight=weights)
        assert found == pytest.approx(own, abs=1e-13 * own.max())


@settings(OPTIONS, max_examples=60)
@given(samples(least=2), NAMES)
def test_scores_and_the_choice_of_a_bandwidth_are_those_of_the_reference(sample, name):
    x, widths = sample[0], np.array([0.05, 0.21, 0.33, 0.77, 7.1])
    own = np.array([reference.kernel_cv_score(x, h, KERNELS[name]) for h in widths])
    assert (abs(estimators.kernel_cv_scores(x, widths, name) - own) <= 1e-10 / widths).all()
    check_choice(x, widths, name)


def check_choice(x, widths, name):
    """A candidate whose score is the smallest to rounding is chosen, with the right warnings."""
    search, notes = with_warnings(estimators.select_bandwidth, x, widths, name)
    if widths is None:
        widths = reference.normal_reference_bandwidth(x, KERNELS[name]) * np.geomspace(1 / 30, 2, 60)
    assert search.values == pytest.approx(widths, rel=1e-12)
    own = np.array([reference.kernel_cv_score(x, h, KERNELS[name]) for h in widths])
    assert own[search.values == search.best].min() <= own.min() + 1e-10 / widths.min()
    unbounded = reference.kernel_cv_limit(x, KERNELS[name]) < 0
    assert len(notes) == (unbounded or search.best in (search.values.min(), search.values.max()))
    assert all(("falls to minus infinity" in note) == unbounded for note in notes)
    return search, notes


@settings(OPTIONS, max_examples=20)
@given(samples(least=2), NAMES)
def test_cv_takes_the_best_of_sixty_bandwidths(sample, name):
    x = sample[0]
    if np.ptp(x) == 0:
        with pytest.raises(ValueError, match="does not vary"):
            estimators.select_bandwidth(x, None, name)
        return
    search, notes = check_choice(x, None, name)
    model, same = with_warnings(KernelDensity(bandwidth="cv", kernel=name).fit, x[:, None])
    assert (model.bandwidth_, same) == (search.best, notes)
    score = reference.kernel_cv_score(x, search.best, KERNELS[name])
    assert model.certificate_["score"] == pytest.approx(score, abs=1e-10 / search.best)


@settings(OPTIONS, max_examples=50)
@given(
    samples(), st.sampled_from([2.0**-7, 0.0313, 0.21, 0.77, 2.0, 31.0]),
    st.sampled_from(["gaussian", "uniform", "epanechnikov"]), st.sampled_from([0.0, 0.25, 3.0]),
)  # fmt: skip
def test_the_mass_outside_the_support_is_measured(sample, h, name, margin):
    x, weights, _ = sample
    some = x if weights is None else x[weights > 0]
    low, high = some.min() - margin, some.max() + margin + 0.125
    fit = KernelDensity(bandwidth=h, kernel=name, support=(low, high)).fit
    model, notes = with_warnings(lambda: fit(x[:, None], sample_weight=weights))
    points = copies(x, weights)
    outside = cumulative(name, (low - points) / h) + 1 - cumulative(name, (high - points) / h)
    # Gauss's rule of 80 nodes meets a corner of a bounded kernel for each observation
    slack = 1e-10 if name == "gaussian" else 0.02
    assert model.certificate_["leak"] == pytest.approx(outside.mean(), abs=slack)
    assert bool(notes) == (model.certificate_["leak"] > 0.01)
    assert not notes or f"{model.certificate_['leak']:.1%} of the mass" in notes[0]


def cumulative(name, u):
    """Return the integral of K up to u."""
    if name == "gaussian":
        return np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in u])
    v = np.clip(u / KERNELS[name].radius, -1, 1)
    return (1 + v) / 2 if name == "uniform" else 0.5 + 0.75 * (v - v**3 / 3)


# --- several features, and the estimators


@st.composite
def tables(draw, least=1):
    """Rows of eighths with copies, one to three features of different units, and evaluation points."""
    n, d = draw(st.integers(least, 10)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.integers(0, draw(st.sampled_from([2, 12])), (n, d)) / 8.0
    X *= np.resize(draw(st.sampled_from([[1.0], [1.0, 2.0**-6, 2.0**6]])), d)
    points = np.concatenate([X, X[rng.integers(0, n, 5)] + rng.integers(-8, 9, (5, d)) / 8, X[:1] + 1e3])
    return X, points, rng


def some_matrix(rng, d):
    """H of random eigenvectors, the ratio of its axes below 10."""
    A = rng.integers(-2, 3, (d, d)) / 4 + 1.5 * np.eye(d)
    return A @ A.T


@OPTIONS
@given(tables(), st.sampled_from([2.0**-12, 0.3, 2.0, "matrix", "silverman", "scott"]), st.booleans())
def test_kernel_density_agrees_with_the_reference(table, bandwidth, weighted):
    X, points, rng = table
    n, d = X.shape
    weights = rng.integers(1, 4, n) if weighted else None
    rows = copies(X, weights)
    if isinstance(bandwidth, str) and bandwidth != "matrix" and (np.ptp(X, axis=0) == 0).any():
        with pytest.raises(ValueError, match="does not vary over n_samples"):
            KernelDensity(bandwidth=bandwidth).fit(X, sample_weight=weights)
        return
    bandwidth = some_matrix(rng, d) if bandwidth == "matrix" else bandwidth
    model = KernelDensity(bandwidth=bandwidth).fit(X, sample_weight=weights)
    H = bandwidth
    if np.ndim(H) == 0:
        H = (
            bandwidth**2 * np.eye(d)
            if not isinstance(bandwidth, str)
            else reference.silverman_bandwidth(rows)
        )
        H = H * ((d + 2) / 4) ** (2 / (d + 4)) if bandwidth == "scott" else H
    assert np.reshape(model.bandwidth_, (d, d)) ** (2 if d == 1 else 1) == pytest.approx(H, rel=1e-12)
    assert model.n_samples_ == len(rows)
    own = reference.KernelDensity(H).fit(rows)
    logs = own.score_samples(points)
    assert model.score_samples(points) == pytest.approx(logs, rel=1e-8, abs=1e-8)
    highest = np.exp(own.score_samples(np.vstack([X, points])).max())
    assert model.density(points) == pytest.approx(np.exp(logs), abs=1e-11 * highest)
    assert model.score(points) == pytest.approx(logs.sum(), rel=1e-8, abs=1e-7)
    twins = (rows[:, None] == rows).all(axis=2).sum(axis=1) > 1
    assert model.certificate_ == {"ties": pytest.approx(twins.mean(), rel=1e-15), "leak": 0.0}


@pytest.mark.parametrize("far", [30.0, 1e3, 1e6])
def test_observations_that_lie_far_apart_do_not_cancel(far):
    """Squared distances are products or differences: within 1e-11 with the root of H."""
    rng = np.random.default_rng(0)
    X, M = rng.normal(size=(600, 3)) + 100.0, np.tril(rng.normal(size=(3, 3))) + 3 * np.eye(3)
    X[::3] += far * rng.normal(size=(200, 3))
    points, H = X[:300:2] + rng.normal(size=(150, 3)), M @ M.T
    own = reference.KernelDensity(H).fit(X).score_samples(points)
    assert KernelDensity(bandwidth=H).fit(X).score_samples(points) == pytest.approx(own, abs=1e-11)


@OPTIONS
@given(tables(least=2), st.sampled_from([2.0**-9, 0.3, 2.0, "matrix"]), st.integers(1, 19))
def test_the_threshold_is_that_of_the_reference(table, bandwidth, twentieths):
    X, points, rng = table
    n, d = X.shape
    bandwidth = some_matrix(rng, d) if bandwidth == "matrix" else bandwidth
    H = bandwidth if np.ndim(bandwidth) else bandwidth**2 * np.eye(d)
    model = DensityThreshold(bandwidth=bandwidth, level=twentieths / 20).fit(X)
    logs = np.array([
        reference.KernelDensity(H).fit(np.delete(X, i, axis=0)).score_samples(X[[i]])[0] for i in range(n)
    ])  # fmt: skip
    threshold = np.sort(logs)[-(-twentieths * n // 20) - 1]
    assert model.threshold_ == pytest.approx(threshold, rel=2e-6, abs=2e-6)
    scores = reference.KernelDensity(H).fit(X).score_samples(points)
    assert model.score_samples(points) == pytest.approx(scores, rel=1e-8, abs=1e-8)
    clear = abs(scores - threshold) > 1e-5 * (1 + abs(scores))
    assert (model.predict(points) == np.where(scores < threshold, -1, 1))[clear].all()
    if n * twentieths % 20:  # no rounding in the rank
        own = reference.outlier_threshold(X, H, twentieths / 20)
        assert model.threshold_ == pytest.approx(own, rel=2e-6, abs=2e-6)


# --- at the limits of float64


def test_bandwidths_end_where_their_logarithms_do():
    for d, most in ((1, 1e300), (2, 1e150)):  # of several features h^2 is a float
        X = np.eye(2)[:, :d]
        for h in (1 / most, most):
            at_zero = -d * math.log(h * math.sqrt(2 * math.pi))
            expected = at_zero + (0.0 if h > 1 else -math.log(2))
            assert KernelDensity(bandwidth=h).fit(X).score_samples(X) == pytest.approx(expected)
        for h in (np.nextafter(1 / most, 0), np.nextafter(most, np.inf)):
            with pytest.raises(ValueError, match="bandwidth must be a finite number"):
                KernelDensity(bandwidth=h).fit(X)
    for h in (1e-300, 1e300):
        assert estimators.kernel_density([0.5], [0.5], h) * h == pytest.approx(1 / math.sqrt(2 * math.pi))
        threshold = DensityThreshold(bandwidth=h).fit([[0.0], [0.0]]).threshold_
        assert threshold == pytest.approx(-math.log(h * math.sqrt(2 * math.pi)))


def test_logarithms_hold_however_far_a_point_is():
    x, points = np.array([[-0.25], [0.5]]), np.array([-1e200, -1e20, -2e9, 2e9, 1e17])
    for weights in (None, [2.0, 0.5]):
        found = KernelDensity(bandwidth=0.5).fit(x, sample_weight=weights).score_samples(points[:, None])
        gaps = np.where(points < 0, -0.25 - points, points - 0.5)
        with np.errstate(over="ignore"):
            assert found == pytest.approx(-0.5 * (gaps / 0.5) ** 2, rel=1e-9)


def test_a_bandwidth_matrix_is_symmetric_and_positive_definite():
    X, H = np.eye(3), np.array([[4.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 3.0]]) / 1024
    for noise, match in ((0.9e-12, None), (1.5e-12, "must be a symmetric matrix")):
        near = H.copy()
        near[0, 1] += noise * H.max()
        if match is None:
            own = reference.KernelDensity(H).fit(X).score_samples(X)
            assert KernelDensity(bandwidth=near).fit(X).score_samples(X) == pytest.approx(own, abs=1e-10)
        else:
            with pytest.raises(ValueError, match=match):
                KernelDensity(bandwidth=near).fit(X)
    close = [np.array([[1.0, r], [r, 1.0]]) for r in np.sqrt([1 - 4e-12, 1 - 1e-13])]
    assert np.isfinite(KernelDensity(bandwidth=close[0]).fit(X[:, :2]).score_samples(X[:, :2])).all()
    wrong = np.zeros((2, 2)), np.diag([1.0, 0.0]), np.diag([1.0, -0.5]), np.array([[1.0, 2.0], [2.0, 1.0]])
    for M in (*wrong, close[1]):
        with np.errstate(all="raise"), pytest.raises(ValueError, match="must be a positive definite matrix"):
            KernelDensity(bandwidth=M).fit(X[:, :2])


def test_a_feature_varies_where_its_variance_exceeds_rounding():
    X = np.array([[1.0], [1 + 1e-9], [1 + 2e-9]])
    variance = KernelDensity(bandwidth="scott").fit(X).bandwidth_ ** 2 * 3 ** (2 / 5)
    assert variance == pytest.approx(1e-18, rel=1e-6)
    with pytest.raises(ValueError, match="does not vary"):
        KernelDensity().fit([[1.0], [1 + 2.0**-52], [1.0]])
    with pytest.raises(ValueError, match="whose squares underflow"):
        KernelDensity().fit([[1e-160], [2e-160]])


def test_copies_of_the_largest_observations_are_found():
    X = np.array([[1.7e308] * 8, [-1.7e308] * 8, [1.7e308] * 8])
    model = KernelDensity(bandwidth=1.0).fit(X)
    assert model.certificate_["ties"] == pytest.approx(2 / 3)
    assert model.score_samples(X[:2]) == pytest.approx(np.log([2 / 3, 1 / 3]) - 4 * math.log(2 * math.pi))
