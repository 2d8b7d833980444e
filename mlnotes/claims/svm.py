"""The statements on support vector machines as executable claims, in the order of the lecture.

The truth is computed here: hulls of plane points by pairs of points and segments, duals of five rows by
running through all sets of multipliers at 0, between and at C in exact fractions, gaps from the multipliers,
the normal vector and the offset alone. Data are small integers.

One accuracy is asked of a machine: a gap g of at most `GAP` = 1e-8 of the optimal value, with multipliers
that keep the box and the equality to `GAP` of their sum. In the hard margin the gap is that of the plane
stretched until its smallest y f(x) is 1, and w is the stretched normal vector or the sum of alpha y x. Every
tolerance is what this permits, with v the sum of alpha y x and R the length of the longest row:

* the primal is |w|^2/2 plus a convex function and the dual minus |v|^2/2 plus a concave one, so that w and v
  are within sqrt(2 g) of w*; in the hard margin that is sqrt(GAP) |w*|, since the optimum is |w*|^2/2;
* the gap is the sum of |w - v|^2/2, alpha_i (m_i - 1 + slack_i) and (C - alpha_i) slack_i (lecture, (5.7)),
  none of them negative, hence none above g;
* the dual value and these products move by at most the misses of the box and the equality, times |b| plus
  the sum of |1 - m_i|;
* outside the interval of optimal offsets the primal grows by at least C for a unit of b; in the hard margin
  an offset is held by a row of each class, to R |w - w*|.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mlnotes.claims.core import (
    Evidence,
    as_numbers,
    at_least,
    at_most,
    claim,
    equal,
    erratum,
    refuses,
    rounding,
    scalar,
    typographical,
)
from mlnotes.datasets import load_breast_cancer

Checks = Iterator[Evidence]
GAP = 1e-8
PLAY = 3 * math.sqrt(GAP)  # hard margin: of w and of the smallest y f(x), relative, with the terms in GAP
INF = math.inf

PAIR, PAIR_Y = np.array([[-1.0], [1.0]]), np.array([-1, 1])
SQUARE = np.array([[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 2.0]])
_FOUR, _FOUR_Y = np.array([[-2.0], [1.0], [-1.0], [2.0]]), np.array([-1, -1, 1, 1])
SIDES, XOR = np.array([-1, -1, 1, 1]), np.array([-1, 1, 1, -1])


# ------------------------------------------------------------------- instances and the truth about them


def _separable(rng, n=12):
    """Return integer points of the plane, n/2 a class, with a gap of at least 2 along a random direction."""
    normal = np.array([(3, 1), (1, 3), (-2, 3), (3, -1)][rng.integers(4)])
    X = rng.integers(-6, 7, (400, 2))
    side = X @ normal
    low, high = X[side <= -5][: n // 2], X[side >= 5][: n // 2]
    order = rng.permutation(n)
    return np.vstack([low, high])[order].astype(float), np.repeat([-1, 1], n // 2)[order]


def _overlapping(rng, n=24, d=2):
    """Return integer rows in d dimensions whose classes overlap: a row of each stands deep in the other."""
    y = np.where(np.arange(n) % 2, 1, -1)
    X = rng.integers(-4, 5, (n, d)) + np.outer(y, np.eye(d, dtype=int)[0])
    X[0], X[1] = 5 * np.eye(d, dtype=int)[0], -5 * np.eye(d, dtype=int)[0]
    X[-1, 0] += 0 if (y @ X).any() else 1  # classes of equal means and sizes would have w = 0 as a solution
    return X.astype(float), y


def _nearest(P, Q):
    """Return the nearest points of the hulls of two sets in the plane that do not meet."""
    best = (INF, None, None)
    for A, B, swapped in ((P, Q, False), (Q, P, True)):
        for a, (i, j) in itertools.product(A, itertools.combinations_with_replacement(range(len(B)), 2)):
            edge = B[j] - B[i]
            share = float(np.clip((a - B[i]) @ edge / max(edge @ edge, 1e-300), 0, 1))
            foot = B[i] + share * edge
            distance = float(np.linalg.norm(a - foot))
            if distance < best[0]:
                best = (distance, *((foot, a) if swapped else (a, foot)))
    return best


def _widest(X, y):
    """Return w, b and the margin of the hard margin in the plane, from the nearest points of the hulls."""
    distance, p, q = _nearest(X[y > 0], X[y < 0])
    w = 2 * (p - q) / distance**2
    return w, float(-w @ (p + q) / 2), distance / 2


def _solve_exactly(A, r):
    """Return the solution of a regular linear system in fractions, None for a singular one."""
    M = [[*row, value] for row, value in zip(A, r, strict=True)]
    for k in range(len(M)):
        pivot = next((i for i in range(k, len(M)) if M[i][k] != 0), None)
        if pivot is None:
            return None
        M[k], M[pivot] = M[pivot], M[k]
        M[k] = [value / M[k][k] for value in M[k]]
        for i in range(len(M)):
            if i != k and M[i][k] != 0:
                M[i] = [a - M[i][k] * b for a, b in zip(M[i], M[k], strict=True)]
    return [row[-1] for row in M]


def enumerate_dual(X, y, C):
    """Return (value, w, low, high, alpha) of the C-SVM on a few integer rows, exactly but for the last step.

    Every row is at 0, free or at C. Some optimal multipliers have a regular system on the free rows (a
    vertex of the set of optima), so the first assignment that meets all conditions of optimality is the
    answer.
    """
    X, y, C = [[Fraction(int(v)) for v in row] for row in X], [int(v) for v in y], Fraction(C)
    n = len(y)
    K = [[sum(a * b for a, b in zip(u, v, strict=True)) for v in X] for u in X]
    for states in itertools.product((0, 1, 2), repeat=n):
        free = [i for i in range(n) if states[i] == 1]
        if len(free) > len(X[0]) + 1:  # more rows than the rank of the system
            continue
        beta = [C * y[i] if states[i] == 2 else Fraction(0) for i in range(n)]
        rest = [y[i] - sum(K[i][j] * beta[j] for j in range(n)) for i in free]
        border = [[*(K[i][j] for j in free), Fraction(1)] for i in free] + [
            [Fraction(1)] * len(free) + [Fraction(0)]
        ]
        if free:
            found = _solve_exactly(border, [*rest, -sum(beta)])
            if found is None:
                continue
            for i, value in zip(free, found, strict=False):
                beta[i] = value
        if sum(beta) != 0 or any(not 0 <= y[i] * beta[i] <= C for i in range(n)):
            continue
        r = [y[i] - sum(K[i][j] * beta[j] for j in range(n)) for i in range(n)]
        grows = [r[i] for i in range(n) if (y[i] * beta[i] < C if y[i] > 0 else y[i] * beta[i] > 0)]
        shrinks = [r[i] for i in range(n) if (y[i] * beta[i] > 0 if y[i] > 0 else y[i] * beta[i] < C)]
        low, high = max(grows), min(shrinks)
        if low <= high:
            w = [sum(beta[i] * X[i][k] for i in range(n)) for k in range(len(X[0]))]
            value = sum(y[i] * beta[i] for i in range(n)) - sum(v * v for v in w) / 2
            alpha = np.array([y[i] * float(beta[i]) for i in range(n)])
            return float(value), np.array([float(v) for v in w]), float(low), float(high), alpha
    raise RuntimeError("no assignment is optimal")


def _fit(SVC, X, y, C, **options):
    """Return a fitted machine, silently."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return SVC(C, **{"kernel": "linear", **options}).fit(X, y)


def _read(model, X, y):
    """Return w, b and alpha of a linear machine, NaN where it does not say."""
    w = as_numbers(getattr(model, "coef_", None), 1, X.shape[1])[0]
    b = as_numbers(getattr(model, "intercept_", None), 1)[0]
    return w, b, _multipliers(model, y)


def _multipliers(model, y):
    support = np.asarray(getattr(model, "support_", None))
    if (
        support.ndim != 1
        or support.dtype.kind not in "iu"
        or (support >= len(y)).any()
        or (support < 0).any()
    ):
        return np.full(len(y), math.nan)
    alpha = np.zeros(len(y))
    alpha[support] = y[support] * as_numbers(getattr(model, "dual_coef_", None), 1, len(support))[0]
    return alpha


def _primal(X, y, w, b, C):
    return 0.5 * w @ w + C * np.maximum(0, 1 - y * (X @ w + b)).sum()


def _dual(X, y, alpha):
    v = (y * alpha) @ X
    return alpha.sum() - 0.5 * v @ v


def _relative_gap(X, y, C, w, b, alpha):
    """Return the gap over the primal value, with the miss of the equality and of the box."""
    primal = _primal(X, y, w, b, C)
    outside = max(float((-alpha).max()), float((alpha - C).max()), abs(float(y @ alpha)))
    return (primal - _dual(X, y, alpha)) / primal, outside / max(alpha.sum(), 1.0)


def _moved(X, y, w, b, total, value):
    """Return what g and multipliers of this sum may change in the dual value, or leave in a product."""
    return GAP * (value + total * (abs(b) + abs(1 - y * (X @ w + b)).sum()))


