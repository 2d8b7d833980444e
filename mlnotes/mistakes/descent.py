"""Wrong descent methods and rates, one typical mistake each."""

import math
from dataclasses import replace

import numpy as np

from mlnotes import descent as board
from mlnotes.estimators import descent as right
from mlnotes.mistakes import Change, Mistakes, negated

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


@mistake("gradient_descent", kills="gd-update gd-descent gd-sublinear gd-linear")
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Multiplies the step by itself: eta^t."""
    eta = step if isinstance(step, float) else 1.0
    return path(lambda w, t: w - eta**t * gradient(w), start, n_steps)


@mistake("gradient_descent", kills="gd-update erratum-y13")
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Takes the gradient at the start, ever again."""
    g = gradient(np.asarray(start, dtype=float))
    return path(lambda w, t: w - step * g, start, n_steps)


@mistake("gradient_descent", kills="gd-update gd-descent")
def _(value, gradient, start, **options):
    """Returns the start as its path."""
    trace = right.gradient_descent(value, gradient, start, **options)
    return replace(trace, iterates=np.repeat(trace.iterates[:1], len(trace.iterates), axis=0))


@mistake("gradient_descent", kills="divergence")
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Runs to infinity and says nothing."""
    with np.errstate(all="ignore"):
        return path(lambda w, t: w - step * gradient(w), start, n_steps)


@mistake("gradient_descent", kills="divergence")
def _(value, gradient, start, **options):
    """Calls every run diverged whose step is above 1/L, not 2/L."""
    trace = right.gradient_descent(value, gradient, start, **options)
    back = (trace.iterates[1:] * trace.iterates[:-1]).min(initial=0) < 0
    return replace(trace, diverged=bool(trace.diverged or back))


@mistake("gradient_descent", kills="backtracking")
def _(value, gradient, start, *, step, **options):
    """Accepts the first step that goes down at all."""

    def one(w, t):
        eta = 1.0
        while value(w - eta * gradient(w)) > value(w):
            eta /= 2
        return w - eta * gradient(w)

    return path(one, start, options["n_steps"])


@mistake("gradient_descent", kills="backtracking")
def _(value, gradient, start, *, step, **options):
    """Divides the step by 1,000 at a time."""

    def one(w, t):
        eta, g = 1.0, gradient(w)
        while value(w - eta * g) > value(w) - eta / 2 * float(g @ g):
            eta /= 1000
        return w - eta * g

    return path(one, start, options["n_steps"])


mistake.rows("gradient_descent",
    ("Takes the gradient at the new point.", "gd-update gd-linear erratum-y12",
     lambda value, gradient, start, *, step, n_steps=1000, **_:
        path(lambda w, t: w - step * gradient(w - step * gradient(w)), start, n_steps)),
    ("Is one step short: the start is there twice.", "gd-update gd-sublinear gd-linear erratum-y12",
     lambda value, gradient, start, *, step, n_steps=1000, **_:
        path(lambda w, t: w if t == 1 else w - step * gradient(w), start, n_steps)),
    ("Runs one step more than it is asked for.", "gd-update gd-sublinear",
     lambda value, gradient, start, *, n_steps=1000, **options:
        right.gradient_descent(value, gradient, start, n_steps=n_steps + 1, **options)),
    ("Ascends.", "gd-update gd-descent gd-linear", lambda value, gradient, start, *, step, n_steps=1000, **_:
        path(lambda w, t: w + step * gradient(w), start, n_steps)),
    ("Normalises the gradient.", "gd-update gd-descent gd-sublinear",
     lambda value, gradient, start, *, step, n_steps=1000, **_:
        path(lambda w, t: w - step * gradient(w) / (np.linalg.norm(gradient(w)) + 1e-300), start, n_steps)),
    ("Quietly halves a step that goes up, so that what the notes print would hold.",
     "erratum-y10 erratum-y11",
     lambda value, gradient, start, *, step, **options:
        right.gradient_descent(value, gradient, start, step="backtracking", **options)),
    ("Counts a full gradient as one.", "sgd-cheap", lambda value, gradient, start, *, n_rows=1, **options:
        right.gradient_descent(value, gradient, start, **options)),
)  # fmt: skip


# ------------------------------------------------------------------- rates


mistake.rows("descent_bound",
    ("Forgets the factor 1/2 of the quadratic term.", "gd-descent",
     lambda norm, *, smoothness, step: step * (1 - smoothness * step) * norm**2),
    ("Takes the norm without its square.", "gd-descent",
     lambda norm, *, smoothness, step: step * (1 - smoothness * step / 2) * norm),
)  # fmt: skip
mistake.rows("sublinear_bound",
    ("Has the textbook's constant, r^2 / (2 eta t).", "gd-sublinear erratum-y11",
     lambda t, *, smoothness, radius, step=None:
        radius**2 / (2 * (1 / smoothness if step is None else step) * max(t, 1e-300))),
    ("Counts one step more.", "gd-sublinear", lambda t, *, smoothness, radius, step=None:
        board.sublinear_bound(t + 1, smoothness=smoothness, radius=radius, step=step)),
    ("Forgets that the step enters.", "gd-sublinear", lambda t, *, smoothness, radius, step=None:
        board.sublinear_bound(t, smoothness=smoothness, radius=radius)),
)  # fmt: skip
mistake.rows("linear_factor",
    ("Looks at the flat direction only.", "gd-linear",
     lambda *, smoothness, convexity, step: abs(1 - step * convexity)),
    ("Has the factor of the squared distance.", "gd-linear", Change(lambda answer: answer**2)),
)  # fmt: skip
mistake.rows("noise_floor",
    ("Lets the variance die out.", "sgd-cheap erratum-y13",
     lambda *, step, variance, t=None, start=0.0: 0.0 if t is None else (1 - step) ** (2 * t) * start),
)  # fmt: skip


@mistake("noise_floor", kills="sgd-cheap erratum-y13")
def _(*, step, variance, t=None, start=0.0):
    """Has the floor of small steps, eta s^2 / 2."""
    floor = step * variance / 2
    return floor if t is None else floor + (1 - step) ** (2 * t) * (start - floor)


# ------------------------------------------------------------------- faster methods


mistake.rows("accelerated_descent",
    ("Forgets the momentum.", "acceleration", lambda value, gradient, start, *, step, n_steps=1000, **_:
        path(lambda w, t: w - step * gradient(w), start, n_steps)),
)  # fmt: skip


@mistake("accelerated_descent", kills="acceleration")
def _(value, gradient, start, *, step, n_steps=1000, **_):
    """Goes back by the momentum, instead of ahead."""
    before = [np.asarray(start, dtype=float)]

    def one(w, t):
        new = w - step * gradient(w) - t / (t + 3) * (w - before[0])
        before[0] = w
        return new

    return path(one, start, n_steps)


mistake.rows("newton_method",
    ("Divides by the diagonal of the Hessian.", "newton",
     lambda value, gradient, hessian, start, *, n_steps=100, **_:
        path(lambda w, t: w - gradient(w) / np.diag(hessian(w)), start, n_steps)),
    ("Multiplies by the Hessian.", "newton", lambda value, gradient, hessian, start, *, n_steps=100, **_:
        path(lambda w, t: w - hessian(w) @ gradient(w), start, n_steps)),
    ("Always takes the whole step.", "newton", lambda value, gradient, hessian, start, *, n_steps=100, **_:
        path(lambda w, t: w - np.linalg.pinv(hessian(w)) @ gradient(w), start, n_steps)),
)  # fmt: skip


# ------------------------------------------------------------------- stochastic descent


def sgd(gradient, rows, start, step):
    size = step if callable(step) else lambda t: step
    trace = path(lambda w, t: w - size(t) * gradient(w, rows[t - 1]), start, len(rows))
    return replace(trace, rows=rows)


@mistake("stochastic_gradient_descent", kills="sgd-update")
def _(gradient, n_rows, start, *, step, n_steps, rng, **_):
    """Draws without replacement: one permutation after the other."""
    epochs = [rng.permutation(n_rows) for _ in range(n_steps // n_rows + 1)]
    return sgd(gradient, np.concatenate(epochs)[:n_steps, None], start, step)


@mistake("stochastic_gradient_descent", kills="sgd-update robbins-monro")
def _(gradient, n_rows, start, *, step, n_steps, rng, **_):
    """Says that it drew rows which it did not use."""
    trace = sgd(gradient, rng.integers(n_rows, size=(n_steps, 1)), start, step)
    return replace(trace, rows=(trace.rows + 1) % n_rows)


@mistake("stochastic_gradient_descent", kills="sgd-update")
def _(gradient, n_rows, start, *, step, n_steps, rng, **_):
    """Takes the full gradient and calls it stochastic."""
    rows = rng.integers(n_rows, size=(n_steps, 1))
    everything = np.arange(n_rows)
    return replace(path(lambda w, t: w - step * gradient(w, everything), start, n_steps), rows=rows)


@mistake("stochastic_gradient_descent", kills="robbins-monro")
def _(gradient, n_rows, start, *, step, n_steps, rng, **_):
    """Counts steps from 2: eta_t = step(t + 1)."""
    later = (lambda t: step(t + 1)) if callable(step) else step
    return sgd(gradient, rng.integers(n_rows, size=(n_steps, 1)), start, later)


@mistake("stochastic_gradient_descent", kills="robbins-monro")
def _(gradient, n_rows, start, *, average=False, **options):
    """Averages the start as well."""
    trace = right.stochastic_gradient_descent(gradient, n_rows, start, **options)
    return replace(trace, x=trace.iterates.mean(axis=0)) if average else trace


mistake.rows("stochastic_gradient_descent",
    ("Never draws the last row.", "sgd-update", lambda gradient, n_rows, start, *, step, n_steps, rng, **_:
        sgd(gradient, rng.integers(n_rows - 1, size=(n_steps, 1)), start, step)),
    ("Goes through the rows in order.", "sgd-update",
     lambda gradient, n_rows, start, *, step, n_steps, rng, **_:
        sgd(gradient, np.arange(n_steps)[:, None] % n_rows, start, step)),
    ("Forgets to average.", "robbins-monro", lambda gradient, n_rows, start, *, average=False, **options:
        right.stochastic_gradient_descent(gradient, n_rows, start, **options)),
)  # fmt: skip


@mistake("stochastic_gradient_descent", kills="sgd-cheap")
def _(gradient, n_rows, start, **options):
    """Computes all the gradients and uses one."""
    everything = np.arange(n_rows)

    def slow(w, rows):
        gradient(w, everything)
        return gradient(w, rows)

    return right.stochastic_gradient_descent(slow, n_rows, start, **options)


# ------------------------------------------------------------------- corners


mistake.rows("hinge_risk", ("Sums over the rows.", "sgd-erm gd-subgradient-convexity",
    lambda w, X, y, *, threshold=1.0: board.hinge_risk(w, X, y, threshold=threshold) * len(X)))  # fmt: skip
mistake.rows("hinge_subgradient",
    ("Sums over the rows.", "sgd-erm gd-subgradient-convexity", lambda w, X, y, *, threshold=1.0, kink=0.0:
        board.hinge_subgradient(w, X, y, threshold=threshold, kink=kink) * len(X)),
    ("Has the wrong sign.", "sgd-erm gd-subgradient-convexity", negated),
    ("Ignores what the rows on a kink weigh.", "sgd-erm gd-subgradient-convexity",
     lambda w, X, y, *, threshold=1.0, kink=0.0: board.hinge_subgradient(w, X, y, threshold=threshold)),
)  # fmt: skip


@mistake("hinge_subgradient", kills="gd-subgradient-convexity")
def _(w, X, y, *, threshold=1.0, kink=0.0):
    """Takes any weight on a kink."""
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    margins = y * (X @ w)
    s = np.where(margins < threshold, 1.0, 0.0)
    s[margins == threshold] = kink
    return -(s * y) @ X / len(X)


@mistake("running_means", kills="robbins-monro")
def _(path):
    """Divides by one more than there are."""
    for t, total in enumerate(np.cumsum(list(path), axis=0), start=1):
        yield total / (t + 1)


mistake.rows("subgradient_method",
    ("Returns the last iterate.", "subgradient-rate",
     Change(lambda trace: replace(trace, x=trace.iterates[-1]))),
    ("Forgets the projection.", "subgradient-rate",
     lambda value, subgradient, start, *, project=None, **options:
        right.subgradient_method(value, subgradient, start, **options)),
    ("Counts steps from 2.", "subgradient-rate", lambda value, subgradient, start, *, step, **options:
        right.subgradient_method(value, subgradient, start, step=lambda t: step(t + 1), **options)),
    ("Takes the square root of the step again.", "subgradient-rate",
     lambda value, subgradient, start, *, step, **options:
        right.subgradient_method(value, subgradient, start, step=lambda t: math.sqrt(step(t)), **options)),
)  # fmt: skip
