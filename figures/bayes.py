"""Figures of lecture 1: the Bayes rule, its risk, and what an estimate of it costs.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from mlnotes import PlugInClassifier, bayes, datasets, losses
from mlnotes.datasets import shapes
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLACK, BLUE, COLORS, DASHES, GREY, MARKERS, ORANGE, VERMILLION

Array = NDArray[np.float64]

# ------------------------------------------------------------------- the rule and its risk


@figure(
    "bayes-overlap",
    alt="Two bell curves over one axis, the left one higher; the area under both at once is shaded. "
    "Below, an S-shaped curve crosses one half where the bells cross.",
)
def overlap() -> Figure:
    r"""Overlap is what costs: the Bayes risk is the area under both curves.

    Above: class densities times priors, and the shaded area under the smaller one, $R^\star$. Below: the
    posterior. It crosses 1/2 where the curves above meet, and there the Bayes rule changes its prediction.
    """
    distribution = datasets.GaussianClasses([0.6, 0.4], [[0.0], [2.5]], [[[1.0]], [[1.44]]])
    x = np.linspace(-3, 6.5, 800)
    joint = distribution.prior * np.exp(distribution.log_density(x[:, None]))
    eta = distribution.posterior(x[:, None])[:, 1]
    boundary = np.interp(0.5, eta[x > 0], x[x > 0])
    picture, (top, bottom) = plots.panels(2, 1, height=4.2, sharex=True, height_ratios=(1.5, 1))
    names = [r"$\pi_0 f_0(x)$", r"$\pi_1 f_1(x)$"]
    plots.density_1d(x, joint, names=names, overlap=rf"$R^\star = {distribution.bayes_risk():.4f}$", ax=top)
    plots.curves(x, {r"$\eta(x) = P(Y = 1 \mid X = x)$": eta}, ax=bottom)
    bottom.axhline(0.5, color=GREY, linewidth=0.6)
    top.label_outer()
    for ax in (top, bottom):
        ax.axvline(boundary, color=GREY, linewidth=0.6)
    bottom.set(xlabel="$x$", ylabel="posterior", xlim=x[[0, -1]], ylim=(0, 1.03), yticks=(0, 0.5, 1))
    bottom.text(boundary - 0.2, 0.75, r"$f^\star = 0$", ha="right", va="center")
    bottom.text(boundary + 0.2, 0.25, r"$f^\star = 1$", ha="left", va="center")
    return picture


@figure(
    "bayes-all-rules",
    alt="Left: pairs of bars, the joint masses of six atoms. Right: the sorted risks of 64 rules, rising in "
    "steps; the four least are equal and marked.",
    seed=6,
)
def all_rules(rng: np.random.Generator) -> Figure:
    """No rule beats the Bayes rule: the exact risks of all $2^6$ classifiers on six atoms.

    One atom is a tie and one has mass zero; at both the prediction does not matter, so that $2^2 = 4$ rules
    share the smallest risk.
    """
    distribution = datasets.random_finite_distribution(rng, 6, 2, denominator=128, n_null=1, n_ties=1)
    joint = distribution.exact_table()
    picture, (left, right) = plots.panels(1, 2)
    atoms, masses = np.arange(distribution.n_atoms), distribution.table()
    for k, hatch in enumerate(("", "////")):
        left.bar(
            atoms + 0.4 * k - 0.2, masses[:, k], width=0.36, label=f"$P(X = x, Y = {k})$",
            color=COLORS[k], hatch=hatch, edgecolor="white", linewidth=0,
        )  # fmt: skip
    for x in atoms[masses[:, 0] == masses[:, 1]]:
        left.text(x, masses[x, 0] + 0.006, "tie" if masses[x, 0] else "mass 0", ha="center", style="italic")
    left.set(xlabel="atom $x$", ylabel="mass", xticks=atoms, ylim=(0, 1.35 * masses.max()))
    left.legend(loc="upper left")
    best = bayes.bayes_risk(joint)
    plots.sorted_risks([bayes.risk(rule, joint) for rule in distribution.rules()], ax=right)
    right.axhline(float(best), color=VERMILLION, linewidth=0.6, zorder=1)
    text = rf"$R^\star = {best.numerator}/{best.denominator}$"
    right.text(len(list(distribution.rules())), float(best) - 0.02, text, ha="right", va="top")
    return picture


@figure(
    "bayes-shapes",
    alt="Four panels with two classes of points: concentric rings, the four quadrants of XOR, two "
    "interleaved half moons, two spiral arms. In each a curve follows the gap between the classes.",
    seed=1,
)
def four_shapes(rng: np.random.Generator) -> Figure:
    """Four distributions that no line separates: 300 draws each, the Bayes boundary and the Bayes risk."""
    contents = {
        "rings": (shapes.rings(), (-3, 3, -3, 3)),
        "XOR": (shapes.xor(), (-2.5, 2.5, -2.5, 2.5)),
        "moons": (shapes.moons(), (-1.9, 2.9, -2.15, 2.65)),
        "spirals": (shapes.spirals(), (-3.8, 3.8, -3.8, 3.8)),
    }
    picture, axes = plots.panels(2, 2, width=6.0, height=6.2)
    for ax, (name, (distribution, box)) in zip(axes.flat, contents.items(), strict=True):
        X, y = distribution.sample(300, rng)
        plots.decision_regions(distribution.posterior, X, y, box=box, resolution=120, ax=ax)
        ax.set(aspect="equal", title=rf"{name}: $R^\star = {distribution.bayes_risk():.4f}$")
        ax.get_legend().remove()
    picture.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return picture


@figure(
    "bayes-learning-types",
    alt="Three scatter plots of diameter against mass with four clusters of coins; coloured by "
    "denomination in the first, all grey in the second, grey with eight coloured points in the third.",
    seed=9,
)
def learning_types(rng: np.random.Generator) -> Figure:
    """Three kinds of learning from the same coins: with every label, with none, with two labels a class.

    The coin data are drawn from an invented distribution; nobody weighed them.
    """
    X, y = datasets.coins().sample(160, rng)
    names = ["10 cents", "20 cents", "50 cents", "1 euro"]
    few = np.concatenate([np.flatnonzero(y == k)[:2] for k in range(4)])
    picture, axes = plots.panels(1, 3, height=2.7, sharex=True, sharey=True)
    for ax, title in zip(axes, ("supervised", "unsupervised", "semi-supervised"), strict=True):
        ax.set(title=title, xlabel="mass (g)")
        if title != "supervised":
            ax.scatter(X[:, 0], X[:, 1], s=9, color="0.65", linewidths=0, zorder=2)
    plots.labelled_points(X, y, names=names, ax=axes[0])
    plots.labelled_points(X[few], y[few], names=names, size=34, ax=axes[2])
    axes[0].set_ylabel("diameter (mm)")
    axes[2].get_legend().remove()
    return picture


# ------------------------------------------------------------------- examples of the lecture


@figure(
    "bayes-example-1-1",
    alt="Two elliptic clouds side by side, parted by a steep line; a second, dashed line runs close to its "
    "left. The right panel enlarges the region between the two lines.",
    seed=11,
)
def example_1_1(rng: np.random.Generator) -> Figure:
    r"""Forgetting the prior moves the boundary: 1,000 draws from Example 1.1 of Recitation 7.

    The prior is $P(Y = 1) = 0.4$; the rule that compares likelihoods acts as if it were 1/2. Right: the
    square around the region where the two rules differ. The risks are exact up to quadrature.
    """
    distribution = datasets.recitation_example()
    X, y = distribution.sample(1000, rng)
    wide, close = (-4, 11, 1, 9), (1.2, 2.8, 4.2, 5.8)
    extra = excess_of_likelihood_rule(distribution)
    picture, (left, right) = plots.panels(1, 2, height=3.5, width_ratios=(1.5, 1))
    for ax, box, size in ((left, wide, 9), (right, close, 22)):
        plots.decision_regions(distribution.posterior, box=box, ax=ax)
        seen = (np.clip(X, box[::2], box[1::2]) == X).all(axis=1)
        plots.labelled_points(X[seen], y[seen], size=size, ax=ax)
        ax.get_legend().remove()
        plots.level_line(
            lambda Z: log_odds(distribution, Z), box=box, ax=ax,
            label=rf"Bayes rule, $R^\star = {distribution.bayes_risk():.4f}$",
        )  # fmt: skip
        plots.level_line(
            lambda Z: log_odds(distribution, Z, prior=False), box=box, dashes=DASHES[1], ax=ax,
            label=rf"likelihood rule, $R = {distribution.bayes_risk() + extra:.4f}$",
        )  # fmt: skip
        ax.set(xlim=box[:2], ylim=box[2:])
    plots.frame(close, ax=left)
    picture.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=4, columnspacing=1.2)
    return picture


def log_odds(distribution: datasets.GaussianClasses, X: Array, prior: bool = True) -> Array:
    """Return log(pi_1 f_1 / pi_0 f_0), or log(f_1 / f_0) without the prior."""
    logs = distribution.log_density(X) + (np.log(distribution.prior) if prior else 0)
    return logs[:, 1] - logs[:, 0]


def excess_of_likelihood_rule(distribution: datasets.GaussianClasses) -> float:
    """Integrate |pi_1 f_1 - pi_0 f_0| over the region where the two rules differ, on a grid."""
    x, y = np.linspace(-8, 12, 800), np.linspace(-1, 11, 800)
    Z = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    differ = Z[(log_odds(distribution, Z) >= 0) != (log_odds(distribution, Z, prior=False) >= 0)]
    joint = distribution.prior * np.exp(distribution.log_density(differ))
    return float(abs(joint[:, 1] - joint[:, 0]).sum() * (x[1] - x[0]) * (y[1] - y[0]))


@figure(
    "bayes-beers",
    alt="Left: sleep against beers, shaded from pass near the origin to fail beyond a diagonal line; a "
    "dashed diagonal further out marks the threshold 7. Right: a curve of risk against threshold with its "
    "minimum left of 7.",
    seed=4,
)
def beers(rng: np.random.Generator) -> Figure:
    r"""Beers and sleep (Wainwright, section 2.3.2): the best threshold is $7 - \log 2$, not 7.

    Left: the probability of passing, and 400 students. Between the two lines a pass is possible, but less
    likely than not. Right: the risk of every threshold on $x_1 + x_2$.
    """
    distribution, box = datasets.beers(), (0, 9, 0, 9)
    X, y = distribution.sample(400, rng)
    picture, (left, right) = plots.panels(1, 2, height=3.2, width_ratios=(1.35, 1))
    picture.get_layout_engine().set(wspace=0.06)
    plots.contour_posterior(distribution.posterior, box=box, levels=(0.5,), resolution=120, ax=left)
    plots.labelled_points(X, y, names=["fails", "passes"], size=12, ax=left)
    for level, dashes, label in (
        (7 - np.log(2), "-", r"$x_1 + x_2 = 7 - \log 2$"),
        (7, DASHES[1], "$x_1 + x_2 = 7$"),
    ):
        plots.level_line(lambda Z: Z.sum(axis=1), level, box=box, dashes=dashes, label=label, ax=left)
    left.set(xlabel="sleep $x_1$ (hours)", ylabel="beers $x_2$", aspect="equal")
    left.legend(loc="upper right")
    t = np.linspace(5, 8.5, 400)
    right.plot(t, threshold_risk(t), color=BLUE)
    for place, name, marker in ((7 - np.log(2), r"7 - \log 2", "o"), (7.0, "7", "s")):
        value = float(threshold_risk(np.array(place)))
        right.plot(place, value, marker, color=VERMILLION, label=f"$R({name}) = {value:.5f}$", zorder=3)
    right.set(xlabel="threshold $t$: pass iff $x_1 + x_2 \\leq t$", ylabel="risk $R(t)$")
    right.legend(loc="upper right")
    return picture


def threshold_risk(t: Array) -> Array:
    r"""Return the risk of "pass iff x_1 + x_2 <= t".

    The sum s has density s e^{-s}. Below t the rule errs with probability min(1, e^{s-7}), above t with
    max(0, 1 - e^{s-7}); both integrals are elementary.
    """
    tail = (t + 1) * np.exp(-t)
    return np.where(t <= 7, np.exp(-7) * (t**2 - 32.5) + tail, np.exp(-7) * 32.5 - tail)


@figure(
    "bayes-traffic-signs",
    alt="Two triangles with corners stop, 50 and 40, and one marked point. Left: three equal regions that "
    "meet in the middle; the point lies in that of 50. Right: the region of stop reaches far down and "
    "holds the point.",
)
def traffic_signs() -> Figure:
    """Unequal losses move the boundaries: each point of the triangle is a posterior of three traffic signs.

    Left: under the 0-1 loss the most probable sign wins. Right: to overlook a stop sign costs 4, to take 40
    for 50 costs 2, any other error 1; now the rule predicts stop at the marked posterior, where stop has
    probability 0.3.
    """
    signs = ["stop", "50", "40"]
    costly = np.array([[0, 1, 1], [4, 0, 2], [4, 1, 0]])
    doubtful = np.array([[0.3, 0.5, 0.2]])
    picture, axes = plots.panels(1, 2, height=3.1)
    losses = {"0-1 loss": bayes.zero_one_loss(3), "a missed stop costs 4": costly}
    for ax, (title, loss) in zip(axes, losses.items(), strict=True):
        plots.simplex_regions(lambda p, loss=loss: -bayes.conditional_risk(p, loss), corners=signs, ax=ax)
        (x, y) = plots.barycentric(doubtful)[0]
        ax.plot(x, y, "o", color=BLACK, markersize=4, zorder=5)
        answer = signs[bayes.bayes_rule_for_loss(doubtful, loss)[0]]
        ax.text(x, y + 0.035, answer, ha="center", style="italic", zorder=5)
        ax.set_title(title)
    return picture


@figure(
    "bayes-reject",
    alt="Left: three concave curves rise with the cost of rejection and become flat at one half. Right: "
    "three convex curves fall to zero as more is rejected. Marked points lie on all curves.",
    seed=8,
)
def reject_option(rng: np.random.Generator) -> Figure:
    r"""Chow's reject option for the classes $N(0, 1)$ and $N(D, 1)$.

    Left: the smallest risk when "I do not know" costs $c$; from $c = 1/2$ on it is the Bayes risk. Right: the
    trade between errors and rejections; at cost $c$ the best point is where the slope is $-c$. Lines are
    exact; points are 20,000 draws at $c = 0.05, 0.1, 0.2, 0.3, 0.4$.
    """
    picture, (left, right) = plots.panels(1, 2, height=3.1)
    costs, marked = np.linspace(0.001, 0.65, 400), np.array([0.05, 0.1, 0.2, 0.3, 0.4])
    for k, distance in enumerate((1.0, 2.0, 3.0)):
        distribution = datasets.gaussian_pair(distance, d=1)
        error, rejected = chow_rates(distance, costs)
        error_drawn, rejected_drawn = np.transpose([sampled_rates(distribution, c, rng) for c in marked])
        line = {"color": COLORS[k], "linestyle": DASHES[k]}
        dots = {"color": COLORS[k], "marker": MARKERS[k], "linestyle": "", "markersize": 4}
        left.plot(costs, error + costs * rejected, **line)
        left.plot(marked, error_drawn + marked * rejected_drawn, **dots)
        right.plot(rejected, error, **line)
        right.plot(rejected_drawn, error_drawn, **dots)
        right.plot([], [], **{**dots, **line}, label=f"$D = {distance:.0f}$")
    left.plot(costs, costs, color=GREY, linewidth=0.7)
    left.text(0.25, 0.262, "always reject", rotation=45, rotation_mode="anchor", transform_rotates_text=True)
    left.set(xlabel="cost $c$ of a rejection", ylabel="risk of the best rule", xlim=(0, 0.65), ylim=(0, 0.36))
    right.set(
        xlabel="proportion of rejections", ylabel="proportion of errors", xlim=(0, 1.02), ylim=(0, 0.36)
    )
    right.legend(loc="upper right")
    return picture


def chow_rates(distance: float, cost: Array) -> tuple[Array, Array]:
    """Return the proportions of errors and of rejections of Chow's rule for N(0, 1) against N(distance, 1).

    It rejects where the log odds are below log((1 - c) / c) in size: within u of the midpoint.
    """
    u = np.maximum(np.log((1 - cost) / cost) / distance, 0)
    cdf = np.vectorize(datasets.normal_cdf)
    return cdf(-distance / 2 - u), cdf(-distance / 2 + u) - cdf(-distance / 2 - u)


def sampled_rates(
    distribution: datasets.GaussianClasses, cost: float, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the same shares on 20,000 draws, for the Bayes rule of the reject loss."""
    X, y = distribution.sample(20_000, rng)
    answers = bayes.bayes_rule_for_loss(distribution.posterior(X), bayes.reject_loss(2, cost))
    rejected = answers == 2
    return float(np.mean((answers != y) & ~rejected)), float(rejected.mean())


