"""The statements on density estimation as executable claims, in the order of the lecture: histograms.

Kernel estimates and what the notes got wrong are in `density_kernels`.

The truth is computed here: histograms in fractions and by enumeration of all samples, kernel estimates by
double sums, integrals of products of normal densities by the closed form or by the trapezoid rule, which is
exact to rounding for smooth functions that vanish at both ends.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from mlnotes.checking import at_least, at_most, equal, hard_cases, hoeffding, rounding, statement, within
from mlnotes.checking.outputs import counting_warnings, quietly, refuses, scalar

SQRT5 = math.sqrt(5)
R_GAUSS, R_EPAN = 0.5 / math.sqrt(math.pi), 3 / (5 * SQRT5)  # R(K) of the two kernels of the notes
CURVE = 3 / (8 * math.sqrt(math.pi))  # int f''^2 of N(0, 1)

OUTPUTS = {
    **dict.fromkeys(("bin_counts", "histogram_density", "kernel_density"), "(n,)"),
    **dict.fromkeys(("histogram_amise", "best_bin_width", "histogram_cv_score", "select_bins"), "number"),
    **dict.fromkeys(("kernel_amise", "best_bandwidth", "kernel_cv_score", "select_bandwidth"), "number"),
    **dict.fromkeys(("normal_reference_bandwidth", "kernel_cv_limit", "outlier_threshold"), "number"),
    **dict.fromkeys(("sample_size", "gaussian_relative_mise", "DensityThreshold.threshold_"), "number"),
    **dict.fromkeys(("Histogram.density", "KernelDensity.score_samples", "DensityThreshold.predict"), "(n,)"),
    "silverman_bandwidth": "(d, d)",
}


# ---- instances and the truth about them
def gauss(u):
    return np.exp(-0.5 * u**2) / math.sqrt(2 * math.pi)


def epan(u):
    return np.where(abs(u) < SQRT5, 0.75 / SQRT5 * (1 - u**2 / 5), 0.0)


def epan_twice(u):
    """K * K of the kernel above, from that of 3/4 (1 - u^2): 3/160 (2 - u)^3 (u^2 + 6u + 4)."""
    v = np.minimum(abs(u) / SQRT5, 2.0)
    return 3 / 160 * (2 - v) ** 3 * (v**2 + 6 * v + 4) / SQRT5


def normal_density(x, s):
    return gauss(x / s) / s


PROFILES = {"gaussian": gauss, "epanechnikov": epan}
TWICE = {"gaussian": lambda u: normal_density(u, math.sqrt(2)), "epanechnikov": epan_twice}
ROUGHNESS = {"gaussian": R_GAUSS, "epanechnikov": R_EPAN}


def estimate(x, t, h, kernel="gaussian"):
    """Return the kernel estimate from the sample x at the points t, by a double sum."""
    return PROFILES[kernel]((t[:, None] - x) / h).mean(axis=1) / h


def sums_of(x, h, kernel="gaussian"):
    """Return int f_hat^2 and the mean of the left-out estimates at the observations, by double sums."""
    gaps, n = (x[:, None] - x) / h, len(x)
    K = PROFILES[kernel](gaps)
    return TWICE[kernel](gaps).sum() / (n**2 * h), (K.sum() - np.trace(K)) / (n * (n - 1) * h)


def score_of(x, h, kernel="gaussian"):
    """Return the cross-validation score of an estimate."""
    square, others = sums_of(x, h, kernel)
    return square - 2 * others


def reference_bandwidth(x, kernel="gaussian"):
    """Return the best bandwidth for a normal distribution with the variance of the sample."""
    return (ROUGHNESS[kernel] / (CURVE * len(x))) ** 0.2 * x.std(ddof=1)


def _counts(x, m):
    """Return the counts of the bins [k/m, (k+1)/m), the last one closed, for fractions x."""
    bins = [min(int(v * m), m - 1) for v in x]
    return [bins.count(k) for k in range(m)]


def _left_out(x, m):
    """Return int f_hat^2 - (2/n) sum_i f_hat_(-i)(X_i) in fractions, refitting without each observation."""
    n, bins = len(x), [min(int(point * m), m - 1) for point in x]
    companions = sum(sum(b == bins[i] for b in bins[:i] + bins[i + 1 :]) for i in range(n))
    squares = Fraction(sum(bins.count(k) ** 2 for k in range(m)), n**2)
    return squares * m - Fraction(2 * m * companions, n * (n - 1))


def _points(rng, n):
    """Return n fractions k/61 in (0, 1), never on an edge of fewer than 61 bins."""
    return [Fraction(int(k), 61) for k in rng.integers(1, 61, n)]


def random_masses(rng, m):
    weights = rng.integers(1, 9, m)
    return np.array([Fraction(int(w), int(weights.sum())) for w in weights])


def _histograms(p, n):
    """Return the probabilities of all samples of size n, (S,), and the heights of their histograms, (S, m).

    Both are fractions: the expectation over the samples is exact.
    """
    samples = list(itertools.product(range(len(p)), repeat=n))
    heights = [[Fraction(len(p) * bins.count(j), n) for j in range(len(p))] for bins in samples]
    return p[np.array(samples)].prod(axis=1), np.array(heights)


def _beta_masses(m):
    """Return the probabilities of m equal bins under Beta(2, 2), density 6x(1 - x), int f'^2 = 12."""
    edges = np.arange(m + 1) / m
    return np.diff(edges**2 * (3 - 2 * edges))