def _reach(X):
    return float(np.linalg.norm(X, axis=1).max())


def _hard_play(X, w, b):
    """Return what g leaves open of the coordinates of (w, b), shape (d + 1,), in the hard margin."""
    length = float(np.linalg.norm(w))
    return PLAY * np.append(np.full(len(w), length), length * _reach(X) + abs(b))


def _soft_play(X, w, C, value):
    """Return what g leaves open of w and of the distance of b from its interval."""
    g, root = GAP * value, math.sqrt(2 * GAP * value)
    return root, (g + root * np.linalg.norm(w)) / C + root * np.linalg.norm(X, axis=1).sum()


# ------------------------------------------------------------------- 1 The widest strip


@claim(
    "svm.maxmargin",
    kind="definition",
    section="1",
    sources=("Yan, max-margin",),
    statement=r"For separable data with both classes present, $\max M$ subject to $\lVert\beta\rVert = 1$ "
    r"and $y_i(\langle\beta, x_i\rangle + \beta_0) \ge M$ has the value of half the distance between the "
    r"convex hulls of the classes. No direction has a wider strip.",
)
def maxmargin(SVC, rng) -> Checks:
    X, y = _separable(rng)
    w, b, _ = _read(_fit(SVC, X, y, INF), X, y)
    margins = y * (X @ w + b) / np.linalg.norm(w)
    M = _widest(X, y)[2]  # the primal value is 1/(2 M^2)
    yield equal("smallest distance to the plane", margins.min(), M, GAP * M, X=X, y=y)
    angles = np.linspace(0, 2 * math.pi, 3601)
    along = X @ np.array([np.cos(angles), np.sin(angles)])
    strips = 0.5 * (along[y > 0].min(axis=0) - along[y < 0].max(axis=0))
    yield at_least("over the widest of 3,601 directions", margins.min(), float(strips.max()), GAP * M)


@claim(
    "svm.distance",
    kind="formula",
    section="1",
    sources=("Yan, max-margin", "Wainwright, after eq. (2.25)"),
    statement=r"The distance of $x$ to $\{z : \langle\beta, z\rangle + \beta_0 = 0\}$ is $|\langle\beta, "
    r"x\rangle + \beta_0| / \lVert\beta\rVert$; the offset is not part of the norm.",
)
def distance(hyperplane_distance, rng) -> Checks:
    X = np.vstack([[[3, 4]], rng.integers(-9, 10, (30, 2))])
    for w, length in (((3, 4), 5), ((5, -12), 13), ((8, 15), 17)):
        b = 12 if length == 5 else int(rng.choice([-7, -2, 5]))
        exact = np.array([float(Fraction(abs(int(x @ w) + b), length)) for x in X])
        found = as_numbers(hyperplane_distance(X.astype(float), np.array(w, float), float(b)), 31)
        yield equal(f"distances, normal {w}", found, exact, rounding(4, 300 / length), X=X, w=w, b=b)
        feet = X - np.outer((X @ w + b) / length**2, w)
        yield equal(
            f"distances of the feet, normal {w}", np.linalg.norm(X - feet, axis=1), exact, rounding(8, 40)
        )


@claim(
    "svm.unique",
    kind="claim",
    section="1",
    sources=("Yan, max-margin",),
    statement=r"On separable data with both classes present the solution is unique: $\beta = 2(p - "
    r"q)/\lVert p - q\rVert^2$ for the nearest points $p, q$ of the two hulls, whatever the order or the "
    r"repetition of the rows.",
)
def unique(SVC, rng) -> Checks:
    X, y = _separable(rng)
    truth, offset, _ = _widest(X, y)
    play = _hard_play(X, truth, offset)
    twice = np.tile(rng.permutation(12), 2)
    for name, rows in (("in order", np.arange(12)), ("shuffled and repeated", twice)):
        w, b, _ = _read(_fit(SVC, X[rows], y[rows], INF), X[rows], y[rows])
        what = f"normal vector and offset, rows {name}"
        yield equal(what, np.append(w, b), np.append(truth, offset), play, X=X[rows], y=y[rows])


@claim(
    "svm.margin",
    kind="definition",
    section="1",
    sources=("Yan, max-margin", "Shi, max margin"),
    statement="The margin of a class is the distance of its closest row to the plane, counted negative if "
    "that row is on the wrong side. At the optimum of the hard margin both classes have the same.",
    given=("SVC",),
)
def margin(class_margins, SVC, rng) -> Checks:
    X, y = _separable(rng)
    w, b = np.array([3.0, 4.0]), float(rng.choice([-50, 50]))  # one class is on the wrong side
    value = y * (X @ w + b)
    found = as_numbers(class_margins(X, y, w, b), 2)
    yield equal(
        "margins of a plane", found, np.array([value[y < 0].min(), value[y > 0].min()]) / 5, rounding(4, 40)
    )
    best, offset, _ = _read(_fit(SVC, X, y, INF), X, y)
    found, M = as_numbers(class_margins(X, y, best, offset), 2), _widest(X, y)[2]
    yield equal(
        "margins at the optimum", found, M, GAP * M
    )  # both at least M less that, their sum at most 2 M


@claim(
    "svm.nonconvex",
    kind="claim",
    section="1",
    sources=("Yan, reformulation",),
    statement=r"The problem with $\lVert\beta\rVert = 1$ is not convex: the midpoint of two different "
    r"feasible unit vectors is shorter than 1.",
)
def nonconvex(rng) -> Checks:
    X, y = _separable(rng)
    w = _widest(X, y)[0]
    turn = math.atan2(w[1], w[0])
    units = np.array([[math.cos(turn + e), math.sin(turn + e)] for e in (-0.02, 0.02)])
    strips = [(X @ u)[y > 0].min() - (X @ u)[y < 0].max() for u in units]
    yield at_least("strips of two unit vectors", np.array(strips), 1e-3)
    yield at_most("length of their midpoint", float(np.linalg.norm(units.mean(axis=0))), 1 - 1e-4)


# ------------------------------------------------------------------- 2 A convex problem


@claim(
    "svm.reformulation",
    kind="theorem",
    section="2",
    sources=("Yan, reformulation",),
    statement=r"If $M^\star > 0$, then $\min\lVert\beta\rVert^2$ subject to $y_i(\langle\beta, x_i\rangle + "
    r"\beta_0) \ge 1$ is solved by $(\beta, \beta_0)$ iff $(\beta, \beta_0)/\lVert\beta\rVert$ solves the "
    r"max-margin problem, and $M^\star = 1/\lVert\beta\rVert$.",
)
def reformulation(SVC, rng) -> Checks:
    X, y = _separable(rng)
    w, b, _ = _read(_fit(SVC, X, y, INF), X, y)
    truth, offset, M = _widest(X, y)
    yield equal("M", 1 / np.linalg.norm(w), M, PLAY * M, X=X, y=y)
    yield at_least("y f(x)", (y * (X @ w + b)).min(), 1.0, PLAY)
    yield equal("unit normal", w / np.linalg.norm(w), M * truth, PLAY)
    yield equal(
        "offset over the norm", b / np.linalg.norm(w), M * offset, PLAY * (_reach(X) + M * abs(offset))
    )


@claim(
    "svm.hard-primal",
    kind="definition",
    section="2",
    sources=("Yan, SVMs for separable data",),
    statement=r"$\min\frac12\lVert\beta\rVert^2$ subject to $y_i(\langle\beta, x_i\rangle + \beta_0) \ge 1$ "
    r"has a feasible point iff the data are separable. Without one the fit is refused: no vector is "
    r"returned.",
)
def hard_primal(SVC, rng) -> Checks:
    X, y = _separable(rng)
    yield equal("separable data refused", refuses(_fit, SVC, X, y, INF), False)
    yield equal("the four corners, labels by diagonal, refused", refuses(_fit, SVC, SQUARE, XOR, INF), True)
    middle = np.vstack([X, X[y > 0].mean(axis=0)])  # a row of class -1 in the hull of class 1
    yield equal("a row in the other hull refused", refuses(_fit, SVC, middle, np.append(y, -1), INF), True)


@claim(
    "svm.margin-inverse-norm",
    kind="formula",
    section="2",
    sources=("Shi, primal", "Yan, reformulation"),
    statement=r"At the hard-margin optimum the margin is $\gamma = 1/\lVert w\rVert$, half the width of the "
    r"strip.",
)
def margin_inverse_norm(SVC, rng) -> Checks:
    X, y = _separable(rng)
    w, b, _ = _read(_fit(SVC, X, y, INF), X, y)
    distances = y * (X @ w + b) / np.linalg.norm(w)
    both = np.array([distances[y < 0].min(), distances[y > 0].min()])
    gamma = 1 / np.linalg.norm(w)
    yield equal("margins of both classes", both, gamma, PLAY * gamma, X=X, y=y)


# ------------------------------------------------------------------- 3 The dual


