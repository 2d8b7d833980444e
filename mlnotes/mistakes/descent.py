"""Wrong descent methods and rates, one typical mistake each."""

import math
from dataclasses import replace

import numpy as np

from mlnotes import descent as board
from mlnotes.estimators import descent as right
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("descent")


def path(step, start, n_steps):
    """Return a trace of w_t = step(w_{t-1}, t)."""
    iterates = [np.asarray(start, dtype=float)]
    for t in range(1, n_steps + 1):
        iterates.append(step(iterates[-1], t))
    zeros = np.zeros(n_steps + 1)
    return right.Trace(
        iterates[-1], np.array(iterates), zeros, zeros, zeros[1:], np.arange(n_steps + 1), False, False
    )


# ------------------------------------------------------------------- gradient descent


@mistake(
    "gradient_descent",
    kills=("descent.gd-update", "descent.gd-descent", "descent.gd-sublinear", "descent.gd-linear"),
)
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Multiplies the step by itself: eta^t."""
    eta = step if isinstance(step, float) else 1.0
    return path(lambda w, t: w - eta**t * gradient(w), start, n_steps)


@mistake("gradient_descent", kills=("descent.gd-update", "descent.gd-linear", "descent.erratum-y12"))
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Takes the gradient at the new point."""
    return path(lambda w, t: w - step * gradient(w - step * gradient(w)), start, n_steps)


@mistake(
    "gradient_descent",
    kills=("descent.gd-update", "descent.gd-sublinear", "descent.gd-linear", "descent.erratum-y12"),
)
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Is one step short: the start is there twice."""
    return path(lambda w, t: w if t == 1 else w - step * gradient(w), start, n_steps)


@mistake("gradient_descent", kills=("descent.gd-update", "descent.gd-sublinear"))
def _(value, gradient, start, *, n_steps=1000, **options):
    """Runs one step more than it is asked for."""
    return right.gradient_descent(value, gradient, start, n_steps=n_steps + 1, **options)


@mistake("gradient_descent", kills=("descent.gd-update", "descent.gd-descent", "descent.gd-linear"))
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Ascends."""
    return path(lambda w, t: w + step * gradient(w), start, n_steps)


@mistake("gradient_descent", kills=("descent.gd-update", "descent.gd-descent", "descent.gd-sublinear"))
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Normalises the gradient."""
    return path(lambda w, t: w - step * gradient(w) / (np.linalg.norm(gradient(w)) + 1e-300), start, n_steps)


@mistake("gradient_descent", kills=("descent.gd-update", "descent.erratum-y13"))
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Takes the gradient at the start, ever again."""
    g = gradient(np.asarray(start, dtype=float))
    return path(lambda w, t: w - step * g, start, n_steps)


@mistake("gradient_descent", kills=("descent.gd-update", "descent.gd-descent"))
def _(value, gradient, start, **options):
    """Returns the start as its path."""
    trace = right.gradient_descent(value, gradient, start, **options)
    return replace(trace, iterates=np.repeat(trace.iterates[:1], len(trace.iterates), axis=0))


@mistake("gradient_descent", kills=("descent.divergence",))
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Runs to infinity and says nothing."""
    with np.errstate(all="ignore"):
        return path(lambda w, t: w - step * gradient(w), start, n_steps)


@mistake("gradient_descent", kills=("descent.divergence",))
def _(value, gradient, start, **options):
    """Calls every run diverged whose step is above 1/L, not 2/L."""
    trace = right.gradient_descent(value, gradient, start, **options)
    back = (trace.iterates[1:] * trace.iterates[:-1]).min(initial=0) < 0
    return replace(trace, diverged=bool(trace.diverged or back))


@mistake("gradient_descent", kills=("descent.erratum-y10", "descent.erratum-y11"))
def _(value, gradient, start, *, step, **options):
    """Quietly halves a step that goes up, so that what the notes print would hold."""
    return right.gradient_descent(value, gradient, start, step="backtracking", **options)


@mistake("gradient_descent", kills=("descent.backtracking",))
def _(value, gradient, start, *, step, **options):
    """Accepts the first step that goes down at all."""

    def one(w, t):
        eta = 1.0
        while value(w - eta * gradient(w)) > value(w):
            eta /= 2
        return w - eta * gradient(w)

    return path(one, start, options["n_steps"])


@mistake("gradient_descent", kills=("descent.backtracking",))
def _(value, gradient, start, *, step, **options):
    """Divides the step by 1,000 at a time."""

    def one(w, t):
        eta, g = 1.0, gradient(w)
        while value(w - eta * g) > value(w) - eta / 2 * float(g @ g):
            eta /= 1000
        return w - eta * g

    return path(one, start, options["n_steps"])


@mistake("gradient_descent", kills=("descent.sgd-cheap",))
def _(value, gradient, start, *, n_rows=1, **options):
    """Counts a full gradient as one."""
    return right.gradient_descent(value, gradient, start, **options)


# ------------------------------------------------------------------- rates


@mistake("descent_bound", kills=("descent.gd-descent",))
def _(norm, *, smoothness, step):
    """Forgets the factor 1/2 of the quadratic term."""
    return step * (1 - smoothness * step) * norm**2


@mistake("descent_bound", kills=("descent.gd-descent",))
def _(norm, *, smoothness, step):
    """Takes the norm without its square."""
    return step * (1 - smoothness * step / 2) * norm


@mistake("sublinear_bound", kills=("descent.gd-sublinear", "descent.erratum-y11"))
def _(t, *, smoothness, radius, step=None):
    """Has the textbook's constant, r^2 / (2 eta t)."""
    eta = 1 / smoothness if step is None else step
    return radius**2 / (2 * eta * max(t, 1e-300))


