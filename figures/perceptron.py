"""Figures of lecture 7: the two inequalities of the mistake bound, many separators, endless updates.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import math
import warnings
from itertools import islice

import numpy as np
from matplotlib.figure import Figure

from mlnotes import KernelPerceptron, Perceptron, datasets
from mlnotes.estimators.base import ConvergenceWarning
from mlnotes.estimators.perceptron import separability
from mlnotes.perceptron import margin, mistake_bound, mistake_set, perceptron, signed_examples
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLACK, BLUE, GREEN, GREY, VERMILLION, tint


def _clouds(rng: np.random.Generator, gap: float, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Return rows on both sides of a line through the origin, at least ``gap`` from it, and labels."""
    u = np.array([0.6, 0.8])
    X = rng.normal(0, 1.2, (n, 2))
    side = np.where(X @ u > 0, 1, -1)
    return X + gap * np.outer(side, u), side


def _updates(Z: np.ndarray, passes: int) -> np.ndarray:
    """Return the weights before the first update and after each, (t + 1, D)."""
    start = np.zeros(Z.shape[1])
    visits = islice(perceptron(Z, start), passes * len(Z))
    return np.array([start, *(w for w, i in visits if i is not None)])


@figure(
    "perceptron-trace",
    alt="Two panels, each with two solid curves against the number of updates: the lower one above a dashed "
    "straight line, the upper one below a dashed root. Left they end after a few updates, far from where "
    "the dashed curves would meet; right they end just before the dotted line where these meet.",
    seed=3,
)
def trace(rng: np.random.Generator) -> Figure:
    r"""Two inequalities close in on a run: $\langle u, w_t\rangle \ge t\delta$ and $\|w_t\| \le \sqrt t R$.

    The first solid curve is at most the second, so that the run ends before the dashed ones meet, at
    $R^2/\delta^2$ (dotted), for the best unit separator u. Left, 60 examples in the plane: the bound is far
    away. Right, 30 nearly orthogonal examples: it is within a factor of two.
    """
    X, y = _clouds(rng, 0.25)
    plane = signed_examples(X, y, fit_intercept=False)
    nearly = np.eye(30) + rng.normal(0, 0.015, (30, 30))
    picture, axes = plots.panels(1, 2, height=3.0)
    for ax, Z, share in zip(axes, (plane, nearly), (0.06, 1.15), strict=True):
        best = separability(Z)
        u, delta, R = best.w / best.upper, best.upper, np.linalg.norm(Z, axis=1).max()
        path, bound = _updates(Z, passes=1000), mistake_bound(R, delta)
        t, whole = np.arange(len(path)), np.linspace(0, share * bound, 300)
        ax.plot(whole, whole * delta, "--", color=BLUE, linewidth=0.9, label=r"$t\delta$")
        ax.plot(whole, np.sqrt(whole) * R, "--", color=VERMILLION, linewidth=0.9, label=r"$\sqrt{t}R$")
        ax.plot(t, path @ u, "o-", color=BLUE, markersize=3, label=r"$\langle u, w_t\rangle$")
        lengths = np.linalg.norm(path, axis=1)
        ax.plot(t, lengths, "^-", color=VERMILLION, markersize=3, label=r"$\|w_t\|$")
        if share > 1:
            ax.axvline(bound, color=GREY, linestyle=":", linewidth=0.9)
        ax.set(xlabel="updates $t$", ylabel="length", title=f"{len(path) - 1} updates, bound {bound:.0f}")
    axes[0].legend(loc="upper left")
    return picture


