r"""Lagrange duality, and quadratic programs solved with a certificate.  Lecture 8 and its companion notebook.

    problem          minimise f(x)  subject to  g_i(x) <= 0  and  Ax = b                                (1.1)
    Lagrangian       L(x, lam, nu) = f(x) + sum_i lam_i g_i(x) + nu'(Ax - b),  lam >= 0                 (1.2)
    dual function    d(lam, nu) = inf L over ALL x                                                      (2.1)
    optimality       the Karush-Kuhn-Tucker (KKT) conditions: g(x) <= 0, Ax = b, lam >= 0,
                     lam_i g_i(x) = 0 (complementary slackness), and the gradient of L in x is 0        (4.1)

Theorem 2.3 (weak duality). d(lam, nu) <= f(x) for all feasible x: the gap f(x) - d(lam, nu) bounds how far
both are from the optimum.
Theorem 3.2 (strong duality). For a convex quadratic program, f(x) = x'Px/2 + q'x and g(x) = Gx - h, that has
an optimum, some x, lam and nu have the gap 0.
Theorem 5.1 (Farkas). If no x is feasible, some lam >= 0 and nu combine the constraints into 0 < 0.

An interior point method keeps lam and the slacks s = h - Gx positive, and takes Newton steps towards the
central path for smaller and smaller mu, the barrier parameter. On the path lam_i s_i = mu for all i and the
other KKT conditions hold, so that the gap is m mu; off the path it need not be.

The algorithm comes first; the numbers of sections and equations are those of the lecture.
Choose units in which the numbers of a program are about 1. Inputs are not validated here; the estimators do
that.
"""

from collections import namedtuple
from itertools import islice

import numpy as np

# ---- 5 The algorithm: an interior point method

State = namedtuple("State", "x s lam nu")


def interior_point(program):
    """Yield the State at the start and after every step: s > 0 and lam > 0 in each."""
    m = len(program.h)
    state = State(x=np.zeros(len(program.q)), s=np.ones(m), lam=np.ones(m), nu=np.zeros(len(program.b)))
    while True:
        yield state
        mu = 0.1 * np.mean(state.lam * state.s) if m > 0 else 0.0
        step = central_path_step(program, state, mu)
        t = min(step_length(state.s, step.s), step_length(state.lam, step.lam))
        state = State(*(v + t * dv for v, dv in zip(state, step, strict=True)))


def central_path_step(program, state, mu):
    """Return the Newton step: it solves the KKT conditions, with lam_i s_i = mu, to first order."""
    P, G, A = program.P, program.G, program.A
    x, s, lam, nu = state
    n, m, p = len(x), len(s), len(nu)

    stationarity = program.lagrangian_gradient(x, lam, nu)
    inequality = G @ x + s - program.h
    equality = A @ x - program.b
    complementarity = lam * s - mu
    residuals = np.concatenate([stationarity, inequality, equality, complementarity])

    zeros_nm = np.zeros((n, m))
    zeros_mm = np.zeros((m, m))
    zeros_pm = np.zeros((p, m))
    zeros_pp = np.zeros((p, p))
    derivatives = np.block(
        [  # one residual a line, by x, s, lam and nu
            [P, zeros_nm, G.T, A.T],
            [G, np.eye(m), zeros_mm, zeros_pm.T],
            [A, zeros_pm, zeros_pm, zeros_pp],
            [zeros_nm.T, np.diag(lam), np.diag(s), zeros_pm.T],
        ]
    )
    # lstsq, as the matrix is singular where constraints are repeated
    step = np.linalg.lstsq(derivatives, -residuals, rcond=None)[0]
    return State(*np.split(step, [n, n + m, n + m + m]))


def step_length(v, dv):
    """Return nine tenths of the largest t for which v + t dv is positive, but at most 1."""
    shrinking = dv < 0
    return min(1.0, 0.9 * np.min(v[shrinking] / -dv[shrinking], initial=np.inf))


# ---- 1 to 4 Quadratic programs, and their duals

KKT = namedtuple("KKT", "stationarity inequality equality multiplier complementarity")


def kkt_violations(gradient, g, lam, equations=()):
    """Return by how much each condition of (4.1) is violated: gradient is that of L, equations are Ax - b."""
    return KKT(
        stationarity=worst_violation(np.abs(gradient)),
        inequality=worst_violation(g),
        equality=worst_violation(np.abs(equations)),
        multiplier=worst_violation(-lam),
        complementarity=worst_violation(np.abs(lam * g)),
    )


def worst_violation(v):
    return float(np.max(v, initial=0.0))  # at least 0, and 0 if there is no entry


