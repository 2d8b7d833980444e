"""The statements on gradient descent as executable claims, in the order of the lecture.

Functions, constants and minimisers are written down here. What a method reports about itself is not used: its
iterates are taken, and values, gradients and steps are computed from them. A step of a d-dimensional problem
costs a few roundings of size d u |w|, and the maps here do not expand, so that T steps cost at most T times
that.
"""

from __future__ import annotations

import inspect
import math
import warnings
from fractions import Fraction
from itertools import product

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, hoeffding, rounding, statement, within
from mlnotes.checking.outputs import first, refuses

OUTPUTS = {
    "descent_bound": "number", "sublinear_bound": "number", "linear_factor": "number",
    "noise_floor": "number", "hinge_risk": "number", "hinge_subgradient": "(d,)",
}  # fmt: skip


# ------------------------------------------------------------------- functions, and the paths of a method
def quadratic(A):
    A = np.asarray(A, dtype=float)
    return lambda w: float(w @ A @ w) / 2, lambda w: A @ w


def huber(tau, L=1.0):
    """Return L times the Huber function, and its gradient."""

    def value(w):
        r = float(np.linalg.norm(w))
        return L * (r * r / 2 if r <= tau else tau * (r - tau / 2))

    return value, lambda w: L * w * min(1.0, tau / max(float(np.linalg.norm(w)), 1e-300))


def logistic(rng, n=12, d=3):
    """Return the average logistic loss of random integer rows, its gradient, and L = lambda_max(X'X/n)/4."""
    X = rng.integers(-3, 4, (n, d)) * rng.choice([-1, 1], (n, 1))
    X[0] = [3] * d

    def gradient(w):
        return -(X.T @ (1 / (1 + np.exp(X @ w)))) / n

    L = float(np.linalg.eigvalsh(X.T @ X / n)[-1]) / 4
    return lambda w: float(np.logaddexp(0, -X @ w).mean()), gradient, L


def options_of(method):
    """Return the names of the options of a method; a method that takes any has "n_steps"."""
    parameters = inspect.signature(method).parameters
    anything = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    return {*parameters, "n_steps"} if anything else set(parameters)


def walk(method, T, *arguments, **options):
    """Return the path of a method as it comes: a generator of states, or a trace of T steps."""
    if "n_steps" in options_of(method):
        options["n_steps"] = T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = method(*arguments, **options)
        return path if hasattr(path, "iterates") else first(path, T)


def iterates(path):
    """Return the vectors w_0, w_1, ... of a path whose states are vectors, or begin with one."""
    states = getattr(path, "iterates", path)
    return np.array([state[0] if isinstance(state, tuple) else state for state in states], dtype=float)


def run(method, T, *arguments, **options):
    """Return w_0, ..., w_T, shape (T + 1, d); fewer where the method stops."""
    return iterates(walk(method, T, *arguments, **options))


def full_run(what, method, T, value, slope, *arguments, **options):
    """Yield that a run of T steps has T + 1 iterates, and what a trace says of them; return them."""
    trace = walk(method, T, value, slope, *arguments, **options)
    path = iterates(trace)
    yield equal(f"iterates of {T} steps, {what}", len(path), T + 1)
    if hasattr(trace, "gradient_norms"):  # the board's states say nothing more
        yield equal(f"values, {what}, as it says", trace.values, [value(w) for w in path])
        norms = np.array([np.linalg.norm(slope(w)) for w in path])
        known = np.isfinite(trace.gradient_norms).all()  # of gradients at other points the first is not
        yield equal(f"norms, {what}", trace.gradient_norms if known else norms, norms, 1e-12 * (1 + norms))
        told = trace.converged, trace.diverged
        yield equal(f"converged, diverged, {what}", told, [bool(known and norms[-1] == 0), False])
    return path


def at_rest(what, method, *arguments, **options):
    """Yield that a run whose first step comes to a gradient of 0 stays there; a trace ends, and says so."""
    trace = walk(method, 5, *arguments, **options)
    path = iterates(trace)
    yield equal(f"iterates after the start, {what}", path[1:], 0 * path[1:])
    told = len(path), trace.converged if hasattr(trace, "converged") else True
    yield equal(f"iterates and end, {what}", told, (2 if hasattr(trace, "converged") else 6, True))


# ------------------------------------------------------------------- 1 The step
@statement("algorithm", "1", "Yan, brief introduction to gradient descent", "Yan, logistic regression, MLE")
def gd_update(gradient_descent, rng, *, d=3, n_steps=6):
    r"""Gradient descent is $w_{t+1} = w_t - \eta\nabla f(w_t)$. On $f(w) = \frac12 w^\top Aw$ its iterates
    are $w_t = (I - \eta A)^t w_0$."""
    B = rng.integers(-2, 3, (d, d))
    A = B @ B.T + np.diag(np.arange(1, d + 1))
    w, eta = rng.integers(1, 9, d) * rng.choice([-1, 1], d), Fraction(1, 64)  # trace of A at most 42
    M = Fraction(1) * np.eye(d, dtype=int) - eta * A
    truth = np.array([np.linalg.matrix_power(M, t) @ w for t in range(n_steps + 1)]).astype(float)
    trace = walk(gradient_descent, n_steps, *quadratic(A), w.astype(float), step=1 / 64)
    yield equal("iterates against exact matrix powers", iterates(trace), truth, rounding(36, 9), A=A, start=w)
    answer = getattr(trace, "x", iterates(trace)[-1])
    yield equal("the answer", answer, truth[-1], rounding(36, 9), A=A, start=w)