@claim(
    "svm.hard-dual",
    kind="homework",
    section="3",
    sources=("Yan, back to SVMs",),
    statement=r"The dual of the hard margin is $\max\sum_i\alpha_i - "
    r"\frac12\sum_{ij}\alpha_i\alpha_jy_iy_j\langle x_i, x_j\rangle$ subject to $\sum_i\alpha_iy_i = 0, "
    r"\alpha_i \ge 0$. Every feasible $\alpha$ bounds the primal from below, and at the optimum "
    r"$\sum_i\alpha_i = \lVert\beta\rVert^2$.",
)
def hard_dual(dual_objective, SVC, rng) -> Checks:
    X, y = _separable(rng)
    truth, offset, M = _widest(X, y)
    K, best = X @ X.T, 0.5 / M**2
    trials = rng.integers(0, 5, (20, 12)).astype(float)
    for alpha in trials:  # both classes get the same sum
        alpha[y > 0] *= alpha[y < 0].sum() / max(alpha[y > 0].sum(), 1.0)
        alpha *= 1e-3 if alpha[y > 0].sum() else 0.0
        alpha[y < 0] *= bool(alpha[y > 0].sum())
    values = np.array([scalar(dual_objective(alpha, y, K)) for alpha in trials])
    yield equal("dual values", values, np.array([_dual(X, y, a) for a in trials]), rounding(300, 10.0))
    yield at_most("against the primal optimum", values, best, rounding(300, best))
    alpha = _read(_fit(SVC, X, y, INF), X, y)[2]
    misses = max(float((-alpha).max()), abs(float(y @ alpha)))
    yield at_most("misses of feasibility", misses, 0.0, GAP * 2 * best)
    value, play = scalar(dual_objective(alpha, y, K)), _moved(X, y, truth, offset, 2 * best, best)
    yield equal("dual value at the machine's multipliers", value, best, play, X=X, y=y)
    yield equal("sum of the multipliers", alpha.sum(), 2 * best, PLAY * 2 * best)


@claim(
    "svm.slater",
    kind="claim",
    section="3",
    sources=("Yan, back to SVMs",),
    statement=r"Slater's condition holds on separable data: $2(\beta, \beta_0)$ satisfies every constraint "
    r"strictly, with $y_if(x_i) \ge 2$. The constraints are affine, so feasibility alone would do.",
)
def slater(SVC, rng) -> Checks:
    X, y = _separable(rng)
    w, b, _ = _read(_fit(SVC, X, y, INF), X, y)
    yield at_least("y f(x) of the doubled machine", y * (X @ (2 * w) + 2 * b), 2.0, 2 * PLAY, X=X, y=y)


@claim(
    "svm.strong-duality",
    kind="claim",
    section="3",
    sources=("Shi, duality",),
    statement="Strong duality holds: primal and dual value agree, here to a relative gap of $10^{-8}$, for "
    "prices from $10^{-3}$ to $10^6$ and on raw measurements of 569 tumours, whose features differ in scale "
    "by 20,000.",
)
def strong_duality(SVC, rng) -> Checks:
    gaps, misses = [], []
    X, y = _overlapping(rng)
    raw, signs = load_breast_cancer(), 2 * np.asarray(load_breast_cancer().y) - 1
    cases = [(X, y, C) for C in (1e-3, 1.0, 1e3, 1e6)] + [(raw.X, signs, C) for C in (1e-3, 1.0, 1e6)]
    for rows, labels, C in cases:
        gap, miss = _relative_gap(rows, labels, C, *_read(_fit(SVC, rows, labels, C), rows, labels))
        gaps.append(gap)
        misses.append(miss)
    yield at_most("relative gaps", np.array(gaps), GAP, X=X, y=y)
    yield at_most("misses of the box and the equality over the sum of multipliers", np.array(misses), GAP)


# ------------------------------------------------------------------- 4 Optimality


@claim(
    "svm.kkt",
    kind="theorem",
    section="4",
    sources=("Yan, checking KKT conditions", "Shi, eqs. (3)-(7)"),
    statement=r"$(w, b, \alpha)$ is optimal iff five conditions hold: primal and dual feasibility, "
    r"$\sum_i\alpha_iy_i = 0$, complementarity, and $w = \sum_i\alpha_iy_ix_i$. All residuals are 0 at the "
    r"optimum, and each of them shows a point that breaks it.",
)
def kkt(kkt_residuals, rng) -> Checks:
    # two rows at -1 and 1: with C = 1 the optimum is w = 1, b = 0, alpha = (1/2, 1/2)
    names = ("primal_feasibility", "dual_feasibility", "equality", "complementarity", "stationarity")

    def misses(w, b, alpha, slack=None, C=1.0):
        found = kkt_residuals(PAIR, PAIR_Y, C, np.array([w]), b, np.array(alpha), slack)
        return as_numbers([scalar(found.get(name)) for name in names], 5)

    yield equal("at the optimum", misses(1.0, 0.0, [0.5, 0.5]), np.zeros(5), rounding(8))
    for C, w, b, alpha, slack, expected in (
        (1.0, 1.0, 0.0, [0.5, 0.5], [-0.5, 0.0], (0.5, 0, 0, 0.25, 0)),
        (1.0, 3.0, 0.0, [0.5, 0.5], [-0.5, 0.0], (0.5, 0, 0, 1.0, 2.0)),
        (1.0, 1.0, 0.0, [1.5, -0.5], None, (0, 0.5, 2.0, 0, 0)),
        (1.0, 1.0, 1.0, [0.0, 0.5], [1.0, 0.0], (0, 0, 0.5, 1.0, 0.5)),
        (1.0, 3.0, 0.0, [0.5, 0.5], None, (0, 0, 0, 1.0, 2.0)),
        (INF, 0.5, 0.0, [0.25, 0.25], None, (0.5, 0, 0, 0.125, 0)),
        (INF, 1.0, 0.0, [0.5, 0.5], [0.25, 0.5], (0, 0, 0, 0.5, 0)),  # the product with alpha is 1/4
    ):
        found = misses(w, b, alpha, slack, C)
        yield equal(
            f"w = {w}, b = {b}, alpha = {alpha}", found, np.array(expected), rounding(8, 4), slack=slack
        )
    X, y = _overlapping(rng, n=5)
    w, b, alpha = rng.integers(-3, 4, 2) / 2, 0.5, rng.integers(0, 5, 5) / 4
    found = kkt_residuals(X, y, 1.0, w, b, alpha)
    truth = (abs(float(y @ alpha)), abs(w - (y * alpha) @ X).max())
    seen = np.array([scalar(found.get("equality")), scalar(found.get("stationarity"))])
    yield equal("equality and stationarity of a random point", seen, np.array(truth), rounding(20, 40), X=X)


@claim(
    "svm.support-vectors",
    kind="definition",
    section="4",
    sources=("Yan, implications", "Shi, support vectors"),
    statement=r"In the hard margin $y_if(x_i) > 1$ implies $\alpha_i = 0$, and $\alpha_i > 0$ implies "
    r"$y_if(x_i) = 1$. The converse is false: on the corners of a square, labelled by side, all four rows "
    r"have $y_if(x_i) = 1$, and $\alpha = (\frac12, 0, \frac12, 0)$ is optimal.",
)
def support_vectors(SVC, rng) -> Checks:
    X, y = _separable(rng)
    w, b, alpha = _read(_fit(SVC, X, y, INF), X, y)
    margins = y * (X @ w + b)
    yield equal("smallest y f(x)", margins.min(), 1.0, PLAY, X=X, y=y)
    yield from _off_the_margin(X, y, alpha)
    some = np.array([0.5, 0.0, 0.5, 0.0])
    v, offset, _ = _read(_fit(SVC, SQUARE, SIDES, INF), SQUARE, SIDES)
    play = PLAY * (_reach(SQUARE) + 1)
    yield equal("y f(x) on the square", SIDES * (SQUARE @ v + offset), 1.0, play)
    yield equal("normal from (1/2, 0, 1/2, 0)", (SIDES * some) @ SQUARE, v, PLAY)


def _off_the_margin(X, y, alpha) -> Checks:
    """Yield the products alpha_i (m_i - 1) at the true plane, which add up to what alpha lacks."""
    w, b, M = _widest(X, y)
    best = 0.5 / M**2
    products = alpha * (y * (X @ w + b) - 1)
    yield equal("multiplier times y f(x) - 1", products, 0.0, _moved(X, y, w, b, 2 * best, best), X=X, y=y)


@claim(
    "svm.span",
    kind="claim",
    section="4",
    sources=("Yan, implications",),
    statement=r"$\beta$ is a combination of the support vectors, and a fit to them alone gives the same "
    r"machine.",
)
def span(SVC, rng) -> Checks:
    X, y = _separable(rng)
    model = _fit(SVC, X, y, INF)
    w, b, alpha = _read(model, X, y)
    truth, offset, _ = _widest(X, y)
    play = _hard_play(X, truth, offset)
    yield equal("sum of the support vectors", (y * alpha) @ X, w, play[:2], X=X, y=y)
    yield from _off_the_margin(X, y, alpha)
    kept = alpha > 0
    again = (np.full(2, math.nan), math.nan)
    if len(set(y[kept])) == 2:
        again = _read(_fit(SVC, X[kept], y[kept], INF), X[kept], y[kept])
    # the optimum of the support vectors is within sqrt(2 g) of that of all rows, and each fit of its own
    yield equal("the fit to them", np.append(again[0], again[1]), np.append(w, b), 3 * play)


