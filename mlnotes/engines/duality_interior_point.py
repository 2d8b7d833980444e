r"""Dense convex quadratic programs: an optimal point with multipliers, or the proof that there is none.

The program is :math:`\min\frac12x^\top Px + q^\top x` subject to :math:`Gx \le h`, :math:`Ax = b`, with P
positive semi-definite. It is scaled (Ruiz), and its equations are eliminated: :math:`x = x_0 + Nw`, which are
``origin`` and ``basis``. What is left, with multipliers z in scaled units and the slack s, is embedded in a
system that always has a solution, with two numbers :math:`\tau, \kappa \ge 0` more:

.. math:: Pw + G^\top z + q\tau = 0,\quad Gw + s = h\tau,\quad
          w^\top Pw/\tau + q^\top w + h^\top z + \kappa = 0,\quad z_is_i = 0,\quad \tau\kappa = 0 .

With :math:`\tau > 0` the conditions of optimality hold at :math:`(w, s, z)/\tau`. With :math:`\kappa > 0`
either z is a Farkas certificate, or the objective has no lower bound along w. Mehrotra's predictor and
corrector lead there, whichever constraints repeat, depend on each other or contradict. Near the end the
active constraints are guessed, and the linear system that is left is solved. Every point is measured on the
arrays of the program: no tolerance grows with the point or with its multipliers.

Sources: Mehrotra (1992), On the implementation of a primal-dual interior point method, *SIAM J. Optim.* 2;
Andersen and Ye (1999), On a homogeneous algorithm for the monotone complementarity problem, *Math. Program.*
84; Goulart and Chen (2024), *Clarabel*, for the quadratic term; Ruiz (2001) for the scaling.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.linear_algebra import cholesky

Array = NDArray[np.float64]
Move: TypeAlias = tuple[Array, Array, Array, float, float]

REGULARIZATION = 1e-8  # of the active-set system: far above the rounding of constraints that are repeated
ULP = 2.0**-52
REFINED_BELOW = 1e-4  # mu below which linear systems are refined
STEP_FRACTION = 0.99  # of the way to the boundary
CROSSOVER = 3e-2  # error below which the active constraints are guessed
CENTRALITY = 1e-3  # fraction of mu below which a product z_i s_i asks for a step towards the central path
PLAUSIBLE = 0.1  # relative residual of a certificate that is worth a correction
CERTIFICATE_TOL = 1e-11  # a certificate rules out all points within 1/CERTIFICATE_TOL times the data's size
RANK_TOL = 1e-12  # relative: equations below it depend on each other, and directions are flat
PATIENCE = 10  # steps without progress after which a run stops


class Arrays(NamedTuple):
    """The six arrays of a program, checked already."""

    P: Array
    q: Array
    G: Array
    h: Array
    A: Array
    b: Array


@dataclass(frozen=True)
class Outcome:
    """How a run ended: "optimal", "stopped" or "infeasible"; numbers in the program's units.

    If it is infeasible, ``lam`` and ``nu`` are a Farkas certificate. Else ``x``, ``lam`` and ``nu`` are the
    best point; with a ``direction``, along which the objective is unbounded, ``x`` is just feasible.
    """

    x: Array
    lam: Array
    nu: Array
    primal: float
    dual: float
    relative_gap: float
    error: float  # the largest of the relative gap and the relative residuals
    status: str = "stopped"
    history: tuple[tuple[float, float, float], ...] = ()  # primal, dual and mu, at each step
    direction: Array | None = None


@dataclass(frozen=True)
class _Scaled:
    """The program in units in which its entries are near 1, without its equations, and the way back."""

    program: Arrays
    columns: Array
    rows: Array
    unit: float  # of the objective
    origin: Array  # x_0
    basis: Array  # N
    inverse: Array  # (n, p), the pseudo-inverse of the equations
    P: Array
    q: Array
    G: Array
    h: Array

    def evaluate(self, w: Array, z: Array) -> Outcome:
        """Measure a point on the data of the program; nu cancels the most of the gradient.

        The gap is relative to the value, or to a thousandth of the size of the data, below which an optimal
        value is zero to rounding.
        """
        P, q, G, h, A, b = self.program
        x, lam = self.columns * (self.origin + self.basis @ w), self.unit * self.rows[: len(h)] * z
        Px = P @ x
        gradient = Px + q + G.T @ lam
        nu = -self.rows[len(h) :] * (self.inverse.T @ (self.columns * gradient))
        curve = 0.5 * float(x @ Px)
        primal, dual = curve + float(q @ x), -curve - float(h @ lam + b @ nu)
        gap = abs(primal - dual) / max(abs(primal), abs(dual), 1e-3 * self.unit)
        stationarity = largest(abs(self.columns * (gradient + A.T @ nu))) / self.unit
        violation = largest(self.rows * np.concatenate([G @ x - h, abs(A @ x - b)]))
        return Outcome(x, lam, nu, primal, dual, gap, max(gap, stationarity, violation))

    def farkas_certificate(self, z: Array, y: Array | None = None) -> tuple[Array, Array] | None:
        """Return multipliers with h'lam + b'nu = -1 that rule out every point, if z (and y) are such.

        They must do so for right sides that differ by `CERTIFICATE_TOL` times the size of the data as well:
        0.1 + 0.2 and 0.3 do not contradict each other.
        """
        _, _, G, h, A, b = self.program
        lam = self.rows[: len(z)] * z
        y = -self.inverse.T @ (self.columns * (G.T @ lam)) if y is None else y
        nu = self.rows[len(z) :] * y
        contradiction = -float(h @ lam + b @ nu)
        residual = float(abs(self.columns * (G.T @ lam + A.T @ nu)).sum())
        rounding = CERTIFICATE_TOL * float(z.sum() + abs(y).sum())
        if (z < 0).any() or residual > CERTIFICATE_TOL * contradiction or contradiction <= rounding:
            return None
        return lam / contradiction, nu / contradiction

    def unbounded_direction(self, w: Array) -> Array | None:
        """Return a direction of slope -1 along which the objective has no lower bound, if w is one.

        A slope below `CERTIFICATE_TOL` times the size of the gradient counts as 0.
        """
        P, q, G, _, A, _ = self.program
        scaled = self.basis @ w
        move = self.columns * scaled
        decrease = -float(q @ move)
        curve = largest(abs(self.columns * (P @ move)))
        violation = self.unit * largest(self.rows * np.concatenate([G @ move, abs(A @ move)]))
        rounding = CERTIFICATE_TOL * self.unit * float(abs(scaled).sum())
        if max(curve, violation) > CERTIFICATE_TOL * decrease or decrease <= rounding:
            return None
        return move / decrease


@dataclass(frozen=True)
class _State:
    """A point of the embedding; z, s, tau and kappa are positive."""

    w: Array
    z: Array
    s: Array
    tau: float
    kappa: float

    @property
    def active(self) -> NDArray[np.bool_]:
        """The constraints that hold the point, as far as the state shows."""
        return self.z > self.s

    @property
    def mu(self) -> float:
        """The mean of all z_i s_i and tau kappa."""
        return float(self.s @ self.z + self.tau * self.kappa) / (len(self.s) + 1)


def minimise(program: Arrays, tol: float, max_iter: int) -> Outcome:
    """Step until the error of a point is at most tol, or it is proved that there is no solution."""
    try:
        with np.errstate(over="raise"):
            scaled, equation_residual = _equilibrate(program)
        numbers = [value for name, value in vars(scaled).items() if name != "program"]
        if not all(np.isfinite(value).all() for value in numbers):  # in a browser an overflow does not raise
            raise FloatingPointError("beyond all floats")
    except ArithmeticError as error:
        raise ValueError("the numbers of the program are so large or uneven that they overflow.") from error
    n, m = len(scaled.q), len(scaled.h)
    state = _State(np.zeros(n), np.ones(m), np.ones(m), 1.0, 1.0)
    best, history = scaled.evaluate(state.w, state.z), []
    flat = _flat_projection(scaled)
    certificate = scaled.farkas_certificate(np.zeros(m), equation_residual)
    direction = scaled.unbounded_direction(-flat @ scaled.q)
    smallest_mu, last_progress = state.mu, 0
    for iteration in range(max_iter + 1):
        w, z = state.w / state.tau, state.z / state.tau
        current = scaled.evaluate(w, z)
        history.append((current.primal, current.dual, scaled.unit * state.mu / state.tau**2))
        candidates = _active_set_points(scaled, w, z, state.active) if current.error <= CROSSOVER else ()
        for point in itertools.chain([current], itertools.starmap(scaled.evaluate, candidates)):
            if point.error < best.error:
                best, last_progress = point, iteration
            if best.error <= tol:
                return replace(best, status="optimal", history=tuple(history))
        if state.kappa > state.tau:
            certificate = certificate or _farkas_certificate(scaled, state)
            direction = _unbounded_direction(scaled, state) if direction is None else direction
        if certificate:
            lam, nu = certificate
            return replace(best, lam=lam, nu=nu, status="infeasible", history=tuple(history))
        if direction is not None:
            point = _nearest_feasible(scaled)
            if point.status == "stopped":
                break
            return replace(point, history=tuple(history), direction=direction)
        if state.mu < smallest_mu:
            smallest_mu, last_progress = state.mu, iteration
        step = _step(scaled, flat, state) if iteration < last_progress + PATIENCE else None
        if step is None:
            break
        state = step
    return replace(best, history=tuple(history))


def _nearest_feasible(scaled: _Scaled) -> Outcome:
    """Return the point of the constraints closest to 0, or the proof that they have none."""
    n, (_, _, *constraints) = len(scaled.columns), scaled.program
    return minimise(Arrays(np.diag(scaled.columns**-2.0), np.zeros(n), *constraints), 1e-10, 100)


def _equilibrate(program: Arrays) -> tuple[_Scaled, Array]:
    """Return the program in units in which all entries are at most about 1, and A x_0 - b.

    With x = c v and constraints times r, Ruiz's iteration divides row and column i of the symmetric matrix
    [[P, G', A'], [G, 0, 0], [A, 0, 0]] by the square root of the largest entry of its row, again and again.
    The size of x is then that of the right sides, or of q over P; ``unit`` is what is left of the objective.
    """
    n, m, K = len(program.q), len(program.h), np.vstack([program.P, program.G, program.A])
    units = np.ones(len(K))
    for _ in range(10):
        sizes = np.append(abs(K).max(axis=0), abs(K[n:]).max(axis=1))
        c = 1 / np.sqrt(np.where(sizes > 0, sizes, 1.0))
        K, units = K * c[:n] * c[:, None], units * c
        if abs(c - 1).max() < 0.1:
            break
    P, M, columns, rows = K[:n], K[n:], units[:n], units[n:]
    curvature_size, gradient_size = largest(abs(P)), largest(abs(columns * program.q))
    right = rows * np.concatenate([program.h, program.b])
    reach = max(largest(abs(right)), gradient_size / curvature_size if curvature_size else 0.0) or 1.0
    columns, rows, right = reach * columns, rows / reach, right / reach
    unit = reach * max(gradient_size, reach * curvature_size) or 1.0
    P, q, G, A = reach**2 / unit * P, columns * program.q / unit, M[:m], M[m:]
    U, values, V = np.linalg.svd(A)
    rank = int((values > RANK_TOL * largest(values)).sum())
    inverse = (V[:rank].T / values[:rank]) @ U[:, :rank].T
    origin, basis = inverse @ right[m:], V[rank:].T
    reduced = basis.T @ P @ basis, basis.T @ (q + P @ origin)
    constraints = _without_rounding(G @ basis), right[:m] - G @ origin
    scaled = _Scaled(program, columns, rows, unit, origin, basis, inverse, *reduced, *constraints)
    return scaled, A @ origin - right[m:]


def _without_rounding(M: Array) -> Array:
    """Return the matrix with zeros for rows that are rounding errors."""
    return M * (abs(M).max(axis=1, initial=0.0) > ULP * 64)[:, None]


def _flat_projection(scaled: _Scaled) -> Array:
    """Return the projection on the directions along which neither Px nor Gx changes, shape (k, k)."""
    total = scaled.P + scaled.G.T @ scaled.G
    try:  # ten times as fast as eigenvalues
        cholesky(total - RANK_TOL * np.eye(len(total)))
    except np.linalg.LinAlgError:
        values, V = np.linalg.eigh(total)
        flat = V[:, values <= RANK_TOL]
        return flat @ flat.T
    return np.zeros_like(total)


def _step(scaled: _Scaled, flat: Array, state: _State) -> _State | None:
    """Return the next state, or None when rounding leaves no step."""
    P, q, G, h = scaled.P, scaled.q, scaled.G, scaled.h
    w, z, s, tau, kappa = state.w, state.z, state.s, state.tau, state.kappa
    weights, point = z / s, w / tau
    gradient, excess = P @ w + G.T @ z + q * tau, G @ w + s - h * tau
    value = kappa + float(q @ w + h @ z + w @ P @ point)
    half = np.sqrt(weights)[:, None] * G
    H = P + flat + half.T @ half
    H.flat[:: len(H) + 1] += ULP * max(1.0, largest(H))
    try:
        inverse = np.linalg.inv(H)
    except np.linalg.LinAlgError:
        return None

    def once(right: Array, limit: Array) -> tuple[Array, Array]:
        dw = inverse @ (right + G.T @ (weights * limit))
        return dw, weights * (G @ dw - limit)

    def solve(right: Array, limit: Array) -> tuple[Array, Array]:
        """Solve P dw + G'dz = right, G dw - dz s/z = limit; refined where small slacks spoil the inverse."""
        dw, dz = once(right, limit)
        if state.mu < REFINED_BELOW:
            dw2, dz2 = once(right - P @ dw - G.T @ dz, limit - G @ dw + dz / weights)
            dw, dz = dw + dw2, dz + dz2
        return dw, dz

    per_tau = solve(-q, h)  # the change by a unit of tau
    rate = q + 2 * (P @ point)
    difference = per_tau[0] - point
    denominator = float(difference @ P @ difference + per_tau[1] @ (per_tau[1] / weights)) + kappa / tau

    def direction(kept: float, products: Array | float, product: float) -> Move:
        """Newton's step: residuals times kept, z s = products and tau kappa = product to first order."""
        change, left = products - s * z, product - tau * kappa
        dw, dz = solve((kept - 1) * gradient, (kept - 1) * excess - change / z)
        dtau = (float(rate @ dw + h @ dz) - (kept - 1) * value + left / tau) / denominator
        dw, dz = dw + dtau * per_tau[0], dz + dtau * per_tau[1]
        return dw, dz, (change - s * dz) / z, dtau, (left - kappa * dtau) / tau

    def after(move: Move) -> tuple[float, _State]:
        """Go along the move up to close to the boundary; return how far."""
        dw, dz, ds, dtau, dkappa = move
        decrease = max(largest(-dz / z), largest(-ds / s), -dtau / tau, -dkappa / kappa)
        t = 1 / max(1.0, decrease / STEP_FRACTION)
        return t, _State(w + t * dw, z + t * dz, s + t * ds, tau + t * dtau, kappa + t * dkappa)

    predictor, mu = direction(0.0, 0.0, 0.0), state.mu
    t, new = after(predictor)
    centring, kept = (1 - t) ** 3, new.mu / mu  # residuals fall no faster than mu
    _, dz, ds, dtau, dkappa = predictor
    t, new = after(direction(kept, centring * mu - dz * ds, centring * mu - dtau * dkappa))
    if t < 0.1 or (new.z * new.s).min(initial=math.inf) < CENTRALITY * new.mu:  # the curvature misled
        centring, kept = max(centring, 0.3), max(kept, 0.3)
        t, new = after(direction(kept, centring * mu, centring * mu))
    size = max(new.tau, new.kappa)
    new = _State(new.w / size, new.z / size, new.s / size, new.tau / size, new.kappa / size)
    return new if math.isfinite(new.mu) and min(new.tau, new.kappa) > 1e-150 else None  # squares are divisors


