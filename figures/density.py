"""Figures of lecture 10: bias and variance, the choice of the bandwidth, rates, kernels, leakage, the curse.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from mlnotes import KernelDensity, datasets, density, histogram
from mlnotes.datasets.mixtures import NormalMixture, sample_size
from mlnotes.estimators.density import KERNELS, kernel_cv_scores, kernel_density, select_bandwidth
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION

BIMODAL = NormalMixture([0.5, 0.5], [-1.0, 1.5], [0.5, 1.0])


@figure(
    "density-bias-variance",
    alt="A falling curve, the variance, and a rising one, the squared bias, cross; their sum has a "
    "minimum. A dashed curve, the formula of the theorem, lies above the sum and leaves it for "
    "large bandwidths.",
)
def bias_variance() -> Figure:
    """Squared bias, variance and their sum for a kernel estimate from 100 points, all exact.

    A mixture of two normal distributions, Gaussian kernel. Dashed: the AMISE of Theorem 6.1, an upper bound
    everywhere.
    """
    widths = np.geomspace(0.04, 1.2, 120)
    parts = np.array([BIMODAL.risk(h, 100) for h in widths])
    bound = density.kernel_amise(widths, 100, BIMODAL.roughness(2))
    picture, ax = plots.panels()
    rows = (("squared bias", parts[:, 0], BLUE, ":"), ("variance", parts[:, 1], VERMILLION, "-."),
            ("MISE", parts.sum(axis=1), BLACK, "-"), ("AMISE", bound, GREY, "--"))  # fmt: skip
    for label, values, color, dashes in rows:
        ax.plot(widths, values, color=color, linestyle=dashes, label=label)
    ax.set(xscale="log", yscale="log", ylim=(1e-5, 0.2), xlabel="bandwidth $h$", ylabel="integrated square")
    ax.legend()
    return picture


@figure(
    "density-bandwidths",
    alt="Three panels with the same two-humped density and an estimate each: a ragged one, one that "
    "follows the humps, and one so flat that it has a single hump.",
    seed=1,
)
def bandwidths(rng: np.random.Generator) -> Figure:
    """Kernel estimates from 200 points: bandwidth too narrow, chosen by cross-validation, too wide."""
    x, t = BIMODAL.sample(200, rng), np.linspace(-4, 6, 500)
    chosen = select_bandwidth(x).best
    picture, axes = plots.panels(1, 3, height=2.5, sharey=True)
    for ax, h in zip(axes, (chosen / 6, chosen, 4 * chosen), strict=True):
        ax.plot(t, BIMODAL.density(t), color=GREY, linestyle="--", label="$f$")
        ax.plot(t, kernel_density(x, t, h), color=BLUE, label=r"$\hat f$")
        ax.plot(x, np.full(len(x), -0.01), "|", color=GREY, markersize=4)
        ax.set(title=f"$h = {h:.2f}$", xlabel="$x$")
    axes[0].set(ylabel="density")
    axes[0].legend()
    return picture


@figure(
    "density-histograms",
    alt="Three histograms of the same points: 3 wide bins, 12 bins, 80 narrow bins of very uneven "
    "height. A smooth curve lies over each.",
    seed=2,
)
def histograms(rng: np.random.Generator) -> Figure:
    """Histograms of the same 300 points of Beta(2, 5), 3, 12 and 80 bins, and the density."""
    x, t = rng.beta(2, 5, 300), np.linspace(0, 1, 401)
    picture, axes = plots.panels(1, 3, height=2.5, sharey=True)
    for ax, m in zip(axes, (3, 12, 80), strict=True):
        heights = histogram.histogram_density(x, (np.arange(m) + 0.5) / m, m)
        ax.stairs(heights, np.arange(m + 1) / m, fill=True, color=plots.tint(BLUE, 0.5))
        ax.plot(t, 30 * t * (1 - t) ** 4, color=BLACK)
        ax.set(title=f"$m = {m}$", xlabel="$x$")
    axes[0].set(ylabel="density")
    return picture


@figure(
    "density-scores",
    alt="Two panels. In each a solid curve, the score, and a dashed one, the true risk, run nearly "
    "parallel; dots mark their minima.",
    seed=3,
)
def scores(rng: np.random.Generator) -> Figure:
    r"""Leave-one-out scores and the truth that they estimate, for bins and for bandwidths, 400 points.

    Dashed: the exact error $J$ of the same sample, which nobody sees in practice. Dots: the two minima. Where
    the curves are flat, as for bins, these may be far apart and cost little.
    """
    picture, (left, right) = plots.panels(1, 2, height=2.9)
    x, sizes = rng.beta(2, 5, 400), np.arange(1, 41)
    edges = [np.arange(m + 1) / m for m in sizes]
    mass = [np.diff(15 * e**2 - 40 * e**3 + 45 * e**4 - 24 * e**5 + 5 * e**6) for e in edges]
    counts = [histogram.bin_counts(x, m) for m in sizes]
    truth = [m * (c @ c / 400 - 2 * c @ q) / 400 for m, c, q in zip(sizes, counts, mass, strict=True)]
    estimated = np.array([histogram.histogram_cv_score(c) for c in counts])
    _score_panel(left, sizes, estimated, np.array(truth), "number of bins $m$")
    x, widths = BIMODAL.sample(400, rng), np.geomspace(0.06, 1.0, 60)
    errors = BIMODAL.integrated_squared_error(x, widths) - BIMODAL.roughness()
    _score_panel(right, widths, kernel_cv_scores(x, widths), errors, "bandwidth $h$")
    right.set(xscale="log")
    return picture


def _score_panel(ax, places, estimate, truth, label):
    for values, name, color, dashes in ((estimate, r"$\hat J$", BLUE, "-"), (truth, "$J$", VERMILLION, "--")):
        ax.plot(places, values, color=color, linestyle=dashes, label=name)
        ax.plot(places[values.argmin()], values.min(), "o", color=color)
    ax.set(xlabel=label, ylabel="score")
    ax.legend()


@figure(
    "density-rates",
    alt="Two straight falling lines of points on logarithmic axes, the one for the kernel estimate "
    "lower and steeper. Dashed lines of the theory run through both.",
)
def rates() -> Figure:
    """Smallest exact MISE against n: histogram of Beta(2, 2), Gaussian kernel estimate of N(0, 1).

    Dashed: the theory's lines, of slope -2/3 and -4/5.
    """
    sizes = np.unique(np.geomspace(30, 10**6, 12).astype(int))

    def beta_risk(m, n):
        e = np.arange(m + 1) / m
        return sum(histogram.squared_bias_and_variance(np.diff(e**2 * (3 - 2 * e)), int(n), 1.2))

    normal = NormalMixture([1.0], [0.0], [1.0])
    bins = np.unique(np.geomspace(1, 300, 80).astype(int))
    smallest = [min(beta_risk(m, n) for m in bins) for n in sizes]
    smooth = [sum(normal.risk(normal.best_bandwidth(int(n)), int(n))) for n in sizes]
    picture, ax = plots.panels()
    ax.plot(sizes, smallest, "o", color=BLUE, label="histogram")
    ax.plot(sizes, smooth, "^", color=VERMILLION, label="kernel estimate")
    widths = [histogram.best_bin_width(int(n), 12.0) for n in sizes]
    ax.plot(sizes, histogram.histogram_amise(np.array(widths), sizes, 12.0), "--", color=BLUE)
    curvature = normal.roughness(2)
    widths = [density.best_bandwidth(int(n), curvature) for n in sizes]
    ax.plot(sizes, density.kernel_amise(np.array(widths), sizes, curvature), "--", color=VERMILLION)
    ax.set(xscale="log", yscale="log", xlabel="sample size $n$", ylabel="smallest MISE")
    ax.legend()
    return picture


@figure(
    "density-kernels",
    alt="Left five bumps of the same width, from a box to a bell. Right the estimates from them, "
    "nearly on top of each other except for the ragged one of the box.",
    seed=4,
)
def kernels(rng: np.random.Generator) -> Figure:
    """Five kernels, scaled to variance 1, and the estimates from 300 points: the kernel matters little.

    Their efficiency, from 0.93 (uniform) to 1 (Epanechnikov), is the fraction of points that the best needs.
    """
    u, x, t = np.linspace(-3.2, 3.2, 641), BIMODAL.sample(300, rng), np.linspace(-4, 6, 600)
    picture, (left, right) = plots.panels(1, 2, height=2.9)
    names = ("gaussian", "epanechnikov", "biweight", "triangular", "uniform")
    for k, name in enumerate(names):
        K = KERNELS[name]
        scale = np.sqrt(K.second_moment)
        look = {"color": plots.COLORS[k], "linestyle": plots.DASHES[k]}
        left.plot(u, scale * K.density(scale * u), label=f"{name} ({K.efficiency:.2f})", **look)
        right.plot(t, kernel_density(x, t, 0.35 / scale, name), **look)
    left.set(xlabel="$u$", ylabel="$K(u)$", ylim=(0, 0.62))
    left.legend(fontsize=7, ncols=2, loc="upper center")
    right.set(xlabel="$x$", ylabel=r"$\hat f(x)$")
    return picture


@figure(
    "density-leakage",
    alt="A falling density that starts at a height of 1 at zero. The estimate rises before zero, "
    "passes it at half the height, and has a shaded part on the wrong side.",
    seed=5,
)
def leakage(rng: np.random.Generator) -> Figure:
    """Kernel estimates do not know where the support ends: 500 points of an exponential distribution.

    Shaded: the mass on the negative side, which is missing on the other; at 0 the estimate is about half
    f(0).
    """
    x, t = rng.exponential(size=500), np.linspace(-1, 4, 501)
    values = kernel_density(x, t, 0.25)
    picture, ax = plots.panels()
    ax.fill_between(t, values, where=t <= 0, color=plots.tint(VERMILLION, 0.5), linewidth=0)
    ax.plot(t, np.where(t >= 0, np.exp(-t), np.nan), color=GREY, linestyle="--", label="$f$")
    ax.plot(t, values, color=BLUE, label=r"$\hat f$, $h = 0.25$")
    ax.set(xlabel="$x$", ylabel="density", ylim=(0, 1.05))
    ax.legend()
    return picture


@figure(
    "density-old-faithful",
    alt="Points of eruptions in two clouds with level lines around each; a valley between them.",
)
def old_faithful() -> Figure:
    """272 eruptions of Old Faithful: level lines of the kernel estimate with Silverman's diagonal matrix.

    The rule is made for one normal cloud, and still shows two modes.
    """
    X = datasets.load_faithful().X
    model = KernelDensity().fit(X)
    a, b = np.linspace(1, 6, 120), np.linspace(35, 105, 120)
    grid = np.stack(np.meshgrid(a, b), axis=-1)
    heights = model.density(grid.reshape(-1, 2)).reshape(120, 120)
    picture, ax = plots.panels()
    ax.contour(a, b, heights, levels=8, colors=BLUE, linewidths=0.9)
    ax.plot(*X.T, ".", color=GREY, markersize=3)
    ax.set(xlabel="length of the eruption (minutes)", ylabel="minutes to the next")
    return picture


@figure(
    "density-curse",
    alt="On a logarithmic axis the sample size rises along straight lines with the dimension, from "
    "below ten to ten million for the smaller error.",
)
def curse() -> Figure:
    """How many points a kernel estimate of N(0, I) needs for a relative MISE of 0.05, 0.1 and 0.2.

    Gaussian kernel, the best bandwidth for each n. The lines are straight: the sample size is exponential in
    d.
    """
    dimensions = np.arange(1, 11)
    picture, ax = plots.panels()
    for error, color, marker in ((0.05, VERMILLION, "o"), (0.1, BLUE, "^"), (0.2, GREEN, "s")):
        ax.plot(dimensions, [sample_size(int(d), error) for d in dimensions], color=color, marker=marker,
                markersize=4, label=f"relative MISE {error}")  # fmt: skip
    ax.set(yscale="log", xlabel="dimension $d$", ylabel="sample size $n$")
    ax.legend()
    return picture


@figure(
    "density-stone",
    alt="On logarithmic axes the excess error falls from about 0.2 at a hundred points to about 0.03 at a "
    "hundred thousand, in a broad band, and comes to run along a dashed line of slope minus one fifth.",
    seed=6,
)
def stone(rng: np.random.Generator) -> Figure:
    r"""Stone's theorem is slow: by how much the error of the cross-validated bandwidth exceeds the smallest.

    200 samples of each size, a mixture of two normal distributions, Gaussian kernel. Line: median; band: the
    middle half of the samples. Dashed: slope $-1/5$, the order of Hall and Marron (1987).
    """
    sizes = 10 ** np.arange(2, 6)
    excess = np.array([[_ratio(int(n), rng) - 1 for n in sizes] for _ in range(200)])
    middle = np.median(excess, axis=0)
    picture, ax = plots.panels()
    ax.fill_between(sizes, *np.quantile(excess, (0.25, 0.75), axis=0), color=plots.tint(ORANGE), linewidth=0)
    ax.plot(sizes, middle, "o-", color=ORANGE)
    ax.plot(sizes, middle[-1] * (sizes / sizes[-1]) ** -0.2, "--", color=GREY)
    ax.set(xscale="log", yscale="log", xlabel="sample size $n$", ylabel=r"$ISE(\hat h)\,/\,\min ISE - 1$")
    return picture


def _ratio(n, rng):
    x, widths = BIMODAL.sample(n, rng), 1.2 * n**-0.2 * np.geomspace(0.15, 1.6, 40)
    errors = BIMODAL.integrated_squared_error(x, widths)
    return errors[kernel_cv_scores(x, widths).argmin()] / errors.min()
