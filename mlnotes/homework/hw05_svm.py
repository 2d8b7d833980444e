"""Homework 5: support vector machines. Six questions, 20 points; five derivations, one method."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes.checking import at_most, equal, rounding, statement
from mlnotes.checking.outputs import OutputError, as_numbers, scalar
from mlnotes.claims import svm as claims
from mlnotes.claims import svm_machines
from mlnotes.claims.adapters.svm import SVC
from mlnotes.claims.instances import planes
from mlnotes.estimators.duality import QuadraticProgram, solve_qp
from mlnotes.homework import Assignment, part, variant
from mlnotes.svm import dual_objective

# ------------------------------------------------------------------- claims of this homework alone


@statement("homework", "lectures/09_svm.ipynb, section 5")
def squared_(squared, rng, *, n=3, d=2):
    r"""The dual function of $\min\frac12\lVert w\rVert^2 + \frac C2\sum_i\xi_i^2$ subject to $y_if(x_i) \ge 1
    - \xi_i$ is the minimum of the Lagrangian over $w$, $b$ and all real $\xi$, for multipliers with
    $\sum_i\alpha_iy_i = 0$."""
    # compare with the Lagrangian at its minimum: the lecture's dual is that of slacks, not of squares
    y = np.repeat([1, -1], n)
    X = rng.integers(-4, 5, (2 * n, d)) / 2.0
    for C in (0.5, 2.0, 3.0, 16.0, 32.0):  # some multipliers are above C, or none
        alpha = rng.integers(1, 5, 2 * n) / 4.0
        alpha[-1] += alpha[:n].sum() - alpha[n:].sum() + 4.0
        alpha[0] += 4.0
        v, slack = (y * alpha) @ X, alpha / C  # where the gradient vanishes
        least = 0.5 * v @ v + 0.5 * C * slack @ slack + alpha @ (1 - slack - y * (X @ v))
        w, b = rng.integers(-4, 5, d) / 4.0, float(rng.integers(-3, 4)) / 2
        primal = 0.5 * w @ w + 0.5 * C * (np.maximum(0, 1 - y * (X @ w + b)) ** 2).sum()
        found, error = scalar(squared(X, _codes(y), C, alpha)), rounding(100, 10 * (1 + abs(least)))
        yield equal("dual function", found, least, error, X=X, C=C)
        yield at_most("against a feasible point", found, primal, error)


def _codes(y):
    """Return signs as the labels 0 and 1 of this homework."""
    return (np.asarray(y) + 1) // 2


def _solved(program, X, y, C):
    """Return the solution of the student's program, (n,), and its value."""
    arrays = (np.asarray(part, dtype=np.float64) for part in program(X, _codes(y), C))
    try:
        solution = solve_qp(QuadraticProgram(*arrays))
    except ValueError as error:  # no convex program, or one without a solution
        why = str(error).partition(":")[0].rstrip(".")
        raise OutputError(f"your program has no solution: {why}") from None
    return np.asarray(solution.x, dtype=np.float64), float(solution.primal)


@statement("homework", "lectures/09_svm.ipynb, section 5")
def program_(program, rng, *, n=6, d=2):
    r"""The dual of the soft margin, as $\min\frac12a^\top Pa + q^\top a$ subject to $Ga \le h$ and $Aa = b$,
    has the negative of its value."""
    # compare the minimum with that of the dual: twice the objective has the same solution
    # the last example is beyond its margin: without the lower bound its multiplier is negative
    beyond = np.array([[-1.0], [1.0], [3.0]]), np.array([-1, 1, 1]), 2.0
    for X, y, C in (*((*planes.overlapping(rng, n=n, d=d), C) for C in (0.5, 2.0)), beyond):
        best, w, low, *_ = planes.enumerate_dual(X, y, C)
        moved = planes.Machine(X, y, C, w, low).room
        least = _solved(program, X, y, C)[1]
        yield equal(f"negative of the minimum, C = {C}", -least, best, moved, X=X, y=y)


@statement("homework", "lectures/09_svm.ipynb, section 5")
def misses_(misses):
    r"""For $C = \infty$ the second product of (4) is $|\xi_i|$: points at $-1$ and $1$ with $w = 1$, $b = 0$,
    $\alpha = (\frac12, \frac12)$ and $\xi = (\frac14, \frac12)$ miss it by $\frac12$."""
    given = np.ones(1), 0.0, np.full(2, 0.5), np.array([0.25, 0.5])
    values = misses(claims.PAIR, _codes(claims.PAIR_Y), math.inf, *given)
    yield equal("(4) at C = infinity", as_numbers(values, 5)[3], 0.5, rounding(8))