def _beta_risk(m, n):
    """Return the exact MISE of the histogram of Beta(2, 2); int f^2 = 6/5."""
    h, centre = 1 / m, (np.arange(m) + 0.5) / m
    # sum p_j^2 / h cancels against 6/5 for large m: take the variance of f within each bin instead
    slope, bend = 6 - 12 * centre, -6.0  # f(c + t) = f(c) + slope t + bend t^2
    within_bins = slope**2 * h**3 / 12 + bend**2 * h**5 / 180
    return within_bins.sum() + (1 - (_beta_masses(m) ** 2).sum()) / (n * h)


# ---- 1 The problem
@statement("definition", "1", "Yan, setup density estimation")
def setup(histogram_density, kernel_density, rng):
    r"""An estimate $\hat f$ of a density is nonnegative and $\int_{\mathbb R}\hat f = 1$. A histogram on
    $[0, 1]$ keeps its mass there; a kernel estimate may put some outside, even if no observation is."""
    x, h = np.append(rng.integers(0, 64, 30) / 64, [0.0, 1.0]), 0.125
    t = np.arange(-16, 24, 1 / 64) + 1 / 128  # 2^-6 is h/8: the trapezoid rule errs by exp(-2 (8 pi)^2)
    bins, kernel = histogram_density(x, t, 8), kernel_density(x, t, h)
    yield at_least("smallest value of both", min(bins.min(), kernel.min()), 0.0)
    slack = rounding(len(t), 1)
    yield equal("mass of the histogram on [0, 1]", bins[(t > 0) & (t < 1)].sum() / 64, 1.0, slack, x=x)
    yield equal("mass of the kernel estimate on the line", kernel.sum() / 64, 1.0, slack, x=x)
    # there is an observation at each end, and half its mass of 1/32 falls outside
    outside = kernel[(t < 0) | (t > 1)].sum() / 64
    yield at_least("its mass outside [0, 1]", outside, 1 / 33, x=x)


