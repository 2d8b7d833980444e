"""Density estimation: hand cases, slow formulas, exact risks, invariances, limits, agreement."""

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

from mlnotes import claims, datasets
from mlnotes import density as board
from mlnotes.datasets.mixtures import NormalMixture, gaussian_relative_mise, sample_size
from mlnotes.density import histogram_cv_score, kernel_amise, kernel_best_bandwidth
from mlnotes.engines import density_sums as kernel_sums
from mlnotes.estimators import density
from mlnotes.estimators.base import LimitWarning
from mlnotes.estimators.density import (
    KERNELS,
    DensityThreshold,
    Histogram,
    Kernel,
    KernelDensity,
    bin_counts,
    histogram_cv_scores,
    histogram_density,
    kernel_cv_scores,
    kernel_density,
    log_density,
    multivariate_density,
    scott_bandwidth,
    select_bandwidth,
    select_bins,
    silverman_bandwidth,
    ties_break_selection,
)

NORMAL = NormalMixture([1.0], [0.0], [1.0])
BIMODAL = NormalMixture([0.4, 0.6], [-1.0, 2.0], [0.5, 1.0])
EVERY = pytest.mark.parametrize("kernel", list(KERNELS))

# --- exact hand cases


def test_bins_are_closed_on_the_left_and_the_last_on_both_sides():
    assert bin_counts([0.0, 0.25, 0.5, 0.75, 1.0], 4).tolist() == [1, 1, 1, 2]
    assert bin_counts([0.29], 100).argmax() == 29  # int(0.29 * 100) is 28
    for m in (3, 7, 10, 49, 100):
        edges = np.arange(m) / m
        assert bin_counts(edges, m).tolist() == [1] * m
        below = np.nextafter(edges[1:], 0)
        assert bin_counts(below, m).tolist() == [1] * (m - 1) + [0]


def test_histogram_by_hand():
    x = [0.1, 0.2, 0.3, 0.9]
    assert histogram_density(x, [0.0, 0.49, 0.5, 1.0, 1.1, -0.1], 2).tolist() == [1.5, 1.5, 0.5, 0.5, 0, 0]


def test_histogram_score_by_hand():
    # bins of width 1/2 with counts 3 and 1: int f^2 = (9/4 + 1/4)/2, left out 2 * (2/3) * 3 / 4
    assert histogram_cv_score([3, 1]) == float(F(5, 4) - F(2, 4) * 3 * 2 * F(2, 3))


def test_kernel_estimate_by_hand():
    assert kernel_density([0.0, 1.0], [0.0, 0.5], 2.0, "uniform").tolist() == [0.25, 0.25]
    assert kernel_density([0.0], [0.0, 1.0], 2.0, "epanechnikov-unit") == pytest.approx([0.375, 0.28125])
    gaussian = (1 + math.exp(-0.5)) / math.sqrt(2 * math.pi) / 2
    assert kernel_density([0.0, 1.0], [0.0], 1.0) == pytest.approx([gaussian], rel=1e-15)


def test_golden_numbers():
    gaussian, notes = KERNELS["gaussian"], KERNELS["epanechnikov"]
    assert gaussian.roughness == pytest.approx(0.2820947918, abs=1e-10)
    assert notes.roughness == pytest.approx(0.2683281573, abs=1e-10)
    assert notes.second_moment == pytest.approx(1, rel=1e-14)
    assert NORMAL.roughness(2) == pytest.approx(0.2115710938, abs=1e-10)
    assert kernel_best_bandwidth(1, NORMAL.roughness(2)) == pytest.approx(1.059223841, abs=1e-9)
    table = [7.8, 34, 114.7, 380, 1309, 4779, 18515, 75816]
    assert [sample_size(d) for d in range(1, 9)] == pytest.approx(table, rel=0.01)


def test_sample_sizes_of_small_errors_large_dimensions_and_beyond():
    for d, error in ((1, 1e-9), (3, 1e-8), (1, 0.9), (40, 0.5)):
        n = sample_size(d, error)
        least = min(gaussian_relative_mise(h, n, d) for h in np.geomspace(1e-3, 20, 20_001))
        assert least == pytest.approx(error, rel=1e-5)  # steps of 5e-4 in log h, d = 40 of the curvature
    assert sample_size(1, 1e-9) / sample_size(1, 1e-8) == pytest.approx(10**1.25, rel=0.01)  # the -4/5 of n
    assert sample_size(900) == math.inf
    assert gaussian_relative_mise(1e-200, 5, 2) == math.inf