# ------------------------------------------------------------------- 2 The descent lemma
@statement("theorem", "2", "Yan, brief introduction to gradient descent")
def gd_descent(gradient_descent, descent_bound, Huber, rng):
    r"""If $\nabla f$ is $L$-Lipschitz and $0 < \eta < 2/L$, then $f(w_{t+1}) \le f(w_t) - \eta(1 -
    \frac{L\eta}2)\|\nabla f(w_t)\|^2$: every step goes down. The bound is attained by $\frac L2\|w\|^2$."""
    value, slope, L = logistic(rng)
    start, T = rng.integers(-3, 4, 3).astype(float), 20
    yield equal("iterates of no step", len(run(gradient_descent, 0, value, slope, start, step=1.0)), 1)
    cone, own = Huber(0.5), huber(0.5)
    lengths = [cone.value(np.array([r, 0.0])) - own[0]([r, 0.0]) for r in (0.0, 0.25, 0.5, 4.0)]
    yield equal("values of the Huber function, against its definition", lengths, np.zeros(4))
    yield from at_rest("descent", gradient_descent, *quadratic(np.eye(2)), [8.0, -3.0], step=1.0)
    for eta in (1 / L, 1.9 / L):
        name = f"step {eta * L:.1f}/L"
        path = yield from full_run(name, gradient_descent, T, value, slope, start, step=eta)
        norms = [float(np.linalg.norm(slope(w))) for w in path[:-1]]
        promised = eta * (1 - L * eta / 2) * np.array(norms) ** 2
        granted = [descent_bound(norm, smoothness=L, step=eta) for norm in norms]
        yield equal(f"granted fall, {name}", granted, promised, rounding(12, 40), L=L)
        falls = -np.diff([value(w) for w in path])
        yield at_least(f"fall of the logistic loss, {name}", falls, promised, rounding(24, 40), L=L)
    for name, f, eta, start, L in (
        ("a Huber function", (cone.value, cone.gradient), 1.5, [4.0, 0.0], cone.smoothness),
        ("a quadratic", quadratic(3 * np.eye(2)), 0.5, [1.0, -2.0], 3.0),
    ):
        path = yield from full_run(name, gradient_descent, 5, *f, start, step=eta)
        fall = [eta * (1 - L * eta / 2) * float(f[1](w) @ f[1](w)) for w in path[:-1]]
        compare = equal if name == "a quadratic" else at_least
        yield compare(f"fall of {name}", -np.diff([f[0](w) for w in path]), np.array(fall), rounding(16, 8))
        yield at_least(f"first fall of {name}", fall[0], 0.09)


@statement("theorem", "2")
def divergence(gradient_descent, rng):
    r"""A value above the one before proves $\eta > 2/L$, $L$ the Lipschitz constant of the gradient on the
    segment. On a quadratic with largest eigenvalue $L$ descent diverges from almost every start if $\eta >
    2/L$; it is stopped before it has taken all its steps, with finite numbers, and does not happen for $\eta
    < 2/L$."""
    L = float(rng.integers(2, 9))
    f, start = quadratic(np.diag([1.0, L])), rng.integers(1, 9, 2).astype(float)
    factors = (0.5, 1.0, 1.9, 2.1, 4.0, 1e6)
    paths = [walk(gradient_descent, 400, *f, start, step=s / L) for s in factors]
    for path in paths[3:]:
        least = min(f[0](w) for w in iterates(path))
        answer = f[0](path.x) if hasattr(path, "x") else least  # of a trace
        yield equal("the answer of a run that was stopped, its best", answer, least, L=L)
    stopped = [bool(getattr(path, "diverged", len(iterates(path)) <= 400)) for path in paths]
    yield equal(f"stopped, at {factors} over L", stopped, [False] * 3 + [True] * 3, L=L)
    path = run(gradient_descent, 50, lambda w: float((w**4).sum()), lambda w: 4 * w**3, [30.0], step=1.0)
    yield equal("finite iterates of a run that overflows", bool(np.isfinite(path).all()), True)


# ------------------------------------------------------------------- 3 The sublinear rate
@statement("theorem", "3", "Yan, brief introduction to gradient descent",
           "Drori and Teboulle (2014), theorems 3.1 and 3.2")  # fmt: skip