class QuadraticProgram:
    """Minimise x'Px/2 + q'x subject to Gx <= h and Ax = b, for a positive semi-definite P."""

    def __init__(self, P, q, G=(), h=(), A=(), b=()):
        n = len(q)
        self.P = np.array(P, dtype=float)
        self.q = np.array(q, dtype=float)
        self.G = np.array(G, dtype=float).reshape(-1, n)
        self.h = np.array(h, dtype=float)
        self.A = np.array(A, dtype=float).reshape(-1, n)
        self.b = np.array(b, dtype=float)
        if (self.P != self.P.T).any() or np.linalg.eigvalsh(self.P)[0] < -1e-9 * abs(self.P).max():
            raise ValueError("P must be symmetric and positive semi-definite: a convex objective")

    def objective(self, x):
        return x @ self.P @ x / 2 + self.q @ x

    def lagrangian(self, x, lam, nu=()):
        if np.min(lam, initial=0.0) < 0:
            raise ValueError(f"lam must be >= 0, got {lam}; only nu may be negative")
        return self.objective(x) + lam @ (self.G @ x - self.h) + nu @ (self.A @ x - self.b)  # (1.2)

    def lagrangian_gradient(self, x, lam, nu=()):
        return self.P @ x + self.q + lam @ self.G + nu @ self.A

    def lagrangian_minimizer(self, lam, nu=()):
        """Return the shortest x where the gradient of L is 0; None if there is none (section 4.2)."""
        linear = self.lagrangian_gradient(np.zeros(len(self.q)), lam, nu)
        x = -np.linalg.pinv(self.P) @ linear
        return x if np.allclose(self.P @ x, -linear) else None

    def dual_function(self, lam, nu=()):
        x = self.lagrangian_minimizer(lam, nu)
        return -np.inf if x is None else self.lagrangian(x, lam, nu)  # (2.1)

    def dual_program(self):
        """Return the dual as a program in z = (lam, nu), for an invertible P: minimise -d(z) - q'P^-1 q/2."""
        M = np.vstack([self.G, self.A])
        r = np.concatenate([self.h, self.b])
        quadratic = M @ np.linalg.solve(self.P, M.T)
        linear = M @ np.linalg.solve(self.P, self.q) + r  # (4.2)
        m = len(self.h)
        G = -np.eye(m, len(r))  # lam >= 0
        return type(self)((quadratic + quadratic.T) / 2, linear, G, np.zeros(m))

    def kkt(self, x, lam, nu=()):
        gradient = self.lagrangian_gradient(x, lam, nu)
        return kkt_violations(gradient, self.G @ x - self.h, lam, self.A @ x - self.b)  # (4.1)


# ---- 5 A solution with its certificate, or a certificate that there is none

Solution = namedtuple("Solution", "x lam nu primal dual gap")


class InfeasibleError(ValueError):
    """No x is feasible: the Farkas certificate lam, nu combines the constraints into 0 < 0."""

    def __init__(self, lam, nu):
        super().__init__(lam, nu)
        self.lam = lam
        self.nu = nu

    def __str__(self):
        return "infeasible: lam and nu of this error combine the constraints into 0 < 0 (Farkas)"


def certified_solution(program, tol=1e-10, max_steps=100):
    """Return the first state whose gap and KKT residuals are at most tol, relative to the data, or None."""
    size = 1 + np.abs(np.concatenate([program.q, program.h, program.b])).max()
    for x, _, lam, nu in islice(interior_point(program), max_steps):
        residual = max(program.kkt(x, lam, nu)[:4])  # complementary slackness is what the gap measures
        primal = program.objective(x)
        dual = -x @ program.P @ x / 2 - program.h @ lam - program.b @ nu  # d, if the gradient of L is 0
        gap = primal - dual
        if residual <= tol * size and abs(gap) <= tol * (1 + abs(primal)):
            return Solution(x, lam, nu, primal, dual, gap)
    return None


def solve_qp(program):
    """Return a Solution, certified by its gap, or raise an error that says why there is none."""
    solution = certified_solution(program)
    if solution is not None:
        return solution
    certificate = farkas_certificate(program)
    if certificate is not None:
        raise InfeasibleError(*certificate)
    raise ValueError("no certified solution: the problem may be unbounded, or badly scaled")


def farkas_certificate(program):
    """Return lam >= 0 and nu with G'lam + A'nu = 0 and h'lam + b'nu < 0, or None if there are none.

    Violate the constraints as little as possible: minimise |s|^2/2 + |Ax - b|^2/2 subject to Gx - s <= h.
    """
    A, b = program.A, program.b
    m, n = program.G.shape
    P = np.block([[A.T @ A, np.zeros((n, m))], [np.zeros((m, n)), np.eye(m)]])
    q = np.concatenate([-A.T @ b, np.zeros(m)])
    least_violation = QuadraticProgram(P, q, np.hstack([program.G, -np.eye(m)]), program.h)  # (5.2)
    solution = certified_solution(least_violation)
    if solution is None:
        return None
    x, s = np.split(solution.x, [n])
    lam = np.maximum(s, 0)
    nu = A @ x - b
    contradiction = -program.h @ lam - program.b @ nu
    if worst_violation(np.abs(lam @ program.G + nu @ A)) < 1e-8 * contradiction:
        return lam, nu
    return None


# ---- 2 and 3 Any problem, over finitely many points


def dual_on_points(f, g, lam):
    """Return d(lam) = min_j f_j + lam'g_j over finitely many points; fractions stay exact."""
    lagrangian = np.array(f) + np.array(lam) @ np.array(g).T
    return lagrangian.min(axis=-1)  # (2.1)


def is_slater_point(g, affine):
    """Return whether g_i(x) < 0 for every constraint, or g_i(x) <= 0 where it is affine (section 3.3)."""
    return all(value < 0 or (value == 0 and is_affine) for value, is_affine in zip(g, affine, strict=True))