@statement("homework", "lectures/09_svm.ipynb, section 4")
def thin_(thin, rng, *, n=8, d=2):
    r"""The optimal multipliers of a hard margin in $\mathbb R^d$ can be exchanged for optimal ones of which
    at most $d + 1$ are positive."""
    # count, where all examples on the margin have multipliers: the lecture does not say how few will do
    # where any d + 1 examples are kept, they have negative multipliers almost surely only if d is large
    for more, features in ((0, d), (0, d + 1), (6, d + 18), (6, d + 18)):
        m = n + more
        rows, shares = rng.integers(-4, 5, (m, features - 1)), rng.permutation(m) + 1
        shares, away = shares / (2 * shares.sum()), rng.integers(1, 3, features - 1)
        beyond = np.array([[3.0] + [0.0] * (features - 1)])
        ones = np.hstack([np.ones((m, 1)), rows])
        others = [np.hstack([-np.ones((m, 1)), rows + side * away]) for side in (-1, 1)]  # of the same mean
        X = np.vstack([ones, *others, beyond, -beyond])
        y = np.repeat([1, -1, 1, -1], [m, 2 * m, 1, 1])
        alpha = np.concatenate([shares, shares / 2, shares / 2, [0.0, 0.0]])  # optimal: w = (1, 0, ...)
        order = rng.permutation(len(y))
        X, y, alpha = X[order][:, ::-1].copy(), y[order], alpha[order]
        few = as_numbers(thin(X, _codes(y), alpha), len(y))
        # each of at most 3m steps goes along a null vector of 3m entries, known to rounding
        slack = rounding(9 * m * m * (features + 1), 6)
        yield at_most("negative multipliers", -few, 0.0, slack, X=X, y=y)
        yield equal("sum of alpha y x, which must stay", (y * few) @ X, (y * alpha) @ X, slack, X=X, y=y)
        yield equal("sum of alpha y, which must stay", float(y @ few), 0.0, slack, X=X, y=y)
        off = float(abs(few[abs(X[:, -1]) > 2]).max())
        yield at_most("multipliers off the margin", off, 0.0, slack, X=X, y=y)
        count = int((few > 1e-9).sum())
        yield at_most("positive multipliers, of both classes together", count, features + 1, X=X, y=y)


# ------------------------------------------------------------------- how the claims of the lecture ask


class _HardMargin:
    """The classifier by the student's plane: the nearest points of the hulls are found here."""

    plane: Any

    def __init__(self, C): ...

    def fit(self, X, y):
        p, q = planes.nearest(X[y > 0], X[y < 0])
        self.w, self.intercept_ = self.plane(np.array(p, dtype=np.float64), np.array(q, dtype=np.float64))
        self.support_, self.dual_coef_ = np.arange(len(X)), np.full(len(X), math.nan)  # not asked for
        return self

    def normal_vector(self):
        return self.w


class _DualMachine:
    """The classifier by the student's program, which is solved here with its intercept."""

    program: Any

    def __init__(self, C):
        self.C = C

    def fit(self, X, y):
        alpha, _ = _solved(self.program, X, y, self.C)
        self.support_, self.dual_coef_ = np.arange(len(X)), y * alpha
        self.w = self.dual_coef_ @ X
        ends = y - X @ self.w  # at one of them the sum of the slacks is least
        slacks = np.maximum(0, 1 - y * (y - ends + ends[:, None])).sum(axis=1)
        self.intercept_ = ends[slacks.argmin()]
        return self

    def normal_vector(self):
        return self.w


class _Thinned(SVC):
    """The classifier with each example taken twice, with as few multipliers as the student leaves."""

    thin: Any

    def fit(self, X, y):
        super().fit(X, y)
        alpha = np.zeros(len(y))
        alpha[self.support_] = y[self.support_] * self.dual_coef_
        twice = np.vstack([X, X]), np.tile(_codes(y), 2), np.tile(alpha / 2, 2)
        thinned = np.asarray(self.thin(*twice)).reshape(2, -1).sum(axis=0)
        self.support_, self.dual_coef_ = np.arange(len(y)), y * thinned
        return self


