"""The statements on density estimation as executable claims, in the order of the lecture.

The truth is computed here: histograms in fractions and by enumeration of all samples, kernel estimates by
double sums, integrals of products of normal densities by the closed form or by the trapezoid rule, which is
exact to rounding for smooth functions that vanish at both ends.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.claims.answers import as_numbers, fit_copies, quietly, refuses, scalar
from mlnotes.claims.core import at_least, at_most, correction, equal, rounding, statement, within

SQRT5 = math.sqrt(5)
R_GAUSS, R_EPAN = 0.5 / math.sqrt(math.pi), 3 / (5 * SQRT5)  # R(K) of the two kernels of the notes


# ------------------------------------------------------------------- instances and the truth about them
def _gauss(u):
    return np.exp(-0.5 * u**2) / math.sqrt(2 * math.pi)


def _epan(u):
    return np.where(abs(u) < SQRT5, 0.75 / SQRT5 * (1 - u**2 / 5), 0.0)


PROFILES = {"gaussian": _gauss, "epanechnikov": _epan}


def _epan_twice(u):
    """K * K of the kernel above, from that of 3/4 (1 - u^2): 3/160 (2 - u)^3 (u^2 + 6u + 4)."""
    v = np.minimum(abs(u) / SQRT5, 2.0)
    return 3 / 160 * (2 - v) ** 3 * (v**2 + 6 * v + 4) / SQRT5


def _normal(x, s):
    return _gauss(x / s) / s


def _sums(x, h, kernel="gaussian"):
    """Return int f_hat^2 and the mean of the left-out estimates at the points, by double sums."""
    gaps, n = (x[:, None] - x) / h, len(x)
    once, twice = {
        "gaussian": (_gauss, lambda u: _normal(u, math.sqrt(2))),
        "epanechnikov": (_epan, _epan_twice),
    }[kernel]
    K = once(gaps)
    return twice(gaps).sum() / (n**2 * h), (K.sum() - np.trace(K)) / (n * (n - 1) * h)


def _score(x, h):
    """Return the cross-validation score of a Gaussian estimate."""
    square, others = _sums(x, h)
    return square - 2 * others


def _log_estimate(X, T, H):
    """Return the logarithm of the Gaussian estimate at the rows of T, by double sums."""
    logs = -0.5 * (((T[:, None] - X) @ np.linalg.inv(np.linalg.cholesky(H)).T) ** 2).sum(axis=2)
    top = logs.max(axis=1)
    constant = 0.5 * math.log(np.linalg.det(2 * math.pi * H))
    return top + np.log(np.exp(logs - top[:, None]).mean(axis=1)) - constant


def _reference(kernel, n):
    """Return the best bandwidth of a kernel of variance 1 for N(0, 1)."""
    return ({"gaussian": R_GAUSS, "epanechnikov": R_EPAN}[kernel] / (CURVE * n)) ** 0.2


def _counts(x, m):
    """Return the counts of the bins [k/m, (k+1)/m), the last one closed, for fractions x."""
    bins = [min(int(v * m), m - 1) for v in x]
    return [bins.count(k) for k in range(m)]


def _left_out(x, m):
    """Return int f_hat^2 - (2/n) sum_i f_hat_(-i)(X_i) in fractions, refitting without each point."""
    n, bins = len(x), [min(int(point * m), m - 1) for point in x]
    companions = sum(sum(b == bins[i] for b in bins[:i] + bins[i + 1 :]) for i in range(n))
    squares = Fraction(sum(bins.count(k) ** 2 for k in range(m)), n**2)
    return squares * m - Fraction(2 * m * companions, n * (n - 1))


def _points(rng, n, top=60):
    """Return n fractions k/61 in (0, 1), never on an edge of fewer than 61 bins."""
    return [Fraction(int(k), 61) for k in rng.integers(1, top + 1, n)]


def _masses(rng, m):
    weights = rng.integers(1, 9, m)
    return np.array([Fraction(int(w), int(weights.sum())) for w in weights])


def _histograms(p, n):
    """Return the chances of all samples of n points, (S,), and the heights of their histograms, (S, m).

    Both are fractions: the expectation over the samples is exact.
    """
    samples = list(itertools.product(range(len(p)), repeat=n))
    heights = [[Fraction(len(p) * bins.count(j), n) for j in range(len(p))] for bins in samples]
    return p[np.array(samples)].prod(axis=1), np.array(heights)


def _beta_masses(m):
    """Return the masses of m equal bins under Beta(2, 2), density 6x(1 - x), slope integral 12."""
    edges = np.arange(m + 1) / m
    return np.diff(edges**2 * (3 - 2 * edges))


def _beta_risk(m, n):
    """Return the exact MISE of the histogram of Beta(2, 2); int f^2 = 6/5."""
    h, (a, b) = 1 / m, (np.arange(m) / m, np.arange(1, m + 1) / m)
    # sum p_j^2 / h cancels against 6/5 for large m: take the variance of f within each bin instead
    centre = (a + b) / 2
    slope, bend = 6 - 12 * centre, -6.0  # f(c + t) = f(c) + slope t + bend t^2
    within_bins = slope**2 * h**3 / 12 + bend**2 * h**5 / 180
    return within_bins.sum() + (1 - (_beta_masses(m) ** 2).sum()) / (n * h)


def _normal_risk(h, n, s=1.0):
    """Return int b^2 and int v for N(0, s^2), Gaussian kernel; a series where the closed form cancels."""
    z = (h / s) ** 2
    if z < 1e-3:  # (1 + z)^(-1/2) - 2 (1 + z/2)^(-1/2) + 1, next term 3 orders below rounding
        bias = 3 / 16 * z**2 - 15 / 64 * z**3 + 245 / 1024 * z**4
    else:
        bias = (1 + z) ** -0.5 - 2 * (1 + z / 2) ** -0.5 + 1
    return R_GAUSS / s * bias, R_GAUSS / n * (1 / h - (1 + z) ** -0.5 / s)


ANSWERS = {
    **dict.fromkeys(("bin_counts", "histogram_density", "histogram_cv_scores", "kernel_cv_scores"), "(n,)"),
    **dict.fromkeys(("kernel_density", "kernel_cv_approximation", "multivariate_density"), "(n,)"),
    **dict.fromkeys(("histogram_amise", "histogram_best_width", "histogram_best_amise"), "number"),
    **dict.fromkeys(("kernel_amise", "kernel_best_bandwidth", "kernel_best_amise"), "number"),
    **dict.fromkeys(("histogram_cv_score", "sample_size", "gaussian_relative_mise"), "number"),
    "log_density": "(n,)", "silverman_bandwidth": "(d, d)", "KernelDensity.score_samples": "(n,)",
    "Histogram.density": "(n,)", "DensityThreshold.predict": "(n,)", "DensityThreshold.threshold_": "number",
}  # fmt: skip
CURVE = 3 / (8 * math.sqrt(math.pi))  # int f''^2 of N(0, 1)


# ------------------------------------------------------------------- 1 The problem
@statement("definition", "1", "Yan, setup density estimation")
def setup(histogram_density, kernel_density, rng):
    r"""An estimate $\hat f$ of a density is nonnegative and $\int_{\mathbb R}\hat f = 1$. A histogram on
    $[0, 1]$ keeps its mass there; a kernel estimate may put some outside, even if no point is."""
    x = np.append(rng.integers(0, 64, 30) / 64, [0.0, 1.0])
    h = 0.125
    t = np.arange(-16, 24, 1 / 64) + 1 / 128  # 2^-6 is h/8: the trapezoid rule errs by exp(-2 (8 pi)^2)
    bins, kernel = histogram_density(x, t, 8), kernel_density(x, t, h)
    yield at_least("smallest value of both", min(bins.min(), kernel.min()), 0.0)
    slack = rounding(len(t), 1)
    yield equal("mass of the histogram on [0, 1]", bins[(t > 0) & (t < 1)].sum() / 64, 1.0, slack, x=x)
    yield equal("mass of the kernel estimate on the line", kernel.sum() / 64, 1.0, slack, x=x)
    # each end carries a point, and half its mass of 1/32 falls outside
    outside = kernel[(t < 0) | (t > 1)].sum() / 64
    yield at_least("its mass outside [0, 1]", outside, 1 / 33, x=x)


@statement("definition", "1", "Yan, setup, bias-variance")
def mise(histogram_risk, NormalMixture, rng):
    r"""$MISE = E\int(\hat f - f)^2$. For a histogram it is a finite sum over samples; for a mixture of
    normal laws and a Gaussian kernel it has a closed form."""
    p = _masses(rng, 3)
    chances, heights = _histograms(p, 3)
    f = 3 * p  # constant on the bins: no bias; then with a step inside each bin
    for step in (Fraction(0), Fraction(1, 3)):
        total = sum(chances @ ((heights - f * (1 + s)) ** 2).mean(axis=1) for s in (step, -step)) / 2
        parts = histogram_risk(p, 3, (f**2).mean() * (1 + step**2))
        yield equal(f"histogram: sum of the parts, step {step}", sum(parts), total, p=p)
    w, means, scales = np.array([0.25, 0.75]), rng.integers(-3, 4, 2) / 2, rng.integers(2, 6, 2) / 4
    t = np.arange(-280, 281) / 20  # from -14 to 14; the narrowest factor has scale 0.35, 7 steps
    truth = sum(a * _normal(t - b, s) for a, b, s in zip(w, means, scales, strict=True))
    kernel = _normal(t[:, None] - t, 0.5)
    mean, second = kernel @ truth / 20, kernel**2 @ truth / 20
    exact = [((mean - truth) ** 2).sum() / 20, (second - mean**2).sum() / 20 / 20]
    parts = NormalMixture(w, means, scales).risk(0.5, 20)
    yield equal("kernel estimate: both parts", parts, exact, rounding(561, 2), means=means)


@statement("definition", "1", "Yan, bias-variance tradeoff")
def bias_var(histogram_moments, rng):
    r"""$b(x) = E\hat f(x) - f(x)$ and $v(x) = \operatorname{Var}\hat f(x)$. For a histogram $E\hat f =
    p_j/h$ and $v = p_j(1 - p_j)/(nh^2)$ on bin $j$."""
    p = _masses(rng, 3)
    chances, heights = _histograms(p, 3)
    mean, variance = histogram_moments(p, 3)
    yield equal("mean on each bin, exactly", mean, chances @ heights, p=p)
    exact = chances @ heights**2 - (chances @ heights) ** 2
    yield equal("variance on each bin, exactly", variance, exact, p=p)


@statement("theorem", "1", "Yan, Thm 2.4")
def decomposition(histogram_moments, rng):
    r"""If $f \in L^2$ and $E\int\hat f^2 < \infty$, then $E\int(\hat f - f)^2 = \int b^2 + \int v$. Checked
    in fractions for histograms, over all samples."""
    p = _masses(rng, 3)
    f = np.outer(3 * p, [Fraction(1, 2), Fraction(3, 2)])  # on the halves of the bins
    chances, heights = _histograms(p, 3)
    total = chances @ ((heights[..., None] - f) ** 2).mean(axis=(1, 2))
    mean, variance = (np.asarray(part, dtype=object) for part in histogram_moments(p, 3))
    squared = ((mean[:, None] - f) ** 2).mean()
    yield equal("int b^2 + int v against the enumerated MISE", squared + variance.mean(), total, p=p)
    yield at_least("int b^2", squared, Fraction(1, 100))


# ------------------------------------------------------------------- 2 Histograms
@statement("formula", "2", "Yan, histograms")
def histogram_estimator(bin_counts, histogram_density, rng):
    r"""$\hat f = \hat p_j/h$ on bin $j$, $h = 1/m$; bins are $[\frac{j-1}m, \frac jm)$, the last one
    closed. The point 1 falls into bin $m$, the float $k/m$ into bin $k + 1$."""
    for m in (3, 10, 49, 100):
        edges = np.arange(m + 1) / m
        counted = bin_counts(np.append(edges, np.nextafter(edges[1:], 0)), m)
        expected = np.full(m, 2.0)
        expected[-1] = 3
        yield equal(f"counts of the edges and the floats below them, m = {m}", counted, expected)
    x, m = _points(rng, 20), int(rng.integers(2, 9))
    t = np.append(np.arange(-3, 64) / 61, 1.0)
    heights, steps = np.array(_counts(x, m)) * m / 20, np.append(np.arange(-3, 64), 61)  # t is steps / 61
    truth = np.where((steps >= 0) & (steps <= 61), heights[np.clip(steps * m // 61, 0, m - 1)], 0.0)
    values = histogram_density(np.array(x, dtype=float), t, m)
    yield equal("values", values, truth, rounding(4, m), x=x, m=m)
    for beyond in ([-0.1, 0.5], [0.5, 1.1], [-0.1, 1.1]):
        yield equal("points outside refused", refuses(bin_counts, np.array(beyond), m), True, x=beyond)


@statement("figure", "2", "Yan, histogram slide", "Social Security Administration, life table 2015")
def histogram_figure(Histogram):
    """Age at death of men, USA 2015, in bins of five years: mass 1, the largest bin is 85 to 90, and the
    distribution leans to the left: more mass below 60 than above 95."""
    from mlnotes.laws.datasets import load_ages_at_death  # here: no homework needs data

    table = load_ages_at_death().X
    ages = np.repeat(table[:, 0] + 0.5, np.rint(2000 * table[:, 3]).astype(int))
    middles = np.arange(2.5, 120, 5)
    counts = np.array([((ages >= a) & (ages < a + 5)).sum() for a in range(0, 120, 5)])
    shares = counts / len(ages)
    score = (2 - (len(ages) + 1) * (shares**2).sum()) * 24 / (len(ages) - 1) / 120
    for start in (0, -60):  # ages, and years since the 60th birthday
        model = Histogram(n_bins=24, support=(start, start + 120)).fit(ages + start)
        values = model.density(middles + start)
        yield equal("values", values, shares / 5, rounding(4, 1))
        edges = np.arange(start, start + 125, 5)
        truth = {"edges_": edges, "heights_": shares / 5, "counts_": counts, "bandwidth_": 5}
        for name, numbers in truth.items():
            yield equal(name, getattr(model, name, numbers), numbers, rounding(8, 120))
        told = getattr(model, "certificate_", {"score": score})["score"]
        yield equal("score of the certificate", told, score, rounding(100, 1))
    yield equal("start of the largest bin", 5 * int(values.argmax()), 85)
    yield at_least("mass below 60 against above 95", 5 * values[:12].sum(), 5 * values[19:].sum())


@statement("formula", "2", "Yan, Thm 2.5 (finite-n form)")
def histogram_exact_mise(histogram_risk, rng):
    r"""$\int b^2 = \int f^2 - \frac1h\sum p_j^2$ and $\int v = \frac{1 - \sum p_j^2}{nh}$, for every $f$
    with these bin masses, exactly."""
    for m, n in ((1, 3), (2, 4), (3, 3)):
        p = _masses(rng, m)
        f = np.outer(m * p, [Fraction(1, 4), Fraction(7, 4)])  # on the halves of the bins
        chances, heights = _histograms(p, n)
        mean = chances @ heights
        bias, spread = ((mean[:, None] - f) ** 2).mean(), (chances @ heights**2 - mean**2).mean()
        parts = histogram_risk(p, n, (f**2).mean())
        yield equal(f"both parts, m = {m}, n = {n}", parts, [bias, spread], p=p)


# ------------------------------------------------------------------- 3 The best number of bins
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
        slope = a**2 + c**2 / 3
        for m in (1, 2, 5, 17):
            e = np.arange(m + 1) / m
            p = np.diff(e + a * (e**2 - e) / 2 + c * (e**3 / 3 - e**2 / 2 + e / 6))
            square = 1 + a**2 / 12 + c**2 / 180
            risk = square - m * (p**2).sum() + (1 - (p**2).sum()) * m / 50
            worst.append(risk - slope / (math.pi * m) ** 2 - m / 50)
    yield at_most("MISE minus the bound", worst, 0.0, rounding(20, 4))


@statement("formula", "3", "Yan, Thm 2.5")
def histogram_hstar(histogram_best_width, rng):
    r"""$h^\star = (6/\int f'^2)^{1/3}n^{-1/3}$ minimises $\frac{h^2}{12}\int f'^2 + \frac1{nh}$. On Beta(2,
    2) the exact best number of bins is within 1 of $1/h^\star$, for $n$ up to $10^6$."""
    n, slope = int(rng.integers(10, 10**5)), float(rng.uniform(0.1, 20))
    h = histogram_best_width(n, slope)
    # the derivative h slope / 6 - 1 / (n h^2) in units of its terms
    ratio = h**3 * slope * n / 6
    yield equal("ratio of the two terms of the derivative at h", ratio, 1.0, rounding(8, 1), n=n)
    for n in (100, 10**4, 10**6):
        guess = 1 / histogram_best_width(n, 12.0)
        sizes = np.arange(1, 12) if guess < 8 else np.arange(int(guess / 2), int(2 * guess))
        best = sizes[np.argmin([_beta_risk(m, n) for m in sizes])]
        yield within(f"exact best m minus 1/h*, n = {n}", best - guess, -1.0, 1.0)


@statement("formula", "3", "Yan, Thm 2.5")
def histogram_constant(histogram_best_amise, rng, *, few=0.9, many=0.99):
    r"""At $h^\star$ the AMISE is $Cn^{-2/3}$, $C = (3/4)^{2/3}(\int f'^2)^{1/3}$, and the least exact MISE
    of Beta(2, 2) over it tends to 1: above «few» at $n = 10^3$ and above «many» at $n = 10^6$."""
    n, slope = int(rng.integers(10, 10**5)), float(rng.uniform(0.1, 20))
    h = (6 / (slope * n)) ** (1 / 3)
    value = h**2 / 12 * slope + 1 / (n * h)
    yield equal("against AMISE(h*)", histogram_best_amise(n, slope), value, rounding(16, value), n=n)
    sizes = (10**3, 10**6, 10**9)
    bins = np.unique(np.geomspace(1, 3000, 150).astype(int))
    least = np.array([min(_beta_risk(m, n) for m in bins) for n in sizes])
    ratio = least / np.array([histogram_best_amise(n, 12.0) for n in sizes])
    yield within("least MISE over AMISE, n = 1e3, 1e6, 1e9", ratio, [few, many, 0.998], np.ones(3))
    slopes = np.diff(np.log(least)) / math.log(1000)
    yield within("slope of log least MISE in log n", slopes, -0.67, -0.65)


# ------------------------------------------------------------------- 4 Cross-validation of histograms
@statement("definition", "4", "Yan, cross-validation")
def cv_risk(NormalMixture, rng):
    r"""$L(h) = \int(\hat f - f)^2 = J(h) + \int f^2$ with $J(h) = \int\hat f^2 - 2\int\hat ff$: the unknown
    $\int f^2$ does not depend on $h$."""
    x, law = rng.integers(-8, 9, 12) / 4, NormalMixture([0.5, 0.5], [-1.0, 1.0], [0.5, 1.0])
    t = np.arange(-960, 961) / 64
    f = 0.5 * (_normal(t + 1, 0.5) + _normal(t - 1, 1.0))
    gaps = []
    for h in (0.25, 0.5, 2.0):
        estimate = _normal(t[:, None] - x, h).mean(axis=1)
        J = (estimate**2 - 2 * estimate * f).sum() / 64
        gaps.append(scalar(law.integrated_squared_error(x, h)) - J)
    square = (f**2).sum() / 64
    yield equal("L - J for three bandwidths", gaps, np.full(3, square), rounding(2000, 4), x=x)


@statement("formula", "4", "Yan, cross-validation")
def cv_jhat(histogram_cv_scores, kernel_cv_scores, rng, *, n=9, kernels=tuple(PROFILES)):
    r"""$\hat J = \int\hat f^2 - \frac2n\sum_i\hat f_{(-i)}(X_i)$, where $\hat f_{(-i)}$ is the estimate
    from the other $n - 1$ points."""
    x = _points(rng, max(n, 2))
    x[:2] = [Fraction(30, 61)] * 2
    sizes = np.arange(1, 13)
    exact = np.array([float(_left_out(x, int(m))) for m in sizes])
    scores = histogram_cv_scores(np.array(x, dtype=float), sizes)
    yield equal("histogram scores against refits", scores, exact, rounding(40, 60), x=x)
    data, widths = np.array(x, dtype=float), np.array([0.1, 0.5, 0.02])
    for kernel in kernels:
        truth = []
        for h in widths:
            others = [PROFILES[kernel]((data[i] - np.delete(data, i)) / h).mean() / h for i in range(len(x))]
            truth.append(_sums(data, h, kernel)[0] - 2 * np.mean(others))
        scores = kernel_cv_scores(data, widths, kernel)
        yield equal(f"{kernel} scores against refits", scores, truth, rounding(200, 30), x=x)


@statement("theorem", "4", "Yan, cross-validation (histogram)", "Rudemo, 1982")
def cv_hist_approx(histogram_cv_score, rng):
    r"""$E\hat J = EJ$ for every fixed number of bins and every $n \ge 2$: equality, not approximation. Both
    sides in fractions, over all samples."""
    for m, n in ((2, 2), (3, 3), (3, 4)):
        p = _masses(rng, m)
        chances, heights = _histograms(p, n)
        J = (heights**2 - 2 * heights * m * p).mean(axis=1)
        scores = [histogram_cv_score(counts) for counts in (heights * n / m).astype(int)]
        left, right = float(chances @ J), chances.astype(float) @ scores
        yield equal(f"E J_hat against E J, m = {m}, n = {n}", right, left, rounding(400, 10), p=p)
        yield at_least("largest distance of one J_hat from the mean", max(abs(scores - right)), 1.0, p=p)


@statement("homework", "4", "Yan, cross-validation, homework")
def cv_hist_formula(histogram_cv_score, rng, *, n=8, most=30):
    r"""$\hat J = \frac2{(n-1)h} - \frac{n+1}{(n-1)h}\sum_j\hat p_j^2$ equals the leave-one-out definition,
    for $m = 1, \dots, «most»$ bins, in fractions."""
    x = _points(rng, n)
    scores = [histogram_cv_score(np.array(_counts(x, m))) for m in range(1, most + 1)]
    exact = np.array([float(_left_out(x, m)) for m in range(1, most + 1)])
    yield equal("from the counts, against refits without each point", scores, exact, rounding(40, 60), x=x)
    squares = [sum((c / n) ** 2 for c in _counts(x, m)) for m in range(1, most + 1)]
    printed = (2 * np.arange(1, most + 1) - (n + 1) * np.array(squares)) / (n - 1)  # without 1/h
    # they differ by (n + 1)/(n - 1) (m - 1) times a sum of squares, which is at least 1/m
    yield at_least("the printed form less the definition, from two bins on", (printed - exact)[1:], 0.5)


@statement("algorithm", "4", "Yan, cross-validation", given=("search",))
def cv_select(
    select_bins, select_bandwidth, search, rng, *, kernels=tuple(PROFILES), sizes=((18, 5), (50, 7))
):
    r"""Cross-validation takes the candidate with the least $\hat J$: for bins and for bandwidths the choice
    is that of brute force. On the way the best so far is the best of those that were tried."""
    x = np.array(_points(rng, 20), dtype=float)
    x[:14] = np.arange(18, 32) / 61  # a cluster: the best m is neither 1 nor large
    x = np.unique(x)
    exact = [_left_out([Fraction(round(61 * v), 61) for v in x], m) for m in range(1, 13)]
    widths = np.geomspace(0.004, 1.0, 12)
    scores = [_score(x, h) for h in widths]
    m = scalar(quietly(select_bins, x, np.arange(1, 13)).best)
    score = float(exact[int(m) - 1]) if m in range(1, 13) else math.nan
    yield equal("score of the chosen number of bins", score, float(min(exact)), rounding(40, 60), x=x)
    # the least last, where both scores are positive, first, and behind a worse one; a point far off, for
    # which a likelihood takes a large bandwidth
    few = np.array([0.0, 0.01, 0.02, 0.03, 1.0])
    cases = ((x, np.arange(12)), (x, [0, 1]), (x, [6, 7, 8]), (x, [4, 3, 6, 8]), (few, [4, 7, 9]))
    for data, asked in cases:
        J = [_score(data, h) for h in widths[asked]]
        h = scalar(quietly(select_bandwidth, data, widths[asked]).best)
        chosen = J[int(np.argmin(abs(widths[asked] - h)))]
        yield equal("score of the chosen bandwidth", chosen, min(J), rounding(200, 60), x=data)
    for kernel in kernels:
        tried = quietly(select_bandwidth, x, kernel=kernel).values
        truth = x.std(ddof=1) * _reference(kernel, len(x)) * np.geomspace(1 / 30, 2, 60)
        yield equal(f"the default bandwidths, {kernel}", tried, truth, rounding(60, truth[-1]))
    for n, most in sizes:
        tried = quietly(select_bins, np.resize(x, n)).values
        yield equal(f"the default numbers of bins, n = {n}", tried, np.arange(1, most + 1))
    path = list(search(widths, dict(zip(widths, scores, strict=True)).get))
    yield equal("bandwidths tried, at each step", [len(state.values) for state in path], np.arange(1, 13))
    best = [widths[np.argmin(scores[: k + 1])] for k in range(12)]
    yield equal("the best so far", [state.best for state in path], best)


@statement("claim", "5", "Yan, limitation of the histogram")
def histogram_limits(histogram_density, histogram_best_amise, kernel_best_amise):
    """A histogram jumps at the edges between bins of different counts; its least AMISE falls like
    $n^{-2/3}$, against $n^{-4/5}$ of a kernel estimate; in $d$ dimensions $m$ bins a side are $m^d$ bins."""
    x, m = np.array([0.1, 0.1, 0.4, 0.6, 0.6, 0.6]), 4
    edges = np.array([0.25, 0.5, 0.75])
    values = histogram_density(x, np.append(edges, np.nextafter(edges, 0)), m)
    jumps = np.array([-1, 2, -3]) * 4 / 6
    yield equal("jumps at the inner edges", values[:3] - values[3:], jumps, rounding(4, 4))
    for name, f, rate in (("histogram", histogram_best_amise, -2 / 3), ("kernel", kernel_best_amise, -4 / 5)):
        slope = math.log(f(10**5, 1.0) / f(10**2, 1.0)) / math.log(1000)
        yield equal(f"slope of the {name}", slope, rate, rounding(16, 4))
    cells = len({tuple(c) for c in np.ndindex(10, 10, 10)})
    yield equal("cells of 10 bins a side in d = 3", cells, 10**3)


# ------------------------------------------------------------------- 5 Kernel estimates
@statement("formula", "5", "Yan, kernel density estimation")
def kde_estimator(kernel_density, rng):
    r"""$\hat f(x) = \frac1{nh}\sum_iK(\frac{x - x_i}h)$ has mass 1, and moves with the data: for $a > 0$
    the estimate from $ax_i + b$ with bandwidth $ah$ at $ax + b$ is $\hat f(x)/a$. Here
    "epanechnikov" is the kernel on $[-\sqrt5, \sqrt5]$, of variance 1."""
    x, t = rng.integers(-16, 17, 25) / 8, np.arange(-320, 321) / 32
    for kernel, profile in PROFILES.items():
        for h in (0.25, 1.0):
            truth = profile((t[:, None] - x) / h).mean(axis=1) / h
            values = kernel_density(x, t, h, kernel)
            yield equal(f"{kernel}, h = {h}", values, truth, rounding(60, 1 / h), x=x)
            moved = kernel_density(4 * x - 3, 4 * t - 3, 4 * h, kernel)
            yield equal(f"{kernel}, h = {h}, moved and stretched", 4 * moved, truth, rounding(60, 1 / h))


@statement("definition", "5", "Yan, kernel density estimation")
def kde_kernel(Kernel):
    r"""A kernel is a density with $\int xK = 0$, $\int x^2K < \infty$ and $\int K^2 < \infty$. Without the
    finite variance the squared bias is not of order $h^4$: it is of order $h^3$ for the symmetric stable
    law of index 3/2."""
    good = Kernel("good", lambda x: 0.75 * (1 - x**2), 1.0)
    values = as_numbers(good(np.array([0.0, 0.5, 2.0])), 3)
    yield equal("a right kernel, at 0, 1/2 and 2", values, [0.75, 0.5625, 0.0], rounding(4, 1))
    wrong = {
        "mass 2": lambda x: np.ones_like(x),
        "mean not 0": lambda x: 0.5 * (1 + x),
        "negative": lambda x: 1.5 - 3 * x**2,
        "int K^2 infinite": lambda x: 0.25 / np.sqrt(abs(x)),
    }
    for what, profile in wrong.items():
        yield equal(f"refused: {what}", refuses(Kernel, "wrong", profile, 1.0), True)
    edges = np.geomspace(1e-12, 1, 2000)  # of the last both integrals, by the midpoint rule
    middle, lengths = (edges[1:] + edges[:-1]) / 2, 2 * np.diff(edges)
    integrals = [lengths @ (middle**2 * profile(middle)), lengths @ profile(middle) ** 2]
    yield at_least("int x^2 K = 1/5 of the last, and its int K^2 beyond 1e-12", integrals, [0.199, 3.4])
    tent = Kernel("tent", lambda u: np.maximum(0, 1 - abs(u)), 1.0)
    moments = [scalar(getattr(tent, name, None)) for name in ("second_moment", "roughness")]
    yield equal("int x^2 K and int K^2 of 1 - |u|", moments, [1 / 6, 2 / 3], rounding(256))
    s = np.linspace(0, 60, 60_001)
    bias = [((np.exp(-((h * s) ** 1.5)) - 1) ** 2 * np.exp(-(s**2))).sum() for h in (0.01, 0.02)]
    yield equal("slope of the squared bias, stable law of index 3/2", math.log2(bias[1] / bias[0]), 3.0, 0.02)


@statement("formula", "5", "Yan, kernel density estimation")
def kde_gaussian(KERNELS):
    r"""The Gaussian kernel has $R(K) = 1/(2\sqrt\pi) \approx 0.28209479$, $\mu_2 = 1$, and $K * K$ is the
    density of $N(0, 2)$."""
    yield from _constants(KERNELS["gaussian"], _gauss, lambda u: _normal(u, math.sqrt(2)), R_GAUSS)


@statement("formula", "5", "Yan, kernel density estimation", "Epanechnikov, 1969")
def kde_epanechnikov(KERNELS):
    r"""$K(x) = \frac3{4\sqrt5}(1 - \frac{x^2}5)$ on $|x| < \sqrt5$ has mass 1, variance 1 and $R(K) =
    \frac3{5\sqrt5} \approx 0.26832816$, less than the Gaussian kernel's."""
    yield from _constants(KERNELS["epanechnikov"], _epan, _epan_twice, R_EPAN)
    yield at_most("R(K)", scalar(KERNELS["epanechnikov"].roughness), R_GAUSS)


def _constants(K, profile, twice, roughness):
    u = np.array([0.0, 0.5, -1.25, 2.0, 2.5, 4.0, 5.0])
    yield equal("values", as_numbers(K(u), 7), profile(u), rounding(8, 1))
    yield equal("K * K", as_numbers(K.self_convolution(u), 7), twice(u), rounding(8, 16))
    numbers = [scalar(K.roughness), scalar(K.second_moment), scalar(K.at_zero)]
    truth = np.array([roughness, 1.0, float(profile(np.zeros(1))[0])])
    yield equal("R(K), variance and K(0)", numbers, truth, rounding(64, 1))


# ------------------------------------------------------------------- 6 The best bandwidth
@statement("theorem", "6", "Yan, Thm 2.6")
def kde_amise(kernel_amise):
    r"""If $f, f', f'' \in L^2$, $f'$ is absolutely continuous and $K$ is a kernel, then $MISE \le
    \frac{h^4}4\mu_2^2\int f''^2 + \frac{R(K)}{nh}$ for every $h$ and $n$, and the ratio tends to 1 as $h \to
    0$, $nh \to \infty$. Checked on $N(0, 1)$ and the Gaussian kernel."""

    def ratio(h, n):
        return sum(_normal_risk(h, n)) / kernel_amise(h, n, CURVE)

    grid = itertools.product(np.geomspace(0.01, 10, 13).tolist(), (1, 10, 10**4, 10**7))
    yield at_most("MISE over the bound", [ratio(h, n) for h, n in grid], 1.0, rounding(64, 100))
    ratios = [ratio(0.05, 10**6), ratio(0.01, 10**10)]
    # bias: 1 - (5/4) h^2; variance: 1 - 2 sqrt(pi) h / (2 sqrt pi) = 1 - h
    yield at_least("ratio at h = 0.05 and 0.01", ratios, 1 - 1.2 * np.array([0.05, 0.01]))
    bias = [kernel_amise(h, 10**15, CURVE) - R_GAUSS / (h * 1e15) for h in (0.1, 0.2)]
    yield equal("slope of the bias part", math.log2(bias[1] / bias[0]), 4.0, 1e-8)
    yield equal("bias part at h = 0.1", bias[0], CURVE * 1e-4 / 4, 1e-14)
    wide = [kernel_amise(h, 50, 1.0, "epanechnikov-unit") for h in (0.5, 1.0)]
    truth = [h**4 / 4 / 25 + 0.6 / (50 * h) for h in (0.5, 1.0)]
    yield equal("a kernel of variance 1/5", wide, truth, rounding(8, 1))


@statement("formula", "6", "Yan, Thm 2.6")
def kde_hstar(kernel_best_bandwidth, rng):
    r"""$h^\star = (R(K)/(\mu_2^2\int f''^2\,n))^{1/5}$ minimises the AMISE: $(4/(3n))^{1/5}$ for $N(0, 1)$
    and the Gaussian kernel."""
    n, curvature = int(rng.integers(5, 10**6)), float(rng.uniform(0.01, 50))
    for kernel, R, mu in (("gaussian", R_GAUSS, 1.0), ("epanechnikov-unit", 0.6, 0.2)):
        h = kernel_best_bandwidth(n, curvature, kernel)
        ratio = n * mu**2 * curvature * h**5 / R
        yield equal(f"{kernel}: n mu^2 int f''^2 h^5 / R", ratio, 1.0, rounding(64, 1))
    h = kernel_best_bandwidth(n, CURVE)
    yield equal("at the normal law", h, (4 / (3 * n)) ** 0.2, rounding(16, 1), n=n)


@statement("theorem", "6", "Yan, Thm 2.6, implications")
def kde_rate(kernel_best_amise, rng):
    r"""The least AMISE is $\frac54(\mu_2^{1/2}R(K))^{4/5}(\int f''^2)^{1/5}n^{-4/5}$, and the least MISE
    for $N(0, 1)$ has slope $-4/5$ in $\log n$ in the limit."""
    curvature, n = float(rng.uniform(0.1, 9)), int(rng.integers(5, 10**6))
    for kernel, R, mu in (("gaussian", R_GAUSS, 1.0), ("epanechnikov", R_EPAN, 1.0), ("uniform", 0.5, 1 / 3)):
        h = (R / (mu**2 * curvature * n)) ** 0.2
        value = h**4 / 4 * mu**2 * curvature + R / (n * h)
        ratio = kernel_best_amise(n, curvature, kernel) / value
        yield equal(f"{kernel}: against AMISE(h*)", ratio, 1.0, rounding(64, 1))
    sizes = np.array([10**4, 10**7, 10**10])
    widths = np.geomspace(0.002, 1.0, 501)
    least = np.array([min(sum(_normal_risk(h, n)) for h in widths) for n in sizes])
    ratio = least / [kernel_best_amise(int(n), CURVE) for n in sizes]
    yield within("least MISE over least AMISE", ratio, [0.8, 0.95, 0.985], np.ones(3))
    slopes = np.diff(np.log(least)) / math.log(1000)
    yield within("slope of log MISE", slopes, np.full(2, -0.8), np.full(2, -0.77))


# ------------------------------------------------------------------- 7 Cross-validation of kernel estimates
@statement("theorem", "7", "Yan, cross-validation (KDE)")
def kde_cv_unbiased(kernel_cv_scores, rng, *, kernels=tuple(PROFILES)):
    r"""$E\hat J(h) = EJ(h)$ for every fixed $h$ and $n \ge 2$. Both sides over all samples of a law with
    three atoms."""
    p, atoms = np.array(_masses(rng, 3), dtype=float), np.cumsum(rng.integers(1, 5, 3)) / 4.0
    for kernel in kernels:
        left, right, h = 0.0, 0.0, 0.5
        for places in itertools.product(range(3), repeat=3):
            chance, x = float(np.prod(p[list(places)])), atoms[list(places)]
            estimate = PROFILES[kernel]((atoms[:, None] - x) / h).mean(axis=1) / h
            left += chance * (_sums(x, h, kernel)[0] - 2 * float(p @ estimate))
            right += chance * kernel_cv_scores(x, np.array([h]), kernel)[0]
        yield equal(f"E J_hat against E J, {kernel}", right, left, rounding(500, 4), atoms=atoms, p=p)


@statement("formula", "7 deeper", "Yan, cross-validation (KDE)")
def kde_cv_formula(kernel_cv_approximation, kernel_cv_scores, rng):
    r"""For symmetric $K$, $\frac1{n^2h}\sum_{ij}K^*(\frac{X_i - X_j}h) + \frac2{nh}K(0)$ with $K^* = K * K
    - 2K$ exceeds $\hat J$ by exactly $\frac2{n^2}\sum_i\hat f_{(-i)}(X_i)$."""
    x, widths = rng.integers(-20, 21, 15) / 8, np.array([0.1, 0.5, 2.0])
    for kernel in ("gaussian", "epanechnikov"):
        parts = np.array([_sums(x, h, kernel) for h in widths])
        approximate = parts[:, 0] - 2 * parts[:, 1] * 14 / 15
        values, scores = (f(x, widths, kernel) for f in (kernel_cv_approximation, kernel_cv_scores))
        yield equal(f"{kernel}: the approximate form", values, approximate, rounding(300, 10), x=x)
        yield equal(f"{kernel}: its excess", values - scores, 2 / 15 * parts[:, 1], rounding(300, 10))
        # at least 49 of the 105 pairs are on one side of 0: no more than 2.5 apart
        yield at_least(f"{kernel}: its excess at h = 2", (values - scores)[2], 0.005)


@statement("theorem", "7", "Yan, Thm 2.7", "Stone, 1984", given=("NormalMixture",),
           engine="The 1,200 scores at 100,000 points are sums of 10^10 pairs each.")  # fmt: skip
def kde_stone(select_bandwidth, NormalMixture):
    r"""For bounded $f$ and a symmetric, Hölder continuous kernel of compact support, $ISE(\hat
    h)/\min_hISE(h) \to 1$ almost surely for the cross-validated $\hat h$. Cited, not proved. A trend, on 40
    samples of a mixture of two normal laws at each $n = 10^2, 3 \cdot 10^3, 10^5$: the mean ratio falls,
    and at $10^5$ it is still more than 2 % above 1. Cut off at 8.5, the Gaussian kernel is the same to
    rounding, and of compact support. At $n = 100$ each $\hat h$ has the least score of its candidates."""
    rng = np.random.default_rng(1984)
    law = NormalMixture([0.5, 0.5], [-1.0, 1.5], [0.5, 1.0])
    means, above = [], []
    for n in (100, 3000, 100_000):
        ratios = []
        for _ in range(40):
            x = law.sample(n, rng)
            widths = 1.2 * n**-0.2 * np.geomspace(0.2, 1.5, 30)
            chosen = scalar(quietly(select_bandwidth, x, widths).best)
            *errors, error = law.integrated_squared_error(x, [*widths, chosen if chosen > 0 else 1.0])
            ratios.append(error / min(errors) if chosen > 0 else math.nan)
            if n == 100:
                scores = np.array([_score(x, h) for h in widths])
                above.append(scores[abs(widths - chosen).argmin()] - scores.min())
        means.append(float(np.mean(ratios)))
    slack = rounding(10**4, 10)
    yield at_most("scores of the choices above the least of their candidates", above, slack)
    bounds = np.array([2.0, 1.4, 1.2])  # 1.4 to 3 times the excess of 60 other samples
    yield at_most("mean ratio at n = 100, 3000, 100000", means, bounds)
    yield at_most("its changes", np.diff(means), np.zeros(2))
    yield at_least("at n = 100000 it is still not 1", means[-1], 1.02)


@statement("claim", "7", "Silverman, 1986, section 3.4.3")
def ties(ties_break_selection, kernel_cv_scores, rng):
    r"""With $T$ ordered pairs $i \ne j$ of equal values, $nh\hat J(h) \to R(K)(1 + \frac Tn) -
    \frac{2TK(0)}{n-1}$ as $h \to 0$. If this is negative, $\hat J$ falls to $-\infty$, and cross-validation
    would choose $h = 0$."""
    base, told, truth = rng.permutation(40)[:20].astype(float), [], []
    for copies in (0, 5, 7, 9, 20):  # limit positive, positive, positive, negative, negative
        x, n, T = np.append(base, base[:copies]), 20 + copies, 2 * copies
        limit = R_GAUSS * (1 + T / n) - 2 * T / (n - 1) / math.sqrt(2 * math.pi)
        h = np.array([1 / 16, 1 / 256])  # distinct values are 16 bandwidths apart, or more
        scores = kernel_cv_scores(x, h)
        yield equal(f"n h J_hat with {copies} values doubled", n * h * scores, limit, rounding(2000, 1), x=x)
        told.append(bool(ties_break_selection(x)))
        truth.append(limit < 0)
    yield equal("what is said about them", told, truth)


# ------------------------------------------------------------------- 8 Several features
@statement("formula", "8", "Yan, implications")
def kde_multivariate(multivariate_density, rng):
    r"""$\hat f(x) = \frac1n\sum_i\det(H)^{-1/2}K(H^{-1/2}(x - x_i))$ with $H$ positive definite: mass 1;
    for the Gaussian $K$ it is a product of one-dimensional kernels if $H = h^2I$, and $\hat f_{AX,
    AHA^\top}(Ax) = \hat f(x)/\lvert\det A\rvert$."""
    X = rng.integers(-4, 5, (6, 2)) / 2
    H = np.array([[1.0, 0.5], [0.5, 0.5]])
    axis = np.arange(-40, 41) / 4.0
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    values = multivariate_density(X, grid, H)
    # step 1/4, least eigenvalue of H 0.19: the trapezoid rule errs by exp(-2 pi^2 0.19 16) = 1e-26
    yield equal("mass", values.sum() / 16, 1.0, rounding(len(grid), 1), X=X)
    points = rng.integers(-6, 7, (20, 2)) / 2
    gaps = points[:, None] - X
    truth = np.exp(_log_estimate(X, points, H))
    yield equal("values", multivariate_density(X, points, H), truth, rounding(100, 10), X=X)
    product = (_normal(gaps[..., 0], 0.5) * _normal(gaps[..., 1], 0.5)).mean(axis=1)
    for bandwidth in (0.25 * np.eye(2), 0.5):
        values = multivariate_density(X, points, bandwidth)
        yield equal("product of kernels for H = I/4, or h = 1/2", values, product, rounding(100, 10))
    for wrong in (np.ones((2, 2)), H - np.eye(2), -H):  # the first is positive semi-definite
        yield equal("refused", refuses(multivariate_density, X, X, wrong), True, H=wrong)
    A = np.array([[2.0, 1.0], [0.0, 3.0]])
    mapped = multivariate_density(X @ A.T, points @ A.T, A @ H @ A.T)
    yield equal("after a linear map, times its determinant", 6 * mapped, truth, rounding(400, 10))


@statement("formula", "8", "Yan, implications", "Silverman, 1986, section 4.3.2")
def kde_silverman(silverman_bandwidth, rng):
    r"""Silverman's rule $H_{ii} = (\frac4{n(d+2)})^{2/(d+4)}\hat\sigma_i^2$: other units of a feature, $x_i
    \mapsto cx_i$, multiply $H_{ii}$ by $c^2$. For $d = 1$ it is $h^\star$ at the normal law."""
    X = rng.integers(-9, 10, (12, 3)) + np.arange(12)[:, None] * 0.5
    factor = (4 / (12 * 5)) ** (2 / 7)
    variances = ((X - X.mean(axis=0)) ** 2).sum(axis=0) / 11
    H, slack = silverman_bandwidth(X), rounding(40, float(variances.max()))
    yield equal("H", H, np.diag(factor * variances), slack, X=X)
    units = np.array([8.0, 1.0, 0.125])
    yield equal("H in other units", silverman_bandwidth(X * units) / units**2, H, 64 * slack)
    one = silverman_bandwidth(X[:, :1])[0, 0]
    yield equal("one feature: h*^2", one, (4 / 36) ** 0.4 * variances[0], slack)


@statement("definition", "8")
def kernel_density_fit(KernelDensity, rng):
    r"""`KernelDensity` smooths by Silverman's rule for the rows that it is fitted to, and answers $\log\hat
    f$. In other units of the features, $x_{ij} \mapsto c_jx_{ij}$, that is $\log\hat f - \sum_j\log c_j$: the
    estimate is the same. A bandwidth is a length $h$ or a matrix $H$, of which $h^2I$ is one."""
    X, T = rng.integers(-9, 10, (12, 2)) / 2, rng.integers(-9, 10, (7, 2)) / 2
    X[:3], copies = [[-9, 9], [9, -9], [9, -9]], np.append([1, 0, 2], rng.integers(0, 4, 9))
    rows = X.repeat(copies, axis=0)
    matrix = np.array([[2.0, 1.0], [1.0, 2.0]])
    asked: list[tuple[Any, ...]] = []
    for c in ([1.0, 1.0], [64.0, 1 / 8], [4.0]):
        variances, d = (rows[:, : len(c)] * c).var(axis=0, ddof=1), len(c)
        asked.append(("silverman", c, (4 / (len(rows) * (d + 2))) ** (2 / (d + 4)) * np.diag(variances)))
    asked += [(0.75, [1.0, 1.0], 0.5625 * np.eye(2)), (matrix, [1.0, 1.0], matrix)]
    asked += [(h, [1.0], np.array([[0.25]])) for h in (0.5, [[0.25]])]
    for bandwidth, c, H in asked:
        d, what = len(c), f"bandwidth {bandwidth}, units {c}"
        truth = _log_estimate(rows[:, :d] * c, T[:, :d] * c, H)
        model = fit_copies(KernelDensity(bandwidth=bandwidth), copies, X[:, :d] * c)
        yield equal(f"log density, {what}", model.score_samples(T[:, :d] * c), truth, 1e-8, X=X, T=T)
        values = model.density(T[:, :d] * c) if hasattr(model, "density") else np.exp(truth)
        yield equal(f"density, {what}", values, np.exp(truth), 1e-12 / math.sqrt(np.linalg.det(H)), X=X, T=T)
        used = getattr(model, "bandwidth_", np.sqrt(H[0, 0]) if d == 1 else H)
        yield equal(f"bandwidth, {what}", used, np.sqrt(H[0, 0]) if d == 1 else H, rounding(60, H.max()))
    for kernel, profile in PROFILES.items():
        x, t = X[:, 0], T[:, 0]
        h = x.std(ddof=1) * _reference(kernel, 12)
        told = np.exp(KernelDensity(kernel=kernel).fit(X[:, :1]).score_samples(T[:, :1]))
        truth = profile((t[:, None] - x) / h).mean(axis=1) / h
        yield equal(f"density with the kernel {kernel}", told, truth, 1e-9, X=X, T=T)
    model = KernelDensity().fit(X)
    ties = float(np.mean((X[:, None] == X).all(axis=2).sum(axis=1) > 1))
    told = getattr(model, "certificate_", {"ties": ties})["ties"]
    yield equal("share of the rows that are not the only one of their value", told, ties, rounding(4), X=X)


@statement("claim", "8", "Yan, implications", "Silverman, 1986, section 4.5.2")
def kde_curse(sample_size):
    r"""The sample at which $\min_hMISE/\int f^2 = 0.1$ for $N(0, I_d)$ grows exponentially with $d$: 8, 34,
    115, 380, 1309, 4779, 18515, 75816 for $d = 1, \dots, 8$, each 3 to 5 times the one before."""
    sizes = np.array([sample_size(d) for d in range(1, 9)])
    h2 = np.geomspace(0.01, 4, 20_001)
    d, n = np.arange(1, 9)[:, None], sizes[:, None]
    variance = 1 / (n * h2 ** (d / 2)) + (1 - 1 / n) * (1 + h2) ** (-d / 2)
    least = (variance - 2 * (1 + h2 / 2) ** (-d / 2) + 1).min(axis=1)
    # the grid of h^2 has steps of 3e-4 of h^2, so that it misses the minimum by at most about 1e-8
    yield equal("least relative MISE at these n", least, np.full(8, 0.1), 1e-6, sizes=sizes)
    yield equal("rounded", np.rint(sizes), [8, 34, 115, 380, 1309, 4779, 18515, 75816])
    yield within("factor from one dimension to the next", sizes[1:] / sizes[:-1], 3.0, 5.0)


@statement("algorithm", "8")
def novelty(DensityThreshold, rng):
    r"""A density threshold at the $\lceil n\alpha\rceil$-th smallest leave-one-out density calls fewer than
    $n\alpha$ training points new, each judged without itself, and a point far from all of them always."""
    X, level = rng.permutation(400)[:30, None] / 16.0, 0.25

    def alone(rows, h):
        H = h**2 * np.eye(rows.shape[1])
        return np.array(
            [_log_estimate(np.delete(rows, i, axis=0), rows[[i]], H)[0] for i in range(len(rows))]
        )

    # one and two features, with a rank of 1, and with 0.07 times 100, which is a little more than 7
    plane = np.vstack([rng.permutation(400)[:100], rng.permutation(400)[:100]]).T / 4.0
    cases = ((X, 0.25, 8, 1.0), (plane[:30], 0.01, 1, 1.0), (plane, 0.07, 7, 4.0), (plane[:60], None, 3, 4.0))
    for rows, share, rank, h in cases:
        options = {} if share is None else {"level": share}
        told = DensityThreshold(bandwidth=h, **options).fit(rows).threshold_
        what = f"threshold of {len(rows)} rows, level {share or 0.05}"
        yield equal(what, told, np.sort(alone(rows, h))[rank - 1], 1e-6, X=rows)
    model = DensityThreshold(bandwidth=1.0, level=level).fit(X)
    far = np.array([[1e4], [-1e4]])
    yield equal("answers far away", model.predict(far), [-1.0, -1.0])
    narrow = DensityThreshold(bandwidth=2.0**-10, level=level).fit(X)  # rows are 64 bandwidths apart
    yield equal("answers far away, each row alone in its neighbourhood", narrow.predict(far), [-1.0, -1.0])
    crowd = X[[np.argmax(alone(X, 1.0))]]
    yield equal("answer at the densest training point", model.predict(crowd), np.ones(1))


# ------------------------------------------------------------------- 9 How it is computed
@statement("claim", "9 deeper", "Greengard and Strain, 1991")
def fast_sums(kernel_density, rng):
    """The sums of the library differ from the double sum by at most $10^{-12}$ of the largest value of the
    estimate, for bandwidths from far below the spacing to far above the range, with ties and with outliers.
    """
    n = 800
    data = {
        "normal": rng.standard_normal(n),
        "ties": rng.integers(0, 4, n) / 4,
        "outliers": np.append(rng.standard_normal(n - 2), [1e5, -1e8]),
        "far away": 1e7 + rng.standard_normal(n),
    }
    for name, x in data.items():
        t = np.append(rng.choice(x, 40), np.linspace(x.min(), x.max(), 20))
        errors = []
        for h, (kernel, profile) in itertools.product((1e-6, 0.003, 0.3, 30.0), PROFILES.items()):
            truth = profile((t[:, None] - x) / h).mean(axis=1) / h
            errors.append(abs(kernel_density(x, t, h, kernel) - truth).max() / truth.max())
        yield at_most(f"largest error over the maximum: {name}", errors, 1e-12)


@statement("claim", "9")
def log_domain(log_density, rng):
    r"""$\log\hat f(x)$ is right to $10^{-9}$ where $\hat f(x)$ itself is far below the smallest float."""
    x = rng.integers(-30, 31, 40) / 8
    t = np.array([0.0, 5.0, 20.0, -80.0, 1000.0])
    truth = _log_estimate(x[:, None], t[:, None], np.array([[0.25]]))
    size = 1 + abs(truth)
    yield equal("logarithms over their size", log_density(x, t, 0.5) / size, truth / size, 1e-9, x=x)


# ------------------------------------------------------------------- 10 What the notes got wrong
@correction("wrong", "10 deeper", "Yan, Thm 2.5")
def erratum_y26(histogram_risk):
    r"""Printed: Under some regularity conditions $MISE \approx \frac{h^2}{12}\int f'^2 + \frac1{nh}$.
    Right: For $f$ absolutely continuous with $f' \in L^2$, as $h = 1/m \to 0$, $nh \to \infty$. For a
    density with a jump inside a bin, at a fixed fraction of it, the squared bias is of order $h$, and
    $\frac{h^2}{12}$ is no bound: the bound has $\frac1{\pi^2}$."""
    # density 3/2 on [0, 1/3), 3/4 on the rest: f' = 0 almost everywhere, the jump is inside a bin
    bias = []
    for m in (4, 16, 64):
        edges = np.array([min(Fraction(k, m), Fraction(1, 3)) for k in range(m + 1)])
        rest = np.array([Fraction(k, m) for k in range(m + 1)]) - edges
        p = np.diff(edges) * Fraction(3, 2) + np.diff(rest) * Fraction(3, 4)
        bias.append(float(histogram_risk(p, 10, Fraction(9, 8))[0]))
    yield equal("squared bias times m, with a jump", np.array(bias) * [4, 16, 64], np.full(3, 0.125), 1e-12)
    # f = 1 + cos(pi x)/2 with one bin: int b^2 = 1/8, int f'^2 = pi^2/8
    part = float(histogram_risk(np.array([1.0]), 10, 1.125)[0])
    ratio = part / (math.pi**2 / 96)
    yield at_least("squared bias over h^2/12 int f'^2 for 1 + cos(pi x)/2, h = 1", ratio, 1.2)
    yield equal("over (h/pi)^2 int f'^2", part / (1 / 8), 1.0, rounding(8, 1))


@correction("hypothesis", "10 deeper", "Yan, Thm 2.6")
def erratum_y30(kernel_amise):
    r"""Printed: Under some regularity conditions $R(f, \hat f_n) \approx \frac{h^4}4\mu_2^2\int f''^2 +
    \frac{R(K)}{nh}$.
    Right: For $f, f', f'' \in L^2(\mathbb R)$ with $f'$ absolutely continuous, so $f$ has no jump at the
    end of its support. For the uniform density on $[0, 1]$, where $f'' = 0$ inside, the squared bias is of
    order $h$."""
    # near an end the mean is Phi(x/h): its square error is h (sqrt 2 - 1) / sqrt pi
    u = (np.arange(-12_000, 12_000) + 0.5) / 1000
    phi = np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in u])
    squared = 2 * ((phi - (u > 0)) ** 2).sum() / 1000
    truth = 2 * (math.sqrt(2) - 1) / math.sqrt(math.pi)
    yield equal("squared bias over h for the uniform density", squared, truth, 1e-6)
    h = np.array([0.01, 0.02])
    parts = [kernel_amise(float(v), 10**15, 1e-3) - R_GAUSS / (v * 1e15) for v in h]
    yield at_least("order of the formula's bias part in h", math.log2(parts[1] / parts[0]), 3.99)
    yield at_most("its value over the true squared bias, h = 0.01", parts[0] / (squared * 0.01), 1e-6)