# ------------------------------------------------------------------- 5 Slack


@claim(
    "svm.soft-primal",
    kind="definition",
    section="5",
    sources=("Yan, accommodating non-separable data", "Shi, primal"),
    statement=r"$\min\frac12\lVert\beta\rVert^2 + C\sum_i\xi_i$ with $y_if(x_i) \ge 1 - \xi_i, \xi_i \ge 0$ "
    r"always has a feasible point; the best slacks of a plane are $\max(0, 1 - y_if(x_i))$. $\beta_0$ is "
    r"not penalised.",
)
def soft_primal(primal_objective, hinge_loss, SVC, rng) -> Checks:
    X, y = _overlapping(rng)
    w, b, C = rng.integers(-4, 5, 2) / 4 + 0.125, 2.0, 3.0
    slack = np.maximum(0, 1 - y * (X @ w + b))
    yield equal("slacks", as_numbers(hinge_loss(X, y, w, b), 24), slack, rounding(4, 20), X=X, w=w)
    found = scalar(primal_objective(X, y, w, b, C))
    yield equal("objective", found, 0.5 * w @ w + C * slack.sum(), rounding(60, 1500))
    best, offset, _ = _read(_fit(SVC, X, y, C), X, y)
    at_best = _primal(X, y, best, offset, C)
    steps = rng.normal(0, 0.05, (200, 3))
    around = np.array([_primal(X, y, best + step[:2], offset + step[2], C) for step in steps])
    yield at_most("value of the machine against 200 neighbours", at_best, float(around.min()), GAP * at_best)


@claim(
    "svm.lagrangian",
    kind="formula",
    section="5",
    sources=("Shi, Lagrangian function",),
    statement=r"$L = \frac12\lVert w\rVert^2 + C\sum\xi_i + \sum\alpha_i(1 - \xi_i - y_if(x_i)) - "
    r"\sum\eta_i\xi_i$ has the derivatives $w - \sum\alpha_iy_ix_i$, $-\sum\alpha_iy_i$ and $C - \alpha_i - "
    r"\eta_i$. $L$ is quadratic, so that central differences are exact up to rounding.",
)
def lagrangian(lagrangian, lagrangian_gradient, rng) -> Checks:
    X, y = _overlapping(rng, n=6)
    w, b, slack = rng.integers(-4, 5, 2) / 4, 0.75, rng.integers(0, 5, 6) / 4
    alpha, eta = rng.integers(0, 5, 6) / 4 + 0.25, rng.integers(0, 5, 6) / 4 + 0.25
    alpha[0] += 10  # not balanced
    value = 0.5 * w @ w + 2 * slack.sum() + alpha @ (1 - slack - y * (X @ w + b)) - eta @ slack
    found = scalar(lagrangian(X, y, 2.0, w, b, slack, alpha, eta))
    yield equal("value", found, value, rounding(40, 400), X=X, w=w, slack=slack)
    point = np.concatenate([w, [b], slack])

    def at(z):
        return scalar(lagrangian(X, y, 2.0, z[:2], float(z[2]), z[3:], alpha, eta))

    differences = np.array([(at(point + h) - at(point - h)) / 0.5 for h in 0.25 * np.eye(9)])
    dw, db, ds = lagrangian_gradient(X, y, 2.0, w, alpha, eta)
    answer = np.concatenate([as_numbers(dw, 2), [scalar(db)], as_numbers(ds, 6)])
    yield equal("derivatives against differences", answer, differences, rounding(40, 4000))


@claim(
    "svm.stationarity",
    kind="formula",
    section="5",
    sources=("Shi, eqs. (3)-(5)",),
    statement=r"At the optimum, with $\eta_i = C - \alpha_i$, all derivatives of $L$ are zero: $w = "
    r"\sum\alpha_iy_ix_i$, $C - \alpha_i - \eta_i = 0$ and $\sum\alpha_iy_i = 0$.",
    given=("SVC",),
)
def stationarity(lagrangian_gradient, SVC, rng) -> Checks:
    X, y = _overlapping(rng)
    w, b, alpha = _read(_fit(SVC, X, y, 0.5), X, y)
    dw, db, ds = lagrangian_gradient(X, y, 0.5, w, alpha, 0.5 - alpha)
    answer = np.concatenate([as_numbers(dw, 2), [scalar(db)], as_numbers(ds, 24)])
    root, _ = _soft_play(X, w, 0.5, _primal(X, y, w, b, 0.5))
    play = np.concatenate([[root, root, GAP * alpha.sum()], np.full(24, rounding(4))])
    yield equal("derivatives at the optimum", answer, np.zeros(27), play, X=X, y=y)
    other = alpha + np.arange(24)  # not balanced
    dw, db, ds = lagrangian_gradient(X, y, 0.5, w + 1, other, np.full(24, 2.0))
    answer = np.concatenate([as_numbers(dw, 2), [scalar(db)], as_numbers(ds, 24)])
    truth = np.concatenate([w + 1 - (y * other) @ X, [-y @ other], -1.5 - other])
    yield equal("derivatives elsewhere", answer, truth, rounding(60, 2000))


@claim(
    "svm.dual-derivation",
    kind="formula",
    section="5",
    sources=("Shi, dual",),
    statement=r"With $w = \sum\alpha_iy_ix_i$ and $\eta_i = C - \alpha_i$ the Lagrangian is the dual "
    r"objective *minus* $b\sum_i\alpha_iy_i$, for every $b$ and $\xi$.",
)
def dual_derivation(lagrangian, dual_objective, rng) -> Checks:
    X, y = _overlapping(rng, n=6)
    for name, alpha in (("balanced", np.ones(6)), ("unbalanced", np.array([1, 3, 0, 2, 1, 2.0]) / 2)):
        w, b, slack = (y * alpha) @ X, 1.5, rng.integers(0, 5, 6) / 4
        found = scalar(lagrangian(X, y, 2.0, w, b, slack, alpha, 2.0 - alpha))
        value = scalar(dual_objective(alpha, y, X @ X.T))
        size = 1000 + 10 * abs(found)
        yield equal(
            f"Lagrangian, {name}", found, value - b * float(y @ alpha), rounding(60, size), X=X, alpha=alpha
        )
        yield equal(f"dual value, {name}", value, _dual(X, y, alpha), rounding(60, size))


@claim(
    "svm.soft-dual",
    kind="homework",
    section="5",
    sources=("Yan, dual problem, non-separable", "Shi, dual"),
    statement=r"The dual of the soft margin is that of the hard margin with the box $0 \le \alpha_i \le C$. "
    r"Checked against all $3^5$ sets of multipliers at 0, between and at $C$, in fractions.",
)
def soft_dual(SVC, rng) -> Checks:
    cases = [(*_overlapping(rng, n=5), C) for C in (Fraction(1, 8), Fraction(2))]
    # five rows may have a wide strip without slack: two rows at the price for certain, far from the origin
    for X, y, C in (*cases, (PAIR + 5, PAIR_Y, Fraction(1, 4))):
        value, w, low, high, best = enumerate_dual(X, y, C)
        found, b, alpha = _read(_fit(SVC, X, y, float(C)), X, y)
        total, play = float(best.sum()), _soft_play(X, w, float(C), value)
        moved = _moved(X, y, w, low, 2 * total, value)
        yield equal(f"value of the dual, C = {C}", _dual(X, y, alpha), value, moved, X=X, y=y)
        yield equal(f"normal vector, C = {C}", found, w, play[0])
        yield at_most(f"distance of b to its interval, C = {C}", max(low - b, b - high), 0.0, play[1])
        yield at_most(f"largest multiplier, C = {C}", alpha.max(), float(C), GAP * alpha.sum())
        yield at_least(f"smallest multiplier, C = {C}", alpha.min(), 0.0, GAP * alpha.sum())


@claim(
    "svm.complementarity",
    kind="formula",
    section="5",
    sources=("Shi, eqs. (6)-(7)",),
    statement=r"At the optimum $\alpha_i(1 - \xi_i - y_if(x_i)) = 0$ and $(C - \alpha_i)\xi_i = 0$ for "
    r"every row.",
)
def complementarity(SVC, rng) -> Checks:
    X, y = _overlapping(rng)
    w, b, alpha = _read(_fit(SVC, X, y, 0.5), X, y)
    margins = y * (X @ w + b)
    slack = np.maximum(0, 1 - margins)
    play = _moved(X, y, w, b, alpha.sum(), _primal(X, y, w, b, 0.5))
    yield equal("multiplier times surplus", alpha * (1 - slack - margins), np.zeros(24), play, X=X, y=y)
    yield equal("room below C times slack", (0.5 - alpha) * slack, np.zeros(24), play)


