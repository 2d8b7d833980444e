r"""Lagrange duality: the Lagrangian, the dual function, KKT residuals, and convex quadratic programs solved.

Model: minimise :math:`f(x)` subject to :math:`g_i(x) \le 0`, all convex, and to :math:`Ax = b`.

* :math:`L(x, \lambda, \nu) = f(x) + \sum_i\lambda_i g_i(x) + \nu^\top(Ax - b)`, with
  :math:`\lambda_i \ge 0`;
* the dual function is the minimum of L over **all** x, :math:`d(\lambda, \nu) = \inf_x L(x, \lambda, \nu)`:
  concave, and :math:`-\infty` where L has no lower bound;
* weak duality: :math:`d(\lambda, \nu) \le f(x)` for every *feasible* x and every :math:`\lambda \ge 0`;
* strong duality: with a Slater point, a feasible point at which every constraint that is *not affine* is
  strict, :math:`\inf f = \max d`, the dual optimum is attained (the primal one need not be).

A quadratic program is written :math:`\min \frac12 x^\top Px + q^\top x` subject to :math:`Gx \le h`,
:math:`Ax = b`. All its constraints are affine, so that a feasible point is a Slater point.

===================  =====================  ==========================================
symbol               shape                  name in the code
===================  =====================  ==========================================
:math:`P, q`         ``(n, n)``, ``(n,)``   objective, P symmetric and semi-definite
:math:`G, h`         ``(m, n)``, ``(m,)``   inequalities
:math:`A, b`         ``(p, n)``, ``(p,)``   equations
:math:`\lambda`      ``(m,)``               ``lam``, the multipliers of ``G x <= h``
:math:`\nu`          ``(p,)``               ``nu``, the multipliers of ``A x = b``
===================  =====================  ==========================================

Sources: Yan, slides "Primal problem" to "KKT Conditions"; Shi, slides on Lagrange multipliers and duality;
Boyd and Vandenberghe, *Convex Optimization*, chapter 5; Mehrotra (1992) for the interior point; Ruiz (2001)
for the scaling; Duffin (1956) for the program with a gap.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.engines.duality_interior_point import Arrays, largest, minimise
from mlnotes.engines.linear_algebra import cholesky
from mlnotes.estimators.base import ConvergenceWarning, check_matrix, check_scalar, check_vector

__all__ = [
    "KKT",
    "InfeasibleError",
    "Program",
    "QPSolution",
    "QuadraticProgram",
    "UnboundedError",
    "dual_on_points",
    "is_slater_point",
    "kkt_residuals",
    "solve_qp",
    "textbook_programs",
]

Array = NDArray[np.float64]


# ------------------------------------------------------------------- programs without a solution


class InfeasibleError(ValueError):
    r"""No x satisfies the constraints; ``lam`` and ``nu`` prove it (Farkas).

    :math:`\lambda \ge 0`, :math:`G^\top\lambda + A^\top\nu = 0` and :math:`h^\top\lambda + b^\top\nu = -1`:
    a feasible x would give :math:`0 = \lambda^\top Gx + \nu^\top Ax \le -1`. In floating point the zero is
    at most 1e-11, which rules out every x within 1e11 times the size of the data.
    """

    def __init__(self, lam: Array, nu: Array) -> None:
        super().__init__(
            "no x satisfies the constraints: the multipliers `lam` and `nu` of this error add them up to "
            "0 <= -1."
        )
        self.lam, self.nu = lam, nu


class UnboundedError(ValueError):
    r"""The objective has no lower bound: from the feasible ``point`` it falls for ever along ``direction``.

    :math:`Pv = 0`, :math:`Gv \le 0`, :math:`Av = 0`, :math:`q^\top v = -1` for v the direction.
    """

    def __init__(self, direction: Array, point: Array) -> None:
        super().__init__(
            "the objective has no lower bound: it falls for ever along the `direction` of this error."
        )
        self.direction, self.point = direction, point


# ------------------------------------------------------------------- the KKT conditions


@dataclass(frozen=True)
class KKT:
    r"""How far a pair :math:`(x, (\lambda, \nu))` is from the KKT conditions: five numbers, all zero at one.

    Attributes
    ----------
    stationarity : float
        :math:`\max_j|\nabla f + \sum_i\lambda_i\nabla g_i + A^\top\nu|_j`.
    inequality : float
        :math:`\max_i\max(0, g_i(x))`.
    equality : float
        :math:`\max_k|Ax - b|_k`.
    multiplier : float
        :math:`\max_i\max(0, -\lambda_i)`.
    complementarity : float
        :math:`\max_i|\lambda_i g_i(x)|`.
    """

    stationarity: float
    inequality: float
    equality: float
    multiplier: float
    complementarity: float

    @property
    def worst(self) -> float:
        """The largest of the five."""
        return max(vars(self).values())


def kkt_residuals(
    gradient: ArrayLike,
    values: ArrayLike,
    jacobian: ArrayLike,
    lam: ArrayLike,
    *,
    equations: ArrayLike | None = None,
    equation_jacobian: ArrayLike | None = None,
    nu: ArrayLike | None = None,
) -> KKT:
    r"""Return the five KKT residuals at a point x, for any differentiable program.

    Parameters
    ----------
    gradient : array-like of shape (n,)
        :math:`\nabla f(x)`.
    values : array-like of shape (m,)
        :math:`g_i(x)`, may be empty.
    jacobian : array-like of shape (m, n)
        The rows :math:`\nabla g_i(x)`.
    lam : array-like of shape (m,)
        Any sign: a negative multiplier is reported, not refused.
    equations, equation_jacobian, nu : array-like of shapes (p,), (p, n) and (p,), optional
        Of the equations :math:`e_k(x) = 0`: their values, gradients and multipliers.

    Examples
    --------
    At x = 1 of :math:`\min x^2` subject to :math:`1 - x \le 0` the multiplier is 2:

    >>> kkt_residuals([2.0], [0.0], [[-1.0]], [2.0]).worst
    0.0
    >>> kkt_residuals([2.0], [0.0], [[-1.0]], [1.0]).stationarity
    1.0
    """
    slope = check_vector(gradient, name="gradient")
    g, lam = _vector(values, "values"), _vector(lam, "lam")
    e, nu = _vector(equations, "equations"), _vector(nu, "nu")
    Dg = _rows(jacobian, len(slope), "jacobian")
    De = _rows(equation_jacobian, len(slope), "equation_jacobian")
    for name, given, rows in (("jacobian", Dg, g), ("equation_jacobian", De, e)):
        _same_length(name, given, "its constraints", rows)
    _same_length("lam", lam, "values", g)
    _same_length("nu", nu, "equations", e)
    return KKT(
        largest(abs(slope + Dg.T @ lam + De.T @ nu)),
        largest(g),
        largest(abs(e)),
        largest(-lam),
        largest(abs(lam * g)),
    )


def is_slater_point(values: ArrayLike, affine: ArrayLike) -> bool:
    r"""Tell whether a point with constraint values :math:`g_i(x)` is a Slater point.

    Every constraint must hold, and strictly where it is not affine. A point inside the feasible set is *not*
    enough: :math:`\max(0, -x)^2 \le 0` holds on a half-line, and is strict nowhere.

    Parameters
    ----------
    values : array-like of shape (m,)
    affine : array-like of bool, shape (m,)

    Examples
    --------
    >>> is_slater_point([-1.0, 0.0], [False, True]), is_slater_point([0.0, -1.0], [False, True])
    (True, False)
    """
    g = check_vector(values, name="values")
    is_affine = np.asarray(affine)
    if is_affine.dtype != bool or is_affine.shape != g.shape:
        raise ValueError(
            f"affine must have {len(g)} entries True or False, one a constraint, got {affine!r}."
        )
    return bool(np.where(is_affine, g <= 0, g < 0).all())


# ------------------------------------------------------------------- quadratic programs


@dataclass(frozen=True, eq=False)
class QuadraticProgram:
    r"""Minimise :math:`\frac12 x^\top Px + q^\top x` subject to :math:`Gx \le h` and :math:`Ax = b`.

    Parameters
    ----------
    P : array-like of shape (n, n)
        Symmetric, positive semi-definite; zeros make it a linear program.
    q : array-like of shape (n,)
    G, h : array-like of shapes (m, n) and (m,), optional
    A, b : array-like of shapes (p, n) and (p,), optional

    Raises
    ------
    ValueError
        For wrong shapes, NaN or infinity, and if P is not symmetric or not positive semi-definite.

    Examples
    --------
    >>> program = QuadraticProgram([[2.0]], [0.0], G=[[-1.0]], h=[-1.0])  # min x^2 subject to x >= 1
    >>> program.objective([3.0]), program.lagrangian([3.0], [2.0]), program.dual_function([2.0])
    (9.0, 5.0, 1.0)
    """

    P: Any
    q: Any
    G: Any = None
    h: Any = None
    A: Any = None
    b: Any = None

    def __post_init__(self) -> None:
        """Turn the arguments into arrays, empty ones where they are left out."""
        q = check_vector(self.q, name="q")
        n = len(q)
        P = check_matrix(self.P, name="P")
        G, h, A, b = _rows(self.G, n, "G"), _vector(self.h, "h"), _rows(self.A, n, "A"), _vector(self.b, "b")
        if P.shape != (n, n):
            raise ValueError(f"P must have shape ({n}, {n}), as q has {n} entries, got shape {P.shape}.")
        if abs(P - P.T).max() > 1e-12 * abs(P).max():
            raise ValueError(f"P must be symmetric; its entries differ by {abs(P - P.T).max():.3g}.")
        _same_length("h", h, "G", G)
        _same_length("b", b, "A", A)
        P = (P + P.T) / 2
        _check_semidefinite(P)
        for name, value in zip("PqGhAb", (P, q, G, h, A, b), strict=True):
            object.__setattr__(self, name, value)

    @cached_property
    def _spectrum(self) -> tuple[Array, Array]:
        """The eigenvalues of P, those within rounding of zero set to zero, and the eigenvectors."""
        values, vectors = np.linalg.eigh(self.P)
        return np.where(values > _noise(self.P), values, 0.0), vectors

    def objective(self, x: ArrayLike) -> float:
        r"""Return :math:`f(x) = \frac12 x^\top Px + q^\top x`."""
        x = self._point(x)
        return float(0.5 * x @ (self.P @ x) + self.q @ x)

    def lagrangian(self, x: ArrayLike, lam: ArrayLike, nu: ArrayLike | None = None) -> float:
        r"""Return :math:`L(x, \lambda, \nu) = f(x) + \lambda^\top(Gx - h) + \nu^\top(Ax - b)`.

        Raises
        ------
        ValueError
            If a multiplier of an inequality is negative.
        """
        x, (lam, nu) = self._point(x), self._multipliers(lam, nu)
        return self.objective(x) + float(lam @ (self.G @ x - self.h) + nu @ (self.A @ x - self.b))

    def lagrangian_minimizer(self, lam: ArrayLike, nu: ArrayLike | None = None) -> Array | None:
        r"""Return the x of least norm that minimises L, :math:`-P^+(q + G^\top\lambda + A^\top\nu)`.

        None if L has no lower bound: the linear part leaves the range of P. If P is positive definite, x is
        the only minimiser, and with the dual optimum it is the primal optimum.
        """
        values, V = self._spectrum
        lam, nu = self._multipliers(lam, nu)
        terms = abs(self.q) + lam @ abs(self.G) + abs(nu) @ abs(self.A)
        kept = values > 0
        linear = V.T @ (self.q + self.G.T @ lam + self.A.T @ nu)
        # the linear part is a sum that may cancel: its zero is relative to the terms
        if abs(linear[~kept]).max(initial=0.0) > 1e-10 * largest(terms):
            return None
        return -V[:, kept] @ (linear[kept] / values[kept])

    def dual_function(self, lam: ArrayLike, nu: ArrayLike | None = None) -> float:
        r"""Return :math:`d(\lambda, \nu) = \min_x L(x, \lambda, \nu)`, minus infinity where there is none.

        The minimum runs over the whole space, not over the feasible set.
        """
        x = self.lagrangian_minimizer(lam, nu)
        return -math.inf if x is None else self.lagrangian(x, lam, nu)

    def dual_program(self) -> QuadraticProgram:
        r"""Return the dual as a quadratic program in :math:`(\lambda, \nu)`, for a positive definite P.

        Eliminating x leaves: minimise :math:`\frac12 z^\top MP^{-1}M^\top z + (MP^{-1}q + r)^\top z` subject
        to :math:`\lambda \ge 0`, with :math:`M = (G; A)`, :math:`r = (h; b)`. The dual function is minus its
        objective, less :math:`\frac12 q^\top P^{-1}q`.

        Raises
        ------
        ValueError
            If P is singular (to rounding), or there is no constraint.
        """
        values, V = self._spectrum
        m, p = len(self.h), len(self.b)
        if values[0] == 0:
            rank = int((values > 0).sum())
            raise ValueError(f"P must be positive definite to eliminate x; it has rank {rank} of {len(V)}.")
        if m + p == 0:
            raise ValueError("the program has no constraint, so that there is no dual variable.")
        M, r = np.vstack([self.G, self.A]), np.concatenate([self.h, self.b])
        half = (M @ V) / np.sqrt(values)  # half @ half.T = M P^{-1} M'
        linear = r + half @ ((V.T @ self.q) / np.sqrt(values))
        return QuadraticProgram(half @ half.T, linear, G=-np.eye(m, m + p), h=np.zeros(m))

    def kkt(self, x: ArrayLike, lam: ArrayLike, nu: ArrayLike | None = None) -> KKT:
        """Return the five KKT residuals at x and the multipliers."""
        x = self._point(x)
        return kkt_residuals(
            self.P @ x + self.q,
            self.G @ x - self.h,
            self.G,
            lam,
            equations=self.A @ x - self.b,
            equation_jacobian=self.A,
            nu=nu,
        )

    def _point(self, x: ArrayLike) -> Array:
        return check_vector(x, name="x", n=len(self.q))

    def _multipliers(self, lam: ArrayLike, nu: ArrayLike | None) -> tuple[Array, Array]:
        lam, nu = _vector(lam, "lam"), _vector(nu, "nu")
        _same_length("lam", lam, "h", self.h)
        _same_length("nu", nu, "b", self.b)
        if lam.min(initial=0.0) < 0:
            raise ValueError(f"lam must have entries >= 0, got {lam.min()}; only nu may be negative.")
        return lam, nu


@dataclass(frozen=True, eq=False)
class QPSolution:
    r"""A primal and a dual point, and what they prove.

    Attributes
    ----------
    x : ndarray of shape (n,)
    lam : ndarray of shape (m,)
    nu : ndarray of shape (p,)
    primal : float
        The objective at x.
    dual : float
        :math:`-\frac12 x^\top Px - h^\top\lambda - b^\top\nu`: the dual function, where x minimises L.
    gap : float
        ``primal - dual``.
    relative_gap : float
        The gap over the larger of ``|primal|`` and ``|dual|``; where both are below a millionth of the terms
        that they add up, or 1e-12 of the unit of the objective (an optimal value of zero), over that.
    kkt : KKT
        In the units of the program.
    iterations : int
    history : ndarray of shape (iterations + 1, 3)
        Before each step and at the end: primal, dual, and the mean :math:`s^\top\lambda/m` (s the slack).
    converged : bool
    """

    x: Array
    lam: Array
    nu: Array
    primal: float
    dual: float
    gap: float
    relative_gap: float
    kkt: KKT
    iterations: int
    history: Array
    converged: bool


def solve_qp(program: QuadraticProgram, *, tol: float = 1e-10, max_iter: int = 100) -> QPSolution:
    r"""Solve a dense convex quadratic program by Mehrotra's interior point method.

    With slacks :math:`s = h - Gx > 0` the KKT conditions are a square system, but for
    :math:`\lambda_i s_i = 0`. Each step is Newton's on :math:`\lambda_i s_i = \sigma\mu`, with
    :math:`\mu = s^\top\lambda/m` and :math:`\sigma` chosen from how far the step with :math:`\sigma = 0`
    would have come (the predictor), and keeps :math:`s, \lambda` positive. One step costs
    :math:`O(n^2(m + p) + (n + p)^3)`; 8 to 25 steps are usual.

    Parameters
    ----------
    program : QuadraticProgram
    tol : float, default 1e-10
        For the relative gap, and for the residuals relative to the terms that they add.
    max_iter : int, default 100

    Returns
    -------
    QPSolution

    Raises
    ------
    InfeasibleError
        With the multipliers that prove it.
    UnboundedError
        With the direction that proves it.

    Warns
    -----
    ConvergenceWarning
        If the tolerance is not reached; the solution is the best point seen, and says how good it is.

    Examples
    --------
    >>> solution = solve_qp(QuadraticProgram([[2.0]], [0.0], G=[[-1.0]], h=[-1.0]))
    >>> solution.x.round(9).tolist(), solution.lam.round(9).tolist(), solution.relative_gap < 1e-10
    ([1.0], [2.0], True)
    """
    if not isinstance(program, QuadraticProgram):
        raise ValueError(f"program must be a QuadraticProgram, got {type(program).__name__}.")
    check_scalar(tol, name="tol", above=0)
    check_scalar(max_iter, name="max_iter", kind=int, minimum=1)
    arrays = Arrays(program.P, program.q, program.G, program.h, program.A, program.b)
    found = minimise(arrays, tol, max_iter)
    iterations = len(found.history) - 1
    if found.status == "infeasible":
        raise InfeasibleError(found.lam, found.nu)
    if found.direction is not None and found.status == "unbounded":
        raise UnboundedError(found.direction, found.x)
    if found.status == "stopped":
        warnings.warn(
            f"solve_qp stopped after {iterations} iterations with the relative error {found.error:.2g} "
            f"(gap {found.relative_gap:.2g}), above tol={tol}.",
            ConvergenceWarning,
            stacklevel=2,
        )
    point = found.x, found.lam, found.nu
    dual = min(found.primal, found.dual)
    return QPSolution(
        *point,
        found.primal,
        dual,
        found.primal - dual,
        found.relative_gap,
        program.kkt(*point),
        iterations,
        np.array(found.history),
        found.status == "optimal",
    )


# ------------------------------------------------------------------- programs small enough to see


def dual_on_points(f: ArrayLike, g: ArrayLike, lam: ArrayLike) -> Any:
    r"""Return :math:`d(\lambda) = \min_j\{f_j + \lambda^\top g_j\}`, the dual function over finitely many x.

    A minimum of functions that are affine in :math:`\lambda`, hence concave, for whatever f and g. Integers
    and `fractions.Fraction` stay exact.

    Parameters
    ----------
    f : array-like of shape (N,)
        The objective at the points.
    g : array-like of shape (N, m)
        The constraints at the points.
    lam : array-like of shape (m,) or (k, m)
        Entries >= 0.

    Returns
    -------
    a number, or an ndarray of shape (k,)

    Examples
    --------
    Points 0, 1, 2 of :math:`\min x^2` subject to :math:`1 - x \le 0`:

    >>> dual_on_points([0, 1, 4], [[1], [0], [-1]], [[0], [1], [2]]).tolist()
    [0, 1, 1]
    """
    f, g, lam = np.asarray(f), np.asarray(g), np.asarray(lam)
    if f.ndim != 1 or not len(f) or g.ndim != 2 or len(g) != len(f) or lam.shape[-1:] != g.shape[1:]:
        raise ValueError(
            "f must have shape (N,), g (N, m) and lam (m,) or (k, m), "
            f"got shapes {f.shape}, {g.shape} and {lam.shape}."
        )
    if (lam < 0).any():
        raise ValueError(f"lam must have entries >= 0, got {lam.min()}.")
    return (f + lam @ g.T).min(axis=-1)


@dataclass(frozen=True, eq=False)
class Program:
    r"""A program small enough to be drawn, with its dual function worked out by hand.

    Attributes
    ----------
    statement : str
    objective : callable
        (N, d) to (N,).
    constraints : callable
        (N, d) to (N, m).
    affine : tuple of bool, m entries
    dual : callable
        :math:`\lambda`, shape (m,), to :math:`d(\lambda)`, which may be minus infinity.
    primal_value, dual_value : float
        :math:`\inf f` over the feasible set and :math:`\sup d`.
    x : tuple of float or None
        A minimiser, if there is one.
    lam : tuple of float or None
        A maximiser of d, if there is one.
    slater : tuple of float or None
        A Slater point, if there is one.
    convex : bool
        Whether f and every :math:`g_i` are convex functions.
    """

    statement: str
    objective: Callable[[Array], Array]
    constraints: Callable[[Array], Array]
    affine: tuple[bool, ...]
    dual: Callable[[Array], float]
    primal_value: float
    dual_value: float
    x: tuple[float, ...] | None
    lam: tuple[float, ...] | None
    slater: tuple[float, ...] | None
    convex: bool = True

    def lagrangian(self, X: ArrayLike, lam: ArrayLike) -> Array:
        r"""Return :math:`L(x, \lambda)` of every row x, shape (N,)."""
        X = check_matrix(X)
        lam = check_vector(lam, name="lam", n=len(self.affine), minimum=0)
        return self.objective(X) + self.constraints(X) @ lam


def textbook_programs() -> dict[str, Program]:
    r"""Return the programs of the lecture, by name: where duality holds, and the ways in which it fails.

    ``parabola``
        :math:`\min x^2`, :math:`x \ge 1`: the recipe; :math:`d(\lambda) = \lambda - \lambda^2/4`.
    ``pinned``
        :math:`\min x^2`, :math:`x \le 1` and :math:`x \ge 1`: no strict point, but affine; no gap.
    ``unattained``
        :math:`\min e^{-x}`, :math:`x \ge 0`: no gap, a multiplier, but no minimiser.
    ``interior``
        :math:`\min x`, :math:`\max(0, -x)^2 \le 0`: the feasible half-line has an interior, there is no
        Slater point, and no multiplier attains the dual value.
    ``cubic``
        :math:`\min x`, :math:`-x^3 \le 0`: the feasible set is convex, the function is not; infinite gap.
    ``duffin``
        :math:`\min e^{-x_2}`, :math:`\sqrt{x_1^2 + x_2^2} - x_1 \le 0` (Duffin 1956): convex, 1 against 0.
    """
    return {
        "parabola": Program(
            "min x^2 subject to 1 - x <= 0",
            lambda X: X[:, 0] ** 2,
            lambda X: 1 - X,
            (True,),
            lambda lam: float(lam[0] - lam[0] ** 2 / 4),
            *(1.0, 1.0, (1.0,), (2.0,), (2.0,)),
        ),
        "pinned": Program(
            "min x^2 subject to x - 1 <= 0 and 1 - x <= 0",
            lambda X: X[:, 0] ** 2,
            lambda X: np.column_stack([X - 1, 1 - X]),
            (True, True),
            lambda lam: float(lam[1] - lam[0] - (lam[1] - lam[0]) ** 2 / 4),
            *(1.0, 1.0, (1.0,), (0.0, 2.0), (1.0,)),
        ),
        "unattained": Program(
            "min exp(-x) subject to -x <= 0",
            lambda X: np.exp(-X[:, 0]),
            lambda X: -X,
            (True,),
            lambda lam: 0.0 if lam[0] == 0 else -math.inf,
            *(0.0, 0.0, None, (0.0,), (1.0,)),
        ),
        "interior": Program(
            "min x subject to max(0, -x)^2 <= 0",
            lambda X: X[:, 0],
            lambda X: np.maximum(0, -X) ** 2,
            (False,),
            lambda lam: -1 / (4 * float(lam[0])) if lam[0] else -math.inf,
            *(0.0, 0.0, (0.0,), None, None),
        ),
        "cubic": Program(
            "min x subject to -x^3 <= 0",
            lambda X: X[:, 0],
            lambda X: -(X**3),
            (False,),
            lambda lam: -math.inf,
            *(0.0, -math.inf, (0.0,), None, (1.0,)),
            convex=False,
        ),
        "duffin": Program(
            "min exp(-x2) subject to sqrt(x1^2 + x2^2) - x1 <= 0",
            lambda X: np.exp(-X[:, 1]),
            lambda X: np.hypot(X[:, :1], X[:, 1:]) - X[:, :1],
            (False,),
            lambda lam: 0.0,
            *(1.0, 0.0, (0.0, 0.0), (0.0,), None),
        ),
    }


# ------------------------------------------------------------------- checks of this module's arguments


def _vector(v: ArrayLike | None, name: str) -> Array:
    """Return a vector; None and an empty list are the empty one."""
    return np.zeros(0) if v is None or np.size(v) == 0 else check_vector(v, name=name)


def _noise(P: Array) -> float:
    """Return what rounding may leave of a zero eigenvalue: Gram matrices and eigh err so much."""
    return float(1e2 * len(P) * np.finfo(np.float64).eps * abs(P).max())


def _check_semidefinite(P: Array) -> None:
    """Refuse a P with an eigenvalue below zero, beyond rounding; Cholesky answers at a tenth of the price."""
    try:
        cholesky(P + (_noise(P) or 1.0) * np.eye(len(P)))
    except np.linalg.LinAlgError:
        lowest = np.linalg.eigvalsh(P)[0]
        raise ValueError(
            f"P must be positive semi-definite (a convex objective), but has the eigenvalue {lowest:.3g}."
        ) from None


def _rows(M: ArrayLike | None, n: int, name: str) -> Array:
    """Return a matrix of n columns; None and an empty list are the one without rows."""
    matrix = np.zeros((0, n)) if M is None or np.size(M) == 0 else check_matrix(M, name=name)
    if matrix.shape[1] != n:
        raise ValueError(f"{name} must have {n} columns, one a variable, got shape {matrix.shape}.")
    return matrix


def _same_length(name: str, given: Array, other_name: str, other: Array) -> None:
    if len(given) != len(other):
        raise ValueError(f"{name} has {len(given)} rows or entries, but {other_name} {len(other)}.")
