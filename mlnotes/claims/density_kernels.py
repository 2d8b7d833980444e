"""The statements on density estimation as executable claims: kernel estimates, several features, and errata.

`density` has the sections before, histograms and cross-validation.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.checking import (
    at_least,
    at_most,
    correction,
    equal,
    hard_cases,
    hoeffding,
    rounding,
    statement,
    within,
)
from mlnotes.checking.outputs import as_numbers, fit_copies, quietly, refuses, scalar
from mlnotes.claims.density import (
    CURVE,
    PROFILES,
    R_EPAN,
    R_GAUSS,
    ROUGHNESS,
    TWICE,
    cv_hist_approx,
    cv_hist_formula,
    estimate,
    normal_density,
    random_masses,
    reference_bandwidth,
    score_of,
    setup,
    sums_of,
)
from mlnotes.claims.density import OUTPUTS as OUTPUTS  # what the checks of this file may return

TOPIC = "density"


# ---- the truth about normal distributions
def _log_estimate(X, T, H):
    """Return the logarithm of the Gaussian estimate at the rows of T, by double sums."""
    logs = -0.5 * (((T[:, None] - X) @ np.linalg.inv(np.linalg.cholesky(H)).T) ** 2).sum(axis=2)
    top = logs.max(axis=1)
    constant = 0.5 * math.log(np.linalg.det(2 * math.pi * H))
    return top + np.log(np.exp(logs - top[:, None]).mean(axis=1)) - constant


def _silverman(X):
    n, d = X.shape
    return (4 / (n * (d + 2))) ** (2 / (d + 4)) * np.diag(X.var(axis=0, ddof=1))


def _normal_risk(h, n):
    """Return int b^2 and int v for N(0, 1), Gaussian kernel; a series where the closed form cancels."""
    z = h**2
    if z < 1e-3:  # (1 + z)^(-1/2) - 2 (1 + z/2)^(-1/2) + 1, next term 3 orders below rounding
        bias = 3 / 16 * z**2 - 15 / 64 * z**3 + 245 / 1024 * z**4
    else:
        bias = (1 + z) ** -0.5 - 2 * (1 + z / 2) ** -0.5 + 1
    return R_GAUSS * bias, R_GAUSS / n * (1 / h - (1 + z) ** -0.5)


# ---- 5 Kernel estimates
def _two_estimates(kernel_density, rng, profile, *kernel):
    """Compare an estimate, and the one from moved and stretched data, with the double sum."""
    x, t = rng.integers(-16, 17, 25) / 8, np.arange(-320, 321) / 32
    for h in (0.25, 1.0):
        truth, slack = estimate(x, t, h, profile), rounding(60, 1 / h)
        yield equal(f"{profile}, h = {h}", kernel_density(x, t, h, *kernel), truth, slack, x=x)
        moved = kernel_density(4 * x - 3, 4 * t - 3, 4 * h, *kernel)
        yield equal(f"{profile}, h = {h}, moved and stretched", 4 * moved, truth, slack)


@statement("formula", "5", "Yan, kernel density estimation")
def kde_estimator(kernel_density, rng):
    r"""$\hat f(x) = \frac1{nh}\sum_iK(\frac{x - x_i}h)$ has mass 1, and moves with the data: for $a > 0$
    the estimate from $ax_i + b$ with bandwidth $ah$ at $ax + b$ is $\hat f(x)/a$."""
    yield from _two_estimates(kernel_density, rng, "gaussian")


@statement("definition", "5", "Yan, kernel density estimation")
def kde_kernel(GAUSSIAN, EPANECHNIKOV, UNIFORM):
    r"""A kernel is a density with $\int xK = 0$, $\mu_2 = \int x^2K < \infty$ and $R(K) = \int K^2 <
    \infty$. Without the finite variance the squared bias is not of order $h^4$: it is of order $h^3$ for the
    symmetric stable distribution of index 3/2."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for name, kernel, radius in (
        ("gaussian", GAUSSIAN, 9.0),
        ("epanechnikov", EPANECHNIKOV, math.sqrt(5)),
        ("uniform", UNIFORM, 1.0),
    ):
        u = radius * nodes
        K = as_numbers(kernel.density(u), 60)
        integrals = [radius * weights @ (K * power) for power in (np.ones(60), u, u**2, K)]
        constants = [1.0, 0.0, scalar(kernel.second_moment), scalar(kernel.roughness)]
        yield equal(f"int K, int xK, mu_2, R(K), {name}", integrals, constants, 1e-9)
    edges = np.geomspace(1e-12, 1, 2000)
    middle, lengths = (edges[1:] + edges[:-1]) / 2, 2 * np.diff(edges)
    K = 0.25 / np.sqrt(middle)  # a density on [-1, 1] with mean 0; both integrals by the midpoint rule
    integrals = [lengths @ (middle**2 * K), lengths @ K**2]
    yield at_least("of 1/(4 sqrt |x|) int x^2 K = 1/5, and int K^2 beyond 1e-12", integrals, [0.199, 3.4])
    s = np.linspace(0, 60, 60_001)
    bias = [((np.exp(-((h * s) ** 1.5)) - 1) ** 2 * np.exp(-(s**2))).sum() for h in (0.01, 0.02)]
    what = "slope of the squared bias, stable distribution of index 3/2"
    yield equal(what, math.log2(bias[1] / bias[0]), 3.0, 0.02)