# --- kernels


@EVERY
def test_constants_of_a_kernel(kernel):
    K = KERNELS[kernel]
    reach = min(K.radius, 12.0)
    u, step = np.linspace(-reach, reach, 200_001, retstep=True)
    assert K(u).sum() * step == pytest.approx(1, abs=1e-4)
    assert (u**2 * K(u)).sum() * step == pytest.approx(K.second_moment, abs=1e-4)
    assert (K(u) ** 2).sum() * step == pytest.approx(K.roughness, abs=1e-4)
    for x in (0.0, 0.3, 1.1, 1.9):
        assert (K(u) * K(x - u)).sum() * step == pytest.approx(K.self_convolution(x), abs=1e-4)
    assert K.self_convolution(0.0) == pytest.approx(K.roughness, rel=1e-13)
    assert 0 < K.efficiency <= 1 + 1e-12


def test_a_kernel_of_ones_own():
    unit = KERNELS["epanechnikov-unit"]
    mine = Kernel("mine", lambda x: 0.75 * (1 - x**2), 1.0)
    x = np.array([0.0, 0.4, 1.3, 2.5])
    np.testing.assert_allclose(mine.self_convolution(x), unit.self_convolution(x), atol=1e-14)
    data = np.random.default_rng(0).normal(size=50)
    ours, theirs = kernel_density(data, x, 0.5, mine), kernel_density(data, x, 0.5, unit)
    np.testing.assert_allclose(ours, theirs, rtol=1e-13)
    assert len({mine, unit}) == 2


@pytest.mark.parametrize(
    ("profile", "radius", "sentence"),
    [
        (lambda x: np.ones_like(x), 1.0, "kernel mine has mass 2; a kernel is a density"),
        (lambda x: 1 + x, 1.0, "kernel mine is not even"),
        (lambda x: 1.5 - 3 * x**2, 1.0, "must give one finite value >= 0 at every point"),
        (lambda x: 0.25 / np.sqrt(abs(x)), 1.0, "must give one finite value >= 0 at every point"),
        (lambda x: x.sum(), 1.0, "must give one finite value >= 0 at every point"),
        (np.cos, -1.0, "radius of kernel mine must be a finite number > 0, got -1.0"),
        (np.cos, math.inf, "radius of kernel mine must be a finite number > 0, got inf"),
    ],
)
def test_what_is_no_kernel(profile, radius, sentence):
    with pytest.raises(ValueError, match=sentence):
        Kernel("mine", profile, radius)


# --- the slow formula


def slow_sum(x, w, kernel, h, places):
    values = kernel((places[:, None] - x) / h)
    return (values if w is None else values * w).sum(axis=1)


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
def test_sums_are_within_the_bound_for_any_data_and_bandwidth(data, h):
    rng = np.random.default_rng(0)
    x = DATA[data](rng, 2000)
    places = np.concatenate([rng.choice(x, 40), np.linspace(x.min(), x.max(), 40), [-1e12, 1e12]])
    for kernel, w in product(KERNELS.values(), (None, rng.integers(1, 4, 2000) * 1.0)):
        with np.errstate(over="ignore"):
            fast = kernel_sums.kernel_sum(x, w, kernel, h, places)
            slow = slow_sum(x, w, kernel, h, places)
        assert abs(fast - slow).max() <= 5e-13 * slow.max(), kernel.name


def test_crowded_and_empty_stretches_in_turn():
    rng = np.random.default_rng(1)
    centres = np.cumsum(rng.uniform(0, 300, 12))
    x = np.concatenate([c + 0.2 * rng.normal(size=k) for c, k in zip(centres, [1, 2500] * 6, strict=True)])
    places = np.concatenate([rng.choice(x, 150), rng.uniform(-100, 4000, 150)])
    for h in (1e-4, 0.01, 0.1, 1.0, 5.0):
        fast, slow = (f(x, None, KERNELS["gaussian"], h, places) for f in (kernel_sums.kernel_sum, slow_sum))
        assert abs(fast - slow).max() <= 1e-13 * slow.max()


