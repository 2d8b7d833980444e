"""Figures of lecture 3: nearest neighbours, their risk, and what dimension does to them.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from mlnotes import KNeighborsClassifier, NearestCentroid, datasets, neighbors
from mlnotes.datasets import shapes
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLACK, GREY


@figure(
    "neighbors-k",
    alt="Three panels with the same two interleaved half moons of points. The boundary is ragged with "
    "islands for one neighbour, smooth for 15, and almost straight for 151.",
    seed=3,
)
def three_values_of_k(rng: np.random.Generator) -> Figure:
    r"""Few voters follow the noise, many forget the shape: $k$-NN on 200 points of the two moons.

    The title gives the risk, by averaging $1 - \eta_{D(x)}(x)$ over 5,000 new points; the Bayes risk of this
    distribution is 0.1127.
    """
    distribution, box = shapes.moons(0.35), (-2.0, 3.0, -1.6, 2.1)
    X, y = distribution.sample(200, rng)
    X_new = distribution.sample(5000, rng)[0]
    eta = distribution.posterior(X_new)
    picture, axes = plots.panels(1, 3, height=2.6, sharex=True, sharey=True)
    for ax, k in zip(axes, (1, 15, 151), strict=True):
        model = KNeighborsClassifier(n_neighbors=k).fit(X, y)
        plots.decision_regions(model.predict_proba, X, y, box=box, resolution=160, size=7, ax=ax)
        risk = 1 - eta[np.arange(len(eta)), model.predict(X_new)].mean()
        ax.set_title(f"$k = {k}$, risk {risk:.3f}")
        ax.get_legend().remove()
        ax.label_outer()
    picture.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return picture


@figure(
    "neighbors-bias-variance",
    alt="Two U-shaped curves of risk against the number of neighbours on a logarithmic axis, above a dotted "
    "horizontal line. The curve for more observations lies lower and has its lowest point further right.",
    seed=5,
)
def bias_and_variance(rng: np.random.Generator) -> Figure:
    r"""Best numbers of neighbours grow with the data, and the risk there nears the Bayes risk.

    Risk of $k$-NN on the two moons: the Bayes risk plus the excess risk averaged over 1,000 new points and
    six training sets.
    """
    distribution, ks = shapes.moons(0.35), [1, 3, 5, 9, 17, 33, 65, 129]
    X_new = distribution.sample(1000, rng)[0]
    eta = distribution.posterior(X_new)
    rows = np.arange(len(eta))
    risks = {}
    for n in (150, 1500):
        runs = np.zeros((6, len(ks)))
        for run in runs:
            X, y = distribution.sample(n, rng)
            for j, k in enumerate(ks):
                answers = KNeighborsClassifier(n_neighbors=k).fit(X, y).predict(X_new)
                run[j] = distribution.bayes_risk() + (eta.max(axis=1) - eta[rows, answers]).mean()
        risks[f"$n = {n:,}$"] = runs.mean(axis=0)
    picture, ax = plots.panels(1, 1)
    plots.curves(ks, {**risks, r"Bayes risk $R^\star$": np.full(len(ks), distribution.bayes_risk())}, ax=ax)
    ax.set(xscale="log", xlabel="number of neighbours $k$", ylabel="risk", ylim=(0.1, None))
    return picture


@figure(
    "neighbors-cover-hart",
    alt="A diagonal line and, above it, three arcs that start at the origin with twice its slope and end on "
    "it at 1/2, 2/3 and 9/10. Many small points lie between the line and the arc for two classes.",
    seed=1967,
)
def cover_hart(rng: np.random.Generator) -> Figure:
    r"""At most twice the best: the asymptotic risk of the nearest neighbour against the Bayes risk.

    The arcs are the bounds of Cover and Hart for $K$ classes; the points are 300 random distributions with
    two classes on four atoms, computed exactly.
    """
    picture, ax = plots.panels(1, 1, width=4.4, height=3.6)
    best = np.linspace(0, 0.9, 181)
    arcs = {
        f"bound, $K = {K}$": np.where(best <= 1 - 1 / K, best * (2 - K / (K - 1) * best), np.nan)
        for K in (2, 3, 10)
    }
    plots.curves(best, {"Bayes risk": best, **arcs}, ax=ax)
    found = []
    for _ in range(300):
        distribution = datasets.random_finite_distribution(rng, 4, 2)
        risk = (distribution.marginal() * neighbors.nearest_neighbor_risk(distribution.conditional())).sum()
        found.append((float(distribution.bayes_risk()), float(risk)))
    ax.plot(*np.array(found).T, ".", color=GREY, markersize=2.5, zorder=1)
    ax.set(xlabel=r"Bayes risk $R^\star$", ylabel="asymptotic 1-NN risk", xlim=(0, 0.92), ylim=(0, 0.95))
    return picture


@figure(
    "neighbors-curse",
    alt="Left: four curves that rise from zero to one, the steeper the higher the dimension. Right: three "
    "curves of the distance to the nearest point that rise towards one as the dimension grows.",
)
def curse() -> Figure:
    """Near is far in high dimension, by exact formulas.

    Left: the edge of a cube that holds a fraction of the unit cube. Right: the median distance from the
    centre of the unit ball to the nearest of n uniform points in it.
    """
    picture, (left, right) = plots.panels(1, 2)
    shares = np.linspace(0, 0.5, 201)
    edges = {f"$d = {d}$": [neighbors.cube_edge(s, d) for s in shares.tolist()] for d in (1, 2, 10, 100)}
    plots.curves(shares, edges, ax=left)
    left.set(xlabel="fraction of the cube", ylabel="edge", xlim=(0, 0.5), ylim=(0, 1.02))
    left.legend(loc="lower right", bbox_to_anchor=(1.03, -0.03))
    dims = np.arange(1, 51)
    medians = {
        f"$n = 10^{m}$": [neighbors.median_nearest_distance(10**m, d) for d in dims.tolist()]
        for m in (2, 4, 6)
    }
    plots.curves(dims, medians, ax=right)
    right.set(xlabel="dimension $d$", ylabel="median distance to the nearest", xlim=(1, 50), ylim=(0, 1.02))
    return picture


@figure(
    "neighbors-centroids",
    alt="Four clusters of points in four convex regions with straight borders; a black star marks the mean "
    "of each cluster.",
    seed=9,
)
def centroids(rng: np.random.Generator) -> Figure:
    """Closest averages cut the plane by straight lines, half way between the means (stars).

    160 coins from an invented distribution; the regions do not know that the clouds are longer than they are
    wide.
    """
    X, y = datasets.coins().sample(160, rng)
    names = ["10 cents", "20 cents", "50 cents", "1 euro"]
    model = NearestCentroid().fit(X, y)
    picture, ax = plots.panels(1, 1)
    plots.decision_regions(model.decision_function, X, y, names=names, ax=ax)
    ax.plot(*model.centroids_.T, "*", color=BLACK, markersize=10, zorder=5)
    ax.set(xlabel="mass (g)", ylabel="diameter (mm)")
    return picture