@correction("wrong", "10 deeper", "Yan, implications")
def erratum_y36(gaussian_relative_mise, sample_size):
    """Printed: Curse of dimensionality (error exponential in $d$).
    Right: The sample size for a given relative error is exponential in $d$; the relative error of the best
    bandwidth is at most 1."""
    sizes = np.array([sample_size(d, 0.2) for d in range(1, 11)])
    yield at_least("factor from one dimension to the next, relative error 0.2", sizes[1:] / sizes[:-1], 2.0)
    widths = np.geomspace(0.1, 30, 200)
    best = [min(gaussian_relative_mise(h, 100, d) for h in widths) for d in (1, 5, 10, 20)]
    yield at_most("least relative error with n = 100, d = 1, 5, 10, 20", best, 1.0)
    yield at_least("its growth with d", np.diff(best), 0.0)


@correction("hypothesis", "10 deeper", "Yan, histogram")
def erratum_y51(Histogram):
    """Printed: We can always rescale the data to $[0, 1]$.
    Right: If $f$ has bounded support, and it is known. The range of a sample depends on the sample: a new
    point may lie beyond it, where the estimate is 0, and one far point moves all bins."""
    for beyond in ([-1.0, 0.5], [0.5, 3.0]):
        fit = Histogram(support=(0.0, 2.0)).fit
        yield equal("points outside the support refused", refuses(fit, np.array(beyond)), True, x=beyond)
    x = np.array([0.0, 0.25, 0.5, 1.0])
    sizes = (("without", x), ("with", np.append(x, 8.0)))
    fits = {name: Histogram(n_bins=2).fit(data) for name, data in sizes}
    for name, truth in (("without", [1.0, 0.0]), ("with", [0.2, 0.2])):
        told = fits[name].density(np.array([0.75, 2.0]))
        yield equal(f"estimates at 3/4 and 2, {name} a point at 8", told, truth, rounding(8))


