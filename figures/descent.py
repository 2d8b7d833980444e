"""Figures of lecture 6: paths, steps, rates and the functions that attain them, and the cost of noise.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from mlnotes import LogisticRegression, datasets
from mlnotes.descent import Huber, linear_factor, noise_floor, sublinear_bound
from mlnotes.estimators.descent import gradient_descent, newton_method, stochastic_gradient_descent
from mlnotes.logistic import binary_gradient, binary_hessian, binary_nll, sigmoid, smoothness, with_intercept
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLACK, BLUE, GREEN, GREY, VERMILLION


@figure(
    "descent-paths",
    alt="Elongated level lines of a loss. A smooth path creeps along the valley, a jagged one wanders around "
    "it; neither arrives. A third leaps past the minimum and comes back to it in a few straight steps.",
    seed=6,
)
def paths(rng: np.random.Generator) -> Figure:
    """Three ways down the loss of a logistic regression with weight w and bias b.

    100 steps of length 1/L of gradient descent, 100 of stochastic gradient descent with one row and half that
    length, and Newton's method, whose first step goes too far.
    """
    x = rng.normal(1.5, 1.0, 80)
    y = (rng.uniform(size=80) < sigmoid(2 * x - 3)).astype(int)
    X = with_intercept(x[:, None])
    value, slope = (lambda w: binary_nll(w, X, y)), (lambda w: binary_gradient(w, X, y))
    eta, start = 1 / smoothness(X), [-1.5, 1.5]
    routes = {
        "gradient": gradient_descent(value, slope, start, step=eta, n_steps=100),
        "stochastic": stochastic_gradient_descent(
            lambda w, rows: binary_gradient(w, X[rows], y[rows]),
            80,
            start,
            step=eta / 2,
            n_steps=100,
            rng=rng,
        ),
        "Newton": newton_method(value, slope, lambda w: binary_hessian(w, X, y), start, tol=1e-9),
    }
    picture, ax = plots.panels(width=5.6, height=3.8)
    a, b = np.meshgrid(np.linspace(-2, 6, 90), np.linspace(-8, 2.5, 90))
    grid = np.column_stack([a.ravel(), b.ravel()])
    losses = np.logaddexp(0, -(2 * y - 1) * (grid @ X.T)).mean(axis=1).reshape(a.shape)
    levels = losses.min() + np.geomspace(0.002, losses.max() - losses.min(), 14)
    ax.contour(a, b, losses, levels=levels, colors=[plots.tint(GREY, 0.5)], linewidths=0.6)
    marks = ((BLUE, "o"), (GREEN, "."), (VERMILLION, "s"))
    for (name, trace), (color, marker) in zip(routes.items(), marks, strict=True):
        ax.plot(*trace.iterates.T, color=color, marker=marker, markersize=3, linewidth=0.9, label=name)
    ax.set(xlabel="weight $w$", ylabel="bias $b$")
    ax.legend(loc="lower left")
    return picture


@figure(
    "descent-rate",
    alt="On logarithmic axes four curves of different functions, each flat at first and then falling, touch "
    "one straight "
    "line of slope minus one from below, each at another step.",
)
def rate() -> Figure:
    r"""No smaller bound is true: each Huber function touches $Lr^2/(4t + 2)$ at the step it was made for.

    Start at distance r = 1, L = 1, step 1/L. Dashed: the weaker bound $Lr^2/(2t)$ of the textbooks, which is
    never attained.
    """
    t = np.arange(1, 201)
    picture, ax = plots.panels(width=5.6)
    for T, color in zip((1, 5, 25, 100), (BLUE, VERMILLION, GREEN, BLACK), strict=True):
        f = Huber(1 / (2 * T + 1))
        trace = gradient_descent(f.value, f.gradient, [1.0], step=1.0, n_steps=200)
        shown = np.minimum(trace.n_steps, 200)
        ax.plot(t[:shown], np.maximum(trace.values[1 : shown + 1], 1e-6), color=color, label=f"made for {T}")
        ax.plot([T], [trace.values[T]], "o", color=color, markersize=4)
    ax.plot(t, [sublinear_bound(int(k), smoothness=1.0, radius=1.0) for k in t], color=GREY, linewidth=0.8)
    ax.plot(t, 1 / (2 * t), color=GREY, linewidth=0.8, linestyle="--")
    ax.set(xscale="log", yscale="log", xlabel="step $t$", ylabel=r"$f(w_t) - f(w^\star)$", ylim=(3e-4, 1))
    ax.legend(loc="upper right")
    return picture


@figure(
    "descent-steps",
    alt="Distances to the minimum on a logarithmic axis against the step: three falling straight lines of "
    "different "
    "slope, a horizontal one, and one that rises.",
)
def steps() -> Figure:
    r"""Gradient descent on a quadratic with eigenvalues 0.2 and 1: how the step decides.

    Dots: distances, from the start (1, 1). Lines: the bound, $\max(|1 - \eta\mu|, |1 - \eta L|)^t$ times the
    distance of the start. At $2/L$ the bound is flat, above it grows.
    """
    mu, L, T = 0.2, 1.0, 20
    A = np.diag([mu, L])
    picture, ax = plots.panels(width=5.6)
    for (name, eta), color in zip(
        (("0.5/L", 0.5), ("1/L", 1.0), (r"2/(L + \mu)", 2 / (L + mu)), ("2/L", 2.0), ("2.1/L", 2.1)),
        (BLUE, GREEN, VERMILLION, GREY, BLACK),
        strict=True,
    ):
        w, distances = np.ones(2), []
        for _ in range(T + 1):
            distances.append(np.linalg.norm(w))
            w = w - eta * (A @ w)
        factor = linear_factor(smoothness=L, convexity=mu, step=eta)
        ax.plot(
            np.sqrt(2) * factor ** np.arange(T + 1), color=color, linewidth=0.9, label=rf"$\eta = {name}$"
        )
        ax.plot(distances, ".", color=color, markersize=4)
    ax.set(
        yscale="log",
        xlabel="step $t$",
        ylabel=r"$\|w_t - w^\star\|$",
        ylim=(1e-4, 20),
        xticks=range(0, 21, 5),
    )
    ax.legend(loc="lower left")
    return picture


@figure(
    "descent-noise",
    alt="Left jagged falling curves that level off at heights marked by dashed lines, higher for larger "
    "steps. Right dots "
    "on a rising curve of the final height against the step.",
    seed=7,
)
def noise(rng: np.random.Generator) -> Figure:
    r"""Constant steps end at a noise floor: stochastic descent for the mean of 20 numbers of variance 1.

    Left: mean square distance over 400 runs; dashed, the floor $\eta s^2/(2 - \eta)$. Right: the same after
    400 steps (dots, 2,000 runs) against the formula.
    """
    x = rng.standard_normal(20)
    x = (x - x.mean()) / x.std()

    def squares(eta: float, T: int, runs: int) -> np.ndarray:
        w, found = np.full(runs, 4.0), []
        for _ in range(T):  # all the runs at once, each with rows of its own
            found.append(np.mean(w**2))
            w = w - eta * (w - x[rng.integers(20, size=runs)])
        return np.array(found)

    picture, (left, right) = plots.panels(1, 2)
    for eta, color in zip((0.5, 0.1, 0.02), (VERMILLION, BLUE, GREEN), strict=True):
        left.plot(squares(eta, 300, 400), color=color, linewidth=0.9, label=rf"$\eta = {eta}$")
        left.axhline(noise_floor(step=eta, variance=1.0), color=color, linestyle="--", linewidth=0.8)
    left.set(yscale="log", xlabel="step $t$", ylabel=r"mean of $(w_t - \bar x)^2$")
    left.legend(loc="upper right")
    etas = np.array([0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.2, 1.6])
    right.plot(etas, [squares(eta, 400, 2000)[-1] for eta in etas], "o", color=BLUE, markersize=4)
    grid = np.geomspace(0.02, 1.6, 100)
    right.plot(grid, [noise_floor(step=eta, variance=1.0) for eta in grid], color=GREY, linewidth=0.9)
    right.set(xscale="log", yscale="log", xlabel=r"step $\eta$", ylabel="floor")
    return picture


@figure(
    "descent-budget",
    alt="Excess loss against the number of single gradients on logarithmic axes. Stochastic curves fall "
    "early and level "
    "off, the one with averaging lowest of them; gradient descent starts late and falls below all.",
    seed=10,
)
def budget(rng: np.random.Generator) -> Figure:
    """Gradients of single observations and what they gain: 462 men with nine standardised features.

    Stochastic descent is ahead for the first passes over the data; in the end full gradients win. Averaging
    makes up for much of the noise of a constant step. Dashed: one pass.
    """
    data = datasets.load_saheart()
    X = with_intercept((data.X - data.X.mean(axis=0)) / data.X.std(axis=0))
    y, n = data.y, len(data.y)
    model = LogisticRegression(penalty=None).fit(X[:, :-1], y)
    best = model.certificate_["objective"]
    L, value = smoothness(X), lambda w: binary_nll(w, X, y)
    full = gradient_descent(
        value, lambda w: binary_gradient(w, X, y), np.zeros(10), step=1 / L, n_steps=60, n_rows=n
    )

    def stochastic(step, T=60 * n):
        trace = stochastic_gradient_descent(
            lambda w, rows: (sigmoid(X[rows] @ w) - y[rows]) @ X[rows],
            n,
            np.zeros(10),
            step=step,
            n_steps=T,
            rng=rng,
        )
        seen = np.unique(np.geomspace(1, T, 60).astype(int))
        averages = np.cumsum(trace.iterates[1:], axis=0) / np.arange(1, T + 1)[:, None]
        return seen, trace.iterates[seen], averages[seen - 1]

    picture, ax = plots.panels(width=5.6, height=3.6)
    ax.plot(full.evaluations[1:], full.values[1:] - best, color=BLACK, label="full gradients, $1/L$")
    seen, last, averaged = stochastic(0.05)
    ax.plot(seen, [value(w) - best for w in last], color=VERMILLION, linewidth=0.9, label="stochastic, 0.05")
    ax.plot(seen, [value(w) - best for w in averaged], color=BLUE, linewidth=0.9, label="its averages")
    seen, last, _ = stochastic(lambda t: 1 / (20 + 0.1 * t))
    ax.plot(seen, [value(w) - best for w in last], color=GREEN, linewidth=0.9, label="decreasing steps")
    ax.axvline(n, color=GREY, linewidth=0.8, linestyle="--")
    ax.set(xscale="log", yscale="log", xlabel="gradients of single observations", ylabel="excess loss")
    ax.legend(loc="lower left")
    return picture
