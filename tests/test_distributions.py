"""Distributions with known Bayes risk: exact cases, naive oracles, the sampler against the posterior."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mlnotes.datasets import (
    FiniteDistribution,
    GaussianClasses,
    NoisyCurves,
    beers,
    coins,
    gaussian_pair,
    moons,
    random_finite_distribution,
    recitation_example,
    rings,
    risk_on_grid,
    spirals,
    xor,
)

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def phi(z):
    return math.erfc(-z / math.sqrt(2)) / 2


def line(low, high, n=200_001):
    """Points, and weights of the trapezoid rule."""
    x = np.linspace(low, high, n)
    w = np.full(n, x[1] - x[0])
    w[[0, -1]] /= 2
    return x, w


def three_atoms():
    return FiniteDistribution.from_weights([[3, 1], [2, 2], [0, 0]])


# ------------------------------------------------------------------- finite distributions


def test_finite_distribution_by_hand():
    distribution = three_atoms()
    assert distribution.joint[0] == (Fraction(3, 8), Fraction(1, 8))
    assert (distribution.n_atoms, distribution.n_classes) == (3, 2)
    assert distribution.marginal().tolist() == [HALF, HALF, 0]
    assert distribution.conditional().tolist() == [[Fraction(3, 4), QUARTER], [HALF, HALF], [HALF, HALF]]
    assert distribution.bayes_risk() == Fraction(3, 8)
    assert isinstance(distribution.bayes_risk(), Fraction)
    assert distribution.table().tolist() == [[0.375, 0.125], [0.25, 0.25], [0, 0]]
    assert distribution.prior.tolist() == [0.625, 0.375]
    assert distribution.posterior([[2], [0]]).tolist() == [[0.5, 0.5], [0.75, 0.25]]
    assert all(isinstance(mass, Fraction) for mass in distribution.exact_table().flat)


def test_risk_without_an_error_is_exact():
    risk = FiniteDistribution(((1, 0), (0, 0))).bayes_risk()
    assert risk == 0
    assert isinstance(risk, Fraction)


def test_finite_distributions_compare_by_value():
    assert FiniteDistribution([[HALF, 0], [0, HALF]]) == FiniteDistribution.from_weights(
        np.eye(2, dtype=np.int32)
    )


def test_finite_sample_draws_cells_by_their_masses():
    distribution = FiniteDistribution.from_weights([[3, 1], [0, 0], [2, 5]])
    X, y = distribution.sample(500, np.random.default_rng(1))
    owner = [
        (x, k)
        for x, row in enumerate(distribution.joint)
        for k, p in enumerate(row)
        for _ in range(int(11 * p))
    ]
    tickets = np.random.default_rng(1).integers(0, 11, 500, dtype=np.uint64)
    assert [(int(x), int(k)) for x, k in zip(X[:, 0], y, strict=True)] == [owner[int(t)] for t in tickets]
    assert (X.shape, X.dtype, y.dtype) == ((500, 1), np.float64, np.int64)


def test_finite_sample_up_to_two_to_the_63():
    tiny = Fraction(1, 2**63)
    X, _ = FiniteDistribution([[tiny, HALF - tiny], [HALF, 0]]).sample(100, np.random.default_rng(0))
    assert set(X[:, 0]) == {0.0, 1.0}
    with pytest.raises(ValueError, match=r"common denominator of the masses is 18446744073709551616"):
        FiniteDistribution([[tiny / 2, 1 - tiny / 2]]).sample(1, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("joint", "sentence"),
    [
        ([[0.5, 0.5]], "joint has float masses; a finite distribution is exact"),
        ([[HALF, 0.5]], "joint has float masses"),
        ([[HALF, QUARTER]], "joint: the masses sum to 3/4; they must sum to 1"),
        ([[Fraction(3, 2), -HALF]], "joint has a negative mass, -1/2"),
        ([HALF, HALF], "joint must be 2-D"),
        ([[HALF], [HALF]], "joint must have a column per class and at least 2 classes, got 1"),
        ([[HALF, QUARTER], [QUARTER]], "joint"),
        ([["a", "b"]], "joint"),
    ],
)
def test_refuses_bad_joint_tables(joint, sentence):
    with pytest.raises(ValueError, match=sentence):
        FiniteDistribution(joint)


def test_refuses_bad_weights_and_atoms():
    with pytest.raises(ValueError, match="weights must be integers"):
        FiniteDistribution.from_weights([[0.5, 0.5]])
    with pytest.raises(ValueError, match="weights sum to 0; the sum must be positive"):
        FiniteDistribution.from_weights([[0, 0]])
    with pytest.raises(ValueError, match="joint has a negative mass"):
        FiniteDistribution.from_weights([[3, -1]])
    for wrong in ([[3]], [[-1]], [[0.5]]):
        with pytest.raises(ValueError, match=r"X must hold atom numbers 0, \.\.\., 2"):
            three_atoms().posterior(wrong)
    with pytest.raises(ValueError, match="21 atoms and 2 classes have 2097152 classifiers; at most 1048576"):
        FiniteDistribution.from_weights(np.ones((21, 2), dtype=int)).rules()


def test_random_finite_distributions_have_the_requested_null_atoms_and_ties():
    rng = np.random.default_rng(2)
    for _ in range(300):
        m, K = int(rng.integers(1, 8)), int(rng.integers(2, 5))
        n_null = int(rng.integers(0, m))
        n_ties = int(rng.integers(0, m - n_null + 1))
        denominator = 2 ** int(rng.integers(7, 17))
        distribution = random_finite_distribution(
            rng, m, K, denominator=denominator, n_null=n_null, n_ties=n_ties
        )
        live = [row for row in distribution.joint if any(row)]
        assert len(live) == m - n_null
        assert [row.count(max(row)) for row in live].count(2) == n_ties
        assert [row.count(max(row)) for row in live].count(1) == m - n_null - n_ties
        assert all(mass > 0 for row in live for mass in row)
        assert all((mass * denominator).denominator == 1 for row in distribution.joint for mass in row)
        assert distribution.table().sum() == 1


def test_random_finite_distribution_at_the_smallest_denominator():
    distribution = random_finite_distribution(np.random.default_rng(0), 4, 2, denominator=16)
    assert all(row.count(max(row)) == 1 for row in distribution.joint)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"rng": 3}, "rng must be a numpy.random.Generator"),
        ({"n_atoms": 0}, "n_atoms must be an integer >= 1, got 0"),
        ({"n_classes": 1}, "n_classes must be an integer >= 2, got 1"),
        ({"n_null": 3}, "n_null must be an integer >= 0 and <= 2, got 3"),
        ({"n_null": 1, "n_ties": 3}, "n_ties must be an integer >= 0 and <= 2, got 3"),
        ({"denominator": 100}, "denominator must be a power of two, got 100"),
        ({"denominator": 8}, "denominator must be an integer >= 12"),
    ],
)
def test_refuses_bad_arguments_of_random_finite_distribution(arguments, sentence):
    good = {"rng": np.random.default_rng(0), "n_atoms": 3, "n_classes": 2}
    with pytest.raises(ValueError, match=sentence):
        random_finite_distribution(**good | arguments)


# ------------------------------------------------------------------- Gaussian classes


def test_log_density_against_the_formula_with_inverse_and_determinant():
    distribution = recitation_example()
    X = np.random.default_rng(0).normal(3, 4, (50, 2))
    for k in (0, 1):
        S, gap = distribution.covariances[k], X - distribution.means[k]
        naive = -0.5 * np.sum(gap @ np.linalg.inv(S) * gap, axis=1)
        naive -= math.log(2 * math.pi) + 0.5 * math.log(np.linalg.det(S))
        np.testing.assert_allclose(distribution.log_density(X)[:, k], naive, rtol=1e-12)


def test_gaussian_posterior_far_out_is_finite_and_right():
    distribution = gaussian_pair(2.0, prior=0.25)
    eta = distribution.posterior([[1e6, 0.0], [-1e6, 0.0], [1.0, 1e3]])[:, 1]
    # 1e-9: the squares near 1e6 in the exponents are rounded to 1e-10
    np.testing.assert_allclose(eta, [1, 0, 0.25], atol=1e-9)


def test_gaussian_sampler_has_the_moments_of_the_distribution():
    distribution = recitation_example()
    X, y = distribution.sample(200_000, np.random.default_rng(3))
    assert abs(y.mean() - 0.4) < 0.01
    for k in (0, 1):  # 0.05 is ten standard errors of the largest entry
        np.testing.assert_allclose(X[y == k].mean(axis=0), distribution.means[k], atol=0.05)
        np.testing.assert_allclose(np.cov(X[y == k].T), distribution.covariances[k], atol=0.05)


def test_the_risk_depends_on_the_mahalanobis_distance():
    S, gap = np.array([[2.0, 0.7], [0.7, 1.0]]), np.array([1.0, -2.0])
    distribution = GaussianClasses([0.5, 0.5], [[0, 0], gap], S)
    assert distribution.bayes_risk() == pytest.approx(
        phi(-math.sqrt(gap @ np.linalg.inv(S) @ gap) / 2), rel=1e-12
    )


def test_two_scales_on_the_line_in_closed_form():
    # N(0, 1) against N(0, 4), equal priors: the rule says 0 iff x^2 <= c = (8/3) log 2
    c = math.sqrt(8 / 3 * math.log(2))
    exact = (2 * phi(-c) + phi(c / 2) - phi(-c / 2)) / 2
    distribution = GaussianClasses([0.5, 0.5], [[0.0], [0.0]], [[[1.0]], [[4.0]]])
    assert distribution.bayes_risk() == pytest.approx(exact, abs=1e-9)
    # the same in the plane, with a second feature that carries no information, turned and stretched
    A = np.array([[2.0, 1.0], [-1.0, 0.5]])
    plane = [A @ np.diag([v, 1.0]) @ A.T for v in (1.0, 4.0)]
    distribution = GaussianClasses([0.5, 0.5], [[3.0, -1.0]] * 2, plane)
    assert distribution.bayes_risk() == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize("turn", [0.0, 0.3, np.pi / 2])
def test_three_classes_in_a_row(turn):
    # neighbours 3 apart, equal priors: only the inner sides of the classes err, 4 of 6
    means = np.outer([0.0, 3.0, 6.0], [np.cos(turn), np.sin(turn)])
    distribution = GaussianClasses(np.full(3, 1 / 3), means, np.eye(2))
    assert distribution.bayes_risk() == pytest.approx(4 / 3 * phi(-1.5), abs=1e-7)


def test_risk_on_a_line_and_its_mass():
    for shift in np.linspace(0, 1, 7):  # the kink anywhere within a step of 0.1
        x = np.arange(-10, 13, 0.1) + 0.1 * shift
        joint = np.exp(-((x[:, None] - [0, 2]) ** 2) / 2) / math.sqrt(8 * math.pi)
        risk, mass = risk_on_grid(joint, 0.1)
        assert risk == pytest.approx(phi(-1), abs=2e-5)
        assert mass == pytest.approx(1, abs=1e-13)


def test_risk_on_a_grid_with_identical_classes():
    x = np.linspace(-9, 9, 91)
    joint = np.exp(-(x[:, None] ** 2) / 2) * np.ones(2) / math.sqrt(8 * math.pi)
    assert risk_on_grid(joint, 0.2)[0] == pytest.approx(0.5, abs=1e-13)


def test_refuses_risks_that_quadrature_cannot_compute():
    distribution = GaussianClasses([0.5, 0.5], np.zeros((2, 3)), np.stack([np.eye(3), 2 * np.eye(3)]))
    with pytest.raises(NotImplementedError, match="up to d = 2; this distribution has d = 3"):
        distribution.bayes_risk()
    distribution = GaussianClasses([0.5, 0.5], np.zeros((2, 2)), np.stack([np.eye(2), 1e-8 * np.eye(2)]))
    with pytest.raises(ArithmeticError, match="some class is too narrow for the grid"):
        distribution.bayes_risk()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"prior": [0.5, 0.4]}, "prior: the masses sum to 0.9; they must sum to 1"),
        ({"prior": [1.0, 0.0]}, "prior has a class of probability 0.0; each must be > 0"),
        ({"prior": [1.0]}, "prior must have an entry per class and at least 2 classes, got 1"),
        ({"means": [[0.0, 0.0]]}, "means has 1 rows, but prior has 2 classes"),
        ({"means": [[0.0, np.nan], [1.0, 1.0]]}, "means contains NaN"),
        (
            {"covariances": np.eye(3)},
            r"covariances must have shape \(2, 2\) or \(2, 2, 2\), got shape \(3, 3\)",
        ),
        ({"covariances": [[1, "a"], [0, 1]]}, r"covariances must be a table of numbers"),
        ({"covariances": [[1, 0.5], [0, 1]]}, r"covariances\[0\] must be finite and symmetric"),
        ({"covariances": [[1, np.nan], [np.nan, 1]]}, r"covariances\[0\] must be finite and symmetric"),
        ({"covariances": [np.eye(2), [[1, 2], [2, 1]]]}, r"covariances\[1\] must be positive definite"),
    ],
)
def test_refuses_bad_gaussian_classes(arguments, sentence):
    good = {"prior": [0.5, 0.5], "means": np.zeros((2, 2)), "covariances": np.eye(2)}
    with pytest.raises(ValueError, match=sentence):
        GaussianClasses(**good | arguments)


def test_gaussian_parameters_are_copied_and_read_only():
    means = np.zeros((2, 2))
    distribution = GaussianClasses([0.5, 0.5], means, np.eye(2))
    means[0, 0] = 7
    assert distribution.means[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        distribution.means[0, 0] = 7


# ------------------------------------------------------------------- beers and sleep


def test_beers_log_density():
    distribution = beers()
    X = np.array([[1.0, 2.0], [5.0, 4.0], [-1.0, 1.0]])
    joint = distribution.prior * np.exp(distribution.log_density(X))
    np.testing.assert_allclose(joint.sum(axis=1), [math.exp(-3), math.exp(-9), 0], rtol=1e-14)
    assert distribution.log_density(X)[1, 1] == -np.inf


# ------------------------------------------------------------------- shapes


def test_rings_threshold_and_risk():
    for noise, radii in ((0.3, (1.0, 2.0)), (1.0, (0.0, 1.5)), (0.05, (1.0, 2.0))):
        distribution = rings(noise, radii)
        eta = distribution.posterior([[distribution.threshold, 0.0], [0.0, -0.99 * distribution.threshold]])[
            :, 1
        ]
        assert eta[0] == pytest.approx(0.5, abs=1e-9)
        assert eta[1] < 0.5
        r, w = line(0, 2 + 12 * noise)
        g = sum(np.exp(-(((r + s * np.array(radii)[:, None]) / noise) ** 2) / 2) for s in (1, -1))
        g /= noise * math.sqrt(2 * math.pi)
        np.testing.assert_allclose(g @ w, 1, atol=1e-7)
        assert distribution.bayes_risk() == pytest.approx(w @ g.min(axis=0) / 2, abs=1e-7)


def test_rings_posterior_at_the_origin_is_finite():
    assert 0 < rings().posterior([[0.0, 0.0]])[0, 1] < 0.01


def test_xor_posterior_against_the_four_gaussians():
    distribution, X = xor(0.7), np.random.default_rng(0).normal(0, 1.5, (100, 2))
    bump = {
        (a, b): np.exp(-((X - [a, b]) ** 2).sum(axis=1) / (2 * 0.49)) / (2 * math.pi * 0.49)
        for a in (-1, 1)
        for b in (-1, 1)
    }
    density = np.column_stack([(bump[1, 1] + bump[-1, -1]) / 2, (bump[1, -1] + bump[-1, 1]) / 2])
    np.testing.assert_allclose(distribution.posterior(X), density / density.sum(1, keepdims=True), rtol=1e-9)
    np.testing.assert_allclose(distribution.log_density(X), np.log(density), rtol=1e-9, atol=1e-12)
    assert distribution.posterior([[90.0, -90.0]])[0, 1] == 1


@pytest.mark.parametrize("make", [moons, spirals])
@pytest.mark.parametrize("noise", [0.1, 0.25, 1.0])
def test_curve_densities_against_a_dense_sum(make, noise):
    distribution = make(noise)
    X, _ = distribution.sample(40, np.random.default_rng(1))
    t = (np.arange(20_000) + 0.5) / 20_000
    for k, curve in enumerate(distribution.curves):
        squares = ((X[:, None, :] - curve(t)) ** 2).sum(axis=2)
        naive = np.exp(-squares / (2 * noise**2)).mean(axis=1) / (2 * math.pi * noise**2)
        # the midpoint sum is off by t'' / 24 n^2, here below 1e-5 where the density is not tiny
        np.testing.assert_allclose(np.exp(distribution.log_density(X)[:, k]), naive, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("make", "centre"), [(moons, [0.5, 0.25]), (spirals, [0.0, 0.0])])
def test_curves_are_symmetric_about_their_centre(make, centre):
    distribution = make()
    X, _ = distribution.sample(50, np.random.default_rng(1))
    np.testing.assert_allclose(
        distribution.posterior(2 * np.array(centre) - X)[:, ::-1], distribution.posterior(X), atol=1e-10
    )
    np.testing.assert_allclose(distribution.posterior([centre]), [[0.5, 0.5]], rtol=1e-12)


def test_more_noise_more_risk_and_risks_are_stored():
    for make in (rings, xor, moons, spirals):
        risks = [make(noise).bayes_risk() for noise in (0.2, 0.4, 0.8)]
        assert 0 < risks[0] < risks[1] < risks[2] < 0.5
    distribution = moons()
    assert distribution.bayes_risk() is distribution.bayes_risk()


def test_three_curves():
    distribution = NoisyCurves([lambda t, k=k: np.column_stack([t, 0 * t + k]) for k in (0.0, 3.0, 6.0)], 1.0)
    assert distribution.n_classes == 3
    assert distribution.bayes_risk() == pytest.approx(4 / 3 * phi(-1.5), abs=1e-7)


@pytest.mark.parametrize("make", [rings, xor, moons, spirals])
@pytest.mark.parametrize("noise", [0, -1, np.nan, "a"])
def test_refuses_bad_noise(make, noise):
    with pytest.raises(ValueError, match=r"noise must be a.* > 0, got"):
        make(noise)


def test_refuses_bad_arguments_of_shapes():
    with pytest.raises(ValueError, match=r"radii\[1\] must be a.* > 2.0, got 1.0"):
        rings(0.3, (2.0, 1.0))
    with pytest.raises(ValueError, match="radii must be a pair, got 3 numbers"):
        rings(0.3, (1.0, 2.0, 3.0))
    for curve in (lambda t: t[:, None], lambda t: np.ones((2, 2))):
        with pytest.raises(ValueError, match=r"curves\[0\] must return shape \(m, 2\) for m numbers, got"):
            NoisyCurves([curve, curve], 0.1)
    with pytest.raises(ValueError, match=r"curves\[0\] at 0, 1/2, 1 contains NaN"):
        NoisyCurves([lambda t: np.full((3, 2), np.nan)] * 2, 0.1)
    with pytest.raises(ValueError, match=r"turns must be a.* <= 4 and > 0, got 9"):
        spirals(turns=9)
    with pytest.raises(
        ValueError, match="curves must have a function per class and at least 2 classes, got 1"
    ):
        NoisyCurves([lambda t: np.column_stack([t, t])], 0.1)


# ------------------------------------------------------------------- what all distributions share

DISTRIBUTIONS = {
    "finite": random_finite_distribution(np.random.default_rng(0), 5, 3, n_null=1, n_ties=1),
    "recitation": recitation_example(),
    "pair": gaussian_pair(1.0, 3, 0.7),
    "coins": coins(),
    "beers": beers(),
    "rings": rings(),
    "xor": xor(),
    "moons": moons(),
    "spirals": spirals(),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_bayes_risk_and_prior_are_averages_of_the_posterior(name):
    distribution, n = DISTRIBUTIONS[name], 30_000
    X, _ = distribution.sample(n, np.random.default_rng(8))
    posterior = distribution.posterior(X)
    np.testing.assert_allclose(posterior.sum(axis=1), 1, rtol=1e-12)
    band = math.sqrt(math.log(2e9) / (2 * n))
    assert abs((1 - posterior.max(axis=1)).mean() - float(distribution.bayes_risk())) < band
    assert abs(posterior.mean(axis=0) - distribution.prior).max() < band
    assert distribution.prior.sum() == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_same_generator_gives_the_same_sample(name):
    a, b = (DISTRIBUTIONS[name].sample(20, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(a[0], b[0])
    np.testing.assert_array_equal(a[1], b[1])


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_refuses_bad_arguments_of_any_distribution(name):
    distribution, rng = DISTRIBUTIONS[name], np.random.default_rng(0)
    for n in (0, -1, 2.5, True):
        with pytest.raises(ValueError, match="n must be an integer >= 1"):
            distribution.sample(n, rng)
    for wrong in (None, 0, np.random):
        with pytest.raises(ValueError, match=r"rng must be a numpy\.random\.Generator"):
            distribution.sample(3, wrong)
    with pytest.raises(ValueError, match="X has 7 columns, but the distribution has"):
        distribution.posterior(np.zeros((2, 7)))
    with pytest.raises(ValueError, match="X must be a 2-D array"):
        distribution.posterior([1.0, 2.0])
    with pytest.raises(ValueError, match="X contains NaN"):
        distribution.posterior([[np.nan] * distribution.sample(1, rng)[0].shape[1]])