@statement("definition", "1", "Yan, setup, bias-variance")
def mise(squared_bias_and_variance, NormalMixture, rng):
    r"""$MISE = E\int(\hat f - f)^2$. For a histogram it is a finite sum over samples; for a mixture of
    normal distributions and a Gaussian kernel it has a closed form."""
    p = random_masses(rng, 3)
    chances, heights = _histograms(p, 3)
    f = 3 * p  # constant on the bins: no bias; then with a step inside each bin
    for step in (Fraction(0), Fraction(1, 3)):
        total = sum(chances @ ((heights - f * (1 + s)) ** 2).mean(axis=1) for s in (step, -step)) / 2
        parts = squared_bias_and_variance(p, 3, (f**2).mean() * (1 + step**2))
        yield equal(f"histogram: sum of the parts, step {step}", sum(parts), total, p=p)
    w, means, scales = np.array([0.25, 0.75]), rng.integers(-3, 4, 2) / 2, rng.integers(2, 6, 2) / 4
    t = np.arange(-280, 281) / 20  # from -14 to 14; the narrowest factor has scale 0.35, 7 steps
    truth = sum(a * normal_density(t - b, s) for a, b, s in zip(w, means, scales, strict=True))
    kernel = normal_density(t[:, None] - t, 0.5)
    mean, second = kernel @ truth / 20, kernel**2 @ truth / 20
    exact = [((mean - truth) ** 2).sum() / 20, (second - mean**2).sum() / 20 / 20]
    parts = NormalMixture(w, means, scales).risk(0.5, 20)
    yield equal("kernel estimate: both parts", parts, exact, rounding(561, 2), means=means)


@statement("definition", "1", "Yan, bias-variance tradeoff")
def bias_var(histogram_mean_and_variance, rng):
    r"""$b(x) = E\hat f(x) - f(x)$ and $v(x) = \operatorname{Var}\hat f(x)$. For a histogram $E\hat f =
    p_j/h$ and $v = p_j(1 - p_j)/(nh^2)$ on bin $j$."""
    p = random_masses(rng, 3)
    chances, heights = _histograms(p, 3)
    mean, variance = histogram_mean_and_variance(p, 3)
    yield equal("mean on each bin, exactly", mean, chances @ heights, p=p)
    exact = chances @ heights**2 - (chances @ heights) ** 2
    yield equal("variance on each bin, exactly", variance, exact, p=p)


@statement("theorem", "1", "Yan, Thm 2.4")
def decomposition(histogram_mean_and_variance, rng):
    r"""If $f \in L^2$ and $E\int\hat f^2 < \infty$, then $E\int(\hat f - f)^2 = \int b^2 + \int v$. Checked
    in fractions for histograms, over all samples."""
    p = random_masses(rng, 3)
    f = np.outer(3 * p, [Fraction(1, 2), Fraction(3, 2)])  # on the halves of the bins
    chances, heights = _histograms(p, 3)
    total = chances @ ((heights[..., None] - f) ** 2).mean(axis=(1, 2))
    mean, variance = (np.asarray(part, dtype=object) for part in histogram_mean_and_variance(p, 3))
    squared = ((mean[:, None] - f) ** 2).mean()
    yield equal("int b^2 + int v against the enumerated MISE", squared + variance.mean(), total, p=p)
    yield at_least("int b^2", squared, Fraction(1, 100))