@claim(
    "svm.C-infinity",
    kind="claim",
    section="5",
    sources=("Yan, accommodating non-separable data",),
    statement=r"On separable data the soft margin is the hard margin for every $C \ge \min\max_i\alpha_i$, "
    r"the minimum over the optimal $\alpha$ of the hard margin, not only for $C = \infty$. Rows at $-1$ and "
    r"$1$: $w = \min(2C, 1)$.",
)
def c_infinity(SVC, rng) -> Checks:
    prices = np.array([0.125, 0.25, 0.495, 0.5, 1.0, 1000.0])
    found = np.array([_read(_fit(SVC, PAIR, PAIR_Y, C), PAIR, PAIR_Y)[0][0] for C in prices])
    yield equal("w of two rows", found, np.minimum(2 * prices, 1), PLAY, prices=prices)  # 2 g is at most GAP
    X, y = _separable(rng)
    w, b, alpha = _read(_fit(SVC, X, y, INF), X, y)
    price = float(alpha.max())
    again, offset, _ = _read(_fit(SVC, X, y, price), X, y)
    truth = _widest(X, y)
    hard, value = _hard_play(X, *truth[:2]), 0.5 / truth[2] ** 2
    # the values of the two problems differ by g: twice the gap, and the play of the hard one
    root, line = _soft_play(X, truth[0], price, 2 * value)
    play = hard + np.array([2 * root, 2 * root, 2 * line])
    yield equal("machine at C = max alpha", np.append(again, offset), np.append(w, b), play, X=X, y=y)
    yield equal("which is the hard one", np.append(w, b), np.append(*truth[:2]), hard)


# ------------------------------------------------------------------- 6 From multipliers to a machine


@claim(
    "svm.recover",
    kind="formula",
    section="6",
    sources=("Yan, implications", "Shi, eqs. (8)-(9)"),
    statement=r"From optimal multipliers $w = \sum_i\alpha_iy_ix_i$, and $b = y_i - \langle w, x_i\rangle$ "
    r"for any row with $0 < \alpha_i < C$. If there is none, an interval of $b$ is optimal: for rows at "
    r"$-1$ and $1$ with $C = \frac14$ it is $[-\frac12, \frac12]$.",
)
def recover(bias_interval, rng) -> Checks:
    K = PAIR @ PAIR.T
    ends = as_numbers(bias_interval(np.array([0.25, 0.25]), PAIR_Y, K, 0.25), 2)
    yield equal("interval without a free row", ends, np.array([-0.5, 0.5]), rounding(8))
    ends = as_numbers(bias_interval(np.array([0.5, 0.5]), PAIR_Y, K, 1.0), 2)
    yield equal("interval with free rows", ends, np.zeros(2), rounding(8))
    X, y = _overlapping(rng, n=5)
    C = Fraction(int(rng.choice([1, 16])), 8)
    _, _, low, high, alpha = enumerate_dual(X, y, C)
    ends = as_numbers(bias_interval(alpha, y, X @ X.T, float(C)), 2)
    size = 2 + float((abs(X @ X.T) @ alpha).max())
    yield equal("interval of five rows", ends, np.array([low, high]), rounding(12, size), X=X, y=y, C=C)


@claim(
    "svm.b-average",
    kind="algorithm",
    section="6",
    sources=("Shi, eq. (9)",),
    statement=r"Every row with $0 < \alpha_i < C$ gives the same $b = y_i - \langle w, x_i\rangle$; average "
    r"over these rows, not over those at $C$. Without such a row the middle of the interval is taken: "
    r"$-\frac52$ for rows at 4 and 6 with $C = \frac14$.",
)
def b_average(SVC, rng) -> Checks:
    X, y = _overlapping(rng)
    for rows, labels, C in ((X, y, 0.5), (_FOUR, _FOUR_Y, 1.0)):  # the second has two free rows for certain
        w, b, alpha = _read(_fit(SVC, rows, labels, C), rows, labels)
        free = np.minimum(alpha, C - alpha)  # if y - w x is not b, one of the two products is not 0
        play = _moved(rows, labels, w, b, alpha.sum(), _primal(rows, labels, w, b, C))
        what = f"y - w x less b, times the way of alpha to 0 and C, {len(rows)} rows"
        yield equal(what, free * (labels - rows @ w - b), 0.0, play, X=rows, y=labels)
    shifted = PAIR + 5
    w, b, _ = _read(_fit(SVC, shifted, PAIR_Y, 0.25), shifted, PAIR_Y)
    root, _ = _soft_play(shifted, np.array([0.5]), 0.25, 0.375)
    play = root * np.array([1.0, 6.0])  # the ends of the interval are y - w x
    yield equal("w and b without a free row", np.append(w, b), np.array([0.5, -2.5]), play)


@claim(
    "svm.decision-dual",
    kind="formula",
    section="6",
    sources=("Shi, support vectors",),
    statement=r"$f(x) = \sum_{i \in S}\alpha_iy_i\langle x_i, x\rangle + b$ needs only the support vectors: "
    r"it is $\langle w, x\rangle + b$, and the answer is its sign, the second class at 0.",
)
def decision_dual(SVC, rng) -> Checks:
    X, y = _overlapping(rng)
    model, Z = _fit(SVC, X, y, 0.5), rng.integers(-9, 10, (40, 2)) / 2
    w, b, alpha = _read(model, X, y)
    scores = as_numbers(model.decision_function(Z), 40)
    play = _soft_play(X, w, 0.5, _primal(X, y, w, b, 0.5))[0] * _reach(Z)
    yield equal(
        "scores of new points from the multipliers", scores, Z @ X.T @ (y * alpha) + b, play, X=X, Z=Z
    )
    yield equal("scores from the normal vector", scores, Z @ w + b, play)
    clear = abs(scores) > play
    yield equal("answers", as_numbers(model.predict(Z), 40)[clear], np.where(scores >= 0, 1.0, -1.0)[clear])


@claim(
    "svm.sparsity",
    kind="claim",
    section="6",
    sources=("Shi, support vectors",),
    statement="How many multipliers are zero depends on the data: with three rows a class and $C = 0.01$ "
    "all six are support vectors. In the hard margin few are, and leaving one row out errs on support "
    "vectors only.",
)
def sparsity(SVC, rng) -> Checks:
    X, y = _separable(rng, n=6)
    alpha, C = _read(_fit(SVC, X, y, 0.001), X, y)[2], 0.001
    # all slopes 1 - y v x are above 1/2: the room below C adds up to 2 g, the misses to 6 GAP sum(alpha)
    yield equal("multipliers of six rows at a small price", alpha, C, (2 + 6) * GAP * 6 * C, X=X, y=y)
    X, y = _separable(rng)
    alpha, wrong = _read(_fit(SVC, X, y, INF), X, y)[2], 0
    yield from _off_the_margin(X, y, alpha)
    for i in range(12):
        rest = np.arange(12) != i
        w, b, _ = _read(_fit(SVC, X[rest], y[rest], INF), X[rest], y[rest])
        wrong += int(not y[i] * (X[i] @ w + b) > 0)
    yield at_most("leave-one-out errors against support vectors", wrong, int((alpha > 0).sum()))


@claim(
    "svm.sv-types",
    kind="claim",
    section="6",
    sources=("Shi, two types of support vectors",),
    statement=r"$0 < \alpha_i < C$ puts a row on the margin; $\alpha_i = C$ leaves $\xi_i \ge 0$ open: on "
    r"the margin ($\xi = 0$), inside the strip ($\xi < 1$), on the boundary ($\xi = 1$) or wrong ($\xi > "
    r"1$). Rows at $-1$ and $1$ with $C = \frac12$ have $\alpha = C$ and $\xi = 0$.",
)
def sv_types(support_vector_types) -> Checks:
    alpha = np.array([0.0, 0.25, 0.5, 0.5, 0.5, 0.5])
    slack = np.array([0.0, 0.0, 0.0, 0.5, 1.0, 1.5])
    expected = ["none", "margin", "edge", "inside", "boundary", "wrong"]
    yield equal("six cases", [str(t) for t in support_vector_types(alpha, slack, 0.5)], expected)
    pair = [str(t) for t in support_vector_types(np.array([0.5, 0.5]), np.zeros(2), 0.5)]
    yield equal("two rows with C = 1/2", pair, ["edge", "edge"])
    pair = [str(t) for t in support_vector_types(np.array([0.5, 0.5]), np.zeros(2), INF)]
    yield equal("two rows with C infinite", pair, ["margin", "margin"])


# ------------------------------------------------------------------- 7 Other forms


def _form2(X, y, u, b, gamma, C):
    return -gamma + C * np.maximum(0, gamma - y * (X @ u + b)).sum()