@figure(
    "bayes-likelihood",
    alt="Left: a bell-shaped likelihood with marked values at 1 and at its top, 2. Right: four likelihood "
    "curves on the unit interval with their maxima marked, two of them at the ends.",
)
def likelihood() -> Figure:
    r"""Maximum likelihood for a mean and for a coin.

    Left: the likelihood of $\mu$ for the data 1, 2, 3 and $\sigma = 1$ (Recitation 7, Example 1.2) is largest
    at their average. Right: the likelihood of $p$ after $n_1$ heads in six tosses is largest at $n_1 / 6$,
    also where that is an end point and the slope is not zero.
    """
    picture, (left, right) = plots.panels(1, 2, height=2.9)
    data = np.array([[1.0], [2.0], [3.0]])

    def likelihood_of(mean: float) -> float:
        return float(np.exp(bayes.Gaussian(np.array([mean]), np.eye(1)).log_density(data).sum()))

    mu = np.linspace(-0.5, 5.5, 300)
    left.plot(mu, [likelihood_of(m) for m in mu], color=BLUE)
    for mean, marker in ((float(bayes.Gaussian.fit(data).mean[0]), "o"), (1.0, "s")):
        value = likelihood_of(mean)
        left.plot(mean, value, marker, color=VERMILLION, markersize=5, label=f"$L({mean:.0f}) = {value:.6f}$")
    left.set(xlabel=r"mean $\mu$", ylabel=r"likelihood $L(\mu)$", xlim=mu[[0, -1]], ylim=(0, 0.026))
    left.legend(loc="upper right")
    p = np.linspace(0, 1, 400)
    for k, heads in enumerate((0, 2, 3, 6)):
        top = bayes.bernoulli_mle([1] * heads + [0] * (6 - heads))
        curve, peak = (q**heads * (1 - q) ** (6 - heads) for q in (p, top))
        right.plot(p, curve / peak, color=COLORS[k], linestyle=DASHES[k])
        right.plot(top, 1, "o", color=COLORS[k], markersize=5, clip_on=False)
        right.text(top, 1.06, f"$n_1 = {heads}$", ha="center", color=COLORS[k])
    right.set(xlabel="$p$", ylabel=r"$L(p) \,/\, \max L$", xlim=(0, 1), ylim=(0, 1.02))
    return picture