def gd_sublinear(gradient_descent, sublinear_bound, rng, *, steps=(1, 2, 5, 30)):
    r"""Let $f$ be convex with $L$-Lipschitz gradient and a minimiser $w^\star$ at distance $r$ from $w_0$.
    For $\eta = h/L$, $0 < h \le 1$, $f(w_t) - f(w^\star) \le \frac{Lr^2}{4ht + 2}$, which is below
    $\frac{r^2}{2\eta t}$. The Huber function with $\tau = \frac{r}{2ht + 1}$ attains it."""
    L, r = float(rng.integers(1, 5)), float(rng.integers(1, 9))
    slack = rounding(2 * 30, 4 * 64)
    for t, h in product(steps, (1.0, 0.5)):
        bound, exact = sublinear_bound(t, smoothness=L, radius=r, step=h / L), L * r * r / (4 * h * t + 2)
        yield equal(f"bound, t = {t}, h = {h}", bound, exact, rounding(8, 256), L=L, r=r)
        f = huber(r / (2 * h * t + 1), L)
        path = yield from full_run(f"t = {t}", gradient_descent, t, *f, [0.6 * r, 0.8 * r], step=h / L)
        end = f[0](path[-1])
        yield equal(f"value of the worst function, t = {t}, h = {h}", end, exact, slack, L=L, r=r)
        yield at_most("against r^2 / (2 eta t)", end, L * r * r / (2 * h * t), slack, L=L, r=r)
    default = sublinear_bound(3, smoothness=2.0, radius=7.0)
    yield equal("bound at the default step, 1/L", default, 7.0, rounding(8, 7))
    f, start = quadratic(np.diag([0, 1, 2, 4]) / 4 * L), rng.integers(-4, 5, 4).astype(float)
    start[1], start[3] = 2.0, 3.0  # the gradient is never exactly 0
    path = yield from full_run("a quadratic", gradient_descent, 20, *f, start, step=1 / L)
    radius2 = float((start[1:] ** 2).sum())  # the first coordinate moves along a line of minimisers
    bounds = L * radius2 / (4 * np.arange(21) + 2)
    yield at_most("values on a quadratic", [f[0](w) for w in path], bounds, rounding(80, 400), start=start)


# ------------------------------------------------------------------- 4 The linear rate
@statement("theorem", "4", "Yan, brief introduction to gradient descent")
def gd_linear(gradient_descent, linear_factor, Quadratic, rng):
    r"""If $f$ is $\mu$-strongly convex with $L$-Lipschitz gradient and minimiser $w^\star$, then $\|w_t -
    w^\star\| \le \rho^t\|w_0 - w^\star\|$, $\rho = \max(|1 - \eta\mu|, |1 - \eta L|)$, below 1 for $0 < \eta
    < 2/L$ and smallest, $\frac{L - \mu}{L + \mu}$, at $\eta = \frac2{L + \mu}$. A quadratic attains it."""
    mu, L = float(rng.choice([0.25, 0.5])), float(rng.integers(1, 4))
    steps = np.array([0.25 / L, 1 / L, 2 / (L + mu), 1.95 / L])
    rho = np.maximum(abs(1 - steps * mu), abs(1 - steps * L))
    factors = [linear_factor(smoothness=L, convexity=mu, step=float(s)) for s in steps]
    yield equal("factors", factors, rho, rounding(8, 4), mu=mu, L=L)
    yield equal("the smallest factor", factors[2], (L - mu) / (L + mu), rounding(8, 4), mu=mu, L=L)
    T, start, lengths, f = 12, np.array([3.0, 4.0]), [], Quadratic(np.diag([mu, L]))
    told = f.convexity, f.smoothness, f.value(start)
    yield equal("mu, L, and the value at (3, 4)", told, (mu, L, (9 * mu + 16 * L) / 2), rounding(8, 40))
    flat = refuses(Quadratic, np.diag([-1.0, 1.0])), refuses(Quadratic, np.diag([0.0, 0.0]))
    yield equal("refused with a negative eigenvalue, with none but 0", flat, (True, False))
    cone, powers = huber(1.0, L - mu), rho[:, None] ** np.arange(T + 1)
    worst = (0, 0, 0, 1)  # the axis that is slow: 0.95 > 1 - 1.95 mu / L, since mu / L > 0.08
    for eta, slow, bound in zip(steps, worst, powers, strict=True):
        w = start * (np.arange(2) == slow) if eta != steps[2] else start  # the worst eigenvector, or any
        path = run(gradient_descent, T, f.value, f.gradient, w, step=float(eta))
        lengths.append(np.linalg.norm(path, axis=1) / np.linalg.norm(w))
        # mu/2 |w|^2 + (L - mu) Huber has no second derivative where |w| = 1
        bent = (lambda w: mu * float(w @ w) / 2 + cone[0](w)), (lambda w: mu * w + cone[1](w))
        path = np.linalg.norm(run(gradient_descent, T, *bent, start, step=float(eta)), axis=1)
        name = f"distances, once differentiable only, step {eta * L:.3g}/L"
        yield at_most(name, path, 5.0 * bound[: len(path)], rounding(8 * T, 20), mu=mu, L=L)
        yield equal(f"steps until the minimum, {name}", len(path) == T + 1 or path[-1] == 0, True)
    yield equal("distances, quadratics", lengths, powers, rounding(4 * T, 4), mu=mu, L=L)