def _kkt_residuals(misses, X, y, C, w, b, alpha, slack=None):
    if slack is None:
        slack = np.zeros(len(X)) if math.isinf(C) else np.maximum(0, 1 - y * (X @ w + b))
    values = misses(X, _codes(y), C, np.asarray(w), float(b), alpha, np.asarray(slack, dtype=float))
    names = ("primal_feasibility", "dual_feasibility", "equality", "complementarity", "stationarity")
    return dict(zip(names, np.asarray(values).tolist(), strict=True))


def _in_one_order(answer, *_):
    """Return a program with its inequalities sorted: their order is free."""
    P, q, G, h, A, b = answer
    order = np.lexsort(np.column_stack([h, G]).T)
    return P, q, G[order], h[order], A, b


# ------------------------------------------------------------------- the questions


@part(3, claims.unique, claims.maxmargin, claims.reformulation, adapt={"SVC": _HardMargin})
def plane(p, q):
    """**Derive.** Somebody has found the nearest points $p$ (class 1) and $q$ (class 0) of the two convex
    hulls. Which $(w, b)$ solves the hard-margin problem (2.1)? (Sections 1 and 2; check that $f(p) = 1$.)

    Return the pair (w, b).

    p (d,)
    q (d,): not equal to p
    returns (d,): w
    returns: b
    """


@part(4, squared_)
def squared(X, labels, C, alpha):
    r"""**Derive.** Square the slacks: $\min\frac12\lVert w\rVert^2 + \frac C2\sum_i\xi_i^2$ subject to
    $y_if(x_i) \ge 1 - \xi_i$ (no sign constraint is needed. Why?). Follow section 5: Lagrangian, stationarity
    in $w$, $b$ and $\xi$, substitution. What is the dual function for $\alpha \ge 0$ with $\sum_i\alpha_iy_i
    = 0$? (Is there still a box?)

    Return the dual function at balanced multipliers.

    X (n, d): one row a point
    labels (n,) int in [0, 1]: 0 stands for y = -1, 1 for y = 1
    C >= 0: > 0
    alpha (n,) >= 0
    returns or infinite: value of the dual function
    """


@part(4, claims.soft_dual, program_, adapt={"SVC": _DualMachine}, canonical={"program": _in_one_order})
def program(X, labels, C):
    r"""**Derive.** Solvers want a standard form. Write the dual (5.5) of the soft margin as
    $\min\frac12a^\top Pa + q^\top a$ subject to $Ga \le h$ and $Aa = b$, where $a$ is $\alpha$ (not
    $\alpha_iy_i$) and each row of $A$ is one equation. We hand your six arrays to the solver of lecture 8.
    Mind the signs: (5.5) is a maximum.

    Return P, q, G, h, A, b.

    X (n, d): one row a point
    labels (n,) int in [0, 1]: 0 stands for y = -1, 1 for y = 1
    C >= 0: > 0
    returns (n, n): P
    returns (n,): q
    returns (m, n): G
    returns (m,): h
    returns (k, n): A
    returns (k,): b
    """


@part(3, replace(claims.kkt, section="5"), misses_, adapt={"kkt_residuals": _kkt_residuals})
def misses(X, labels, C, w, b, alpha, slack):
    r"""**Derive.** A referee for solutions. Return by how much a point misses each condition of sections 4
    and 5, in this order: (1) $\max(0, \max_i(1 - \xi_i - m_i), \max_i(-\xi_i))$; (2) the same for $0 \le
    \alpha_i \le C$; (3) $|\sum_i\alpha_iy_i|$; (4) the largest of all $|\alpha_i(1 - \xi_i - m_i)|$ and $|(C
    - \alpha_i)\xi_i|$; (5) $\max_j|w - \sum_i\alpha_iy_ix_i|_j$. For $C = \infty$ (`math.inf`) read the
    second product of (4) as $|\xi_i|$.

    Return the five misses.

    X (n, d): one row a point
    labels (n,) int in [0, 1]: 0 stands for y = -1, 1 for y = 1
    C >= 0 or infinite: > 0, may be infinite
    w (d,)
    b
    alpha, slack (n,)
    returns (5,): the five misses
    """