@mistake("sublinear_bound", kills=("descent.gd-sublinear",))
def _(t, *, smoothness, radius, step=None):
    """Counts one step more."""
    return board.sublinear_bound(t + 1, smoothness=smoothness, radius=radius, step=step)


@mistake("sublinear_bound", kills=("descent.gd-sublinear",))
def _(t, *, smoothness, radius, step=None):
    """Forgets that the step enters."""
    return board.sublinear_bound(t, smoothness=smoothness, radius=radius)


@mistake("linear_factor", kills=("descent.gd-linear",))
def _(*, smoothness, convexity, step):
    """Looks at the flat direction only."""
    return abs(1 - step * convexity)


@mistake("linear_factor", kills=("descent.gd-linear",))
def _(*, smoothness, convexity, step):
    """Has the factor of the squared distance."""
    return board.linear_factor(smoothness=smoothness, convexity=convexity, step=step) ** 2


@mistake("noise_floor", kills=("descent.sgd-cheap", "descent.erratum-y13"))
def _(*, step, variance, t=None, start=0.0):
    """Lets the variance die out."""
    return 0.0 if t is None else (1 - step) ** (2 * t) * start


@mistake("noise_floor", kills=("descent.sgd-cheap", "descent.erratum-y13"))
def _(*, step, variance, t=None, start=0.0):
    """Has the floor of small steps, eta s^2 / 2."""
    floor = step * variance / 2
    return floor if t is None else floor + (1 - step) ** (2 * t) * (start - floor)


# ------------------------------------------------------------------- faster methods


@mistake("accelerated_descent", kills=("descent.acceleration",))
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Forgets the momentum."""
    return path(lambda w, t: w - step * gradient(w), start, n_steps)


@mistake("accelerated_descent", kills=("descent.acceleration",))
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Goes back by the momentum, instead of ahead."""
    before = [np.asarray(start, dtype=float)]

    def one(w, t):
        new = w - step * gradient(w) - t / (t + 3) * (w - before[0])
        before[0] = w
        return new

    return path(one, start, n_steps)


@mistake("newton_method", kills=("descent.newton",))
def _(value, gradient, hessian, start, *, n_steps=100, **_):
    """Divides by the diagonal of the Hessian."""
    return path(lambda w, t: w - gradient(w) / np.diag(hessian(w)), start, n_steps)


@mistake("newton_method", kills=("descent.newton",))
def _(value, gradient, hessian, start, *, n_steps=100, **_):
    """Multiplies by the Hessian."""
    return path(lambda w, t: w - hessian(w) @ gradient(w), start, n_steps)


# ------------------------------------------------------------------- stochastic descent


def sgd(gradient, rows, start, step):
    size = step if callable(step) else lambda t: step
    trace = path(lambda w, t: w - size(t) * gradient(w, rows[t - 1]), start, len(rows))
    return replace(trace, rows=rows)