erratum_y25 = setup.corrects("y25", "wrong", "10 deeper", "Yan, setup density estimation", r"""
    Printed: $\int_0^1\hat f = 1$.
    Right: $\int_{\mathbb R}\hat f = 1$: a kernel estimate of points in $[0,
    1]$ has mass outside.""")  # fmt: skip
erratum_y27 = cv_hist_approx.corrects("y27", "wrong", "10 deeper", "Yan, cross-validation (histogram)", r"""
    Printed: It can be shown that $\hat J(h) \approx E[J(h)]$.
    Right: $E[\hat J(h)] = E[J(h)]$ exactly, for fixed $h$; one $\hat J$ need not be near.""")  # fmt: skip
erratum_y28 = cv_hist_formula.corrects("y28", "wrong", "10 deeper", "Yan, cross-validation, homework", r"""
    Printed: $\hat J = \frac2{(n-1)h} - \frac{n+1}{n-1}\sum_j\hat p_j^2$.
    Right: $\hat J = \frac2{(n-1)h} - \frac{n+1}{(n-1)h}\sum_j\hat p_j^2$.""")  # fmt: skip
erratum_y29 = kde_kernel.corrects("y29", "wrong", "10 deeper", "Yan, kernel density estimation", r"""
    Printed: A kernel has $\int x^2K(x)dx > 0$.
    Right: $\int x^2K < \infty$ and $\int K^2 < \infty$; $> 0$ says nothing for a density.""")  # fmt: skip