# ------------------------------------------------------------------- estimates in place of the truth


@figure(
    "bayes-plugin-bound",
    alt="A cloud of points well below the diagonal of a square, and a row of points exactly on it.",
    seed=2,
)
def plugin_bound(rng: np.random.Generator) -> Figure:
    r"""Sharpness of the plug-in bound $2 E|\eta - \hat\eta|$ (Wainwright, Theorem 2.2).

    Exact values on one distribution with eight atoms. Random estimates stay well below the diagonal.
    Estimates that are right, except for the value 1/2 at some atoms with $\eta < 1/2$, lie on it: no constant
    below 2 would do.
    """
    distribution = datasets.random_finite_distribution(rng, 8, 2, denominator=2**12)
    conditional, joint, marginal = (
        distribution.conditional(),
        distribution.exact_table(),
        distribution.marginal(),
    )
    shaken = [shake(conditional[:, 1], scale, rng) for scale in (1, 2, 4, 8, 16) for _ in range(60)]
    estimates = [*shaken, *halved(conditional[:, 1])]
    pairs = [np.column_stack([1 - eta, eta]) for eta in estimates]
    bounds = [float(bayes.plugin_bound(conditional, pair, marginal)) for pair in pairs]
    excess = [float(bayes.excess_risk(bayes.bayes_rule_binary(eta), joint)) for eta in estimates]
    names = ["random errors", r"$\hat\eta = 1/2$ at some atoms, else $\hat\eta = \eta$"]
    kinds = [0] * len(shaken) + [1] * (len(estimates) - len(shaken))
    picture, ax = plots.panels(width=4.6, height=4.0)
    plots.bound_scatter(bounds, excess, kinds, names=names, ax=ax)
    ax.set(xlabel=r"bound $2E|\eta(X) - \hat\eta(X)|$", ylabel=r"excess risk $R(\hat g) - R^\star$")
    return picture


