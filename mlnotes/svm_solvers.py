r"""Two solvers for support vector machines: an interior point for lines, SMO and Newton steps for kernels.

With :math:`\beta_i = y_i\alpha_i` every dual problem of lecture 9 is one quadratic program,

.. math:: \min_\beta\ \tfrac12\beta^\top K\beta - t^\top\beta \quad\text{s.t.}\quad
          \textstyle\sum_i\beta_i = s,\ l_i \le \beta_i \le u_i ,

with :math:`t = y, s = 0` and the box between 0 and :math:`Cy_i` for classification, :math:`t = 0, s = 1` and
the box :math:`[0, 1/(\nu n)]` for one class. With the gradient :math:`g = K\beta - t` the point is optimal
iff some b has :math:`g_i + b \ge 0` where :math:`\beta_i < u_i` and :math:`g_i + b \le 0` where
:math:`\beta_i > l_i`, that is, iff the **violation** :math:`\max_{\beta_i > l_i}g_i - \min_{\beta_i <
u_i}g_i` is at most 0.

`solve_linear` works on the primal variables: Mehrotra's predictor-corrector method with a normal matrix of
size d + 1 only, so its cost is linear in n. `solve_kernel` moves two multipliers at a time (Platt's SMO with
the pairs of Fan, Chen and Lin 2005, JMLR 6, section 2.4) until the sets at the bounds are nearly known, and
then solves for all free multipliers at once; both steps lower the objective.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rows = Callable[[NDArray[np.intp]], Array]

GOAL = 1e-12  # relative duality gap at which the solvers stop
LOOSE = 0.1  # violation at which pairs give way to Newton steps
FLAT = 1e-14  # added to the curvature along a pair, relative to the largest kernel value
BLOCK = 32  # kernel rows that are computed together
CACHE = 2**27  # kernel values that are kept: 1 GiB
ALL_ROWS = 1500  # so many rows or fewer are all computed at once
MANY_FREE = 1500  # above it a factor costs more than making the sets better known by pairs
MOST_FREE = 5000  # free multipliers up to which a Newton step factors their Gram matrix


@dataclass(frozen=True)
class Solution:
    """What a solver found.

    Attributes
    ----------
    beta : ndarray of shape (n,)
        Signed multipliers; bounds are met exactly.
    scores : ndarray of shape (n,)
        The decision function on the training rows, without the bias.
    bias : float
    steps : int
        Interior-point iterations, or pairs moved by SMO.
    weights : ndarray of shape (d,) or None
        The normal vector of a linear machine.
    """

    beta: Array
    scores: Array
    bias: float
    steps: int
    weights: Array | None = None


# ------------------------------------------------------------------- lines: an interior point


def solve_linear(X: Array, y: Array, C: Array) -> Solution:
    r"""Solve :math:`\min\frac12|w|^2 + \sum_iC_i\xi_i`, where :math:`y_i(\langle w, x_i\rangle+b)\ge1-\xi_i`.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
        Entries -1 and 1, both present.
    C : ndarray of shape (n,)
        Positive.

    Notes
    -----
    Rows are centred, which moves only b, and features are scaled, which turns :math:`|w|^2` into a weighted
    sum of squares; both are undone at the end. Costs :math:`O(n \min(n, d)^2)` for each of some 20
    iterations.
    """
    center, back = X.mean(axis=0), None
    A = X - center
    if A.shape[1] > len(A):  # w lies in the span of the rows: n coordinates are enough
        back, R = np.linalg.qr(A.T)
        A = R.T
    scale = np.sqrt((A * A).mean(axis=0))
    seen = scale > 1e-14 * max(float(scale.max(initial=0.0)), 1e-300)
    A, scale = A[:, seen] / scale[seen], scale[seen]
    v, bias, alpha, steps = _interior_point(A, scale**-2.0, y, C)
    beta, v, bias = _exact_sets(A, scale**-2.0, y, C, alpha, v, bias)
    w = np.zeros(len(seen))
    w[seen] = v / scale
    w = w if back is None else back @ w
    return Solution(beta, X @ w, float(bias - center @ w), steps, w)


def _interior_point(A: Array, p: Array, y: Array, C: Array) -> tuple[Array, float, Array, int]:
    r"""Minimise :math:`\frac12\sum_jp_jv_j^2 + \sum_iC_i\xi_i`; return v, b, the multipliers and the steps.

    Mehrotra (1992) in the notation of Ferris and Munson (2002): the four products :math:`\alpha s` and
    :math:`(C - \alpha)\xi` go to zero together, s the surplus of the margin constraints. Eliminating all but
    (v, b) leaves the matrix :math:`\operatorname{diag}(p, 0) + \bar A^\top\Theta\bar A`.
    """
    n, d = A.shape
    A1 = np.column_stack([A, np.ones(n)])
    P, v = np.append(p, 0.0), np.zeros(d + 1)
    mass = np.where(y > 0, C[y > 0].sum(), C[y < 0].sum())
    alpha = C * (0.5 * mass.min() / mass)  # both classes carry the same weight: sum of alpha y is 0
    eta, s, xi = C - alpha, np.ones(n), np.full(n, 2.0)
    best, kept, stalled, weighted = np.inf, (v, alpha), 0, np.empty_like(A1)
    for step in range(150):  # noqa: B007
        m, q = y * (A1 @ v), A1.T @ (y * alpha)
        primal = 0.5 * (P * v) @ v + C @ np.maximum(0, 1 - m)
        gap = primal - alpha.sum() + 0.5 * (q[:-1] ** 2 / p).sum() + abs(v[-1] * q[-1])
        stalled = 0 if gap < 0.9 * best else stalled + 1
        if gap < best:
            best, kept = gap, (v, alpha)
        if gap <= 1e-15 * primal or stalled > (3 if gap < 1e-8 * primal else 15):
            break
        theta = 1 / (s / alpha + xi / eta)
        np.multiply(A1, np.sqrt(theta)[:, None], out=weighted)
        M = weighted.T @ weighted
        M[np.arange(d), np.arange(d)] += p
        unit = 1 / np.sqrt(np.diag(M))
        M *= unit * unit[:, None]
        missing, slack = q - P * v, 1 - m - xi + s

        def direction(rs: Array, rx: Array, state: tuple[Array, ...]) -> tuple[Array, ...]:
            alpha, eta, s, xi, theta, unit, M, missing, slack = state
            rho = slack - rx / eta + rs / alpha
            dv = unit * np.linalg.solve(M, unit * (missing + A1.T @ (y * theta * rho)))
            da = theta * (rho - y * (A1 @ dv))
            return dv, da, (rs - s * da) / alpha, (rx + xi * da) / eta

        state = (alpha, eta, s, xi, theta, unit, M, missing, slack)
        try:
            _, da, ds, dx = direction(-alpha * s, -eta * xi, state)
            a = _longest((alpha, da), (eta, -da), (s, ds), (xi, dx), share=1.0)
            mu = (alpha @ s + eta @ xi) / (2 * n)
            ahead = ((alpha + a * da) @ (s + a * ds) + (eta - a * da) @ (xi + a * dx)) / (2 * n)
            target = (ahead / mu) ** 3 * mu
            dv, da, ds, dx = direction(target - alpha * s - da * ds, target - eta * xi + da * dx, state)
        except np.linalg.LinAlgError:
            break
        a = _longest((alpha, da), (eta, -da), (s, ds), (xi, dx), share=0.995)
        if not np.isfinite(a) or not np.isfinite(dv).all():
            break
        v, alpha, s, xi, eta = v + a * dv, alpha + a * da, s + a * ds, xi + a * dx, eta - a * da
        alpha, eta = np.maximum(alpha, 1e-300), np.maximum(eta, 1e-300)
    v, alpha = kept
    return v[:-1], float(v[-1]), alpha, step + 1


def _longest(*pairs: tuple[Array, Array], share: float) -> float:
    """Return the step, at most 1, that goes `share` of the way to where the first variable is 0."""
    worst = max([float((-dv / v).max()) for v, dv in pairs])
    return min(1.0, share / worst) if worst > 0 else 1.0


def _exact_sets(
    A: Array, p: Array, y: Array, C: Array, alpha: Array, v: Array, bias: float
) -> tuple[Array, Array, float]:
    """Set multipliers that tend to a bound to it, and solve the equations that are left exactly.

    An interior point is never at a bound. Its products are all close to one small number, so of each pair
    (multiplier, distance to the margin) the one that is small in its own unit belongs to zero. The exact sets
    are kept if their gap is at most 1e-9, which at a large C is rounding: C times an ulp for each row on the
    margin.
    """
    lo, hi = np.minimum(0, C * y), np.maximum(0, C * y)
    distance, unit = y * (A @ v + bias) - 1, float(alpha.max(initial=1e-300))
    beta, at_C = y * alpha, C - alpha < -distance * unit
    beta[alpha < distance * unit] = 0.0
    beta[at_C] = (y * C)[at_C]
    best = (y * np.minimum(alpha, C), v, bias)
    reached = _linear_gap(A, p, y, C, *best)
    inside = (beta > lo) & (beta < hi)
    if inside.any():
        beta[inside] = _project(beta[inside], lo[inside], hi[inside], -float(beta[~inside].sum()))
    if (gap := _linear_gap(A, p, y, C, beta, v, bias)) <= max(reached, 1e-9):
        best, reached = (beta, v, bias), gap
    for _ in range(6):
        free = np.flatnonzero((beta > lo) & (beta < hi))
        if not 0 < len(free) <= MOST_FREE // 5:
            break
        beta, v, bias = _equations(A, p, y, beta, v, bias, free)
        clipped = np.clip(beta, lo, hi)
        if (gap := _linear_gap(A, p, y, C, clipped, v, bias)) <= max(reached, 1e-9):
            best, reached = (clipped, v, bias), gap
        if np.array_equal(clipped, beta):
            break
        beta = clipped
    return best


def _equations(
    A: Array, p: Array, y: Array, beta: Array, v: Array, bias: float, free: NDArray[np.intp]
) -> tuple[Array, Array, float]:
    """Correct (v, b) and the free multipliers by the least change that solves the equations of optimality."""
    d, m = A.shape[1], len(free)
    F = np.column_stack([A[free], np.ones(m)])  # (m, d + 1)
    J = np.zeros((d + 1 + m, d + 1 + m))
    J[np.arange(d), np.arange(d)] = p
    J[: d + 1, d + 1 :], J[d + 1 :, : d + 1] = -F.T, F
    beta, v = beta.copy(), v.copy()
    for _ in range(2):
        r = np.concatenate([A.T @ beta - p * v, [beta.sum()], y[free] - A[free] @ v - bias])
        size = np.sqrt(np.maximum(abs(J).max(axis=1), 1e-300))
        change = np.linalg.lstsq(J / size / size[:, None], r / size, rcond=1e-13)[0] / size
        v, bias = v + change[:d], bias + float(change[d])
        beta[free] += change[d + 1 :]
    return beta, v, bias


def _linear_gap(A: Array, p: Array, y: Array, C: Array, beta: Array, v: Array, bias: float) -> float:
    """Return the relative duality gap of a primal point and of multipliers, an unbalanced sum included."""
    primal = 0.5 * p @ v**2 + C @ np.maximum(0, 1 - y * (A @ v + bias))
    dual = y @ beta - 0.5 * ((A.T @ beta) ** 2 / p).sum() - abs(bias * beta.sum())
    return float((primal - dual) / max(primal, 1e-300))


# ------------------------------------------------------------------- kernels: pairs, then Newton steps


class GramRows:
    """Rows of a Gram matrix, computed in blocks when they are asked for; the oldest make room.

    Parameters
    ----------
    rows : callable
        Returns the rows of the given indices, shape (b, n).
    diagonal : ndarray of shape (n,)
    """

    def __init__(self, rows: Rows, diagonal: Array) -> None:
        n = len(diagonal)
        self.rows, self.diagonal, self.n = rows, diagonal, n
        self.room = min(n, max(CACHE // n, 4 * BLOCK))
        self.store = np.empty((self.room, n))  # pages are touched only when rows come
        self.slot, self.owner, self.next = np.full(n, -1), np.full(self.room, -1), 0
        if n <= ALL_ROWS:
            self.load(np.arange(n))

    def load(self, wanted: NDArray[np.intp]) -> None:
        """Compute those of the rows that are not there."""
        wanted = wanted[self.slot[wanted] < 0]
        for start in range(0, len(wanted), BLOCK):
            part = wanted[start : start + BLOCK]
            slots = (self.next + np.arange(len(part))) % self.room
            self.slot[self.owner[slots][self.owner[slots] >= 0]] = -1
            self.store[slots] = self.rows(part)
            self.slot[part], self.owner[slots] = slots, part
            self.next = int(slots[-1] + 1) % self.room

    def row(self, i: int, likely: Array, sign: float = 1.0) -> Array:
        """Return row i; if it must be computed, so are the missing rows with the smallest sign * likely."""
        if self.slot[i] < 0:
            order = np.where(self.slot < 0, sign * likely, np.inf)
            near = np.argpartition(order, min(BLOCK, self.n) - 1)[:BLOCK]
            near = near[np.isfinite(order[near])]
            self.load(np.append(i, near[near != i][: BLOCK - 1]))
        return self.store[self.slot[i]]

    def square(self, chosen: NDArray[np.intp]) -> Array:
        """Return the Gram matrix of the chosen rows, all of them loaded."""
        return np.array([self.store[k].take(chosen) for k in self.slot[chosen]])

    def combine(self, chosen: NDArray[np.intp], weights: Array) -> Array:
        """Return the weighted sum of the chosen rows, all of them loaded, shape (n,)."""
        total = np.zeros(self.n)
        for start in range(0, len(chosen), BLOCK):
            part = slice(start, start + BLOCK)
            total += weights[part] @ self.store[self.slot[chosen[part]]]
        return total


@dataclass
class _State:
    """A feasible point of the quadratic program with its gradient; the steps below change it in place."""

    K: GramRows
    t: Array
    lo: Array
    hi: Array
    beta: Array
    gradient: Array
    total: float

    def free(self) -> NDArray[np.intp]:
        return np.flatnonzero((self.beta > self.lo) & (self.beta < self.hi))

    def interval(self) -> tuple[float, float]:
        """Return the ends of the interval of b: equal or in order at an optimum."""
        low = -self.gradient[self.beta < self.hi].min(initial=np.inf)
        high = -self.gradient[self.beta > self.lo].max(initial=-np.inf)
        return float(low), float(high)

    def violation(self) -> float:
        low, high = self.interval()
        return low - high

    def bias(self) -> float:
        """Return the mean of -g over the free multipliers; if there are none, the middle of the interval."""
        free = self.free()
        if len(free):
            return -float(self.gradient[free].mean())
        low, high = self.interval()
        return low if np.isinf(high) else high if np.isinf(low) else 0.5 * (low + high)

    def gap(self) -> float:
        """Return the relative gap between a bound from the violations and the objective."""
        b = self.bias()
        short, long = np.maximum(0, -self.gradient - b), np.maximum(0, self.gradient + b)
        room = short @ (self.hi - self.beta) + long @ (self.beta - self.lo)
        value = float(0.5 * self.beta @ (self.gradient - self.t))
        return float(room / max(abs(value), 1e-300))


def solve_kernel(K: GramRows, t: Array, lo: Array, hi: Array, beta: Array) -> Solution:
    """Solve the quadratic program of the module from the feasible point `beta`.

    Returns
    -------
    Solution
        With a relative gap of about `GOAL`, or the best that rounding and 100 rounds allow.
    """
    used = np.flatnonzero(beta)
    K.load(used)
    state = _State(K, t, lo, hi, beta.copy(), K.combine(used, beta[used]) - t, float(round(beta.sum())))
    steps, best, stalled = _pairs(state, LOOSE, 100 * len(t) + 10_000), np.inf, 0
    if len(state.free()) > MANY_FREE:
        steps += _pairs(state, LOOSE / 5, 100 * len(t))
    for _ in range(100):
        _newton(state)
        gap = state.gap()
        stalled = 0 if gap < 0.5 * best else stalled + 1
        best = min(best, gap)
        if gap <= GOAL or stalled > 20:
            break
        steps += _pairs(state, 0.1 * state.violation(), 100 + len(state.free()))
    _balance(state)
    used = np.flatnonzero(state.beta)
    if len(used) <= K.room:  # afresh: the updates have left their rounding errors
        K.load(used)
        state.gradient = K.combine(used, state.beta[used]) - t
    return Solution(state.beta, state.gradient + t, state.bias(), steps)


def _balance(state: _State) -> None:
    """Give the multiplier with the most room the rounding error of the sum."""
    room = np.minimum(state.beta - state.lo, state.hi - state.beta)
    i = int(room.argmax())
    exact = state.total - math.fsum(np.delete(state.beta, i))
    if state.lo[i] < exact < state.hi[i]:
        state.beta[i] = exact


@np.errstate(invalid="ignore")  # a function that is no kernel has negative curvatures
def _pairs(state: _State, tol: float, limit: int) -> int:
    """Move pairs of multipliers until the violation is at most `tol`; return the number of moves.

    i: the multiplier that may grow with the smallest gradient; j: the one that may shrink for which the
    objective falls most, by half of difference squared over curvature, were it not for the bounds.
    """
    K, g, beta, lo, hi = state.K, state.gradient, state.beta, state.lo, state.hi
    grow, shrink = np.where(beta < hi, 0.0, np.inf), np.where(beta > lo, 0.0, -np.inf)
    ahead, work, root = np.empty_like(g), np.empty_like(g), np.empty_like(g)
    constant = np.ptp(K.diagonal) == 0
    flat = FLAT * max(float(K.diagonal.max()), 1e-300)  # no curvature is 0 or, by rounding, less
    twice = 2 * float(K.diagonal[0]) + flat
    for step in range(limit):
        np.add(g, grow, out=work)
        i = int(work.argmin())
        row = K.row(i, work)
        np.subtract(g, g[i], out=ahead)
        ahead += shrink
        if step % 16 == 0 and not ahead.max() > tol:
            return step
        np.multiply(row, -2.0, out=root)
        root += twice if constant else K.diagonal + (K.diagonal[i] + flat)
        np.sqrt(root, out=root)  # of the curvature
        np.divide(ahead, root, out=work)  # where it is positive, its square is twice the fall
        j = int(work.argmax())
        if not work[j] > 0:
            return step
        other = K.row(j, work, -1.0)
        row = K.row(i, work)  # the cache may have moved it
        most, least = hi[i] - beta[i], beta[j] - lo[j]
        move = min(work[j] / root[j], most, least)
        beta[i] = hi[i] if move == most else beta[i] + move
        beta[j] = lo[j] if move == least else beta[j] - move
        np.subtract(row, other, out=ahead)
        ahead *= move
        g += ahead
        grow[i], shrink[i] = (0.0 if beta[i] < hi[i] else np.inf), 0.0
        shrink[j], grow[j] = (0.0 if beta[j] > lo[j] else -np.inf), 0.0
    return limit


def _newton(state: _State) -> None:
    """Solve for the free multipliers; where the solution leaves the box, go as far as the objective falls."""
    chosen = state.free()
    if not 2 <= len(chosen) <= min(MOST_FREE, state.K.room):
        return
    state.K.load(chosen)
    KF, m = state.K.square(chosen), len(chosen)
    L = _cholesky(KF)
    if L is None:
        return
    x, g = state.beta[chosen], state.gradient[chosen]
    lo, hi, start, held = state.lo[chosen], state.hi[chosen], x.copy(), np.zeros(m, dtype=bool)
    for _ in range(12):
        d = _toward_optimum(KF, L, g, held)
        target = x + d
        whole = bool(((target >= lo) & (target <= hi)).all())
        new = target if whole else _inside(x, target, d, lo, hi, g, KF, held)
        g = g + KF @ (new - x)
        x = new
        held |= (x <= lo) | (x >= hi)
        if whole or held.sum() > max(8, m // 8):
            break
    state.beta[chosen] = x
    state.gradient += state.K.combine(chosen, x - start)


def _cholesky(KF: Array) -> Array | None:
    """Return the factor of KF, with the smallest ridge that makes it one; a ridge only shortens the step."""
    size = float(np.diag(KF).max())
    for share in (1e-14, 1e-12, 1e-10, 1e-8):
        ridged = KF.copy()
        ridged[np.diag_indices(len(KF))] += share * size * len(KF)
        try:
            return np.asarray(np.linalg.cholesky(ridged), dtype=np.float64)
        except np.linalg.LinAlgError:
            continue
    return None


def _toward_optimum(KF: Array, L: Array, g: Array, held: NDArray[np.bool_]) -> Array:
    """Return the step to the minimum over changes with sum zero that leave the held entries alone.

    One factor serves all: each held entry is one constraint more, whose multiplier a small system gives.
    """
    fixed = np.flatnonzero(held)
    B = np.zeros((len(g), 1 + len(fixed)))  # normals of the constraints
    B[:, 0], B[fixed, 1 + np.arange(len(fixed))] = 1.0, 1.0
    Z = _solve_factored(L, np.column_stack([g, B]))
    z, Z = Z[:, 0], Z[:, 1:]
    small = B.T @ Z
    step = Z @ np.linalg.lstsq(small, B.T @ z, rcond=1e-15)[0] - z
    z = _solve_factored(L, (g + KF @ step)[:, None])[:, 0]  # once more, for what the ridge and rounding left
    step += Z @ np.linalg.lstsq(small, B.T @ (z - step), rcond=1e-15)[0] - z
    step[fixed] = 0.0
    return step - np.where(held, 0.0, step.sum() / max(len(g) - len(fixed), 1))


def _inside(
    x: Array, target: Array, d: Array, lo: Array, hi: Array, g: Array, KF: Array, held: NDArray[np.bool_]
) -> Array:
    """Return the better of two points: the target projected on the box, and where the way leaves the box."""
    with np.errstate(divide="ignore", invalid="ignore"):
        limits = np.where(d > 0, (hi - x) / d, np.where(d < 0, (lo - x) / d, np.inf))
    limits[held] = np.inf
    first = int(limits.argmin())
    share = min(1.0, max(0.0, float(limits[first])))
    short = np.clip(x + share * d, lo, hi)
    if share < 1:
        short[first] = (hi if d[first] > 0 else lo)[first]
    far = x.copy()
    far[~held] = _project(target[~held], lo[~held], hi[~held], float(x[~held].sum()))

    def change(point: Array) -> float:
        move = point - x
        return float(g @ move + 0.5 * move @ (KF @ move))

    return far if change(far) < min(change(short), 0.0) else short


def _project(z: Array, lo: Array, hi: Array, total: float) -> Array:
    """Return clip(z - c, lo, hi) with the c that gives it the sum `total`, by safeguarded Newton steps."""
    low, high, c = float((z - hi).min()), float((z - lo).max()), 0.0
    for _ in range(100):
        x = np.clip(z - c, lo, hi)
        excess = float(x.sum()) - total
        if abs(excess) <= 1e-15 * float(abs(x).sum()):
            break
        low, high = (max(low, c), high) if excess > 0 else (low, min(high, c))
        moving = np.count_nonzero((x > lo) & (x < hi))
        guess = c + excess / moving if moving else low
        c = guess if low < guess < high else 0.5 * (low + high)
    return x


def _solve_factored(L: Array, B: Array, block: int = 128) -> Array:
    """Return the solution of L L' Z = B by block substitution (NumPy has no triangular solve)."""
    Z = np.array(B)
    starts = range(0, len(L), block)
    for a in starts:
        part = slice(a, a + block)
        Z[part] = np.linalg.solve(L[part, part], Z[part] - L[part, :a] @ Z[:a])
    for a in reversed(starts):
        part, rest = slice(a, a + block), slice(a + block, None)
        Z[part] = np.linalg.solve(L[part, part].T, Z[part] - L[rest, part].T @ Z[rest])
    return Z