@hard_cases(kde_kernel, estimators_only="Only the estimators check a kernel that somebody else defines.")
def kernels_of_others(Kernel):
    good = Kernel("good", lambda x: 0.75 * (1 - x**2), 1.0)
    values = as_numbers(good.density(np.array([0.0, 0.5, 2.0])), 3)
    yield equal("a right kernel, at 0, 1/2 and 2", values, [0.75, 0.5625, 0.0], rounding(4, 1))
    wrong = {
        "mass 2": lambda x: np.ones_like(x),
        "mean not 0": lambda x: 0.5 * (1 + x),
        "negative at the ends": lambda x: 0.8 - 0.9 * x**2,
        "int K^2 infinite": lambda x: 0.25 / np.sqrt(abs(x)),
        "undefined at 0": lambda x: np.where(x == 0, math.nan, 0.5),
    }
    for what, profile in wrong.items():
        yield equal(f"refused: {what}", refuses(Kernel, "wrong", profile, 1.0), True)
    tent = Kernel("tent", lambda u: np.maximum(0, 1 - abs(u)), 1.0)
    constants = [tent.second_moment, tent.roughness, tent.efficiency]
    truth = [1 / 6, 2 / 3, R_EPAN / (math.sqrt(1 / 6) * 2 / 3)]
    yield equal("int x^2 K, int K^2 and efficiency of 1 - |u|", constants, truth, rounding(256))


@statement("formula", "5", "Yan, kernel density estimation")
def kde_gaussian(GAUSSIAN):
    r"""The Gaussian kernel has $R(K) = 1/(2\sqrt\pi) \approx 0.28209479$, $\mu_2 = 1$, and $K * K$ is the
    density of $N(0, 2)$."""
    yield from _constants(GAUSSIAN, "gaussian")


@statement("formula", "5", "Yan, kernel density estimation", "Epanechnikov, 1969")
def kde_epanechnikov(EPANECHNIKOV, kernel_density, kernel_cv_score, rng):
    r"""$K(x) = \frac3{4\sqrt5}(1 - \frac{x^2}5)$ on $|x| < \sqrt5$ has mass 1, variance 1 and $R(K) =
    \frac3{5\sqrt5} \approx 0.26832816$, less than the Gaussian kernel's. Estimates and scores with it are
    those of the definitions."""
    yield from _constants(EPANECHNIKOV, "epanechnikov")
    yield at_most("R(K)", scalar(EPANECHNIKOV.roughness), R_GAUSS)
    yield from _two_estimates(kernel_density, rng, "epanechnikov", EPANECHNIKOV)
    x = rng.permutation(40)[:9] / 8
    for h in (0.1, 0.5, 0.02):
        score, truth = kernel_cv_score(x, h, EPANECHNIKOV), score_of(x, h, "epanechnikov")
        yield equal(f"score against refits, h = {h}", score, truth, rounding(200, 30), x=x)


def _constants(kernel, name):
    u = np.array([0.0, 0.5, -1.25, 2.0, 2.5, 4.0, 5.0])
    yield equal("values", as_numbers(kernel.density(u), 7), PROFILES[name](u), rounding(8, 1))
    yield equal("K * K", as_numbers(kernel.self_convolution(u), 7), TWICE[name](u), rounding(8, 16))
    numbers = [scalar(kernel.roughness), scalar(kernel.second_moment)]
    yield equal("R(K) and variance", numbers, [ROUGHNESS[name], 1.0], rounding(64, 1))


# ---- 6 The best bandwidth
@statement("theorem", "6", "Yan, Thm 2.6")
def kde_amise(kernel_amise, UNIFORM):
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
    wide = [kernel_amise(h, 50, 1.0, UNIFORM) for h in (0.5, 1.0)]
    truth = [h**4 / 4 / 9 + 0.5 / (50 * h) for h in (0.5, 1.0)]
    yield equal("a kernel of variance 1/3", wide, truth, rounding(8, 1))


@statement("formula", "6", "Yan, Thm 2.6")
def kde_hstar(best_bandwidth, normal_reference_bandwidth, UNIFORM, rng):
    r"""$h^\star = (R(K)/(\mu_2^2\int f''^2\,n))^{1/5}$ minimises the AMISE. For $N(\mu, \sigma^2)$ and the
    Gaussian kernel it is $(4/(3n))^{1/5}\sigma$, the normal reference rule."""
    n, curvature = int(rng.integers(5, 10**6)), float(rng.uniform(0.01, 50))
    for name, h, R, mu in (
        ("gaussian", best_bandwidth(n, curvature), R_GAUSS, 1.0),
        ("uniform", best_bandwidth(n, curvature, UNIFORM), 0.5, 1 / 3),
    ):
        ratio = n * mu**2 * curvature * h**5 / R
        yield equal(f"{name}: n mu^2 int f''^2 h^5 / R", ratio, 1.0, rounding(64, 1))
    x = rng.integers(0, 9, 12) / 4 + np.arange(12)
    rule = (4 / (3 * 12)) ** 0.2 * x.std(ddof=1)
    yield equal("normal reference rule", normal_reference_bandwidth(x), rule, rounding(16, 8), x=x)