def _active_set_points(
    scaled: _Scaled, w: Array, z: Array, active: NDArray[np.bool_]
) -> Iterator[tuple[Array, Array]]:
    """Yield the point with the active constraints as equations, the others left out.

    Close to the end this guess of the active set is right, and the KKT conditions are linear: no division by
    vanishing slacks magnifies rounding errors. Negative multipliers are rounding errors, and count as 0; or
    constraints that are repeated have split their multiplier so, and the next point leaves these out. The
    caller measures which guess was right.
    """
    while True:
        x, y = _solve_active_set(scaled, active, w, z[active])
        multipliers = np.zeros(len(z))
        multipliers[active] = np.maximum(y, 0)
        yield x, multipliers
        if (y >= 0).all():
            return
        active[active] = y > 0


def _solve_active_set(scaled: _Scaled, active: NDArray[np.bool_], w: Array, y: Array) -> tuple[Array, Array]:
    """Return the point and the multipliers where the active constraints are equations, refined six times."""
    M, n = scaled.G[active], len(w)
    K = np.block([[scaled.P, M.T], [M, np.zeros((len(M), len(M)))]])
    shift = REGULARIZATION * max(1.0, largest(np.diag(scaled.P)))
    K[np.diag_indices_from(K)] += np.where(np.arange(len(K)) < n, shift, -shift)
    inverse = np.linalg.inv(K)
    for _ in range(6):
        gradient = scaled.P @ w + scaled.q + M.T @ y
        step = inverse @ np.concatenate([-gradient, scaled.h[active] - M @ w])
        w, y = w + step[:n], y + step[n:]
    return w, y