@figure(
    "perceptron-many",
    alt="Two clouds of points with a gap between them, crossed by a bundle of thin lines at different "
    "angles and one thick line in the middle of the gap.",
    seed=5,
)
def many(rng: np.random.Generator) -> Figure:
    """Thirty orders of the same 40 examples, thirty lines: the perceptron separates, and that is all.

    Each thin line makes no mistake on them. The thick one has the largest margin of the merged vectors;
    the figure's title gives the margins. Which line comes out depends on the order of the examples.
    """
    X, y = _clouds(rng, 0.5, 40)
    Z = signed_examples(X, y)
    picture, ax = plots.panels(height=3.6)
    margins, best = [], separability(Z)
    for _ in range(30):
        order = rng.permutation(len(X))
        model = Perceptron().fit(X[order], y[order])
        w = np.append(model.coef_[0], model.intercept_)
        margins.append(margin(w, Z))
        _line(ax, w, color=tint(BLUE, 0.4), linewidth=0.6)
    _line(ax, best.w, color=BLACK, linewidth=2.0)
    plots.labelled_points(X, y, names=("$-1$", "$+1$"), ax=ax)
    ax.set(xlim=(-4, 4), ylim=(-4, 4))
    ax.set_title(f"margins {min(margins):.3f} to {max(margins):.3f}; the largest there is: {best.upper:.3f}")
    return picture


def _line(ax, w, **style) -> None:
    x = np.array([-5.0, 5.0])
    ax.plot(x, -(w[2] + w[0] * x) / w[1], **style)


@figure(
    "perceptron-endless",
    alt="Two curves of the length of the weights against the number of updates, on logarithmic axes. One "
    "ends after a few updates; the other rises, then levels off and goes on.",
    seed=7,
)
def endless(rng: np.random.Generator) -> Figure:
    r"""Separable data end the run; data that cannot be separated do not, and the weights stay bounded.

    Length of $w_t$ for two pairs of classes of the irises: setosa against versicolor, which a hyperplane
    separates, and versicolor against virginica, which none does (2,000 passes). Dashed: $\sqrt t R$.
    """
    iris = datasets.load_iris()
    X = (iris.X - iris.X.mean(axis=0)) / iris.X.std(axis=0)
    picture, ax = plots.panels(height=3.0)
    for pair, color, name in (
        ((0, 1), BLUE, "setosa, versicolor"),
        ((1, 2), VERMILLION, "versicolor, virginica"),
    ):
        rows = np.flatnonzero(np.isin(iris.y, pair))
        rows = rng.permutation(rows)
        Z = signed_examples(X[rows], np.where(iris.y[rows] == pair[1], 1, -1))
        lengths = np.linalg.norm(_updates(Z, passes=2000), axis=1)
        ax.loglog(lengths, color=color, linewidth=0.8, label=name)
        ax.plot(len(lengths) - 1, lengths[-1], "o", color=color, markersize=4)
    t = np.arange(1, 200)
    ax.plot(
        t, np.sqrt(t) * np.linalg.norm(Z, axis=1).max(), "--", color=GREY, linewidth=0.9, label=r"$\sqrt{t}R$"
    )
    ax.set(xlabel="updates $t$", ylabel=r"$\|w_t\|$")
    ax.legend(loc="lower right")
    return picture


@figure(
    "perceptron-average",
    alt="Two curves of the test error against the passes. That of the last weights jumps up and down, that "
    "of their average is nearly level and close to a dotted line.",
    seed=9,
)
def average(rng: np.random.Generator) -> Figure:
    """On data that overlap, the last weights are those of an accident; their average is not.

    Error on 5,000 test examples of two Gaussian clouds, learned from 300, after each pass. Dotted: the Bayes
    risk.
    """
    distribution = datasets.gaussian_pair(2.0)
    (X, y), (X_new, y_new) = distribution.sample(300, rng), distribution.sample(5000, rng)
    X, X_new = (np.column_stack([A, np.zeros(len(A))]) if A.shape[1] == 1 else A for A in (X, X_new))
    noise, noise_new = rng.normal(size=(300, 4)), rng.normal(size=(5000, 4))
    X, X_new = np.hstack([X, noise]), np.hstack([X_new, noise_new])
    Z, new = signed_examples(X, 2 * y - 1), signed_examples(X_new, 2 * y_new - 1)
    visited = np.array([w for w, _ in islice(perceptron(Z, np.zeros(Z.shape[1])), 40 * len(Z))])
    ends, passes = slice(len(Z) - 1, None, len(Z)), np.arange(1, 41)
    last, mean = (
        [len(mistake_set(w, new)) / len(new) for w in path[ends]]
        for path in (visited, visited.cumsum(axis=0))
    )
    picture, ax = plots.panels(height=2.8)
    ax.plot(passes, last, "o-", markersize=3, color=VERMILLION, linewidth=0.8, label="last weights")
    ax.plot(passes, mean, "s-", markersize=3, color=BLUE, linewidth=0.8, label="average of all")
    ax.axhline(
        distribution.bayes_risk(),
        color=GREY,
        linestyle=":",
        label=f"Bayes risk {distribution.bayes_risk():.3f}",
    )
    ax.set(xlabel="passes over the data", ylabel="test error", ylim=(0.1, None))
    ax.legend(loc="lower right")
    return picture