@pytest.mark.parametrize("data", ["normal", "cauchy", "ties", "clusters"])
def test_work_is_proportional_to_the_points_at_every_bandwidth(data, monkeypatch):
    work, pairs, start = {"pairs": 0, "cells": 0}, kernel_sums._window_sums, kernel_sums.Spectrum.__init__

    def counted_pairs(x, weights, places, low, high, term):
        work["pairs"] += int(np.maximum(high - low, 0).sum())
        return pairs(x, weights, places, low, high, term)

    def counted_cells(spectrum, *arguments):
        start(spectrum, *arguments)
        work["cells"] += spectrum.n_cells

    monkeypatch.setattr(kernel_sums, "_window_sums", counted_pairs)
    monkeypatch.setattr(kernel_sums.Spectrum, "__init__", counted_cells)
    rng, n = np.random.default_rng(0), 20_000
    clusters = np.repeat(np.arange(n // 300) * 600.0, 300)
    x = clusters + 0.1 * rng.random(len(clusters)) if data == "clusters" else DATA[data](rng, n)
    for h, kernel in product((1e-5, 0.01, 0.15, 1.0, 100.0), ("gaussian", "epanechnikov")):
        work.update(pairs=0, cells=0)
        kernel_density(x, x, h, kernel)
        # the direct sums, and chunks of 2^15 cells, two for every 256 points; the double sum has 4e8 pairs
        assert work["pairs"] <= 2**15 + (256 * len(x) if kernel == "gaussian" else 0)
        assert work["cells"] <= (2**15 * (2 * len(x) / 256 + 1) if kernel == "gaussian" else 0)


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_log_density_is_right_however_far(kernel):
    rng = np.random.default_rng(0)
    x = np.append(rng.normal(size=3000), 40.0)
    places = np.concatenate([np.linspace(-60, 60, 101), [1e5, -1e100]])
    ours = log_density(x, places, 0.3, kernel)
    np.testing.assert_allclose(ours, board.log_density(x, places, 0.3, kernel), rtol=1e-9, atol=1e-9)


@EVERY
@pytest.mark.parametrize("n", [5, 700])
def test_scores_against_the_double_sum(kernel, n):
    rng, K = np.random.default_rng(n), KERNELS[kernel]
    x = np.round(rng.normal(size=n), 2)  # some ties
    for h in (0.0113, 0.3057, 2.0031):  # no two points are just h apart
        for score in ("kernel_cv_scores", "kernel_cv_approximation"):
            expected = getattr(board, score)(x, [h], K)
            assert getattr(density, score)(x, [h], kernel) == pytest.approx(expected, abs=1e-11 / h)


@pytest.mark.parametrize("rows", [np.eye(2), [[5.0], [6.0]]])
def test_a_support_that_is_refused_leaves_no_fit(rows):
    model = KernelDensity(support=(0.0, 1.0))
    with pytest.raises(ValueError, match="support"):
        model.fit(rows)
    with pytest.raises(NotFittedError):
        model.density(rows)


@EVERY
@pytest.mark.parametrize("again", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_copies_and_pickles_answer_the_same(kernel, again):
    x, far = np.array([[0.0], [1.0], [3.0]]), np.array([[0.5], [90.0]])
    model = KernelDensity(kernel=KERNELS[kernel]).fit(x)
    same = again(model)
    assert same.kernel_ is KERNELS[kernel]
    assert same.score_samples(far).tolist() == model.score_samples(far).tolist()
    if kernel == "gaussian":
        assert again(KernelDensity(kernel=KERNELS[kernel])).fit(np.eye(2)).bandwidth_.shape == (2, 2)


def test_scores_with_an_outlier_are_the_same_on_the_other_way():
    x = np.append(np.random.default_rng(0).normal(size=300), 1e7)
    for h in (0.05, 0.4):
        assert kernel_cv_scores(x, [h]) == pytest.approx(board.kernel_cv_scores(x, [h]), rel=1e-11)


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


def test_exact_ise_and_the_mean_over_samples():
    rng = np.random.default_rng(0)
    t, step = np.linspace(-8, 10, 4001, retstep=True)
    x = BIMODAL.sample(60, rng)
    error = ((kernel_density(x, t, 0.4) - BIMODAL.density(t)) ** 2).sum() * step
    assert BIMODAL.integrated_squared_error(x, 0.4) == pytest.approx(error, rel=1e-9)
    errors = [BIMODAL.integrated_squared_error(BIMODAL.sample(60, rng), 0.4) for _ in range(400)]
    spread = np.std(errors) / math.sqrt(400)
    assert abs(np.mean(errors) - sum(BIMODAL.risk(0.4, 60))) < 6 * spread


@pytest.mark.parametrize("n", [40, 2000])  # in pairs, and by the spectrum
def test_exact_ise_of_several_bandwidths_is_the_double_sum(n):
    rng, widths = np.random.default_rng(n), np.array([0.9, 0.05, 0.3])
    x = BIMODAL.sample(n, rng)
    far = NormalMixture([0.5, 0.5], [-1.0, 900.0], [0.5, 1.0])  # a mean out of reach of every point
    for distribution in (BIMODAL, far):
        errors = distribution.integrated_squared_error(x, widths)
        for h, error in zip(widths, errors, strict=True):
            square = board.pair_sums(x, h)[0]
            spreads = np.hypot(distribution.scales, h)
            terms = np.exp(-0.5 * ((x[:, None] - distribution.means) / spreads) ** 2) / (
                spreads * math.sqrt(2 * math.pi)
            )
            mixed = (terms @ distribution.weights).mean()
            assert error == pytest.approx(square - 2 * mixed + distribution.roughness(), abs=1e-13)
            assert distribution.integrated_squared_error(x, h) == pytest.approx(error, abs=1e-13)


def test_mise_is_at_most_amise_and_the_best_bandwidth_is_least():
    for distribution, n, h in product((NORMAL, BIMODAL), (1, 10, 10_000), (0.01, 0.3, 5.0)):
        assert sum(distribution.risk(h, n)) <= kernel_amise(h, n, distribution.roughness(2)) * (1 + 1e-12)
    best = BIMODAL.best_bandwidth(100)
    assert all(
        sum(BIMODAL.risk(best, 100)) <= sum(BIMODAL.risk(best * c, 100)) for c in (0.9, 0.99, 1.01, 1.1)
    )


# --- invariances


@EVERY
def test_the_estimate_moves_and_stretches_with_the_data(kernel):
    rng = np.random.default_rng(0)
    x, t = rng.normal(size=500), np.linspace(-3, 3, 50) + 1e-3
    for a, b in ((2.0, -3.0), (0.25, 100.0)):
        moved = kernel_density(a * x + b, a * t + b, 0.3 * a, kernel)
        np.testing.assert_allclose(moved * a, kernel_density(x, t, 0.3, kernel), rtol=1e-9, atol=1e-9)


def test_rules_follow_the_units():
    X = np.random.default_rng(0).normal(size=(80, 2))
    for rule in (silverman_bandwidth, scott_bandwidth):
        np.testing.assert_allclose(rule(X * [10.0, 0.1]), rule(X) * np.diag([100.0, 0.01]), rtol=1e-12)
    assert silverman_bandwidth(X[:, :1])[0, 0] == pytest.approx((4 / 240) ** 0.4 * X[:, 0].var(ddof=1))
    x = X[:, 0]
    assert select_bandwidth(1000 * x).best == pytest.approx(1000 * select_bandwidth(x).best)


def test_a_matrix_that_is_a_number_and_affine_maps():
    rng = np.random.default_rng(0)
    X, T = rng.normal(size=(60, 3)), rng.normal(size=(20, 3))
    h, A = 0.7, np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.0, 3.0]])
    plain = multivariate_density(X, T, h)
    np.testing.assert_allclose(multivariate_density(X, T, h**2 * np.eye(3)), plain, rtol=1e-12)
    slow = np.exp(-0.5 * ((T[:, None] - X) ** 2).sum(axis=2) / h**2).mean(axis=1)
    np.testing.assert_allclose(plain, slow / (h * math.sqrt(2 * math.pi)) ** 3, rtol=1e-12)
    mapped = multivariate_density(X @ A.T, T @ A.T, h**2 * A @ A.T)
    np.testing.assert_allclose(mapped * np.linalg.det(A), plain, rtol=1e-9)
    one = multivariate_density(X[:, :1], T[:, :1], h)
    np.testing.assert_allclose(one, kernel_density(X[:, 0], T[:, 0], h), rtol=1e-12)