def _farkas_certificate(scaled: _Scaled, state: _State) -> tuple[Array, Array] | None:
    """Return a Farkas certificate, if the state shows one, as it is or corrected."""
    contradiction = -float(scaled.h @ state.z)
    if float(abs(scaled.G.T @ state.z).sum()) >= PLAUSIBLE * contradiction:
        return None
    z, active = state.z / contradiction, state.active
    while active.any():
        M = np.vstack([scaled.G[active].T, scaled.h[active]])
        target = np.append(np.zeros(len(state.w)), -1.0)
        exact = np.zeros_like(z)
        exact[active] = z[active] + np.linalg.lstsq(M, target - M @ z[active], rcond=None)[0]
        if (exact >= 0).all():
            return scaled.farkas_certificate(exact) or scaled.farkas_certificate(z)
        active &= exact > 0
    return scaled.farkas_certificate(z)


def _unbounded_direction(scaled: _Scaled, state: _State) -> Array | None:
    """Return a direction along which the objective has no lower bound, likewise."""
    decrease = -float(scaled.q @ state.w)
    if max(largest(abs(scaled.P @ state.w)), largest(scaled.G @ state.w)) >= PLAUSIBLE * decrease:
        return None
    w = state.w / decrease
    M = np.vstack([scaled.P, scaled.G[state.active], scaled.q])
    target = np.append(np.zeros(len(M) - 1), -1.0)
    exact = w + np.linalg.lstsq(M, target - M @ w, rcond=None)[0]
    direction = scaled.unbounded_direction(exact)
    return scaled.unbounded_direction(w) if direction is None else direction


def largest(v: Array) -> float:
    """Return the largest entry, at least 0: of an empty array, and of one without a positive entry."""
    return float(v.max(initial=0.0))