@hard_cases(kde_hstar)
def default_candidates(select_bandwidth, select_bins, EPANECHNIKOV, rng):
    """Cross-validation tries 60 multiples of the rule, from 1/30 to 2, and up to sqrt(n) bins, at least 5."""
    x = rng.permutation(64)[:20] / 8
    for name, kernel in (("gaussian", ()), ("epanechnikov", (None, EPANECHNIKOV))):
        widths = reference_bandwidth(x, name) * np.geomspace(1 / 30, 2, 60)
        best = widths[int(np.argmin([score_of(x, h, name) for h in widths]))]
        chosen = quietly(select_bandwidth, x, *kernel)
        yield equal(f"default bandwidth, {name}", chosen / best, 1.0, rounding(200), x=x)
    for n, most in ((18, 5), (50, 7)):  # in one bin of any number: the score is -m
        x = 0.01 + np.arange(n) / 10**4
        yield equal(f"default number of bins, n = {n}", quietly(select_bins, x), most, x=x)


@statement("theorem", "6", "Yan, Thm 2.6, implications")
def kde_rate(kernel_amise, best_bandwidth, EPANECHNIKOV, UNIFORM, rng):
    r"""The smallest AMISE is $\frac54(\mu_2^{1/2}R(K))^{4/5}(\int f''^2)^{1/5}n^{-4/5}$. The smallest MISE
    for $N(0, 1)$ has slope $-4/5$ in $\log n$ in the limit."""
    curvature, n = float(rng.uniform(0.1, 9)), int(rng.integers(5, 10**6))
    for name, kernel, C in (
        ("gaussian", (), R_GAUSS),
        ("epanechnikov", (EPANECHNIKOV,), R_EPAN),
        ("uniform", (UNIFORM,), 0.5 / math.sqrt(3)),
    ):
        at_best = kernel_amise(best_bandwidth(n, curvature, *kernel), n, curvature, *kernel)
        value = 5 / 4 * C**0.8 * curvature**0.2 * n**-0.8
        yield equal(f"{name}: AMISE(h*) over the formula", at_best / value, 1.0, rounding(64, 1))
    sizes = np.array([10**4, 10**7, 10**10], dtype=np.int64)
    widths = np.geomspace(0.002, 1.0, 501)
    smallest = np.array([min(sum(_normal_risk(h, n)) for h in widths) for n in sizes])
    bounds = [kernel_amise(best_bandwidth(int(n), CURVE), int(n), CURVE) for n in sizes]
    yield within("smallest MISE over smallest AMISE", smallest / bounds, [0.8, 0.95, 0.985], np.ones(3))
    slopes = np.diff(np.log(smallest)) / math.log(1000)
    yield within("slope of log MISE", slopes, np.full(2, -0.8), np.full(2, -0.77))


# ---- 7 Cross-validation of kernel estimates
@statement("theorem", "7", "Yan, cross-validation (KDE)")
def kde_cv_unbiased(kernel_cv_score, rng):
    r"""$E\hat J(h) = EJ(h)$ for every fixed $h$ and $n \ge 2$. Both sides over all samples of a distribution
    with three atoms."""
    p, atoms = np.array(random_masses(rng, 3), dtype=float), np.cumsum(rng.integers(1, 5, 3)) / 4.0
    for n in (2, 3):
        left, right, h = 0.0, 0.0, 0.5
        for places in map(list, itertools.product(range(3), repeat=n)):
            chance, x = np.prod(p[places]), atoms[places]
            left += chance * (sums_of(x, h)[0] - 2 * p @ estimate(x, atoms, h))
            right += chance * kernel_cv_score(x, h)
        yield equal(f"E J_hat against E J, n = {n}", right, left, rounding(500, 4), atoms=atoms, p=p)


@statement("formula", "7 deeper", "Yan, cross-validation (KDE)")
def kde_cv_formula(kernel_cv_score, EPANECHNIKOV, rng):
    r"""For symmetric $K$, $\frac1{n^2h}\sum_{ij}K^*(\frac{X_i - X_j}h) + \frac2{nh}K(0)$ with $K^* = K * K
    - 2K$ exceeds $\hat J$ by exactly $\frac2{n^2}\sum_i\hat f_{(-i)}(X_i)$."""
    x = rng.integers(-20, 21, 15) / 8
    for (name, kernel), h in itertools.product(
        (("gaussian", ()), ("epanechnikov", (EPANECHNIKOV,))), (0.1, 0.5, 2.0)
    ):
        gaps, (_, left_out) = (x[:, None] - x) / h, sums_of(x, h, name)
        starred = TWICE[name](gaps) - 2 * PROFILES[name](gaps)
        approximate = starred.sum() / (15**2 * h) + 2 / (15 * h) * PROFILES[name](0.0)
        excess = approximate - kernel_cv_score(x, h, *kernel)
        yield equal(f"{name}: the excess at h = {h}", excess, 2 / 15 * left_out, rounding(300, 10), x=x)
        if h == 2.0:  # at least 49 of the 105 pairs are on one side of 0: no more than 2.5 apart
            yield at_least(f"{name}: its size", excess, 0.005)