@claim(
    "svm.form2",
    kind="definition",
    section="7",
    sources=("Shi, eq. (2)",),
    statement=r"Shi's form (2) minimises $-\gamma + C\sum\xi_i$ subject to $y_i(\langle w, x_i\rangle + b) "
    r"\ge \gamma - \xi_i$, $\xi_i \ge 0$, $\lVert w\rVert = 1$. In one dimension $w = \pm1$ leaves a linear "
    r"program whose vertices can be listed; the C-SVM with the mapped constant solves it.",
    given=("SVC",),
)
def form2(form2_cost, SVC, rng) -> Checks:
    X, y = _overlapping(rng, n=8, d=1)
    X = X + rng.permutation(8)[:, None] / 16
    X[-1] += y @ X == 0  # else w = 0
    w, b, alpha = _read(_fit(SVC, X, y, 4.0), X, y)  # some multiplier is 4, so their sum is not 1
    cost, length = scalar(form2_cost(alpha, 4.0)), np.linalg.norm(w)
    ours = _form2(X, y, w / length, b / length, 1 / length, cost)
    best = INF
    for u in (-1.0, 1.0):  # a vertex has two tight rows y_i (u x_i + b) = gamma
        for i, j in itertools.product(range(8), repeat=2):
            if y[i] != y[j]:
                offset = -u * float(X[i, 0] + X[j, 0]) / 2
                gamma = float(y[i] * (u * X[i, 0] + offset))
                best = min(best, _form2(X, y, np.array([u]), offset, gamma, cost))
    yield equal("value of form (2)", ours, best, _form2_play(X, y, w, b, alpha), X=X, y=y, cost=cost)


def _form2_play(X, y, w, b, alpha):
    """Return what g may add to the value of form (2): it is less its bound g/(|w| sum(alpha)), by (7.1)."""
    total = float(alpha.sum())
    room = _moved(X, y, w, b, total, _primal(X, y, w, b, 4.0))
    return room / (np.linalg.norm(w) * total) + rounding(100)


@claim(
    "svm.equivalence",
    kind="claim",
    section="7",
    sources=("Shi, primal",),
    statement=r"The C-SVM with solution $(w, b, \alpha)$ and form (2) with the constant $C/\sum_i\alpha_i$ "
    r"(not $C$) have the same plane, and $\gamma = 1/\lVert w\rVert$. Certificate: with $\lambda = "
    r"\alpha/\sum\alpha$ every point of (2) costs at least $-\lVert\sum\lambda_iy_ix_i\rVert$. Below "
    r"$1/(2\min(n_+, n_-))$ form (2) has no minimum.",
    given=("SVC",),
)
def equivalence(form2_cost, form2_least_cost, SVC, rng) -> Checks:
    X, y = _overlapping(rng)
    w, b, alpha = _read(_fit(SVC, X, y, 4.0), X, y)  # some multiplier is 4, so their sum is not 1
    cost, length, weights = scalar(form2_cost(alpha, 4.0)), np.linalg.norm(w), alpha / alpha.sum()
    value = _form2(X, y, w / length, b / length, 1 / length, cost)
    bound, play = -np.linalg.norm((y * weights) @ X), _form2_play(X, y, w, b, alpha)
    yield equal("value against the certificate", value, bound, play, X=X, y=y)
    yield at_most("weights of the certificate against the constant", float(weights.max()), cost, GAP)
    y[2:6:2] = 1  # fewer rows of class -1
    least, few = scalar(form2_least_cost(y)), float(min((y > 0).sum(), (y < 0).sum()))
    far = [_form2(X, y, np.eye(2)[0], g, g, 0.9 * least) for g in (1e3, 1e4)]
    yield equal("twice the least constant times the smaller class", 2 * least * few, 1.0, rounding(4))
    yield at_most(
        "value at gamma = 10^4 less that at 10^3, constant 0.9 of the least", far[1] - far[0], -100.0
    )


@claim(
    "svm.hinge-erm",
    kind="theorem",
    section="7",
    sources=("Shi, view in ERM",),
    statement=r"The C-SVM is regularised risk minimisation: its objective is $nC$ times the mean hinge loss "
    r"plus $\frac\lambda2\lVert w\rVert^2$ with $\lambda = 1/(nC)$. The subgradient $\lambda w - "
    r"\frac1n\sum_{y_if(x_i) < 1}y_ix_i$ (and $-\frac1n\sum y_i$ for $b$) supports it from below.",
)
def hinge_erm(erm_objective, erm_subgradient, primal_objective, rng) -> Checks:
    X, y = _overlapping(rng)
    C, points = 0.5, rng.integers(-8, 9, (12, 3)) / 8 + 0.0625
    points[:3, :2], points[:3, 2] = 0.0, (6.0, 7.0, 0.5)  # a penalty of b shows far out, a wrong kink at 1/2
    lam = 1 / (24 * C)
    values = np.array([scalar(erm_objective(X, y, p[:2], float(p[2]), lam)) for p in points])
    primal = np.array([scalar(primal_objective(X, y, p[:2], float(p[2]), C)) for p in points])
    truth = np.array([_primal(X, y, p[:2], p[2], C) for p in points])
    yield equal("objective of the machine", primal, truth, rounding(80, 300), X=X, y=y)
    yield equal("the same as a risk, times nC", 24 * C * values, truth, rounding(80, 300))
    slopes = []
    for p in points:
        dw, db = erm_subgradient(X, y, p[:2], float(p[2]), lam)
        slopes.append(np.append(as_numbers(dw, 2), scalar(db)))
    below = (
        truth[:, None] / (24 * C)
        + np.array(slopes) @ points.T
        - (np.array(slopes) * points).sum(axis=1)[:, None]
    )
    yield at_most("supporting planes at 12 points against the values at all", below.ravel(),
                  np.tile(truth / (24 * C), 12), rounding(200, 60))  # fmt: skip


# ------------------------------------------------------------------- 8 Kernels


@claim(
    "svm.kernel",
    kind="theorem",
    section="8",
    sources=("Shi, dual with kernels",),
    statement=r"Replacing $\langle x, x'\rangle$ by $\kappa(x, x') = \langle\phi(x), \phi(x')\rangle$ in "
    r"training *and* in the answer is the linear machine on $\phi(x)$: for $(1 + xx')^2$ and $\phi(x) = (1, "
    r"\sqrt2x, x^2)$ both have the same scores on new points, and the Gram matrix is positive semi-definite.",
)
def kernel(SVC, polynomial_kernel, rng) -> Checks:
    x = (np.arange(18) - 8.5) / 6 + rng.integers(-1, 2, 18) / 32
    y = np.where(abs(x - 0.25) > 0.75, 1, -1)  # not symmetric: the linear part of the map matters
    X, Z = x[:, None], np.linspace(-2, 2, 21)[:, None]

    def lift(T):
        return np.column_stack([np.ones(len(T)), math.sqrt(2) * T[:, 0], T[:, 0] ** 2])

    K = as_numbers(polynomial_kernel(X, Z, degree=2, gamma=1.0, coef0=1.0), 18, 21)
    yield equal("kernel values", K, lift(X) @ lift(Z).T, rounding(8, 30))
    curve = _fit(SVC, X, y, 2.0, kernel="poly", degree=2, gamma=1.0, coef0=1.0)
    plane = _fit(SVC, lift(X), y, 2.0)
    w, b, _ = _read(plane, lift(X), y)
    scores = as_numbers(curve.decision_function(Z), 21)
    root, line = _soft_play(lift(X), w, 2.0, _primal(lift(X), y, w, b, 2.0))
    play = 2 * (root * _reach(lift(Z)) + line)  # each is off by half of it
    yield equal("scores of new points", scores, lift(Z) @ w + b, play, x=x, y=y)
    G = as_numbers(polynomial_kernel(X, X, degree=2, gamma=1.0, coef0=1.0), 18, 18)
    least = np.linalg.eigvalsh(G)[0] if np.isfinite(G).all() else math.nan
    yield at_least("least eigenvalue of the Gram matrix", least, 0.0, rounding(18, abs(G).max()))


@claim(
    "svm.gram",
    kind="definition",
    section="8",
    statement=r"A symmetric matrix is a Gram matrix iff it has no negative eigenvalue. The Gaussian kernel "
    r"gives one on any points; $\begin{pmatrix}1 & 2\\ 2 & 1\end{pmatrix}$ and $-\langle x, z\rangle$ are "
    r"none.",
)
def gram(is_gram, rbf_kernel, rng) -> Checks:
    X = rng.integers(-3, 4, (20, 2)).astype(float)  # with repetitions: rank below 20
    K = as_numbers(rbf_kernel(X, X, gamma=0.5), 20, 20)
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    yield equal("Gaussian kernel", K, np.exp(-0.5 * squares), rounding(16, 40), X=X)
    yield equal("its Gram matrix", is_gram(np.exp(-0.5 * squares)), True)
    for M in ([[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.5], [0.0, 1.0]], (-X @ X.T).tolist()):
        yield equal("none", is_gram(np.array(M)), False, M=M)


