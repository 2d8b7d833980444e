"""Lagrange duality, and convex quadratic programs solved with a proof.  Lecture 8 and Deeper 8.

    min f(x)  subject to  g_i(x) <= 0 and Ax = b                                           (1.1)
    L(x, lam, nu) = f(x) + sum_i lam_i g_i(x) + nu'(Ax - b),  lam >= 0                     (1.2)
    d(lam, nu) = min L over ALL x                                                          (2.1)

Weak duality: d(lam, nu) <= f(x) for feasible x. Strong duality: with a Slater point the two values are
equal and d attains its own. A quadratic program has f(x) = x'Px/2 + q'x and g(x) = Gx - h.
Its solver follows Newton steps inside lam > 0, Gx < h. Only what the theory needs is checked here, a
convex P and lam >= 0; else NumPy speaks: the estimators check shapes and types.
"""

from collections import namedtuple

import numpy as np

# ---- 2 to 4  Any program: the dual function over points, Slater, Karush-Kuhn-Tucker


def dual_on_points(f, g, lam):
    """d(lam) = min_j f_j + lam'g_j over finitely many points; fractions stay exact."""
    return (np.array(f) + np.array(lam) @ np.array(g).T).min(axis=-1)  # (2.1)


def is_slater_point(values, affine):
    return all(
        g <= 0 if straight else g < 0 for g, straight in zip(values, affine, strict=True)
    )  # (section 3)


KKT = namedtuple("KKT", "stationarity inequality equality multiplier complementarity")


def kkt_misses(slope, values, lam, equations=()):
    """The five from the gradient of L, g(x), the multipliers of g and Ax - b; all 0 means KKT."""
    lam, g = np.array(lam, float), np.array(values, float)
    misses = np.abs(slope), g, np.abs(equations), -lam, abs(lam * g)
    return KKT(*(float(np.max(miss, initial=0)) for miss in misses))  # (4.1)


def kkt_residuals(gradient, values, jacobian, lam, *, equations=(), equation_jacobian=None, nu=()):
    """By how much x and its multipliers miss each of the five conditions, for any program."""
    slope = gradient + lam @ np.array(jacobian)
    if len(nu):
        slope = slope + nu @ np.array(equation_jacobian)
    return kkt_misses(slope, values, lam, equations)


# ---- 1 to 4  Quadratic programs


def check_signs(lam):
    if (np.array(lam) < 0).any():
        raise ValueError(f"lam must have entries >= 0, got {np.min(lam)}; only nu may be negative")  # (1.2)


class QuadraticProgram:
    """min x'Px/2 + q'x subject to Gx <= h, Ax = b; convex, so P has no negative eigenvalue."""

    def __init__(self, P, q, G=(), h=(), A=(), b=()):
        self.P, self.q, self.h, self.b = (np.array(v, float) for v in (P, q, h, b))
        self.G, self.A = (np.array(M, float).reshape(-1, len(q)) for M in (G, A))
        if (self.P != self.P.T).any() or np.linalg.eigvalsh(self.P)[0] < -1e-9 * abs(self.P).max():
            raise ValueError("P must be symmetric and positive semi-definite: a convex objective")

    def objective(self, x):
        x = np.array(x)
        return 0.5 * x @ self.P @ x + self.q @ x

    def lagrangian(self, x, lam, nu=()):
        check_signs(lam)
        x = np.array(x)
        return self.objective(x) + lam @ (self.G @ x - self.h) + nu @ (self.A @ x - self.b)  # (1.2)

    def lagrangian_minimizer(self, lam, nu=()):
        """The shortest x with Px + q + G'lam + A'nu = 0; None if there is none.  (section 4)"""
        check_signs(lam)
        force = self.q + lam @ self.G + nu @ self.A
        terms = abs(self.q) + np.abs(lam) @ abs(self.G) + np.abs(nu) @ abs(self.A)  # force may cancel
        x = -np.linalg.pinv(self.P) @ force
        return None if abs(self.P @ x + force).max() > 1e-9 * terms.max() else x

    def dual_function(self, lam, nu=()):
        x = self.lagrangian_minimizer(lam, nu)
        return -np.inf if x is None else self.lagrangian(x, lam, nu)  # (2.1)

    def dual_program(self):
        """Minus d as a program in (lam, nu), less a constant, for regular P.  (4.2)"""
        M, r = np.vstack([self.G, self.A]), np.concatenate([self.h, self.b])
        quadratic = M @ np.linalg.solve(self.P, M.T)
        linear = M @ np.linalg.solve(self.P, self.q) + r
        m = len(self.h)
        return type(self)((quadratic + quadratic.T) / 2, linear, -np.eye(m, len(r)), np.zeros(m))

    def kkt(self, x, lam, nu):
        g, e = self.G @ x - self.h, self.A @ x - self.b
        slope = self.P @ x + self.q + lam @ self.G + nu @ self.A
        return kkt_misses(slope, g, lam, e)


