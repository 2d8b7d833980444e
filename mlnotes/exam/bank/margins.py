"""Lectures 6 to 9: descent, the perceptron, duality and the support vector machine."""

from __future__ import annotations

import itertools
import math

import numpy as np

from mlnotes import descent, duality
from mlnotes import perceptron as pc
from mlnotes import svm as sv
from mlnotes.exam.bank.draws import between, listed, several, symmetric, vectors
from mlnotes.exam.questions import question

# ---- 6 Gradient descent


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


# ---- 7 Perceptron


@question("perceptron", "2")
def first_pass(rng):
    r"""The perceptron without an intercept starts at $w = (0, 0)$ with $\eta = 1$ and visits the signed rows
    $z_i = y_i x_i$, which are $«rows»$, in this order. What is $w$ after the first pass? (A product of 0 is a
    mistake.)

    Add $z_i$ wherever $\langle w, z_i \rangle \le 0$. The weights after each visit are $«path»$.

    Adds every row, mistake or not."""
    Z = vectors(rng, 5, 2, 5)
    path = [w for w, _ in itertools.islice(pc.perceptron(Z.astype(float), np.zeros(2)), len(Z))]
    return {"rows": listed(Z), "path": listed(path), "answer": path[-1].astype(int), "slip": Z.sum(axis=0)}


@question("perceptron", "4")
def novikoff(rng):
    r"""Signed rows $z_i = y_i x_i$ are $«rows»$, and $w = «w»$ separates them. How many updates does the
    mistake bound allow at most, with the margin of this $w$? (Not rounded.)

    $R^2 / \delta^2$ with $R^2 = \max \left| z_i \right|^2 = «square»$ and $\delta = \min_i \langle w, z_i
    \rangle / \left| w \right| = «margin»$.

    Forgets to divide by $\left| w \right|$."""
    w, Z = several(rng, 2, -4, 4), vectors(rng, 60, 2, 6)
    Z = Z[Z @ w >= 3][:4]
    square, margin = (Z**2).sum(axis=1).max(), pc.margin(w, Z)
    answer = pc.mistake_bound(math.sqrt(square), margin)
    values = {"rows": listed(Z), "w": w, "square": square, "margin": margin, "answer": answer}
    return {**values, "slip": square / (Z @ w).min() ** 2}


@question("perceptron", "5")
def never_separated(rng):
    r"""No $w$ has $\langle w, z_i \rangle > 0$ for all three signed rows $«rows»$. Prove it: give three whole
    numbers $\alpha_i \ge 0$, not all 0, with $\sum_i \alpha_i z_i = 0$.

    If $w$ separated, $\sum_i \alpha_i \langle w, z_i \rangle$ would be positive; it is 0. Solve two equations
    for the ratios: $\alpha = «answer»$ or a multiple.

    Takes all three rows once."""
    a, (z1, z2) = rng.integers(1, 5, 2), vectors(rng, 2, 2, 4)
    order = rng.permutation(3)
    Z, alpha = np.array([z1, z2, -a[0] * z1 - a[1] * z2])[order], np.array([*a, 1])[order]
    if z1[0] * z2[1] == z1[1] * z2[0]:  # parallel rows: more is true than the way says
        return {"rows": "", "answer": np.zeros(3, dtype=int), "slip": np.ones(3)}

    def accepts(given: np.ndarray) -> float:
        whole = (given >= 0).all() and given.any() and (given == given.round()).all()
        return 0.0 if whole and not (given @ Z).any() else -1.0

    return {"rows": listed(Z), "answer": alpha, "slip": np.ones(3), "accepts": accepts}


# ---- 8 Convexity and duality


@question("duality", "2")
def dual_value(rng):
    r"""Minimise $f(x) = \frac{«a»}{2} x^2 + «c» x$ subject to $x \ge «h»$. What is the dual function
    $d(\lambda) = \min_x f(x) + \lambda («h» - x)$ at $\lambda = «lam»$?

    The minimum over all $x$ is at $x = (\lambda - «c») / «a» = «x»$.

    Puts in the $x$ of the constraint, $x = «h»$."""
    a, c, h, lam = between(rng, 1, 6), between(rng, 1, 9), between(rng, 1, 5), between(rng, 1, 20)
    program = duality.QuadraticProgram([[a]], [c], [[-1]], [-h])
    x = program.lagrangian_minimizer(np.array([lam]))[0]
    values = {"a": a, "c": c, "h": h, "lam": lam, "x": x, "answer": program.dual_function(np.array([lam]))}
    return {**values, "slip": program.objective([h])}


