"""Lecture 6: gradient descent."""

from __future__ import annotations

import itertools

import numpy as np

from mlnotes import descent
from mlnotes.exam.bank.draws import between, symmetric, vectors
from mlnotes.exam.questions import question


@question("descent", "4")
def shrinking(rng):
    r"""$f$ is «mu»-strongly convex, and its gradient is «L»-Lipschitz. By which factor, at the worst, does
    one gradient step of length $\eta = «step»$ shrink the distance from the minimiser?

    $\max(\left| 1 - \eta \mu \right|, \left| 1 - \eta L \right|)$, here the larger of $«ends»$.

    Looks at the flat direction alone: $1 - \eta \mu$."""
    mu, L = between(rng, 1, 5), between(rng, 8, 40)
    step = round(rng.uniform(2 / (L + mu), 2 / L - 0.001), 3)
    answer = descent.linear_factor(smoothness=L, convexity=mu, step=step)
    ends = np.array([abs(1 - step * mu), abs(1 - step * L)])
    return {"mu": mu, "L": L, "step": step, "ends": ends, "answer": answer, "slip": abs(1 - step * mu)}


@question("descent", "1")
def two_steps(rng):
    r"""$f(w) = \frac12 w^\top A w$ with $A = «A»$. Where does gradient descent with the step $\eta = «step»$
    stand after two steps from $w_0 = «start»$?

    $w_1 = w_0 - \eta A w_0 = «first»$, and the same once more.

    Goes up: adds $\eta A w$."""
    A, step, start = symmetric(rng), between(rng, 0.05, 0.3, 0.05), vectors(rng, 1, 2, 6)[0]
    f = descent.Quadratic(A)
    _, first, answer = itertools.islice(descent.gradient_descent(f.gradient, start, step), 3)
    up = start + step * (A @ start)
    values = {"A": A, "step": step, "start": start, "first": first, "answer": answer}
    return {**values, "slip": up + step * (A @ up)}


@question("descent", "7")
def noise(rng):
    r"""Stochastic gradient descent on the mean of $\frac12 (w - x_i)^2$ with the step $\eta = «step»$ never
    comes to rest, if the $x_i$ have the variance $«variance»$. To what does the mean squared distance from
    the minimiser converge?

    $v = (1 - \eta)^2 v + \eta^2 \sigma^2$, thus $v = \eta \sigma^2 / (2 - \eta)$.

    Drops the square of $\eta$: $\eta \sigma^2 / 2$."""
    step, variance = between(rng, 0.1, 0.9, 0.05), between(rng, 2, 40)
    answer = descent.noise_floor(step=step, variance=variance)
    return {"step": step, "variance": variance, "answer": answer, "slip": step * variance / 2}