@pytest.mark.parametrize("scale", [1.0, 1e-4, 1e-9])
def test_small_bandwidths_in_several_features_do_not_cancel(scale):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    T = np.vstack([X[:20] + scale * rng.normal(size=(20, 2)), [[1e6, 0.0], [3e130, -1e130]]])
    slow = board.KernelDensity(scale).fit(X).score_samples(T)
    model = KernelDensity(bandwidth=scale).fit(X)
    np.testing.assert_allclose(model.score_samples(T), slow, rtol=1e-9, atol=1e-9)


def test_a_tiny_bandwidth_sees_each_row_alone():
    X, h = 1e10 * np.random.default_rng(0).normal(size=(5, 2)), 1e-150  # squares of distances overflow
    alone = -math.log(5) - math.log(2 * math.pi) - 2 * math.log(h)
    assert KernelDensity(bandwidth=h).fit(X).score_samples(X) == pytest.approx(alone)


@pytest.mark.parametrize("d", [2, 20, 64])
@pytest.mark.parametrize("far", [10.0, 1e3, 1e5])
def test_far_rows_in_many_features_do_not_cancel(d, far):
    """Exponents may err by 5e-13; the other half is for H, whose root both sides take."""
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
    np.testing.assert_allclose(logs[:40], slow.astype(float), rtol=0, atol=1e-12)
    assert logs[40] < -1e300