# ------------------------------------------------------------------- 5 Faster than the gradient
@statement("algorithm", "5")
def backtracking(gradient_descent, rng):
    r"""Halving $\eta$ until $f(w - \eta g) \le f(w) - \frac\eta2\|g\|^2$ needs no $L$: every accepted step is
    at least $\frac1{2L}$ (or the first $\eta$ tried, 1), and goes down by $\frac\eta2\|g\|^2$."""
    L = 2.0 * float(rng.integers(10, 200)) + 1  # odd: no step 2^-k ends exactly at 0
    value, slope = quadratic(np.diag([1.0, 2.0, L]))
    start, T = rng.integers(1, 9, 3).astype(float), 25
    path = yield from full_run("backtracking", gradient_descent, T, value, slope, start, step="backtracking")
    g = np.array([slope(w) for w in path[:-1]])
    etas = -(np.diff(path, axis=0) * g).sum(axis=1) / (g**2).sum(axis=1)  # the steps that were taken
    falls, slack = -np.diff([value(w) for w in path]), rounding(12, value(start))
    yield at_least("steps", etas, 0.5 / L, rounding(12), L=L, start=start)
    yield equal("halvings of 1", np.log2(etas), np.round(np.log2(etas)), rounding(12))
    yield at_least("falls", falls, etas / 2 * (g**2).sum(axis=1), slack, L=L, start=start)
    wide = run(gradient_descent, 3, *quadratic([[0.25]]), [2.0**14], step="backtracking")  # steps 1, 2, 4
    yield equal("steps that grow while they may", wide[:, 0], np.array([1, 0.75, 0.375, 0]) * 2.0**14)
    off = np.diff(path, axis=0) + etas[:, None] * g
    yield equal("parts of the steps across the gradient", off, np.zeros((T, 3)), rounding(12, 9), L=L)


@statement("theorem", "5", "Nesterov (1983)", "Beck and Teboulle (2009), theorem 4.4")
def acceleration(accelerated_descent, rng):
    r"""Nesterov's method with $\eta \le 1/L$ has $f(w_t) - f(w^\star) \le \frac{2r^2}{\eta(t + 1)^2}$ for
    every convex $f$ with $L$-Lipschitz gradient and a minimiser at distance $r$. With the momentum $\frac{1 -
    \sqrt{\eta\mu}}{1 + \sqrt{\eta\mu}}$ for a $\mu$-strongly convex $f$ it has $f(w_t) - f(w^\star) \le (1 -
    \sqrt{\eta\mu})^t(f(w_0) - f(w^\star) + \frac\mu2r^2)$."""
    yield from at_rest("acceleration", accelerated_descent, *quadratic(np.eye(2)), [8.0, -3.0], step=1.0)
    L, T = float(rng.integers(1, 5)), 60
    bounds = 4 * L * 100.0 / np.arange(2, T + 2) ** 2  # the step is 1/(2L)
    for name, (value, slope), start in (
        ("a Huber function", huber(10.0 / (T + 1), L), [6.0, 8.0]),
        ("a quadratic", quadratic(L * np.diag([1e-4, 1.0])), [10.0, 0.0]),
    ):
        path = yield from full_run(name, accelerated_descent, T, value, slope, start, step=0.5 / L)
        values = [value(w) for w in path[1:]]
        yield at_most(f"values on {name}", values, bounds, rounding(8 * T, 50 * L), L=L)
        w, ahead, theta = np.array(start), np.array(start), 1.0
        for t, there in enumerate(path):
            yield equal(f"iterate {t} on {name}", there, w, rounding(8 * (t + 1), 10))
            last, w, before = w, ahead - slope(ahead) / (2 * L), theta
            theta = (1 + math.sqrt(1 + 4 * before**2)) / 2
            ahead = w + (before - 1) / theta * (w - last)
    f, q = quadratic(np.diag([0.01, 1.0])), 0.1  # sqrt(eta mu) at eta = 1/L = 1
    options = {"step": 1.0, "convexity": 0.01}
    path = yield from full_run("strongly convex", accelerated_descent, 80, *f, [3.0, 4.0], **options)
    bounds = (1 - q) ** np.arange(81) * (f[0](path[0]) + 0.01 * 25 / 2)
    yield at_most("values, strongly convex", [f[0](w) for w in path], bounds, rounding(8 * 80, 9))


