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
from fractions import Fraction
from operator import mul

import numpy as np

from mlnotes.claims.answers import as_numbers, quietly, refuses, scalar
from mlnotes.claims.core import at_least, at_most, correction, equal, misprint, rounding, statement
from mlnotes.laws.datasets import load_breast_cancer

GAP = 1e-8
PLAY = 3 * math.sqrt(GAP)  # hard margin: of w and of the smallest y f(x), relative, with the terms in GAP
INF = math.inf
ANSWERS = {
    "SVC.coef_": "(1, d)", "SVC.intercept_": "(1,)", "hyperplane_distance": "(n,)", "class_margins": "(2,)",
    "hinge_loss": "(n,)", "bias_interval": "(2,)", "polynomial_kernel": "(n, m)", "rbf_kernel": "(n, m)",
    "dual_objective": "number", "primal_objective": "number", "lagrangian": "number", "vc_bound": "number",
    "form2_cost": "number", "form2_least_cost": "number", "erm_objective": "number",
    "vc_sample_size": "number", "margin_dimension": "number",
}  # fmt: skip
for _model in ("SVC", "OneClassSVM"):
    ANSWERS |= {f"{_model}.support_": "(s,) int", f"{_model}.dual_coef_": "(1, s)"}
    ANSWERS |= {f"{_model}.decision_function": "(n,)", f"{_model}.predict": "(n,)"}

PAIR, PAIR_Y = np.array([[-1.0], [1.0]]), np.array([-1, 1])
SQUARE = np.array([[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 2.0]])
_FOUR, _FOUR_Y = np.array([[-2.0], [1.0], [-1.0], [2.0]]), np.array([-1, -1, 1, 1])
SIDES, XOR = np.array([-1, -1, 1, 1]), np.array([-1, 1, 1, -1])


