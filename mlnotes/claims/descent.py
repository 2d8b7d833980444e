"""The statements on gradient descent as executable claims, in the order of the lecture.

Functions, constants and minimisers are written down here. Of a method only its iterates are used: values,
gradients and steps are computed from them. A step of a d-dimensional problem has rounding errors of size
d u |w|, and the maps here do not expand, so that T steps have at most T times that.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, hard_cases, hoeffding, rounding, statement
from mlnotes.checking.outputs import first, quietly, refuses

OUTPUTS = {
    "descent_bound": "number", "sublinear_bound": "number", "linear_factor": "number",
    "noise_floor": "number", "mean_squared_error": "number", "hinge_risk": "number",
    "hinge_subgradient": "(d,)",
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
    """Return the mean logistic loss of random integer examples, its gradient, and L = lambda_max(X'X/n)/4."""
    X = rng.integers(-3, 4, (n, d)) * rng.choice([-1, 1], (n, 1))
    X[0] = [3] * d

    def gradient(w):
        return -(X.T @ (1 / (1 + np.exp(X @ w)))) / n

    L = float(np.linalg.eigvalsh(X.T @ X / n)[-1]) / 4
    return lambda w: float(np.logaddexp(0, -X @ w).mean()), gradient, L


def run(method, T, *arguments, **options):
    """Return the first T + 1 states of a method: w_0, ..., w_T, shape (T + 1, d)."""
    return np.array(first(method(*arguments, **options), T), dtype=float)


def values_of(value, path):
    return np.array([value(w) for w in path])


def squared_norms(gradient, path):
    return np.array([float(gradient(w) @ gradient(w)) for w in path])


# ------------------------------------------------------------------- 1 The step
@statement("algorithm", "1", "Yan, brief introduction to gradient descent", "Yan, logistic regression, MLE")
def gd_update(gradient_descent, rng, *, d=3, n_steps=6):
    r"""Gradient descent is $w_{t+1} = w_t - \eta\nabla f(w_t)$. On $f(w) = \frac12 w^\top Aw$ its iterates
    are $w_t = (I - \eta A)^t w_0$."""
    B = rng.integers(-2, 3, (d, d))
    A = B @ B.T + np.diag(np.arange(1, d + 1))
    start, eta = rng.integers(1, 9, d) * rng.choice([-1, 1], d), Fraction(1, 64)  # trace of A at most 42
    M = Fraction(1) * np.eye(d, dtype=int) - eta * A
    exact = np.array([np.linalg.matrix_power(M, t) @ start for t in range(n_steps + 1)]).astype(float)
    path = run(gradient_descent, n_steps, quadratic(A)[1], start.astype(float), 1 / 64)
    yield equal("iterates against exact matrix powers", path, exact, rounding(36, 9), A=A, start=start)


@statement(
    "algorithm", "1 deeper", estimators_only="The reference module yields states, and keeps no trace of them."
)
def traces(
    traced_gradient_descent,
    traced_accelerated_descent,
    traced_newton_method,
    traced_subgradient_method,
    traced_stochastic_descent,
    rng,
):
    r"""A trace has the iterates $w_0, \dots, w_T$ of $T$ steps, their values and the norms of the gradients.
    A run ends early where the gradient vanishes (it has *converged*), or where a value is above the first one
    or not finite, so that $\eta > 2/L$ (it has *diverged*): then it returns the best iterate. It counts
    the gradients of single training examples that it computed."""
    start = rng.integers(1, 9, 2).astype(float)
    f = quadratic(np.diag([1.0, 2.0]))
    for name, method, arguments, options in (
        ("gradient descent", traced_gradient_descent, (*f, start), {"step": 0.25}),
        ("backtracking", traced_gradient_descent, (*_QUARTIC[:2], start), {"step": "backtracking"}),
        ("acceleration", traced_accelerated_descent, (*f, start), {"step": 0.25}),
        ("Newton", traced_newton_method, (*_QUARTIC, start), {}),
        ("subgradients", traced_subgradient_method, (*f, start), {"step": lambda t: 0.1 / t}),
    ):
        for T in (0, 4):
            trace = method(*arguments, n_steps=T, n_rows=3, **options)
            yield equal(f"iterates of {T} steps, {name}", len(trace.iterates), T + 1)
            yield equal(f"values, {name}", trace.values, values_of(arguments[0], trace.iterates))
            yield equal(f"gradients of single examples, {name}", trace.evaluations, 3 * np.arange(T + 1))
            yield equal(f"converged, diverged, {name}", (trace.converged, trace.diverged), (False, False))
            if name != "acceleration":  # its gradients are at other points
                norms = np.sqrt(squared_norms(arguments[1], trace.iterates))
                yield equal(f"norms, {name}", trace.gradient_norms, norms, 1e-12 * (1 + norms))
    for name, method, arguments, options in (
        ("gradient descent", traced_gradient_descent, (*quadratic(np.eye(2)), start), {"step": 1.0}),
        ("acceleration", traced_accelerated_descent, (*quadratic(np.eye(2)), start), {"step": 1.0}),
        ("Newton", traced_newton_method, (*quadratic(2 * np.eye(2)), lambda w: 2 * np.eye(2), start), {}),
        ("subgradients", traced_subgradient_method, (_l1, np.sign, [1.0, -1.0]), {"step": lambda t: 1.0}),
    ):
        trace = method(*arguments, n_steps=5, **options)
        yield equal(f"iterates until the minimum, {name}", len(trace.iterates), 2)
        yield equal(f"the minimum, and that it is reached, {name}", [*trace.x, trace.converged], [0, 0, True])
    f = quadratic(np.diag([1.0, 5.0]))
    for factor in (0.5, 1.0, 1.9, 2.1, 4.0, 1e6):
        trace = quietly(traced_gradient_descent, *f, start, step=factor / 5, n_steps=400)
        yield equal(f"diverged at {factor}/L", trace.diverged, factor > 2)
        best = values_of(f[0], trace.iterates).min()
        yield equal(f"value of the result at {factor}/L, the smallest", f[0](trace.x), best)
    trace = quietly(
        traced_gradient_descent, lambda w: float((w**4).sum()), lambda w: 4 * w**3, [30.0], step=1.0
    )
    yield equal("finite iterates of a run that overflows", bool(np.isfinite(trace.iterates).all()), True)
    yield from _stochastic_traces(traced_stochastic_descent, rng)


_QUARTIC = (  # the sum of w_j^4 / 4 + w_j^2 / 2 and its derivatives
    lambda w: float((w**4).sum() / 4 + w @ w / 2),
    lambda w: w**3 + w,
    lambda w: np.diag(3 * w**2 + 1),
)


def _l1(w):
    return float(abs(w).sum())


def _stochastic_traces(traced_stochastic_descent, rng):
    x = np.array([1.0, 2.0, 6.0])
    problem = (lambda w, batch: w - x[batch].mean()), 3, [16.0]
    options = {"step": 0.25, "n_steps": 60, "rng": rng, "batch_size": 2}
    trace = traced_stochastic_descent(*problem, average=True, **options)
    yield equal("gradients of single examples, two a step", trace.evaluations, 2 * np.arange(61))
    mean = trace.iterates[1:, 0].mean()
    yield equal("the result: the mean of the iterates without the start", trace.x[0], mean, rounding(60, 50))
    far = quietly(traced_stochastic_descent, *problem, **options | {"step": 8.0})
    lengths, t = (len(far.rows), len(far.iterates)), len(far.steps)
    yield equal("steps and iterates of a run stopped far away", lengths, (t, t + 1))
    yield equal("diverged", far.diverged, True)
    yield equal("the last iterate is the result", far.x, far.iterates[-1])


# ------------------------------------------------------------------- 2 The descent lemma
@statement("theorem", "2", "Yan, brief introduction to gradient descent")
def gd_descent(gradient_descent, descent_bound, Huber, rng):
    r"""If $\nabla f$ is $L$-Lipschitz and $0 < \eta < 2/L$, then $f(w_{t+1}) \le f(w_t) - \eta(1 -
    \frac{L\eta}2)\|\nabla f(w_t)\|^2$: every step goes down. The bound is attained by $\frac L2\|w\|^2$."""
    value, slope, L = logistic(rng)
    start = rng.integers(-3, 4, 3).astype(float)
    for eta in (1 / L, 1.9 / L):
        path = run(gradient_descent, 20, slope, start, eta)
        squares = squared_norms(slope, path[:-1])
        promised = eta * (1 - L * eta / 2) * squares
        bounds = [descent_bound(math.sqrt(square), smoothness=L, step=eta) for square in squares]
        yield equal(f"bounds, step {eta * L:.1f}/L", bounds, promised, rounding(12, 40), L=L)
        falls, name = -np.diff(values_of(value, path)), f"fall of the logistic loss, step {eta * L:.1f}/L"
        yield at_least(name, falls, promised, rounding(24, 40), L=L)
    cone, bowl = Huber(0.5), quadratic(3 * np.eye(2))
    path = run(gradient_descent, 5, cone.gradient, [4.0, 0.0], 1.5)
    promised = 1.5 * (1 - 1.5 / 2) * squared_norms(cone.gradient, path[:-1])
    falls = -np.diff(values_of(cone.value, path))
    yield at_least("fall of a Huber function", falls, promised, rounding(16, 8))
    path = run(gradient_descent, 5, bowl[1], [1.0, -2.0], 0.5)
    promised = 0.5 * (1 - 3 * 0.5 / 2) * squared_norms(bowl[1], path[:-1])
    yield equal("fall of a quadratic", -np.diff(values_of(bowl[0], path)), promised, rounding(16, 8))
    yield at_least("first fall of the quadratic", promised[0], 0.09)


@hard_cases(gd_descent)
def huber_values(Huber):
    cone, (value, slope) = Huber(0.5), huber(0.5)
    for r in (0.0, 0.25, 0.5, 4.0):
        w = np.array([r, 0.0])
        yield equal(f"value of the Huber function at {r}", cone.value(w), value(w))
        yield equal(f"its gradient at {r}", cone.gradient(w), slope(w))


@statement("theorem", "2")
def divergence(gradient_descent, rng):
    r"""A value above the one before proves $\eta > 2/L$, $L$ the Lipschitz constant of the gradient on the
    segment. On a quadratic with largest eigenvalue $L$ descent diverges from almost every start if $\eta >
    2/L$, and does not for $\eta < 2/L$."""
    L = float(rng.integers(2, 9))
    (value, slope), start = quadratic(np.diag([1.0, L])), rng.integers(1, 9, 2).astype(float)
    for factor in (0.5, 1.0, 1.9, 2.1, 4.0, 1e6):
        values = values_of(value, run(gradient_descent, 20, slope, start, factor / L))
        if factor < 2:
            yield at_most(f"changes of the value at {factor}/L", np.diff(values), 0.0, rounding(4, values[0]))
        else:
            steepest = (1 - factor) ** 40 * L / 2 * start[1] ** 2  # the part along the steepest direction
            ratio = values[-1] / steepest
            yield at_least(f"value after 20 steps at {factor}/L", ratio, 1.0, rounding(200), L=L)
    # w^4 has the curvature 12 w^2; only a step that is too long for it goes up
    for eta in (0.02, 0.05, 0.08):
        w = run(gradient_descent, 2, lambda w: 4 * w**3, [1.2 / math.sqrt(2 * eta)], eta)[:, 0]
        rises = abs(w[1:]) > abs(w[:-1])
        curvature = 12 * np.maximum(abs(w[1:]), abs(w[:-1]))[rises] ** 2
        yield at_least(f"curvature where w^4 goes up, times {eta}, against 2", eta * curvature, 2.0)


# ------------------------------------------------------------------- 3 The sublinear rate
@statement(
    "theorem",
    "3",
    "Yan, brief introduction to gradient descent",
    "Drori and Teboulle (2014), theorems 3.1 and 3.2",
)
def gd_sublinear(gradient_descent, sublinear_bound, rng, *, steps=(1, 2, 5, 30)):
    r"""Let $f$ be convex with $L$-Lipschitz gradient and a minimiser $w^\star$ at distance $r$ from $w_0$.
    For $\eta = h/L$, $0 < h \le 1$, $f(w_t) - f(w^\star) \le \frac{Lr^2}{4ht + 2}$, which is below
    $\frac{r^2}{2\eta t}$. The Huber function with $\tau = \frac{r}{2ht + 1}$ attains it."""
    L, r = float(rng.integers(1, 5)), float(rng.integers(1, 9))
    slack = rounding(2 * 30, 4 * 64)
    for t, h in product(steps, (1.0, 0.5)):
        bound, exact = sublinear_bound(t, smoothness=L, radius=r, h=h), L * r * r / (4 * h * t + 2)
        yield equal(f"bound, t = {t}, h = {h}", bound, exact, rounding(8, 256), L=L, r=r)
        value, slope = huber(r / (2 * h * t + 1), L)
        end = value(run(gradient_descent, t, slope, [0.6 * r, 0.8 * r], h / L)[-1])
        yield equal(f"value of the worst function, t = {t}, h = {h}", end, exact, slack, L=L, r=r)
        yield at_most("against r^2 / (2 eta t)", end, L * r * r / (2 * h * t), slack, L=L, r=r)
    value, slope = quadratic(np.diag([0, 1, 2, 4]) / 4 * L)
    start = rng.integers(-4, 5, 4).astype(float)
    start[1], start[3] = 2.0, 3.0
    radius2 = float((start[1:] ** 2).sum())  # the first coordinate moves along a line of minimisers
    bounds = L * radius2 / (4 * np.arange(21) + 2)
    values = values_of(value, run(gradient_descent, 20, slope, start, 1 / L))
    yield at_most("values on a quadratic", values, bounds, rounding(80, 400), start=start)


@hard_cases(gd_sublinear)
def bounds_of_all_steps(sublinear_bound):
    yield equal("bound at the step 1/L", sublinear_bound(3, smoothness=2.0, radius=7.0), 7.0, rounding(8, 7))
    yield equal("the bound at t = 0", sublinear_bound(0, smoothness=1.0, radius=1.0), 0.5, rounding(4))
    refused = [refuses(sublinear_bound, 3, smoothness=1.0, radius=1.0, h=h) for h in (-0.1, 0.0, 1.5)]
    yield equal("steps outside (0, 1/L] refused", refused, [True] * 3)


# ------------------------------------------------------------------- 4 The linear rate
@statement("theorem", "4", "Yan, brief introduction to gradient descent")
def gd_linear(gradient_descent, linear_factor, rng):
    r"""If $f$ is $\mu$-strongly convex with $L$-Lipschitz gradient and minimiser $w^\star$, then $\|w_t -
    w^\star\| \le \rho^t\|w_0 - w^\star\|$, $\rho = \max(|1 - \eta\mu|, |1 - \eta L|)$, below 1 for $0 < \eta
    < 2/L$ and smallest, $\frac{L - \mu}{L + \mu}$, at $\eta = \frac2{L + \mu}$. A quadratic attains it."""
    mu, L, T = float(rng.choice([0.25, 0.5])), float(rng.integers(1, 4)), 12
    start, bowl, cone = np.array([3.0, 4.0]), quadratic(np.diag([mu, L])), huber(1.0, L - mu)
    for eta in (0.25 / L, 1 / L, 2 / (L + mu), 1.95 / L):
        rho = max(abs(1 - eta * mu), abs(1 - eta * L))
        factor = linear_factor(smoothness=L, convexity=mu, step=eta)
        yield equal(f"factor, step {eta * L:.3g}/L", factor, rho, rounding(8, 4), mu=mu, L=L)
        worst = [0.0, 4.0] if abs(1 - eta * L) > abs(1 - eta * mu) else [3.0, 0.0]  # an eigenvector
        lengths = np.linalg.norm(run(gradient_descent, T, bowl[1], worst, eta), axis=1)
        bound = rho ** np.arange(T + 1)
        yield equal("distances, quadratics", lengths / lengths[0], bound, rounding(4 * T, 4), mu=mu, L=L)
        # mu/2 |w|^2 + (L - mu) Huber has no second derivative where |w| = 1
        path = run(gradient_descent, T, lambda w: mu * w + cone[1](w), start, eta)
        lengths, slack = np.linalg.norm(path, axis=1), rounding(8 * T, 20)
        yield at_most("distances, once differentiable only", lengths, 5 * bound, slack, mu=mu, L=L)
    best = linear_factor(smoothness=L, convexity=mu, step=2 / (L + mu))
    yield equal("the smallest factor", best, (L - mu) / (L + mu), rounding(8, 4), mu=mu, L=L)


@hard_cases(gd_linear)
def constants_of_a_quadratic(Quadratic, rng):
    mu, L = float(rng.choice([0.25, 0.5])), float(rng.integers(1, 4))
    f, w = Quadratic(np.diag([mu, L])), np.array([3.0, 4.0])
    reported = f.convexity, f.smoothness, f.value(w), *f.gradient(w)
    exact = (mu, L, (9 * mu + 16 * L) / 2, 3 * mu, 4 * L)
    yield equal("mu, L, value and gradient at (3, 4)", reported, exact, rounding(8, 40))


# ------------------------------------------------------------------- 5 Faster than the gradient
@statement("algorithm", "5")
def backtracking(backtracking_descent, rng):
    r"""Halving $\eta$ until $f(w - \eta g) \le f(w) - \frac\eta2\|g\|^2$ needs no $L$: every accepted step is
    at least $\frac1{2L}$ (or the first $\eta$ tried, 1), and goes down by $\frac\eta2\|g\|^2$."""
    L = 2.0 * float(rng.integers(10, 200)) + 1  # odd: no step 2^-k ends exactly at 0
    value, slope = quadratic(np.diag([1.0, 2.0, L]))
    start, T = rng.integers(1, 9, 3).astype(float), 25
    path = run(backtracking_descent, T, value, slope, start)
    g = np.array([slope(w) for w in path[:-1]])
    etas = -(np.diff(path, axis=0) * g).sum(axis=1) / (g**2).sum(axis=1)  # the steps that were taken
    yield at_least("steps", etas, 0.5 / L, rounding(12), L=L, start=start)
    yield equal("halvings of 1", np.log2(etas), np.round(np.log2(etas)), rounding(12))
    falls, slack = -np.diff(values_of(value, path)), rounding(12, value(start))
    yield at_least("falls", falls, etas / 2 * (g**2).sum(axis=1), slack, L=L, start=start)
    across = np.diff(path, axis=0) + etas[:, None] * g
    yield equal("parts of the steps across the gradient", across, np.zeros((T, 3)), rounding(12, 9), L=L)


@hard_cases(backtracking)
def steps_that_grow(backtracking_descent):
    path = run(backtracking_descent, 3, *quadratic([[0.25]]), [2.0**14])
    yield equal("iterates with the steps 1, 2, 4", path[:, 0], np.array([1, 0.75, 0.375, 0]) * 2.0**14)


@statement("theorem", "5", "Nesterov (1983)", "Beck and Teboulle (2009), theorem 4.4")
def acceleration(accelerated_descent, rng):
    r"""Nesterov's method with $\eta \le 1/L$ has $f(w_t) - f(w^\star) \le \frac{2r^2}{\eta(t + 1)^2}$ for
    every convex $f$ with $L$-Lipschitz gradient and a minimiser at distance $r$. With the momentum $\frac{1 -
    \sqrt{\eta\mu}}{1 + \sqrt{\eta\mu}}$ for a $\mu$-strongly convex $f$ it has $f(w_t) - f(w^\star) \le (1 -
    \sqrt{\eta\mu})^t(f(w_0) - f(w^\star) + \frac\mu2r^2)$."""
    L, T = float(rng.integers(1, 5)), 60
    bounds = 4 * L * 100.0 / np.arange(2, T + 2) ** 2  # r = 10, and the step is 1/(2L)
    for name, (value, slope), start in (
        ("a Huber function", huber(10.0 / (T + 1), L), [6.0, 8.0]),
        ("a quadratic", quadratic(L * np.diag([1e-4, 1.0])), [10.0, 0.0]),
    ):
        values = values_of(value, run(accelerated_descent, T, slope, start, 0.5 / L))
        yield at_most(f"values on {name}", values[1:], bounds, rounding(8 * T, 50 * L), L=L)
    value, slope = quadratic(np.diag([0.01, 1.0]))
    values = values_of(value, run(accelerated_descent, 80, slope, [3.0, 4.0], 1.0, convexity=0.01))
    bounds = 0.9 ** np.arange(81) * (values[0] + 0.01 * 25 / 2)  # sqrt(eta mu) = 0.1
    yield at_most("values, strongly convex", values, bounds, rounding(8 * 80, 9))


@hard_cases(acceleration)
def every_accelerated_iterate(accelerated_descent, rng):
    L = float(rng.integers(1, 5))
    for name, slope, start in (
        ("a Huber function", huber(0.5, L)[1], np.array([6.0, 8.0])),
        ("a quadratic", quadratic(L * np.diag([1e-4, 1.0]))[1], np.array([10.0, 0.0])),
    ):
        w, ahead, theta = start, start, 1.0
        for t, state in enumerate(run(accelerated_descent, 40, slope, start, 0.5 / L)):
            yield equal(f"iterate {t} on {name}", state, w, rounding(8 * (t + 1), 10))
            theta_next = (1 + math.sqrt(1 + 4 * theta**2)) / 2
            w_next = ahead - slope(ahead) / (2 * L)
            ahead = w_next + (theta - 1) / theta_next * (w_next - w)
            w, theta = w_next, theta_next


@statement("theorem", "5")
def newton(newton_method, rng):
    r"""Newton's method, $w_{t+1} = w_t - H^{-1}\nabla f(w_t)$, minimises a strictly convex quadratic in one
    step and does not depend on the coordinates: for $g(v) = f(Bv)$, $B$ invertible, its iterates are
    $B^{-1}w_t$. The step is halved until the value falls by a tenth of what the slope promises: on $\sqrt{1 +
    w^2}$, where full steps go from $w$ to $-w^3$, this leads to the minimum from any start."""
    A = np.diag([1.0, 100.0, 10.0]) + np.ones((3, 3))
    one = run(newton_method, 1, *quadratic(A), lambda w: A, [4.0, -7.0, 2.0])
    yield equal("the minimum of a quadratic", one[1], np.zeros(3), rounding(27, 100 * 7))
    B = rng.integers(-1, 2, (3, 3))
    B = B @ B.T + np.eye(3)  # condition at most 10, determinant at least 1
    value, slope, hessian = _QUARTIC
    start = rng.choice([-2.0, -1.0, 1.0, 2.0], 3)
    plain = run(newton_method, 3, value, slope, hessian, start)
    moved = (lambda v: value(B @ v)), (lambda v: B.T @ slope(B @ v)), (lambda v: B.T @ hessian(B @ v) @ B)
    path = run(newton_method, 3, *moved, np.linalg.solve(B, start))
    slack = rounding(3 * 27, 100 * 10)  # conditions of BB' and of B; the Hessian's is at most 13
    yield equal("iterates in other coordinates", path @ B.T, plain, slack, B=B, start=start)
    start = float(rng.integers(2, 90))
    far = run(newton_method, 30, *_HYPERBOLA, [start])[:, 0]
    yield equal("where halved steps lead", far[-1], 0.0, rounding(1))


_HYPERBOLA = (  # sqrt(1 + w^2) and its derivatives
    lambda w: math.hypot(1, w[0]),
    lambda w: w / math.hypot(1, w[0]),
    lambda w: np.eye(1) * math.hypot(1, w[0]) ** -3,
)


@hard_cases(newton)
def halved_newton_steps(newton_method, rng):
    start = float(rng.integers(2, 90))
    path = run(newton_method, 12, *_HYPERBOLA, [start])[:, 0]
    right = [start]
    for w in path[:-1].tolist():  # each from where the method was
        eta, f = 1.0, math.hypot(1, w)
        while math.hypot(1, w - eta * (w + w * w * w)) > f * (1 - 0.1 * eta * w * w + 2.0**-50):
            eta /= 2
        right.append(w - eta * (w + w * w * w))
    yield equal("steps that are halved where they are too long", path, right, rounding(30, start**3))


# ------------------------------------------------------------------- 6 One training example at a time
def signed_examples(rng, n=9, d=3):
    """Return integer examples, labels and weights; every third example is at the corner of the hinge loss."""
    w = rng.integers(1, 4, d) * rng.choice([-1, 1], d)
    X, y = rng.integers(-3, 4, (n, d)), rng.choice([-1, 1], n)
    X[::3] = 0
    X[::3, 0] = (y * np.sign(w[0]))[::3]
    w[0] = np.sign(w[0])  # the margins of these examples are 1
    return X.astype(float), y.astype(float), w.astype(float)


@statement("definition", "6", "Yan, stochastic gradient descent")
def sgd_erm(hinge_risk, hinge_subgradient, rng):
    r"""An empirical risk is a mean over the training examples, $f(w) = \frac1n\sum_i f_i(w)$, and so is its
    (sub)gradient."""
    X, y, w = signed_examples(rng)
    risk = np.mean([max(0.0, 1 - b * float(w @ x)) for x, b in zip(X, y, strict=True)])
    yield equal("risk against the mean", hinge_risk(w, X, y), risk, rounding(9, 40), X=X, y=y)
    slopes = [hinge_subgradient(w, x[None], np.array([b]), kink=1.0) for x, b in zip(X, y, strict=True)]
    whole, slack = hinge_subgradient(w, X, y, kink=1.0), rounding(9, 3)
    yield equal("subgradient against the mean", whole, np.mean(slopes, axis=0), slack, X=X, y=y)


@hard_cases(sgd_erm)
def examples_at_the_corner(hinge_subgradient, rng):
    X, y, w = signed_examples(rng)
    margins, slack = y * (X @ w), rounding(9, 3)
    for kink, counted in ((0.0, margins < 1), (1.0, margins <= 1)):
        exact = -(y * counted) @ X / len(y)
        s = hinge_subgradient(w, X, y, kink=kink)
        yield equal(f"subgradient with the weight {kink} at the corner", s, exact, slack, X=X, y=y, w=w)
    plain = hinge_subgradient(w, X, y)
    yield equal("subgradient, by default", plain, -(y * (margins < 1)) @ X / len(y), slack, X=X, y=y, w=w)


def drawn(states):
    """Return w_0, ..., w_T and the training example behind each of the T steps, from pairs (w, batch)."""
    path = np.array([w for w, _ in states], dtype=float)[:, 0]
    return path, np.array([batch for _, batch in states[1:]], dtype=int).reshape(len(path) - 1)


@statement("algorithm", "6", "Yan, stochastic gradient descent", false_alarm=1e-9)
def sgd_update(stochastic_gradient_descent, rng, *, n=5, T=4000, eta=0.125):
    r"""Stochastic gradient descent draws $i_t$ independently and uniformly from the training examples and
    takes $w_{t+1} = w_t - \eta\nabla f_{i_t}(w_t)$: given the past, the mean of the step is the step of
    gradient descent."""
    x = rng.integers(-9, 10, n).astype(float)
    states = stochastic_gradient_descent(lambda w, i: w - x[i].mean(), n, [16.0], lambda t: eta, rng)
    path, i = drawn(first(states, T))
    yield equal("examples that exist", int(np.isin(i, range(n)).sum()), T)
    replay = [16.0]
    for k in i.clip(0, n - 1):
        replay.append(replay[-1] - eta * (replay[-1] - x[k]))
    yield equal("iterates, replayed", path, replay, rounding(T, 32), x=x)
    # Hoeffding for n frequencies, and for the proportion of pairs of equal draws at five lags
    failure = 1e-9 / (n + 5)
    proportions = np.bincount(i.clip(0, n - 1), minlength=n) / T
    yield equal("proportions of the examples", proportions, np.full(n, 1 / n), hoeffding(T, failure))
    for lag in range(1, 6):
        blocks = i[: T // (2 * lag) * 2 * lag].reshape(-1, 2, lag)
        pairs = blocks[:, 0] == blocks[:, 1]  # disjoint pairs of draws `lag` apart
        slack = hoeffding(pairs.size, failure)
        yield equal(f"proportion of equal draws, lag {lag}", pairs.mean(), 1 / n, slack)


# ------------------------------------------------------------------- 7 What noise costs
@statement("claim", "7", "Yan, stochastic gradient descent")
def sgd_cheap(noise_floor, mean_squared_error, rng):
    r"""A stochastic step costs one gradient $\nabla f_i$, a full step $n$. But there is noise: on $f_i(w) =
    \frac12(w - x_i)^2$ with constant $\eta$, $v_t = E(w_t - \bar x)^2$ obeys $v_{t+1} = (1 - \eta)^2v_t +
    \eta^2s^2$, $s^2 = \frac1n\sum_i(x_i - \bar x)^2$, and tends to $\frac{\eta s^2}{2 - \eta} > 0$."""
    x = [int(v) for v in rng.integers(-5, 6, 3)]
    x[0] = x[1] + 2  # some spread
    mean = Fraction(sum(x), 3)
    variance = sum((v - mean) ** 2 for v in x) / 3
    eta, start = Fraction(int(rng.integers(1, 4)), 4), Fraction(int(rng.integers(-9, 10)))
    start += start == mean  # the start is to count
    ends = [start]  # one of every sequence of draws
    for t in range(6):
        exact = float(sum((w - mean) ** 2 for w in ends) / 3**t)
        ends = [w - eta * (w - v) for w in ends for v in x]
        v_t = mean_squared_error(t, float((start - mean) ** 2), float(eta), float(variance))
        yield equal(f"v_{t}, the mean over all draws", v_t, exact, rounding(40, 400), x=x)
    limit = noise_floor(float(eta), float(variance))
    yield equal("its limit", limit, float(eta * variance / (2 - eta)), rounding(8, 100), x=x)


@hard_cases(sgd_cheap)
def gradients_of_a_step(stochastic_gradient_descent, gradient_descent, rng):
    data, used = rng.integers(-5, 6, 3).astype(float), []

    def gradient(w, batch=(0, 1, 2)):
        used.append(list(batch))
        return w - data[np.array(batch)].mean()

    states = first(stochastic_gradient_descent(gradient, 3, [7.5], lambda t: 0.5, rng), 7)
    batches = [list(batch) for _, batch in states[1:]]
    yield equal("gradients of one stochastic step each", [len(batch) for batch in batches], [1] * 7)
    yield equal("gradients computed are those reported", str(used[:7]), str(batches))
    used.clear()
    first(gradient_descent(gradient, [7.5], 0.5), 7)
    yield equal("gradients of one full step each", [len(batch) for batch in used[:7]], [3] * 7)


@statement("theorem", "7", "Robbins and Monro (1951)")
def robbins_monro(stochastic_gradient_descent, running_means, rng, *, T=200):
    r"""With steps $\eta_t = \frac1t$ on $f_i(w) = \frac12(w - x_i)^2$ the iterate is the mean of the examples
    drawn, so that $E(w_t - \bar x)^2 = \frac{s^2}t$ from any start. With a constant step the average of the
    iterates settles as well: summed, the steps give $\frac1T\sum_{t<T}w_t = \frac1T\sum_tx_{i_t} - \frac{w_T
    - w_0}{\eta T}$."""
    x = rng.integers(-9, 10, 6).astype(float)
    problem = (lambda w, i: w - x[i].mean()), 6, [50.0]
    path, i = drawn(first(stochastic_gradient_descent(*problem, lambda t: 1 / t, rng), T))
    means = np.cumsum(x[i.clip(0, 5)]) / np.arange(1, T + 1)
    yield equal("iterates against running means", path[1:], means, rounding(T, 50), x=x)
    path, i = drawn(first(stochastic_gradient_descent(*problem, lambda t: 0.25, rng), T))
    summed = x[i.clip(0, 5)].mean() - (path[-1] - path[0]) / (0.25 * T)
    yield equal("mean of the iterates, summed up", path[:-1].mean(), summed, rounding(T, 50), x=x)
    *_, mean = running_means(path[1:])
    yield equal("the last of the running means", mean, path[1:].mean(), rounding(T, 50), x=x)


# ------------------------------------------------------------------- 8 Corners
@statement("definition", "8 deeper", "Shi, gradient and sub-gradient, convexity")
def gd_subgradient_convexity(hinge_risk, hinge_subgradient, rng):
    r"""$s$ is a subgradient of a convex $f$ at $w$ if $f(z) \ge f(w) + \langle s, z - w\rangle$ for all $z$.
    The hinge loss $\max(0, 1 - m)$ and the perceptron's $\max(0, -m)$ have a corner; any weight in $[0, 1]$
    of an example at it gives a subgradient, a weight outside does not."""
    X, y, w = signed_examples(rng)
    points = rng.integers(-6, 7, (40, 3)).astype(float)
    points[:6] = w + np.vstack([np.eye(3), -np.eye(3)]) / 4  # close by, on both sides of the corners
    for name, threshold in (("hinge", 1.0), ("perceptron", 0.0)):
        v = w if threshold else np.array([0.0, w[1], w[2]])  # margins of the first examples: 1, or 0
        values = np.maximum(0, threshold - points @ (X * y[:, None]).T).mean(axis=1)
        risks = [hinge_risk(z, X, y, threshold=threshold) for z in points]
        yield equal(f"{name}: risks", risks, values, rounding(27, 60), X=X, y=y)
        here = np.maximum(0, threshold - y * (X @ v)).mean()
        for kink in (0.0, 0.5, 1.0):
            s = hinge_subgradient(v, X, y, threshold=threshold, kink=kink)
            gaps = values - here - (points - v) @ s
            yield at_least(f"{name}, weight {kink}", gaps, 0.0, rounding(27, 60), X=X, y=y, w=v)
    refused = [refuses(hinge_subgradient, w, X, y, kink=kink) for kink in (-0.5, 1.5)]
    yield equal("weights outside [0, 1] refused", sum(refused), 2)


@hard_cases(gd_subgradient_convexity)
def weights_at_the_corner(hinge_subgradient, rng):
    X, y, w = signed_examples(rng)
    for threshold in (1.0, 0.0):
        v = w if threshold else np.array([0.0, w[1], w[2]])
        slopes = [hinge_subgradient(v, X, y, threshold=threshold, kink=k) for k in (0.0, 0.5, 1.0)]
        at_corner = -np.mean((X * y[:, None]) * (y * (X @ v) == threshold)[:, None], axis=0)
        yield equal("part of the examples at the corner", slopes[2] - slopes[0], at_corner, rounding(9, 3))
        yield equal("half of it", slopes[1] - slopes[0], at_corner / 2, rounding(9, 3))


@statement("theorem", "8", "Shor (1962)", "Polyak (1967)")
def subgradient_rate(subgradient_method, rng, *, T=60):
    r"""For a convex $f$ with subgradients of norm at most $G$ and a minimiser at distance $r$, the
    subgradient method has $\min_{t < T}f(w_t) - f(w^\star) \le \frac{r^2 + G^2\sum\eta_t^2}{2\sum\eta_t}$,
    projected or not. It returns the best iterate, not the last."""
    target = rng.integers(-4, 5, 3).astype(float)
    target[0] = 4.0
    value, slope = (lambda w: float(abs(w - target).sum())), (lambda w: np.sign(w - target))
    etas = 1 / np.sqrt(np.arange(1, T + 1))
    for name, project, best in (
        ("plain", lambda w: w, target),
        ("on the box of side 2", lambda w: np.clip(w, -1, 1), np.clip(target, -1, 1)),
    ):
        states = first(subgradient_method(value, slope, np.zeros(3), lambda t: 1 / math.sqrt(t), project), T)
        path = np.array([w for w, _ in states])
        steps = [project(w - eta * slope(w)) for w, eta in zip(path[:-1], etas, strict=True)]
        yield equal(f"iterates, {name}", path[1:], np.array(steps), rounding(9, 20), target=target)
        values = values_of(value, path)
        bound = (float(best @ best) + 3 * float((etas**2).sum())) / (2 * float(etas.sum()))
        excess = values[:-1].min() - value(best)
        yield at_most(f"the best value, {name}", excess, bound, rounding(60, 20), target=target)
        yield equal(f"value of the result, {name}", value(states[-1][1]), values.min(), rounding(9, 20))


# ------------------------------------------------------------------- 9 What the notes print
@correction("hypothesis", "9 deeper", "Yan, brief introduction to gradient descent")
def erratum_y10(gradient_descent):
    r"""Printed: "When $\eta$ is properly small" and $f$ is smooth, gradient descent has $f(w_{t+1}) \le
    f(w_t)$.
    Right: Smooth must be read as in the slides' sources, the *gradient* is $L$-Lipschitz, and properly small
    as $\eta < 2/L$; then it is right. Infinitely often differentiable is not enough: for $w^4$ every fixed
    $\eta$ ascends from $|w_0| > 1/\sqrt{2\eta}$."""
    for eta in (2.0**-1, 2.0**-10, 2.0**-40):
        start = 1.5 / math.sqrt(2 * eta)
        path = run(gradient_descent, 1, lambda w: 4 * w**3, [start], eta)  # 1 - 4 eta w^2 at 1.125/eta: -3.5
        ratio = path[1, 0] ** 4 / start**4
        yield equal(f"ratio of the two values at step {eta:.2g}", ratio, 3.5**4, rounding(24, 200))
    path = run(gradient_descent, 20, lambda w: 4 * w**3, [0.5 / math.sqrt(2)], 1.0)
    values = path[:, 0] ** 4  # on |w| <= 0.36 the gradient is 1.5-Lipschitz and 1 < 2/1.5
    yield at_most("steps of a run within the corrected form", np.diff(values), 0.0, rounding(4))


def _reciprocal_slope(w):
    """Return the derivative of 1/w for w >= 1, continued by a parabola: convex, 2-Lipschitz, no minimiser."""
    return np.where(w >= 1, -1 / np.maximum(w, 1) ** 2, 2 * (w - 1) - 1)


@correction("hypothesis", "9 deeper", "Yan, brief introduction to gradient descent")
def erratum_y11(gradient_descent, sublinear_bound):
    r"""Printed: $f(w_t) - f^\star \le O(\|w_0 - w^\star\|^2/t)$ for $t = 0, 1, \dots$ if $f$ is convex.
    Right: For $t \ge 1$; at $t = 0$ the right side is no number. A minimiser must exist and $\eta$ be at most
    $1/L$, which the slide may mean. For $\eta = 2/L$ a quadratic never comes down. Without a minimiser the
    rate fails: for $1/w$, continued by a parabola below 1, $t\,f(w_t)$ grows without bound."""
    path = run(gradient_descent, 50, lambda w: w, [1.0], 2.0)
    yield equal("values at step 2/L", path[:, 0] ** 2 / 2, np.full(51, 0.5))
    refused = refuses(sublinear_bound, 3, smoothness=1.0, radius=1.0, h=1.5)
    yield equal("a step above 1/L refused by the bound", refused, True)
    at_start = sublinear_bound(0, smoothness=1.0, radius=1.0)
    yield equal("the corrected bound at t = 0", at_start, 0.5, rounding(4))
    path = run(gradient_descent, 1000, _reciprocal_slope, [1.0], 0.5)[:, 0]
    # w^3 rises by at least 3 w^2 eta/w^2 = 1.5 in a step, and by at most 1.5 + 3 eta^2 + eta^3 < 2.4
    later = 1000 / path[1000], 100 / path[100]  # t f(w_t)
    # so that (1.5 t)^(1/3) <= w_t <= (2.4 t + 1)^(1/3)
    smallest = 10 ** (2 / 3) * (1.5 / 2.41) ** (1 / 3)
    yield at_least("t f(w_t) after 1,000 steps, over that after 100", later[0] / later[1], smallest)


@correction("notation", "9 deeper", "Yan, stochastic gradient descent")
def erratum_y13(gradient_descent, mean_squared_error):
    r"""Printed: The full step is written with $\nabla g(\beta; x_i)$, and stochastic descent is said to
    have nice properties.
    Right: The gradient is taken at the current $\beta^t$. With a constant step the variance does not go below
    $\eta s^2/(2 - \eta)$; the steps must decrease, or the iterates be averaged."""
    path = run(gradient_descent, 6, lambda w: w, [1.0], 0.5)[:, 0]
    frozen = 1 - 0.5 * np.arange(7)  # the gradient at the start, ever again
    yield equal("gradient at the current point", path, 0.5 ** np.arange(7), rounding(8))
    yield at_least("distance to the path of the literal reading", abs(path - frozen)[2:], 0.2)
    late = [mean_squared_error(t, 4.0, 0.1, 1.0) for t in (10, 100, 1000, 10_000)]
    yield equal("variance after very many steps", late[-1], 0.1 / 1.9, rounding(8))
    yield at_least("variance at any time", late, 0.1 / 1.9, rounding(8))


# fmt: off
erratum_y12 = gd_linear.corrects("y12", "sharper", "9 deeper",
    "Yan, brief introduction to gradient descent", r"""
    Printed: $\|w_{t+1} - w^\star\| \le (1 - \kappa)^t\|w_0 - w^\star\|$.
    Right: True as printed, and loose by one factor: after $t + 1$ steps there are $t + 1$ factors.""")