@statement(
    "theorem",
    "7",
    "Yan, Thm 2.7",
    "Stone, 1984",
    given=("NormalMixture",),
    estimators_only="The 1,200 scores at 100,000 points are sums of 10^10 pairs each.",
)
def kde_stone(select_bandwidth, NormalMixture):
    r"""For bounded $f$ and a symmetric, Hölder continuous kernel of compact support, $ISE(\hat
    h)/\min_hISE(h) \to 1$ almost surely for the cross-validated $\hat h$. Cited, not proved. A trend, on 40
    samples of a mixture of two normal distributions at each $n = 10^2, 3 \cdot 10^3, 10^5$: the mean ratio
    falls, and at $10^5$ it is still more than 2 % above 1. Cut off at 8.5, the Gaussian kernel is the same to
    floating-point error, and of compact support. At $n = 100$ each $\hat h$ has the smallest score of its
    candidates."""
    rng = np.random.default_rng(1984)
    distribution = NormalMixture([0.5, 0.5], [-1.0, 1.5], [0.5, 1.0])
    means, above = [], []
    for n in (100, 3000, 100_000):
        ratios = []
        for _ in range(40):
            x = distribution.sample(n, rng)
            widths = 1.2 * n**-0.2 * np.geomspace(0.2, 1.5, 30)
            chosen = quietly(select_bandwidth, x, widths)
            *errors, error = distribution.integrated_squared_error(x, [*widths, max(chosen, widths[0])])
            ratios.append(error / min(errors))
            if n == 100:
                scores = np.array([score_of(x, h) for h in widths])
                above.append(scores[abs(widths - chosen).argmin()] - scores.min())
        means.append(float(np.mean(ratios)))
    slack = rounding(10**4, 10)
    yield at_most("scores of the choices above the smallest of their candidates", above, slack)
    bounds = np.array([2.0, 1.4, 1.2])  # 1.4 to 3 times the excess of 60 other samples
    yield at_most("mean ratio at n = 100, 3000, 100000", means, bounds)
    yield at_most("its changes", np.diff(means), np.zeros(2))
    yield at_least("at n = 100000 it is still not 1", means[-1], 1.02)


@statement("claim", "7", "Silverman, 1986, section 3.4.3")
def ties(kernel_cv_limit, kernel_cv_score, rng):
    r"""With $T$ ordered pairs $i \ne j$ of equal values, $nh\hat J(h) \to R(K)(1 + \frac Tn) -
    \frac{2TK(0)}{n-1}$ as $h \to 0$. If this is negative, $\hat J$ falls to $-\infty$, and cross-validation
    would choose $h = 0$."""
    base = rng.permutation(40)[:20].astype(float)
    for copies in (0, 5, 7, 9, 20):  # limit positive, positive, positive, negative, negative
        x, n, T = np.append(base, base[:copies]), 20 + copies, 2 * copies
        limit = R_GAUSS * (1 + T / n) - 2 * T / (n - 1) / math.sqrt(2 * math.pi)
        # distinct values are 16 bandwidths apart, or more
        scores = [n * h * kernel_cv_score(x, h) for h in (1 / 16, 1 / 256)]
        yield equal(
            f"n h J_hat with {copies} values doubled", scores, np.full(2, limit), rounding(2000, 1), x=x
        )
        yield equal("the limit", kernel_cv_limit(x), limit, rounding(64, 1), x=x)


# ---- 8 Several features
@statement("formula", "8", "Yan, implications")
def kde_multivariate(KernelDensity, rng):
    r"""$\hat f(x) = \frac1n\sum_i\det(H)^{-1/2}K(H^{-1/2}(x - X_i))$ with $H$ positive definite: mass 1;
    for the Gaussian $K$ it is a product of one-dimensional kernels if $H = h^2I$, and $\hat f_{AX,
    AHA^\top}(Ax) = \hat f(x)/\lvert\det A\rvert$."""

    def density(X, points, H):
        return np.exp(KernelDensity(H).fit(X).score_samples(points))

    X, H = rng.integers(-4, 5, (6, 2)) / 2, np.array([[1.0, 0.5], [0.5, 0.5]])
    axis = np.arange(-40, 41) / 4.0
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    # step 1/4, smallest eigenvalue of H 0.19: the trapezoid rule errs by exp(-2 pi^2 0.19 16) = 1e-26
    yield equal("mass", density(X, grid, H).sum() / 16, 1.0, rounding(len(grid), 1), X=X)
    points = rng.integers(-6, 7, (20, 2)) / 2
    gaps, truth = points[:, None] - X, np.exp(_log_estimate(X, points, H))
    yield equal("values", density(X, points, H), truth, rounding(100, 10), X=X)
    product = (normal_density(gaps[..., 0], 0.5) * normal_density(gaps[..., 1], 0.5)).mean(axis=1)
    values = density(X, points, 0.25 * np.eye(2))
    yield equal("product of kernels for H = I/4", values, product, rounding(100, 10))
    for wrong in (np.ones((2, 2)), H - np.eye(2), -H):  # the first is positive semi-definite
        yield equal("refused", refuses(density, X, X, wrong), True, H=wrong)
    A = np.array([[2.0, 1.0], [0.0, 3.0]])
    mapped = density(X @ A.T, points @ A.T, A @ H @ A.T)
    yield equal("after a linear map, times its determinant", 6 * mapped, truth, rounding(400, 10))