# ------------------------------------------------------------------- instances and the truth about them
def _separable(rng, n=12):
    """Return integer points of the plane, n/2 a class, with a gap of at least 2 along a random direction."""
    n = 2 * max(n // 2, 1)
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
        for a, i, j in _candidates(A, B):
            edge = B[j] - B[i]
            share = float(np.clip((A[a] - B[i]) @ edge / max(edge @ edge, 1e-300), 0, 1))
            foot = B[i] + share * edge
            distance = float(np.linalg.norm(A[a] - foot))
            if distance < best[0]:
                best = (distance, *((foot, A[a]) if swapped else (A[a], foot)))
    return best


def _candidates(A, B):
    """Yield (a, i, j) where the distance of A[a] from the edge from B[i] to B[j] is least, up to rounding."""
    i, j = np.triu_indices(len(B))
    edges, ways = B[j] - B[i], A[:, None] - B[i]
    shares = (ways * edges).sum(2) / np.maximum((edges**2).sum(1), 1e-300)
    distances = np.linalg.norm(ways - np.clip(shares, 0, 1)[..., None] * edges, axis=2)
    for a, k in np.argwhere(distances <= distances.min() * (1 + 1e-9)):
        yield a, i[k], j[k]


def _widest(X, y):
    """Return w, b and the margin of the hard margin in the plane, from the nearest points of the hulls."""
    distance, p, q = _nearest(X[y > 0], X[y < 0])
    w = 2 * (p - q) / distance**2
    return w, float(-w @ (p + q) / 2), distance / 2


def enumerate_dual(X, y, C):
    """Return (value, w, low, high, alpha) of the C-SVM on a few integer rows, exactly but for the last step.

    Every row is at 0, free or at C. Some optimal multipliers have a regular system on the free rows (a
    vertex of the set of optima), so the first assignment that meets all conditions of optimality is the
    answer.
    """
    X, y, C = [[int(v) for v in row] for row in X], [int(v) for v in y], Fraction(C)
    n = len(y)
    K = [[sum(a * b for a, b in zip(u, v, strict=True)) for v in X] for u in X]
    for states in itertools.product((0, 1, 2), repeat=n):
        free = [i for i in range(n) if states[i] == 1]
        if len(free) > len(X[0]) + 1:  # more rows than the rank of the system
            continue
        # integers, over one denominator: beta, C, and the 1 of the margin
        one, most = C.denominator, C.numerator
        beta = [most * y[i] if states[i] == 2 else 0 for i in range(n)]
        if free:
            rest = [one * y[i] - sum(map(mul, K[i], beta)) for i in free]
            border = [[*(K[i][j] for j in free), 1, value] for i, value in zip(free, rest, strict=True)]
            times, values = _solve_integers([*border, [1] * len(free) + [0, -sum(beta)]])
            if not times:
                continue
            one, most, beta = times * one, times * most, [times * value for value in beta]
            for i, value in zip(free, values, strict=False):
                beta[i] = value
        if sum(beta) != 0 or any(not 0 <= y[i] * beta[i] <= most for i in range(n)):
            continue
        r = [one * y[i] - sum(map(mul, K[i], beta)) for i in range(n)]
        grows = [r[i] for i in range(n) if (y[i] * beta[i] < most if y[i] > 0 else y[i] * beta[i] > 0)]
        shrinks = [r[i] for i in range(n) if (y[i] * beta[i] > 0 if y[i] > 0 else y[i] * beta[i] < most)]
        low, high = max(grows), min(shrinks)
        if low <= high:
            exact = [Fraction(value, one) for value in beta]
            w = [sum(exact[i] * X[i][k] for i in range(n)) for k in range(len(X[0]))]
            value = sum(y[i] * exact[i] for i in range(n)) - sum(v * v for v in w) / 2
            alpha = np.array([y[i] * float(exact[i]) for i in range(n)])
            return float(value), np.array([float(v) for v in w]), low / one, high / one, alpha
    raise RuntimeError("no assignment is optimal")


def _solve_integers(rows):
    """Return (d, v) with the solution v / d, d > 0, of integer equations, the right side last; or (0, []).

    Elimination without fractions: every division is exact (Bareiss, Math. Comp. 22 (1968), 565-578).
    """
    M, last = [list(row) for row in rows], 1
    for k in range(len(M)):
        pivot = next((i for i in range(k, len(M)) if M[i][k]), None)
        if pivot is None:
            return 0, []
        M[k], M[pivot] = M[pivot], M[k]
        for i in range(len(M)):
            if i != k:
                M[i] = [(M[k][k] * a - M[i][k] * b) // last for a, b in zip(M[i], M[k], strict=True)]
        last = M[k][k]
    sign = 1 if last > 0 else -1
    return sign * last, [sign * row[-1] for row in M]


def _fit(SVC, X, y, C, **options):
    """Return a fitted machine, silently."""
    return quietly(SVC(C, **{"kernel": "linear", **options}).fit, X, y)


def _plane(SVC, X, y, C):
    """Return w and b of a linear machine."""
    return _plane_of(_fit(SVC, X, y, C))


def _plane_of(model):
    return model.coef_[0], model.intercept_[0]


def _machine(SVC, X, y, C):
    """Return w, b and alpha of a linear machine."""
    model = _fit(SVC, X, y, C)
    return *_plane_of(model), _multipliers(model, y)


def _hard(SVC, rng, n=12):
    """Return separable rows, their labels, and w and b of the hard margin."""
    X, y = _separable(rng, n)
    return X, y, *_plane(SVC, X, y, INF)


def _soft(SVC, rng, C):
    """Return rows that overlap, their labels, and w, b and alpha at the price C."""
    X, y = _overlapping(rng)
    return X, y, *_machine(SVC, X, y, C)


def _multipliers(model, y):
    """Return alpha (n,), NaN where there are no such rows."""
    support, (beta,), alpha = model.support_, model.dual_coef_, np.zeros(len(y))
    if len(beta) != len(support) or ((support < 0) | (support >= len(y))).any():
        return np.full(len(y), math.nan)
    alpha[support] = y[support] * beta
    return alpha


def _misses(report, *names):
    """Return the named residuals of a report, NaN where it does not say."""
    return np.array([scalar(report.get(name)) for name in names])


def _joined(parts, *slacks):
    """Return the derivatives in w and b, and in so many slacks, one after the other."""
    shapes = (2,), (), *((n,) for n in slacks)
    return np.concatenate([np.ravel(as_numbers(v, *k)) for v, k in zip(parts, shapes, strict=True)])


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
@statement("definition", "1", "Yan, max-margin")
def maxmargin(SVC, rng, *, n=12):
    r"""For separable data with both classes present, $\max M$ subject to $\lVert\beta\rVert = 1$ and
    $y_i(\langle\beta, x_i\rangle + \beta_0) \ge M$ has the value of half the distance between the convex
    hulls of the classes. No direction has a wider strip."""
    X, y, w, b = _hard(SVC, rng, n)
    margins = y * (X @ w + b) / np.linalg.norm(w)
    M = _widest(X, y)[2]  # the primal value is 1/(2 M^2)
    yield equal("smallest distance to the plane", margins.min(), M, GAP * M, X=X, y=y)
    angles = np.linspace(0, 2 * math.pi, 3601)
    along = X @ np.array([np.cos(angles), np.sin(angles)])
    strips = 0.5 * (along[y > 0].min(axis=0) - along[y < 0].max(axis=0))
    yield at_least("over the widest of 3,601 directions", margins.min(), float(strips.max()), GAP * M)


@statement("formula", "1", "Yan, max-margin", "Wainwright, after eq. (2.25)")
def distance(hyperplane_distance, rng):
    r"""The distance of $x$ to $\{z : \langle\beta, z\rangle + \beta_0 = 0\}$ is $|\langle\beta, x\rangle +
    \beta_0| / \lVert\beta\rVert$; the offset is not part of the norm."""
    X = np.vstack([[[3, 4]], rng.integers(-9, 10, (30, 2))])
    for w, length in (((3, 4), 5), ((5, -12), 13), ((8, 15), 17)):
        b = 12 if length == 5 else int(rng.choice([-7, -2, 5]))
        exact = abs(X @ w + b) / length
        distances = hyperplane_distance(X.astype(float), np.array(w, float), float(b))
        yield equal(f"distances, normal {w}", distances, exact, rounding(4, 300 / length), X=X, w=w, b=b)
        feet = X - np.outer((X @ w + b) / length**2, w)
        away = np.linalg.norm(X - feet, axis=1)
        yield equal(f"distances of the feet, normal {w}", away, exact, rounding(8, 40))


@statement("claim", "1", "Yan, max-margin")
def unique(SVC, rng, *, n=12):
    r"""On separable data with both classes present the solution is unique: $\beta = 2(p - q)/\lVert p -
    q\rVert^2$ for the nearest points $p, q$ of the two hulls, whatever the order or the repetition of the
    rows."""
    X, y = _separable(rng, n)
    truth, offset, _ = _widest(X, y)
    play = _hard_play(X, truth, offset)
    twice = np.tile(rng.permutation(len(y)), 2)
    for name, rows in (("in order", np.arange(len(y))), ("shuffled and repeated", twice)):
        w, b = _plane(SVC, X[rows], y[rows], INF)
        what = f"normal vector and offset, rows {name}"
        yield equal(what, np.append(w, b), np.append(truth, offset), play, X=X[rows], y=y[rows])
    pair, truth = np.array([[4.0, 0.0], [6.0, 0.0]]), np.array([1.0, 0.0])  # b is not 0
    w, b = _plane(SVC, pair, PAIR_Y, INF)
    yield equal(
        "normal vector and offset of two rows", np.append(w, b), [1, 0, -5], _hard_play(pair, truth, -5)
    )


@statement("definition", "1", "Yan, max-margin", "Shi, max margin", given=("SVC",))
def margin(class_margins, SVC, rng):
    r"""The margin of a class is the least signed distance $y_if(x_i)/\lVert w\rVert$ of its rows; where rows
    are on the wrong side, that of the worst. At the optimum of the hard margin both classes have the same."""
    X, y = _separable(rng)
    w, b = np.array([3.0, 4.0]), float(rng.choice([-50, 50]))  # one class is on the wrong side
    value = y * (X @ w + b) / 5
    both = np.array([value[y < 0].min(), value[y > 0].min()])
    yield equal("margins of a plane", class_margins(X, y, w, b), both, rounding(4, 40))
    margins, M = class_margins(X, y, *_plane(SVC, X, y, INF)), _widest(X, y)[2]
    yield equal("margins at the optimum", margins, M, GAP * M)  # at least M less that, their sum at most 2 M


@statement("claim", "1 deeper", "Yan, reformulation")
def nonconvex(rng):
    r"""The problem with $\lVert\beta\rVert = 1$ is not convex: the midpoint of two different feasible unit
    vectors is shorter than 1."""
    X, y = _separable(rng)
    w = _widest(X, y)[0]
    turn = math.atan2(w[1], w[0])
    units = np.array([[math.cos(turn + e), math.sin(turn + e)] for e in (-0.02, 0.02)])
    along = X @ units.T
    strips = along[y > 0].min(axis=0) - along[y < 0].max(axis=0)
    yield at_least("strips of two unit vectors", strips, 1e-3)
    yield at_most("length of their midpoint", float(np.linalg.norm(units.mean(axis=0))), 1 - 1e-4)


# ------------------------------------------------------------------- 2 A convex problem
@statement("theorem", "2", "Yan, reformulation")
def reformulation(SVC, rng, *, n=12):
    r"""If $M^\star > 0$, then $\min\lVert\beta\rVert^2$ subject to $y_i(\langle\beta, x_i\rangle + \beta_0)
    \ge 1$ is solved by $(\beta, \beta_0)$ iff $(\beta, \beta_0)/\lVert\beta\rVert$ solves the max-margin
    problem, and $M^\star = 1/\lVert\beta\rVert$."""
    X, y, w, b = _hard(SVC, rng, n)
    truth, offset, M = _widest(X, y)
    yield equal("M", 1 / np.linalg.norm(w), M, PLAY * M, X=X, y=y)
    yield at_least("y f(x)", (y * (X @ w + b)).min(), 1.0, PLAY)
    yield equal("unit normal", w / np.linalg.norm(w), M * truth, PLAY)
    play = PLAY * (_reach(X) + M * abs(offset))
    yield equal("offset over the norm", b / np.linalg.norm(w), M * offset, play)


@statement("definition", "2", "Yan, SVMs for separable data")
def hard_primal(SVC, rng):
    r"""$\min\frac12\lVert\beta\rVert^2$ subject to $y_i(\langle\beta, x_i\rangle + \beta_0) \ge 1$ has a
    feasible point iff the data are separable. Without one the fit is refused: no vector is returned."""
    X, y, w, b = _hard(SVC, rng)
    yield at_least("y f(x) on separable data", (y * (X @ w + b)).min(), 1.0, PLAY)
    yield equal("the four corners, labels by diagonal, refused", refuses(_fit, SVC, SQUARE, XOR, INF), True)
    middle = np.vstack([X, X[y > 0].mean(axis=0)])  # a row of class -1 in the hull of class 1
    yield equal("a row in the other hull refused", refuses(_fit, SVC, middle, np.append(y, -1), INF), True)


@statement("formula", "2", "Shi, primal", "Yan, reformulation")
def margin_inverse_norm(SVC, rng):
    r"""At the hard-margin optimum the margin is $\gamma = 1/\lVert w\rVert$, half the width of the strip."""
    X, y, w, b = _hard(SVC, rng)
    distances = y * (X @ w + b) / np.linalg.norm(w)
    both = np.array([distances[y < 0].min(), distances[y > 0].min()])
    gamma = 1 / np.linalg.norm(w)
    yield equal("margins of both classes", both, gamma, PLAY * gamma, X=X, y=y)


# ------------------------------------------------------------------- 3 The dual
@statement("homework", "3", "Yan, back to SVMs")
def hard_dual(dual_objective, SVC, rng, *, n=12):
    r"""The dual of the hard margin is $\max\sum_i\alpha_i - \frac12\sum_{ij}\alpha_i\alpha_jy_iy_j\langle
    x_i, x_j\rangle$ subject to $\sum_i\alpha_iy_i = 0, \alpha_i \ge 0$. Every feasible $\alpha$ bounds the
    primal from below, and at the optimum $\sum_i\alpha_i = \lVert\beta\rVert^2$."""
    X, y = _separable(rng, n)
    truth, offset, M = _widest(X, y)
    K, best = X @ X.T, 0.5 / M**2
    trials = rng.integers(1, 6, (20, len(y))) / 1000.0
    for side in (y > 0, y < 0):  # both classes get the same sum
        trials[:, side] *= 0.01 / trials[:, side].sum(axis=1, keepdims=True)
    values = [dual_objective(alpha, y, K) for alpha in trials]
    yield equal("dual values", values, [_dual(X, y, a) for a in trials], rounding(300, 10.0))
    yield at_most("against the primal optimum", values, best, rounding(300, best))
    alpha = _machine(SVC, X, y, INF)[2]
    misses = max(float((-alpha).max()), abs(float(y @ alpha)))
    yield at_most("misses of feasibility", misses, 0.0, GAP * 2 * best)
    value, play = dual_objective(alpha, y, K), _moved(X, y, truth, offset, 2 * best, best)
    yield equal("dual value at the machine's multipliers", value, best, play, X=X, y=y)
    yield equal("sum of the multipliers", alpha.sum(), 2 * best, PLAY * 2 * best)


@statement("claim", "3 deeper", "Yan, back to SVMs")
def slater(SVC, rng):
    r"""Slater's condition holds on separable data: $2(\beta, \beta_0)$ satisfies every constraint strictly,
    with $y_if(x_i) \ge 2$. The constraints are affine, so feasibility alone would do."""
    X, y, w, b = _hard(SVC, rng)
    yield at_least("y f(x) of the doubled machine", y * (X @ (2 * w) + 2 * b), 2.0, 2 * PLAY, X=X, y=y)


@statement(
    "claim",
    "3",
    "Shi, duality",
    engine="Pairs of multipliers need too many moves at a price of a million or on raw measurements.",
)
def strong_duality(SVC, rng):
    """Strong duality holds: primal and dual value agree, here to a relative gap of $10^{-8}$, for prices
    from $10^{-3}$ to $10^6$ and on raw measurements of 569 tumours, whose features differ in scale by
    more than 100,000. A fit tells both values and their gap, what its multipliers miss, and how many of them
    are inside the box and at $C$; with any kernel."""
    X, y = _overlapping(rng)
    raw, signs = load_breast_cancer(), 2 * np.asarray(load_breast_cancer().y) - 1
    cases = [(X, y, C) for C in (1e-3, 1.0, 1e3, 1e6)] + [(raw.X, signs, C) for C in (1e-3, 1.0, 1e6)]
    gaps, misses = zip(*(_relative_gap(*case, *_machine(SVC, *case)) for case in cases), strict=True)
    yield at_most("relative gaps", gaps, GAP, X=X, y=y)
    yield at_most("misses of the box and the equality over the sum of multipliers", misses, GAP)
    Q, squares = X @ X.T, ((X[:, None] - X) ** 2).sum(axis=2)
    kernels = {
        "linear": (Q, {}),
        "rbf": (np.exp(-squares / (2 * X.var())), {}),  # gamma is 1 over d times the variance of all entries
        "poly": ((Q + 1) ** 2, {"degree": 2, "gamma": 1.0, "coef0": 1.0}),
    }
    for (kernel, (K, options)), C in itertools.product(kernels.items(), (0.25, 16.0)):
        model = _fit(SVC, X, y, C, kernel=kernel, **options)
        truth = _report(K, y, C, _multipliers(model, y), model.intercept_[0])
        told, right = _misses(getattr(model, "certificate_", truth), *truth), np.array([*truth.values()])
        what = f"{kernel} kernel, C = {C:g}: {', '.join(truth)}"
        yield equal(what, told, right, GAP * np.maximum(1, right))


def _report(K, y, C, alpha, b):
    """Return what a certificate tells, from the multipliers and the offset alone."""
    beta, margins = alpha * y, y * (K @ (alpha * y) + b)
    slack, square = np.maximum(0, 1 - margins), beta @ K @ beta
    primal, dual = 0.5 * square + C * slack.sum(), alpha.sum() - 0.5 * square - abs(b * beta.sum())
    inside = (alpha > 0) & (alpha < C)
    return {
        "primal": primal,
        "dual": dual,
        "gap": (primal - dual) / primal,
        "dual_feasibility": max(0.0, -alpha.min(), (alpha - C).max()),
        "equality": abs(beta.sum()) / alpha.sum(),
        "complementarity": np.maximum(alpha * (margins - 1), (C - alpha) * slack).max() / primal,
        "margin": inside.sum(),
        "bound": (alpha == C).sum(),
    }


# ------------------------------------------------------------------- 4 Optimality
@statement("theorem", "4", "Yan, checking KKT conditions", "Shi, eqs. (3)-(7)")
def kkt(kkt_residuals, rng, *, n=5):
    r"""$(w, b, \alpha)$ is optimal iff five conditions hold: primal and dual feasibility,
    $\sum_i\alpha_iy_i = 0$, complementarity, and $w = \sum_i\alpha_iy_ix_i$. All residuals are 0 at the
    optimum, and each of them shows a point that breaks it."""
    # two rows at -1 and 1: with C = 1 the optimum is w = 1, b = 0, alpha = (1/2, 1/2)
    names = ("primal_feasibility", "dual_feasibility", "equality", "complementarity", "stationarity")
    for C, w, b, alpha, slack, expected in (
        (1.0, 1.0, 0.0, [0.5, 0.5], None, (0, 0, 0, 0, 0)),
        (0.5, 1.0, 0.0, [0.5, 0.5], [1.0, 0.0], (0, 0, 0, 0.5, 0)),  # (4) is what the slack adds
        (0.25, 0.5, 0.0, [0.25, 0.25], [0.5, 0.5], (0, 0, 0, 0, 0)),  # optimal, with slack
        (1.0, 1.0, 0.0, [0.5, 0.5], [-0.5, 0.0], (0.5, 0, 0, 0.25, 0)),
        (1.0, 3.0, 0.0, [0.5, 0.5], [-0.5, 0.0], (0.5, 0, 0, 1.0, 2.0)),
        (1.0, 1.0, 0.0, [1.5, 0.25], None, (0, 0.5, 1.25, 0, 0.75)),
        (1.0, 1.0, 0.0, [0.5, -0.25], None, (0, 0.25, 0.75, 0, 0.75)),
        (1.0, 1.0, 1.0, [0.0, 0.5], [1.0, 0.0], (0, 0, 0.5, 1.0, 0.5)),
        (1.0, 3.0, 0.0, [0.5, 0.5], None, (0, 0, 0, 1.0, 2.0)),
        (INF, 0.5, 0.0, [0.25, 0.25], None, (0.5, 0, 0, 0.125, 0)),
        (INF, 1.0, 0.5, [0.5, 0.5], None, (0.5, 0, 0, 0.25, 0)),  # the other row is beyond its margin
        (INF, 1.0, 0.0, [0.5, 0.5], [0.25, 0.5], (0, 0, 0, 0.5, 0)),  # the product with alpha is 1/4
    ):
        report = kkt_residuals(PAIR, PAIR_Y, C, np.array([w]), b, np.array(alpha), slack)
        point = f"C = {C:g}, w = {w:g}, b = {b:g}, alpha = {alpha}, slack = {slack or 'the least'}"
        for k, (name, miss, right) in enumerate(
            zip(names, _misses(report, *names), expected, strict=True), 1
        ):
            yield equal(f"({k}) {name.replace('_', ' ')}, {point}", miss, right, rounding(8, 4))
    X, y = _overlapping(rng, n=max(n, 2))
    b, alpha = 0.5, rng.integers(0, 5, len(y)) / 4
    w = (y * alpha) @ X + rng.choice([-1, 1], 2) * rng.integers(1, 4, 2) / 2  # both entries apart
    misses = _misses(kkt_residuals(X, y, 1.0, w, b, alpha), "equality", "stationarity")
    truth = (abs(float(y @ alpha)), abs(w - (y * alpha) @ X).max())
    yield equal("equality and stationarity of a random point", misses, truth, rounding(20, 40), X=X)


@statement("definition", "4", "Yan, implications", "Shi, support vectors")
def support_vectors(SVC, rng):
    r"""In the hard margin $y_if(x_i) > 1$ implies $\alpha_i = 0$, and $\alpha_i > 0$ implies $y_if(x_i) =
    1$. The converse is false: on the corners of a square, labelled by side, all four rows have $y_if(x_i) =
    1$, and $\alpha = (\frac12, 0, \frac12, 0)$ is optimal."""
    X, y = _separable(rng)
    w, b, alpha = _machine(SVC, X, y, INF)
    margins = y * (X @ w + b)
    yield equal("smallest y f(x)", margins.min(), 1.0, PLAY, X=X, y=y)
    yield from _off_the_margin(X, y, alpha)
    some = np.array([0.5, 0.0, 0.5, 0.0])
    v, offset = _plane(SVC, SQUARE, SIDES, INF)
    play = PLAY * (_reach(SQUARE) + 1)
    yield equal("y f(x) on the square", SIDES * (SQUARE @ v + offset), 1.0, play)
    yield equal("normal from (1/2, 0, 1/2, 0)", (SIDES * some) @ SQUARE, v, PLAY)


def _off_the_margin(X, y, alpha):
    """Yield the products alpha_i (m_i - 1) at the true plane, which add up to what alpha lacks."""
    w, b, M = _widest(X, y)
    best = 0.5 / M**2
    products = alpha * (y * (X @ w + b) - 1)
    yield equal("multiplier times y f(x) - 1", products, 0.0, _moved(X, y, w, b, 2 * best, best), X=X, y=y)


@statement("claim", "4 deeper", "Yan, implications")
def span(SVC, rng, *, n=12):
    r"""$\beta$ is a combination of the support vectors, and a fit to them alone gives the same machine."""
    X, y = _separable(rng, n)
    model = _fit(SVC, X, y, INF)
    (w, b), alpha = _plane_of(model), _multipliers(model, y)
    truth, offset, _ = _widest(X, y)
    play = _hard_play(X, truth, offset)
    yield equal("sum of the support vectors", (y * alpha) @ X, w, play[:2], X=X, y=y)
    yield from _off_the_margin(X, y, alpha)
    support, again = alpha > 0, (np.full(2, math.nan), math.nan)
    if len(set(y[support])) == 2:
        again = _plane(SVC, X[support], y[support], INF)
    # the optimum of the support vectors is within sqrt(2 g) of that of all rows, and each fit of its own
    yield equal("the fit to them", np.append(again[0], again[1]), np.append(w, b), 3 * play)


# ------------------------------------------------------------------- 5 Slack
@statement("definition", "5", "Yan, accommodating non-separable data", "Shi, primal")
def soft_primal(primal_objective, hinge_loss, SVC, rng):
    r"""$\min\frac12\lVert\beta\rVert^2 + C\sum_i\xi_i$ with $y_if(x_i) \ge 1 - \xi_i, \xi_i \ge 0$ always has
    a feasible point; the best slacks of a plane are $\max(0, 1 - y_if(x_i))$. $\beta_0$ is not penalised."""
    X, y = _overlapping(rng)
    w, b, C = rng.integers(-4, 5, 2) / 4 + 0.125, 2.0, 3.0
    slack = np.maximum(0, 1 - y * (X @ w + b))
    yield equal("slacks", hinge_loss(X, y, w, b), slack, rounding(4, 20), X=X, w=w)
    truth = 0.5 * w @ w + C * slack.sum()
    yield equal("objective", primal_objective(X, y, w, b, C), truth, rounding(60, 1500))
    best, offset = _plane(SVC, X, y, C)
    value = _primal(X, y, best, offset, C)
    around = [_primal(X, y, best + step[:2], offset + step[2], C) for step in rng.normal(0, 0.05, (200, 3))]
    yield at_most("value of the machine against 200 neighbours", value, min(around), GAP * value)


@statement("formula", "5", "Shi, Lagrangian function")
def lagrangian(lagrangian, lagrangian_gradient, rng):
    r"""$L = \frac12\lVert w\rVert^2 + C\sum\xi_i + \sum\alpha_i(1 - \xi_i - y_if(x_i)) - \sum\eta_i\xi_i$
    has the derivatives $w - \sum\alpha_iy_ix_i$, $-\sum\alpha_iy_i$ and $C - \alpha_i - \eta_i$. $L$ is
    quadratic, so that central differences are exact up to rounding."""
    X, y = _overlapping(rng, n=6)
    w, b, slack = rng.integers(-4, 5, 2) / 4, 0.75, rng.integers(0, 5, 6) / 4
    alpha, eta = rng.integers(0, 5, 6) / 4 + 0.25, rng.integers(0, 5, 6) / 4 + 0.25
    alpha[0] += 10  # not balanced
    truth = 0.5 * w @ w + 2 * slack.sum() + alpha @ (1 - slack - y * (X @ w + b)) - eta @ slack
    value = lagrangian(X, y, 2.0, w, b, slack, alpha, eta)
    yield equal("value", value, truth, rounding(40, 400), X=X, w=w, slack=slack)
    point = np.concatenate([w, [b], slack])

    def at(z):
        return lagrangian(X, y, 2.0, z[:2], float(z[2]), z[3:], alpha, eta)

    differences = np.array([(at(point + h) - at(point - h)) / 0.5 for h in 0.25 * np.eye(9)])
    answer = _joined(lagrangian_gradient(X, y, 2.0, w, alpha, eta), 6)
    yield equal("derivatives against differences", answer, differences, rounding(40, 4000))


@statement("formula", "5", "Shi, eqs. (3)-(5)", given=("SVC",))
def stationarity(lagrangian_gradient, SVC, rng):
    r"""At the optimum, with $\eta_i = C - \alpha_i$, all derivatives of $L$ are zero: $w =
    \sum\alpha_iy_ix_i$, $C - \alpha_i - \eta_i = 0$ and $\sum\alpha_iy_i = 0$."""
    X, y, w, b, alpha = _soft(SVC, rng, 0.5)
    answer = _joined(lagrangian_gradient(X, y, 0.5, w, alpha, 0.5 - alpha), 24)
    root, _ = _soft_play(X, w, 0.5, _primal(X, y, w, b, 0.5))
    play = np.concatenate([[root, root, GAP * alpha.sum()], np.full(24, rounding(4))])
    yield equal("derivatives at the optimum", answer, np.zeros(27), play, X=X, y=y)
    other = alpha + np.arange(24)  # not balanced
    answer = _joined(lagrangian_gradient(X, y, 0.5, w + 1, other, np.full(24, 2.0)), 24)
    truth = np.concatenate([w + 1 - (y * other) @ X, [-y @ other], -1.5 - other])
    yield equal("derivatives elsewhere", answer, truth, rounding(60, 2000))


@statement("formula", "5", "Shi, dual")
def dual_derivation(lagrangian, dual_objective, rng):
    r"""With $w = \sum\alpha_iy_ix_i$ and $\eta_i = C - \alpha_i$ the Lagrangian is the dual objective
    *minus* $b\sum_i\alpha_iy_i$, for every $b$ and $\xi$."""
    X, y = _overlapping(rng, n=6)
    for name, alpha in (("balanced", np.ones(6)), ("unbalanced", np.array([1, 3, 0, 2, 1, 2.0]) / 2)):
        w, b, slack = (y * alpha) @ X, 1.5, rng.integers(0, 5, 6) / 4
        L, value = lagrangian(X, y, 2.0, w, b, slack, alpha, 2.0 - alpha), dual_objective(alpha, y, X @ X.T)
        slack = rounding(60, 1000 + 10 * abs(L))
        yield equal(f"Lagrangian, {name}", L, value - b * float(y @ alpha), slack, X=X, alpha=alpha)
        yield equal(f"dual value, {name}", value, _dual(X, y, alpha), slack)


@statement("homework", "5", "Yan, dual problem, non-separable", "Shi, dual")
def soft_dual(SVC, rng, *, n=5, d=2):
    r"""The dual of the soft margin is that of the hard margin with the box $0 \le \alpha_i \le C$. Checked
    against all $3^«n»$ sets of multipliers at 0, between and at $C$, in fractions."""
    cases = [(*_overlapping(rng, n, d), C) for C in (Fraction(1, 8), Fraction(2))]
    # five rows may have a wide strip without slack: two rows at the price for certain, far from the origin
    for X, y, C in (*cases, (PAIR + 5, PAIR_Y, Fraction(1, 4))):
        value, w, low, high, best = enumerate_dual(X, y, C)
        v, b, alpha = _machine(SVC, X, y, float(C))
        total, play = float(best.sum()), _soft_play(X, w, float(C), value)
        moved = _moved(X, y, w, low, 2 * total, value)
        yield equal(f"value of the dual, C = {C}", _dual(X, y, alpha), value, moved, X=X, y=y)
        yield equal(f"normal vector, C = {C}", v, w, play[0])
        yield at_most(f"distance of b to its interval, C = {C}", max(low - b, b - high), 0.0, play[1])
        yield at_most(f"largest multiplier, C = {C}", alpha.max(), float(C), GAP * alpha.sum())
        yield at_least(f"smallest multiplier, C = {C}", alpha.min(), 0.0, GAP * alpha.sum())


@statement("formula", "5", "Shi, eqs. (6)-(7)")
def complementarity(SVC, rng):
    r"""At the optimum $\alpha_i(1 - \xi_i - y_if(x_i)) = 0$ and $(C - \alpha_i)\xi_i = 0$ for every row."""
    X, y, w, b, alpha = _soft(SVC, rng, 0.5)
    margins = y * (X @ w + b)
    slack = np.maximum(0, 1 - margins)
    play = _moved(X, y, w, b, alpha.sum(), _primal(X, y, w, b, 0.5))
    yield equal("multiplier times surplus", alpha * (1 - slack - margins), np.zeros(24), play, X=X, y=y)
    yield equal("room below C times slack", (0.5 - alpha) * slack, np.zeros(24), play)


@statement("claim", "5 deeper", "Yan, accommodating non-separable data")
def C_infinity(SVC, rng):
    r"""On separable data the soft margin is the hard margin for every $C \ge \min\max_i\alpha_i$, the
    minimum over the optimal $\alpha$ of the hard margin, not only for $C = \infty$. Rows at $-1$ and $1$:
    $w = \min(2C, 1)$."""
    prices = np.array([0.125, 0.25, 0.495, 0.5, 1.0, 1000.0])
    slopes = [_plane(SVC, PAIR, PAIR_Y, C)[0][0] for C in prices]
    yield equal("w of two rows", slopes, np.minimum(2 * prices, 1), PLAY, prices=prices)  # 2 g is at most GAP
    X, y = _separable(rng)
    w, b, alpha = _machine(SVC, X, y, INF)
    price = float(alpha.max())
    again, offset = _plane(SVC, X, y, price)
    truth = _widest(X, y)
    hard, value = _hard_play(X, *truth[:2]), 0.5 / truth[2] ** 2
    # the values of the two problems differ by g: twice the gap, and the play of the hard one
    root, line = _soft_play(X, truth[0], price, 2 * value)
    play = hard + np.array([2 * root, 2 * root, 2 * line])
    yield equal("machine at C = max alpha", np.append(again, offset), np.append(w, b), play, X=X, y=y)
    yield equal("which is the hard one", np.append(w, b), np.append(*truth[:2]), hard)


# ------------------------------------------------------------------- 6 From multipliers to a machine
@statement("formula", "6", "Yan, implications", "Shi, eqs. (8)-(9)")
def recover(bias_interval, rng, *, n=5):
    r"""From optimal multipliers $w = \sum_i\alpha_iy_ix_i$, and $b = y_i - \langle w, x_i\rangle$ for any
    row with $0 < \alpha_i < C$. If there is none, an interval of $b$ is optimal: for rows at $-1$ and $1$
    with $C = \frac14$ it is $[-\frac12, \frac12]$."""
    # a third row without a multiplier, at 2 or at -2, moves the end that its own class does not hold
    far = [-0.5, 0.5]  # beyond its margin it holds no end, though its y - <w, x> is the least or the largest
    for x, label, expected in ((2.0, 1, [0.0, 0.5]), (-2.0, -1, [-0.5, 0.0]), (4.0, 1, far), (-4.0, -1, far)):
        X, y = np.append(PAIR, [[x]], axis=0), np.append(PAIR_Y, label)
        ends = bias_interval(np.array([0.25, 0.25, 0.0]), y, X @ X.T, 0.25)
        yield equal(f"interval with a third row at {x:g}", ends, expected, rounding(8), X=X, y=y)
    K = PAIR @ PAIR.T
    ends = bias_interval(np.array([0.25, 0.25]), PAIR_Y, K, 0.25)
    yield equal("interval without a free row", ends, [-0.5, 0.5], rounding(8))
    ends = bias_interval(np.array([0.5, 0.5]), PAIR_Y, K, 1.0)
    yield equal("interval with free rows", ends, np.zeros(2), rounding(8))
    X, y = _overlapping(rng, n=max(n, 2))
    C = Fraction(int(rng.choice([1, 16])), 8)
    _, _, low, high, alpha = enumerate_dual(X, y, C)
    ends = bias_interval(alpha, y, X @ X.T, float(C))
    size = 2 + float((abs(X @ X.T) @ alpha).max())
    yield equal("interval of random rows", ends, [low, high], rounding(12, size), X=X, y=y, C=C)


@statement("algorithm", "6", "Shi, eq. (9)")
def b_average(SVC, rng):
    r"""Every row with $0 < \alpha_i < C$ gives the same $b = y_i - \langle w, x_i\rangle$; average over
    these rows, not over those at $C$. Without such a row the middle of the interval is taken: $-\frac52$
    for rows at 4 and 6 with $C = \frac14$."""
    X, y = _overlapping(rng)
    for rows, labels, C in ((X, y, 0.5), (_FOUR, _FOUR_Y, 1.0)):  # the second has two free rows for certain
        w, b, alpha = _machine(SVC, rows, labels, C)
        free = np.minimum(alpha, C - alpha)  # if y - w x is not b, one of the two products is not 0
        play = _moved(rows, labels, w, b, alpha.sum(), _primal(rows, labels, w, b, C))
        what = f"y - w x less b, times the way of alpha to 0 and C, {len(rows)} rows"
        yield equal(what, free * (labels - rows @ w - b), 0.0, play, X=rows, y=labels)
    shifted = PAIR + 5
    w, b = _plane(SVC, shifted, PAIR_Y, 0.25)
    root, _ = _soft_play(shifted, np.array([0.5]), 0.25, 0.375)
    play = root * np.array([1.0, 6.0])  # the ends of the interval are y - w x
    yield equal("w and b without a free row", np.append(w, b), [0.5, -2.5], play)


@statement("formula", "6", "Shi, support vectors")
def decision_dual(SVC, rng):
    r"""$f(x) = \sum_{i \in S}\alpha_iy_i\langle x_i, x\rangle + b$ needs only the support vectors: it is
    $\langle w, x\rangle + b$, and the answer is its sign, the second class at 0."""
    X, y = _overlapping(rng)
    model, Z = _fit(SVC, X, y, 0.5), rng.integers(-9, 10, (40, 2)) / 2
    (w, b), alpha = _plane_of(model), _multipliers(model, y)
    scores = model.decision_function(Z)
    play = _soft_play(X, w, 0.5, _primal(X, y, w, b, 0.5))[0] * _reach(Z)
    yield equal("scores from the multipliers", scores, Z @ X.T @ (y * alpha) + b, play, X=X, Z=Z)
    yield equal("scores from the normal vector", scores, Z @ w + b, play)
    clear = abs(scores) > play
    yield equal("answers", model.predict(Z)[clear], np.where(scores >= 0, 1.0, -1.0)[clear])


@statement("claim", "6 deeper", "Shi, support vectors")
def sparsity(SVC, rng, *, C=0.001):
    """How many multipliers are zero depends on the data: with three rows a class, integers up to 6, and $C =
    «C»$ all six are support vectors. In the hard margin leaving one row out errs on support vectors only."""
    X, y = _separable(rng, n=6)
    alpha = _machine(SVC, X, y, C)[2]
    # all slopes 1 - y v x are above 1/2: the room below C adds up to 2 g, the misses to 6 GAP sum(alpha)
    yield equal("multipliers of six rows at a small price", alpha, C, (2 + 6) * GAP * 6 * C, X=X, y=y)
    X, y = _separable(rng)
    alpha, wrong = _machine(SVC, X, y, INF)[2], np.zeros(12, bool)
    yield from _off_the_margin(X, y, alpha)
    for i in range(12):
        rest = np.arange(12) != i
        w, b = _plane(SVC, X[rest], y[rest], INF)
        wrong[i] = not y[i] * (X[i] @ w + b) > 0
    # without a row of multiplier 0 the dual value stays, so w moves by sqrt(2 g), and its y f(x) is near 1
    yield equal("rows of multiplier 0 on which leave-one-out errs", int((wrong & ~(alpha > 0)).sum()), 0)


@statement("claim", "6", "Shi, two types of support vectors")
def sv_types(support_vector_types):
    r"""$0 < \alpha_i < C$ puts a row on the margin; $\alpha_i = C$ leaves $\xi_i \ge 0$ open: on the margin
    ($\xi = 0$), inside the strip ($\xi < 1$), on the boundary ($\xi = 1$) or wrong ($\xi > 1$). Rows at
    $-1$ and $1$ with $C = \frac12$ have $\alpha = C$ and $\xi = 0$."""
    alpha = np.array([0.0, 0.25, 0.5, 0.5, 0.5, 0.5])
    slack = np.array([0.0, 0.0, 0.0, 0.5, 1.0, 1.5])
    expected = ["none", "margin", "edge", "inside", "boundary", "wrong"]
    yield equal("six cases", [str(t) for t in support_vector_types(alpha, slack, 0.5)], expected)
    for C, kind in ((0.5, "edge"), (INF, "margin")):
        pair = [str(t) for t in support_vector_types(np.array([0.5, 0.5]), np.zeros(2), C)]
        yield equal(f"two rows with C = {C}", pair, [kind, kind])


@statement("algorithm", "6", "Platt (1999)")
def pairs(smo, rng):
    r"""Two multipliers move at a time: the rows that disagree most about $b$, by opposite amounts of
    $\alpha_iy_i$ and within the box. The dual never falls. The gap at each step is that of $w =
    \sum_i\alpha_iy_ix_i$ with $b$ in the middle of what the two rows say; it bounds the way to the optimum,
    and at the end it is at most $10^{-9}$."""
    X, y = _overlapping(rng, n=5)
    # now beta'K beta >= 9 |beta|^2: a move inside the box wins at least 1/29 of what the dual misses
    X = np.hstack([X, 3 * np.eye(5)])
    C, K = 1 / 16, X @ X.T
    states = [(as_numbers(a, 5), pair, scalar(gap)) for a, pair, gap in itertools.islice(smo(K, y, C), 2000)]
    alpha, gaps = np.array([a for a, *_ in states]), np.array([gap for *_, gap in states])
    beta, size = alpha * y, 5 * C * float(abs(K).max())
    slack = rounding(60 + 8 * len(states), size)  # r is carried from move to move
    r = y - beta @ K
    grows, shrinks = beta < np.maximum(0, C * y), beta > np.minimum(0, C * y)
    top, bottom = np.where(grows, r, -INF).max(axis=1), np.where(shrinks, r, INF).min(axis=1)
    yield at_least("multipliers", alpha, 0.0)
    yield at_most("multipliers against C", alpha, C)
    yield equal("sum of alpha y", beta.sum(axis=1), 0.0, rounding(8 * len(beta), C))
    named = [pair for _, pair, _ in states[1:]]
    moves = np.diff(alpha, axis=0) != 0
    others = [len(set(np.flatnonzero(move)) - {*pair}) for move, pair in zip(moves, named, strict=True)]
    yield equal("multipliers that move beside the named pair", others, 0)
    spread = [r[t][i] - r[t][j] for t, (i, j) in enumerate(named)]
    yield equal("r_i - r_j of the pair against the most", spread, (top - bottom)[:-1], slack)
    dual = np.array([_dual(X, y, a) for a in alpha])
    yield at_least("rise of the dual", np.diff(dual), 0.0, slack)
    primal = [_primal(X, y, b @ X, middle, C) for b, middle in zip(beta, (top + bottom) / 2, strict=True)]
    yield equal("gap of the plane", gaps, 1 - dual / primal, slack / min(primal), X=X, y=y)
    value = enumerate_dual(X, y, Fraction(C))[0]
    yield at_most("optimum less its share of the gap, against the dual", (1 - gaps) * value, dual, slack)
    yield at_most("last gap", gaps[-1], 1e-9)


# ------------------------------------------------------------------- 7 Other forms
def _form2(X, y, u, b, gamma, C):
    return -gamma + C * np.maximum(0, gamma - y * (X @ u + b)).sum()


@statement("definition", "7 deeper", "Shi, eq. (2)", given=("SVC",))
def form2(form2_cost, SVC, rng):
    r"""Shi's form (2) minimises $-\gamma + C\sum\xi_i$ subject to $y_i(\langle w, x_i\rangle + b) \ge
    \gamma - \xi_i$, $\xi_i \ge 0$, $\lVert w\rVert = 1$. In one dimension $w = \pm1$ leaves a linear
    program whose vertices can be listed; the C-SVM with the mapped constant solves it."""
    X, y = _overlapping(rng, n=8, d=1)
    X = X + rng.permutation(8)[:, None] / 16
    X[-1] += y @ X == 0  # else w = 0
    w, b, alpha = _machine(SVC, X, y, 4.0)  # some multiplier is 4, so their sum is not 1
    cost, length = form2_cost(alpha, 4.0), np.linalg.norm(w)
    yield equal("mapped constant times the sum of alpha", cost * alpha.sum(), 4.0, rounding(16, 4))
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


@statement("claim", "7 deeper", "Shi, primal", given=("SVC",))
def equivalence(form2_cost, form2_least_cost, SVC, rng):
    r"""The C-SVM with solution $(w, b, \alpha)$, $w \ne 0$, and form (2) with the constant
    $C/\sum_i\alpha_i$ (not $C$) have the same plane, and $\gamma = 1/\lVert w\rVert$. Certificate: with
    $\lambda = \alpha/\sum\alpha$ every point of (2) costs at least $-\lVert\sum\lambda_iy_ix_i\rVert$.
    Below $1/(2\min(n_+, n_-))$ form (2) has no minimum."""
    X, y, w, b, alpha = _soft(SVC, rng, 4.0)  # some multiplier is 4, so their sum is not 1
    cost, length, weights = form2_cost(alpha, 4.0), np.linalg.norm(w), alpha / alpha.sum()
    value = _form2(X, y, w / length, b / length, 1 / length, cost)
    bound, play = -np.linalg.norm((y * weights) @ X), _form2_play(X, y, w, b, alpha)
    yield equal("value against the certificate", value, bound, play, X=X, y=y)
    yield at_most("weights of the certificate against the constant", float(weights.max()), cost, GAP)
    y[2:6:2] = 1  # fewer rows of class -1
    least, few = form2_least_cost(y), float(min((y > 0).sum(), (y < 0).sum()))
    far = [_form2(X, y, np.eye(2)[0], g, g, 0.9 * least) for g in (1e3, 1e4)]
    yield equal("twice the least constant times the smaller class", 2 * least * few, 1.0, rounding(4))
    yield at_most("rise from gamma = 10^3 to 10^4, constant 0.9 of the least", far[1] - far[0], -100.0)


@statement("theorem", "7", "Shi, view in ERM")
def hinge_erm(erm_objective, erm_subgradient, primal_objective, rng):
    r"""The C-SVM is regularised risk minimisation: its objective is $nC$ times the sum of the mean hinge
    loss and $\frac\lambda2\lVert w\rVert^2$, with $\lambda = 1/(nC)$. The subgradient $\lambda w -
    \frac1n\sum_{y_if(x_i) < 1}y_ix_i$ (and $-\frac1n\sum y_i$ for $b$) supports it from below."""
    X, y = _overlapping(rng)
    C, points = 0.5, rng.integers(-8, 9, (12, 3)) / 8 + 0.0625
    points[:3, :2], points[:3, 2] = 0.0, (6.0, 7.0, 0.5)  # a penalty of b shows far out, a wrong kink at 1/2
    lam = 1 / (24 * C)
    values = np.array([erm_objective(X, y, p[:2], float(p[2]), lam) for p in points])
    primal = [primal_objective(X, y, p[:2], float(p[2]), C) for p in points]
    truth = np.array([_primal(X, y, p[:2], p[2], C) for p in points])
    yield equal("objective of the machine", primal, truth, rounding(80, 300), X=X, y=y)
    yield equal("the same as a risk, times nC", 24 * C * values, truth, rounding(80, 300))
    slopes = np.array([_joined(erm_subgradient(X, y, p[:2], float(p[2]), lam)) for p in points])
    value = truth / (24 * C)
    planes = value[:, None] + slopes @ points.T - (slopes * points).sum(axis=1)[:, None]
    what = "supporting planes at 12 points against the values at all"
    yield at_most(what, planes, np.tile(value, (12, 1)), rounding(200, 60))


# ------------------------------------------------------------------- 8 Kernels
@statement("theorem", "8", "Shi, dual with kernels")
def kernel(SVC, polynomial_kernel, rng):
    r"""Replacing $\langle x, x'\rangle$ by $\kappa(x, x') = \langle\phi(x), \phi(x')\rangle$ in training
    *and* in the answer is the linear machine on $\phi(x)$: for $(1 + xx')^2$ and $\phi(x) = (1, \sqrt2x,
    x^2)$ both have the same scores on new points, and the Gram matrix is positive semi-definite."""
    x = (np.arange(18) - 8.5) / 6 + rng.integers(-1, 2, 18) / 32
    y = np.where(abs(x - 0.25) > 0.75, 1, -1)  # not symmetric: the linear part of the map matters
    X, Z = x[:, None], np.linspace(-2, 2, 21)[:, None]

    def lift(T):
        return np.column_stack([np.ones(len(T)), math.sqrt(2) * T[:, 0], T[:, 0] ** 2])

    K = polynomial_kernel(X, Z, degree=2, gamma=1.0, coef0=1.0)
    yield equal("kernel values", K, lift(X) @ lift(Z).T, rounding(8, 30))
    curve = _fit(SVC, X, y, 2.0, kernel="poly", degree=2, gamma=1.0, coef0=1.0)
    plane = _fit(SVC, lift(X), y, 2.0)
    w, b = _plane_of(plane)
    scores = curve.decision_function(Z)
    root, line = _soft_play(lift(X), w, 2.0, _primal(lift(X), y, w, b, 2.0))
    play = 2 * (root * _reach(lift(Z)) + line)  # each is off by half of it
    yield equal("scores of new points", scores, lift(Z) @ w + b, play, x=x, y=y)
    G = polynomial_kernel(X, X, degree=2, gamma=1.0, coef0=1.0)
    least = np.linalg.eigvalsh(G)[0] if np.isfinite(G).all() else math.nan
    yield at_least("least eigenvalue of the Gram matrix", least, 0.0, rounding(18, abs(G).max()))


@statement("definition", "8 deeper")
def gram(is_gram, rbf_kernel, rng):
    r"""A symmetric matrix is a Gram matrix iff it has no negative eigenvalue. The Gaussian kernel gives one
    on any points; $\begin{pmatrix}1 & 2\\ 2 & 1\end{pmatrix}$ and $-\langle x, z\rangle$ are none."""
    X = rng.integers(-3, 4, (20, 2)).astype(float)  # with repetitions: rank below 20
    K = rbf_kernel(X, X, gamma=0.5)
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    yield equal("Gaussian kernel", K, np.exp(-0.5 * squares), rounding(16, 40), X=X)
    yield equal("its Gram matrix", is_gram(np.exp(-0.5 * squares)), True)
    for M in ([[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.5], [0.0, 1.0]], (-X @ X.T).tolist()):
        yield equal("none", is_gram(np.array(M)), False, M=M)


@statement("claim", "8")
def gaussian_kernel(SVC, rng, *, gamma=0.5):
    r"""A machine with the Gaussian kernel $e^{-\gamma\lVert x - x'\rVert^2}$, the default, is proved like
    a linear one: from its multipliers, its scores and the kernel alone the gap is at most $10^{-8}$ of the
    value, here for $\gamma = «gamma»$; and `predict` goes by the sign of the score."""
    X, y = _overlapping(rng)
    T = rng.integers(-6, 7, (20, 2)).astype(float)
    for C in (0.25, 16.0):
        model = quietly(SVC(C, gamma=gamma).fit, X, y)
        alpha, b = _multipliers(model, y), model.intercept_[0]
        K, far = (np.exp(-gamma * ((Z[:, None] - X) ** 2).sum(axis=2)) for Z in (X, T))
        report = _report(K, y, C, alpha, b)
        yield at_most(f"relative gap, C = {C:g}", report["gap"], GAP, X=X, y=y)
        miss = max(report["dual_feasibility"] / alpha.sum(), report["equality"])
        yield at_most(f"miss of the box and the equality, C = {C:g}", miss, GAP)
        scores, slack = far @ (y * alpha) + b, rounding(24, 1 + float(alpha.sum()))
        yield equal(f"scores of new points, C = {C:g}", model.decision_function(T), scores, slack, T=T)
        clear, answers = abs(scores) > slack, model.predict(T)
        yield equal(f"answers, C = {C:g}", answers[clear], np.where(scores > 0, 1.0, -1.0)[clear], T=T)


@statement("theorem", "8 deeper", "Schoelkopf et al. (2001), proposition 4")
def one_class(OneClassSVM, rng):
    r"""The one-class machine with $\nu$ leaves out at most $\nu n$ of its rows and has at least $\nu n$
    support vectors."""
    X = rng.normal(0, 1, (40, 2))
    out, support, gaps = [], [], []
    for nu in (0.1, 0.25, 0.6):
        model = OneClassSVM(nu, gamma=0.5).fit(X)
        scores = model.decision_function(X)
        beta = np.zeros(40)
        beta[model.support_] = model.dual_coef_[0] / (40 * nu)
        K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
        rho = float((K @ beta - scores / (40 * nu)).mean())
        primal = 0.5 * beta @ K @ beta - rho + np.maximum(0, rho - K @ beta).sum() / (40 * nu)
        value = 0.5 * beta @ K @ beta
        gaps.append((primal + value) / value)
        truth = {"primal": primal, "dual": -value, "gap": gaps[-1], "equality": abs(beta.sum() - 1)}
        report = getattr(model, "certificate_", truth)
        told = np.array([scalar(report.get(name)) for name in truth])
        yield equal(f"its report, nu = {nu}: {', '.join(truth)}", told, list(truth.values()), GAP)
        # a slack of 4,000 g has beta within g/(4,000 g) of 1/(40 nu): no more than 40 nu (1 + nu/99) rows
        out.append(float((scores / (40 * nu) < -4000 * GAP * value).sum()) - 40 * nu * (1 + nu / 99))
        support.append(float((beta > 0).sum()) - 40 * nu)
    yield at_most("rows left out less nu n (1 + nu/99)", out, 0.0, rounding(4, 40))
    yield at_least("support vectors less nu n", support, 0.0, rounding(4, 40))
    yield at_most("relative gaps", gaps, GAP, X=X)
    Z = 3 * rng.normal(0, 1, (40, 2))
    scores, answers = model.decision_function(Z), model.predict(Z)
    clear = abs(scores) > 1e-6 * abs(scores).max()
    yield equal("answers on new points", answers[clear], np.where(scores > 0, 1.0, -1.0)[clear], Z=Z)


# ------------------------------------------------------------------- 9 What the bounds say
@statement("theorem", "9 deeper", "Shi, VC bound")
def vc_bound(vc_bound, vc_sample_size):
    r"""$t = 2\sqrt{2(h\log\frac{2en}h + \log\frac2\delta)/n}$ solves $2(2en/h)^he^{-nt^2/8} = \delta$
    (natural logarithms). At $\delta = 0.05$ it is below 1, and says anything at all, only from $n = 78,
    167, 518, 34403$ on for $h = 1, 3, 11, 785$."""
    cases = list(itertools.product((50, 1000, 10**6), (1, 3, 40), (0.05, 1e-6)))
    t, (n, h, delta) = np.array([vc_bound(*case) for case in cases]), np.array(cases).T
    logs = math.log(2) + h * np.log(2 * math.e * n / h)
    slack = rounding(16, float(logs.max()))
    yield equal("log of the right-hand side", logs - n * t**2 / 8, np.log(delta), slack)
    least = [vc_sample_size(h, 0.05) for h in (1, 3, 11, 785)]
    yield equal("least useful n", least, [78.0, 167.0, 518.0, 34403.0])
    points = np.arange(8)  # Sauer for thresholds, h = 1: at most en/h patterns
    patterns = {tuple(points >= cut) for cut in range(9)}
    yield at_most("patterns of thresholds on 8 points against (en/h)^h", len(patterns), math.e * 8)


@statement("claim", "9 deeper", "Shi, after the VC bound", "Vapnik (1998), theorem 10.3")
def vc_margin_dim(margin_dimension, rng):
    r"""Planes with a margin $\gamma$ fixed in advance, on points of a ball of radius $R$ in $D$ dimensions,
    shatter at most $\min\{D, \lceil R^2/\gamma^2\rceil\} + 1$ points. The corners of a regular simplex
    attain it: $2m$ corners with $R = 1$ can be split in every way with the margin $1/\sqrt{2m - 1}$, and no
    more; three corners with the margin $\frac34$."""
    margins, counts = [], np.arange(2, 9)
    for n in counts:
        corners = np.eye(int(n)) - 1 / n
        corners /= np.linalg.norm(corners[0])
        splits = [corners[:k].mean(axis=0) - corners[k:].mean(axis=0) for k in range(1, n)]
        margins.append(min(np.linalg.norm(s) for s in splits) / 2)
    even = (counts[::2] - 1) ** -0.5
    yield equal("least margin of all splits of 2m corners", margins[::2], even, rounding(16))
    yield equal("least margin of all splits of three corners", margins[1], 0.75, rounding(16))
    points = [margin_dimension(100, 1.0, (1 + 1e-9) * margin) for margin in margins]
    yield equal("points by the formula", points, counts)
    yield equal("points at R^2/gamma^2 = 81/64, rounded up", margin_dimension(100, 9.0, 8.0), 3.0)
    flat = [margin_dimension(D, 10.0, 1.0) for D in (1, 2, 7)]
    yield equal("a small margin leaves D + 1", flat, [2.0, 3.0, 8.0])
    X = rng.integers(-9, 10, (6, 4)) + np.eye(6, 4) / 2
    # no split has a margin above half the distance of its means
    splits = [np.isin(np.arange(6), half) for half in itertools.combinations(range(6), 3)]
    apart = min(np.linalg.norm(X[half].mean(axis=0) - X[~half].mean(axis=0)) for half in splits) / 2
    allowed = margin_dimension(100, _reach(X), max(apart, 1e-9))
    yield at_least("points allowed at the margin of the means of six random points", allowed, 6.0, X=X)


# ------------------------------------------------------------------- 10 What the notes got wrong
@correction("wrong", "10 deeper", "Yan, max-margin")
def erratum_y16(class_margins):
    r"""Printed: The max-margin problem offers a unique solution.
    Right: Only for separable data with both classes present. On the corners of a square labelled by
    diagonal four planes share the best value, $M = -1/\sqrt2$."""
    angles = np.linspace(0, 2 * math.pi, 721)
    along = (SQUARE - 1) @ np.array([np.cos(angles), np.sin(angles)])
    strips = 0.5 * (along[XOR > 0].min(axis=0) - along[XOR < 0].max(axis=0))
    yield equal("best value over 720 directions", float(strips.max()), -math.sqrt(0.5), rounding(8))
    yield equal("directions that attain it", int((strips[:-1] > strips.max() - 1e-9).sum()), 4)
    worst = []
    for turn in (1, 3, 5, 7):
        u = np.array([math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)])
        b = -0.5 * ((SQUARE @ u)[XOR > 0].min() + (SQUARE @ u)[XOR < 0].max())
        worst.append(class_margins(SQUARE, XOR, u, float(b)))
    yield equal("margins of both classes, four planes", worst, -math.sqrt(0.5), rounding(16, 4))


@correction("wrong", "10 deeper", "Yan, reformulation")
def erratum_y17(SVC):
    r"""Printed: The max-margin problem and the quadratic program are reformulations of each other.
    Right: If and only if $M^\star > 0$. Otherwise the first has feasible points and the second has none."""
    along = (SQUARE - 1).sum(axis=1) / math.sqrt(2)
    value = 0.5 * (along[XOR > 0].min() - along[XOR < 0].max())
    yield at_least("a feasible value of the first on the diagonals", value, -1.0)
    yield equal("the second is refused", refuses(_fit, SVC, SQUARE, XOR, INF), True)
    w = _plane(SVC, SQUARE, SIDES, INF)[0]
    yield equal("and solved by sides", w, [1.0, 0.0], PLAY)


@correction("wrong", "10 deeper", "Yan, checking KKT conditions")
def erratum_y21(kkt_residuals):
    r"""Printed: Four conditions: primal and dual feasibility, complementarity, stationarity in the normal
    vector.
    Right: The derivative in $\beta_0$ belongs to it: $\sum_i\alpha_iy_i = 0$. Rows at $2$ and $-1$: $\beta
    = 1, \beta_0 = -1, \alpha = (\frac12, 0)$ passes the four, and the optimum is $\beta = \frac23$."""
    X, y = np.array([[2.0], [-1.0]]), np.array([1, -1])
    report = kkt_residuals(X, y, INF, np.array([1.0]), -1.0, np.array([0.5, 0.0]))
    four = _misses(report, "primal_feasibility", "dual_feasibility", "complementarity", "stationarity")
    yield equal("the four printed conditions", four, np.zeros(4))
    yield equal("the fifth", _misses(report, "equality"), 0.5)
    best = kkt_residuals(X, y, INF, np.array([2 / 3]), -1 / 3, np.array([2 / 9, 2 / 9]))
    yield at_most("all five at 2/3", _misses(best, *best), 0.0, rounding(8))


@correction("wrong", "10 deeper", "Yan, accommodating non-separable data")
def erratum_y22(SVC):
    r"""Printed: The separable case corresponds to $C = \infty$.
    Right: On separable data every $C \ge \min\max_i\alpha_i^\star$ gives the hard margin; for rows at
    $\pm1$ every $C \ge \frac12$."""
    slopes = [_plane(SVC, PAIR, PAIR_Y, C)[0][0] for C in (0.25, 0.5, INF)]
    yield equal("w at C = 1/4, 1/2 and infinity", slopes, [0.5, 1.0, 1.0], PLAY)


@correction("notation", "10 deeper", "Yan, implications")
def erratum_y23(SVC):
    r"""Printed: $\beta_0^\star = y_i - \beta^\top x_i$ for any support vector (of the hard margin).
    Right: $\beta^\star$. With slack, which comes on the next slide, the row needs $0 < \alpha_i < C$: rows
    $-2, 1$ of class $-1$ and $-1, 2$ of class 1 with $C = 1$ have $\beta = \frac12$."""
    # alpha = (5/8, 1, 1, 5/8), w = 2 * (2 * 5/8) - 2 = 1/2, y - w x = (0, -3/2, 3/2, 0)
    w, b, alpha = _machine(SVC, _FOUR, _FOUR_Y, 1.0)
    room = _moved(_FOUR, _FOUR_Y, w, b, alpha.sum(), _primal(_FOUR, _FOUR_Y, w, b, 1.0))
    bound = (1 - alpha) * 0.5 <= room  # the two rows with a slack of 3/2
    yield equal("support vectors at C", int(bound.sum()), 2)
    yield at_least("their y - w x less b, in absolute value", abs(_FOUR_Y - _FOUR @ w - b)[bound], 0.5)
    yield equal("that of the free ones", (_FOUR_Y - _FOUR @ w)[~bound], b, 4 * room)  # alpha is 5/8


@correction("wrong", "10 deeper", "Shi, primal")
def erratum_s12(form2_cost, form2_least_cost):
    r"""Printed: Form (2) and the C-SVM are equivalent (with the same $C$).
    Right: With $C/\sum_i\alpha_i$ in form (2). With rows at $\pm1$ the C-SVM with $C = \frac18$ has $w =
    \frac14$, and form (2) with $\frac18$ has no minimum at all."""
    mapped, least = form2_cost(np.array([0.125, 0.125]), 0.125), form2_least_cost(PAIR_Y)
    yield equal("mapped and least constant", [mapped, least], [0.5, 0.5])
    values = [_form2(PAIR, PAIR_Y, np.array([1.0]), g, g, 0.125) for g in (10.0, 100.0, 1000.0)]
    yield at_most("value of (2) with 1/8 as gamma grows tenfold", np.diff(values), -50.0)
    at_four = _form2(PAIR, PAIR_Y, np.array([1.0]), 0.0, 4.0, mapped)
    yield equal("value of (2) with 1/2 at gamma = 4, and its bound", at_four, -1.0)


@correction("wrong", "10 deeper", "Shi, dual")
def erratum_s13(lagrangian):
    r"""Printed: Substituting gives $\dots + b\sum_i\alpha_iy_i$.
    Right: $\dots - b\sum_i\alpha_iy_i$: the constraint enters $L$ as $-\alpha_iy_ib$."""
    alpha, zero = np.array([1.0, 0.25]), np.zeros(2)
    start, end = (lagrangian(PAIR, PAIR_Y, 1.0, np.zeros(1), b, zero, alpha, 1 - alpha) for b in (0.0, 2.0))
    change, balance = end - start, float(alpha @ PAIR_Y)
    yield equal("change of L from b = 0 to 2", change, -2 * balance, rounding(8, 4))
    yield at_least("distance to the printed sign", abs(change - 2 * balance), 1.0)


@correction("sharper", "10 deeper", "Shi, eq. (9)")
def erratum_s15(bias_interval):
    r"""Printed: For any $i$ with $0 < \alpha_i < C$, $b^\star = y_i - \langle x_i, w^\star\rangle$.
    Right: So it is, if there is such a row. For rows at $\pm1$ and $C = \frac14$ there is none, and every $b
    \in [-\frac12, \frac12]$ is optimal."""
    ends = bias_interval(np.array([0.25, 0.25]), PAIR_Y, PAIR @ PAIR.T, 0.25)
    yield equal("interval of b", ends, [-0.5, 0.5], rounding(8))
    values = np.array([_primal(PAIR, PAIR_Y, np.array([0.5]), b, 0.25) for b in (*ends, 0.0, 0.6)])
    yield equal("objective at its ends and its middle", values[:3], 0.375, rounding(8))
    yield at_least("objective outside", values[3], 0.375 + 0.02)


@correction("wrong", "10 deeper", "Shi, support vectors")
def erratum_s16(SVC):
    r"""Printed: It turns out many $\alpha_i^\star = 0$.
    Right: It depends on the data and on C, and possibly none is: with equal classes and a small C all are
    at C."""
    X = np.array([[-3.0], [-2.0], [-1.0], [1.0], [2.0], [3.0]])
    y = np.sign(X[:, 0]).astype(int)
    room = _moved(X, y, np.ones(1), 0.0, 1.0, 0.5)  # g leaves no more of a multiplier with y f(x) >= 2
    counts = [(_machine(SVC, X, y, C)[2] > room).sum() for C in (INF, 0.01)]
    yield equal("support vectors at C = infinity and C = 0.01", counts, [2, 6])


@correction("wrong", "10 deeper", "Shi, two types of support vectors")
def erratum_s17(support_vector_types, SVC):
    r"""Printed: Non-margin support vectors: $\alpha_i = C$ ($\xi_i > 0$).
    Right: $\alpha_i = C$ allows $\xi_i = 0$: rows at $\pm1$ with $C = \frac12$ lie on the margin."""
    w, b, alpha = _machine(SVC, PAIR, PAIR_Y, 0.5)
    slack = 1 - PAIR_Y * (PAIR @ w + b)
    # the dual value is 2 alpha - 2 alpha^2: w and alpha are within sqrt(GAP) of 1 and 1/2
    yield equal("multipliers", alpha, 0.5, PLAY)
    yield equal("slacks", slack, 0.0, 2 * PLAY)
    types = [str(t) for t in support_vector_types(np.array([0.5, 0.5]), np.zeros(2), 0.5)]
    yield equal("types", types, ["edge", "edge"])


@correction("wrong", "10 deeper", "Shi, after the VC bound")
def erratum_s18(margin_dimension):
    r"""Printed: $h \le \min\{D, \lceil 4R^2/\gamma^2\rceil\}$.
    Right: Planes have a bias: one more. On a line ($D = 1$) the points $-1$ and $1$ are shattered with
    margin 1."""
    rules = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)]
    answers = {tuple(np.sign(PAIR[:, 0] * w + b).tolist()) for w, b in rules}
    yield equal("labellings of two points with |f| >= 1", len(answers), 4)
    yield equal("the bound for D = 1", margin_dimension(1, 1.0, 1.0), 2.0)