@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_share_of_ties_counts_equal_rows_alone(d):
    rng = np.random.default_rng(d)
    X = rng.integers(0, 3, size=(50, d)) * 1e307
    X[rng.random(X.shape) < 0.2] *= -1.0  # -0.0 is 0.0
    rows = [tuple(row) for row in X.tolist()]
    share = np.mean([rows.count(row) > 1 for row in rows])
    assert KernelDensity(bandwidth=1.0).fit(X).certificate_["ties"] == share
    copies = rng.integers(0, 3, 50)  # a row of weight 2 is there twice
    model = KernelDensity(bandwidth=1.0).fit(X, sample_weight=copies)
    again = KernelDensity(bandwidth=1.0).fit(X.repeat(copies, axis=0))
    assert model.certificate_["ties"] == again.certificate_["ties"]


def test_sampling_draws_from_the_estimate():
    X = np.array([[0.0], [0.0], [10.0]])
    for kernel, spread in (("gaussian", 1.0), ("epanechnikov", 1.0), ("triangular", 1 / 6)):
        model = KernelDensity(bandwidth=2.0, kernel=kernel).fit(X)
        draws = model.sample(20_000, random_state=0)[:, 0]
        assert draws.mean() == pytest.approx(10 / 3, abs=0.2)
        assert draws.var() == pytest.approx(200 / 9 + 4 * spread, abs=0.6)
        assert (model.sample(5, 1) == model.sample(5, 1)).all()
    two = KernelDensity(bandwidth=[[1.0, 0.5], [0.5, 1.0]]).fit([[0.0, 0.0]])
    np.testing.assert_allclose(np.cov(two.sample(20_000, 0).T), [[1.0, 0.5], [0.5, 1.0]], atol=0.05)
    one = Histogram(n_bins=2, support=(0, 1)).fit([0.1, 0.2, 0.3, 0.9])
    assert (one.sample(10_000, 0) < 0.5).mean() == pytest.approx(0.75, abs=0.03)


def test_fitting_twice_is_fitting_once_and_the_input_is_kept():
    X = np.random.default_rng(0).normal(size=(30, 1))
    kept = X.copy()
    model = KernelDensity(bandwidth="cv").fit(X)
    first = model.score_samples(X)
    assert (model.fit(X).score_samples(X) == first).all()
    assert (kept == X).all()
    X[:] = 0
    assert (model.score_samples(kept) == first).all()


# --- choice of the bandwidth


def test_selection_on_a_grid_is_the_brute_force():
    x = np.random.default_rng(3).normal(size=40)
    widths = np.geomspace(0.05, 2, 15)
    scores = []
    for h in widths:
        t, step = np.linspace(-12, 12, 20_001, retstep=True)
        others = [kernel_density(np.delete(x, i), x[i : i + 1], h)[0] for i in range(40)]
        scores.append((kernel_density(x, t, h) ** 2).sum() * step - 2 * np.mean(others))
    found = select_bandwidth(x, widths)
    np.testing.assert_allclose(found.scores, scores, rtol=1e-7)
    assert found.best == widths[np.argmin(scores)]