@statement("formula", "8", "Yan, implications", "Silverman, 1986, section 4.3.2")
def kde_silverman(silverman_bandwidth, rng):
    r"""Silverman's rule $H_{ii} = (\frac4{n(d+2)})^{2/(d+4)}\hat\sigma_i^2$: other units of a feature, $x_i
    \mapsto cx_i$, multiply $H_{ii}$ by $c^2$. For $d = 1$ it is $h^\star$ at the normal distribution."""
    X = rng.integers(-9, 10, (12, 3)) + np.arange(12)[:, None] * 0.5
    variances = X.var(axis=0, ddof=1)
    H, slack = silverman_bandwidth(X), rounding(40, float(variances.max()))
    yield equal("H", H, _silverman(X), slack, X=X)
    units = np.array([8.0, 1.0, 0.125])
    yield equal("H in other units", silverman_bandwidth(X * units) / units**2, H, 64 * slack)
    one = silverman_bandwidth(X[:, :1])[0, 0]
    yield equal("one feature: h*^2", one, (4 / 36) ** 0.4 * variances[0], slack)


@statement("definition", "8", false_alarm=1e-9)
def kernel_density_fit(KernelDensity, rng):
    r"""`KernelDensity` smooths by Silverman's rule for the data that it is fitted to, and returns $\log\hat
    f$. In other units of the features, $x_{ij} \mapsto c_jx_{ij}$, that is $\log\hat f - \sum_j\log c_j$: the
    estimate is the same."""
    X, T = rng.integers(-9, 10, (12, 2)) / 2, rng.integers(-9, 10, (7, 2)) / 2
    X[:3] = [[-9, 9], [9, -9], [9, -9]]
    truth = _log_estimate(X, T, _silverman(X))
    for c in ([1.0, 1.0], [2.0**30, 2.0**-30], [4.0, 0.5]):
        values = KernelDensity().fit(X * c).score_samples(T * c)
        yield equal(f"log density, units {c}", values, truth - np.log(c).sum(), 1e-8, X=X, T=T)


@hard_cases(kernel_density_fit)
def matrices_of_bandwidths(KernelDensity, rng):
    X, T = rng.integers(-9, 10, (12, 2)) / 2, rng.integers(-9, 10, (7, 2)) / 2
    for H in (np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([[0.25]])):
        rows, points = X[:, : len(H)], T[:, : len(H)]
        logs, truth = KernelDensity(H).fit(rows).score_samples(points), _log_estimate(rows, points, H)
        yield equal(f"log density, H = {H.tolist()}", logs, truth, 1e-8, X=X, T=T)
    for wrong in (np.diag([0.0, 1.0]), np.array([[1.0, 2.0], [2.0, 1.0]])):
        refused = refuses(lambda H=wrong: KernelDensity(H).fit(X).score_samples(T))
        yield equal("a matrix that is not positive definite refused", refused, True, H=wrong)


@hard_cases(
    kernel_density_fit, estimators_only="Only the estimator has weights, a number h and certificates."
)
def weights_of_a_density(KernelDensity, rng):
    X, T = rng.integers(-9, 10, (12, 2)) / 2, rng.integers(-9, 10, (7, 2)) / 2
    X[:3], copies = [[-9, 9], [9, -9], [9, -9]], np.append([1, 0, 2], rng.integers(0, 4, 9, dtype=np.intp))
    rows = X.repeat(copies, axis=0)
    matrix = np.array([[2.0, 1.0], [1.0, 2.0]])
    cases: list[tuple[Any, ...]] = []
    for c in ([1.0, 1.0], [2.0**30, 2.0**-30], [4.0]):
        cases.append((None, c, _silverman(rows[:, : len(c)] * c)))
    cases += [(0.75, [1.0, 1.0], 0.5625 * np.eye(2)), (matrix, [1.0, 1.0], matrix)]
    cases += [(h, [1.0], np.array([[0.25]])) for h in (0.5, [[0.25]])]
    for bandwidth, c, H in cases:
        d, what = len(c), f"bandwidth {bandwidth}, units {c}"
        truth = _log_estimate(rows[:, :d] * c, T[:, :d] * c, H)
        model = fit_copies(KernelDensity(bandwidth), copies, X[:, :d] * c)
        yield equal(f"log density, {what}", model.score_samples(T[:, :d] * c), truth, 1e-8, X=X, T=T)
        values, slack = model.density(T[:, :d] * c), 1e-12 / math.sqrt(np.linalg.det(H))
        yield equal(f"density, {what}", values, np.exp(truth), slack, X=X, T=T)
        yield equal(f"bandwidth, {what}", model.bandwidth_, _bandwidth(H), rounding(60, H.max()))
    proportion = np.mean((rows[:, None] == rows).all(axis=2).sum(axis=1) > 1)
    measured = fit_copies(KernelDensity(), copies, X).certificate_["ties"]
    yield equal(
        "proportion of observations whose value is not unique", measured, proportion, rounding(4), X=X
    )
    for d in (1, 2):
        H = len(rows) ** (-2 / (d + 4)) * np.diag(rows[:, :d].var(axis=0, ddof=1))
        used = fit_copies(KernelDensity("scott"), copies, X[:, :d]).bandwidth_
        yield equal(f"Scott's rule, d = {d}", used, _bandwidth(H), rounding(60, H.max()))


def _bandwidth(H):
    return np.sqrt(H[0, 0]) if len(H) == 1 else H