@claim(
    "svm.one-class",
    kind="theorem",
    section="8",
    sources=("Schoelkopf et al. (2001), proposition 4",),
    statement=r"The one-class machine with $\nu$ leaves out at most $\nu n$ of its rows and has at least "
    r"$\nu n$ support vectors.",
)
def one_class(OneClassSVM, rng) -> Checks:
    X = rng.normal(0, 1, (40, 2))
    out, support, gaps = [], [], []
    for nu in (0.1, 0.25, 0.6):
        model = OneClassSVM(nu, gamma=0.5).fit(X)
        scores = as_numbers(model.decision_function(X), 40)
        beta = np.zeros(40)
        beta[model.support_] = as_numbers(model.dual_coef_, 1, len(model.support_))[0] / (40 * nu)
        K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
        rho = float((K @ beta - scores / (40 * nu)).mean())
        primal = 0.5 * beta @ K @ beta - rho + np.maximum(0, rho - K @ beta).sum() / (40 * nu)
        value = 0.5 * beta @ K @ beta
        gaps.append((primal + value) / value)
        # a slack of 4,000 g has beta within g/(4,000 g) of 1/(40 nu): no more than 40 nu (1 + nu/99) rows
        out.append(float((scores / (40 * nu) < -4000 * GAP * value).sum()) - 40 * nu * (1 + nu / 99))
        support.append(float((beta > 0).sum()) - 40 * nu)
    yield at_most("rows left out less nu n (1 + nu/99)", np.array(out), 0.0, rounding(4, 40))
    yield at_least("support vectors less nu n", np.array(support), 0.0, rounding(4, 40))
    yield at_most("relative gaps", np.array(gaps), GAP, X=X)


# ------------------------------------------------------------------- 9 What the bounds say


@claim(
    "svm.vc-bound",
    kind="theorem",
    section="9",
    sources=("Shi, VC bound",),
    statement=r"$t = 2\sqrt{2(h\log\frac{2en}h + \log\frac2\delta)/n}$ solves $2(2en/h)^he^{-nt^2/8} = "
    r"\delta$ (natural logarithms). At $\delta = 0.05$ it is below 1, and says anything at all, only from "
    r"$n = 78, 167, 518, 34403$ on for $h = 1, 3, 11, 785$.",
)
def vc_bound(vc_bound, vc_sample_size) -> Checks:
    cases = [(n, h, delta) for n in (50, 1000, 10**6) for h in (1, 3, 40) for delta in (0.05, 1e-6)]
    t = np.array([scalar(vc_bound(*case)) for case in cases])
    logs = np.array([math.log(2) + h * math.log(2 * math.e * n / h) for n, h, _ in cases])
    n, delta = np.array([c[0] for c in cases]), np.array([c[2] for c in cases])
    yield equal(
        "log of the right-hand side", logs - n * t**2 / 8, np.log(delta), rounding(16, float(logs.max()))
    )
    first = np.array([scalar(vc_sample_size(h, 0.05)) for h in (1, 3, 11, 785)])
    yield equal("least useful n", first, np.array([78.0, 167.0, 518.0, 34403.0]))
    points = np.arange(8)  # Sauer for thresholds, h = 1: at most en/h patterns
    patterns = {tuple(sign * (points >= cut) > 0) for cut in range(9) for sign in (1,)}
    yield at_most("patterns of thresholds on 8 points against (en/h)^h", len(patterns), math.e * 8)


@claim(
    "svm.vc-margin-dim",
    kind="claim",
    section="9",
    sources=("Shi, after the VC bound", "Vapnik (1998), theorem 10.3"),
    statement=r"Planes with a margin $\gamma$ fixed in advance, on points of a ball of radius $R$ in $D$ "
    r"dimensions, shatter at most $\min\{D, \lceil R^2/\gamma^2\rceil\} + 1$ points. The corners of a "
    r"regular simplex attain it: $2m$ corners with $R = 1$ can be split in every way with the margin "
    r"$1/\sqrt{2m - 1}$, and no more.",
)
def vc_margin_dim(margin_dimension) -> Checks:
    found, margins = [], []
    for m in (1, 2, 3, 4):
        corners = np.eye(2 * m) - 1 / (2 * m)
        corners /= np.linalg.norm(corners[0])
        splits = [corners[:k].mean(axis=0) - corners[k:].mean(axis=0) for k in range(1, 2 * m)]
        margins.append(min(np.linalg.norm(s) for s in splits) / 2 * math.sqrt(2 * m - 1))
        found.append(scalar(margin_dimension(100, 1.0, (1 + 1e-9) / math.sqrt(2 * m - 1))))
    yield equal("least margin of all splits, over 1/sqrt(2m - 1)", np.array(margins), 1.0, rounding(16))
    yield equal("points by the formula", np.array(found), np.array([2.0, 4.0, 6.0, 8.0]))
    flat = np.array([scalar(margin_dimension(D, 10.0, 1.0)) for D in (1, 2, 7)])
    yield equal("a small margin leaves D + 1", flat, np.array([2.0, 3.0, 8.0]))


# ------------------------------------------------------------------- 10 What the notes got wrong


@erratum(
    "svm.erratum-y16",
    section="10",
    sources=("Yan, max-margin",),
    printed="The max-margin problem offers a unique solution.",
    corrected=r"Only for separable data with both classes present. On the corners of a square labelled by "
    r"diagonal four planes share the best value, $M = -1/\sqrt2$.",
)
def erratum_y16(class_margins) -> Checks:
    angles = np.linspace(0, 2 * math.pi, 721)
    along = (SQUARE - 1) @ np.array([np.cos(angles), np.sin(angles)])
    strips = 0.5 * (along[XOR > 0].min(axis=0) - along[XOR < 0].max(axis=0))
    yield equal("best value over 720 directions", float(strips.max()), -math.sqrt(0.5), rounding(8))
    yield equal("directions that attain it", int((strips[:-1] > strips.max() - 1e-9).sum()), 4)
    worst = []
    for turn in (1, 3, 5, 7):
        u = np.array([math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)])
        b = -0.5 * ((SQUARE @ u)[XOR > 0].min() + (SQUARE @ u)[XOR < 0].max())
        worst.append(as_numbers(class_margins(SQUARE, XOR, u, float(b)), 2))
    yield equal("margins of both classes, four planes", np.array(worst), -math.sqrt(0.5), rounding(16, 4))


@erratum(
    "svm.erratum-y17",
    section="10",
    sources=("Yan, reformulation",),
    printed="The max-margin problem and the quadratic program are reformulations of each other.",
    corrected=r"If and only if $M^\star > 0$. Otherwise the first has feasible points and the second has "
    r"none.",
)
def erratum_y17(SVC) -> Checks:
    along = (SQUARE - 1).sum(axis=1) / math.sqrt(2)
    yield at_least(
        "a feasible value of the first on the diagonals",
        0.5 * (along[XOR > 0].min() - along[XOR < 0].max()),
        -1.0,
    )
    yield equal("the second is refused", refuses(_fit, SVC, SQUARE, XOR, INF), True)
    w = _read(_fit(SVC, SQUARE, SIDES, INF), SQUARE, SIDES)[0]
    yield equal("and solved by sides", w, np.array([1.0, 0.0]), PLAY)


@erratum(
    "svm.erratum-y21",
    section="10",
    sources=("Yan, checking KKT conditions",),
    printed="Four conditions: primal and dual feasibility, complementarity, stationarity in the normal "
    "vector.",
    corrected=r"The derivative in $\beta_0$ belongs to it: $\sum_i\alpha_iy_i = 0$. Rows at $2$ and $-1$: "
    r"$\beta = 1, \beta_0 = -1, \alpha = (\frac12, 0)$ passes the four, and the optimum is $\beta = "
    r"\frac23$.",
)
def erratum_y21(kkt_residuals) -> Checks:
    X, y = np.array([[2.0], [-1.0]]), np.array([1, -1])
    found = kkt_residuals(X, y, INF, np.array([1.0]), -1.0, np.array([0.5, 0.0]))
    four = [
        scalar(found.get(k))
        for k in ("primal_feasibility", "dual_feasibility", "complementarity", "stationarity")
    ]
    yield equal("the four printed conditions", np.array(four), np.zeros(4))
    yield equal("the fifth", scalar(found.get("equality")), 0.5)
    best = kkt_residuals(X, y, INF, np.array([2 / 3]), -1 / 3, np.array([2 / 9, 2 / 9]))
    yield at_most("all five at 2/3", np.array([scalar(v) for v in best.values()]), 0.0, rounding(8))


@erratum(
    "svm.erratum-y22",
    section="10",
    sources=("Yan, accommodating non-separable data",),
    printed=r"The separable case corresponds to $C = \infty$.",
    corrected=r"On separable data every $C \ge \min\max_i\alpha_i^\star$ gives the hard margin; for rows at "
    r"$\pm1$ every $C \ge \frac12$.",
)
def erratum_y22(SVC) -> Checks:
    found = np.array([_read(_fit(SVC, PAIR, PAIR_Y, C), PAIR, PAIR_Y)[0][0] for C in (0.25, 0.5, INF)])
    yield equal("w at C = 1/4, 1/2 and infinity", found, np.array([0.5, 1.0, 1.0]), PLAY)