@part(
    2,
    svm_machines.recover,
    adapt={"intercept_interval": lambda offsets, alpha, y, K, C: offsets(alpha, _codes(y), K, C)},
)
def offsets(alpha, labels, K, C):
    """**Derive.** Given optimal multipliers of the soft margin and the Gram matrix, return the ends of the
    interval of all optimal offsets (section 6.1). With a free support vector both ends agree.

    Return the pair (low, high); multipliers at a bound equal it exactly.

    alpha (n,)
    labels (n,) int in [0, 1]: 0 stands for y = -1, 1 for y = 1
    K (n, n)
    C >= 0: > 0
    returns: low
    returns: high
    """


@part(
    4,
    thin_,
    replace(claims.span, section="4"),
    claims.hard_dual,
    adapt={"SVC": _Thinned},
    given={"dual_objective": dual_objective},
)
def thin(X, labels, alpha):
    """**Build.** A solver returns optimal multipliers of the hard margin (2.1), and hundreds of them are
    positive: many examples lie on the margin. Return optimal ones of which at most $d + 1$ are positive.
    (Which sums must stay as they are, so that all conditions of section 4 still hold? Each example adds a
    vector of $d + 1$ numbers to them. What do more than $d + 1$ such vectors have? How far can you go along
    it, and when is the last time?)

    Return the multipliers; what is below 1e-9 counts as 0.

    X (n, d): one row a point
    labels (n,) int in [0, 1]: 0 stands for y = -1, 1 for y = 1
    alpha (n,) >= 0: optimal
    returns (n,): optimal, few of them positive
    """


# ------------------------------------------------------------------- the same questions in other conventions


@variant("squared", (r"\frac C2\sum_i\xi_i^2", r"C\sum_i\xi_i^2"))
def _without_half(squared, X, labels, C, alpha):
    return squared(X, labels, C / 2, alpha)


@variant(
    "thin",
    (
        "of the hard margin (2.1)",
        r"of a hard margin *without an offset*, $\min\frac12\lVert w\rVert^2$ subject to $y_i\langle w, "
        r"x_i\rangle \ge 1$",
    ),
    ("at most $d + 1$", "at most $d$"),
)
def _without_offset(thin, X, labels, alpha):
    return thin(np.column_stack([X, np.ones(len(X))]), labels, alpha)


@variant(
    "program",
    (
        r"$\min\frac12a^\top Pa + q^\top a$ subject to $Ga \le h$",
        r"$\max q^\top a - \frac12a^\top Pa$ subject to $Ga \ge h$",
    ),
    ("Mind the signs: (5.5) is a maximum.", "Mind the signs of the inequalities."),
)
def _as_maximum(program, *given):
    P, q, G, h, A, b = map(np.asarray, program(*given))
    return P, -q, -G, -h, A, b


@variant("offsets", ("", r"Here the score is $f(x) = \langle w, x\rangle - b$: offsets are *subtracted*."))
def _subtracted(offsets, *given):
    low, high = offsets(*given)
    return -high, -low


@variant(
    "plane",
    (
        "the hard-margin problem (2.1)",
        r"$\min\frac12\lVert w\rVert^2$ subject to $f(x) \ge 1$ in class 1 and $f(x) \le 0$ in class 0",
    ),
)
def _between_levels(plane, p, q):
    w, b = plane(p, q)
    return 2 * np.asarray(w), 2 * float(b) - 1


@variant("offsets", ("the Gram matrix", r"the matrix $Q_{ij} = y_iy_j\langle x_i, x_j\rangle$ of the dual"))
def _from_signed_products(offsets, alpha, labels, K, C):
    """alpha, labels
    Q (n, n)
    C
    """
    signs = 2 * np.asarray(labels) - 1
    return offsets(alpha, labels, np.asarray(K) * signs * signs[:, None], C)


assignment = Assignment(
    id="hw05",
    title="Support vector machines",
    lecture="lectures/09_svm.ipynb",
    variants=(
        (_without_half, _without_offset),
        (_as_maximum, _subtracted),
        _between_levels,
        _from_signed_products,
    ),
    intro=r"You need NumPy and lecture 9, nothing else. Mind the convention of this homework: labels come "
    r"as 0 and 1; a formula with $y_i = \pm1$ needs twice the label minus 1. Five questions ask for a "
    r"formula or a problem, written as code; the last asks for a method. Formulas are compared up to "
    r"rounding (float64), what your `program` gives to the accuracy of our solver.",
    parts=(plane, squared, program, misses, offsets, thin),
)
