"""Convex quadratic programs with dense matrices against SciPy's general solvers, at their default tolerances.

SciPy has no solver for quadratic programs as such: SLSQP (a sequence of them, in C) and trust-constr (an
interior point with sparse factors) get the gradient, the Hessian where they take one, and the linear
constraints as matrices. The error of both sides is measured alike: the excess of the objective over our dual
value, which no feasible point can be below, and the largest miss of a constraint, each relative to the terms
that are added up. Ours must be at most 1e-8, and not larger than the peer's.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator

import numpy as np
from scipy import optimize

from benchmarks.harness import Race
from mlnotes.estimators.duality import QuadraticProgram, solve_qp

SIZES = (20, 60, 200)


def _random(n: int) -> tuple[str, QuadraticProgram]:
    """Return a program with 2 n inequalities, a tenth of n equations, and a box around a feasible point."""
    rng = np.random.default_rng(n)
    B, x0 = rng.standard_normal((n, n)), rng.standard_normal(n)
    G, A = rng.standard_normal((2 * n, n)), rng.standard_normal((n // 10, n))
    slack = rng.exponential(size=2 * n) * (rng.random(2 * n) < 0.7)
    G, h = np.vstack([G, np.eye(n), -np.eye(n)]), np.concatenate([G @ x0 + slack, x0 + 5, 5 - x0])
    return f"random, n={n}", QuadraticProgram(B @ B.T / n, rng.standard_normal(n), G, h, A, A @ x0)


def _support_vectors(n: int) -> tuple[str, QuadraticProgram]:
    """Return the dual of a soft margin with C = 1 on n rows in 3 dimensions."""
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n, 3))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)
    Z, box = X * y[:, None], np.vstack([np.eye(n), -np.eye(n)])
    return f"soft margin, n={n}", QuadraticProgram(
        Z @ Z.T, -np.ones(n), box, np.repeat([1.0, 0.0], n), y[None], np.zeros(1)
    )


def _peer(program: QuadraticProgram, method: str) -> Callable[[], np.ndarray]:
    """Return a call that solves by SciPy and returns the point."""
    P, q, G, h, A, b = (getattr(program, name) for name in "PqGhAb")
    limits = [optimize.LinearConstraint(G, -np.inf, h), optimize.LinearConstraint(A, b, b)]
    more = {"hess": lambda x: P} if method == "trust-constr" else {}

    def solve() -> np.ndarray:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = optimize.minimize(
                lambda x: (0.5 * x @ P @ x + q @ x, P @ x + q),
                np.zeros(len(q)),
                jac=True,
                method=method,
                constraints=limits,
                options={"maxiter": 1000},
                **more,
            )
        return found.x

    return solve


def _error(program: QuadraticProgram, x: np.ndarray, dual: float) -> float:
    """Return the larger of the excess over the dual value and the worst miss of a constraint, relative."""
    value = program.objective(x)
    misses = np.append(np.maximum(program.G @ x - program.h, 0), abs(program.A @ x - program.b))
    reach = np.append(abs(program.G) @ abs(x) + abs(program.h), abs(program.A) @ abs(x) + abs(program.b))
    return max(abs(value - dual) / max(abs(value), abs(dual)), float(misses.max() / reach.max()))


def _programs() -> Iterator[tuple[str, QuadraticProgram, str]]:
    for n in SIZES:
        for name, program in (_random(n), _support_vectors(n)):
            for method in ("SLSQP", "trust-constr"):
                yield name, program, method


def races() -> Iterator[Race]:
    for name, program, method in _programs():

        def disagreement(ours, theirs, program=program):
            mine, other = (_error(program, x, ours.dual) for x in (ours.x, theirs))
            if other > 1e-2:
                return other  # not the same problem
            return max(mine, ours.relative_gap, 0.0 if mine <= max(other, 1e-12) else mine - other)

        yield Race(
            f"quadratic program, {name}",
            lambda program=program: solve_qp(program),
            _peer(program, method),
            method,
            disagreement,
            1e-8,
        )


def remarks() -> list[str]:
    """Return the errors of both sides, a line a race."""
    lines = []
    for name, program, method in _programs():
        ours = solve_qp(program)
        other = _error(program, _peer(program, method)(), ours.dual)
        mine = _error(program, ours.x, ours.dual)
        lines.append(f"{name}: error {mine:.0e}, of {method} {other:.0e}")
    return lines
