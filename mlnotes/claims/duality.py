"""The statements on Lagrange duality as executable claims, in the order of the lecture.

Random programs have small integers, so that Lagrangians, values at integer points and finite dual functions
are exact. Solutions of quadratic programs are judged by what they prove: a feasible point and multipliers,
whose gap is computed here from the arrays of the program, with the optimum found by trying every active set.

One accuracy is required of a solver: residuals of at most `ACCURACY` = 1e-8 of the terms that they add, and a
gap of at most that part of the value. How far its value and its point may then be from the optimum is derived
from that, in `_play`.
"""

from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import as_numbers, quietly, refuses, scalar

ACCURACY = 1e-8
OUTPUTS = {
    "QuadraticProgram.objective": "number", "QuadraticProgram.lagrangian": "number",
    "QuadraticProgram.dual_function": "number", "QuadraticProgram.lagrangian_minimizer": "(n,)",
    "QuadraticProgram.dual_program": "QuadraticProgram", "QuadraticProgram.G": "(m, n)",
    "QuadraticProgram.h": "(m,)", "solve_qp.x": "(n,)", "solve_qp.lam": "(m,)", "solve_qp.nu": "(p,)",
    "solve_qp.primal": "number", "solve_qp.dual": "number", "solve_qp.gap": "number",
}  # fmt: skip


# ------------------------------------------------------------------- instances and the truth about them
def _program(rng, n=3, m=4, p=1):
    """Return P, q, G, h, A, b with integers, P = B'B + I, and a feasible integer point."""
    B, x0 = rng.integers(-2, 3, (n, n)), rng.integers(-3, 4, n)
    P, q = B.T @ B + np.eye(n, dtype=np.int64), rng.integers(-5, 6, n)
    G, A = rng.integers(-3, 4, (m, n)), rng.integers(-2, 3, (p, n))
    A[:, 0], G[0, 1] = 1 + abs(A[:, 0]), 2
    return P, q, G, G @ x0 + rng.integers(0, 3, m), A, A @ x0, x0


def _lagrangian(arrays, x, lam, nu):
    P, q, G, h, A, b = arrays
    return 0.5 * x @ P @ x + q @ x + lam @ (G @ x - h) + nu @ (A @ x - b)