def shake(eta: NDArray[np.object_], scale: int, rng: np.random.Generator) -> NDArray[np.object_]:
    """Return the posterior with random errors of up to scale/32, clipped to [0, 1], as exact fractions."""
    errors = [Fraction(int(e), 2**15) for e in scale * rng.integers(-1024, 1025, size=len(eta))]
    return np.array([min(max(p + e, Fraction(0)), Fraction(1)) for p, e in zip(eta, errors, strict=True)])


def halved(eta: NDArray[np.object_]) -> list[NDArray[np.object_]]:
    """Return the posteriors with the value 1/2 at every subset of the atoms where eta < 1/2."""
    low = np.flatnonzero(eta < Fraction(1, 2))
    found = []
    for chosen in product((False, True), repeat=len(low)):
        estimate = eta.copy()
        estimate[low[list(chosen)]] = Fraction(1, 2)
        found.append(estimate)
    return found


@figure(
    "bayes-plugin-rate",
    alt="Two falling lines on logarithmic axes: the bound with slope minus one half above, the excess risk "
    "with slope minus one below; the lower one lies on a dashed line of theory.",
    seed=5,
)
def plugin_rate(rng: np.random.Generator) -> Figure:
    r"""Better than its bound: the plug-in classifier for the equally likely classes $N(0, 1)$ and $N(2, 1)$.

    Means (lines) and the middle 80 % (bands) over 120 training sets. The excess risk follows
    $\varphi(1) / n$, which the delta method gives; the plug-in bound falls like $n^{-1/2}$ only. The rule
    needs the right side of 1/2, the bound the whole posterior.
    """
    distribution = datasets.gaussian_pair(2.0, d=1)
    sizes = np.array([20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000])
    runs = np.array([[plugin_run(distribution, n, rng) for n in sizes] for _ in range(120)])  # (120, 9, 2)
    picture, ax = plots.panels(width=4.8, height=3.6)
    plots.risk_curve(
        sizes, runs[:, :, 1], label=r"bound $2E|\eta - \hat\eta|$", color=ORANGE, marker="s", ax=ax
    )
    plots.risk_curve(sizes, runs[:, :, 0], label=r"excess risk $R(\hat g) - R^\star$", ax=ax)
    theory = np.exp(-0.5) / np.sqrt(2 * np.pi) / sizes
    ax.plot(sizes, theory, color=BLACK, linestyle=DASHES[1], linewidth=1, label=r"theory $\varphi(1) / n$")
    ax.set_ylabel("excess risk and its bound")
    ax.legend(loc="lower left")
    return picture