def test_cross_validation_finds_the_modes_of_real_data():
    for data, low, high in (
        (datasets.load_galaxies().X[:, 0] / 1000, 3, 9),
        (datasets.load_faithful().X[:, 1], 2, 3),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LimitWarning)  # waits are whole minutes
            widths = np.geomspace(0.2, 2, 40) * np.std(data) / 4
            h = select_bandwidth(data, widths).best
        t = np.linspace(data.min() - 3 * h, data.max() + 3 * h, 3000)
        f = kernel_density(data, t, h)
        modes = ((f[1:-1] > f[:-2]) & (f[1:-1] >= f[2:])).sum()
        assert low <= modes <= high


def test_ties_are_detected_by_the_exact_criterion():
    x = np.random.default_rng(0).normal(size=40)
    assert not ties_break_selection(x)
    assert ties_break_selection(np.repeat(x, 2))
    for copies in range(2, 40):  # some values twice: the sign of n h J at a tiny h decides
        data = np.append(x, x[:copies])
        gaps = np.diff(np.unique(data)).min()
        falls = kernel_cv_scores(data, [gaps / 20])[0] < 0
        assert ties_break_selection(data) == falls
    with pytest.warns(LimitWarning, match=r"80 ordered pairs of equal values among n = 80"):
        select_bandwidth(np.repeat(x, 2))
    with pytest.warns(LimitWarning, match="falls to minus infinity"):
        select_bins(np.repeat([0.1, 0.7, 0.4], 4))


def test_a_minimum_at_the_end_of_the_candidates_is_said():
    x = np.random.default_rng(0).normal(size=100)
    with pytest.warns(LimitWarning, match=r"the best bandwidth = 0\.1 is at the end of the candidates"):
        select_bandwidth(x, [0.01, 0.1])
    with pytest.warns(LimitWarning, match="the best n_bins = 3 is at the end"):
        select_bins(np.repeat(x.argsort() / 99.0, 1) ** 4, [1, 2, 3])


def test_ages_at_death_as_a_histogram():
    ages = datasets.load_ages_at_death().X
    x = np.repeat(ages[:, 0] + 0.5, np.rint(1000 * ages[:, 3]).astype(int))
    model = Histogram(n_bins=24, support=(0, 120)).fit(x)
    assert model.edges_[model.heights_.argmax()] == 85.0
    assert (model.heights_ * model.bandwidth_).sum() == pytest.approx(1, rel=1e-14)


# --- estimators: degenerate but legal


def test_boundary_leakage_is_measured_and_said():
    x = np.random.default_rng(0).exponential(size=300)[:, None]
    with pytest.warns(LimitWarning, match=r"\d\.\d% of the mass of the estimate lies outside the support"):
        model = KernelDensity(bandwidth=0.3, support=(0, 50)).fit(x)
    inside = [0.5 * math.erfc(-v / (0.3 * math.sqrt(2))) for v in x[:, 0]]
    assert model.certificate_["leak"] == pytest.approx(1 - np.mean(inside), abs=1e-10)
    assert KernelDensity(bandwidth=0.3, support=(-3, 50)).fit(x).certificate_["leak"] < 1e-6


def test_one_row_needs_a_bandwidth_and_is_its_own_estimate():
    model = KernelDensity(bandwidth=2.0).fit([[1.0, 1.0]])
    assert model.density([[1.0, 1.0]])[0] == pytest.approx(1 / (2 * math.pi * 4))
    assert Histogram(n_bins=1, support=(0, 1)).fit([1.0]).density([1.0]).tolist() == [1.0]


def test_novelty():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    model = DensityThreshold(level=0.1).fit(X)
    assert (model.predict([[0.0, 0.0], [8.0, 8.0]]) == [1, -1]).all()
    new = rng.normal(size=(4000, 2))
    assert (model.predict(new) == -1).mean() == pytest.approx(0.1, abs=0.04)
    alone = [
        KernelDensity(bandwidth=model.density_.bandwidth_).fit(np.delete(X, i, axis=0)).score_samples(X[[i]])
        for i in range(0, 400, 40)
    ]
    flat = np.sort(np.ravel(alone))
    one = DensityThreshold(bandwidth=model.density_.bandwidth_, level=0.3).fit(X[::40])
    less = [
        KernelDensity(bandwidth=model.density_.bandwidth_)
        .fit(np.delete(X[::40], i, axis=0))
        .score_samples(X[::40][[i]])[0]
        for i in range(10)
    ]
    assert one.threshold_ == pytest.approx(np.sort(less)[2], rel=1e-6)
    assert len(flat) == 10