@statement("theorem", "5")
def newton(newton_method, rng):
    r"""Newton's method, $w_{t+1} = w_t - H^{-1}\nabla f(w_t)$, minimises a strictly convex quadratic in one
    step and does not depend on the coordinates: for $g(v) = f(Bv)$, $B$ invertible, its iterates are
    $B^{-1}w_t$. The step is halved until the value falls by a tenth of what the slope promises: on $\sqrt{1 +
    w^2}$, where full steps go from $w$ to $-w^3$, this leads to the minimum from any start."""
    B = rng.integers(-1, 2, (3, 3))
    B = B @ B.T + np.eye(3)  # condition at most 10, determinant at least 1
    value, slope = (lambda w: float((w**4).sum() / 4 + w @ w / 2)), (lambda w: w**3 + w)
    start = rng.choice([-2.0, -1.0, 1.0, 2.0], 3)
    plain = run(newton_method, 3, value, slope, lambda w: np.diag(3 * w**2 + 1), start)
    there = (lambda v: value(B @ v)), (lambda v: B.T @ slope(B @ v))
    moved = run(
        newton_method, 3, *there, lambda v: B.T @ np.diag(3 * (B @ v) ** 2 + 1) @ B, np.linalg.solve(B, start)
    )
    slack = rounding(3 * 27, 100 * 10)  # conditions of BB' and of B; the Hessian's is at most 13
    yield equal("iterates in other coordinates", moved @ B.T, plain, slack, B=B, start=start)
    yield at_least("the length of the first step", np.linalg.norm(plain[1] - plain[0]), 1e-3)
    A = np.diag([1.0, 100.0, 10.0]) + np.ones((3, 3))
    round_bowl = *quadratic(2 * np.eye(2)), lambda w: 2 * np.eye(2)
    yield from at_rest("Newton", newton_method, *round_bowl, [8.0, -3.0])
    one = run(newton_method, 1, *quadratic(A), lambda w: A, [4.0, -7.0, 2.0])
    yield equal("the minimum of a quadratic", one[1], np.zeros(3), rounding(27, 100 * 7))
    start = float(rng.integers(2, 90))
    bowl = lambda w: math.hypot(1, w[0]), lambda w: w / math.hypot(1, w[0])
    far = run(newton_method, 30, *bowl, lambda w: np.eye(1) * math.hypot(1, w[0]) ** -3, [start])[:, 0]
    right = [start]
    for w in far[:-1].tolist():  # each from where the method was
        eta, f = 1.0, math.hypot(1, w)
        while math.hypot(1, w - eta * (w + w * w * w)) > f * (1 - 0.1 * eta * w * w + 2.0**-50):
            eta /= 2
        right.append(w - eta * (w + w * w * w))
    yield equal("steps that are halved where they are too long", far, right, rounding(30, start**3))
    yield equal("where they lead", far[-1], 0.0, rounding(1))


# ------------------------------------------------------------------- 6 One row at a time
def signed_rows(rng, n=9, d=3):
    """Return integer rows, labels and weights; every third row lies on a kink of the hinge loss."""
    w = rng.integers(1, 4, d) * rng.choice([-1, 1], d)
    X, y = rng.integers(-3, 4, (n, d)), rng.choice([-1, 1], n)
    X[::3] = 0
    X[::3, 0] = (y * np.sign(w[0]))[::3]
    w[0] = np.sign(w[0])  # the margins of these rows are 1
    return X.astype(float), y.astype(float), w.astype(float)


@statement("definition", "6", "Yan, stochastic gradient descent")
def sgd_erm(hinge_risk, hinge_subgradient, rng):
    r"""An empirical risk is a mean over the rows, $f(w) = \frac1n\sum_i f_i(w)$, and so is its
    (sub)gradient."""
    X, y, w = signed_rows(rng)
    risk = np.mean([max(0.0, 1 - b * float(w @ x)) for x, b in zip(X, y, strict=True)])
    slack = rounding(9, 40)
    yield equal("risk against the mean over the rows", hinge_risk(w, X, y), risk, slack, X=X, y=y)
    slopes = [hinge_subgradient(w, x[None], np.array([b]), kink=1.0) for x, b in zip(X, y, strict=True)]
    whole, slack = hinge_subgradient(w, X, y, kink=1.0), rounding(9, 3)
    yield equal("subgradient against the mean over the rows", whole, np.mean(slopes, axis=0), slack, X=X, y=y)
    margins, plain = y * (X @ w), hinge_subgradient(w, X, y)
    above, below = (-(y * counted) @ X / len(y) for counted in (margins < 1, margins <= 1))
    yield equal("subgradient with kinks counted above", plain, above, slack, X=X, y=y, w=w)
    yield equal("subgradient with kinks counted below", whole, below, slack, X=X, y=y, w=w)


def drawn(path, T):
    """Return the one row behind each of T steps, shape (T,)."""
    rows = [state[1] for state in path[1:]] if isinstance(path, list) else path.rows
    return np.array(rows, dtype=int).reshape(T)