# ---- 2 Histograms
@statement("formula", "2", "Yan, histograms")
def histogram_estimator(histogram_density, rng):
    r"""$\hat f = \hat p_j/h$ on bin $j$, $h = 1/m$, and 0 outside $[0, 1]$; bins are $[\frac{j-1}m, \frac
    jm)$, the last one closed."""
    x, m = _points(rng, 20), int(rng.integers(2, 9))
    t = np.append(np.arange(-3, 64) / 61, 1.0)
    heights, steps = np.array(_counts(x, m)) * m / 20, np.append(np.arange(-3, 64), 61)  # t is steps / 61
    truth = np.where((steps >= 0) & (steps <= 61), heights[np.clip(steps * m // 61, 0, m - 1)], 0.0)
    values = histogram_density(np.array(x, dtype=float), t, m)
    yield equal("values", values, truth, rounding(4, m), x=x, m=m)


@hard_cases(histogram_estimator)
def edges_of_bins(bin_counts):
    """The point 1 falls into bin m, the float k/m into bin k + 1; points outside [0, 1] are refused."""
    for m in (3, 10, 49, 100):
        edges = np.arange(m + 1) / m
        counted = bin_counts(np.append(edges, np.nextafter(edges[1:], 0)), m)
        expected = np.append(np.full(m - 1, 2.0), 3.0)
        yield equal(f"counts of the edges and the floats below them, m = {m}", counted, expected)
    for beyond in ([-0.1, 0.5], [0.5, 1.1], [-0.1, 1.1]):
        refused = refuses(bin_counts, np.array(beyond), 4)
        yield equal("points outside refused", refused, True, x=beyond)


def _ages():
    """Return ages at death of 200,000 men, and how many died in each five years."""
    from mlnotes.datasets import load_ages_at_death  # here: no homework needs data

    table = load_ages_at_death().X
    ages = np.repeat(table[:, 0] + 0.5, np.rint(2000 * table[:, 3]).astype(int))
    return ages, np.histogram(ages, np.arange(0, 125, 5))[0]


@statement(
    "figure", "2", "Yan, histogram slide", "Social Security Administration, life table 2015", false_alarm=1e-9
)
def histogram_figure(Histogram):
    """Age at death of men, USA 2015, in bins of five years: mass 1, the largest bin is 85 to 90, and the
    distribution is skewed to the left: more mass below 60 than above 95."""
    ages, counts = _ages()
    values = Histogram((0.0, 120.0), 24).fit(ages).density(np.arange(0, 120, 5) + 2.5)
    yield equal("values", values, counts / len(ages) / 5, rounding(4, 1))
    yield equal("start of the largest bin", 5 * int(values.argmax()), 85)
    yield at_least("mass below 60 against above 95", 5 * values[:12].sum(), 5 * values[19:].sum())


@hard_cases(histogram_figure)
def ends_of_the_support(Histogram):
    for end, heights in ((0.0, [0.5, 0.0]), (4.0, [0.0, 0.5])):
        one = Histogram((0.0, 4.0), 2).fit(np.array([end]))
        values = one.density(np.array([0.0, 1.0, 3.0, 4.0, -1.0, 5.0]))
        expected = [*np.repeat(heights, 2), 0.0, 0.0]
        yield equal(
            f"values, the ends included, of one observation at {end:g}", values, expected, rounding(4)
        )


@hard_cases(
    histogram_figure, estimators_only="Only the estimator has attributes, draws and a default support."
)
def attributes_of_a_histogram(Histogram, rng):
    ages, counts = _ages()
    p, start = counts / len(ages), -60  # years since the 60th birthday
    edges = np.arange(start, start + 125, 5)
    model = Histogram((start, start + 120), 24).fit(ages + start)
    truth = {"edges_": edges, "heights_": p / 5, "counts_": counts, "bandwidth_": 5}
    for name, numbers in truth.items():
        yield equal(name, getattr(model, name), numbers, rounding(8, 120))
    score = (2 - (len(ages) + 1) * (p**2).sum()) * 24 / (len(ages) - 1) / 120
    yield equal("score of the certificate", model.certificate_["score"], score, rounding(100, 1))
    t = np.arange(-60, 62.5, 2.5)  # between the edges of a histogram the mass below t is linear
    below = (model.sample(10**4, rng)[:, None] <= t).mean(axis=0)
    mass = np.interp(t, edges, np.append(0, np.cumsum(p)))
    yield equal("proportion of 10,000 draws below t", below, mass, hoeffding(10**4, 1e-9))  # Massart (1990)
    yield equal("a column", Histogram(None, 24).fit(ages[:, None]).counts_.sum(), len(ages))
    one = Histogram((0.0, 4.0)).fit(np.array([1.0]))
    yield equal("the height of one value: one bin", one.heights_, [0.25])
    two = Histogram((0.0, 4.0), 1).fit(np.array([1.0, 3.0]))
    numbers = [two.certificate_["score"], two.n_features_in_, len(two.sample())]
    yield equal("score of two values in one bin, features, and draws by default", numbers, [-0.25, 1, 1])
    ends = [refuses(Histogram(pair).fit, np.ones(1)) for pair in ((1.0, 1.0), (2.0, 3.0))]
    yield equal("a support without length, and one beside the values, refused", ends, True)


@statement("formula", "2", "Yan, Thm 2.5 (finite-n form)")
def histogram_exact_mise(squared_bias_and_variance, rng):
    r"""$\int b^2 = \int f^2 - \frac1h\sum p_j^2$ and $\int v = \frac{1 - \sum p_j^2}{nh}$, for every $f$
    with these bin probabilities, exactly."""
    for m, n in ((1, 3), (2, 4), (3, 3)):
        p = random_masses(rng, m)
        f = np.outer(m * p, [Fraction(1, 4), Fraction(7, 4)])  # on the halves of the bins
        chances, heights = _histograms(p, n)
        mean = chances @ heights
        bias, variance = ((mean[:, None] - f) ** 2).mean(), (chances @ heights**2 - mean**2).mean()
        parts = squared_bias_and_variance(p, n, (f**2).mean())
        yield equal(f"both parts, m = {m}, n = {n}", parts, [bias, variance], p=p)


# ---- 3 The best number of bins
@statement("theorem", "3", "Yan, Thm 2.5", "Freedman and Diaconis, 1981")
def histogram_amise(histogram_amise, rng):
    r"""If $f$ is absolutely continuous on $[0, 1]$ with $f' \in L^2$ not zero, then $MISE /
    (\frac{h^2}{12}\int f'^2 + \frac1{nh}) \to 1$ as $h = 1/m \to 0$, $nh \to \infty$. For every $h$, $MISE
    \le (h/\pi)^2\int f'^2 + \frac1{nh}$. Checked on Beta(2, 2), and the bound on random quadratic
    densities."""
    sizes = np.array([4, 16, 64, 256, 1024])
    ratios = np.array([_beta_risk(m, m**3) / histogram_amise(1 / m, int(m**3), 12.0) for m in sizes])
    # bias part: relative error 1/(5 m^2); variance part: (1 - h sum p_j^2 / h^2) with int f^2 = 6/5
    yield at_most("|MISE / AMISE - 1| times m, n = m^3", abs(ratios - 1) * sizes, 1.3)
    for m in (4, 16, 64):
        bias = histogram_amise(1 / m, 10**15, 12.0) - m / 10**15
        squared = _beta_risk(m, 10**15) - (1 - (_beta_masses(m) ** 2).sum()) * m / 1e15
        yield equal(f"int b^2 over h^2/12 int f'^2, m = {m}", squared / bias, 1 - 0.8 / m**2, 1e-9)
    worst = []
    for _ in range(5):  # f = 1 + a (x - 1/2) + c (x^2 - x + 1/6)
        a, c = rng.uniform(-1, 1), rng.uniform(-2, 2)
        for m in (1, 2, 5, 17):
            e = np.arange(m + 1) / m
            p = np.diff(e + a * (e**2 - e) / 2 + c * (e**3 / 3 - e**2 / 2 + e / 6))
            square = 1 + a**2 / 12 + c**2 / 180
            risk = square - m * (p**2).sum() + (1 - (p**2).sum()) * m / 50
            worst.append(risk - (a**2 + c**2 / 3) / (math.pi * m) ** 2 - m / 50)
    yield at_most("MISE minus the bound", worst, 0.0, rounding(20, 4))


@statement("formula", "3", "Yan, Thm 2.5")
def histogram_hstar(best_bin_width, rng):
    r"""$h^\star = (6/\int f'^2)^{1/3}n^{-1/3}$ minimises $\frac{h^2}{12}\int f'^2 + \frac1{nh}$. On Beta(2,
    2) the exact best number of bins is within 1 of $1/h^\star$, for $n$ up to $10^6$."""
    n, slope = int(rng.integers(10, 10**5)), float(rng.uniform(0.1, 20))
    h = best_bin_width(n, slope)
    # the derivative h slope / 6 - 1 / (n h^2) in units of its terms
    yield equal(
        "ratio of the two terms of the derivative at h", h**3 * slope * n / 6, 1.0, rounding(8, 1), n=n
    )
    for n in (100, 10**4, 10**6):
        guess = 1 / best_bin_width(n, 12.0)
        sizes = np.arange(1, 12) if guess < 8 else np.arange(int(guess / 2), int(2 * guess))
        best = sizes[np.argmin([_beta_risk(m, n) for m in sizes])]
        yield within(f"exact best m minus 1/h*, n = {n}", best - guess, -1.0, 1.0)


@statement("formula", "3", "Yan, Thm 2.5")
def histogram_constant(histogram_amise, best_bin_width, rng, *, few=0.9, many=0.99):
    r"""At $h^\star$ the AMISE is $Cn^{-2/3}$, $C = (3/4)^{2/3}(\int f'^2)^{1/3}$, and the smallest exact MISE
    of Beta(2, 2) over it tends to 1: above «few» at $n = 10^3$ and above «many» at $n = 10^6$."""
    n, slope = int(rng.integers(10, 10**5)), float(rng.uniform(0.1, 20))
    value = (3 / 4) ** (2 / 3) * slope ** (1 / 3) * n ** (-2 / 3)
    at_best = histogram_amise(best_bin_width(n, slope), n, slope)
    yield equal("AMISE(h*)", at_best, value, rounding(16, value), n=n)
    sizes = np.array([10**3, 10**6, 10**9])
    bins = np.unique(np.geomspace(1, 3000, 150).astype(int))
    smallest = np.array([min(_beta_risk(m, int(n)) for m in bins) for n in sizes])
    best = [histogram_amise(best_bin_width(int(n), 12.0), int(n), 12.0) for n in sizes]
    ratio = smallest / np.array(best)
    yield within("smallest MISE over AMISE, n = 1e3, 1e6, 1e9", ratio, [few, many, 0.998], np.ones(3))
    slopes = np.diff(np.log(smallest)) / math.log(1000)
    yield within("slope of log smallest MISE in log n", slopes, -0.67, -0.65)


# ---- 4 Cross-validation of histograms
@statement("definition", "4", "Yan, cross-validation")
def cv_risk(NormalMixture, rng):
    r"""$L(h) = \int(\hat f - f)^2 = J(h) + \int f^2$ with $J(h) = \int\hat f^2 - 2\int\hat ff$: the unknown
    $\int f^2$ does not depend on $h$."""
    x, distribution = rng.integers(-8, 9, 12) / 4, NormalMixture([0.5, 0.5], [-1.0, 1.0], [0.5, 1.0])
    t = np.arange(-960, 961) / 64
    f = 0.5 * (normal_density(t + 1, 0.5) + normal_density(t - 1, 1.0))
    gaps = []
    for h in (0.25, 0.5, 2.0):
        f_hat = estimate(x, t, h)
        J = (f_hat**2 - 2 * f_hat * f).sum() / 64
        gaps.append(scalar(distribution.integrated_squared_error(x, h)) - J)
    square = (f**2).sum() / 64
    yield equal("L - J for three bandwidths", gaps, np.full(3, square), rounding(2000, 4), x=x)


@hard_cases(cv_risk)
def a_component_out_of_reach(NormalMixture, rng):
    x, h = rng.standard_normal(300), 0.5
    means, scales = np.array([-1.0, 900.0]), np.array([0.5, 1.0])
    spreads = np.hypot(scales, h)
    square = normal_density(np.subtract.outer(x, x), h * math.sqrt(2)).mean()
    mixed = (normal_density(x[:, None] - means, spreads) / 2).sum(axis=1).mean()
    roughness = (normal_density(0.0, math.sqrt(2) * scales) / 4).sum()
    error = NormalMixture([0.5, 0.5], means, scales).integrated_squared_error(x, h)
    yield equal(
        "L with a component out of reach", scalar(error), square - 2 * mixed + roughness, rounding(600, 4)
    )


@statement("formula", "4", "Yan, cross-validation")
def cv_jhat(bin_counts, histogram_cv_score, kernel_cv_score, rng, *, n=9):
    r"""$\hat J = \int\hat f^2 - \frac2n\sum_i\hat f_{(-i)}(X_i)$, where $\hat f_{(-i)}$ is the estimate
    from the other $n - 1$ observations."""
    x = _points(rng, max(n, 2))
    x[:2] = [Fraction(30, 61)] * 2
    data, sizes = np.array(x, dtype=float), range(1, 13)
    exact = [float(_left_out(x, m)) for m in sizes]
    scores = [histogram_cv_score(bin_counts(data, m)) for m in sizes]
    yield equal("histogram scores against refits", scores, exact, rounding(40, 60), x=x)
    for h in (0.1, 0.5, 0.02):
        truth = score_of(data, h)
        yield equal(
            f"kernel score against refits, h = {h}", kernel_cv_score(data, h), truth, rounding(200, 30)
        )


@statement("theorem", "4", "Yan, cross-validation (histogram)", "Rudemo, 1982")
def cv_hist_approx(histogram_cv_score, rng):
    r"""$E\hat J = EJ$ for every fixed number of bins and every $n \ge 2$: equality, not approximation. Both
    sides over all samples."""
    for m, n in ((2, 2), (3, 3), (3, 4)):
        p = random_masses(rng, m)
        chances, heights = _histograms(p, n)
        J = (heights**2 - 2 * heights * m * p).mean(axis=1)
        scores = [histogram_cv_score(counts) for counts in (heights * n / m).astype(int)]
        left, right = float(chances @ J), chances.astype(float) @ scores
        yield equal(f"E J_hat against E J, m = {m}, n = {n}", right, left, rounding(400, 10), p=p)
        yield at_least("largest distance of one J_hat from the mean", max(abs(scores - right)), 1.0, p=p)


@statement("homework", "4", "Yan, cross-validation, homework")
def cv_hist_formula(histogram_cv_score, rng, *, n=8, most=30):
    r"""$\hat J = \frac2{(n-1)h} - \frac{n+1}{(n-1)h}\sum_j\hat p_j^2$ equals the leave-one-out definition,
    for $m = 1, \dots, «most»$ bins."""
    x = _points(rng, n)
    scores = [histogram_cv_score(np.array(_counts(x, m))) for m in range(1, most + 1)]
    exact = np.array([float(_left_out(x, m)) for m in range(1, most + 1)])
    yield equal(
        "from the counts, against refits without each observation", scores, exact, rounding(40, 60), x=x
    )
    squares = [sum((c / n) ** 2 for c in _counts(x, m)) for m in range(1, most + 1)]
    printed = (2 * np.arange(1, most + 1) - (n + 1) * np.array(squares)) / (n - 1)  # without 1/h
    # they differ by (n + 1)/(n - 1) (m - 1) times a sum of squares, which is at least 1/m
    yield at_least("the printed form minus the definition, from two bins on", (printed - exact)[1:], 0.5)


def _clustered(rng):
    """Return points of which some are close together, so that the best m is neither 1 nor large."""
    cluster = [Fraction(k, 61) for k in range(18, 32)]
    points = sorted({*cluster, *_points(rng, 6)})
    return points, np.array(points, dtype=float), [_left_out(points, m) for m in range(1, 13)]


WIDTHS = np.geomspace(0.004, 1.0, 12)


@statement("algorithm", "4", "Yan, cross-validation")
def cv_select(select_bins, select_bandwidth, rng):
    r"""Cross-validation takes the candidate with the smallest $\hat J$: for bins and for bandwidths the
    choice is that of brute force."""
    _, x, exact = _clustered(rng)
    m = int(quietly(select_bins, x, np.arange(1, 13)))
    score = float(exact[m - 1]) if m in range(1, 13) else math.nan
    yield equal("score of the chosen number of bins", score, float(min(exact)), rounding(40, 60), x=x)
    yield _of_the_chosen(select_bandwidth, x, WIDTHS)


@hard_cases(cv_select)
def orders_of_candidates(select_bins, select_bandwidth, rng):
    """The smallest score last, where both scores are positive, first, behind a worse one; an outlier."""
    for beyond in ([-0.1, 0.5], [0.5, 1.1]):
        yield equal("points outside [0, 1] refused", refuses(select_bins, np.array(beyond)), True, x=beyond)
    _, x, _ = _clustered(rng)
    few = np.array([0.0, 0.01, 0.02, 0.03, 1.0])  # a likelihood would take a large bandwidth
    for data, places in ((x, [0, 1]), (x, [6, 7, 8]), (x, [4, 3, 6, 8]), (few, [4, 7, 9])):
        yield _of_the_chosen(select_bandwidth, data, WIDTHS[places])


def _of_the_chosen(select_bandwidth, x, widths):
    scores = [score_of(x, h) for h in widths]
    chosen = scores[int(np.argmin(abs(widths - quietly(select_bandwidth, x, widths))))]
    return equal("score of the chosen bandwidth", chosen, min(scores), rounding(200, 60), x=x)


@hard_cases(cv_select, estimators_only="Only the estimators warn.")
def warnings_of_a_choice(select_bins, select_bandwidth, rng):
    """A warning if the best is at an end of many candidates, or if ties make the score fall without bound."""
    _, x, exact = _clustered(rng)
    m, k = int(np.argmin(exact)) + 1, int(np.argmin([score_of(x, h) for h in WIDTHS]))
    yield _warned(select_bins, x, [[m], [m, 13], [1, m]], [0, 0, 1, 1])
    # the best alone, between others, the largest, the smallest
    some = [WIDTHS[k : k + 1], WIDTHS[k - 1 : k + 2], WIDTHS[k - 1 : k + 1], WIDTHS[k : k + 2]]
    yield _warned(select_bandwidth, x, some, [0, 0, 1, 1, 1])


def _warned(select, x, candidates, truth):
    """Return evidence on the warnings at these candidates, and at the first of them with each point twice."""
    calls = [*((x, some) for some in candidates), (np.repeat(x, 2), candidates[0])]
    return equal("warnings", [counting_warnings(select, *call)[1] for call in calls], truth, x=x)


@statement("claim", "5", "Yan, limitation of the histogram")
def histogram_limits(histogram_density, histogram_amise, best_bin_width, kernel_amise, best_bandwidth):
    """A histogram jumps at the edges between bins of different counts; its smallest AMISE falls like
    $n^{-2/3}$, against $n^{-4/5}$ of a kernel estimate; in $d$ dimensions $m$ bins a side are $m^d$ bins."""
    x, m = np.array([0.1, 0.1, 0.4, 0.6, 0.6, 0.6]), 4
    edges = np.array([0.25, 0.5, 0.75])
    values = histogram_density(x, np.append(edges, np.nextafter(edges, 0)), m)
    jumps = np.array([-1, 2, -3]) * 4 / 6
    yield equal("jumps at the inner edges", values[:3] - values[3:], jumps, rounding(4, 4))
    histogram = [histogram_amise(best_bin_width(n, 1.0), n, 1.0) for n in (100, 10**5)]
    kernel = [kernel_amise(best_bandwidth(n, 1.0), n, 1.0) for n in (100, 10**5)]
    for name, (few, many), rate in (("histogram", histogram, -2 / 3), ("kernel", kernel, -4 / 5)):
        slope = math.log(many / few) / math.log(1000)
        yield equal(f"slope of the {name}", slope, rate, rounding(16, 4))
    cells = len({tuple(c) for c in np.ndindex(10, 10, 10)})
    yield equal("cells of 10 bins a side in d = 3", cells, 10**3)
