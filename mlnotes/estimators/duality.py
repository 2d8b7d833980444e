r"""Convex quadratic programs on data: `mlnotes.duality` with validated input and a fast solver.

A program is :math:`\min \frac12 x^\top Px + q^\top x` subject to m inequalities :math:`Gx \le h`, whose
multipliers :math:`\lambda` are ``lam`` (m,), and p equations :math:`Ax = b`, with :math:`\nu`, ``nu`` (p,).
All constraints are affine, so that a feasible point is a Slater point, and the optimal values are equal.

Sources: Yan, slides "Primal problem" to "KKT Conditions"; Boyd and Vandenberghe, *Convex Optimization*,
chapter 5; Mehrotra (1992) for the interior point; Ruiz (2001) for the scaling.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import duality as reference
from mlnotes.engines.duality_interior_point import Arrays, largest, minimise
from mlnotes.engines.linear_algebra import cholesky
from mlnotes.estimators.base import ConvergenceWarning, check_matrix, check_scalar, check_vector

__all__ = ["InfeasibleError", "QPSolution", "QuadraticProgram", "UnboundedError", "solve_qp"]

Array = NDArray[np.float64]


# ------------------------------------------------------------------- programs without a solution


class InfeasibleError(reference.InfeasibleError):
    r"""No x satisfies the constraints; ``lam`` and ``nu`` prove it (Farkas).

    :math:`\lambda \ge 0`, :math:`G^\top\lambda + A^\top\nu = 0` and :math:`h^\top\lambda + b^\top\nu = -1`:
    a feasible x would give :math:`0 = \lambda^\top Gx + \nu^\top Ax \le -1`. In floating point the zero is
    at most 1e-11, which rules out every x within 1e11 times the size of the data.
    """


class UnboundedError(ValueError):
    r"""The objective has no lower bound: from the feasible ``point`` it decreases along ``direction``.

    :math:`Pv = 0`, :math:`Gv \le 0`, :math:`Av = 0`, :math:`q^\top v = -1` for v the direction.
    """

    def __init__(self, direction: Array, point: Array) -> None:
        super().__init__(direction, point)
        self.direction, self.point = direction, point

    def __str__(self) -> str:
        return "unbounded: the objective has no lower bound along the `direction` of this error"


# ------------------------------------------------------------------- quadratic programs


class QuadraticProgram(reference.QuadraticProgram):
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

    def __init__(
        self,
        P: ArrayLike,
        q: ArrayLike,
        G: ArrayLike | None = None,
        h: ArrayLike | None = None,
        A: ArrayLike | None = None,
        b: ArrayLike | None = None,
    ) -> None:
        P, self.q = check_matrix(P, name="P"), check_vector(q, name="q")
        n = len(self.q)
        self.G, self.h, self.A, self.b = _rows(G, n, "G"), _vector(h, "h"), _rows(A, n, "A"), _vector(b, "b")
        if P.shape != (n, n):
            raise ValueError(f"P must have shape ({n}, {n}), as q has {n} entries, got shape {P.shape}.")
        if abs(P - P.T).max() > 1e-12 * abs(P).max():
            raise ValueError(f"P must be symmetric; its entries differ by {abs(P - P.T).max():.3g}.")
        _same_length("h", self.h, "G", self.G)
        _same_length("b", self.b, "A", self.A)
        self.P = P = (P + P.T) / 2
        try:  # ten times as fast as eigenvalues
            cholesky(P + (_noise(P) or 1.0) * np.eye(n))
        except np.linalg.LinAlgError:
            lowest = np.linalg.eigvalsh(P)[0]
            raise ValueError(
                f"P must be positive semi-definite (a convex objective), but has the eigenvalue {lowest:.3g}."
            ) from None

    @cached_property
    def _spectrum(self) -> tuple[Array, Array]:
        """The eigenvalues of P, those within rounding of zero set to zero, and the eigenvectors."""
        values, vectors = np.linalg.eigh(self.P)
        return np.where(values > _noise(self.P), values, 0.0), vectors

    def objective(self, x: ArrayLike) -> float:
        r"""Return :math:`f(x) = \frac12 x^\top Px + q^\top x`."""
        return float(super().objective(self._point(x)))

    def lagrangian(self, x: ArrayLike, lam: ArrayLike, nu: ArrayLike | None = None) -> float:
        r"""Return :math:`L(x, \lambda, \nu) = f(x) + \lambda^\top(Gx - h) + \nu^\top(Ax - b)`.

        Raises
        ------
        ValueError
            If a multiplier of an inequality is negative.
        """
        return float(super().lagrangian(self._point(x), *self._vectors(lam, nu)))

    def lagrangian_minimizer(self, lam: ArrayLike, nu: ArrayLike | None = None) -> Array | None:
        r"""Return the x of least norm that minimises L, :math:`-P^+(q + G^\top\lambda + A^\top\nu)`.

        None if L has no lower bound: the linear part leaves the range of P. If P is positive definite, x is
        the only minimiser, and with the dual optimum it is the primal optimum.
        """
        values, V = self._spectrum
        lam, nu = self._vectors(lam, nu)
        if (lam < 0).any():
            raise ValueError(f"lam must be >= 0, got {lam.min()}; only nu may be negative.")
        terms = abs(self.q) + lam @ abs(self.G) + abs(nu) @ abs(self.A)
        positive = values > 0
        linear = V.T @ (self.q + self.G.T @ lam + self.A.T @ nu)
        # the linear part is a sum that may cancel: its zero is relative to the terms
        if abs(linear[~positive]).max(initial=0.0) > 1e-10 * largest(terms):
            return None
        return -V[:, positive] @ (linear[positive] / values[positive])

    def dual_function(self, lam: ArrayLike, nu: ArrayLike | None = None) -> float:
        r"""Return :math:`d(\lambda, \nu) = \min_x L(x, \lambda, \nu)`, minus infinity where there is none.

        The minimum runs over the whole space, not over the feasible set.
        """
        return float(super().dual_function(lam, nu))

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
        rank = int((self._spectrum[0] > 0).sum())
        if rank < len(self.q):
            raise ValueError(
                f"P must be positive definite to eliminate x; it has rank {rank} of {len(self.q)}."
            )
        if not len(self.h) + len(self.b):
            raise ValueError("the program has no constraint, so that there is no dual variable.")
        return super().dual_program()

    def kkt(self, x: ArrayLike, lam: ArrayLike, nu: ArrayLike | None = None) -> reference.KKT:
        """Return the five KKT residuals at x and the multipliers; a negative lam is reported."""
        return super().kkt(self._point(x), *self._vectors(lam, nu))

    def _point(self, x: ArrayLike) -> Array:
        return check_vector(x, name="x", n=len(self.q))

    def _vectors(self, lam: ArrayLike, nu: ArrayLike | None) -> tuple[Array, Array]:
        lam, nu = _vector(lam, "lam"), _vector(nu, "nu")
        _same_length("lam", lam, "h", self.h)
        _same_length("nu", nu, "b", self.b)
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
    kkt : mlnotes.duality.KKT
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
    kkt: reference.KKT
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
    ValueError
        If the numbers are so large or uneven that they overflow in all units.

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
    run = minimise(arrays, tol, max_iter)
    iterations = len(run.history) - 1
    if run.status == "infeasible":
        raise InfeasibleError(run.lam, run.nu)
    if run.direction is not None:
        raise UnboundedError(run.direction, run.x)
    if run.status == "stopped":
        warnings.warn(
            f"solve_qp stopped after {iterations} iterations with the relative error {run.error:.2g} "
            f"(gap {run.relative_gap:.2g}), above tol={tol}.",
            ConvergenceWarning,
            stacklevel=2,
        )
    point = run.x, run.lam, run.nu
    dual = min(run.primal, run.dual)
    return QPSolution(
        *point,
        run.primal,
        dual,
        run.primal - dual,
        run.relative_gap,
        program.kkt(*point),
        iterations,
        np.array(run.history),
        run.status == "optimal",
    )


# ------------------------------------------------------------------- checks of this module's arguments


def _vector(v: ArrayLike | None, name: str) -> Array:
    """Return a vector; None and an empty list are the empty one."""
    return np.empty(0) if v is None or np.size(v) == 0 else check_vector(v, name=name)


def _noise(P: Array) -> float:
    """Return what rounding may leave of a zero eigenvalue: Gram matrices and eigh err so much."""
    return float(1e2 * len(P) * np.finfo(np.float64).eps * abs(P).max())


def _rows(M: ArrayLike | None, n: int, name: str) -> Array:
    """Return a matrix of n columns; None and an empty list are the one without rows."""
    matrix = np.empty((0, n)) if M is None or np.size(M) == 0 else check_matrix(M, name=name)
    if matrix.shape[1] != n:
        raise ValueError(f"{name} must have {n} columns, one a variable, got shape {matrix.shape}.")
    return matrix


def _same_length(name: str, given: Array, other_name: str, other: Array) -> None:
    if len(given) != len(other):
        raise ValueError(f"{name} has {len(given)} rows or entries, but {other_name} {len(other)}.")