@hard_cases(kernel_density_fit, estimators_only="Only the estimator has other kernels, rules and a support.")
def options_of_a_density(KernelDensity, rng):
    X, x = rng.integers(-9, 10, (12, 2)) / 2, rng.permutation(40)[:15] / 8
    for kernel in PROFILES:
        values = np.exp(KernelDensity(kernel=kernel).fit(x[:, None]).score_samples(x[:, None] + 0.2))
        truth = estimate(x, x + 0.2, reference_bandwidth(x, kernel), kernel)
        yield equal(f"density with the kernel {kernel}", values, truth, 1e-9, x=x)
    smallest = min(score_of(x, h) for h in reference_bandwidth(x) * np.geomspace(1 / 30, 2, 60))
    model = quietly(KernelDensity("cv").fit, x[:, None])
    scores = [score_of(x, model.bandwidth_), scalar(model.certificate_.get("score"))]
    yield equal("score of the best bandwidth, and of the certificate", scores, smallest, rounding(300, 30))
    refused = [refuses(model.fit, X), refuses(fit_copies, model, np.ones(15, dtype=int), x[:, None])]
    for wide in (KernelDensity(support=(-9.0, 9.0)), KernelDensity(kernel="epanechnikov")):
        refused.append(refuses(wide.fit, X))
    refused += [refuses(KernelDensity().fit, constant) for constant in (X[:1], X[[0, 0, 0]])]
    what = "cross-validation of two features or with weights; of two features a support or another kernel"
    yield equal(f"{what}; constant features; refused", refused, True)
    two = KernelDensity().fit(np.array([[0.0], [2.0]])).bandwidth_
    yield equal("Silverman's rule of two observations", two, math.sqrt(2) * (2 / 3) ** 0.2, rounding(16))
    usual = {"bandwidth": "silverman", "kernel": "gaussian", "support": None, "verbose": False}
    yield equal("whether the parameters are those documented", KernelDensity().get_params() == usual, True)
    ends = np.array([0.0, 8.0])  # half of the mass of either kernel there is outside
    cases = [(x, 0.75, "gaussian", (-0.5, x.max())), *((ends, 1.0, kernel, (0.0, 8.0)) for kernel in BELOW)]
    for points, h, kernel, (low, high) in cases:
        leak = (BELOW[kernel]((low - points) / h) + BELOW[kernel]((points - high) / h)).mean()
        model = KernelDensity(h, kernel=kernel, support=(low, high))
        measured = quietly(model.fit, points[:, None]).certificate_["leak"]
        # density_sums errs by 1e-12 of a maximum below 1/h, over two ways of less than 10 h
        yield equal(f"mass outside the support, {kernel}", measured, leak, 2e-11, x=points)


@hard_cases(kernel_density_fit, estimators_only="Only the estimator draws.")
def draws_from_a_density(KernelDensity, rng):
    X, copies = rng.integers(-9, 10, (12, 2)) / 2, rng.integers(1, 4, 12, dtype=np.intp)
    n, t, H = 10**4, np.linspace(-9, 9, 31), np.array([[4.0, 3.0], [3.0, 4.0]])
    # of a whole function: Massart (1990)
    what, slack = f"proportion of {n} draws below t", hoeffding(n, 1e-9 / 4)
    draws = fit_copies(KernelDensity(H), copies, X).sample(n, rng)
    for name, a in (("first feature", [1.0, 0.0]), ("difference", [1.0, -1.0])):
        gaps = t[:, None] - X.repeat(copies, axis=0) @ a
        truth = _below(gaps / math.sqrt(a @ H @ a)).mean(axis=1)
        yield equal(f"{what}, {name}", ((draws @ a)[:, None] <= t).mean(axis=0), truth, slack)
    for kernel, below in BELOW.items():
        model = fit_copies(KernelDensity(2.0, kernel=kernel), np.array([1, 3]), np.array([[0.0], [8.0]]))
        truth = (below(t / 2) + 3 * below((t - 8) / 2)) / 4
        yield equal(f"{what}, {kernel}", (model.sample(n, rng) <= t).mean(axis=0), truth, slack)


def _below(u):
    """Return the standard normal distribution function."""
    return np.vectorize(lambda v: 0.5 * math.erfc(-v / math.sqrt(2)))(u)


def _epan_below(u):
    v = np.clip(u / math.sqrt(5), -1, 1)
    return 0.5 + 0.75 * (v - v**3 / 3)


BELOW = {"gaussian": _below, "epanechnikov": _epan_below}


@statement("claim", "8", "Yan, implications", "Silverman, 1986, section 4.5.2")
def kde_curse(sample_size):
    r"""The sample size at which $\min_hMISE/\int f^2 = 0.1$ for $N(0, I_d)$ grows exponentially with $d$: 8,
    34, 115, 380, 1309, 4779, 18515, 75816 for $d = 1, \dots, 8$, each 3 to 5 times the one before."""
    sizes = np.array([sample_size(d) for d in range(1, 9)])
    h2 = np.geomspace(0.01, 4, 20_001)
    d, n = np.arange(1, 9)[:, None], sizes[:, None]
    variance = 1 / (n * h2 ** (d / 2)) + (1 - 1 / n) * (1 + h2) ** (-d / 2)
    smallest = (variance - 2 * (1 + h2 / 2) ** (-d / 2) + 1).min(axis=1)
    # the grid of h^2 has steps of 3e-4 of h^2, so that it misses the minimum by at most about 1e-8
    yield equal("smallest relative MISE at these n", smallest, np.full(8, 0.1), 1e-6, sizes=sizes)
    yield equal("rounded", np.rint(sizes), [8, 34, 115, 380, 1309, 4779, 18515, 75816])
    yield within("factor from one dimension to the next", sizes[1:] / sizes[:-1], 3.0, 5.0)


