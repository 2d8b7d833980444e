"""Histograms, kernel estimates, their scores and thresholds against the board, on points of a lattice.

Points are eighths, so that ties are ties, edges are edges, and distances are exact. The estimators' sums are
within 1e-12 of the maximum of the estimate, their logarithms within 1e-9.
"""

import contextlib
import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import DensityThreshold, Histogram, KernelDensity
from mlnotes import density as board
from mlnotes.engines import density_sums as engine
from mlnotes.engines.density_sums import Spectrum
from mlnotes.estimators import density as estimators
from mlnotes.estimators.base import LimitWarning
from mlnotes.estimators.density import feature_variances, whitener

pytestmark = pytest.mark.usefixtures("short_sums")
OPTIONS = settings(derandomize=True, deadline=None, max_examples=120)
NAMES = st.sampled_from(sorted(board.KERNELS))
WIDTHS = st.sampled_from(  # no lattice distance is 1 or sqrt 5 times one; at the first only ties meet
    [2.0**-43, 2.0**-7, 0.0313, 0.21, 0.77, 2.0, 31.0]
)


@st.composite
def samples(draw, least=1):
    """Points with ties, constant, in clusters or far from 0, how often each counts, and places."""
    n = draw(st.integers(least, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    x = rng.integers(0, draw(st.sampled_from([1, 4, 40])), n) / 8.0
    if draw(st.booleans()):
        x[rng.random(n) < 0.3] += 60.0
    x += draw(st.sampled_from([0.0, 0.0, -3.0, 1000.0]))
    weights = rng.integers(0, 4, n)
    weights[0] = 1
    places = np.concatenate([x, rng.integers(-20, 60, 8) / 8.0 + x[0], [x.min() - 90.0, x.max() + 200.0]])
    return x, draw(st.sampled_from([None, weights])), rng.permutation(places)


def copies(x, weights):
    return x if weights is None else np.repeat(x, weights.astype(np.intp), axis=0)


def said(call, *arguments):
    """The answer, and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answer = call(*arguments)
    assert all(w.category is LimitWarning for w in caught)
    return answer, [str(w.message) for w in caught]


# --- histograms


@OPTIONS
@given(st.data(), st.integers(1, 70), st.integers(1, 12))
def test_bins_and_their_scores(data, n, m):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**20)))
    x = rng.integers(0, m * 8 + 1, n) / (8 * m)
    edges = np.arange(m + 1) / m
    points = np.concatenate([x, edges, np.nextafter(edges, -1), np.nextafter(edges, 2), [-3.0, 7.0]])
    inside = points[(points >= 0) & (points <= 1)]
    assert estimators.bin_counts(inside, m).tolist() == board.bin_counts(inside, m).tolist()
    found = estimators.histogram_density(x, points, m)
    assert found == pytest.approx(board.histogram_density(x, points, m), rel=1e-15)
    if n > 1:
        sizes = rng.integers(1, 40, 9)
        assert (estimators.histogram_cv_scores(x, sizes) == board.histogram_cv_scores(x, sizes)).all()
        for some in (sizes, None):
            (search, notes), own = said(estimators.select_bins, x, some), board.select_bins(x, some)
            assert search.best == own.best
            assert search.values.tolist() == own.values.tolist()
            assert (search.scores == own.scores).all()
            ties = (
                board.histogram_cv_score(np.unique(x, return_counts=True)[1]) < 0
            )  # as if in ever more bins
            assert ["falls to minus infinity" in note for note in notes][:1] == (
                [True] if ties else [False] * len(notes)
            )
            assert bool(notes) == (ties or (search.best == max(own.values) and len(own.values) > 1))


@OPTIONS
@given(samples(), st.sampled_from(["cv", 1, 2, 7]), st.sampled_from([None, (-2.0, 1.0), (0.0, 0.125)]))
def test_a_histogram(sample, n_bins, margins):
    x, _, places = sample
    support = None if margins is None else (x.min() + margins[0], x.max() + margins[1])
    if support is None and np.ptp(x) == 0:
        return
    model, _ = said(Histogram(n_bins=n_bins, support=support).fit, x)
    if len(x) == 1 and n_bins == "cv":
        assert model.n_bins_ == 1
        return
    own = board.Histogram(n_bins=n_bins, support=support).fit(x)
    assert model.n_bins_ == own.n_bins_
    assert model.support_ == tuple(own.support_)
    assert model.density(places) == pytest.approx(own.density(places), rel=1e-13)
    low, high = own.support_
    assert model.edges_ == pytest.approx(np.linspace(low, high, own.n_bins_ + 1), rel=1e-14)
    assert model.bandwidth_ == pytest.approx((high - low) / own.n_bins_, rel=1e-14)
    assert model.counts_.tolist() == board.bin_counts(own.unit, own.n_bins_).tolist()
    assert model.heights_ == pytest.approx(model.counts_ / (len(x) * model.bandwidth_), rel=1e-14)
    with np.errstate(divide="ignore"):
        assert (model.score_samples(places) == np.log(model.density(places))).all()
    score = board.histogram_cv_score(model.counts_) / (high - low) if len(x) > 1 else math.nan
    assert model.certificate_ == pytest.approx({"score": score}, nan_ok=True)


# --- kernel estimates


@pytest.mark.parametrize("name", sorted(board.KERNELS))
def test_the_kernels(name):
    ours, own = estimators.KERNELS[name], board.KERNELS[name]
    assert (ours.name, ours.radius) == (name, own.radius)
    for constant in ("roughness", "second_moment", "at_zero"):
        assert getattr(ours, constant) == pytest.approx(getattr(own, constant), rel=1e-13)
    silverman = {
        "epanechnikov": 1.0,
        "biweight": 0.9939,
        "gaussian": 0.9512,
        "uniform": 0.9295,
    }  # his table 3.1
    assert ours.efficiency == pytest.approx(silverman[name.removesuffix("-unit")], abs=1e-4)
    u = np.append(np.linspace(-5, 5, 301), [math.sqrt(5), -1.0, 2.0, 20.0])
    assert ours(u) == pytest.approx(own(u), abs=1e-15)
    assert ours.self_convolution(u) == pytest.approx(own.self_convolution(u), abs=1e-14)
    assert ours.self_convolution(2 * ours.radius) == 0
    draws = ours.draw(4000, np.random.default_rng(0))
    assert abs(draws).max() < own.radius
    # 7 standard errors of a mean of squares, whose fourth moment is at most 3 mu_2^2
    assert (draws**2).mean() == pytest.approx(own.second_moment, abs=7 * 1.5 * own.second_moment / 4000**0.5)
    assert draws.mean() == pytest.approx(0, abs=7 * (own.second_moment / 4000) ** 0.5)


def test_a_convolution_that_is_given_holds_on_the_support_of_its_kernel():
    unit = estimators.KERNELS["triangular"]
    wide = estimators.Kernel(
        "wide", lambda x: unit.profile(x / 3) / 3, 3.0, convolution=lambda x: unit.convolution(x / 3) / 3
    )
    x = np.array([0.0, 0.5, 1.0, 2.5, 5.5, 6.0, 6.5])
    assert wide.self_convolution(x) == pytest.approx(unit.self_convolution(x / 3) / 3, abs=1e-15)


@pytest.mark.parametrize("name", sorted(estimators.KERNELS.keys() - {"gaussian"}))
def test_a_convolution_is_the_integral_that_a_kernel_without_closed_form_takes(name):
    ours = estimators.KERNELS[name]
    plain = estimators.Kernel("plain", ours.profile, ours.radius)
    u = np.linspace(-5, 5, 101)
    # 128 panels of 40 nodes, a corner in at most two of them: about (2 sqrt 5 / 128)^2 / 40^2 = 8e-7
    assert ours.self_convolution(u) == pytest.approx(plain.self_convolution(u), abs=2e-6)


@pytest.mark.parametrize("side", [board, estimators])
def test_the_mass_of_a_kernel_is_one_to_nine_digits(side):
    for excess, right in ((0.9e-9, True), (1.1e-9, False), (-0.9e-9, True), (-1.1e-9, False)):
        with contextlib.nullcontext() if right else pytest.raises(ValueError, match="kernel box"):
            side.Kernel("box", lambda u, e=excess: np.full(np.shape(u), 0.5 * (1 + e)), 1.0)


def test_draws_are_the_points_of_a_box_that_lie_below_the_kernel():
    ours = estimators.KERNELS["triangular"]
    for n in (1, 2, 50):
        rng, below = np.random.default_rng(n), []
        while len(below) < n:
            x, heights = rng.uniform(-1, 1, 2 * n), rng.uniform(0, ours.profile(ours._nodes).max(), 2 * n)
            below += x[heights < 1 - abs(x)].tolist()
        assert ours.draw(n, np.random.default_rng(n)).tolist() == below[:n]


def test_only_the_gaussian_kernel_has_no_end():
    with pytest.raises(ValueError, match="radius of kernel wide"):
        estimators.Kernel("wide", lambda u: np.exp(-2 * abs(u)), math.inf)


@pytest.mark.parametrize("at_zero", [np.inf, np.nan, -1.0])
def test_a_kernel_has_a_value_at_zero(at_zero):
    with pytest.raises(ValueError, match="one finite value >= 0 at every point, 0 included"):
        estimators.Kernel("box", lambda u: np.where(u == 0, at_zero, 0.5), 1.0)


def test_a_kernel_is_even_to_twelve_digits_of_its_maximum():
    for excess, right in ((0.5e-12, True), (2e-12, False)):
        with contextlib.nullcontext() if right else pytest.raises(ValueError, match="not even"):
            estimators.Kernel("tent", lambda u, e=excess: np.maximum(1 - abs(u), 0) + e * (u < 0), 1.0)


@OPTIONS
@given(samples(), WIDTHS, NAMES)
def test_the_sum_of_bumps_and_its_logarithm(sample, h, kernel):
    x, weights, places = sample
    own = board.kernel_density(copies(x, weights), places, h, kernel)
    highest = board.kernel_density(copies(x, weights), np.append(x, places), h, kernel).max()
    found = estimators.kernel_density(x, places, h, kernel, weights)
    assert found == pytest.approx(own, abs=1e-12 * highest)
    logs = board.log_density(copies(x, weights), places, h, kernel)
    assert estimators.log_density(x, places, h, kernel, weights) == pytest.approx(logs, rel=1e-9, abs=1e-9)


def test_places_that_share_a_fourier_series_have_their_whole_windows():
    x, places = np.arange(60.0), np.arange(0.0, 60.0, 0.75)
    own = board.kernel_density(x, places, 1.0, "gaussian")
    assert estimators.kernel_density(x, places, 1.0) == pytest.approx(own, abs=1e-12 * own.max())


@settings(OPTIONS, max_examples=60)
@given(samples(least=2), NAMES)
def test_scores_and_the_choice_of_a_bandwidth(sample, kernel):
    x, widths = sample[0], np.array([0.05, 0.21, 0.33, 0.77, 7.1])
    slack = 1e-10 / widths
    scores = board.kernel_cv_scores(x, widths, kernel)
    assert (abs(estimators.kernel_cv_scores(x, widths, kernel) - scores) <= slack).all()
    approximate = board.kernel_cv_approximation(x, widths, kernel)
    assert (abs(estimators.kernel_cv_approximation(x, widths, kernel) - approximate) <= slack).all()
    assert estimators.ties_break_selection(x, kernel) is bool(board.ties_break_selection(x, kernel))
    check_choice(x, widths, kernel)


def check_choice(x, widths, kernel):
    """The board's candidates, and one whose score is the least to rounding; what is warned of."""
    search, notes = said(estimators.select_bandwidth, x, widths, kernel)
    own, ties = board.select_bandwidth(x, widths, kernel), board.ties_break_selection(x, kernel)
    assert search.values == pytest.approx(own.values, rel=1e-12)
    chosen = own.scores[search.values == search.best]
    assert chosen.min() <= own.scores.min() + 1e-10 / own.values.min()
    assert len(notes) == (ties or search.best in (search.values.min(), search.values.max()))
    assert not ties or "falls to minus infinity" in notes[0]
    return search, notes


@settings(OPTIONS, max_examples=20)
@given(samples(least=2), NAMES)
def test_sixty_candidates_and_the_bandwidth_of_the_estimator(sample, kernel):
    x = sample[0]
    if np.ptp(x) == 0:
        with pytest.raises(ValueError, match="does not vary"):
            estimators.select_bandwidth(x, None, kernel)
        return
    search, same = check_choice(x, None, kernel)
    model, notes = said(KernelDensity(bandwidth="cv", kernel=kernel).fit, x[:, None])
    assert (model.bandwidth_, notes) == (search.best, same)
    score = board.kernel_cv_scores(x, [search.best], kernel)[0]
    assert model.certificate_["score"] == pytest.approx(score, abs=1e-10 / search.best)


# --- the engine by itself, against all pairs


def all_pairs(x, weights, kernel, h, places):
    terms = kernel(np.subtract.outer(places, x) / h)
    return terms.sum(axis=1) if weights is None else terms @ weights


@pytest.mark.parametrize("limit", [0, 3, 2**30])
def test_every_way_through_the_sums_gives_that_of_all_pairs(limit, monkeypatch):
    for name in ("_DIRECT", "_FEW", "_PIECES"):
        monkeypatch.setattr(engine, name, limit)
    for name in ("_BLOCK", "_SHORT"):
        monkeypatch.setattr(engine, name, limit or 2**30)
    rng = np.random.default_rng(0)
    widths = (1e-13, 0.013, 0.34, 2.1, 70.0)
    for case, (kernel, h) in enumerate(itertools.product(estimators.KERNELS.values(), widths)):
        n, m = (40, 6) if case % 2 else (7, 30)
        x = rng.integers(-9, 10, n) / 8 + (1e7 if case % 3 else 40.0) * rng.integers(0, 3, n)
        weights = None if case % 4 < 2 else rng.integers(1, 9, n) / 4.0
        places = rng.choice(x, m) + rng.integers(-20, 21, m) / 16
        places = np.append(places, [x.min() - 150, x[0], x[0] + 20, x.max() + 9 * h])
        highest = all_pairs(x, weights, kernel, h, np.append(x, places)).max()
        own = all_pairs(x, weights, kernel, h, places)
        assert engine.kernel_sum(x, weights, kernel, h, places) == pytest.approx(own, abs=1e-13 * highest)
        wide, others = engine.pair_sum(x, kernel, h)
        gaps = np.subtract.outer(x, x) / h
        assert wide == pytest.approx(kernel.self_convolution(gaps).sum(), rel=1e-12)
        assert others == pytest.approx(kernel(gaps).sum() - n * kernel.at_zero, rel=1e-12, abs=1e-11)


def test_prefix_sums_are_exact_to_sixty_digits_of_the_largest_value_or_of_1():
    values = np.array([1 - 2.0**-53, 0.98 * 2.0**-60, -0.3, 1 / 3, 0.0, -0.98 * 2.0**-60, 0.7])
    for size in (2.0**-40, 1.0, 2.0**40):
        parts = engine._prefix_sums(size * values)
        for i, j in itertools.combinations(range(len(values) + 1), 2):
            total = sum(Fraction(int(whole[j] - whole[i])) / Fraction(scale) for whole, scale in parts)
            assert (
                abs(total - sum(map(Fraction, size * values[i:j])))
                <= (j - i) * Fraction(max(size, 1.0)) / 2**60
            )
        assert max(abs(np.diff(whole)).max() for whole, _ in parts) <= 2**30  # room for 2^33 terms
    assert all((whole == 0).all() for whole, _ in engine._prefix_sums(np.zeros(3)))


@pytest.mark.parametrize("pieces", [0, 2**40])
def test_sums_of_polynomials_hold_for_tiny_numbers(pieces, monkeypatch):
    """Whether these are all weights, or the distances to the centre of a cell, here 0."""
    monkeypatch.setattr(engine, "_PIECES", pieces)
    rng = np.random.default_rng(0)
    x, weights = rng.integers(0, 12, 30) / 8, rng.integers(1, 9, 30) / 4.0
    for kernel in estimators.KERNELS.values():
        own = all_pairs(x, weights, kernel, 0.77, x)
        for size in (1e-305, 1e-295, 1e-280, 1e300):
            found = engine.kernel_sum(x, size * weights, kernel, 0.77, x) / size
            assert found == pytest.approx(own, abs=1e-13 * own.max())
    x, kernel = np.array([-1.0, 1e-80, 1e-80, 1e-80]), estimators.KERNELS["biweight"]
    own = all_pairs(x, None, kernel, 1.0, np.full(2, 0.5))
    assert engine.kernel_sum(x, None, kernel, 1.0, np.full(2, 0.5)) == pytest.approx(own, rel=1e-13)


def test_a_place_out_of_reach_of_all_numbers_gets_nothing():
    x, kernel = np.arange(9.0), estimators.KERNELS["biweight"]
    with np.errstate(over="ignore", invalid="ignore"):
        assert engine.kernel_sum(x, None, kernel, 1e-9, np.array([0.0, 1e308])).tolist() == [15 / 16, 0.0]


def test_more_pairs_than_31_bits_count_are_not_added_one_by_one(monkeypatch):
    """Where integers have 32 bits, too: there their number was negative, which is few."""
    for name in ("_DIRECT", "_BLOCK"):
        monkeypatch.setattr(engine, name, 2**16)
    monkeypatch.setattr(engine, "_window_sums", lambda *_: pytest.fail("3.6e9 pairs, one by one"))
    x = np.linspace(0, 1, 60_000)
    assert (engine.kernel_sum(x, None, estimators.KERNELS["uniform"], 2.0, x) == 30_000).all()


def test_a_spectrum_gives_the_sums_of_both_pairs(monkeypatch):
    x = np.random.default_rng(0).integers(0, 90, 40) / 8
    for h in (0.1, 1.0, 3.0):
        found = engine.pair_sum(x, engine.GAUSSIAN, h, Spectrum(x, None, h, h))
        assert found == pytest.approx(engine.pair_sum(x, engine.GAUSSIAN, h), rel=1e-12, abs=1e-11)
    own = estimators.kernel_cv_scores(x, [0.1, 3.0])
    monkeypatch.setattr(engine, "_gaussian", lambda *_: pytest.fail("one more pass over the points"))
    assert estimators.kernel_cv_scores(x, [0.1, 3.0]).tolist() == own.tolist()


def test_a_spectrum_has_the_cells_and_the_frequencies_that_its_bandwidths_need():
    for case, span in enumerate(np.geomspace(1, 4, 60)):
        x, weights = np.array([0.0, 0.0, span / 3, span]) + 5, np.array([1.0, 2.0, 0.5, 1.0])
        spectrum = Spectrum(x, weights if case % 2 else None, 0.7, 1.5)
        weights = weights if case % 2 else np.ones(4)
        width = spectrum.period / spectrum.n_cells
        assert spectrum.period == pytest.approx(span + 17 * 1.5)
        assert 0.7 / 64 < width <= 0.7 / 32
        assert math.log2(spectrum.n_cells) % 1 == 0
        assert spectrum.frequencies[-2] * 0.7 < 8.5 <= spectrum.frequencies[-1] * 0.7
        shifts = x - x.min() + 8.5 * 1.5 - width / 2
        own = np.exp(-1j * np.outer(spectrum.frequencies, shifts)) @ weights
        damping = np.exp(-0.5 * (0.7 * spectrum.frequencies) ** 2)
        # the eighth term of Taylor's series, u^7 e^(-u^2/2) / (64^7 7!) at u^2 = 7, and rounding
        assert (damping * abs(spectrum.coefficients - own)).max() < 4e-15 * weights.sum()
        for h in (0.7, 1.5):
            places = np.array([x.min() - 12.75, 4.0, 5.0, 6.1, 7.0, x.max() + 12.75])
            places = np.append(places, [-200.0, 200.0])
            sums = np.exp(-0.5 * (np.subtract.outer(places, x) / h) ** 2) @ weights
            assert spectrum.smooth(h, places) == pytest.approx(sums, abs=1e-13 * weights.sum())
            singly = [spectrum.sum_at(h, place) for place in places]
            assert singly == pytest.approx(sums, abs=1e-13 * weights.sum())
            pairs = weights @ np.exp(-0.5 * (np.subtract.outer(x, x) / h) ** 2) @ weights
            assert spectrum.pair_sum(h) == pytest.approx(pairs, rel=2e-13)


def test_a_spectrum_is_for_many_points_and_not_for_too_many_cells(monkeypatch):
    monkeypatch.setattr(engine, "_MAX_CELLS", 2**10)
    for n, span in itertools.product((3, 4), (30.0, 30.5)):  # 32 cells of (30 + 2 * 17) / 2 bandwidths
        spectrum = Spectrum.where_faster(np.linspace(0, span, n), 2.0, 2.0)
        assert (spectrum is not None) == (n > 3 and span == 30)
        assert (Spectrum.where_faster(np.linspace(7, 7 + span, n), 2.0, 2.0) is None) == (spectrum is None)


def test_a_spectrum_of_small_numbers_is_that_of_large_ones():
    x = np.array([0.0, 0.0, 1.0, 3.0])
    small, large = Spectrum(x / 2**10, None, 0.5 / 2**10, 1 / 2**10), Spectrum(x, None, 0.5, 1.0)
    for place in (-0.5, 0.0, 0.7, 3.0):
        assert small.sum_at(0.5 / 2**10, place / 2**10) == pytest.approx(large.sum_at(0.5, place), rel=1e-12)


def test_chunks_of_a_fourier_series_are_few_and_within_its_span(monkeypatch):
    spans, start = [], Spectrum.__init__

    def noted(spectrum, x, *arguments):
        spans.append(np.ptp(x) / 0.5)
        start(spectrum, x, *arguments)

    monkeypatch.setattr(engine, "_SPAN", 40)
    monkeypatch.setattr(Spectrum, "__init__", noted)
    x, places = np.arange(0, 200, 0.5), np.arange(-30.0, 230.0, 0.25)
    own = np.exp(-0.5 * (np.subtract.outer(places, x) / 0.5) ** 2).sum(axis=1)
    assert engine._gaussian(x, None, 0.5, places) == pytest.approx(own, abs=1e-13 * own.max())
    assert max(spans) <= 40
    assert len(spans) == math.ceil((200 + 17 * 0.5) / (40 - 17) / 0.5 - 1)  # of places that see a point


@pytest.mark.parametrize("limit", [0, 2**40])
def test_logarithms_hold_where_the_sums_do_not(limit, monkeypatch):
    monkeypatch.setattr(engine, "_DIRECT", limit)
    many = np.repeat([0.0, 1.0, 1.5], [300, 300, 1])
    steep = np.array([0.0, 8.0]), np.array([1e-14, 1.0])
    samples = (many, None), (many, np.where(many == 1, 1e-9, 7.0)), steep, (np.zeros(1), None)
    for x, weights in samples:
        for h in (1e-3, 0.21, 1.0, 30.0):
            steps = h * np.array([0.0, 0.3, 2.2, 5.0, 5.5, 6.0, 7.0, 8.4, 8.6, 20.0, 1e3])
            places = np.concatenate([x.min() - steps, x.max() + steps, [0.5, 4.0]])
            logs = -0.5 * (np.subtract.outer(places, x) / h) ** 2 - 0.5 * math.log(2 * math.pi)
            own = np.logaddexp.reduce(logs if weights is None else logs + np.log(weights), axis=1)
            found = engine.log_kernel_sum(x, weights, engine.GAUSSIAN, h, places)
            assert found == pytest.approx(own, rel=1e-13, abs=1e-9)
    far = engine.log_kernel_sum(x, None, engine.GAUSSIAN, 1e-200, np.array([-1e200, x[0]]))
    assert far.tolist() == [-math.inf, pytest.approx(-0.5 * math.log(2 * math.pi))]


def exact_exponents(X, points, A):
    """Minus half the squared lengths of A (t - x), rounded once."""
    X, points, A = ([[Fraction(v) for v in row] for row in M.tolist()] for M in (X, points, A))
    return np.array([
        [-float(sum(sum(a * (u - v) for a, u, v in zip(row, t, x, strict=True)) ** 2 for row in A)) / 2
         for x in X] for t in points
    ])  # fmt: skip


@pytest.mark.parametrize("radius", [0.5, 24.0, 300.0, 2e4, 4e5])
@pytest.mark.parametrize("centre", [0.0, 1e9])
def test_exponents_in_several_features_are_right_to_twelve_digits(radius, centre):
    """Whatever their size: products as they are, in two parts, or differences."""
    rng = np.random.default_rng(0)
    for d, A in ((1, np.array([[1.7]])), (3, np.array([[1.0, 0, 0], [-0.3, 0.02, 0], [0.7, 0, 9.0]]))):
        Z = rng.standard_normal((6, d))
        Z *= radius / np.linalg.norm(Z, axis=1, keepdims=True)
        X = np.vstack([Z, -Z]) @ np.linalg.inv(A).T + centre
        points = X + rng.standard_normal((12, d)) @ np.linalg.inv(A).T
        weights = rng.integers(1, 5, 12) / 2.0
        own = np.logaddexp.reduce(exact_exponents(X, points, A) + np.log(weights), axis=1)
        found = engine.multivariate_log_sum(X, weights, points, A)
        assert found == pytest.approx(own, abs=1e-12)


def test_products_answer_wherever_rows_are_near(monkeypatch):
    """Nothing is left to the slow sums, whose answers would be as good."""

    def slow(X, weights, points, A):
        assert not len(points), "the slow sums are asked"
        return np.empty(0)

    monkeypatch.setattr(engine, "slow_log_sums", slow)
    monkeypatch.setattr(engine, "_ROWS", 3)
    wide = np.array([[1.0, 1, 1, 1], [-1, -1, -1, -1], [0, 0, 0, 0]])
    steps = np.array([[20.0, 0, 0, 0], [15, 15, 15, 15], [0.5, 0, 0, 0]])
    for size, shift in ((1.0, 0.0), (100.0, 0.0), (1.0, 2.0**22)):
        # the rows, and what is 20, 30 and 1/2 from the first of them
        X = size * wide + shift
        points = np.vstack([X, X[0] + steps])
        exponents = -0.5 * ((points[:, None] - X) ** 2).sum(axis=2)
        own = np.logaddexp.reduce(exponents, axis=1) + math.log(1000)
        X = np.repeat(X, 1000, axis=0)
        for weights in (None, np.full(3000, 2.0)):
            shift = 0.0 if weights is None else math.log(2)
            found = engine.multivariate_log_sum(X, weights, points, np.eye(4))
            assert found == pytest.approx(own + shift, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("block", [3, 2**40])
def test_every_way_through_several_features_gives_that_of_all_pairs(block, monkeypatch):
    for name in ("_ROWS", "_COLUMNS", "_SLOW"):
        monkeypatch.setattr(engine, name, block)
    rng, steps = np.random.default_rng(0), []
    for d, weighted in itertools.product((1, 2, 4), (False, True)):
        X, A = rng.integers(-9, 10, (10, d)) / 8.0, np.tril(rng.standard_normal((d, d))) + 2 * np.eye(d)
        weights = rng.integers(1, 9, 10) / 4.0 if weighted else None
        points = np.vstack([X[:5], X + rng.standard_normal((10, d)), X[:1] + 300.0])
        exponents = -0.5 * ((np.subtract(points[:, None], X) @ A.T) ** 2).sum(axis=2)
        exponents += 0.0 if weights is None else np.log(weights)
        own = np.logaddexp.reduce(exponents, axis=1)
        for plain, split in ((math.inf, 0), (0, math.inf), (0, 0)):
            monkeypatch.setattr(engine, "_PLAIN", plain)
            monkeypatch.setattr(engine, "_SPLIT", split)
            found = engine.multivariate_log_sum(X, weights, points, A, lambda *step: steps.append(step))
            assert found == pytest.approx(own, rel=1e-12, abs=1e-12)
        alone = np.arange(len(points)) % 10
        exponents[np.arange(len(points)), alone] = -np.inf
        found = engine.slow_log_sums(X, weights, points, A, left_out=alone)
        assert found == pytest.approx(np.logaddexp.reduce(exponents, axis=1), rel=1e-12, abs=1e-12)
    shares = [share for share, _ in steps[: math.ceil(10 / block)]]
    assert shares == pytest.approx(np.arange(0, 10, block) / 10)
    assert steps[0][1] == "0 of 10 kernels at 16 points"
    assert engine.slow_log_sums(X, None, X[:1] + 1e200, A).tolist() == [-math.inf]
    pair = np.array([[-1e200], [1e200]])
    assert engine.multivariate_log_sum(pair, None, pair, np.eye(1)).tolist() == [0.0, 0.0]


# --- several features, and the estimators


@st.composite
def tables(draw, least=1):
    """Rows of eighths with copies, one to three features of different units, and places."""
    n, d = draw(st.integers(least, 10)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.integers(0, draw(st.sampled_from([2, 12])), (n, d)) / 8.0
    X *= np.resize(draw(st.sampled_from([[1.0], [1.0, 2.0**-6, 2.0**6]])), d)
    places = np.concatenate([X, X[rng.integers(0, n, 5)] + rng.integers(-8, 9, (5, d)) / 8, X[:1] + 1e3])
    return X, places, rng


def some_matrix(rng, d):
    """H of random eigenvectors, the ratio of its axes below 10."""
    A = rng.integers(-2, 3, (d, d)) / 4 + 1.5 * np.eye(d)
    return A @ A.T


@OPTIONS
@given(tables(), st.sampled_from([2.0**-12, 0.3, 2.0, "matrix", "silverman"]), st.booleans(), NAMES)
def test_a_kernel_density(table, bandwidth, weighted, kernel):
    X, places, rng = table
    d = X.shape[1]
    kernel = kernel if d == 1 else "gaussian"
    weights = rng.integers(1, 4, len(X)) if weighted else None
    rows = copies(X, weights)
    if bandwidth == "silverman" and (np.ptp(X, axis=0) == 0).any():
        with pytest.raises(ValueError, match="does not vary over n_samples"):
            KernelDensity(kernel=kernel).fit(X, sample_weight=weights)
        return
    bandwidth = some_matrix(rng, d) if bandwidth == "matrix" else bandwidth
    model = KernelDensity(bandwidth=bandwidth, kernel=kernel).fit(X, sample_weight=weights)
    own = board.KernelDensity(bandwidth, kernel).fit(rows)
    H = np.reshape(model.bandwidth_, (d, d)) ** (2 if d == 1 else 1)
    assert pytest.approx(own.H, rel=1e-12) == H
    assert model.n_samples_ == len(rows)
    places = places + 0.003 * own.H[0, 0] ** 0.5  # no place at the edge of a box
    logs = own.score_samples(places)
    assert model.score_samples(places) == pytest.approx(logs, rel=1e-8, abs=1e-8)
    highest = np.exp(own.score_samples(np.vstack([X, places])).max())
    assert model.density(places) == pytest.approx(np.exp(logs), abs=1e-11 * highest)
    if np.isfinite(logs).all():
        assert model.score(places) == pytest.approx(logs.sum(), rel=1e-8, abs=1e-7)
    twins = (rows[:, None] == rows).all(axis=2).sum(axis=1) > 1
    assert model.certificate_ == {"ties": pytest.approx(twins.mean(), rel=1e-15), "leak": 0.0}


@pytest.mark.parametrize("far", [30.0, 1e3, 1e6])
def test_kernels_of_rows_that_lie_far_apart(far):
    """Products in two parts, or differences: within 1e-12 of the exponents, 1e-11 with the root of H."""
    rng = np.random.default_rng(0)
    X, M = rng.normal(size=(600, 3)) + 100.0, np.tril(rng.normal(size=(3, 3))) + 3 * np.eye(3)
    X[::3] += far * rng.normal(size=(200, 3))
    places, H = X[:300:2] + rng.normal(size=(150, 3)), M @ M.T
    own = board.multivariate_density(X, places, H)
    assert np.log(estimators.multivariate_density(X, places, H)) == pytest.approx(np.log(own), abs=1e-11)


def test_one_value_has_no_score_and_nothing_is_counted_in_no_bins():
    one, two = [0.5], [0.25, 0.5]
    for score in (estimators.kernel_cv_scores, estimators.kernel_cv_approximation):
        assert np.isfinite(score(two, [1.0])).all()
        with pytest.raises(ValueError, match="at least 2 values, since one is left out, got 1"):
            score(one, [1.0])
    for choice in (estimators.select_bandwidth, estimators.select_bins, estimators.ties_break_selection):
        with pytest.raises(ValueError, match="at least 2 values, since one is left out, got 1"):
            choice(one)
    with pytest.raises(ValueError, match="at least 2 values, since one is left out, got 1"):
        estimators.histogram_cv_scores(one, [1])
    with pytest.raises(ValueError, match="2"):
        DensityThreshold(bandwidth=1.0).fit([one])
    calls = (
        ("n_bins", lambda m: estimators.bin_counts(two, m)),
        ("n_bins", lambda m: estimators.histogram_density(two, one, m)),
        ("n_bins", lambda m: estimators.histogram_cv_scores(two, [m])),
        ("n_bins", lambda m: Histogram(n_bins=m).fit(two)),
        ("n_samples", Histogram(n_bins=1).fit(two).sample),
        ("n_samples", KernelDensity(bandwidth=1.0).fit([one]).sample),
    )
    for name, call in calls:
        call(1)
        with pytest.raises(ValueError, match=name):
            call(0)


def test_a_support_has_a_length_and_two_values_have_a_score():
    with pytest.raises(ValueError, match="with low < high"):
        Histogram(support=(1.0, 1.0)).fit([1.0, 1.0])
    model, notes = said(Histogram(support=(0.0, 1.0)).fit, [0.5, 0.5])
    assert model.n_bins_ == 5
    assert "falls to minus infinity" in notes[0]


def test_a_histogram_tells_scikit_learn_that_it_takes_a_vector():
    pytest.importorskip("sklearn")
    tags = Histogram().__sklearn_tags__().input_tags
    assert (tags.one_d_array, tags.two_d_array) == (True, False)


def test_copies_of_the_largest_rows_are_found():
    X = np.array([[1.7e308] * 8, [-1.7e308] * 8, [1.7e308] * 8])
    model = KernelDensity(bandwidth=1.0).fit(X)
    assert model.certificate_["ties"] == pytest.approx(2 / 3)
    assert model.score_samples(X[:2]) == pytest.approx(np.log([2 / 3, 1 / 3]) - 4 * math.log(2 * math.pi))


def test_bandwidths_end_where_their_logarithms_do():
    for d, most in ((1, 1e300), (2, 1e150)):  # of several features h^2 is a float
        for h in (1 / most, most):
            A, at_zero = whitener(h, d)
            assert A.tolist() == (np.eye(d) / h).tolist()
            assert at_zero == pytest.approx(-d * math.log(h * math.sqrt(2 * math.pi)))
            model = KernelDensity(bandwidth=h).fit(np.eye(2)[:, :d])
            same = 0.0 if h > 1 else -math.log(2)
            assert model.score_samples(np.eye(2)[:, :d]) == pytest.approx(at_zero + same)
        for h in (np.nextafter(1 / most, 0), np.nextafter(most, np.inf)):
            with pytest.raises(ValueError, match="bandwidth must be a finite number"):
                KernelDensity(bandwidth=h).fit(np.eye(2)[:, :d])
    for h in (1e-300, 1e300):
        assert estimators.kernel_density([0.5], [0.5], h) * h == pytest.approx(1 / math.sqrt(2 * math.pi))
        assert DensityThreshold(bandwidth=h).fit([[0.0], [0.0]]).threshold_ == pytest.approx(
            whitener(h, 1)[1]
        )
    for score in (estimators.kernel_cv_scores, estimators.kernel_cv_approximation):
        for h in (0.0, -0.5):
            with pytest.raises(ValueError, match=f"bandwidths must be positive, got {h}"):
                score([0.0, 1.0], [1.0, h])


def test_a_bandwidth_matrix_is_symmetric_and_positive_definite():
    H = np.array([[4.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 3.0]]) / 1024
    for noise in (0.9e-12, 1.5e-12):
        near = H.copy()
        near[0, 1] += noise * H.max()
        if noise > 1e-12:
            with pytest.raises(ValueError, match="must be a symmetric matrix"):
                whitener(near, 3)
        else:
            A = whitener(near, 3)[0]
            assert A @ near @ A.T == pytest.approx(np.eye(3), abs=1e-11)
    tight = [np.array([[1.0, r], [r, 1.0]]) for r in np.sqrt([1 - 4e-12, 1 - 1e-13])]
    A = whitener(tight[0], 2)[0]
    assert A @ tight[0] @ A.T == pytest.approx(np.eye(2), abs=1e-3)  # rounding over 4e-12
    wrong = np.zeros((2, 2)), np.diag([1.0, 0.0]), np.diag([1.0, -0.5]), np.array([[1.0, 2.0], [2.0, 1.0]])
    for M in (*wrong, tight[1]):
        with np.errstate(all="raise"), pytest.raises(ValueError, match="must be a positive definite matrix"):
            whitener(M, 2)


def test_a_feature_varies_where_its_variance_exceeds_rounding():
    X = np.array([[1.0, 1.0], [1 + 1e-9, 1 + 2.0**-52], [1 + 2e-9, 1.0]])
    n, variances = feature_variances(X)
    assert (n, variances[1]) == (3.0, 0.0)
    assert variances[0] == pytest.approx(1e-18, rel=1e-6)
    assert feature_variances(X[:1])[1].tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match="whose squares underflow"):
        feature_variances(np.array([[1e-160, 1.0], [2e-160, 1.0]]))


def test_what_leaks_out_of_a_support_is_told_from_a_hundredth_on():
    for h, leak in ((0.5 / 2.43, 0.0151), (0.5 / 2.70, 0.0069)):
        model, notes = said(KernelDensity(bandwidth=h, support=(0.0, 1.0)).fit, [[0.5]])
        assert model.certificate_["leak"] == pytest.approx(leak, abs=1e-4)
        assert len(notes) == (leak > 0.01)
        assert model.sample(random_state=0).shape == (1, 1)
    for rule in (1.0, "silverman"):
        with pytest.raises(ValueError, match="support is for one feature, X has 2"):
            KernelDensity(bandwidth=rule, support=(0.0, 1.0)).fit([[0.5, 0.25], [0.25, 0.5]])
    assert KernelDensity(bandwidth=1.0).fit([[0.5, 0.25]]).sample(random_state=0).shape == (1, 2)


def test_logarithms_hold_however_far_a_place_is():
    x, places = np.array([-0.25, 0.5]), np.array([-1e20, -1e17, -2e9, 2e9, 1e17, 1e20])
    for weights in (None, np.array([2.0, 0.5])):
        found = engine.log_kernel_sum(x, weights, engine.GAUSSIAN, 0.5, places)
        gaps = np.where(places < 0, x[0] - places, places - x[1])
        assert found == pytest.approx(-0.5 * (gaps / 0.5) ** 2, rel=1e-9)


def test_products_of_many_features_end_where_rounding_would_show(monkeypatch):
    monkeypatch.setattr(engine, "slow_log_sums", lambda X, weights, points, A: np.full(len(points), 7.0))
    for d in (1, 9):
        for share in (0.9, 1.1):
            radius = math.sqrt(share * engine._SPLIT / d**1.5) - 40
            X = np.zeros((2, d))
            X[:, 0] = radius, -radius
            assert (engine.multivariate_log_sum(X, None, X, np.eye(d)) == 7.0).all() == (share > 1)


@OPTIONS
@given(tables(least=2), st.booleans())
def test_bandwidths_of_rules(table, weighted):
    X, _, rng = table
    weights = rng.integers(1, 4, len(X)) if weighted else None
    rows, d = copies(X, weights), X.shape[1]
    expected = board.multivariate_density(X, X, 0.5)
    assert estimators.multivariate_density(X, X, 0.5) == pytest.approx(expected, rel=1e-9)
    if (np.ptp(X, axis=0) == 0).any():
        return
    scott = np.diag(len(rows) ** (-2 / (d + 4)) * rows.var(axis=0, ddof=1))
    found = KernelDensity(bandwidth="scott").fit(X, sample_weight=weights).bandwidth_
    assert np.reshape(found, (d, d)) ** (2 if d == 1 else 1) == pytest.approx(scott, rel=1e-12)
    if weights is None:
        assert estimators.scott_bandwidth(X) == pytest.approx(scott, rel=1e-12)
        assert estimators.silverman_bandwidth(X) == pytest.approx(board.silverman_bandwidth(X), rel=1e-12)


def cumulative(kernel, u):
    """The integral of K up to u."""
    if kernel == "gaussian":
        return np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in u])
    v = np.clip(u / board.KERNELS[kernel].radius, -1, 1)
    return (1 + v) / 2 if kernel == "uniform" else 0.5 + 0.75 * (v - v**3 / 3)


@settings(OPTIONS, max_examples=50)
@given(samples(), WIDTHS, NAMES, st.sampled_from([0.0, 0.25, 3.0]))
def test_the_mass_outside_the_support(sample, h, kernel, margin):
    x, weights, _ = sample
    some = x if weights is None else x[weights > 0]
    low, high = some.min() - margin, some.max() + margin + 0.125
    fit = KernelDensity(bandwidth=h, kernel=kernel, support=(low, high)).fit
    model, notes = said(lambda: fit(x[:, None], sample_weight=weights))
    points = copies(x, weights)
    outside = cumulative(kernel, (low - points) / h) + 1 - cumulative(kernel, (high - points) / h)
    # Gauss's rule of 80 nodes meets a corner of a bounded kernel for each point
    slack = 1e-10 if kernel == "gaussian" else 0.02
    assert model.certificate_["leak"] == pytest.approx(outside.mean(), abs=slack)
    assert bool(notes) == (model.certificate_["leak"] > 0.01)
    assert not notes or f"{model.certificate_['leak']:.1%} of the mass" in notes[0]


@OPTIONS
@given(tables(least=2), st.sampled_from([2.0**-9, 0.3, 2.0, "matrix"]), st.integers(1, 19))
def test_a_threshold_of_left_out_densities(table, bandwidth, twentieths):
    X, places, rng = table
    bandwidth = some_matrix(rng, X.shape[1]) if bandwidth == "matrix" else bandwidth
    level = twentieths / 20
    model = DensityThreshold(bandwidth=bandwidth, level=level).fit(X)
    own = board.DensityThreshold(bandwidth, level).fit(X)
    assert model.threshold_ == pytest.approx(own.threshold_, rel=2e-6, abs=2e-6)
    scores = own.score_samples(places)
    assert model.score_samples(places) == pytest.approx(scores, rel=1e-8, abs=1e-8)
    clear = abs(scores - own.threshold_) > 1e-5 * (1 + abs(scores))
    assert (model.predict(places) == own.predict(places))[clear].all()
    alone = [
        board.KernelDensity(bandwidth).fit(np.delete(X, i, axis=0)).score_samples(X[[i]])[0]
        for i in range(len(X))
    ]
    assert (np.array(alone) < own.threshold_ - 1e-9 * (1 + abs(own.threshold_))).sum() < level * len(X)


# --- the board by itself


@OPTIONS
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_the_search_is_a_path_of_states_that_stay(scores):
    path = list(board.search(range(len(scores)), scores.__getitem__))
    for k, state in enumerate(path, start=1):
        assert state.values.tolist() == list(range(k))
        assert state.scores.tolist() == scores[:k]
        assert state.best == scores.index(min(scores[:k]))
    assert len(path) == len(scores)


def test_the_domain_that_a_definition_names():
    masses = np.array([0.25, 0.75])
    assert board.histogram_risk(masses, 3, 1.25)[0] == 0
    with pytest.raises(ValueError, match=r"at least sum p_j\^2 / h = 1.25, got 1.2"):
        board.histogram_risk(masses, 3, 1.2)
    X = np.eye(2)
    for H in (np.ones((2, 2)), -X, np.diag([1.0, 0.0])):
        with pytest.raises(ValueError, match="H must be positive definite"):
            board.multivariate_density(X, X, H)
    assert board.multivariate_density(X, X, np.diag([1.0, 1e-13])).min() > 0  # features of other units
    for profile in (lambda u: 1 - abs(u), lambda u: 0.75 * (1 - u**2), lambda u: 1.5 * u**2):
        board.Kernel("right", profile, 1)
    for profile in (lambda u: abs(u) * 1.001, lambda u: 0.5 + 0.01 * u, lambda u: 1.5 - 3 * u**2):
        with pytest.raises(ValueError, match="kernel wrong is no density with mean 0"):
            board.Kernel("wrong", profile, 1)


def test_rules_of_other_kernels_and_ranks():
    x = np.array([0.0, 0.5, 3.0, 1.0])
    for kernel in board.KERNELS:
        best = board.kernel_best_bandwidth(4, 3 / (8 * math.sqrt(math.pi)), kernel) * x.std(ddof=1)
        assert board.reference_bandwidth(4, x.var(ddof=1, keepdims=True), kernel) == pytest.approx(best**2)
    assert [board.rank_of_level(level, 100) for level in (1e-12, 0.07, 0.071, 0.995)] == [1, 7, 8, 100]
