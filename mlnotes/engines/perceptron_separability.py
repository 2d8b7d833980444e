r"""Are the data separable? Wolfe's point of smallest norm in a convex hull, with a proof either way.

A vector separates the signed examples :math:`z_i = y_ix_i` if :math:`\langle w, z_i\rangle > 0` for all i.
Either there is one, or some convex combination :math:`\sum_ia_iz_i` is zero (Gordan 1873; lecture 7, theorem
1.1), and the point of smallest norm in the convex hull of the examples decides: it is the best separator if
it is not zero, and else the combination.

Source: Wolfe (1976), Finding the nearest point in a polytope, *Mathematical Programming* 11.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Separability:
    r"""Bounds on the best margin, with their proofs: ``lower <= best margin <= upper``.

    Attributes
    ----------
    separable : bool or None
        True if ``lower > 0``; False if ``upper`` is zero, or unless exact at most 128 D eps times the radius;
        None if undecided: ``max_iter`` ended before, or the margin is within rounding.
    w : ndarray of shape (D,)
        Its margin is ``lower``.
    weights : ndarray of shape (n,)
        A convex combination: entries >= 0, sum 1; the norm of :math:`\sum_i a_iz_i` is ``upper``. For any
        unit u, :math:`\min_i\langle u, z_i\rangle \le \langle u, \sum_i a_iz_i\rangle \le` ``upper``.
    lower, upper : float
    """

    separable: bool | None
    w: NDArray[Any]
    weights: NDArray[Any]
    lower: float
    upper: float


def decide(examples: Array, *, best: bool, max_iter: int) -> Separability:
    """Return the point of smallest norm in the hull of the examples, in floats, as a proof either way.

    With ``best=False`` the first separator will do. All is computed in units of the radius, so that no
    tolerance depends on the unit of the data.
    """
    R = longest(examples) or 1.0
    weights = _least_norm(examples / R, best, max_iter)
    w = weights @ examples
    size = float(np.linalg.norm(w))
    noise = 8 * examples.shape[1] * np.finfo(np.float64).eps * R
    lower = float((examples @ w).min()) / size if size else 0.0
    separable = True if lower > noise else False if size <= 16 * noise else None
    return Separability(separable, w, weights, lower, size)


def decide_exactly(table: NDArray[Any], *, best: bool, max_iter: int) -> Separability:
    """Return the same in fractions, of a table of fractions."""
    weights = _least_norm(table, best, max_iter)
    w = weights @ table
    square, least = w @ w, min(table @ w)
    size = math.sqrt(square)
    separable = True if least > 0 else False if square == 0 else None
    return Separability(separable, w, weights, float(least) / size if size else 0.0, size)


def _least_norm(examples: NDArray[Any], best: bool, max_iter: int) -> NDArray[Any]:
    """Return convex weights of the point of smallest norm in the hull (Wolfe), floats or fractions.

    The points that carry weight stay affinely independent. Each round adds the example that lies furthest
    on the near side of the hyperplane through the current point, then moves towards the point of smallest
    norm of the affine hull and drops the points whose weight reaches zero on the way.
    """
    exact = examples.dtype == object
    slack = 0 if exact else 1e-15
    support = [int(np.argmin((examples * examples).sum(axis=1)))]
    support_weights = np.array([Fraction(1)] if exact else [1.0], dtype=examples.dtype)
    for _ in range(max_iter):
        point = support_weights @ examples[support]
        products = examples @ point
        new = int(np.argmin(products))
        separates = not best and products[new] > 1e3 * slack
        if separates or products[new] >= point @ point - slack or new in support:
            break
        support, support_weights = [*support, new], np.append(support_weights, 0)
        while True:
            goal = _affine_minimum(examples[support])
            if (goal > slack).all():
                support_weights = goal
                break
            ahead = support_weights - goal
            falling = [k for k, low in enumerate(goal <= slack) if low and ahead[k] > 0]
            if not falling:
                break
            ratios = support_weights[falling] / ahead[falling]
            support_weights = support_weights - min(ratios) * ahead
            support_weights[falling[int(np.argmin(ratios))]] = 0  # but for rounding it is
            positive = np.flatnonzero(support_weights > slack)
            support, support_weights = [support[k] for k in positive], support_weights[positive]
            support_weights = support_weights / support_weights.sum()
    weights = (
        np.zeros(len(examples), dtype=examples.dtype)
        if not exact
        else np.array([Fraction(0)] * len(examples))
    )
    weights[support] = support_weights
    return weights


def _affine_minimum(points: NDArray[Any]) -> NDArray[Any]:
    """Return weights with sum 1, of any sign, of the smallest point of an affine hull of points."""
    base, edges = points[0], points[1:] - points[0]
    if points.dtype == object:
        steps = solve_exactly(edges @ edges.T, -(edges @ base))  # the points are affinely independent
    else:
        Q, R = np.linalg.qr(edges.T)
        pivots = abs(np.diag(R))
        regular = len(R) == len(edges) and pivots.min() > 1e-12 * pivots.max()
        steps = -(
            np.linalg.solve(R, Q.T @ base) if regular else np.linalg.lstsq(edges.T, base, rcond=None)[0]
        )
    return np.concatenate([[1 - steps.sum()], steps])


def solve_exactly(A: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Solve a system in fractions by elimination; A is positive definite, so that no pivot is zero."""
    M = np.column_stack([A, b])
    for k in range(len(M)):
        M[k] = M[k] / M[k, k]
        others = np.arange(len(M)) != k
        M[others] -= np.outer(M[others, k], M[k])
    return M[:, -1]


def quick_decision(Z: Array) -> Separability:
    """Decide separability within some seconds, with fewer steps in more dimensions.

    From about 400 dimensions on they may end before the usual 3 D: then ``separable`` is None.
    """
    n, D = Z.shape
    max_iter = max(50, 10**11 // (2 * D**3 + 4 * n * D))
    return decide(Z, best=False, max_iter=max_iter)


def longest(examples: Array) -> float:
    """Return the length of the longest example."""
    return math.sqrt(float(np.einsum("ij,ij->i", examples, examples).max()))
