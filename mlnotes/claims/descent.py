"""The statements on gradient descent as executable claims, in the order of the lecture.

Functions, constants and minimisers are written down here. What a method reports about itself is not used: its
iterates are taken, and values, gradients and steps are computed from them. A step of a d-dimensional problem
costs a few roundings of size d u |w|, and the maps here do not expand, so that T steps cost at most T times
that.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from mlnotes.claims.core import (
    Evidence,
    as_numbers,
    at_least,
    at_most,
    claim,
    equal,
    erratum,
    hoeffding,
    refuses,
    rounding,
    scalar,
    within,
)

Checks = Iterator[Evidence]

# ------------------------------------------------------------------- functions, and the paths of a method


def _quadratic(A):
    A = np.asarray(A, dtype=np.float64)
    return lambda w: float(w @ A @ w) / 2, lambda w: A @ w


def _huber(tau, L=1.0):
    """Return L times the Huber function, and its gradient."""

    def value(w):
        r = float(np.linalg.norm(w))
        return L * (r * r / 2 if r <= tau else tau * (r - tau / 2))

    return value, lambda w: L * w * min(1.0, tau / max(float(np.linalg.norm(w)), 1e-300))


def _logistic(rng, n=12, d=3):
    """Return the average logistic loss of random integer rows, its gradient, and L = lambda_max(X'X/n)/4."""
    X = rng.integers(-3, 4, (n, d)) * rng.choice([-1, 1], (n, 1))
    X[0] = [3] * d

    def value(w):
        return float(np.logaddexp(0, -X @ w).mean())

    def gradient(w):
        return -(X.T @ (1 / (1 + np.exp(X @ w)))) / n

    return value, gradient, float(np.linalg.eigvalsh(X.T @ X / n)[-1]) / 4


def _path(trace, T, d):
    return as_numbers(getattr(trace, "iterates", None), T + 1, d)


def _count(trace, T):
    """Return the evidence that a run of T steps has T + 1 iterates."""
    shape = np.shape(getattr(trace, "iterates", ()))
    return equal(f"iterates of n_steps = {T}", shape[0] if shape else 0, T + 1)


def _quiet(method, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return method(*arguments, **options)


# ------------------------------------------------------------------- 1 The step


@claim(
    "descent.gd-update",
    kind="algorithm",
    section="1",
    sources=("Yan, brief introduction to gradient descent", "Yan, logistic regression, MLE"),
    statement=r"Gradient descent is $w_{t+1} = w_t - \eta\nabla f(w_t)$. On $f(w) = \frac12 w^\top Aw$ its "
    r"iterates are $w_t = (I - \eta A)^t w_0$.",
)
def gd_update(gradient_descent, rng) -> Checks:
    B = rng.integers(-2, 3, (3, 3))
    A = B @ B.T + np.diag([1, 2, 3])
    w, eta = rng.integers(1, 9, 3) * rng.choice([-1, 1], 3), Fraction(1, 64)  # trace of A at most 42
    exact = [[Fraction(int(v)) for v in w]]
    for _ in range(6):
        previous = exact[-1]
        exact.append(
            [
                v - eta * sum(int(a) * u for a, u in zip(row, previous, strict=True))
                for v, row in zip(previous, A, strict=True)
            ]
        )
    truth = np.array([[float(v) for v in row] for row in exact])
    trace = gradient_descent(*_quadratic(A), w.astype(float), step=1 / 64, n_steps=6)
    slack = rounding(6 * 6, 9)
    counted = _count(trace, 6)
    yield counted
    if not counted.holds:
        return
    yield equal("iterates against exact matrix powers", _path(trace, 6, 3), truth, slack, A=A, start=w)
    yield equal("the answer", as_numbers(getattr(trace, "x", None), 3), truth[-1], slack, A=A, start=w)


# ------------------------------------------------------------------- 2 The descent lemma


@claim(
    "descent.gd-descent",
    kind="theorem",
    section="2",
    sources=("Yan, brief introduction to gradient descent",),
    statement=r"If $\nabla f$ is $L$-Lipschitz and $0 < \eta < 2/L$, then $f(w_{t+1}) \le f(w_t) - "
    r"\eta(1 - \frac{L\eta}2)\|\nabla f(w_t)\|^2$: every step goes down. The bound is attained by $\frac "
    r"L2\|w\|^2$.",
)
def gd_descent(gradient_descent, descent_bound, rng) -> Checks:
    value, slope, L = _logistic(rng)
    start, T = rng.integers(-3, 4, 3).astype(float), 20
    for eta in (1 / L, 1.9 / L):
        path = _path(gradient_descent(value, slope, start, step=eta, n_steps=T), T, 3)
        falls = -np.diff([value(w) for w in path])
        promised = [eta * (1 - L * eta / 2) * float(slope(w) @ slope(w)) for w in path[:-1]]
        granted = [
            scalar(descent_bound(float(np.linalg.norm(slope(w))), smoothness=L, step=eta)) for w in path[:-1]
        ]
        name = f"step {eta * L:.1f}/L"
        yield equal(f"granted fall, {name}", np.array(granted), np.array(promised), rounding(12, 40), L=L)
        yield at_least(f"fall of the logistic loss, {name}", falls, np.array(promised), rounding(24, 40), L=L)
    tau, r = 0.5, 4.0
    value, slope = _huber(tau, L=2.0)
    path = _path(gradient_descent(value, slope, [r, 0.0], step=0.75, n_steps=8), 8, 2)
    fall = [0.75 * 0.25 * float(slope(w) @ slope(w)) for w in path[:-1]]
    yield at_least(
        "fall of a Huber function", -np.diff([value(w) for w in path]), np.array(fall), rounding(16, 8)
    )
    value, slope = _quadratic(3 * np.eye(2))
    path = _path(gradient_descent(value, slope, [1.0, -2.0], step=0.5, n_steps=5), 5, 2)
    exact = [0.5 * (1 - 3 * 0.5 / 2) * 9 * float(w @ w) for w in path[:-1]]
    yield equal("fall of a quadratic", -np.diff([value(w) for w in path]), np.array(exact), rounding(16, 8))
    yield at_least("first of these falls", np.array(exact)[:1], 1.0)


@claim(
    "descent.divergence",
    kind="theorem",
    section="2",
    statement=r"A value above the one before proves $\eta > 2/L$, $L$ the Lipschitz constant of the gradient "
    r"on the segment. On a quadratic with largest eigenvalue $L$ descent diverges from almost every start if "
    r"$\eta > 2/L$; it is stopped and reported, with finite numbers, and does not happen for $\eta < 2/L$.",
)
def divergence(gradient_descent, rng) -> Checks:
    L = float(rng.integers(2, 9))
    f, start = _quadratic(np.diag([1.0, L])), rng.integers(1, 9, 2).astype(float)
    flags = [
        bool(getattr(_quiet(gradient_descent, *f, start, step=s / L, n_steps=400), "diverged", None))
        for s in (0.5, 1.0, 1.9, 2.1, 4.0, 1e6)
    ]
    yield equal("reported, for 0.5, 1, 1.9, 2.1, 4 and 1e6 over L", flags, [False] * 3 + [True] * 3, L=L)
    trace = _quiet(
        gradient_descent, lambda w: float((w**4).sum()), lambda w: 4 * w**3, [30.0], step=1.0, n_steps=50
    )
    numbers = np.asarray(getattr(trace, "iterates", np.nan), dtype=float)
    yield equal("finite iterates of a run that overflows", bool(np.isfinite(numbers).all()), True)


# ------------------------------------------------------------------- 3 The sublinear rate


@claim(
    "descent.gd-sublinear",
    kind="theorem",
    section="3",
    sources=(
        "Yan, brief introduction to gradient descent",
        "Drori and Teboulle (2014), theorems 3.1 and 3.2",
    ),
    statement=r"Let $f$ be convex with $L$-Lipschitz gradient and a minimiser $w^\star$ at distance $r$ from "
    r"$w_0$. For $\eta = h/L$, $0 < h \le 1$, $f(w_t) - f(w^\star) \le \frac{Lr^2}{4ht + 2}$, which is below "
    r"$\frac{r^2}{2\eta t}$. The Huber function with $\tau = \frac{r}{2ht + 1}$ attains it.",
)
def gd_sublinear(gradient_descent, sublinear_bound, rng) -> Checks:
    L, r = float(rng.integers(1, 5)), float(rng.integers(1, 9))
    slack = rounding(2 * 30, 4 * 64)
    for t, h in product((1, 2, 5, 30), (1.0, 0.5)):
        bound, exact = sublinear_bound(t, smoothness=L, radius=r, step=h / L), L * r * r / (4 * h * t + 2)
        yield equal(f"bound, t = {t}, h = {h}", scalar(bound), exact, rounding(8, 256), L=L, r=r)
        value, slope = _huber(r / (2 * h * t + 1), L)
        trace = gradient_descent(value, slope, [0.6 * r, 0.8 * r], step=h / L, n_steps=t)
        counted = _count(trace, t)
        yield counted
        if not counted.holds:
            return
        end = value(_path(trace, t, 2)[-1])
        yield equal(f"value of the worst function, t = {t}, h = {h}", end, exact, slack, L=L, r=r)
        yield at_most("against r^2 / (2 eta t)", end, L * r * r / (2 * h * t), slack, L=L, r=r)
    values = np.array([0, 1, 2, 4]) / 4 * L
    f, start = _quadratic(np.diag(values)), rng.integers(-4, 5, 4).astype(float)
    start[1], start[3] = 2.0, 3.0  # the gradient is never exactly 0
    trace = gradient_descent(*f, start, step=1 / L, n_steps=20)
    counted = _count(trace, 20)
    yield counted
    if not counted.holds:
        return
    path = _path(trace, 20, 4)
    radius2 = float((start[1:] ** 2).sum())  # the first coordinate moves along a line of minimisers
    found = np.array([f[0](w) for w in path])
    yield at_most(
        "values on a quadratic", found, L * radius2 / (4 * np.arange(21) + 2), rounding(80, 400), start=start
    )


# ------------------------------------------------------------------- 4 The linear rate


@claim(
    "descent.gd-linear",
    kind="theorem",
    section="4",
    sources=("Yan, brief introduction to gradient descent",),
    statement=r"If $f$ is $\mu$-strongly convex with $L$-Lipschitz gradient, then $\|w_t - w^\star\| \le "
    r"\rho^t\|w_0 - w^\star\|$, $\rho = \max(|1 - \eta\mu|, |1 - \eta L|)$, below 1 for $0 < \eta < 2/L$ and "
    r"smallest, $\frac{L - \mu}{L + \mu}$, at $\eta = \frac2{L + \mu}$. A quadratic attains it.",
)
def gd_linear(gradient_descent, linear_factor, rng) -> Checks:
    mu = float(rng.choice([0.25, 0.5]))
    L = float(rng.integers(1, 4))
    steps = np.array([0.25 / L, 1 / L, 2 / (L + mu), 1.95 / L])
    rho = np.maximum(abs(1 - steps * mu), abs(1 - steps * L))
    found = [scalar(linear_factor(smoothness=L, convexity=mu, step=float(s))) for s in steps]
    yield equal("factors", np.array(found), rho, rounding(8, 4), mu=mu, L=L)
    yield equal("the smallest factor", found[2], (L - mu) / (L + mu), rounding(8, 4), mu=mu, L=L)
    T, start, lengths = 12, np.array([3.0, 4.0]), []
    for eta, slow in zip(steps, (0, 0, 0, 1), strict=True):  # 0.95 > 1 - 1.95 mu / L, as mu / L > 0.08
        w = (
            start * (np.arange(2) == slow) if eta != steps[2] else start
        )  # the worst eigenvector; any, at the best step
        path = _path(gradient_descent(*_quadratic(np.diag([mu, L])), w, step=float(eta), n_steps=T), T, 2)
        lengths.append(np.linalg.norm(path, axis=1) / np.linalg.norm(w))
    powers = rho[:, None] ** np.arange(T + 1)
    yield equal("distances to the minimum", np.array(lengths), powers, rounding(4 * T, 4), mu=mu, L=L)


# ------------------------------------------------------------------- 5 Faster than the gradient


@claim(
    "descent.backtracking",
    kind="algorithm",
    section="5",
    statement=r"Halving $\eta$ until $f(w - \eta g) \le f(w) - \frac\eta2\|g\|^2$ needs no $L$: every "
    r"accepted step is at least $\frac1{2L}$ (or the first $\eta$ tried, 1), and goes down by "
    r"$\frac\eta2\|g\|^2$.",
)
def backtracking(gradient_descent, rng) -> Checks:
    L = 2.0 * float(rng.integers(10, 200)) + 1  # odd: no step 2^-k ends exactly at 0
    value, slope = _quadratic(np.diag([1.0, 2.0, L]))
    start, T = rng.integers(1, 9, 3).astype(float), 25
    path = _path(gradient_descent(value, slope, start, step="backtracking", n_steps=T), T, 3)
    g = np.array([slope(w) for w in path[:-1]])
    etas = -(np.diff(path, axis=0) * g).sum(axis=1) / (g**2).sum(axis=1)  # the steps that were taken
    falls = -np.diff([value(w) for w in path])
    slack = rounding(12, value(start))
    yield at_least("steps", etas, 0.5 / L, rounding(12), L=L, start=start)
    yield at_least("falls", falls, etas / 2 * (g**2).sum(axis=1), slack, L=L, start=start)
    off = np.diff(path, axis=0) + etas[:, None] * g
    yield equal("parts of the steps across the gradient", off, np.zeros((T, 3)), rounding(12, 9), L=L)


@claim(
    "descent.acceleration",
    kind="theorem",
    section="5",
    sources=("Nesterov (1983)", "Beck and Teboulle (2009), theorem 4.4"),
    statement=r"Nesterov's method with $\eta \le 1/L$ has $f(w_t) - f(w^\star) \le \frac{2r^2}{\eta(t + "
    r"1)^2}$ for every convex $f$ with $L$-Lipschitz gradient and a minimiser at distance $r$.",
)
def acceleration(accelerated_descent, rng) -> Checks:
    L, T = float(rng.integers(1, 5)), 60
    bounds = 4 * L * 100.0 / np.arange(2, T + 2) ** 2  # the step is 1/(2L)
    for name, (value, slope) in (
        ("a Huber function", _huber(10.0 / (T + 1), L)),
        ("a quadratic", _quadratic(L * np.diag([1e-4, 1.0]))),
    ):
        start = [6.0, 8.0] if name == "a Huber function" else [10.0, 0.0]
        path = _path(accelerated_descent(value, slope, start, step=0.5 / L, n_steps=T), T, 2)
        found = np.array([value(w) for w in path[1:]])
        yield at_most(f"values on {name}", found, bounds, rounding(8 * T, 50 * L), L=L)
        yield equal(
            f"the first step on {name}",
            path[1],
            start - np.asarray(slope(np.array(start))) / (2 * L),
            rounding(8, 10),
        )


@claim(
    "descent.newton",
    kind="theorem",
    section="5",
    statement=r"Newton's method, $w_{t+1} = w_t - H^{-1}\nabla f(w_t)$, minimises a quadratic in one step "
    r"and does not depend on the coordinates: for $g(v) = f(Bv)$ its iterates are $B^{-1}w_t$.",
)
def newton(newton_method, rng) -> Checks:
    B = rng.integers(-1, 2, (3, 3))
    B = B @ B.T + np.eye(3)  # condition at most 10, determinant at least 1
    value, slope, _ = _logistic(rng)

    def penalised(w):
        return value(w) + float(w @ w) / 2

    def gradient(w):
        return slope(w) + w

    def hessian(w, h=2.0**-13):  # central differences of the gradient, the same on both sides
        H = np.array([(gradient(w + h * e) - gradient(w - h * e)) / (2 * h) for e in np.eye(3)])
        return (H + H.T) / 2

    start = rng.integers(-2, 3, 3).astype(float)
    plain = _path(newton_method(penalised, gradient, hessian, start, n_steps=3), 3, 3)
    moved = _path(
        newton_method(
            lambda v: penalised(B @ v),
            lambda v: B.T @ gradient(B @ v),
            lambda v: B.T @ hessian(B @ v) @ B,
            np.linalg.solve(B, start),
            n_steps=3,
        ),
        3,
        3,
    )
    slack = rounding(3 * 27, 100 * 10)  # conditions of B'HB and of B
    yield equal("iterates in other coordinates", moved @ B.T, plain, slack, B=B, start=start)
    A = np.diag([1.0, 100.0, 10.0]) + np.ones((3, 3))
    one = _path(newton_method(*_quadratic(A), lambda w: A, [4.0, -7.0, 2.0], n_steps=1), 1, 3)
    yield equal("the minimum of a quadratic", one[1], np.zeros(3), rounding(27, 100 * 7))


# ------------------------------------------------------------------- 6 One row at a time


def _signed_rows(rng, n=9, d=3):
    """Return integer rows, labels and weights; every third row lies on a kink of the hinge loss."""
    w = rng.integers(1, 4, d) * rng.choice([-1, 1], d)
    X, y = rng.integers(-3, 4, (n, d)), rng.choice([-1, 1], n)
    X[::3] = 0
    X[::3, 0] = (y * np.sign(w[0]))[::3]
    w[0] = np.sign(w[0])  # the margins of these rows are 1
    return X.astype(float), y.astype(float), w.astype(float)


@claim(
    "descent.sgd-erm",
    kind="definition",
    section="6",
    sources=("Yan, stochastic gradient descent",),
    statement=r"An empirical risk is a mean over the rows, $f(w) = \frac1n\sum_i f_i(w)$, and so is its "
    r"(sub)gradient.",
)
def sgd_erm(hinge_risk, hinge_subgradient, rng) -> Checks:
    X, y, w = _signed_rows(rng)
    risk = np.mean(
        [
            max(0, 1 - int(b) * sum(int(u) * int(v) for u, v in zip(w, x, strict=True)))
            for x, b in zip(X, y, strict=True)
        ]
    )
    yield equal(
        "risk against the mean over the rows",
        scalar(hinge_risk(w, X, y)),
        float(risk),
        rounding(9, 40),
        X=X,
        y=y,
    )
    slopes = [as_numbers(hinge_subgradient(w, x[None], [b], kink=1.0), 3) for x, b in zip(X, y, strict=True)]
    whole = as_numbers(hinge_subgradient(w, X, y, kink=1.0), 3)
    yield equal(
        "subgradient against the mean over the rows", whole, np.mean(slopes, axis=0), rounding(9, 3), X=X, y=y
    )
    exact = -np.mean([(b * (x @ w) <= 1) * b * x for x, b in zip(X, y, strict=True)], axis=0)
    yield equal("subgradient with kinks counted below", whole, exact, rounding(9, 3), X=X, y=y, w=w)


@claim(
    "descent.sgd-update",
    kind="algorithm",
    section="6",
    sources=("Yan, stochastic gradient descent",),
    statement=r"Stochastic gradient descent draws $i_t$ independently and uniformly from the rows and takes "
    r"$w_{t+1} = w_t - \eta\nabla f_{i_t}(w_t)$: given the past, the mean of the step is the step of "
    r"gradient descent.",
    false_alarm=1e-9,
)
def sgd_update(stochastic_gradient_descent, rng) -> Checks:
    n, T, eta = 5, 4000, 0.125
    x = rng.integers(-9, 10, n).astype(float)
    trace = stochastic_gradient_descent(
        lambda w, rows: w - x[rows].mean(), n, [16.0], step=eta, n_steps=T, rng=rng
    )
    rows = as_numbers(getattr(trace, "rows", None), T, 1)[:, 0]
    valid = np.isin(rows, range(n))
    yield equal("rows that exist", int(valid.sum()), T)
    drawn = np.where(valid, rows, 0).astype(int)
    path, w = [16.0], 16.0
    for i in drawn:
        w = w - eta * (w - x[i])
        path.append(w)
    yield equal("iterates, replayed", _path(trace, T, 1)[:, 0], np.array(path), rounding(T, 32), x=x)
    # n frequencies, and the share of the T/2 disjoint pairs of draws that are equal: Hoeffding for each
    failure = 1e-9 / (n + 1)
    shares = np.bincount(drawn, minlength=n) / T
    yield equal("shares of the rows", shares, np.full(n, 1 / n), hoeffding(T, failure))
    pairs = float(np.mean(drawn[::2] == drawn[1::2]))
    yield equal("share of equal neighbours", pairs, 1 / n, hoeffding(T // 2, failure))


# ------------------------------------------------------------------- 7 What noise costs


@claim(
    "descent.sgd-cheap",
    kind="claim",
    section="7",
    sources=("Yan, stochastic gradient descent",),
    statement=r"A stochastic step costs one gradient $\nabla f_i$, a full step $n$. The price is noise: on "
    r"$f_i(w) = \frac12(w - x_i)^2$ with constant $\eta$, $v_t = E(w_t - \bar x)^2$ obeys $v_{t+1} = (1 - "
    r"\eta)^2v_t + \eta^2s^2$, $s^2 = \frac1n\sum_i(x_i - \bar x)^2$, and tends to $\frac{\eta s^2}{2 - "
    r"\eta} > 0$.",
)
def sgd_cheap(stochastic_gradient_descent, gradient_descent, noise_floor, rng) -> Checks:
    x = [int(v) for v in rng.integers(-5, 6, 3)]
    x[0] = x[1] + 2  # some spread
    mean = Fraction(sum(x), 3)
    variance = sum((v - mean) ** 2 for v in x) / 3
    eta, start = Fraction(int(rng.integers(1, 4)), 4), Fraction(int(rng.integers(-9, 10)))
    found, exact = [], []
    for t in range(6):
        total = Fraction(0)
        for order in product(x, repeat=t):  # every sequence of rows
            w = start
            for v in order:
                w -= eta * (w - v)
            total += (w - mean) ** 2
        exact.append(float(total / 3**t))
        options = {"variance": float(variance), "start": float((start - mean) ** 2)}
        found.append(scalar(noise_floor(step=float(eta), t=t, **options)))
    yield equal(
        "mean squares over all sequences", np.array(found), np.array(exact), rounding(40, 400), x=x, eta=eta
    )
    floor = scalar(noise_floor(step=float(eta), variance=float(variance)))
    limit = float(eta * variance / (2 - eta))
    yield equal("their limit", floor, limit, rounding(8, 100), x=x, eta=eta)
    calls = [0, 0]

    def single(w, rows):
        calls[0] += len(rows)
        return w - np.array(x, dtype=float)[rows].mean()

    def full(w):
        calls[1] += 3
        return w - float(mean)

    few = stochastic_gradient_descent(single, 3, [1.0], step=0.5, n_steps=7, rng=rng)
    many = gradient_descent(
        lambda w: float((w - float(mean)) @ (w - float(mean))) / 2,
        full,
        [100.5],
        step=0.5,
        n_steps=7,
        n_rows=3,
    )
    counts = [as_numbers(getattr(trace, "evaluations", None), 8)[-1] for trace in (few, many)]
    yield equal("gradients of rows in 7 stochastic steps, counted here", calls[0], 7)
    yield within("in 7 full steps, with or without one at the end", calls[1], 21, 24)
    yield equal("as the traces say", np.array(counts), np.array([7.0, 21.0]))


@claim(
    "descent.robbins-monro",
    kind="theorem",
    section="7",
    sources=("Robbins and Monro (1951)",),
    statement=r"With steps $\eta_t = \frac1t$ on $f_i(w) = \frac12(w - x_i)^2$ the iterate is the mean of "
    r"the rows drawn, so that $E(w_t - \bar x)^2 = \frac{s^2}t$ from any start. With a constant step the "
    r"average of the iterates settles as well: its answer is their mean.",
)
def robbins_monro(stochastic_gradient_descent, rng) -> Checks:
    x, T = rng.integers(-9, 10, 6).astype(float), 200

    def gradient(w, rows):
        return w - x[rows].mean()

    trace = stochastic_gradient_descent(gradient, 6, [50.0], step=lambda t: 1 / t, n_steps=T, rng=rng)
    rows = as_numbers(getattr(trace, "rows", None), T, 1)[:, 0]
    drawn = x[np.where(np.isin(rows, range(6)), rows, 0).astype(int)]
    means = np.cumsum(drawn) / np.arange(1, T + 1)
    yield equal("iterates against running means", _path(trace, T, 1)[1:, 0], means, rounding(T, 50), x=x)
    mean = stochastic_gradient_descent(gradient, 6, [50.0], step=0.25, n_steps=T, rng=rng, average=True)
    path = _path(mean, T, 1)[1:, 0]
    yield equal("the average", as_numbers(getattr(mean, "x", None), 1)[0], path.mean(), rounding(T, 50), x=x)


# ------------------------------------------------------------------- 8 Corners


@claim(
    "descent.gd-subgradient-convexity",
    kind="definition",
    section="8",
    sources=("Shi, gradient and sub-gradient, convexity",),
    statement=r"$s$ is a subgradient of a convex $f$ at $w$ if $f(z) \ge f(w) + \langle s, z - w\rangle$ for "
    r"all $z$. The hinge loss $\max(0, 1 - m)$ and the perceptron's $\max(0, -m)$ have a kink; any weight in "
    r"$[0, 1]$ of a row on it gives a subgradient, a weight outside does not.",
)
def subgradient_convexity(hinge_risk, hinge_subgradient, rng) -> Checks:
    X, y, w = _signed_rows(rng)
    points = rng.integers(-6, 7, (40, 3)).astype(float)
    points[:6] = w + np.vstack([np.eye(3), -np.eye(3)]) / 4  # close by, on both sides of the kinks
    for name, threshold in (("hinge", 1.0), ("perceptron", 0.0)):
        v = w if threshold else np.array([0.0, w[1], w[2]])  # margins of the first rows: 1, or 0
        own = np.maximum(0, threshold - y * (X @ v)).mean()
        values = np.maximum(0, threshold - points @ (X * y[:, None]).T).mean(axis=1)
        for kink in (0.0, 0.5, 1.0):
            s = as_numbers(hinge_subgradient(v, X, y, threshold=threshold, kink=kink), 3)
            gaps = values - own - (points - v) @ s
            yield at_least(f"{name}, weight {kink}", gaps, 0.0, rounding(27, 60), X=X, y=y, w=v)
        three = [
            as_numbers(hinge_subgradient(v, X, y, threshold=threshold, kink=k), 3) for k in (0.0, 0.5, 1.0)
        ]
        on = -np.mean((X * y[:, None]) * (y * (X @ v) == threshold)[:, None], axis=0)
        yield equal(
            f"{name}: share of the rows on the kink", three[2] - three[0], on, rounding(9, 3), X=X, y=y, w=v
        )
        yield equal(f"{name}: half of it", three[1] - three[0], on / 2, rounding(9, 3), X=X, y=y, w=v)
        risks = [scalar(hinge_risk(z, X, y, threshold=threshold)) for z in points]
        yield equal(f"{name}: risks", np.array(risks), values, rounding(27, 60), X=X, y=y)
    refused = [refuses(hinge_subgradient, w, X, y, kink=k) for k in (-0.5, 1.5)]
    yield equal("weights outside [0, 1] refused", sum(refused), 2)


@claim(
    "descent.subgradient-rate",
    kind="theorem",
    section="8",
    sources=("Shor (1962)", "Polyak (1967)"),
    statement=r"For a convex $f$ with subgradients of norm at most $G$ and a minimiser at distance $r$, the "
    r"subgradient method has $\min_{t < T}f(w_t) - f(w^\star) \le \frac{r^2 + "
    r"G^2\sum\eta_t^2}{2\sum\eta_t}$, projected or not. Its answer is the best iterate, not the last.",
)
def subgradient_rate(subgradient_method, rng) -> Checks:
    target, T = rng.integers(-4, 5, 3).astype(float), 60
    target[0] = 4.0

    def value(w):
        return float(abs(w - target).sum())

    def slope(w):
        return np.sign(w - target)

    for name, project, best in (
        ("plain", None, target),
        ("on the box of side 2", lambda w: np.clip(w, -1, 1), np.clip(target, -1, 1)),
    ):
        trace = subgradient_method(
            value, slope, np.zeros(3), step=lambda t: 1 / math.sqrt(t), n_steps=T, project=project
        )
        path = np.asarray(getattr(trace, "iterates", np.nan), dtype=float)
        path = (
            path
            if path.ndim == 2 and path.shape[1] == 3 and 2 <= len(path) <= T + 1
            else np.full((2, 3), np.nan)
        )
        etas = 1 / np.sqrt(np.arange(1, len(path)))
        steps = path[:-1] - etas[:, None] * np.array([slope(w) for w in path[:-1]])
        steps = steps if project is None else project(steps)
        yield equal(f"iterates, {name}", path[1:], steps, rounding(9, 20), target=target)
        values = np.array([value(w) for w in path])
        bound = (float(best @ best) + 3 * float((etas**2).sum())) / (2 * float(etas.sum()))
        yield at_most(
            f"the best value, {name}", values[:-1].min() - value(best), bound, rounding(60, 20), target=target
        )
        answer = value(as_numbers(getattr(trace, "x", None), 3))
        yield equal(f"value of the answer, {name}", answer, values.min(), rounding(9, 20), target=target)


# ------------------------------------------------------------------- 9 What the notes print


@erratum(
    "descent.erratum-y10",
    printed=r"If $f$ is smooth, gradient descent with a small $\eta$ has $f(w_{t+1}) \le f(w_t)$.",
    corrected=r"The *gradient* must be $L$-Lipschitz, and $\eta < 2/L$. $w^4$ is smooth, and every fixed "
    r"$\eta$ ascends from $|w_0| > 1/\sqrt{2\eta}$.",
    sources=("Yan, brief introduction to gradient descent",),
    section="9",
)
def erratum_y10(gradient_descent) -> Checks:
    etas = [2.0**-k for k in (1, 10, 40)]
    first = []
    for eta in etas:
        trace = _quiet(
            gradient_descent,
            lambda w: float(w[0] ** 4),
            lambda w: 4 * w**3,
            [1.5 / math.sqrt(2 * eta)],
            step=eta,
            n_steps=1,
        )
        path = np.asarray(getattr(trace, "iterates", np.nan), dtype=float).ravel()
        first.append(float(path[-1] ** 4 / path[0] ** 4) if len(path) == 2 else math.nan)
    # 1 - 4 eta w^2 at w^2 = 1.125 / eta is -3.5
    yield equal(
        "ratios of the printed inequality's sides", np.array(first), np.full(3, 3.5**4), rounding(24, 200)
    )
    start = 0.5 / math.sqrt(2)
    trace = gradient_descent(lambda w: float(w[0] ** 4), lambda w: 4 * w**3, [start], step=1.0, n_steps=20)
    values = _path(trace, 20, 1)[:, 0] ** 4  # on |w| <= 0.36 the gradient is 1.5-Lipschitz and 1 < 2/1.5
    yield at_most("steps of a run within the corrected form", np.diff(values), 0.0, rounding(4))


@erratum(
    "descent.erratum-y11",
    printed=r"$f(w_t) - f^\star \le O(\|w_0 - w^\star\|^2/t)$ for $t = 0, 1, \dots$ if $f$ is convex.",
    corrected=r"For $t \ge 1$, if a minimiser exists and $\eta \le 1/L$. At $t = 0$ the right side is no "
    r"number. For $\eta = 2/L$ a quadratic never comes down. A convex $f$ without minimiser has no "
    r"$w^\star$: $e^{-w}$.",
    sources=("Yan, brief introduction to gradient descent",),
    section="9",
)
def erratum_y11(gradient_descent, sublinear_bound) -> Checks:
    path = _path(gradient_descent(*_quadratic([[1.0]]), [1.0], step=2.0, n_steps=50), 50, 1)
    yield equal("values at step 2/L", path[:, 0] ** 2 / 2, np.full(51, 0.5))
    yield equal(
        "a step above 1/L refused by the bound",
        refuses(sublinear_bound, 3, smoothness=1.0, radius=1.0, step=1.5),
        True,
    )
    yield equal(
        "the corrected bound at t = 0",
        scalar(sublinear_bound(0, smoothness=1.0, radius=1.0)),
        0.5,
        rounding(4),
    )
    path = _path(
        gradient_descent(lambda w: math.exp(-w[0]), lambda w: -np.exp(-w), [0.0], step=0.5, n_steps=400),
        400,
        1,
    )
    yield at_least("how far descent on exp(-w) has run in 400 steps", path[-1], math.log(200))


@erratum(
    "descent.erratum-y12",
    printed=r"$\|w_{t+1} - w^\star\| \le (1 - \kappa)^t\|w_0 - w^\star\|$.",
    corrected=r"The exponent is $t + 1$: after $t + 1$ steps there are $t + 1$ factors. The printed form is "
    r"true, but loose by one factor.",
    sources=("Yan, brief introduction to gradient descent",),
    section="9",
)
def erratum_y12(gradient_descent) -> Checks:
    path = _path(gradient_descent(*_quadratic([[1.0]]), [1.0], step=0.25, n_steps=8), 8, 1)[:, 0]
    t = np.arange(8)
    yield equal("corrected exponent", path[1:], 0.75 ** (t + 1), rounding(8))
    yield equal("printed right side over the left", 0.75**t / path[1:], np.full(8, 4 / 3), rounding(32, 4))


@erratum(
    "descent.erratum-y13",
    printed=r"The full step is written with $\nabla g(\beta; x_i)$, and stochastic descent is said to have "
    r"nice properties.",
    corrected=r"The gradient is taken at the current $\beta^t$. With a constant step the variance does not "
    r"go below $\eta s^2/(2 - \eta)$; the steps must decrease, or the iterates be averaged.",
    sources=("Yan, stochastic gradient descent",),
    section="9",
)
def erratum_y13(gradient_descent, noise_floor) -> Checks:
    path = _path(gradient_descent(*_quadratic([[1.0]]), [1.0], step=0.5, n_steps=6), 6, 1)[:, 0]
    frozen = 1 - 0.5 * np.arange(7)  # the gradient at the start, ever again
    yield equal("gradient at the current point", path, 0.5 ** np.arange(7), rounding(8))
    yield at_least("distance to the path of the literal reading", abs(path - frozen)[2:], 0.2)
    late = [scalar(noise_floor(step=0.1, variance=1.0, t=t, start=4.0)) for t in (10, 100, 1000, 10_000)]
    yield equal("variance after very many steps", late[-1], 0.1 / 1.9, rounding(8))
    yield at_least("variance at any time", np.array(late), 0.1 / 1.9, rounding(8))