def _optimum(arrays) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Return f, x, lambda and nu at the optimum of a strictly convex program, by trying every active set.

    Linearly independent active constraints have multipliers that prove the optimum.
    """
    P, q, G, h, A, b = _floats(arrays)
    n, p = len(q), len(b)
    for size in range(n - p + 1):
        for active in itertools.combinations(range(len(h)), size):
            M = np.vstack([A, G[list(active)]])
            if len(M) and np.linalg.matrix_rank(M) < len(M):
                continue
            K = np.block([[P, M.T], [M, np.zeros((len(M), len(M)))]])
            solution = np.linalg.solve(K, np.concatenate([-q, b, h[list(active)]]))
            x, nu, lam_active = np.split(solution, (n, n + p))
            if (G @ x <= h + 1e-9).all() and (lam_active >= -1e-9).all():
                lam = np.zeros(len(h))
                lam[list(active)] = lam_active
                return float(0.5 * x @ P @ x + q @ x), x, lam, nu
    raise RuntimeError("no active set is optimal")


def _floats(arrays):
    return [np.asarray(a, dtype=np.float64) for a in arrays]


def _solve(solve_qp, QuadraticProgram, arrays) -> Any:
    return quietly(solve_qp, QuadraticProgram(*_floats(arrays)))


_PARABOLA = ([[2.0]], [0.0], [[-1.0]], [-1.0])  # min x^2, x >= 1
_LINEAR = ([[0.0]], [1.0], [[-1.0]], [0.0])  # min x, x >= 0
_LAMBDAS = np.array([0.0, 0.25, 1.0, 2.0, 6.0])
_LINE = np.arange(-4096, 4097) / 64  # from -64 to 64 in steps of 1/64
_FAR = np.append(_LINE, [-512.0, 512.0])[:, None]
_T = 2.0 ** np.arange(8)
_PLANE = np.vstack([list(itertools.product((-1.0, 0.0, 1.0, 4.0), repeat=2)), np.column_stack([_T**4, _T])])
# each program of the lecture: points that come near to all infima, and multipliers
_TEXTBOOK = {
    "parabola": (_FAR, [[0], [0.25], [1], [2], [16]]),
    "pinned": (_FAR, [[0, 0], [0, 2], [1, 3], [2, 0], [0.5, 0.25]]),
    "unattained": (_FAR, [[0], [0.25], [2]]),
    "interior": (_FAR, [[0], [0.25], [2], [16], [2.0**200]]),
    "cubic": (_FAR, [[0], [1], [16]]),
    "duffin": (_PLANE, [[0], [1], [16]]),  # the constraint at (t^4, t) is between 0 and 1/(2 t^2)
}


# ------------------------------------------------------------------- 1 The problem and its Lagrangian
@statement("definition", "1", "Yan, primal problem", "Shi, Lagrange multipliers")
def problem(QuadraticProgram, rng):
    r"""The problem: minimise a convex $f$ subject to $g_i(x) \le 0$ with convex $g_i$ (and $Ax = b$). A
    quadratic program $\frac12x^\top Px + q^\top x$ is convex iff $P$ is positive semi-definite; others are
    refused."""
    v = rng.integers(1, 5, 3)
    good = np.outer(v, v)  # rank 1: semi-definite only
    bad = good - np.diag([0, 0, v[2] ** 2 + 1])  # e_3' P e_3 = -1
    skew = np.triu(np.ones((3, 3))) * 2.0**-30  # whatever the unit
    cases = {"a semi-definite P": good, "a P with a negative square": bad, "a P that is not symmetric": skew}
    for name, P in cases.items():
        refused = refuses(QuadraticProgram, P.astype(float), np.zeros(3))
        yield equal(f"{name} refused", refused, P is not good, P=P)
    x = rng.integers(1, 6, 3)
    value = QuadraticProgram(good.astype(float), v.astype(float)).objective(x.astype(float))
    yield equal("objective", value, (v @ x) ** 2 / 2 + v @ x, P=good, x=x)


@hard_cases(problem)
def zeros_and_small_units(QuadraticProgram, rng):
    v = rng.integers(1, 5, 3).astype(float)
    refused = refuses(QuadraticProgram, 2.0**30 * np.outer(v, v), np.zeros(3))
    yield equal("a semi-definite P in a small unit refused", refused, False)
    refused = refuses(QuadraticProgram, np.diag([v[0], 0.0, -0.5]), np.zeros(3))
    yield equal("a P with zeros and a negative square refused", refused, True)


@statement("definition", "1", "Yan, Lagrangian function", "Shi, Lagrange function")
def lagrangian(QuadraticProgram, rng):
    r"""$L(x, \lambda, \nu) = f(x) + \sum_i\lambda_ig_i(x) + \nu^\top(Ax - b)$ with $\lambda \ge 0$; $\nu$
    has any sign. It is affine in $(\lambda, \nu)$, with the slopes $g_i(x)$ and $(Ax - b)_k$."""
    *arrays, _ = _program(rng)
    program = QuadraticProgram(*_floats(arrays))
    x, lam, nu = rng.integers(-4, 5, 3), rng.integers(0, 4, 4), rng.integers(-3, 4, 1)
    x[0] += 20 * (arrays[2][0] @ x == arrays[3][0])

    def L(lam, nu):
        return program.lagrangian(x.astype(float), lam.astype(float), nu.astype(float))

    yield equal("L", L(lam, nu), _lagrangian(arrays, x, lam, nu), x=x, lam=lam, nu=nu)
    slopes = [L(lam + e, nu) - L(lam, nu) for e in np.eye(4, dtype=np.int64)]
    yield equal("slopes in lambda against g(x)", slopes, arrays[2] @ x - arrays[3], x=x, lam=lam)
    slope = L(lam, nu + 1) - L(lam, nu)
    yield equal("slope in nu against Ax - b", slope, (arrays[4] @ x - arrays[5])[0], x=x, nu=nu)
    yield equal("a negative lambda refused", refuses(program.lagrangian, x, np.full(4, -0.5), [0.0]), True)


@statement("formula", "1", "Shi, dual problem")
def primal_objective(QuadraticProgram, rng):
    r"""$\sup_{\lambda \ge 0, \nu}L(x, \lambda, \nu)$ is $f(x)$ if $x$ is feasible, attained at $\lambda =
    0$, and $+\infty$ if not: along a violated constraint $L$ grows without limit."""
    *arrays, inside = _program(rng)
    program = QuadraticProgram(*_floats(arrays))
    P, q, G, h, *_ = arrays
    value = inside @ P @ inside / 2 + q @ inside
    lams = np.vstack([np.zeros((1, 4), dtype=np.int64), rng.integers(0, 9, (20, 4))])
    values = [program.lagrangian(inside.astype(float), lam.astype(float), [3.0]) for lam in lams]
    yield equal("L at a feasible x and lambda = 0", values[0], value, x=inside)
    yield at_most("L at a feasible x", values, value, x=inside)
    outside = inside + (1 + int(h[0] - G[0] @ inside)) * np.sign(G[0])  # breaks the first constraint
    far = [program.lagrangian(outside.astype(float), [t, 0, 0, 0], [0.0]) for t in (0.0, 1.0, 1024.0)]
    growth = int(G[0] @ outside - h[0]) * np.array([1.0, 1024.0])
    yield equal("growth along a violated constraint", np.array(far[1:]) - far[0], growth)


# ------------------------------------------------------------------- 2 The dual problem
@statement("homework", "2", "Yan, the dual problem '(why?)'")
def why_minimax(dual_on_points, rng):
    r"""(i) $\inf_{x\text{ feasible}}f(x) = \inf_x\sup_{\lambda \ge 0}L(x, \lambda)$, with $+\infty$
    allowed. (ii) $\sup_\lambda\inf_xL \le \inf_x\sup_\lambda L$ for any function of two arguments: on the
    points $x = 0, 1, 2$ of $\min x^2, x \ge 1$ with $\lambda \in \{0, \dots, 4\}$ the two sides are 1 and
    1; for a matrix they differ in general."""
    f, g, lams = [0, 1, 4], [[1], [0], [-1]], np.arange(5)[:, None]
    d = np.asarray(dual_on_points(f, g, lams))
    table = np.array(f) + lams @ np.array(g).T  # (5, 3)
    yield equal("max min", as_numbers(d, 5).max(), 1.0)
    feasible = [value for value, (excess,) in zip(f, g, strict=True) if excess <= 0]
    yield equal("smallest value at a feasible point", min(feasible), 1)
    unbounded = [row[0] < row[-1] for row in table.T]  # grows in lambda: its supremum is infinite
    tops = [math.inf if grows else column.max() for grows, column in zip(unbounded, table.T, strict=True)]
    yield equal("min sup", float(min(tops)), 1.0)
    # a random finite program: rows are points, any multipliers
    f, g, lams = rng.integers(-9, 10, 8), rng.integers(-5, 6, (8, 2)), rng.integers(0, 6, (12, 2))
    g[0] = [-1, 0]
    d = as_numbers(dual_on_points(f, g, lams), 12)
    table = f + lams @ g.T
    yield equal("inner minima", d, table.min(axis=1), f=f, g=g, lams=lams)
    yield at_most("max min against min max", d.max(), table.max(axis=0).min(), f=f, g=g, lams=lams)


@statement("definition", "2 deeper", "Yan, the dual problem", "Shi, dual problem")
def function(QuadraticProgram, rng):
    r"""$d(\lambda, \nu) = \inf_xL(x, \lambda, \nu)$ over *all* $x$, a concave function, whatever $f$ and
    $g$; for $\min x^2, x \ge 1$ it is $\lambda - \lambda^2/4$, and $-\infty$ where $L$ has no bound."""
    for name, arrays, truth in (
        ("min x^2, x >= 1", _PARABOLA, _LAMBDAS - _LAMBDAS**2 / 4),
        ("min x, x >= 0", _LINEAR, np.where(_LAMBDAS == 1, 0.0, -math.inf)),
    ):
        values = [QuadraticProgram(*arrays).dual_function([lam]) for lam in _LAMBDAS]
        yield equal(f"d of {name}", values, truth, rounding(4, 20), lam=_LAMBDAS)
    *arrays, _ = _program(rng)
    program = QuadraticProgram(*_floats(arrays))
    lam, nu = rng.integers(0, 5, (3, 4)).astype(float), rng.integers(-3, 4, (3, 1)).astype(float)
    lam[2], nu[2] = lam[:2].mean(axis=0), nu[:2].mean(axis=0)
    d = np.array([program.dual_function(*pair) for pair in zip(lam, nu, strict=True)])
    P, q, G, h, A, b = _floats(arrays)
    v = q + lam @ G + nu @ A  # (3, 3)
    truth = -0.5 * (v * np.linalg.solve(P, v.T).T).sum(axis=1) - lam @ h - nu @ b
    # eigenvalues of P are at least 1: the solution is no longer than v
    slack = rounding(40, 1 + float((v**2).sum(axis=1).max()) * float(np.abs(P).sum()))
    yield equal("d of a quadratic program", d, truth, slack, lam=lam, nu=nu)
    yield at_least("d in the middle above the mean of the ends", d[2], d[:2].mean(), slack, lam=lam, nu=nu)


@hard_cases(function)
def functions_of_points(QuadraticProgram, dual_on_points, rng):
    wide = QuadraticProgram([[0.5]], *_PARABOLA[1:])
    values = [wide.dual_function([lam]) for lam in _LAMBDAS]
    yield equal("d of min x^2/4, x >= 1", values, _LAMBDAS - _LAMBDAS**2, rounding(4, 20))
    inside = _LINE[_LINE >= 1]
    printed = scalar(dual_on_points(inside**2, (1 - inside)[:, None], [0.0]))
    yield equal("minimum of L over the feasible set at 0, where d is 0: the primal value", printed, 1.0)
    f, g = rng.integers(-9, 10, 12), rng.integers(-4, 5, (12, 2))  # no convexity at all
    ends = rng.integers(0, 6, (2, 2)) * 2
    d = as_numbers(dual_on_points(f, g, np.vstack([ends, ends.mean(axis=0)[None]])), 3)
    yield equal("d over finitely many points", d[:2], (f + ends @ g.T).min(axis=1), f=f, g=g)
    yield at_least("and its concavity", d[2], d[:2].mean(), f=f, g=g, lam=ends)


@hard_cases(function, estimators_only="In units of a billion, a sum that cancels to rounding errors.")
def slopes_that_cancel(QuadraticProgram):
    a, b = 2.0**30 * np.array([[[0.1]], [[-0.3]]])  # 3 (0.1) is not 0.3 in floats
    level = QuadraticProgram([[0.0]], [0.0], a, [1.0], b, [2.0])
    yield equal("d of a slope that cancels", level.dual_function([3.0], [1.0]), -5.0, rounding(4, 5))


@statement("theorem", "2", "Yan, strong and weak duality", "Shi, duality")
def weak(QuadraticProgram, dual_on_points, rng):
    r"""Weak duality: $d(\lambda, \nu) \le f(x)$ for every *feasible* $x$, every $\lambda \ge 0$ and every
    $\nu$. No convexity is needed."""
    *arrays, inside = _program(rng)
    program = QuadraticProgram(*_floats(arrays))
    P, q, G, h, A, b = arrays
    lams, nus = rng.integers(0, 6, (25, 4)) * 1.0, rng.integers(-4, 5, (25, 1)) * 1.0
    d = np.array([program.dual_function(*pair) for pair in zip(lams, nus, strict=True)])
    points = inside + np.array(list(itertools.product(range(-3, 4), repeat=3)))
    points = points[(points @ G.T <= h).all(axis=1) & (points @ A.T == b).all(axis=1)]
    lowest = (((points @ P) * points).sum(axis=1) / 2 + points @ q).min()
    slack = rounding(60, 1 + float(np.abs(d[np.isfinite(d)]).max(initial=0)) * 50)
    yield at_most("d against values at feasible integer points", d, lowest, slack, lam=lams, nu=nus)
    f, g = rng.integers(-9, 10, 12), rng.integers(-4, 5, (12, 2))  # twelve points: nothing is convex
    g[0] = -1
    d = as_numbers(dual_on_points(f, g, lams[:, :2]), 25)
    yield at_most("d over twelve points", d, f[(g <= 0).all(axis=1)].min(), f=f, g=g, lams=lams)
    yield at_least("which is no less than all L", d, (f + lams[:, :2] @ g.T).min(axis=1), f=f, g=g)


@hard_cases(weak)
def infeasible_points_and_negative_multipliers(QuadraticProgram, dual_on_points):
    parabola = QuadraticProgram(*_PARABOLA)
    values = [parabola.dual_function([lam]) for lam in _LAMBDAS]
    yield at_most("d of the parabola against its value", values, 1.0)
    yield equal("d of the parabola at 2, where it attains that", values[3], 1.0, rounding(4))
    excess = values[3] - parabola.objective([0.0])
    yield equal("d(2) - f(0), with an infeasible x", excess, 1.0, rounding(4))
    below = scalar(dual_on_points(_LINE**2, (_LINE - 1)[:, None], [-2.0])) - parabola.objective([0.0])
    yield equal("d(-2) - f(0) of min x^2, x <= 1: a negative lambda", below, 1.0)
    yield equal("a negative lambda refused", refuses(parabola.dual_function, [-0.5]), True)


# ------------------------------------------------------------------- 3 Strong duality
@statement("definition", "3", "Yan, strong and weak duality")
def slater(is_slater_point, textbook_programs):
    r"""A Slater point satisfies every constraint, and strictly each one that is not affine. Affine
    constraints need no strictness; an interior point of the feasible set is not enough: $\max(0, -x)^2 \le
    0$ has $x = 1$ in its interior, where the constraint is 0."""
    cases = (
        ([-1.0, -1.0], [False, False], True),
        ([-1.0, 0.0], [False, False], False),
        ([-1.0, 0.0], [False, True], True),
        ([0.0, 0.0], [True, True], True),
        ([-1.0, 1.0], [False, True], False),
        ([-1e-300], [False], True),
    )
    answers = [is_slater_point(values, affine) is answer for values, affine, answer in cases]
    yield equal("answers", answers, np.ones(6, dtype=bool))
    values = textbook_programs()["interior"].constraints(np.array([[1.0], [0.5], [3.0]]))
    yield equal("max(0, -x)^2 at interior points", values, np.zeros((3, 1)))
    yield equal("an interior point is a Slater point", is_slater_point(values[0], (False,)), False)


@statement("theorem", "3", "Yan, strong and weak duality", "Shi, primal and dual relation")
def strong(solve_qp, QuadraticProgram, rng):
    r"""For convex $f, g_i$, finite $\inf f$ and a Slater point $\inf f = \max d$: the dual optimum is
    attained. For a convex quadratic program with an optimum some feasible $x$, $\lambda \ge 0$ and $\nu$ have
    $f(x) = d(\lambda, \nu)$: the solver finds them with a gap of at most $10^{-8}$ of the terms,
    and $f(x)$ is the smallest value over all active sets."""
    *arrays, _ = _program(rng, m=5)
    truth, *optimum = _optimum(arrays)
    solution = _solve(solve_qp, QuadraticProgram, arrays)
    yield from _proves(solution, arrays, "random program", optimum)
    x, (P, q, *_) = solution.x, arrays
    value = 0.5 * x @ P @ x + q @ x
    yield equal("value against all active sets", value, truth, _play(arrays, *optimum), program=arrays)
    solution = _solve(solve_qp, QuadraticProgram, _PINNED)
    yield from _proves(solution, _PINNED, "x <= 1 and x >= 1: no strict point", _PINNED_OPTIMUM)
    yield equal("its solution", solution.x, [1.0], 2 * ACCURACY)  # both constraints hold to that


_PINNED = ([[2.0]], [0.0], [[1.0], [-1.0]], [1.0, -1.0], np.zeros((0, 1)), np.zeros(0))
_PINNED_OPTIMUM = np.ones(1), np.array([0.0, 2.0]), np.zeros(0)


def _sizes(arrays, x, lam, nu) -> tuple[float, float, float]:
    """Return the sizes of the terms added up in the gap, in the gradient of L and in the constraints.

    They are those of the optimum, or bounds for it: no tolerance depends on what a solver returns.
    """
    P, q, G, h, A, b = (abs(a) for a in _floats(arrays))
    x, lam, nu = abs(x), abs(lam), abs(nu)
    gap = 1 + float(x @ P @ x + q @ x + lam @ h + nu @ b)
    gradient = 1 + float((P @ x + q + G.T @ lam + A.T @ nu).max())
    reach = 1 + float(x.sum() * max(G.max(initial=0), A.max(initial=0)))
    return gap, gradient, reach


def _proves(solution, arrays, name, optimum):
    """Yield what x, lam and nu prove, from the arrays alone, to `ACCURACY` of the terms added up."""
    P, q, G, h, A, b = _floats(arrays)
    x, lam, nu = solution.x, solution.lam, solution.nu
    value, slope = 0.5 * x @ P @ x + q @ x, P @ x + q + G.T @ lam + A.T @ nu
    size, gradient, reach = (ACCURACY * v for v in _sizes(arrays, *optimum))
    yield at_most(f"{name}: g(x)", float((G @ x - h).max(initial=-math.inf)), 0.0, reach, x=x, program=arrays)
    if len(b):
        yield equal(f"{name}: Ax - b", A @ x - b, np.zeros(len(b)), reach, x=x)
    yield at_least(f"{name}: lambda", lam, 0.0, gradient)
    yield equal(f"{name}: gradient of L", slope, np.zeros(len(q)), gradient, x=x, lam=lam, nu=nu)
    dual = -0.5 * x @ P @ x - lam @ h - nu @ b
    yield equal(f"{name}: f(x) - d(lambda, nu)", value - dual, 0.0, size, x=x, lam=lam, nu=nu)
    reported = solution.primal, solution.dual, solution.gap
    yield equal(f"{name}: f, d and the gap, as reported", reported, (value, dual, value - dual), size)


def _play(arrays, x, lam, nu) -> float:
    """Return how far the value at a point that `_proves` accepts may be from the value at the optimum.

    Below: the constraints may be violated, which the optimal multipliers turn into value. Above: L is convex,
    so that it falls towards the optimal x by no more than its gradient there says, and a lambda below zero
    adds its part of the slack.
    """
    _, _, G, h, _, _ = _floats(arrays)
    size, gradient, reach = (ACCURACY * v for v in _sizes(arrays, x, lam, nu))
    below = reach * float(abs(lam).sum() + abs(nu).sum())
    return below + size + gradient * float(abs(x).sum() + (h - G @ x).sum())


@statement("claim", "3", "Yan, strong and weak duality", "Shi, duality 'sometimes (not always)'")
def often(textbook_programs):
    r"""Strong duality 'often' holds, and fails in two ways even for convex problems. Duffin's $\min
    e^{-x_2}$, $\sqrt{x_1^2 + x_2^2} \le x_1$ has the values 1 and 0; $\min x$, $\max(0, -x)^2 \le 0$ has 0
    and 0, but no multiplier attains the 0. Neither has a Slater point."""
    for name, (points, lams) in _TEXTBOOK.items():
        program, lams = textbook_programs()[name], np.array(lams, dtype=float)
        feasible = (program.constraints(points) <= 0).all(axis=1)
        least = program.objective(points)[feasible].min()
        yield equal(f"{name}: least f at feasible points", least, program.primal_value, 1e-50)
        low = np.array([program.lagrangian(points, lam).min() for lam in lams])
        d = np.array([program.dual(lam) for lam in lams], dtype=float)
        slack = 1e-50 + 2.0**-15 * lams.sum(axis=1) * (name == "duffin")
        yield equal(f"{name}: least L against d", np.where(low > -100, low, -math.inf), d, slack, lam=lams)
        yield equal(f"{name}: largest d", d.max(), program.dual_value, 1e-50)
        if name == "interior":
            yield at_most("d of max(0, -x)^2 <= 0, at any multiplier below its value 0", d, -(2.0**-203))


# ------------------------------------------------------------------- 4 The KKT conditions
@statement("theorem", "4", "Yan, KKT conditions")
def kkt(kkt_violations, QuadraticProgram):
    r"""KKT: $g(x) \le 0$, $Ax = b$, $\lambda \ge 0$, $\lambda_ig_i(x) = 0$, $\nabla_xL = 0$. Necessary for
    differentiable $f, g$ with strong duality and both optima attained; sufficient for convex ones. Five
    residuals, zero exactly at such a pair; each is blind to the other four."""
    # min x1^2 + x2^2, x1 + x2 = 1, x1 <= 1/4, 0 <= 5: x = (1/4, 3/4), lambda = (1, 0), nu = -3/2
    G, A = np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[1.0, 1.0]])
    program = QuadraticProgram(2 * np.eye(2), np.zeros(2), G, [0.25, 5.0], A, [1.0])
    cases = (  # x, lambda, nu, and the five residuals by hand
        ([0.25, 0.75], [1.0, 0.0], [-1.5], [0.0, 0.0, 0.0, 0.0, 0.0]),
        ([0.25, 0.75], [2.0, 0.0], [-1.5], [1.0, 0.0, 0.0, 0.0, 0.0]),
        ([0.5, 0.5], [0.0, 0.0], [-1.0], [0.0, 0.25, 0.0, 0.0, 0.0]),
        ([0.25, 0.25], [0.0, 0.0], [-0.5], [0.0, 0.0, 0.5, 0.0, 0.0]),
        ([0.25, 0.75], [1.0, -2.0], [-1.5], [0.0, 0.0, 0.0, 2.0, 10.0]),
        ([0.25, 0.75], [1.0, 2.0], [-1.5], [0.0, 0.0, 0.0, 0.0, 10.0]),
    )
    for *point, wanted in cases:
        name = "x = {}, lambda = {}, nu = {}".format(*point)
        x, lam, nu = map(np.array, point)
        gradient = 2 * x + lam @ G + nu @ A
        five = kkt_violations(gradient, np.array([x[0] - 0.25, -5.0]), lam, equations=[x.sum() - 1.0])
        yield equal(f"any program, {name}", _five(five), wanted)
        yield equal(f"the quadratic program, {name}", _five(program.kkt(x, lam, nu)), wanted)


def _five(residuals):
    names = ("stationarity", "inequality", "equality", "multiplier", "complementarity")
    return np.array([scalar(getattr(residuals, name, None)) for name in names])


@statement("claim", "4", "Shi, primal and dual relation")
def solve_via_dual(QuadraticProgram, solve_qp, rng):
    r"""Under strong duality the dual gives the *value*. It gives $x$ as well if $L(\cdot, \lambda^*,
    \nu^*)$ has one minimiser, as for positive definite $P$: $x = -P^{-1}(q + G^\top\lambda^* +
    A^\top\nu^*)$ is feasible and optimal. For $\min x, x \ge 0$ every $x$ minimises $L(x, 1) = 0$."""
    *arrays, _ = _program(rng)
    program = QuadraticProgram(*_floats(arrays))
    P, q, G, h, A, b = _floats(arrays)
    truth, best, *multipliers = _optimum(arrays)
    # the dual program: z = (lambda, nu), lambda >= 0, whose multipliers are the slacks of the primal
    M, r, inverse = np.vstack([G, A]), np.concatenate([h, b]), np.linalg.inv(P)
    dual = (M @ inverse @ M.T, M @ inverse @ q + r, -np.eye(4, 5), np.zeros(4), np.zeros((0, 5)), np.zeros(0))
    optimum = np.concatenate(multipliers), h - G @ best, np.zeros(0)
    solution = quietly(solve_qp, program.dual_program())
    yield from _proves(solution, dual, "dual program", optimum)
    z = solution.x
    lam, nu = np.maximum(z[:4], 0.0), z[4:]
    v = q + G.T @ lam + A.T @ nu
    value = -0.5 * v @ inverse @ v - lam @ h - nu @ b
    # raising lambda to 0 moves the value by its slope, h - Gx, times the miss, and half the square of it
    miss = ACCURACY * _sizes(dual, *optimum)[2]
    slope = float(abs(dual[0] @ z + dual[1]).sum() + miss * abs(dual[0]).sum())
    excess = _play(dual, *optimum) + miss * slope
    excess += rounding(60, 1 + float(abs(z) @ abs(dual[0]) @ abs(z) + abs(dual[1]) @ abs(z)))
    yield equal("value of the dual", value, truth, excess, program=arrays)
    # d is at least |P^(1/2) (x - x*)|^2/2 below its maximum, and no eigenvalue of P is below 1
    root = math.sqrt(2 * excess)
    x = program.lagrangian_minimizer(lam, nu)
    yield at_most("g at the minimiser of L", G @ x - h, 0.0, root * float(np.linalg.norm(G, axis=1).max()))
    yield equal("Ax - b there", A @ x - b, np.zeros(1), root * float(np.linalg.norm(A)))
    slope = float(np.linalg.norm(P @ best + q)) + 0.5 * root * float(np.linalg.norm(P, 2))
    yield equal("f there", 0.5 * x @ P @ x + q @ x, truth, root * slope, program=arrays)
    values = [QuadraticProgram(*_LINEAR).lagrangian([x], [1.0]) for x in (-5.0, 0.0, 7.0)]
    yield equal("L of min x, x >= 0 at lambda = 1", values, np.zeros(3))


@statement("algorithm", "4", "Shi, how to do it?")
def recipe(QuadraticProgram, textbook_programs, rng):
    r"""The recipe: standard form, Lagrangian, $\nabla_xL = 0$, eliminate $x$. For $\min x^2, x \ge 1$: $L =
    x^2 + \lambda(1 - x)$, $x = \lambda/2$, $d = \lambda - \lambda^2/4$, largest at $\lambda = 2$ with $d =
    1 = f(1)$. For a quadratic program with $P > 0$ the dual is a quadratic program in $(\lambda, \nu)$: $d
    = -\frac12z^\top MP^{-1}M^\top z - (MP^{-1}q + r)^\top z - \frac12q^\top P^{-1}q$ with $M = (G; A)$, $r
    = (h; b)$."""
    x = [QuadraticProgram(*_PARABOLA).lagrangian_minimizer([lam])[0] for lam in _LAMBDAS]
    yield equal("minimiser lambda / 2", x, _LAMBDAS / 2, rounding(4, 6.0))
    parabola = textbook_programs()["parabola"]
    yield equal("standard form: 1 - x at 3", parabola.constraints(np.array([[3.0]])), [[-2.0]])
    d = np.array([parabola.dual(np.array([lam])) for lam in _LAMBDAS])
    low = [(_LINE**2 + lam * (1 - _LINE)).min() for lam in _LAMBDAS]  # lambda / 2 is on the grid
    yield equal("d against the smallest value on a grid", d, low)
    yield equal("largest d, and where", (d.max(), _LAMBDAS[d.argmax()]), [1.0, 2.0])
    low = QuadraticProgram([[0.5]], *_PARABOLA[1:]).dual_program().objective([3.0])
    yield equal("objective of the dual of min x^2/4, x >= 1, at 3", low, 3.0**2 - 3.0, rounding(8, 10))
    for m in (4, 1):
        *arrays, _ = _program(rng, m=m)
        P, q, G, h, A, b = _floats(arrays)
        dual = QuadraticProgram(P, q, G, h, A, b).dual_program()
        M, r = np.vstack([G, A]), np.concatenate([h, b])
        Z, inverse = rng.integers(-3, 4, (6, m + 1)).astype(float), np.linalg.inv(P)
        square = M @ inverse @ M.T
        truth = 0.5 * (Z @ square * Z).sum(axis=1) + Z @ (M @ inverse @ q + r)
        slack = rounding(60, 1 + (abs(Z) @ abs(square) * abs(Z)).sum() + abs(truth).max() * 10)
        values = [dual.objective(z) for z in Z]
        yield equal(f"objective of the dual program, m = {m}", values, truth, slack, program=arrays)
        yield equal("its constraints: lambda >= 0, nu free", dual.G, -np.eye(m, m + 1))
        yield equal("with the right side", dual.h, np.zeros(m))


# ------------------------------------------------------------------- 5 A solver that proves its result
@statement("algorithm", "5", "Mehrotra 1992")
def interior_point(solve_qp, QuadraticProgram, rng):
    r"""The interior point method returns $x$ and $(\lambda, \nu)$ with a relative gap of at most $10^{-8}$
    also where constraints repeat, bounds are far apart, and $P$ is singular; the dual of a support vector
    machine, $\min\frac12a^\top Qa - \sum a_i$, $0 \le a \le C$, $y^\top a = 0$, for $C$ from $10^{-2}$ to
    $10^4$."""
    X = rng.integers(-3, 4, (12, 2))
    y = np.where(np.arange(12) % 2, 1, -1)
    X = X + y[:, None]
    Z, box = X * y[:, None], np.vstack([np.eye(12), -np.eye(12)])
    for C in (0.01, 1.0, 1e4):
        arrays = (Z @ Z.T, -np.ones(12), box, np.repeat([C, 0.0], 12), y[None], np.zeros(1))
        solution = _solve(solve_qp, QuadraticProgram, arrays)
        most = 1 + 12 * C * float(abs(Z @ Z.T).max())  # of a gradient in the box, and so of its multipliers
        caps = np.full(12, min(C, most)), np.full(24, most), np.full(1, most)
        yield from _proves(solution, arrays, f"C = {C:g}", caps)
        value, gap = solution.primal, solution.gap
        yield at_most(f"relative gap, C = {C:g}", abs(gap), ACCURACY * abs(value), X=X, y=y)


@hard_cases(interior_point)
def repeated_constraints_and_a_linear_program(solve_qp, QuadraticProgram, rng):
    G = np.array([[-1, 0], [-1, 0], [-2, 0], [0, 0]])
    A = np.array([[1, 1], [2, 2]])
    repeats = (np.eye(2), np.zeros(2), G, np.array([-2, -2, -4, 0]), A, np.array([1, 2]))
    optimum = np.array([2, -1]), np.array([3, 0, 0, 0]), np.array([1, 0])
    solution = _solve(solve_qp, QuadraticProgram, repeats)
    yield from _proves(solution, repeats, "repeated constraints", optimum)
    # a linear program: the smallest of four numbers over the simplex
    c = rng.permutation(np.array([1, 4, 6, 9]))
    simplex = (np.zeros((4, 4)), c, -np.eye(4), np.zeros(4), np.ones((1, 4)), np.ones(1))
    solution = _solve(solve_qp, QuadraticProgram, simplex)
    optimum = (c == 1) * 1.0, c - 1.0, -np.ones(1)
    yield from _proves(solution, simplex, "least of four numbers", optimum)
    yield equal("its value", c @ solution.x, 1.0, _play(simplex, *optimum))


@hard_cases(interior_point, estimators_only="The reference module keeps no history.")
def history_of_a_solution(solve_qp, QuadraticProgram, rng):
    *arrays, _ = _program(rng, m=5)
    for program in (QuadraticProgram(*_floats(arrays)), QuadraticProgram(*_floats(_PINNED))):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            solution = solve_qp(program)
        yield equal("converged", solution.converged, True)
        yield at_least("the gap that it reports", solution.gap, 0.0)  # d is a lower bound
        yield equal("states on its way", len(solution.history), solution.iterations + 1)


@statement("claim", "5", "Mehrotra 1992", "Farkas 1902")
def no_refusal(solve_qp, QuadraticProgram, rng):
    r"""What has a point is never refused. $\min\frac12\|x\|^2$ over $a^\top x \le c$, $-a^\top x \le -c$ and
    multiples of both has the solution $\frac{c}{\|a\|^2}a$; where $2n$ inequalities leave one point alone, it
    is that. Neither has an interior."""
    a, factors = rng.integers(1, 5, 3) * rng.choice([-1, 1], 3), rng.integers(1, 9, 6)
    none = np.zeros((0, 3)), np.zeros(0)
    for c in (int(rng.integers(1, 9)), 1000):
        signs = factors * np.array([1, -1, 1, -1, 1, -1])
        arrays = (np.eye(3), np.zeros(3), np.outer(signs, a), signs * c, *none)
        lam = np.zeros(6)
        lam[1] = c / (factors[1] * (a @ a))
        yield from _nearest(solve_qp, QuadraticProgram, arrays, (c / (a @ a) * a, lam, none[1]), f"c = {c}")
    x0, slopes = rng.integers(-9, 10, 3), np.tril(rng.integers(-3, 4, (3, 3)), -1) + np.eye(3, dtype=int)
    G = np.vstack([slopes, -slopes])
    lam = np.linalg.solve(slopes.T, -x0.astype(float))
    lam = np.maximum(np.concatenate([lam, -lam]), 0)
    arrays = (np.eye(3), np.zeros(3), G, G @ x0, *none)
    yield from _nearest(solve_qp, QuadraticProgram, arrays, (x0, lam, none[1]), "one point alone")


@hard_cases(no_refusal, estimators_only="The reference module leaves the choice of units to its caller.")
def any_unit(solve_qp, QuadraticProgram, rng):
    a = rng.integers(1, 5, 3)
    for c in (1e-8, 1e8):
        x = _solve(solve_qp, QuadraticProgram, (np.eye(3), np.zeros(3), [a, -a], [c, -c], [], [])).x
        yield equal(f"x over c, c = {c:g}", x / c, a / (a @ a), 1e-6, a=a)


def _nearest(solve_qp, QuadraticProgram, arrays, optimum, name):
    try:
        solution = _solve(solve_qp, QuadraticProgram, arrays)
    except ValueError:
        solution = None
    yield equal(f"{name}: refused", solution is None, False, program=arrays)
    if solution is None:
        return
    # f is |x|^2/2: at x it is at least |x - x*|^2/2 above the optimum, but for what the constraints may miss
    root = math.sqrt(2 * _play(arrays, *optimum))
    yield equal(f"{name}: x", solution.x, np.asarray(optimum[0], dtype=float), root, program=arrays)


@statement("theorem", "5", "Farkas 1902")
def farkas(solve_qp, QuadraticProgram, rng):
    r"""Either some $x$ has $Gx \le h$, $Ax = b$, or some $\lambda \ge 0$ and $\nu$ have $G^\top\lambda +
    A^\top\nu = 0$ and $h^\top\lambda + b^\top\nu < 0$, never both. A solver that finds no point shows the
    multipliers; an objective that falls for ever, along some $v$ with $Pv = 0$, $Gv \le 0$, $q^\top v < 0$,
    is refused too."""
    G, h, a = _contradiction(rng)
    arrays = (np.eye(3), np.zeros(3), G, h, a[None], np.array([1]))
    yield from _refutes(solve_qp, QuadraticProgram, arrays, "inequalities against an equation")
    arrays = (np.eye(3), np.zeros(3), np.zeros((0, 3)), np.zeros(0), np.array([a, 2 * a]), np.array([1, 3]))
    yield from _refutes(solve_qp, QuadraticProgram, arrays, "contradicting equations")
    bounds = np.array([[1], [-1], [1]]), np.array([0, -0.5, 2])
    arrays = (np.eye(1), np.zeros(1), *bounds, np.zeros((0, 1)), np.zeros(0))
    yield from _refutes(solve_qp, QuadraticProgram, arrays, "two of three bounds")
    falls = QuadraticProgram(np.diag([1.0, 0.0]), [1.0, -1.0], [[0.0, -1.0]], [0.0])  # along (0, 1)
    yield equal("a program without a lower bound refused", refuses(solve_qp, falls), True)


@hard_cases(farkas, estimators_only="The reference module does not scale the constraints.")
def contradiction_in_a_large_unit(solve_qp, QuadraticProgram, rng):
    G, h, a = _contradiction(rng)
    arrays = (np.eye(3), np.zeros(3), G, 10_000 * h, a[None], np.array([10_000]))
    yield from _refutes(
        solve_qp, QuadraticProgram, arrays, "inequalities against an equation, in a large unit"
    )


def _contradiction(rng):
    """Return G, h and a: no x has Gx <= h and <a, x> = 1."""
    G = rng.integers(-3, 4, (5, 3))
    weights = rng.integers(1, 4, 4)
    a, h = rng.integers(1, 4, 3), rng.integers(-4, 5, 5)
    G[4] = -weights @ G[:4] - 2 * a  # a combination of the rows and the equation is zero ...
    h[4] = -1 - weights @ h[:4] - 2  # ... and of the right sides is -1
    return G, h, a


def _refutes(solve_qp, QuadraticProgram, arrays, name):
    _, _, G, h, A, b = _floats(arrays)
    lam, nu = np.full(len(h), math.nan), np.full(len(b), math.nan)
    try:
        _solve(solve_qp, QuadraticProgram, arrays)
    except ValueError as error:
        lam = as_numbers(getattr(error, "lam", None), len(h)) if len(h) else lam
        nu = as_numbers(getattr(error, "nu", None), len(b)) if len(b) else nu
    total = float(h @ lam + b @ nu)
    yield at_least(f"{name}: lambda", np.append(lam, 0.0), 0.0)
    yield equal(f"{name}: h'lambda + b'nu given, and below zero", total < 0, True, program=arrays)
    # with this miss they still refute every x whose entries add up to less than 1/ACCURACY
    miss = ACCURACY * abs(total)
    yield equal(f"{name}: G'lambda + A'nu", G.T @ lam + A.T @ nu, np.zeros(G.shape[1]), miss, program=arrays)


# ------------------------------------------------------------------- 6 What the notes got wrong
@correction("wrong", "6 deeper", "Yan, strong and weak duality")
def erratum_y18(textbook_programs, is_slater_point):
    r"""Printed: Strong duality: $\min_{g(x) \le 0}f(x) = \max_{\lambda \ge 0}d(\lambda)$.
    Right: $\inf f = \max d$: under Slater the dual optimum is attained, the primal one need not be. $\min
    e^{-x}, x \ge 0$ has a Slater point, the value 0, the multiplier 0, and no minimiser."""
    program = textbook_programs()["unattained"]
    x = np.arange(0.0, 700.0, 7.0)[:, None]
    values = as_numbers(program.objective(x), 100)
    yield at_least("objective at feasible points", values, 1e-310)
    yield at_most("its infimum so far", float(values.min()), 1e-300)
    yield equal("d(0)", scalar(program.dual(np.zeros(1))), 0.0)
    strict = as_numbers(program.constraints(np.array([[1.0]])), 1, 1)[0]
    yield equal("1 is a Slater point", is_slater_point(strict, (False,)), True)


@correction("wrong", "6 deeper", "Yan, strong and weak duality")
def erratum_y19(is_slater_point, textbook_programs, solve_qp, QuadraticProgram):
    r"""Printed: Slater: 'the feasible region has an interior point, i.e.' some $x_0$ has all $g_i(x_0) < 0$.
    Right: A strict point makes an interior point, not conversely: $\max(0, -x)^2 \le 0$ has an interior, no
    strict point and no multiplier. Affine constraints need no strict point at all: $x \le 1, x \ge 1$."""
    interior, pinned = (textbook_programs()[name] for name in ("interior", "pinned"))
    values = interior.constraints(_LINE[_LINE >= 0][:, None])
    yield equal("feasible points of max(0, -x)^2 <= 0 on a grid", (values <= 0).sum(), 4097)
    yield equal("strict ones", (values < 0).sum(), 0)
    d = [interior.dual(np.array([lam])) for lam in (1.0, 4.0**10)]
    yield at_most("d at 1 and 4^10, with the value 0", d, -1e-7)
    there = pinned.constraints(np.array([[1.0]]))[0]
    yield equal("1 is a Slater point of x <= 1, x >= 1", is_slater_point(there, (True, True)), True)
    solution = _solve(solve_qp, QuadraticProgram, _PINNED)
    yield from _proves(solution, _PINNED, "min x^2 there", _PINNED_OPTIMUM)


@correction("sharper", "6 deeper", "Yan, KKT conditions")
def erratum_y20(kkt_violations, rng):
    r"""Printed: The KKT conditions are a necessary condition for optimality.
    Right: So they are; for convex problems they are also sufficient. Without convexity they are not: $x = 0$
    satisfies them for $\min x^3, -1 \le x$."""
    five = _five(kkt_violations([0.0], [-1.0], [0.0]))
    yield equal("residuals of min x^3, x >= -1, at 0", five, np.zeros(5))
    yield at_most("x^3 at -1 against its value at 0", (-1.0) ** 3, -1.0)
    a = int(rng.integers(2, 9))  # min (x - a)^2, x <= 1: convex, KKT at x = 1 with lambda = 2 (a - 1)
    five = _five(kkt_violations([2.0 * (1 - a) + 2.0 * (a - 1)], [0.0], [2.0 * (a - 1)]))
    yield equal("residuals of min (x - a)^2, x <= 1, at 1", five, np.zeros(5), a=a)
    slope = _five(kkt_violations([-2.0 * a], [-1.0], [0.0]))[0]
    yield at_least("residual of the gradient at 0, where it is 2 a", abs(slope), 0.5, a=a)
    values = (_LINE[_LINE <= 1] - a) ** 2
    yield at_least("values at feasible points against that at 1", values, (1 - a) ** 2, a=a)


@correction("wrong", "6 deeper", "Shi, Lagrange multipliers")
def erratum_s1(textbook_programs):
    r"""Printed: 'The feasible set $A$ is convex (equivalent to all $f_0, f_i$ are convex)'.
    Right: Convex $f_i$ make $A$ convex, not conversely: $-x^3 \le 0$ describes a half-line. Duality needs
    convex functions: $\min x, -x^3 \le 0$ has the values 0 and $-\infty$."""
    program = textbook_programs()["cubic"]
    g = as_numbers(program.constraints(_LINE[:, None]), len(_LINE), 1)[:, 0]
    wrong = ((g <= 0) != (_LINE >= 0)).sum()
    yield equal("points of the grid with -x^3 <= 0 that are not x >= 0", wrong, 0)
    low, middle, high = as_numbers(program.constraints(np.array([[0.0], [1.0], [2.0]])), 3, 1)[:, 0]
    yield at_least("-x^3 at 1 above the mean of its values at 0 and 2", middle - (low + high) / 2, 3.0)
    for lam in (0.0, 0.5, 4.0):
        low = as_numbers(program.lagrangian(np.array([[2.0**20], [-(2.0**40)]]), [lam]), 2).min()
        yield at_most(f"L somewhere, lambda = {lam:g}", low, -1e11)
        yield equal(f"d({lam:g})", scalar(program.dual(np.array([lam]))), -math.inf)


@correction("wrong", "6 deeper", "Shi, primal and dual relation")
def erratum_s3(textbook_programs, rng):
    r"""Printed: Since $L$ is convex in $x$ and concave in $\alpha$, min max = max min.
    Right: A Slater point (or another qualification) is needed: Duffin's $L$ is convex in $x$ and affine in
    $\alpha$, and the values are 1 and 0."""
    duffin = textbook_programs()["duffin"]
    ends = rng.integers(-9, 10, (2, 30, 2)).astype(float)
    for lam in (0.0, 2.0):
        one, two, middle = (as_numbers(duffin.lagrangian(X, [lam]), 30) for X in (*ends, ends.mean(axis=0)))
        slack = rounding(8, 20.0 * (1 + lam) + float(np.abs(one).max() + np.abs(two).max()))
        what = f"L in the middle against the mean, lambda = {lam:g}"
        yield at_most(what, middle, (one + two) / 2, slack, ends=ends)
    on_ray = as_numbers(duffin.objective(np.column_stack([np.arange(5.0), np.zeros(5)])), 5)
    yield equal("primal value on the feasible ray", float(on_ray.min()), 1.0)
    d = [scalar(duffin.dual(np.array([lam]))) for lam in (0.0, 1.0, 100.0)]
    yield equal("d at 0, 1, 100", d, np.zeros(3))


@statement("example", "2 deeper")
def exact(dual_on_points):
    r"""Over finitely many points in fractions everything is exact: for points $(f, g) = (\frac13, 1),
    (\frac57, -\frac12)$ the dual function is $\min(\frac13 + \lambda, \frac57 - \frac\lambda2)$, largest at
    $\lambda = \frac{16}{63}$ with the value $\frac{37}{63}$, below the primal value $\frac57$: a gap."""
    f, g = [Fraction(1, 3), Fraction(5, 7)], [[Fraction(1)], [Fraction(-1, 2)]]
    for lam in (Fraction(0), Fraction(16, 63), Fraction(1)):
        least = min(Fraction(1, 3) + lam, Fraction(5, 7) - lam / 2)
        yield equal(f"d({lam})", dual_on_points(f, g, [lam]), least)
    yield equal("the largest", dual_on_points(f, g, [Fraction(16, 63)]), Fraction(37, 63))
    yield at_least("the gap", Fraction(5, 7) - Fraction(37, 63), Fraction(8, 63))


# fmt: off
erratum_s2 = function.corrects("s2", "wrong", "6 deeper", "Shi, dual problem", r"""
    Printed: $D(\alpha) = \min_{x \in A}L(x, \alpha)$, with $A$ the feasible set.
    Right: The minimum runs over all $x$. Over $A$ already $D(0) = \min_Af_0$, the
    primal problem itself.""")
erratum_s4 = weak.corrects("s4", "wrong", "6 deeper", "Shi, duality", r"""
    Printed: $D(\alpha) \le f_0(x)$ for all $x, \alpha$.
    Right: For *feasible* $x$ and $\alpha \ge 0$. For $\min x^2, x \ge 1$: $D(2) = 1 > f_0(0) = 0$, with an
    infeasible $x$; for $\min x^2, x \le 1$: $D(-2) = 1 > f_0(0)$. A negative $\alpha$ is refused.""")
erratum_s5 = primal_objective.corrects("s5", "wrong", "6 deeper", "Shi, dual problem", r"""
    Printed: $f_0(x) = \max_{\alpha \ge 0}L(x, \alpha)$.
    Right: For feasible $x$; for others the supremum is $+\infty$ and is not attained.""")