erratum_y31 = kde_cv_formula.corrects("y31", "wrong", "10 deeper", "Yan, cross-validation (KDE)", r"""
    Printed: $\hat J \approx \frac1{n^2h}\sum_{ij}K^*(\cdot) + \frac2{nh}K(0)$, after '$E\hat J = EJ$'.
    Right: The approximation needs a symmetric $K$ and errs by exactly $\frac2{n^2}\sum_i\hat f_{(-i)}(X_i)$,
    so that its expectation is not $EJ$.""")  # fmt: skip
erratum_y32 = ties.corrects("y32", "hypothesis", "10 deeper", "Yan, Thm 2.7", r"""
    Printed: If $f$ is bounded, $MISE(\hat f_{\hat h})/\inf_hMISE(\hat f_h) \to 1$ in probability.
    Right: Stone's theorem is about the integrated squared error of the sample at hand, almost surely, for
    regular kernels. Apart from that, a law with a density has no ties; in data that have enough of them $\hat
    J$ is unbounded below and $\hat h = 0$.""")  # fmt: skip
erratum_y33 = kde_rate.corrects("y33", "notation", "10 deeper", "Yan, implications", r"""
    Printed: $O(n^{-4/3})$ vs. $O(n^{-2/3})$.
    Right: $O(n^{-4/5})$ vs. $O(n^{-2/3})$, which our copy has too, one line above.""")  # fmt: skip
erratum_y34 = kde_multivariate.corrects("y34", "wrong", "10 deeper", "Yan, implications", r"""
    Printed: A symmetric, PSD bandwidth matrix $H$.
    Right: Positive definite: else $\det(H)^{-1/2}$ and $H^{-1/2}$ do not exist.""")  # fmt: skip
erratum_y35 = kde_silverman.corrects("y35", "wrong", "10 deeper", "Yan, implications", r"""
    Printed: $H_{ii} = (\frac4{n(d+2)})^{2/(d+4)}\sigma_i$.
    Right: $H_{ii} = (\frac4{n(d+2)})^{2/(d+4)}\sigma_i^2$: $H$ has squared units.""")  # fmt: skip