def test_the_rank_of_the_threshold_is_not_rounded_up():
    X = np.random.default_rng(0).normal(size=(100, 1))
    model = DensityThreshold(bandwidth=0.5, level=0.07).fit(X)  # 0.07 * 100 > 7 in floating point
    alone = [
        KernelDensity(bandwidth=0.5).fit(np.delete(X, i, axis=0)).score_samples(X[[i]])[0] for i in range(100)
    ]
    assert model.threshold_ == pytest.approx(np.sort(alone)[6], rel=1e-6)


# --- every sentence

X2 = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: bin_counts([0.5, 1.5], 2), r"x must lie in \[0, 1\], got values from 0.5 to 1.5"),
        (lambda: bin_counts([], 2), "x must be a 1-D array"),
        (lambda: bin_counts([math.nan], 2), "x contains NaN"),
        (lambda: bin_counts(["a"], 2), "x has dtype .* numbers are needed"),
        (lambda: bin_counts([0.5], 0), "n_bins must be an integer >= 1, got 0"),
        (lambda: histogram_density([0.5], [math.inf], 2), "points contains infinity"),
        (lambda: gaussian_relative_mise(-1.0, 5, 2), "bandwidth must be a finite number > 0 .* got -1.0"),
        (lambda: gaussian_relative_mise(1.0, 0, 2), "n must be a finite number > 0, got 0"),
        (lambda: gaussian_relative_mise(1.0, 5, 0), "d must be an integer >= 1, got 0"),
        (
            lambda: histogram_cv_scores([0.5], [1]),
            "x must have at least 2 values, since one is left out, got 1",
        ),
        (lambda: histogram_cv_scores([0.5, 0.1], [1.5]), "n_bins must be an integer >= 1, got 1.5"),
        (
            lambda: kernel_density([0.0], [0.0], 0.0),
            "bandwidth must be a finite number >= 1e-300 and <= 1e\\+300, got 0.0",
        ),
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
        (lambda: select_bandwidth([1.0, 1.0]), "feature 0 of X does not vary over n_samples = 2"),
        (
            lambda: silverman_bandwidth([[0.0, 1.0], [1.0, 1.0]]),
            r"feature 1 of X does not vary over n_samples = 2",
        ),
        (lambda: scott_bandwidth([[1e200], [0.0]]), r"X has entries up to 1e\+200, whose squares overflow"),
        (lambda: scott_bandwidth([[0.0]]), r"feature 0 of X does not vary over n_samples = 1"),
        (lambda: multivariate_density(X2, X2, [[1.0]]), r"symmetric matrix of shape \(2, 2\), got shape"),
        (
            lambda: multivariate_density(X2, X2, [1.0, 2.0]),
            r"must be a number or a symmetric matrix of shape",
        ),
        (lambda: multivariate_density(X2, X2, [[1.0, 0.5], [0.0, 1.0]]), "symmetric matrix; this one is not"),
        (
            lambda: multivariate_density(X2, X2, np.ones((2, 2))),
            "bandwidth must be a positive definite matrix",
        ),
        (lambda: multivariate_density(X2, X2, -np.eye(2)), "bandwidth must be a positive definite matrix"),
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


def test_not_fitted():
    with pytest.raises(NotFittedError):
        KernelDensity().score_samples([[1.0]])


def test_agreement_with_scikit_learn_and_scipy():
    rng = np.random.default_rng(0)
    x, t = rng.normal(size=400), np.linspace(-6, 6, 200)
    for kernel, ours, scale in (("gaussian",) * 2 + (1,), ("epanechnikov", "epanechnikov-unit", 1)):
        peer = neighbors.KernelDensity(kernel=kernel, bandwidth=0.4 * scale, rtol=0, atol=0).fit(x[:, None])
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
    assert (Histogram(n_bins=17, support=(-5, 5)).fit(x).counts_ == counts).all()


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