# ---- 5  A solver that proves its answer


def newton_step(program, x, s, lam, nu, products):
    """Solve, to first order, the KKT conditions with slacks s = h - Gx and lam_i s_i = products_i."""
    P, G, A = program.P, program.G, program.A
    m, p = len(G), len(A)
    change = products - lam * s  # = lam ds + s dlam, which gives ds: the unknowns are dx, dlam, dnu
    K = np.block([[P, G.T, A.T], [G, np.diag(-s / lam), np.zeros((m, p))], [A, np.zeros((p, m + p))]])
    slope = P @ x + program.q + G.T @ lam + A.T @ nu
    excess = G @ x + s - program.h + change / lam
    step = solve(K, -np.concatenate([slope, excess, A @ x - program.b]))
    dx, dlam, dnu = np.split(step, [len(x), len(x) + m])
    return dx, (change - s * dlam) / lam, dlam, dnu  # (section 5)


def solve(K, right):
    """Also where K is singular, and in units that make its diagonal about 1: s / lam may be huge."""
    unit = 1 / np.sqrt(1 + abs(np.diag(K)))
    return unit * np.linalg.lstsq(K * unit * unit[:, None], unit * right, rcond=1e-15)[0]


def longest(v, dv):
    """The largest step t <= 1 that keeps v + t dv positive, with a margin."""
    return min(1.0, 0.99 * (v[dv < 0] / -dv[dv < 0]).min(initial=np.inf))


def interior_point(program, max_steps=100):
    """Mehrotra's predictor and corrector.  Yield (x, lam, nu), each closer to the KKT conditions."""
    m = len(program.h)
    x, s, lam, nu = np.zeros(len(program.q)), np.ones(m), np.ones(m), np.zeros(len(program.b))
    for _ in range(max_steps):
        yield x, lam, nu
        mu = s @ lam / max(m, 1)
        _, ds, dlam, _ = newton_step(program, x, s, lam, nu, np.zeros(m))
        t = min(longest(s, ds), longest(lam, dlam))
        centring = max((1 - t) ** 3, 0.1)  # towards equal products; the floor keeps them away from 0
        products = centring * mu - t**2 * ds * dlam  # (section 5)
        dx, ds, dlam, dnu = newton_step(program, x, s, lam, nu, products)
        t = min(longest(s, ds), longest(lam, dlam))
        x, s, lam, nu = x + t * dx, s + t * ds, lam + t * dlam, nu + t * dnu


Solution = namedtuple("Solution", "x lam nu primal dual gap")


class InfeasibleError(ValueError):
    """No x satisfies the constraints: lam >= 0 and nu add them up to 0 <= h'lam + b'nu, which is below 0."""

    def __init__(self, lam, nu):
        super().__init__(lam, nu)
        self.lam, self.nu = lam, nu

    def __str__(self):
        return "no x satisfies the constraints: `lam` and `nu` of this error add them up to 0 < 0"


def first_proof(program, tol):
    """The first state whose residuals and gap are below tol times the size of the data; else None."""
    size = 1 + max(abs(v).max(initial=0) for v in vars(program).values())
    for x, lam, nu in interior_point(program):
        *residuals, _ = program.kkt(x, lam, nu)
        primal = program.objective(x)
        # d(lam, nu), if the slope Px + q + G'lam + A'nu of L is 0, which the first residual says
        dual = -0.5 * x @ program.P @ x - program.h @ lam - program.b @ nu
        if max(abs(primal - dual) / (1 + abs(primal)), max(residuals) / size) < tol:
            return Solution(x, lam, nu, primal, dual, primal - dual)
    return None


def solve_qp(program, tol=1e-10):
    """A solution whose gap proves it, or a refutation."""
    solution = first_proof(program, tol)
    if solution is None:
        refute(program)
        raise ValueError("no answer is proved: the objective may fall for ever, or the numbers are uneven")
    return solution


def refute(program):
    """Farkas: find the x that misses the constraints least; if it does miss them, raise with a proof.

    It solves min |s|^2/2 + |Ax - b|^2/2 over x and s, Gx - s <= h.  (5.2)
    """
    A, b, (m, n) = program.A, program.b, program.G.shape
    P = np.block([[A.T @ A, np.zeros((n, m))], [np.zeros((m, n)), np.eye(m)]])
    q = np.concatenate([-A.T @ b, np.zeros(m)])
    closest = first_proof(QuadraticProgram(P, q, np.hstack([program.G, -np.eye(m)]), program.h), 1e-10)
    if closest:
        lam, nu = np.maximum(closest.x[n:], 0), A @ closest.x[:n] - b
        push, miss = -program.h @ lam - b @ nu, abs(lam @ program.G + nu @ A).max()
        if miss < 1e-8 * push:
            raise InfeasibleError(lam, nu)