def _left_out_logs(X, h):
    """Return the logarithm of the estimate at each row, from the other rows."""
    H = h**2 * np.eye(X.shape[1])
    return np.array([_log_estimate(np.delete(X, i, axis=0), X[[i]], H)[0] for i in range(len(X))])


@statement("algorithm", "8")
def novelty(outlier_threshold, rng):
    r"""The threshold at the $\lceil n\alpha\rceil$-th smallest leave-one-out density flags fewer than
    $n\alpha$ training observations, each left out of its estimate."""
    X = rng.permutation(400)[:30, None] / 16.0
    plane = np.vstack([rng.permutation(400)[:60], rng.permutation(400)[:60]]).T / 4.0
    pair = np.array([[0.0], [7.2]])  # with h = 2 the other has 0.15 % of the estimate
    for rows, level, h in ((X, 0.25, 1.5), (plane, 0.05, 4.0), (pair, 0.5, 2.0)):
        n, left_out = len(rows), np.sort(_left_out_logs(rows, h))
        threshold = outlier_threshold(rows, h**2 * np.eye(rows.shape[1]), level)
        what = f"{n} observations, level {level}"
        yield equal(f"threshold, {what}", threshold, left_out[math.ceil(n * level) - 1], 1e-6, X=rows)
        yield at_most(f"flagged, {what}", (left_out < threshold - 1e-6).sum(), n * level - 1e-9)


@hard_cases(
    novelty, estimators_only="Levels whose product with n is rounded, and predictions: the estimator."
)
def predictions_of_outliers(DensityThreshold, rng):
    X = rng.permutation(400)[:30, None] / 16.0
    # one and two features; a rank of less than 1, and 0.07 times 100, which is a little more than 7
    plane = np.vstack([rng.permutation(400)[:100], rng.permutation(400)[:100]]).T / 4.0
    cases: tuple[tuple[Any, ...], ...] = (
        (plane[:30], {"level": 1e-12}, 1, 1.0),
        (plane, {"level": 0.07}, 7, 4.0),
        (plane[:60], {}, 3, 4.0),
    )
    for rows, level, rank, h in cases:
        threshold = DensityThreshold(bandwidth=h, **level).fit(rows).threshold_
        truth = np.sort(_left_out_logs(rows, h))[rank - 1]
        yield equal(f"threshold of {len(rows)} observations, {level}", threshold, truth, 1e-6, X=rows)
    far = np.array([[1e4], [-1e4]])
    for h in (1.0, 2.0**-10):  # with the second the observations are 64 bandwidths apart
        model = DensityThreshold(bandwidth=h, level=0.25).fit(X)
        yield equal(f"predictions far away, h = {h}", model.predict(far), [-1.0, -1.0])
    densest = X[[np.argmax(_left_out_logs(X, 1.0))]]
    prediction = DensityThreshold(bandwidth=1.0, level=0.25).fit(X).predict(densest)
    yield equal("prediction at the densest training observation", prediction, np.ones(1))
    apart = quietly(DensityThreshold(bandwidth=1.0, level=0.5).fit, np.array([[0.0], [1e200]]))
    prediction = quietly(apart.predict, np.array([[-1e200]]))
    yield equal(
        "prediction where the log density and the threshold are minus infinity", prediction, np.ones(1)
    )
    same = DensityThreshold().get_params() == {"bandwidth": "silverman", "level": 0.05, "verbose": False}
    yield equal("whether the parameters are those documented", same, True)
    refused = [refuses(DensityThreshold(level=level).fit, X) for level in (0.0, 1.0)]
    yield equal("levels of 0 and 1 refused", refused, True)


# ---- 9 How it is computed
@statement("claim", "9 deeper", "Greengard and Strain, 1991")
def fast_sums(kernel_density, EPANECHNIKOV, rng):
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
        for h, kernel in itertools.product((1e-6, 0.003, 0.3, 30.0), PROFILES):
            truth = estimate(x, t, h, kernel)
            values = kernel_density(x, t, h, *([EPANECHNIKOV] if kernel == "epanechnikov" else []))
            errors.append(abs(values - truth).max() / truth.max())
        yield at_most(f"largest error over the maximum: {name}", errors, 1e-12)


@statement("claim", "9")
def log_domain(KernelDensity, rng):
    r"""$\log\hat f(x)$ is right to $10^{-9}$ where $\hat f(x)$ itself is far below the smallest float."""
    x, t = rng.integers(-30, 31, (40, 1)) / 8, np.array([[0.0], [5.0], [20.0], [-80.0], [1000.0]])
    H = np.array([[0.25]])
    truth = _log_estimate(x, t, H)
    size = 1 + abs(truth)
    logs = KernelDensity(H).fit(x).score_samples(t)
    yield equal("logarithms over their size", logs / size, truth / size, 1e-9, x=x)