@statement("algorithm", "6", "Yan, stochastic gradient descent", false_alarm=1e-9)
def sgd_update(stochastic_gradient_descent, rng, *, n=5, T=4000, eta=0.125):
    r"""Stochastic gradient descent draws $i_t$ independently and uniformly from the rows and takes $w_{t+1} =
    w_t - \eta\nabla f_{i_t}(w_t)$: given the past, the mean of the step is the step of gradient descent."""
    x = rng.integers(-9, 10, n).astype(float)
    problem = (lambda w, rows: w - x[rows].mean()), n, [16.0]
    path = walk(stochastic_gradient_descent, T, *problem, step=eta, rng=rng)
    rows = drawn(path, T)
    yield equal("rows that exist", int(np.isin(rows, range(n)).sum()), T)
    replay = [16.0]
    for i in rows.clip(0, n - 1):
        replay.append(replay[-1] - eta * (replay[-1] - x[i]))
    yield equal("iterates, replayed", iterates(path)[:, 0], replay, rounding(T, 32), x=x)
    far = walk(stochastic_gradient_descent, 20, *problem, step=4.0, rng=rng)  # distances grow threefold
    last = getattr(far, "x", iterates(far)[-1])
    yield equal("the answer of a run that goes far away, its last", last, iterates(far)[-1], x=x)
    if hasattr(far, "steps"):
        t, told = len(far.steps), (len(far.rows), len(iterates(far)), far.diverged)
        yield equal("rows and iterates of a run stopped there", told, [t, t + 1, True])
    # n frequencies, and the share of the T/2 disjoint pairs of draws that are equal: Hoeffding for each
    failure = 1e-9 / (n + 1)
    shares = np.bincount(rows.clip(0, n - 1), minlength=n) / T
    yield equal("shares of the rows", shares, np.full(n, 1 / n), hoeffding(T, failure))
    pairs = float(np.mean(rows[::2] == rows[1::2]))
    yield equal("share of equal neighbours", pairs, 1 / n, hoeffding(T // 2, failure))


# ------------------------------------------------------------------- 7 What noise costs
@statement("claim", "7", "Yan, stochastic gradient descent")
def sgd_cheap(stochastic_gradient_descent, gradient_descent, noise_floor, rng):
    r"""A stochastic step costs one gradient $\nabla f_i$, a full step $n$. The price is noise: on $f_i(w) =
    \frac12(w - x_i)^2$ with constant $\eta$, $v_t = E(w_t - \bar x)^2$ obeys $v_{t+1} = (1 - \eta)^2v_t +
    \eta^2s^2$, $s^2 = \frac1n\sum_i(x_i - \bar x)^2$, and tends to $\frac{\eta s^2}{2 - \eta} > 0$."""
    x = [int(v) for v in rng.integers(-5, 6, 3)]
    x[0] = x[1] + 2  # some spread
    mean = Fraction(sum(x), 3)
    variance = sum((v - mean) ** 2 for v in x) / 3
    eta, start = Fraction(int(rng.integers(1, 4)), 4), Fraction(int(rng.integers(-9, 10)))
    start += start == mean  # the start is to count
    given = {"step": float(eta), "variance": (s2 := float(variance))}
    ends = [start]  # one of every sequence of rows
    for t in range(6):
        exact = float(sum((w - mean) ** 2 for w in ends) / 3**t)
        ends = [w - eta * (w - v) for w in ends for v in x]
        answer = noise_floor(t=t, start=float((start - mean) ** 2), **given)
        yield equal(f"mean square after {t} steps, over all draws", answer, exact, rounding(40, 400), s2=s2)
    yield equal("its limit", noise_floor(**given), float(eta * variance / (2 - eta)), rounding(8, 100), s2=s2)
    yield from gradient_counts(stochastic_gradient_descent, gradient_descent, np.array(x, dtype=float), rng)


def gradient_counts(stochastic_gradient_descent, gradient_descent, x, rng):
    asked: list[int] = []  # how many rows each time

    def slope(w, rows=(0, 1, 2)):
        asked.append(len(rows))
        return w - x[np.array(rows)].mean()

    def count(method, *arguments, **options):
        asked.clear()
        return walk(method, 7, *arguments, step=0.5, **options), sum(asked)

    few, one = count(stochastic_gradient_descent, slope, 3, [1.0], rng=rng)
    pairs = {"batch_size": 2} if "batch_size" in options_of(stochastic_gradient_descent) else {}
    twos, two = count(stochastic_gradient_descent, slope, 3, [1.0], rng=rng, **pairs)
    rows = {"n_rows": 3} if "n_rows" in options_of(gradient_descent) else {}
    bowl = (lambda w: float(((w - x.mean()) ** 2).sum()) / 2), slope
    many, full = count(gradient_descent, *bowl, [100.5], **rows)
    numbers = 7, 14 if pairs else 7
    yield equal("gradients of rows in 7 stochastic steps of one row, of two", (one, two), numbers)
    yield within("in 7 full steps, with or without one at the end", full, 21, 24)
    for path, number in ((few, 7), (twos, two), (many, 21)):
        if hasattr(path, "evaluations"):
            yield equal(f"gradients of {number} rows, as the trace says", path.evaluations[-1], number)


@statement("theorem", "7", "Robbins and Monro (1951)")
def robbins_monro(stochastic_gradient_descent, running_means, rng, *, T=200):
    r"""With steps $\eta_t = \frac1t$ on $f_i(w) = \frac12(w - x_i)^2$ the iterate is the mean of the rows
    drawn, so that $E(w_t - \bar x)^2 = \frac{s^2}t$ from any start. With a constant step the average of the
    iterates settles as well: summed, the steps give $\frac1T\sum_{t<T}w_t = \frac1T\sum_tx_{i_t} - \frac{w_T
    - w_0}{\eta T}$."""
    x = rng.integers(-9, 10, 6).astype(float)

    walked = (lambda w, rows: w - x[rows].mean()), 6, [50.0]
    path = walk(stochastic_gradient_descent, T, *walked, step=lambda t: 1 / t, rng=rng)
    means = np.cumsum(x[drawn(path, T).clip(0, 5)]) / np.arange(1, T + 1)
    yield equal("iterates against running means", iterates(path)[1:, 0], means, rounding(T, 50), x=x)
    path = walk(stochastic_gradient_descent, T, *walked, step=0.25, rng=rng)
    w, rows = iterates(path)[:, 0], drawn(path, T).clip(0, 5)
    summed = x[rows].mean() - (w[-1] - w[0]) / (0.25 * T)
    yield equal("mean of the iterates, summed up", w[:-1].mean(), summed, rounding(T, 50), x=x)
    *_, mean = running_means(w[1:])
    yield equal("the last of the running means", mean, w[1:].mean(), rounding(T, 50), x=x)
    if "average" in options_of(stochastic_gradient_descent):
        path = walk(stochastic_gradient_descent, T, *walked, step=0.25, rng=rng, average=True)
        yield equal("the average", path.x[0], iterates(path)[1:, 0].mean(), rounding(T, 50), x=x)


# ------------------------------------------------------------------- 8 Corners
@statement("definition", "8 deeper", "Shi, gradient and sub-gradient, convexity")
def gd_subgradient_convexity(hinge_risk, hinge_subgradient, rng):
    r"""$s$ is a subgradient of a convex $f$ at $w$ if $f(z) \ge f(w) + \langle s, z - w\rangle$ for all $z$.
    The hinge loss $\max(0, 1 - m)$ and the perceptron's $\max(0, -m)$ have a kink; any weight in $[0, 1]$ of
    a row on it gives a subgradient, a weight outside does not."""
    X, y, w = signed_rows(rng)
    points = rng.integers(-6, 7, (40, 3)).astype(float)
    points[:6] = w + np.vstack([np.eye(3), -np.eye(3)]) / 4  # close by, on both sides of the kinks
    for name, threshold in (("hinge", 1.0), ("perceptron", 0.0)):
        v = w if threshold else np.array([0.0, w[1], w[2]])  # margins of the first rows: 1, or 0
        own = np.maximum(0, threshold - y * (X @ v)).mean()
        values = np.maximum(0, threshold - points @ (X * y[:, None]).T).mean(axis=1)
        slopes = [hinge_subgradient(v, X, y, threshold=threshold, kink=k) for k in (0.0, 0.5, 1.0)]
        for kink, s in zip((0.0, 0.5, 1.0), slopes, strict=True):
            gaps = values - own - (points - v) @ s
            yield at_least(f"{name}, weight {kink}", gaps, 0.0, rounding(27, 60), X=X, y=y, w=v)
        on = -np.mean((X * y[:, None]) * (y * (X @ v) == threshold)[:, None], axis=0)
        share, half = slopes[2] - slopes[0], slopes[1] - slopes[0]
        yield equal(f"{name}: share of the rows on the kink", share, on, rounding(9, 3), X=X, y=y, w=v)
        yield equal(f"{name}: half of it", half, on / 2, rounding(9, 3), X=X, y=y, w=v)
        risks = [hinge_risk(z, X, y, threshold=threshold) for z in points]
        yield equal(f"{name}: risks", risks, values, rounding(27, 60), X=X, y=y)
    refused = [refuses(hinge_subgradient, w, X, y, kink=k) for k in (-0.5, 1.5)]
    yield equal("weights outside [0, 1] refused", sum(refused), 2)


@statement("theorem", "8", "Shor (1962)", "Polyak (1967)")
def subgradient_rate(subgradient_method, rng, *, T=60):
    r"""For a convex $f$ with subgradients of norm at most $G$ and a minimiser at distance $r$, the
    subgradient method has $\min_{t < T}f(w_t) - f(w^\star) \le \frac{r^2 + G^2\sum\eta_t^2}{2\sum\eta_t}$,
    projected or not. Its answer is the best iterate, not the last."""
    target = rng.integers(-4, 5, 3).astype(float)
    target[0] = 4.0

    value, slope = (lambda w: float(abs(w - target).sum())), (lambda w: np.sign(w - target))
    box = {"project": lambda w: np.clip(w, -1, 1)}
    for name, options, best in (("plain", {}, target), ("on the box of side 2", box, np.clip(target, -1, 1))):
        options["step"] = lambda t: 1 / math.sqrt(t)
        trace = walk(subgradient_method, T, value, slope, np.zeros(3), **options)
        path = iterates(trace)
        yield at_least(f"iterates, {name}", len(path), 2)
        etas = 1 / np.sqrt(np.arange(1, len(path)))
        steps = path[:-1] - etas[:, None] * np.array([slope(w) for w in path[:-1]])
        steps = options.get("project", lambda w: w)(steps)
        yield equal(f"iterates, {name}", path[1:], steps, rounding(9, 20), target=target)
        values = np.array([value(w) for w in path])
        bound = (float(best @ best) + 3 * float((etas**2).sum())) / (2 * float(etas.sum()))
        excess = values[:-1].min() - value(best)
        yield at_most(f"the best value, {name}", excess, bound, rounding(60, 20), target=target)
        answer = value(trace[-1][1] if isinstance(trace, list) else trace.x)
        yield equal(f"value of the answer, {name}", answer, values.min(), rounding(9, 20), target=target)
    corner = (lambda w: float(abs(w).sum())), np.sign
    yield from at_rest("the corner", subgradient_method, *corner, [1.0, -1.0], step=lambda t: 1.0)


# ------------------------------------------------------------------- 9 What the notes print
@correction("hypothesis", "9 deeper", "Yan, brief introduction to gradient descent")
def erratum_y10(gradient_descent):
    r"""Printed: "When $\eta$ is properly small" and $f$ is smooth, gradient descent has $f(w_{t+1}) \le
    f(w_t)$.
    Right: Smooth must be read as in the slides' sources, the *gradient* is $L$-Lipschitz, and properly small
    as $\eta < 2/L$; then it is right. Infinitely often differentiable is not enough: for $w^4$ every fixed
    $\eta$ ascends from $|w_0| > 1/\sqrt{2\eta}$."""
    value, slope = (lambda w: float(w[0] ** 4)), (lambda w: 4 * w**3)
    for eta in (2.0**-1, 2.0**-10, 2.0**-40):
        start = 1.5 / math.sqrt(2 * eta)
        path = run(gradient_descent, 1, value, slope, [start], step=eta)  # 1 - 4 eta w^2 at 1.125/eta: -3.5
        went_up = len(path) == 1 or path[1, 0] ** 4 > start**4  # stopped at the rise, or shows it
        yield equal(f"the value rises at step {eta:.2g}", bool(went_up), True)
        if len(path) == 2:
            yield equal("ratio of the two values", path[1, 0] ** 4 / start**4, 3.5**4, rounding(24, 200))
    what, near = "within the corrected form", [0.5 / math.sqrt(2)]
    path = yield from full_run(what, gradient_descent, 20, value, slope, near, step=1.0)
    values = path[:, 0] ** 4  # on |w| <= 0.36 the gradient is 1.5-Lipschitz and 1 < 2/1.5
    yield at_most("steps of a run within the corrected form", np.diff(values), 0.0, rounding(4))


def reciprocal():
    """Return 1/w for w >= 1, continued by a parabola: convex, gradient 2-Lipschitz, no minimiser."""

    def value(w):
        return float(np.where(w >= 1, 1 / np.maximum(w, 1), 1 - (w - 1) + (w - 1) ** 2)[0])

    return value, lambda w: np.where(w >= 1, -1 / np.maximum(w, 1) ** 2, 2 * (w - 1) - 1)


@correction("hypothesis", "9 deeper", "Yan, brief introduction to gradient descent")
def erratum_y11(gradient_descent, sublinear_bound):
    r"""Printed: $f(w_t) - f^\star \le O(\|w_0 - w^\star\|^2/t)$ for $t = 0, 1, \dots$ if $f$ is convex.
    Right: For $t \ge 1$; at $t = 0$ the right side is no number. A minimiser must exist and $\eta$ be at most
    $1/L$, which the slide may mean. For $\eta = 2/L$ a quadratic never comes down. Without a minimiser the
    rate fails: for $1/w$, continued by a parabola below 1, $t\,f(w_t)$ grows without bound."""
    path = run(gradient_descent, 50, *quadratic([[1.0]]), [1.0], step=2.0)
    yield equal("values at step 2/L", path[:, 0] ** 2 / 2, np.full(51, 0.5))
    refused = refuses(sublinear_bound, 3, smoothness=1.0, radius=1.0, step=1.5)
    yield equal("a step above 1/L refused by the bound", refused, True)
    at_start = sublinear_bound(0, smoothness=1.0, radius=1.0)
    yield equal("the corrected bound at t = 0", at_start, 0.5, rounding(4))
    path = yield from full_run("1/w", gradient_descent, 1000, *reciprocal(), [1.0], step=0.5)
    # w^3 rises by at least 3 w^2 eta/w^2 = 1.5 in a step, and by at most 1.5 + 3 eta^2 + eta^3 < 2.4
    later = 1000 / path[1000, 0], 100 / path[100, 0]  # t f(w_t)
    # so that (1.5 t)^(1/3) <= w_t <= (2.4 t + 1)^(1/3)
    least = 10 ** (2 / 3) * (1.5 / 2.41) ** (1 / 3)
    yield at_least("t f(w_t) after 1,000 steps, over that after 100", later[0] / later[1], least)


@correction("notation", "9 deeper", "Yan, stochastic gradient descent")
def erratum_y13(gradient_descent, noise_floor):
    r"""Printed: The full step is written with $\nabla g(\beta; x_i)$, and stochastic descent is said to
    have nice properties.
    Right: The gradient is taken at the current $\beta^t$. With a constant step the variance does not go below
    $\eta s^2/(2 - \eta)$; the steps must decrease, or the iterates be averaged."""
    path = run(gradient_descent, 6, *quadratic([[1.0]]), [1.0], step=0.5)[:, 0]
    frozen = 1 - 0.5 * np.arange(7)  # the gradient at the start, ever again
    yield equal("gradient at the current point", path, 0.5 ** np.arange(7), rounding(8))
    yield at_least("distance to the path of the literal reading", abs(path - frozen)[2:], 0.2)
    late = [noise_floor(step=0.1, variance=1.0, t=t, start=4.0) for t in (10, 100, 1000, 10_000)]
    yield equal("variance after very many steps", late[-1], 0.1 / 1.9, rounding(8))
    yield at_least("variance at any time", late, 0.1 / 1.9, rounding(8))


# fmt: off
erratum_y12 = gd_linear.corrects("y12", "sharper", "9 deeper",
    "Yan, brief introduction to gradient descent", r"""
    Printed: $\|w_{t+1} - w^\star\| \le (1 - \kappa)^t\|w_0 - w^\star\|$.
    Right: True as printed, and loose by one factor: after $t + 1$ steps there are $t + 1$ factors.""")
