r"""Programs small enough to draw: where duality holds, and the ways in which it fails.

Each minimises f(x) subject to g(x) <= 0. The dual function
:math:`d(\lambda) = \inf_x f(x) + \lambda^\top g(x)` and both values are known by hand: lecture 8 and the
notebook beside it derive them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Program:
    """A program with the truth about it.

    Attributes
    ----------
    objective, constraints : callable
        Of points (N, d): f, shape (N,), and g, shape (N, m).
    dual : callable
        Of multipliers (m,): the dual function.
    primal_value, dual_value : float
        The least value of f where g <= 0, and the largest of the dual function.
    """

    objective: Callable[[Array], Array]
    constraints: Callable[[Array], Array]
    dual: Callable[[Array], float]
    primal_value: float
    dual_value: float

    def lagrangian(self, X: Array, lam: ArrayLike) -> Array:
        """Return f + lam'g at points (N, d), shape (N,)."""
        return self.objective(X) + self.constraints(X) @ np.asarray(lam, dtype=np.float64)


def textbook_programs() -> dict[str, Program]:
    """Return the programs of lecture 8 by name: how duality works, and how it fails.

    Examples
    --------
    >>> duffin = textbook_programs()["duffin"]  # convex, and a gap
    >>> duffin.primal_value, duffin.dual_value
    (1.0, 0.0)
    """

    def first(X: Array) -> Array:
        return X[:, 0]

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
