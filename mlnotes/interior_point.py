r"""Mehrotra's interior point for dense convex quadratic programs, and the proofs where there is no solution.

The program is :math:`\min\frac12x^\top Px + q^\top x` subject to :math:`Gx \le h`, :math:`Ax = b`, with P
positive semi-definite. With slacks :math:`s = h - Gx` and multipliers :math:`\lambda, \nu` the conditions of
optimality are

.. math:: Px + q + G^\top\lambda + A^\top\nu = 0,\quad Gx + s = h,\quad Ax = b,\quad
          \lambda_is_i = 0,\quad \lambda, s \ge 0 .

`iterate` scales the program (Ruiz), starts inside, and takes Newton steps towards :math:`\lambda_is_i =
\sigma\mu` with :math:`\mu \to 0`; near the end it guesses the active constraints and solves the linear
system that is left. Every point is measured in the units of the program. `refute` looks for a proof that
there is no feasible point or no lower bound.

====================  ============  =================================
symbol                shape         name in the code
====================  ============  =================================
:math:`x, \nu`        (n,), (p,)    ``x``, ``nu``
:math:`s, \lambda`    (m,)          ``s``, ``lam``, both positive
:math:`\mu`           number        ``mu``, the mean of lam_i s_i
====================  ============  =================================

Sources: Mehrotra (1992), On the implementation of a primal-dual interior point method, *SIAM J. Optim.* 2;
Ruiz (2001) for the scaling; Boyd and Vandenberghe, *Convex Optimization*, section 11.7.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_SHIFT = 1e-8  # of the last, linear system: far above the rounding of constraints that repeat each other
_BACK = 0.95  # share of the way to the boundary; nearer to 1, steps bounce between far bounds
_FAR = 1e-9  # a certificate of infeasibility with this residual rules out every point of norm below 1e9


class InfeasibleError(ValueError):
    r"""No x satisfies the constraints; ``lam`` and ``nu`` prove it (Farkas).

    :math:`\lambda \ge 0`, :math:`G^\top\lambda + A^\top\nu = 0` and :math:`h^\top\lambda + b^\top\nu = -1`:
    a feasible x would give :math:`0 = \lambda^\top Gx + \nu^\top Ax \le -1`. In floating point the zero is
    at most 1e-9, which rules out every x of norm below 1e9.
    """

    def __init__(self, message: str, lam: Array, nu: Array) -> None:
        super().__init__(message)
        self.lam, self.nu = lam, nu


class UnboundedError(ValueError):
    r"""The objective has no lower bound; along ``direction`` it falls for ever.

    :math:`Px = 0`, :math:`Gx \le 0`, :math:`Ax = 0`, :math:`q^\top x = -1` for x the direction.
    """

    def __init__(self, message: str, direction: Array) -> None:
        super().__init__(message)
        self.direction = direction


class Arrays(NamedTuple):
    """The six arrays of a program, checked already."""

    P: Array
    q: Array
    G: Array
    h: Array
    A: Array
    b: Array


@dataclass(frozen=True)
class Report:
    """What a point is worth, in the units of the program."""

    primal: float
    dual: float
    relative_gap: float
    error: float  # the largest of the relative gap and the relative residuals


Judged: TypeAlias = tuple[tuple[Array, Array, Array], Report]
Line: TypeAlias = tuple[float, float, float]


def iterate(program: Arrays, tol: float, max_iter: int) -> tuple[Judged, list[Line]]:
    """Step until the error is at most tol, or neither it nor mu has fallen for ten steps."""
    scaled, columns, rows, unit = _equilibrate(program)
    m = len(program.h)

    def judged(x: Array, lam: Array, nu: Array) -> Judged:
        point = columns * x, unit * rows[:m] * lam, unit * rows[m:] * nu
        return point, _judge(program, columns, unit, *point)

    x, s, lam, nu = _start(scaled)
    best, history, lowest, moved = judged(x, lam, nu), [], math.inf, 0
    for iteration in range(max_iter + 1):
        here, mu = judged(x, lam, nu), unit * float(s @ lam) / max(m, 1)
        history.append((here[1].primal, here[1].dual, mu))
        end = judged(*_finish(scaled, x, s, lam, nu)) if here[1].error <= 1e-6 else here
        candidate = min(here, end, key=lambda judgement: judgement[1].error)
        if candidate[1].error < best[1].error or mu < lowest:
            moved, lowest = iteration, min(mu, lowest)
        best = min(candidate, best, key=lambda judgement: judgement[1].error)
        if best[1].error <= tol or iteration >= moved + 10:
            break
        step = _newton_step(scaled, x, s, lam, nu)
        if step is None:
            break
        x, s, lam, nu = step
    return best, history


def _judge(program: Arrays, columns: Array, unit: float, x: Array, lam: Array, nu: Array) -> Report:
    """Measure a point in the units of the program; each residual is relative to the terms it adds.

    The gap is relative to the value, unless that is zero: it is so to rounding when it is a millionth of what
    is added up, or 1e-12 of the unit of the objective.
    """
    Px, pull, force = program.P @ x, program.G.T @ lam, program.A.T @ nu
    curve, line = 0.5 * float(x @ Px), float(program.q @ x)
    limit = float(program.h @ lam + program.b @ nu)
    primal, dual = curve + line, -curve - limit
    terms = abs(curve) + abs(line) + float(abs(program.h) @ lam + abs(program.b) @ abs(nu))
    scale = max(abs(primal), abs(dual), 1e-6 * terms, 1e-12 * unit)
    relative_gap = abs(primal - dual) / scale
    slope = abs(Px + program.q + pull + force)
    added = abs(program.P) @ abs(x) + abs(program.q) + abs(program.G.T) @ lam + abs(program.A.T) @ abs(nu)
    over = np.maximum(program.G @ x - program.h, 0), abs(program.A @ x - program.b)
    reach = np.concatenate(
        [abs(program.G) @ abs(x) + abs(program.h), abs(program.A) @ abs(x) + abs(program.b)]
    )
    errors = (
        relative_gap,
        _share(columns * slope, np.append(columns * added, 1e-12 * unit)),
        _share(np.concatenate(over), reach),
    )
    return Report(primal, dual, relative_gap, max(errors))


def _share(residuals: Array, sizes: Array) -> float:
    """Return the largest residual over the largest size: 0 if there is none."""
    return largest(residuals) / (largest(sizes) or 1.0)


def _equilibrate(program: Arrays) -> tuple[Arrays, Array, Array, float]:
    """Return the program in units in which the rows of its KKT matrix have a largest entry near 1.

    With x = c z and constraints times r, Ruiz's iteration divides row and column i of the symmetric matrix
    [[P, G', A'], [G, 0, 0], [A, 0, 0]] by the square root of the largest entry of its row, again and again.
    ``unit`` is what is left of the size of the objective.
    """
    n, P, M = len(program.q), program.P.copy(), np.vstack([program.G, program.A])
    columns, rows = np.ones(n), np.ones(len(M))
    for _ in range(10):
        c = np.maximum(abs(P).max(axis=1), abs(M).max(axis=0, initial=0.0))
        r = abs(M).max(axis=1, initial=0.0)
        c, r = (1 / np.sqrt(np.where(v > 0, v, 1.0)) for v in (c, r))
        P, M = P * c * c[:, None], M * c * r[:, None]
        columns, rows = columns * c, rows * r
    q, r = columns * program.q, rows * np.concatenate([program.h, program.b])
    unit = max(largest(abs(P)), largest(abs(q))) or 1.0
    m = len(program.h)
    return Arrays(P / unit, q / unit, M[:m], r[:m], M[m:], r[m:]), columns, rows, unit


def _start(scaled: Arrays) -> tuple[Array, Array, Array, Array]:
    """Return a start: least squares slacks and multipliers, shifted until they are positive."""
    weights = np.ones(len(scaled.h))
    x, nu = _solve_newton(scaled, weights, -scaled.q + scaled.G.T @ scaled.h, scaled.b)
    residual = scaled.h - scaled.G @ x
    s = residual + max(0.0, 1.0 + largest(-residual)) if residual.min(initial=1.0) <= 0 else residual
    lam = -residual + max(0.0, 1.0 + largest(residual)) if residual.max(initial=-1.0) >= 0 else -residual
    return x, s, lam, nu


def _solve_newton(
    scaled: Arrays, weights: Array, right: Array, right_equations: Array
) -> tuple[Array, Array]:
    """Solve [[P + G' diag(w) G, A'], [A, 0]] for the steps in x and nu."""
    H = scaled.P + (scaled.G.T * weights) @ scaled.G
    K = _bordered(H, scaled.A, np.finfo(np.float64).eps * max(1.0, float(np.diag(H).max())))
    step = np.linalg.solve(K, np.concatenate([right, right_equations]))
    return step[: len(right)], step[len(right) :]


def _bordered(H: Array, A: Array, shift: float) -> Array:
    """Return [[H + e I, A'], [A, -e I]], e the shift: regular where H is singular or equations repeat.

    The shift changes the steps, not the residuals they start from, so that the limit is that of the program.
    """
    n, p = len(H), len(A)
    K = np.block([[H, A.T], [A, np.zeros((p, p))]])
    K[np.diag_indices(n + p)] += np.concatenate([np.full(n, shift), np.full(p, -shift)])
    return K


def _newton_step(
    scaled: Arrays, x: Array, s: Array, lam: Array, nu: Array
) -> tuple[Array, Array, Array, Array] | None:
    """Return the next iterate, or None when rounding leaves no step."""
    slope = scaled.P @ x + scaled.q + scaled.G.T @ lam + scaled.A.T @ nu
    excess, miss = scaled.G @ x + s - scaled.h, scaled.A @ x - scaled.b
    mu = float(s @ lam) / max(len(s), 1)

    def direction(products: Array) -> tuple[Array, Array, Array, Array]:
        """Newton's step towards zero residuals and lam_i s_i = products_i, to first order."""
        change = (products - lam * s + lam * excess) / s
        dx, dnu = _solve_newton(scaled, lam / s, -slope - scaled.G.T @ change, -miss)
        ds = -excess - scaled.G @ dx
        return dx, ds, (products - lam * s - lam * ds) / s, dnu

    def advance(move: tuple[Array, Array, Array, Array]) -> tuple[float, float]:
        """How far the step may go, and the mean of lam_i s_i there."""
        _, ds, dlam, _ = move
        length = min(1.0, _BACK * min(_longest(s, ds), _longest(lam, dlam)))
        return length, float((s + length * ds) @ (lam + length * dlam)) / max(len(s), 1)

    try:
        _, ds, dlam, _ = predictor = direction(np.zeros(len(s)))
        ahead, after = advance(predictor)
        sigma = (after / mu) ** 3 if mu else 0.0
        move = direction(sigma * mu - ahead**2 * ds * dlam)
        length, after = advance(move)
        if after > 0.9 * mu or length < 0.1:  # the guess at the curvature misled: towards the middle instead
            move = direction(np.full(len(s), max(sigma, 0.3) * mu))
            length, _ = advance(move)
    except np.linalg.LinAlgError:
        return None
    dx, ds, dlam, dnu = move
    new = x + length * dx, s + length * ds, lam + length * dlam, nu + length * dnu
    return new if all(np.isfinite(part).all() for part in new) else None


def _finish(scaled: Arrays, x: Array, s: Array, lam: Array, nu: Array) -> tuple[Array, Array, Array]:
    r"""Return the point with the constraints of :math:`\lambda_i > s_i` as equations, the others left out.

    Close to the end this guess of the active set is right, and the KKT conditions are linear: the division by
    vanishing slacks is gone, and with it the rounding errors that it magnifies. The caller measures whether
    the guess was right.
    """
    active = lam > s
    M, limit = np.vstack([scaled.G[active], scaled.A]), np.concatenate([scaled.h[active], scaled.b])
    inverse = np.linalg.inv(_bordered(scaled.P, M, _SHIFT * max(1.0, float(np.diag(scaled.P).max()))))
    force = np.concatenate([lam[active], nu])
    for _ in range(6):
        slope = scaled.P @ x + scaled.q + M.T @ force
        step = inverse @ np.concatenate([-slope, limit - M @ x])
        x, force = x + step[: len(x)], force + step[len(x) :]
    multipliers = np.zeros(len(lam))
    multipliers[active] = np.maximum(force[: active.sum()], 0)
    return x, multipliers, force[active.sum() :]


def _longest(v: Array, dv: Array) -> float:
    """Return the largest t <= 1/_BACK with v + t dv >= 0."""
    falling = dv < 0
    return min(1 / _BACK, float((v[falling] / -dv[falling]).min(initial=math.inf)))


def refute(program: Arrays, tol: float) -> None:
    r"""Raise if the program has no feasible point or no bound; return if neither can be proved.

    Both proofs are solutions of a least squares problem that always has one. The point that violates the
    constraints least, :math:`\min\frac12\|s\|^2 + \frac12\|Ax - b\|^2` subject to :math:`Gx - s \le h`, has
    the multipliers :math:`\lambda = s`, and with :math:`\nu = Ax - b` stationarity reads
    :math:`G^\top\lambda + A^\top\nu = 0`, complementarity
    :math:`h^\top\lambda + b^\top\nu = -\|\lambda\|^2 - \|\nu\|^2`: Farkas's certificate, unless it is zero.
    Likewise for the direction of slope -1 that least violates :math:`Px = 0, Gx \le 0, Ax = 0`.
    """
    P, q, G, h, A, b = (getattr(program, name) for name in "PqGhAb")
    n, m = len(q), len(h)
    slack = np.hstack([G, -np.eye(m)])  # (m, n + m)

    def least(M: Array, target: Array, bound: Array, row: Array, level: Array) -> Array:
        quadratic = np.block([[M.T @ M, np.zeros((n, m))], [np.zeros((m, n)), np.eye(m)]])
        linear = np.concatenate([-M.T @ target, np.zeros(m)])
        relaxed = Arrays(quadratic, linear, slack, bound, row, level)
        return iterate(relaxed, tol, 100)[0][0][0]

    point = least(A, b, h, np.zeros((0, n + m)), np.zeros(0))
    lam, nu = np.maximum(point[n:], 0), A @ point[:n] - b
    push = -float(h @ lam + b @ nu)
    if push > 0 and np.linalg.norm(G.T @ lam + A.T @ nu) <= _FAR * push:
        raise InfeasibleError(
            "no x satisfies the constraints: the multipliers `lam` and `nu` of this error add them up to "
            "0 <= -1.",
            lam / push,
            nu / push,
        )
    if not q.any():
        return
    M = np.vstack([P, A])
    way = least(M, np.zeros(len(M)), np.zeros(m), np.append(q, np.zeros(m))[None], -np.ones(1))[:n]
    fall = -float(q @ way)
    if fall > 0 and max(largest(abs(M @ way)), largest(G @ way)) <= _FAR * fall:
        raise UnboundedError(
            "the objective has no lower bound: it falls for ever along the `direction` of this error.",
            way / fall,
        )


def largest(v: Array) -> float:
    """Return the largest entry, at least 0: of an empty array, and of one without a positive entry."""
    return float(v.max(initial=0.0))
