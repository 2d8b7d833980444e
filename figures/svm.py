"""Figures of lecture 9: margins, penalties, types of support vectors, the dual as a landscape, kernels, gaps.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mlnotes import svm
from mlnotes.estimators import descent
from mlnotes.estimators.perceptron import Perceptron
from mlnotes.estimators.svm import SVC, OneClassSVM
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLACK, BLUE, GREEN, GREY, VERMILLION

BOX = (-5.0, 5.0, -4.0, 4.0)


def _clouds(rng: np.random.Generator, n: int, gap: float) -> tuple[np.ndarray, np.ndarray]:
    y = np.where(np.arange(n) % 2, 1, -1)
    X = rng.standard_normal((n, 2)) + np.outer(y, [0.5 * gap, 0.25 * gap])
    return X, y


def _strip(
    model: SVC, X: np.ndarray, y: np.ndarray, ax: Axes, *, ring: bool = True, size: float = 10
) -> None:
    """Draw the boundary of an SVM, the edges of its margin, and rings around the support vectors."""
    plots.labelled_points(X, y, size=size, ax=ax)
    for level, dashes in ((-1.0, "--"), (0.0, "-"), (1.0, "--")):
        plots.level_line(model.decision_function, level, box=BOX, dashes=dashes, resolution=120, ax=ax)
    if ring:
        ax.scatter(
            *model.support_vectors_.T, s=42, facecolors="none", edgecolors=BLACK, linewidths=0.7, zorder=5
        )
    ax.set(xlim=BOX[:2], ylim=BOX[2:])


def _shared_legend(picture: Figure, axes: np.ndarray) -> None:
    handles, labels = np.ravel(axes)[0].get_legend_handles_labels()
    for ax in np.ravel(axes):
        if ax.get_legend():
            ax.get_legend().remove()
    picture.legend(handles, labels, loc="outside upper center", ncols=4)


@figure(
    "svm-widest-strip",
    alt="Two panels with the same two separated clouds. Left many different straight lines separate them. "
    r"Right one line in the middle of a margin whose edges touch three points, which are ringed.",
    seed=21,
)
def widest_strip(rng: np.random.Generator) -> Figure:
    """Many lines separate, one has the widest margin: 30 observations.

    Left: where the perceptron stops, for 25 orders of the examples. Right: the hard margin, with its support
    vectors.
    """
    X, y = _clouds(rng, 30, 5.0)
    picture, axes = plots.panels(1, 2, height=3.1, sharex=True, sharey=True)
    plots.labelled_points(X, y, size=10, ax=axes[0])
    for _ in range(25):
        order = rng.permutation(30)
        perceptron = Perceptron().fit(X[order], y[order])
        plots.level_line(perceptron.decision_function, box=BOX, color=GREY, resolution=60, ax=axes[0])
    _strip(SVC(math.inf, kernel="linear").fit(X, y), X, y, axes[1])
    axes[0].set(title="25 perceptrons", xlim=BOX[:2], ylim=BOX[2:])
    axes[1].set(title="the hard margin", ylabel="")
    _shared_legend(picture, axes)
    return picture


@figure(
    "svm-price",
    alt="Three panels with the same overlapping clouds and a straight boundary. From left to right the "
    r"margin around the boundary becomes narrower and fewer points are ringed.",
    seed=22,
)
def price(rng: np.random.Generator) -> Figure:
    """A small penalty C allows a wide margin with many points inside; a large one forces a narrow margin.

    60 observations of two overlapping classes; support vectors are ringed.
    """
    X, y = _clouds(rng, 60, 2.2)
    picture, axes = plots.panels(1, 3, height=2.7, sharex=True, sharey=True)
    for ax, C in zip(axes, (0.01, 0.1, 10.0), strict=True):
        model = SVC(C, kernel="linear").fit(X, y)
        _strip(model, X, y, ax, size=7)
        ax.set(title=f"$C = {C:g}$: {len(model.support_)} support vectors")
    for ax in axes[1:]:
        ax.set(ylabel="")
    _shared_legend(picture, axes)
    return picture


@figure(
    "svm-types",
    alt="One panel: two overlapping clouds, a boundary with its margin, and support vectors marked by three "
    r"symbols: on the edge of the margin, inside it, and on the wrong side.",
    seed=23,
)
def types(rng: np.random.Generator) -> Figure:
    r"""Types of support vectors at C = 1: free ones on the edge, and those at C inside or wrong.

    Rows without a mark have the multiplier 0.
    """
    X, y = _clouds(rng, 60, 2.6)
    model = SVC(1.0, kernel="linear").fit(X, y)
    alpha = np.zeros(60)
    alpha[model.support_] = abs(model.dual_coef_[0])
    slack = np.maximum(0, 1 - y * model.decision_function(X))
    kinds = svm.support_vector_types(alpha, slack, 1.0)
    picture, ax = plots.panels(height=3.8)
    _strip(model, X, y, ax, ring=False)
    for kind, name, color, marker in (
        ("margin", r"$0 < \alpha < C$", BLACK, "o"),
        ("inside", r"$\alpha = C$, $\xi < 1$", GREEN, "s"),
        ("wrong", r"$\alpha = C$, $\xi > 1$", VERMILLION, "D"),
    ):
        rows = X[kinds == kind]
        ax.scatter(*rows.T, s=60, marker=marker, facecolors="none", edgecolors=color, label=name, zorder=5)
    handles, labels = ax.get_legend_handles_labels()
    ax.get_legend().remove()
    picture.legend(handles, labels, loc="outside upper center", ncols=3)
    return picture


@figure(
    "svm-dual-landscape",
    alt="Curved level lines of a concave function over a triangle-like region cut by two dashed lines at C; "
    r"a marker shows the top of the whole region and another the top of the part below C.",
)
def dual_landscape() -> Figure:
    r"""See the dual of three observations on a line, -1 against 1 and 2, over the two free multipliers.

    The equality fixes the third multiplier as their sum. Round: the optimum of the hard margin, on the edge
    where the multiplier of the row at 2 is zero. Square: the optimum for C = 0.3, where that of the row at
    -1 meets C.
    """
    a1, a2 = np.meshgrid(np.linspace(0, 1, 201), np.linspace(0, 1, 201))
    v = a1 + 2 * a2 + (a1 + a2)  # w: rows 1 and 2 of class 1, row -1 of class -1
    value = 2 * (a1 + a2) - 0.5 * v**2
    picture, ax = plots.panels(height=3.6)
    lines = ax.contour(a1, a2, value, levels=np.arange(-2.0, 0.51, 0.25), colors=[BLUE], linewidths=0.8)
    ax.clabel(lines, levels=[-1.0, 0.0], fontsize=8)
    ax.plot([0, 0.3], [0.3, 0], color=VERMILLION, linestyle="--", label=r"$\alpha_1 + \alpha_2 = C = 0.3$")
    ax.plot([0.5], [0.0], "o", color=BLACK, label="hard margin", clip_on=False, zorder=5)
    ax.plot([0.3], [0.0], "s", color=VERMILLION, label="$C = 0.3$", clip_on=False, zorder=5)
    ax.set(
        xlabel=r"$\alpha_1$ of the row at 1", ylabel=r"$\alpha_2$ of the row at 2", xlim=(0, 1), ylim=(0, 1)
    )
    ax.legend(loc="upper right")
    return picture


@figure(
    "svm-kernels",
    alt="Two panels. Left a ring of points around a disc of the other class with a round boundary. Right "
    "four "
    r"clouds at the corners of a square, labelled by diagonal, with a saddle-shaped boundary.",
    seed=24,
)
def kernels(rng: np.random.Generator) -> Figure:
    """Do what no line can: rings with the kernel of degree 2 (left), XOR with the Gaussian kernel (right).

    Dashed: where the score is 1 or -1.
    """
    angle, radius = rng.uniform(0, 2 * np.pi, 80), np.repeat([1.0, 3.0], 40) + rng.normal(0, 0.25, 80)
    rings = np.column_stack([1.2 * radius * np.cos(angle), radius * np.sin(angle)]), np.repeat([-1, 1], 40)
    corners = rng.choice([-1, 1], (80, 2))
    xor = 2 * corners + rng.normal(0, 0.6, (80, 2)), corners.prod(axis=1)
    picture, axes = plots.panels(1, 2, height=3.1, sharex=True, sharey=True)
    models = (SVC(1.0, kernel="poly", degree=2, gamma=1.0, coef0=1.0), SVC(1.0, gamma=0.3))
    for ax, model, (X, y) in zip(axes, models, (rings, xor), strict=True):
        _strip(model.fit(X, y), X, y, ax, ring=False)
    axes[1].set(ylabel="")
    _shared_legend(picture, axes)
    return picture


@figure(
    "svm-subgradient-gap",
    alt="Two curves of the gap against the number of steps, logarithmic on both axes. Those of the "
    r"subgradient method fall slowly like a power; a single mark for the interior point lies at rounding "
    r"error.",
    seed=25,
)
def subgradient_gap(rng: np.random.Generator) -> Figure:
    r"""How far from optimal, over the number of steps: hinge risk with the penalty 0.01 on 200 observations.

    Best value so far less the optimum that the dual proves. Steps c over the root of t are for any convex
    function; steps 1 over (penalty times t) use that the objective is strongly convex in w. The gap of the
    interior point is drawn at 1e-14 where it is smaller.
    """
    X, y = _clouds(rng, 200, 1.5)
    penalty, n = 0.01, 200
    model = SVC(1 / (n * penalty), kernel="linear").fit(X, y)
    best = model.certificate_["dual"] * penalty

    def value(z: np.ndarray) -> float:
        return svm.regularized_risk(X, y, z[:2], float(z[2]), penalty)

    def slope(z: np.ndarray) -> np.ndarray:
        return np.append(*svm.regularized_risk_subgradient(X, y, z[:2], float(z[2]), penalty))

    picture, ax = plots.panels()
    steps = {r"step $1/\sqrt{t}$": lambda t: t**-0.5, r"step $1/(\lambda t)$": lambda t: 1 / (penalty * t)}
    for (name, step), color, dashes in zip(steps.items(), (BLUE, GREEN), ("-", "--"), strict=True):
        trace = descent.subgradient_method(value, slope, np.zeros(3), step=step, n_steps=1000)
        gaps = np.minimum.accumulate(trace.values) - best
        ax.loglog(np.arange(1, len(gaps) + 1), gaps, color=color, linestyle=dashes, label=name)
    proved = max(abs(model.certificate_["gap"]) * model.certificate_["primal"] * penalty, 1e-14)
    ax.plot([model.certificate_["steps"]], [proved], "o", color=VERMILLION, label="interior point")
    ax.set(xlabel="steps", ylabel="objective less optimum", ylim=(1e-16, 1e2))
    ax.legend(loc="upper right")
    return picture


@figure(
    "svm-one-class",
    alt="Two panels with the same cloud of points in two lumps. Left a generous boundary around nearly all "
    r"points, right a tight one that leaves many outside.",
    seed=26,
)
def one_class(rng: np.random.Generator) -> Figure:
    r"""One class: the region that leaves out at most a fraction nu of the observations, for two values of nu.

    120 observations from two clusters, Gaussian kernel.
    """
    X = rng.standard_normal((120, 2)) * 0.7 + np.repeat([[-2.0, -1.0], [2.0, 1.0]], 60, axis=0)
    picture, axes = plots.panels(1, 2, height=3.1, sharex=True, sharey=True)
    for ax, nu in zip(axes, (0.1, 0.4), strict=True):
        model = OneClassSVM(nu, gamma=0.15).fit(X)
        inside = np.where(model.decision_function(X) > -1e-9, "inside", "left out")
        plots.labelled_points(X, inside, names=["inside", "left out"], size=10, ax=ax)
        plots.level_line(model.decision_function, box=BOX, resolution=150, ax=ax)
        ax.set(title=rf"$\nu = {nu}$: {(inside == 'left out').sum()} left out", xlim=BOX[:2], ylim=BOX[2:])
    axes[1].set(ylabel="")
    _shared_legend(picture, axes)
    return picture
