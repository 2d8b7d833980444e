"""Lecture 8: convexity and duality."""

from __future__ import annotations

import itertools

import numpy as np

from mlnotes import duality
from mlnotes.exam.bank.draws import between, several, vectors
from mlnotes.exam.questions import question


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

    The three lines $f_j + \lambda g_j$ have the highest minimum at $\lambda = «lam»$, of $«dual»$; the
    smallest allowed value is $«primal»$.

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