@figure(
    "perceptron-kernel",
    alt="Two panels. Left, four corners of a square in two classes by diagonals, the plane cut into four "
    "quarters. Right, a ring of points around a cloud, the boundary a closed curve between them.",
    seed=11,
)
def kernel(rng: np.random.Generator) -> Figure:
    r"""Only inner products enter, so any kernel may take their place: $(1 + \langle x, x'\rangle)^2$.

    Left, the diagonals of a square, which no line separates, after 20 copies with a little noise. Right, a
    ring around a cloud. Marked examples were added at least once: the classifier depends on them alone.
    """
    corners = np.repeat([[1, 1], [-1, -1], [1, -1], [-1, 1]], 20, axis=0)
    square = corners + rng.normal(0, 0.2, corners.shape), np.repeat([1, 1, -1, -1], 20)
    angle = rng.uniform(0, 2 * math.pi, 60)
    ring = np.column_stack([np.cos(angle), np.sin(angle)]) * rng.normal(2.0, 0.12, 60)[:, None]
    disc = np.vstack([ring, rng.normal(0, 0.4, (60, 2))]), np.repeat([-1, 1], 60)
    picture, axes = plots.panels(1, 2, height=3.2)
    for ax, (X, y) in zip(axes, (square, disc), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("error", ConvergenceWarning)
            model = KernelPerceptron(lambda A, B: (1 + A @ B.T) ** 2).fit(X, y)
        box = (-2.7, 2.7, -2.7, 2.7)
        plots.decision_regions(model.predict, X, y, box=box, resolution=160, size=10, ax=ax)
        used = X[model.counts_ > 0]
        ax.scatter(
            used[:, 0], used[:, 1], s=46, facecolors="none", edgecolors=BLACK, linewidths=0.8, zorder=4
        )
        ax.set(title=f"{len(model.mistakes_)} updates at {len(used)} of {len(X)} examples")
        ax.get_legend().remove()
    return picture


@figure(
    "perceptron-bound",
    alt="Points below a diagonal line on logarithmic axes: the number of updates against the bound, for "
    "three rules of picking a mistake.",
    seed=13,
)
def bound(rng: np.random.Generator) -> Figure:
    r"""How far the bound is from the truth: updates against $R^2/\delta^2$, 30 data sets for each margin.

    Three rules of picking the next mistake. Every point lies below the diagonal, most of them far below.
    """
    picture, ax = plots.panels(height=3.4)
    for pick, color, marker in (("cyclic", BLUE, "o"), ("random", GREEN, "s"), ("worst", VERMILLION, "^")):
        bounds, updates = [], []
        for gap in np.repeat([0.05, 0.1, 0.2, 0.4, 0.8], 6):
            X, y = _clouds(rng, gap)
            best = separability(signed_examples(X, y, fit_intercept=False))
            model = Perceptron(pick=pick, fit_intercept=False, random_state=rng).fit(X, y)
            bounds.append(mistake_bound(model.certificate_["radius"], best.lower))
            updates.append(len(model.mistakes_))
        ax.loglog(bounds, updates, marker, color=color, markersize=3.5, linestyle="none", label=pick)
    ends = np.array([5.0, 1e4])
    ax.loglog(ends, ends, color=BLACK, linewidth=0.8)
    ax.set(xlabel=r"$R^2/\delta^2$, best margin", ylabel="updates")
    ax.legend(loc="upper left")
    return picture