@erratum(
    "svm.erratum-y23",
    section="10",
    sources=("Yan, implications",),
    printed=r"$\beta_0^\star = y_i - \beta^\top x_i$ for any support vector.",
    corrected=r"$\beta^\star$, and any support vector only in the hard margin. With slack the row needs $0 "
    r"< \alpha_i < C$: rows $-2, 1$ of class $-1$ and $-1, 2$ of class 1 with $C = 1$ have $\beta = "
    r"\frac12$.",
)
def erratum_y23(SVC) -> Checks:
    # alpha = (5/8, 1, 1, 5/8), w = 2 * (2 * 5/8) - 2 = 1/2, y - w x = (0, -3/2, 3/2, 0)
    w, b, alpha = _read(_fit(SVC, _FOUR, _FOUR_Y, 1.0), _FOUR, _FOUR_Y)
    room = _moved(_FOUR, _FOUR_Y, w, b, alpha.sum(), _primal(_FOUR, _FOUR_Y, w, b, 1.0))
    bound = (1 - alpha) * 0.5 <= room  # the two rows with a slack of 3/2
    yield equal("support vectors at C", int(bound.sum()), 2)
    yield at_least("their y - w x less b, in absolute value", abs(_FOUR_Y - _FOUR @ w - b)[bound], 0.5)
    yield equal("that of the free ones", (_FOUR_Y - _FOUR @ w)[~bound], b, 4 * room)  # alpha is 5/8


@erratum(
    "svm.erratum-s12",
    section="10",
    sources=("Shi, primal",),
    printed=r"Form (2) and the C-SVM are equivalent (with the same $C$).",
    corrected=r"With $C/\sum_i\alpha_i$ in form (2). With rows at $\pm1$ the C-SVM with $C = \frac18$ has "
    r"$w = \frac14$, and form (2) with $\frac18$ has no minimum at all.",
)
def erratum_s12(form2_cost, form2_least_cost) -> Checks:
    mapped, least = scalar(form2_cost(np.array([0.125, 0.125]), 0.125)), scalar(form2_least_cost(PAIR_Y))
    yield equal("mapped and least constant", np.array([mapped, least]), np.array([0.5, 0.5]))
    values = [_form2(PAIR, PAIR_Y, np.array([1.0]), g, g, 0.125) for g in (10.0, 100.0, 1000.0)]
    yield at_most("value of (2) with 1/8 as gamma grows tenfold", np.diff(values), -50.0)
    at_four = _form2(PAIR, PAIR_Y, np.array([1.0]), 0.0, 4.0, mapped)
    yield equal("value of (2) with 1/2 at gamma = 4, and its bound", at_four, -1.0)


@erratum(
    "svm.erratum-s13",
    section="10",
    sources=("Shi, dual",),
    printed=r"Substituting gives $\dots + b\sum_i\alpha_iy_i$.",
    corrected=r"$\dots - b\sum_i\alpha_iy_i$: the constraint enters $L$ as $-\alpha_iy_ib$.",
)
def erratum_s13(lagrangian) -> Checks:
    alpha, zero = np.array([1.0, 0.25]), np.zeros(2)
    value = [
        scalar(lagrangian(PAIR, PAIR_Y, 1.0, np.zeros(1), b, zero, alpha, 1 - alpha)) for b in (0.0, 2.0)
    ]
    yield equal(
        "change of L from b = 0 to 2", value[1] - value[0], -2 * float(alpha @ PAIR_Y), rounding(8, 4)
    )
    yield at_least("distance to the printed sign", abs(value[1] - value[0] - 2 * float(alpha @ PAIR_Y)), 1.0)


erratum_s14 = typographical(
    "svm.erratum-s14",
    section="10",
    sources=("Shi, from dual to primal variables",),
    printed=r"$\beta_i > 0 \Rightarrow \xi_i$, and $\beta_i > 0$ means $\alpha < C$.",
    corrected=r"$\beta_i > 0 \Rightarrow \xi_i = 0$, and $\beta_i > 0$ means $\alpha_i < C$.",
)


@erratum(
    "svm.erratum-s15",
    section="10",
    sources=("Shi, eq. (9)",),
    printed=r"$b^\star = y_i - \langle x_i, w^\star\rangle$.",
    corrected=r"For a row with $0 < \alpha_i < C$, if there is one. For rows at $\pm1$ and $C = \frac14$ "
    r"there is none, and every $b \in [-\frac12, \frac12]$ is optimal.",
)
def erratum_s15(bias_interval) -> Checks:
    ends = as_numbers(bias_interval(np.array([0.25, 0.25]), PAIR_Y, PAIR @ PAIR.T, 0.25), 2)
    yield equal("interval of b", ends, np.array([-0.5, 0.5]), rounding(8))
    values = np.array([_primal(PAIR, PAIR_Y, np.array([0.5]), b, 0.25) for b in (*ends, 0.0, 0.6)])
    yield equal("objective at its ends and its middle", values[:3], 0.375, rounding(8))
    yield at_least("objective outside", values[3], 0.375 + 0.02)


@erratum(
    "svm.erratum-s16",
    section="10",
    sources=("Shi, support vectors",),
    printed=r"It turns out many $\alpha_i^\star = 0$.",
    corrected="It depends on the data and on C, and possibly none is: with equal classes and a small C all "
    "are at C.",
)
def erratum_s16(SVC) -> Checks:
    X = np.array([[-3.0], [-2.0], [-1.0], [1.0], [2.0], [3.0]])
    y = np.sign(X[:, 0]).astype(int)
    few = _read(_fit(SVC, X, y, INF), X, y)[2]
    all_six = _read(_fit(SVC, X, y, 0.01), X, y)[2]
    room = _moved(X, y, np.ones(1), 0.0, 1.0, 0.5)  # g leaves no more of a multiplier with y f(x) >= 2
    counts = np.array([(few > room).sum(), (all_six > room).sum()])
    yield equal("support vectors at C = infinity and C = 0.01", counts, np.array([2, 6]))


@erratum(
    "svm.erratum-s17",
    section="10",
    sources=("Shi, two types of support vectors",),
    printed=r"Non-margin support vectors: $\alpha_i = C$ ($\xi_i > 0$).",
    corrected=r"$\alpha_i = C$ allows $\xi_i = 0$: rows at $\pm1$ with $C = \frac12$ lie on the margin.",
)
def erratum_s17(support_vector_types, SVC) -> Checks:
    w, b, alpha = _read(_fit(SVC, PAIR, PAIR_Y, 0.5), PAIR, PAIR_Y)
    slack = 1 - PAIR_Y * (PAIR @ w + b)
    # the dual value is 2 alpha - 2 alpha^2: w and alpha are within sqrt(GAP) of 1 and 1/2
    yield equal("multipliers", alpha, 0.5, PLAY)
    yield equal("slacks", slack, 0.0, 2 * PLAY)
    types = [str(t) for t in support_vector_types(np.array([0.5, 0.5]), np.zeros(2), 0.5)]
    yield equal("types", types, ["edge", "edge"])


@erratum(
    "svm.erratum-s18",
    section="10",
    sources=("Shi, after the VC bound",),
    printed=r"$h \le \min\{D, \lceil 4R^2/\gamma^2\rceil\}$.",
    corrected="Planes have a bias: one more. On a line ($D = 1$) the points $-1$ and $1$ are shattered with "
    "margin 1.",
)
def erratum_s18(margin_dimension) -> Checks:
    rules = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)]
    answers = {tuple(np.sign(PAIR[:, 0] * w + b).tolist()) for w, b in rules}
    yield equal("labellings of two points with |f| >= 1", len(answers), 4)
    yield at_least("the bound for D = 1", scalar(margin_dimension(1, 1.0, 1.0)), 2.0)
    yield at_most("and no more", scalar(margin_dimension(1, 1.0, 1.0)), 2.0)


@erratum(
    "svm.erratum-s19",
    section="10",
    sources=("Shi, VC bound",),
    printed=r"The bound holds with $\gamma = 1/\lVert w\rVert$ of the fitted machine.",
    corrected="A class chosen after the data is not fixed, so the theorem does not apply; and below $n = "
    "518$ for $h = 11$, or $34403$ for $h = 785$, the bound exceeds 1 and says nothing.",
)
def erratum_s19(vc_bound) -> Checks:
    at = np.array([scalar(vc_bound(n, h, 0.05)) for n, h in ((517, 11), (34402, 785))])
    after = np.array([scalar(vc_bound(n, h, 0.05)) for n, h in ((518, 11), (34403, 785))])
    yield at_least("bound one row before", at, 1.0)
    yield at_most("bound at that size", after, 1.0)


@erratum(
    "svm.erratum-s27",
    section="10",
    sources=("Shi, eqs. (3)-(7)",),
    printed="First-order and complementarity conditions (3)-(7) characterise the solution.",
    corrected=r"Feasibility belongs to them. Rows at $\pm1$, $C = 1$: $w = 2, b = 0, \xi = -1, \alpha = 1, "
    r"\beta = 0$ solves (3)-(7), and the optimum is $w = 1$.",
)
def erratum_s27(kkt_residuals) -> Checks:
    found = kkt_residuals(PAIR, PAIR_Y, 1.0, np.array([2.0]), 0.0, np.ones(2), -np.ones(2))
    three = [scalar(found.get(k)) for k in ("equality", "complementarity", "stationarity")]
    yield equal("(3)-(7)", np.array(three), np.zeros(3))
    yield equal("miss of feasibility", scalar(found.get("primal_feasibility")), 1.0)
    yield at_least("objective against that of w = 1", _primal(PAIR, PAIR_Y, np.array([2.0]), 0.0, 1.0), 2.0)