@correction("wrong", "10 deeper", "Shi, VC bound")
def erratum_s19(vc_bound):
    r"""Printed: The bound holds with $\gamma = 1/\lVert w\rVert$ of the fitted machine.
    Right: A class chosen after the data is not fixed, so the theorem does not apply; and below $n = 518$
    for $h = 11$, or $34403$ for $h = 785$, the bound exceeds 1 and says nothing."""
    for n, h in ((518, 11), (34403, 785)):
        yield at_least(f"bound at n = {n - 1}", vc_bound(n - 1, h, 0.05), 1.0)
        yield at_most(f"bound at n = {n}", vc_bound(n, h, 0.05), 1.0)


@correction("hypothesis", "10 deeper", "Shi, eqs. (3)-(7)")
def erratum_s27(kkt_residuals):
    r"""Printed: First-order and complementarity conditions (3)-(7), listed without feasibility.
    Right: Feasibility belongs to them: they alone do not characterise the solution. Rows at $\pm1$, $C =
    1$: $w = 2, b = 0, \xi = -1, \alpha = 1, \beta = 0$ solves (3)-(7), and the optimum is $w = 1$."""
    report = kkt_residuals(PAIR, PAIR_Y, 1.0, np.array([2.0]), 0.0, np.ones(2), -np.ones(2))
    yield equal("(3)-(7)", _misses(report, "equality", "complementarity", "stationarity"), np.zeros(3))
    yield equal("miss of feasibility", _misses(report, "primal_feasibility"), 1.0)
    yield at_least("objective against that of w = 1", _primal(PAIR, PAIR_Y, np.array([2.0]), 0.0, 1.0), 2.0)


erratum_s14 = misprint("svm.s14", "10 deeper", "Shi, from dual to primal variables", r"""
    Printed: $\beta_i > 0 \Rightarrow \xi_i$, and $\beta_i > 0$ means $\alpha < C$.
    Right: $\beta_i > 0 \Rightarrow \xi_i = 0$, and $\beta_i > 0$ means $\alpha_i < C$.""")  # fmt: skip
