r"""Small programs whose dual is known by hand: where duality holds, and how it fails.  Lecture 8.

Each minimises f(x) subject to g(x) <= 0:

    L(x, lambda) = f(x) + <lambda, g(x)>           Lagrangian, lambda >= 0
    d(lambda) = inf_x L(x, lambda)                 dual function, at most the primal value

Functions take many points at once: f from X (N, d) to (N,), g from X (N, d) to (N, m).
Inputs are not validated here; the estimators do that.
"""

import math
from collections import namedtuple

import numpy as np


class Program(namedtuple("Program", "objective constraints dual primal_value dual_value")):
    """f, g and d, the smallest value of f where g <= 0, and the largest value of d."""

    def lagrangian(self, X, lam):
        return self.objective(X) + self.constraints(X) @ lam


def first(X):
    return X[:, 0]


def textbook_programs():
    return {
        # min x^2, x >= 1: the recipe
        "parabola": Program(
            lambda X: first(X) ** 2,
            lambda X: 1 - X,
            lambda v: v[0] - v[0] ** 2 / 4,
            primal_value=1.0,
            dual_value=1.0,
        ),
        # min x^2, x <= 1 and x >= 1: no strict point, but affine; no gap
        "pinned": Program(
            lambda X: first(X) ** 2,
            lambda X: np.hstack([X - 1, 1 - X]),
            lambda v: v[1] - v[0] - (v[1] - v[0]) ** 2 / 4,
            primal_value=1.0,
            dual_value=1.0,
        ),
        # min exp(-x), x >= 0: no gap, a multiplier, no minimiser
        "unattained": Program(
            lambda X: np.exp(-first(X)),
            lambda X: -X,
            lambda v: -math.inf if v[0] else 0.0,
            primal_value=0.0,
            dual_value=0.0,
        ),
        # min x, max(0, -x)^2 <= 0: interior points, no Slater point, no multiplier
        "interior": Program(
            first,
            lambda X: np.maximum(0, -X) ** 2,
            lambda v: -1 / (4 * v[0]) if v[0] else -math.inf,
            primal_value=0.0,
            dual_value=0.0,
        ),
        # min x, -x^3 <= 0: a convex set, not a convex function; infinite gap
        "cubic": Program(
            first, lambda X: -(X**3), lambda v: -math.inf, primal_value=0.0, dual_value=-math.inf
        ),
        # min exp(-x2), |x| <= x1 (Duffin): convex, and a gap of 1
        "duffin": Program(
            lambda X: np.exp(-X[:, 1]),
            lambda X: np.hypot(X[:, :1], X[:, 1:]) - X[:, :1],
            lambda v: 0.0,
            primal_value=1.0,
            dual_value=0.0,
        ),
    }