# ---- 10 What the notes got wrong
@correction("wrong", "10 deeper", "Yan, Thm 2.5")
def erratum_y26(squared_bias_and_variance):
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
        bias.append(float(squared_bias_and_variance(p, 10, Fraction(9, 8))[0]))
    yield equal("squared bias times m, with a jump", np.array(bias) * [4, 16, 64], np.full(3, 0.125), 1e-12)
    # f = 1 + cos(pi x)/2 with one bin: int b^2 = 1/8, int f'^2 = pi^2/8
    part = float(squared_bias_and_variance(np.array([1.0]), 10, 1.125)[0])
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
    yield at_most("smallest relative error with n = 100, d = 1, 5, 10, 20", best, 1.0)
    yield at_least("its growth with d", np.diff(best), 0.0)


@correction("hypothesis", "10 deeper", "Yan, histogram")
def erratum_y51(Histogram):
    """Printed: We can always rescale the data to $[0, 1]$.
    Right: If $f$ has bounded support, and it is known. The range of a sample depends on the sample: a new
    point may lie beyond it, where the estimate is 0, and one far point moves all bins."""
    for beyond in ([-1.0, 0.5], [0.5, 3.0]):
        outside = refuses(lambda x=beyond: Histogram((0.0, 2.0), 2).fit(np.array(x)).density(np.array([0.5])))
        yield equal("points outside the support refused", outside, True, x=beyond)
    x = np.array([0.0, 0.25, 0.5, 1.0])
    for name, data, truth in (("without", x, [1.0, 0.0]), ("with", np.append(x, 8.0), [0.2, 0.2])):
        model = Histogram((data.min(), data.max()), 2).fit(data)
        values = model.density(np.array([0.75, 2.0]))
        yield equal(f"estimates at 3/4 and 2, {name} a point at 8", values, truth, rounding(8))


erratum_y25 = setup.corrects(
    "y25",
    "wrong",
    "10 deeper",
    "Yan, setup density estimation",
    r"""
    Printed: $\int_0^1\hat f = 1$.
    Right: $\int_{\mathbb R}\hat f = 1$: a kernel estimate of points in $[0,
    1]$ has mass outside.""",
)
erratum_y27 = cv_hist_approx.corrects(
    "y27",
    "wrong",
    "10 deeper",
    "Yan, cross-validation (histogram)",
    r"""
    Printed: It can be shown that $\hat J(h) \approx E[J(h)]$.
    Right: $E[\hat J(h)] = E[J(h)]$ exactly, for fixed $h$; one $\hat J$ need not be near.""",
)
erratum_y28 = cv_hist_formula.corrects(
    "y28",
    "wrong",
    "10 deeper",
    "Yan, cross-validation, homework",
    r"""
    Printed: $\hat J = \frac2{(n-1)h} - \frac{n+1}{n-1}\sum_j\hat p_j^2$.
    Right: $\hat J = \frac2{(n-1)h} - \frac{n+1}{(n-1)h}\sum_j\hat p_j^2$.""",
)
erratum_y29 = kde_kernel.corrects(
    "y29",
    "wrong",
    "10 deeper",
    "Yan, kernel density estimation",
    r"""
    Printed: A kernel has $\int x^2K(x)dx > 0$.
    Right: $\int x^2K < \infty$ and $\int K^2 < \infty$; $> 0$ holds for every density.""",
)
erratum_y31 = kde_cv_formula.corrects(
    "y31",
    "wrong",
    "10 deeper",
    "Yan, cross-validation (KDE)",
    r"""
    Printed: $\hat J \approx \frac1{n^2h}\sum_{ij}K^*(\cdot) + \frac2{nh}K(0)$, after '$E\hat J = EJ$'.
    Right: The approximation needs a symmetric $K$ and errs by exactly $\frac2{n^2}\sum_i\hat f_{(-i)}(X_i)$,
    so that its expectation is not $EJ$.""",
)
erratum_y32 = ties.corrects(
    "y32",
    "hypothesis",
    "10 deeper",
    "Yan, Thm 2.7",
    r"""
    Printed: If $f$ is bounded, $MISE(\hat f_{\hat h})/\inf_hMISE(\hat f_h) \to 1$ in probability.
    Right: Stone's theorem is about the integrated squared error of the sample at hand, almost surely, for
    regular kernels. Apart from that, a distribution with a density has no ties; in data that have enough of
    them $\hat J$ is unbounded below and $\hat h = 0$.""",
)
erratum_y33 = kde_rate.corrects(
    "y33",
    "notation",
    "10 deeper",
    "Yan, implications",
    r"""
    Printed: $O(n^{-4/3})$ vs. $O(n^{-2/3})$.
    Right: $O(n^{-4/5})$ vs. $O(n^{-2/3})$, which our copy has too, one line above.""",
)
erratum_y34 = kde_multivariate.corrects(
    "y34",
    "wrong",
    "10 deeper",
    "Yan, implications",
    r"""
    Printed: A symmetric, PSD bandwidth matrix $H$.
    Right: Positive definite: else $\det(H)^{-1/2}$ and $H^{-1/2}$ do not exist.""",
)
erratum_y35 = kde_silverman.corrects(
    "y35",
    "wrong",
    "10 deeper",
    "Yan, implications",
    r"""
    Printed: $H_{ii} = (\frac4{n(d+2)})^{2/(d+4)}\sigma_i$.
    Right: $H_{ii} = (\frac4{n(d+2)})^{2/(d+4)}\sigma_i^2$: $H$ has squared units.""",
)