def plugin_run(
    distribution: datasets.GaussianClasses, n: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the excess risk and the plug-in bound of one training set, with at least two observations a
    class.
    """
    X, y = distribution.sample(n, rng)
    while np.bincount(y, minlength=2).min() < 2:
        X, y = distribution.sample(n, rng)
    model = PlugInClassifier().fit(X, y)
    x = np.linspace(-7, 9, 401)[:, None]
    joint = distribution.prior * np.exp(distribution.log_density(x)) * (x[1] - x[0])  # (401, 2), sums to 1
    gap = abs(distribution.posterior(x) - model.predict_proba(x))[:, 1]
    return excess_of_quadratic_rule(model, distribution), float(2 * joint.sum(axis=1) @ gap)


def excess_of_quadratic_rule(model: PlugInClassifier, distribution: datasets.GaussianClasses) -> float:
    """Return R - R* of the fitted rule, which changes its prediction at the roots of a quadratic."""
    (m0, m1), (v0, v1) = (
        [f.mean.item() for f in model.densities_],
        [f.covariance.item() for f in model.densities_],
    )
    shift = 2 * np.log(model.prior_[1] / model.prior_[0]) + np.log(v0 / v1)
    roots = np.roots([1 / v0 - 1 / v1, 2 * (m1 / v1 - m0 / v0), m0**2 / v0 - m1**2 / v1 + shift])
    cuts = np.sort(roots[np.isreal(roots)].real)
    answers = model.predict(np.convolve([cuts[0] - 2, *cuts, cuts[-1] + 2], [0.5, 0.5], "valid")[:, None])
    cdf = np.vectorize(datasets.normal_cdf)(cuts[:, None] - distribution.means[:, 0])  # (thresholds, 2)
    masses = distribution.prior * np.diff(cdf, axis=0, prepend=0, append=1)  # (pieces, 2)
    return float(masses[np.arange(len(answers)), 1 - answers].sum() - distribution.bayes_risk())


@figure(
    "bayes-margin-losses",
    alt="Left: a step and four decreasing curves against the margin. Right: minimisers against eta; a step "
    "from minus one to one, two increasing curves through the middle, and a flat line at zero.",
)
def margin_losses() -> Figure:
    r"""Surrogates of the 0-1 loss.

    Left: losses of the margin $m = y f(x)$; the logistic loss is divided by $\log 2$. Right: the score $f$
    that minimises the conditional risk $\eta\,\phi(f) + (1 - \eta)\,\phi(-f)$. For hinge, logistic and
    exponential loss its sign is that of $2\eta - 1$. For the perceptron loss it is 0 whatever $\eta$ is:
    that loss cannot tell the classes apart.
    """
    surrogates = {
        "hinge": losses.hinge_loss,
        "logistic": lambda m: losses.logistic_loss(m) / np.log(2),
        "exponential": losses.exponential_loss,
        "perceptron": losses.perceptron_loss,
    }
    picture, (left, right) = plots.panels(1, 2, height=3.1)
    m = np.linspace(-2.5, 2.5, 1000)  # even, so that the jump at 0 falls between two points
    left.step(m, losses.misclassification_loss(m), color=BLACK, linewidth=1, label="0-1")
    plots.curves(m, {name: loss(m) for name, loss in surrogates.items()}, ax=left)
    left.set(xlabel="margin $m$", ylabel=r"loss $\phi(m)$", xlim=(-2.5, 2.5), ylim=(-0.08, 4))
    f, eta = np.linspace(-6, 6, 2401), np.linspace(0.01, 0.99, 490)
    risks = {name: np.outer(eta, loss(f)) + np.outer(1 - eta, loss(-f)) for name, loss in surrogates.items()}
    plots.curves(eta, {name: f[risk.argmin(axis=1)] for name, risk in risks.items()}, ax=right)
    right.set(xlabel=r"$\eta$", ylabel="minimising score $f$", xlim=(0, 1), ylim=(-4, 4))
    right.get_legend().remove()
    return picture
