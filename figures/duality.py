"""Figures of lecture 8: the Lagrangian as a landscape, values and multipliers, gaps, an interior point.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from mlnotes.duality import dual_on_points
from mlnotes.estimators.duality import QuadraticProgram, solve_qp
from mlnotes.programs import textbook_programs
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLACK, BLUE, GREEN, GREY, VERMILLION, tint


@figure(
    "duality-landscape",
    alt="Left, level lines of a saddle in the plane of x and lambda, with a curve of minima in x and a "
    "marked point at (1, 2). Right, a parabola open downwards with its top, 1, at lambda = 2.",
)
def landscape() -> Figure:
    r"""Saddle of a landscape: the Lagrangian of $\min x^2$, $x \ge 1$, and its dual function.

    Left, $L(x, \lambda) = x^2 + \lambda(1 - x)$. For each $\lambda$ the minimum lies on the line
    $x = \lambda/2$; along it, $d(\lambda) = \lambda - \lambda^2/4$ (right) is largest at the saddle point
    $(1, 2)$, with the primal value 1.
    """
    x, lam = np.linspace(-1, 3, 200), np.linspace(0, 5, 200)
    L = x**2 + lam[:, None] * (1 - x)
    picture, axes = plots.panels(1, 2, height=3.0, width_ratios=(1.4, 1))
    axes[0].contour(x, lam, L, levels=np.arange(-3, 9), cmap="viridis", linewidths=0.8)
    axes[0].plot(lam / 2, lam, "--", color=VERMILLION, label=r"$x = \lambda/2$")
    axes[0].plot(1, 2, "o", color=BLACK, markersize=5, label="saddle point")
    axes[0].set(xlabel="$x$", ylabel=r"$\lambda$", xlim=(-1, 3))
    axes[0].legend(loc="upper left")
    axes[1].plot(lam, lam - lam**2 / 4, color=VERMILLION, label=r"$d(\lambda)$")
    axes[1].axhline(1, color=GREY, linestyle=":", label="primal value")
    axes[1].set(xlabel=r"$\lambda$", ylabel="value", ylim=(-1.5, 1.5))
    axes[1].legend(loc="lower left")
    return picture


@figure(
    "duality-values",
    alt="Three panels with a set of points (g, f) and a supporting line. Left a convex curve, the line "
    "touches it where g = 0. Middle a curve with a dent, the line touches on both sides of g = 0 and passes "
    "below it. Right a curve that comes down vertically at g = 0, and a steep line.",
)
def values() -> Figure:
    r"""Weak duality is a line below a set: of slope $-\lambda$, and at 0 as high as $d(\lambda)$.

    The curve holds the pairs $(g(x), f(x))$; feasible points lie on the left of the axis. Left, $\min x^2$,
    $x \ge 1$: the best line touches at $g = 0$, no gap. Middle, f is not convex: the best line spans the
    dent, and a gap remains (red). Right, $\min x$ with $\max(0, -x)^2 \le 0$: the curve is vertical at
    $g = 0$, the lines get ever steeper and none is the best.
    """
    x = np.linspace(-2, 3, 800)
    cases = (
        (1 - x, x**2, [2.0], (-1.5, 2.5, -0.5, 4)),
        (1 - x, 1 - x**2 / 2 + x**4 / 16 + x, None, (-1.5, 2.5, 0.5, 3.2)),
        (np.maximum(0, -x) ** 2, x, [1.0, 4.0], (-0.6, 2.5, -2, 2)),
    )
    picture, axes = plots.panels(1, 3, height=2.6)
    for ax, (g, f, lams, box) in zip(axes, cases, strict=True):
        ax.plot(g, f, color=BLUE)
        ax.axvline(0, color=GREY, linewidth=0.6)
        if lams is None:
            grid = np.linspace(0, 4, 4001)[:, None]
            d = dual_on_points(f, g[:, None], grid)
            lams = [float(grid[d.argmax(), 0])]
            best = f[g <= 0].min()
            ax.plot([0, 0], [d.max(), best], color=VERMILLION, linewidth=3)
        for lam in lams:
            level = float(dual_on_points(f, g[:, None], [lam]))
            ax.plot(np.array(box[:2]), level - lam * np.array(box[:2]), "--", color=GREEN)
            ax.plot(0, level, "o", color=GREEN, markersize=4)
        ax.set(xlim=box[:2], ylim=box[2:], xlabel="$g(x)$", ylabel="$f(x)$")
    return picture


@figure(
    "duality-gap",
    alt="Three curves on a logarithmic scale fall from above 1 to below the tolerance of 1e-10 within some "
    "twenty steps, slowly first, then steeply.",
    seed=17,
)
def gap(rng: np.random.Generator) -> Figure:
    r"""Step by step the interior point method closes the relative gap $|f(x) - d(\lambda, \nu)|/|f(x)|$.

    Duals of a support vector machine on 80 observations with C = 0.01, 1 and 100. The last point of each
    curve is the linear system of the active constraints; what is left then is rounding, drawn as $10^{-12}$.
    """
    X = rng.normal(size=(80, 3))
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=80) > 0, 1.0, -1.0)
    Z, box = X * y[:, None], np.vstack([np.eye(80), -np.eye(80)])
    picture, ax = plots.panels(height=3.0)
    for C, color, marker in ((0.01, BLUE, "o"), (1.0, GREEN, "s"), (100.0, VERMILLION, "^")):
        program = QuadraticProgram(Z @ Z.T, -np.ones(80), box, np.repeat([C, 0.0], 80), [y], [0.0])
        solution = solve_qp(program)
        gaps = abs(solution.history[:, 0] - solution.history[:, 1]) / abs(solution.primal)
        gaps = np.append(gaps, max(solution.relative_gap, 1e-12))
        ax.semilogy(gaps, marker + "-", color=color, markersize=3.5, linewidth=0.9, label=f"C = {C:g}")
    ax.axhline(1e-10, color=GREY, linestyle=":", label="tolerance")
    ax.set(xlabel="step", ylabel="relative gap", xticks=range(0, 20, 5))
    ax.legend(loc="upper right")
    return picture


@figure(
    "duality-sensitivity",
    alt="Two panels. Left, a convex falling curve with a tangent at 0. Right, a curve that falls vertically "
    "at 0 and then flattens; there is no tangent.",
)
def sensitivity() -> Figure:
    r"""A multiplier is a shadow price: $p(u)$ is the minimum when a constraint is relaxed to $g(x) \le u$.

    Left, $\min x^2$ with $1 - x \le u$: the slope at 0 is $-\lambda^* = -2$. Right, $\min x$ with
    $\max(0, -x)^2 \le u$: $p(u) = -\sqrt u$ falls vertically at 0. Each dashed line of slope $-\lambda$,
    for $\lambda = 1, 2, 4$, lies below the curve and meets the axis at $d(\lambda) < 0 = p(0)$.
    """
    u = np.linspace(-1, 1.5, 400)
    picture, axes = plots.panels(1, 2, height=2.6)
    axes[0].plot(u, np.maximum(1 - u, 0) ** 2, color=BLUE, label="$p(u)$")
    axes[0].plot(u, 1 - 2 * u, "--", color=GREEN, label=r"$p(0) - \lambda^* u$")
    axes[0].set(xlabel="$u$", ylabel="value", ylim=(-1, 4))
    axes[0].legend(loc="upper right")
    u = np.linspace(0, 1.5, 400)
    axes[1].plot(u, -np.sqrt(u), color=BLUE, label="$p(u)$")
    for lam in (1.0, 2.0, 4.0):
        d = textbook_programs()["interior"].dual(np.array([lam]))
        axes[1].plot(u, d - lam * u, "--", color=tint(GREEN, 0.3), linewidth=0.8)
    axes[1].axvline(0, color=GREY, linewidth=0.6)
    axes[1].set(xlabel="$u$", ylabel="value", xlim=(-0.5, 1.5), ylim=(-2, 0.2))
    axes[1].legend(loc="upper right")
    return picture
