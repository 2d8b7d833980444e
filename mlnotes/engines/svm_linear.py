r"""The linear support vector machine by an interior point whose cost is linear in the number of examples.

`solve_linear` works on the primal variables: Mehrotra's predictor-corrector method (1992, SIAM J. Optim. 2)
with a normal matrix of size d + 1 only. With many examples, only those near the margin take part, and all
are checked. It returns the signed multipliers :math:`\beta_i = y_i\alpha_i`, as `svm_kernel` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.linear_algebra import solve

Array = NDArray[np.float64]

MANY_LINES = 20_000  # examples from which on a linear SVM is fitted to those near the margin
MOST_STEPS = 150  # of the interior point, which takes some 20
MOST_FREE = 1000  # multipliers inside the box that are solved for at once


@dataclass(frozen=True)
class Solution:
    """The result of a solver."""

    beta: Array  # (n,), signed multipliers; bounds are met exactly
    scores: Array  # (n,), the decision function on the training examples, without the intercept
    intercept: float
    steps: int  # interior-point iterations, or steps of SMO
    weights: Array | None = None  # (d,), the normal vector of a linear SVM


def solve_linear(X: Array, y: Array, C: Array) -> Solution:
    r"""Solve :math:`\min\frac12|w|^2 + \sum_iC_i\xi_i`, where :math:`y_i(\langle w, x_i\rangle+b)\ge1-\xi_i`.

    X has shape (n, d), y and C > 0 have shape (n,); both -1 and 1 are in y. Examples are centred, which moves
    only b, and features are scaled, which turns :math:`|w|^2` into a weighted sum of squares; both are undone
    at the end. Costs :math:`O(n \min(n, d)^2)` for each of some 20 iterations.
    """
    center, back = X.mean(axis=0), None
    A = X - center
    if A.shape[1] > len(A):  # w lies in the span of the examples: n coordinates are enough
        back, R = np.linalg.qr(A.T)
        A = R.T
    scale = np.sqrt((A * A).mean(axis=0))
    seen = scale > 1e-14 * scale.max(initial=0.0)
    A, scale = A[:, seen] / scale[seen], scale[seen]
    solution = _near_the_margin(A, scale**-2.0, y, C) if len(A) >= MANY_LINES else None
    beta, v, intercept, steps = solution or _all_rows(A, scale**-2.0, y, C)
    w = np.zeros(len(seen))
    w[seen] = v / scale
    w = w if back is None else back @ w
    scores, intercept = X @ w, float(intercept - center @ w)
    low, high = signed_box(y, C)
    if not ((beta > low) & (beta < high)).any():
        intercept = middle(y - scores, beta, low, high)
    return Solution(beta, scores, intercept, steps, w)


def signed_box(y: Array, C: Array) -> tuple[Array, Array]:
    r"""Return the bounds of the signed multipliers: :math:`0\le y_i\beta_i\le C_i`."""
    return np.minimum(0, y * C), np.maximum(0, y * C)


def interval(r: Array, beta: Array, low: Array, high: Array) -> tuple[float, float]:
    """Return the ends of the optimal b: at least r where beta may grow, at most r where it may shrink."""
    return float(r[beta < high].max(initial=-np.inf)), float(r[beta > low].min(initial=np.inf))


def middle(r: Array, beta: Array, low: Array, high: Array) -> float:
    """Return the middle of this interval, or its end if there is only one."""
    least, most = interval(r, beta, low, high)
    return most if np.isinf(least) else least if np.isinf(most) else 0.5 * (least + most)


def _all_rows(A: Array, p: Array, y: Array, C: Array) -> tuple[Array, Array, float, int]:
    """Return beta, v, b and the steps of the interior point, with exact sets."""
    v, intercept, alpha, steps = _interior_point(A, p, y, C)
    return *_exact_sets(A, p, y, C, alpha, v, intercept), steps


def _near_the_margin(A: Array, p: Array, y: Array, C: Array) -> tuple[Array, Array, float, int] | None:
    """Solve with the examples that a fit to every tenth one puts near the margin; None if that fails.

    Examples clearly outside the margin have no loss and are left out. Clearly inside it the loss is linear,
    so the losses of a class add up to that of its mean, with the sum of the C. Every example is checked
    against the solution; those on the wrong side join the ones near the margin.
    """
    part = np.arange(0, len(A), 10)
    if not 0 < np.count_nonzero(y[part] > 0) < len(part):
        return None
    v, intercept, _, steps = _interior_point(A[part], p, y[part], 10 * C[part])
    distance = y * (A @ v + intercept) - 1
    near = abs(distance) <= np.partition(abs(distance), len(part))[len(part)]
    inside = (distance < 0) & ~near
    for _ in range(4):
        means = [k for k in (-1.0, 1.0) if (inside & (y == k)).any()]
        mass = np.array([C[inside & (y == k)].sum() for k in means])
        centers = [C[inside & (y == k)] @ A[inside & (y == k)] for k in means]
        rows = np.flatnonzero(near)
        some = np.vstack([A[rows], *[c / m for c, m in zip(centers, mass, strict=True)]])
        signs, Cs = np.append(y[rows], means), np.append(C[rows], mass)
        if abs(signs.sum()) == len(signs):
            return None
        beta, v, intercept, more = _all_rows(some, p, signs, Cs)
        steps += more
        distance = y * (A @ v + intercept) - 1
        wrong = ~near & ((distance < 0) != inside)
        if not wrong.any():
            full = np.where(inside, y * C, 0.0)
            full[rows] = beta[: len(rows)]
            return (full, v, intercept, steps) if (abs(beta[len(rows) :]) == mass).all() else None
        near |= wrong
        inside &= ~near
    return None


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
    best, at_best, stalled, weighted = np.inf, (v, alpha), 0, np.empty_like(A1)
    for step in range(MOST_STEPS):  # noqa: B007
        m, q = y * (A1 @ v), A1.T @ (y * alpha)
        primal = 0.5 * (P * v) @ v + C @ np.maximum(0, 1 - m)
        gap = primal - alpha.sum() + 0.5 * (q[:-1] ** 2 / p).sum()
        stalled = 0 if gap < 0.9 * best else stalled + 1
        if gap < best:
            best, at_best = gap, (v, alpha)
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
            dv = unit * solve(M, unit * (missing + A1.T @ (y * theta * rho)))
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
        if not np.isfinite(a * dv).all():
            break
        v, alpha, s, xi, eta = v + a * dv, alpha + a * da, s + a * ds, xi + a * dx, eta - a * da
    v, alpha = at_best
    return v[:-1], float(v[-1]), alpha, step + 1


def _longest(*pairs: tuple[Array, Array], share: float) -> float:
    """Return the step, at most 1, that goes `share` of the way to where the first variable is 0."""
    worst = max([float((-dv / v).max()) for v, dv in pairs])
    return min(1.0, share / worst) if worst > 0 else 1.0


def _exact_sets(
    A: Array, p: Array, y: Array, C: Array, alpha: Array, v: Array, intercept: float
) -> tuple[Array, Array, float]:
    """Set multipliers that tend to a bound to it, and solve the equations that are left exactly.

    An interior point is never at a bound. Its products are all close to one small number, so of each pair
    (multiplier, distance to the margin) the one that is small in its own unit belongs to zero. The exact sets
    are kept if their gap is at most 1e-9, which at a large C is rounding: C times an ulp for each example on
    the margin.
    """
    lo, hi = signed_box(y, C)
    distance, unit = y * (A @ v + intercept) - 1, float(alpha.max())
    beta, at_C = y * alpha, C - alpha < -distance * unit
    beta[alpha < distance * unit] = 0.0
    beta[at_C] = (y * C)[at_C]
    best = (y * np.minimum(alpha, C), v, intercept)
    reached = _linear_gap(A, p, y, C, *best)
    inside = (beta > lo) & (beta < hi)
    if inside.any():
        beta[inside] = project_onto_box(beta[inside], lo[inside], hi[inside], -float(beta[~inside].sum()))
    if (gap := _linear_gap(A, p, y, C, beta, v, intercept)) <= max(reached, 1e-9):
        best, reached = (beta, v, intercept), gap
    for _ in range(6):
        free = np.flatnonzero((beta > lo) & (beta < hi))
        if len(free) > MOST_FREE:
            break
        beta, v, intercept = _equations(A, p, y, beta, v, intercept, free)
        intercept = intercept if len(free) else middle(y - A @ v, beta, lo, hi)
        clipped = np.clip(beta, lo, hi)
        if (gap := _linear_gap(A, p, y, C, clipped, v, intercept)) <= max(reached, 1e-9):
            best, reached = (clipped, v, intercept), gap
        if np.array_equal(clipped, beta):
            break
        beta = clipped
    return best


def _equations(
    A: Array, p: Array, y: Array, beta: Array, v: Array, intercept: float, free: NDArray[np.intp]
) -> tuple[Array, Array, float]:
    """Correct (v, b) and the free multipliers by the minimal change that solves the optimality equations."""
    d, m = A.shape[1], len(free)
    F = np.column_stack([A[free], np.ones(m)])  # (m, d + 1)
    J = np.zeros((d + 1 + m, d + 1 + m))
    J[np.arange(d), np.arange(d)] = p
    J[: d + 1, d + 1 :], J[d + 1 :, : d + 1] = -F.T, F
    beta, v, largest = beta.copy(), v.copy(), abs(J).max(axis=1)
    size = np.sqrt(np.where(largest > 0, largest, 1.0))  # of b 0, if no multiplier is free: it stays
    for _ in range(2):
        r = np.concatenate([A.T @ beta - p * v, [beta.sum()], y[free] - A[free] @ v - intercept])
        change = np.linalg.lstsq(J / size / size[:, None], r / size, rcond=1e-13)[0] / size
        v, intercept = v + change[:d], intercept + float(change[d])
        beta[free] += change[d + 1 :]
    return beta, v, intercept


def _linear_gap(A: Array, p: Array, y: Array, C: Array, beta: Array, v: Array, intercept: float) -> float:
    """Return the relative duality gap of a primal point and of multipliers, an unbalanced sum included."""
    primal = 0.5 * p @ v**2 + C @ np.maximum(0, 1 - y * (A @ v + intercept))
    dual = y @ beta - 0.5 * ((A.T @ beta) ** 2 / p).sum() - abs(intercept * beta.sum())
    return float((primal - dual) / primal)


def project_onto_box(z: Array, lo: Array, hi: Array, total: float) -> Array:
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
