"""Labelled examples and the planes between their classes, as the claims on support vector machines need them.

The truth is computed here: hulls of plane points by pairs of points and segments, and duals of a few examples
by running through all sets of multipliers at 0, between and at C.

One accuracy is required of a machine: a gap g of at most `GAP` = 1e-8 of the optimal value, with multipliers
that keep the box and the equality to `GAP` of their sum. In the hard margin the gap is that of the plane
stretched until its smallest y f(x) is 1, and w is the stretched normal vector or the sum of alpha y x. Every
tolerance is what this permits, with v the sum of alpha y x and R the length of the longest example:

* the primal is |w|^2/2 plus a convex function and the dual minus |v|^2/2 plus a concave one, so that w and v
  are within sqrt(2 g) of w*; in the hard margin that is sqrt(GAP) |w*|, since the optimum is |w*|^2/2;
* the gap is the sum of |w - v|^2/2, alpha_i (m_i - 1 + slack_i) and (C - alpha_i) slack_i (lecture, (5.7)),
  none of them negative, hence none above g;
* the dual value and these products move by at most the violations of the box and the equality, times |b|
  plus the sum of |1 - m_i|;
* outside the interval of optimal intercepts the primal grows by at least C for a unit of b; in the hard
  margin an intercept is held by an example of each class, to R |w - w*|.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

GAP = 1e-8
PLAY = 3 * math.sqrt(GAP)  # hard margin: of w and of the smallest y f(x), relative, with the terms in GAP
INF = math.inf


# ------------------------------------------------------------------- examples
def separable(rng, n=12) -> tuple[np.ndarray, np.ndarray]:
    """Return integer points of the plane, n/2 a class, with a gap of at least 2 along a random direction."""
    n = 2 * max(n // 2, 1)
    normal = np.array([(3, 1), (1, 3), (-2, 3), (3, -1)][rng.integers(4)])
    X = rng.integers(-6, 7, (400, 2))
    side = X @ normal
    low, high = X[side <= -5][: n // 2], X[side >= 5][: n // 2]
    order = rng.permutation(n)
    return np.vstack([low, high])[order].astype(float), np.repeat([-1, 1], n // 2)[order]


def overlapping(rng, n=24, d=2) -> tuple[np.ndarray, np.ndarray]:
    """Return integer examples in d dimensions whose classes overlap: one of each stands deep in the other."""
    y = np.where(np.arange(n) % 2, 1, -1)
    X = rng.integers(-4, 5, (n, d)) + np.outer(y, np.eye(d, dtype=int)[0])
    X[0], X[1] = 5 * np.eye(d, dtype=int)[0], -5 * np.eye(d, dtype=int)[0]
    X[-1, 0] += 0 if (y @ X).any() else 1  # classes of equal means and sizes would have w = 0 as a solution
    return X.astype(float), y


# ------------------------------------------------------------------- the truth about them
def nearest(P, Q):
    """Return the nearest points of the hulls of two sets in the plane that do not meet: one is an example."""
    pairs = _row_and_foot(P, Q), _row_and_foot(Q, P)[::-1]
    return min(pairs, key=lambda pair: float(np.linalg.norm(pair[0] - pair[1])))


def _row_and_foot(A, B):
    """Return the example of A nearest to an edge between two examples of B, and its nearest point there."""
    i, j = np.triu_indices(len(B))
    edges, ways = B[j] - B[i], A[:, None] - B[i]
    shares = (ways * edges).sum(axis=2) / np.maximum((edges**2).sum(axis=1), 1e-300)
    feet = B[i] + np.clip(shares, 0, 1)[..., None] * edges
    example, edge = np.unravel_index(np.linalg.norm(A[:, None] - feet, axis=2).argmin(), shares.shape)
    return A[example], feet[example, edge]


def widest(X, y):
    """Return the hard margin of plane examples, from the nearest points of the hulls."""
    p, q = nearest(X[y > 0], X[y < 0])
    w = 2 * (p - q) / ((p - q) @ (p - q))
    return Machine(X, y, INF, w, float(-w @ (p + q) / 2))


def half_widths(X, y, angles):
    """Return half the width of the band between the classes in each direction of the plane."""
    along = X @ np.array([np.cos(angles), np.sin(angles)])
    return 0.5 * (along[y > 0].min(axis=0) - along[y < 0].max(axis=0))


def enumerate_dual(X, y, C):
    """Return (value, w, low, high, alpha) of the C-SVM on a few integer examples, nearly exactly.

    Every example is at 0, free or at C. Some optimal multipliers have a regular system on the free examples
    (a vertex of the set of optima). A regular system of integers is solved by integers over its determinant.
    Those come from floats, rounded, and need no trust: the result is the first assignment that meets all
    conditions of optimality, which are compared in integers. Floats hold these while they, and the sums
    that make them, stay below 2^53. Raises ValueError if no assignment below that limit is optimal.
    """
    n, K, (C_whole, one) = len(y), X @ X.T, Fraction(C).as_integer_ratio()
    states = np.array(list(itertools.product((0, 1, 2), repeat=n)))
    free = states == 1
    # K beta + b = y on free examples, beta = 0 or C y on the others, sum(beta) = 0; b = 0 if none is free
    A = np.ones((len(states), n + 1, n + 1))
    A[:, :n, :n] = np.where(free[..., None], K, np.eye(n))
    A[:, :n, n], A[:, n, n] = free, ~free.any(axis=1)
    right = np.hstack([np.where(free, one * y, C_whole * y * (states == 2)), np.zeros((len(states), 1))])
    scale = np.rint(np.linalg.det(A))
    A, right, scale = A[scale != 0], right[scale != 0], scale[scale != 0, None]
    beta = np.rint(scale * np.linalg.solve(A, right[..., None])[:, :n, 0]) * np.sign(scale)
    alpha, scale = y * beta, abs(scale)
    sizes = (abs(beta) @ abs(K)).max(axis=1) + ((one + C_whole) * scale)[:, 0]
    r = one * scale * y - beta @ K
    most = C_whole * scale * y
    low = np.where(beta < np.maximum(0, most), r, -np.inf).max(axis=1)
    high = np.where(beta > np.minimum(0, most), r, np.inf).min(axis=1)
    feasible = ((alpha >= 0) & (alpha <= C_whole * scale)).all(axis=1) & (beta.sum(axis=1) == 0)
    optimal = np.flatnonzero(feasible & (low <= high) & (n * sizes < 2**53))
    if not len(optimal) or (X % 1).any():
        raise ValueError(
            "enumerate_dual takes integer examples, few and small: its sums must stay below 2^53."
        )
    best = optimal[0]
    unit = one * scale[best, 0]
    alpha, w = alpha[best] / unit, beta[best] @ X / unit
    return alpha.sum() - w @ w / 2, w, float(low[best] / unit), float(high[best] / unit), alpha


# ------------------------------------------------------------------- what the accuracy leaves open
class Machine:
    """A plane on labelled examples at a given C: what it costs, and what `GAP` leaves open of it.

    `model` is what was fitted; a truth has none.
    """

    def __init__(self, X, y, C, w, b, model=None):
        self.X, self.y, self.C, self.w, self.b, self.model = X, y, C, w, b, model
        self.data, self.plane, self.length = {"X": X, "y": y}, np.append(w, b), float(np.linalg.norm(w))
        self.margins = y * (X @ w + b)
        self.slack = np.maximum(0, 1 - self.margins)
        penalty = 0.0 if C == INF else C * self.slack.sum()
        self.primal = 0.5 * w @ w + penalty
        self.total = w @ w + penalty  # what optimal multipliers add up to
        # of the dual value and of the products in the gap
        self.room = GAP * (self.primal + self.total * (abs(b) + abs(1 - self.margins).sum()))

    @property
    def play(self):
        """What is open of the plane, shape (d + 1,): of w, and of the distance of b from its interval."""
        if self.C == INF:
            scales = np.append(np.full(len(self.w), self.length), self.length * reach(self.X) + abs(self.b))
            return PLAY * scales
        root = math.sqrt(2 * GAP * self.primal)
        cost = GAP * self.primal + root * self.length
        offset = cost / self.C + root * np.linalg.norm(self.X, axis=1).sum()
        return np.append(np.full(len(self.w), root), offset)

    @property
    def alpha(self):
        """The multipliers of the model."""
        return multipliers(self.model, self.y)


def multipliers(model, y):
    """Return alpha (n,), NaN where there are no such examples."""
    support, beta, alpha = model.support_, model.dual_coef_, np.zeros(len(y))
    if len(beta) != len(support) or ((support < 0) | (support >= len(y))).any():
        return np.full(len(y), math.nan)
    alpha[support] = y[support] * beta
    return alpha


def reach(X):
    return float(np.linalg.norm(X, axis=1).max())