@mistake("stochastic_gradient_descent", kills=("descent.sgd-update",))
def _(gradient, n_rows, start, *, step, n_steps, rng, **_):
    """Draws without replacement: one permutation after the other."""
    epochs = [rng.permutation(n_rows) for _ in range(n_steps // n_rows + 1)]
    return sgd(gradient, np.concatenate(epochs)[:n_steps, None], start, step)


@mistake("stochastic_gradient_descent", kills=("descent.sgd-update",))
def _(gradient, n_rows, start, *, step, n_steps, rng, **_):
    """Never draws the last row."""
    return sgd(gradient, rng.integers(n_rows - 1, size=(n_steps, 1)), start, step)


@mistake("stochastic_gradient_descent", kills=("descent.sgd-update",))
def _(gradient, n_rows, start, *, step, n_steps, rng, **_):
    """Goes through the rows in order."""
    return sgd(gradient, np.arange(n_steps)[:, None] % n_rows, start, step)


@mistake("stochastic_gradient_descent", kills=("descent.sgd-update", "descent.robbins-monro"))
def _(gradient, n_rows, start, *, step, n_steps, rng, **_):
    """Says that it drew rows which it did not use."""
    trace = sgd(gradient, rng.integers(n_rows, size=(n_steps, 1)), start, step)
    return replace(trace, rows=(trace.rows + 1) % n_rows)


@mistake("stochastic_gradient_descent", kills=("descent.sgd-update",))
def _(gradient, n_rows, start, *, step, n_steps, rng, **_):
    """Takes the full gradient and calls it stochastic."""
    rows = rng.integers(n_rows, size=(n_steps, 1))
    everything = np.arange(n_rows)
    return replace(path(lambda w, t: w - step * gradient(w, everything), start, n_steps), rows=rows)


@mistake("stochastic_gradient_descent", kills=("descent.robbins-monro",))
def _(gradient, n_rows, start, *, step, n_steps, rng, **_):
    """Counts steps from 2: eta_t = step(t + 1)."""
    later = (lambda t: step(t + 1)) if callable(step) else step
    return sgd(gradient, rng.integers(n_rows, size=(n_steps, 1)), start, later)


@mistake("stochastic_gradient_descent", kills=("descent.robbins-monro",))
def _(gradient, n_rows, start, *, average=False, **options):
    """Averages the start as well."""
    trace = right.stochastic_gradient_descent(gradient, n_rows, start, **options)
    return replace(trace, x=trace.iterates.mean(axis=0)) if average else trace


@mistake("stochastic_gradient_descent", kills=("descent.robbins-monro",))
def _(gradient, n_rows, start, *, average=False, **options):
    """Forgets to average."""
    return right.stochastic_gradient_descent(gradient, n_rows, start, **options)


@mistake("stochastic_gradient_descent", kills=("descent.sgd-cheap",))
def _(gradient, n_rows, start, **options):
    """Computes all the gradients and uses one."""
    everything = np.arange(n_rows)

    def slow(w, rows):
        gradient(w, everything)
        return gradient(w, rows)

    return right.stochastic_gradient_descent(slow, n_rows, start, **options)


# ------------------------------------------------------------------- corners


@mistake("hinge_risk", kills=("descent.sgd-erm", "descent.gd-subgradient-convexity"))
def _(w, X, y, *, threshold=1.0):
    """Sums over the rows."""
    return board.hinge_risk(w, X, y, threshold=threshold) * len(X)


@mistake("hinge_subgradient", kills=("descent.sgd-erm", "descent.gd-subgradient-convexity"))
def _(w, X, y, *, threshold=1.0, kink=0.0):
    """Sums over the rows."""
    return board.hinge_subgradient(w, X, y, threshold=threshold, kink=kink) * len(X)


@mistake("hinge_subgradient", kills=("descent.sgd-erm", "descent.gd-subgradient-convexity"))
def _(w, X, y, *, threshold=1.0, kink=0.0):
    """Has the wrong sign."""
    return -board.hinge_subgradient(w, X, y, threshold=threshold, kink=kink)


@mistake("hinge_subgradient", kills=("descent.sgd-erm", "descent.gd-subgradient-convexity"))
def _(w, X, y, *, threshold=1.0, kink=0.0):
    """Ignores what the rows on a kink weigh."""
    return board.hinge_subgradient(w, X, y, threshold=threshold)


@mistake("hinge_subgradient", kills=("descent.gd-subgradient-convexity",))
def _(w, X, y, *, threshold=1.0, kink=0.0):
    """Takes any weight on a kink."""
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    margins = y * (X @ w)
    s = np.where(margins < threshold, 1.0, 0.0)
    s[margins == threshold] = kink
    return -(s * y) @ X / len(X)


@mistake("running_means", kills=("descent.robbins-monro",))
def _(path):
    """Divides by one more than there are."""
    for t, total in enumerate(np.cumsum(list(path), axis=0), start=1):
        yield total / (t + 1)


@mistake("subgradient_method", kills=("descent.subgradient-rate",))
def _(value, subgradient, start, **options):
    """Returns the last iterate."""
    trace = right.subgradient_method(value, subgradient, start, **options)
    return replace(trace, x=trace.iterates[-1])


@mistake("subgradient_method", kills=("descent.subgradient-rate",))
def _(value, subgradient, start, *, project=None, **options):
    """Forgets the projection."""
    return right.subgradient_method(value, subgradient, start, **options)


@mistake("subgradient_method", kills=("descent.subgradient-rate",))
def _(value, subgradient, start, *, step, **options):
    """Counts steps from 2."""
    return right.subgradient_method(value, subgradient, start, step=lambda t: step(t + 1), **options)


@mistake("subgradient_method", kills=("descent.subgradient-rate",))
def _(value, subgradient, start, *, step, **options):
    """Takes the square root of the step again."""
    return right.subgradient_method(value, subgradient, start, step=lambda t: math.sqrt(step(t)), **options)