@question("duality", "4")
def multiplier(rng):
    r"""Minimise $\frac12 \left| x - p \right|^2$ with $p = «p»$ subject to $\langle a, x \rangle \le «h»$
    with $a = «a»$. Give the multiplier $\lambda$ of the constraint.

    The constraint is active. $x - p + \lambda a = 0$, thus $\lambda = (\langle a, p \rangle - h) / \left| a
    \right|^2$ with $\langle a, p \rangle = «along»$.

    Divides by $\left| a \right|$: the distance, not the multiplier."""
    p, a = vectors(rng, 2, 3, 6)
    along = int(a @ p)
    h = along - between(rng, 1, 20)
    program = duality.QuadraticProgram(np.eye(3), -p, [a], [h])
    lam = float(duality.solve_qp(program).lam[0])
    return {"p": p, "a": a, "h": h, "along": along, "answer": lam, "slip": (along - h) / np.linalg.norm(a)}


@question("duality", "3")
def duality_gap(rng):
    r"""There are three points. The objective has the values $f = «f»$ there and the constraint $g = «g»$; a
    point is allowed if $g \le 0$. How large is the duality gap, the smallest allowed $f$ minus $\max_{\lambda
    \ge 0} \min_j (f_j + \lambda g_j)$?

    The three lines $f_j + \lambda g_j$ have the highest minimum at $\lambda = «lam»$, of $«dual»$; the least
    allowed value is $«primal»$.

    No gap, as if three points were a convex problem."""
    f, g = several(rng, 3, 0, 20), np.array([-between(rng, 1, 6), between(rng, 1, 6), between(rng, -6, 6)])
    order = rng.permutation(3)
    f, g = f[order], g[order]
    pairs = itertools.combinations(range(3), 2)
    meets = [(f[i] - f[j]) / (g[j] - g[i]) for i, j in pairs if g[i] != g[j]]
    lams = np.array([0.0, *(lam for lam in meets if lam > 0)])
    values = duality.dual_on_points(f, g[:, None], lams[:, None])
    primal, dual = f[g <= 0].min(), values.max()
    drawn = {"f": f, "g": g, "lam": lams[values.argmax()], "dual": dual, "primal": primal}
    return {**drawn, "answer": float(primal - dual), "slip": 0.0}


# ---- 9 Support vector machines


@question("svm", "2")
def two_rows(rng):
    r"""The machine of the hard margin is trained on two rows only, $«low»$ of class $-1$ and $«high»$ of
    class $+1$. Give its weights $w$.

    $w$ has the direction of $v = x_+ - x_- = «v»$ and both rows have the margin 1, thus $w = 2 v / \left| v
    \right|^2$.

    The unit vector $v / \left| v \right|$."""
    X, y = vectors(rng, 2, 2, 6), np.array([-1, 1])
    v = X[1] - X[0]
    if not v.any():
        return {"low": X[0], "high": X[1], "v": v, "answer": np.zeros(2), "slip": np.zeros(2)}
    *_, state = sv.smo(X @ X.T, y, math.inf)
    return {"low": X[0], "high": X[1], "v": v, "answer": (state.alpha * y) @ X, "slip": v / np.linalg.norm(v)}


@question("svm", "5")
def soft_margin(rng):
    r"""The rows $«rows»$ have the labels $«y»$. What is the value of the soft-margin problem $\frac12 \left|
    w \right|^2 + C \sum_i \xi_i$ at $w = «w»$, $b = «b»$, $C = «C»$, with the least slacks that are allowed?

    The margins $y_i (\langle w, x_i \rangle + b)$ are $«margins»$, the slacks $\max(0, 1 - m_i)$.

    Counts slack at misclassified rows only, $\max(0, -m_i)$."""
    X, y, C = vectors(rng, 4, 2, 4), rng.permutation([-1, -1, 1, 1]), between(rng, 0.5, 5, 0.5)
    w, b = rng.choice([-1, -0.5, 0.5, 1], 2), between(rng, -1, 1, 0.5)
    m = sv.margins(X, y, w, b)
    slip = 0.5 * w @ w + C * np.maximum(0, -m).sum()
    values = {"rows": listed(X), "y": y, "w": w, "b": b, "C": C, "margins": m}
    return {**values, "answer": sv.primal_objective(w @ w, m, C), "slip": slip}


@question("svm", "8")
def feature_distance(rng):
    r"""The kernel $k(x, z) = (\langle x, z \rangle + 1)^2$ is the inner product of features $\phi$. What is
    $\left| \phi(x) - \phi(z) \right|^2$ for $x = «x»$ and $z = «z»$?

    $k(x, x) + k(z, z) - 2 k(x, z)$ with the values $«kernels»$.

    The squared distance of the points themselves."""
    X = vectors(rng, 2, 2, 3)
    K = sv.polynomial_kernel(X, X, degree=2, coef0=1).round().astype(int)
    slip = ((X[0] - X[1]) ** 2).sum()
    values = {"x": X[0], "z": X[1], "kernels": np.array([K[0, 0], K[1, 1], K[0, 1]])}
    return {**values, "answer": int(K[0, 0] + K[1, 1] - 2 * K[0, 1]), "slip": slip}
