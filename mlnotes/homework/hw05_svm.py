"""Homework 5: support vector machines. Six questions, 20 points; five derivations, one method."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes.checking import at_most, equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import OutputError, as_numbers, scalar
from mlnotes.checking.regimes import SCALES, feature_matrices, repeatable, thirds
from mlnotes.claims import svm as claims
from mlnotes.claims import svm_machines
from mlnotes.claims.adapters.svm import SVC
from mlnotes.claims.instances import planes
from mlnotes.estimators.duality import QuadraticProgram, solve_qp
from mlnotes.homework import Assignment, part, variant
from mlnotes.svm import dual_objective

# ------------------------------------------------------------------- claims of this homework alone


def _random_signs(rng, n):
    """Return n signs in no order, two of one class for one of the other."""
    side = rng.choice([-1, 1])
    return rng.permutation(np.resize([side, -side, side], n))


def _balanced(rng, y, largest=1.0):
    """Return multipliers between 0 and `largest` with sum alpha y = 0, (n,): 0 if there is one class only."""
    alpha = rng.uniform(0.2, 0.8, len(y))
    totals = np.array([alpha[y < 0].sum(), alpha[y > 0].sum()])
    return largest * alpha * (totals.min() / np.maximum(totals, 1e-9))[(y > 0).astype(np.intp)]


def _lengths(X):
    """Return the sums of the absolute entries of the examples, (n,)."""
    return abs(X).sum(axis=1)


@statement("homework", "lectures/09_svm.ipynb, section 2")
def plane_(plane, rng):
    r"""The plane of the nearest points has $f(p) = 1$ and $f(q) = -1$, and its normal vector is along
    $p - q$, in any dimension and unit."""
    cases = [(name, *X[:2]) for name, X in feature_matrices(rng, min_n=2)]
    cases += [("entries 1e-4", *1e-4 * thirds(rng, (2, 3))), ("entries 1e4", *1e4 * thirds(rng, (2, 3)))]
    cases += [("ten features", *thirds(rng, (2, 10))), ("symmetric", np.ones(2) / 3, -np.ones(2) / 3)]
    far = thirds(rng, 3) * 10
    cases += [("close points", far, far + np.array([0.01, -0.02, 0.01]))]
    for name, p, q in cases:
        if (p == q).all():
            continue
        between, length = p - q, float(np.linalg.norm(p - q))
        size = float(np.linalg.norm(p) + np.linalg.norm(q))
        w = 2 * between / length**2
        # the squared distance may be computed as p'p - 2 p'q + q'q
        slack = rounding(len(p) + 4, 2 / length * (size / length) ** 2)
        found, b = plane(p.copy(), q.copy())
        found = as_numbers(found, len(p))
        yield equal(f"normal vector, {name}", found, w, slack, p=p, q=q)
        ends = [float(found @ p + b), float(found @ q + b)]
        yield equal(f"f(p) and f(q), {name}", ends, [1.0, -1.0], rounding(4) + 4 * slack * size, p=p, q=q)
    yield from repeatable("plane", plane, thirds(rng, 3), 20 + thirds(rng, 3))


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


@hard_cases(squared_)
def squared_in_every_regime(squared, rng):
    """Decimals, few and many examples, wide data, any unit and penalty; no multipliers."""
    for k, (name, X) in enumerate(feature_matrices(rng)):
        y = _random_signs(rng, len(X))
        for C in (SCALES[k % 5], SCALES[(k + 2) % 5]):
            alpha = _balanced(rng, y)
            v = (y * alpha) @ X
            truth = float(alpha.sum() - v @ v / 2 - alpha @ alpha / C / 2)
            size = alpha.sum() + (alpha @ _lengths(X)) ** 2 + alpha @ alpha / C
            found = scalar(squared(X.copy(), _codes(y), C, alpha.copy()))
            yield equal(f"dual function, {name}, C = {C:g}", found, truth, rounding(X.size + 5, float(size)))
    X, y = thirds(rng, (4, 2)), np.array([1, -1, 1, -1])
    yield equal("dual function at 0", scalar(squared(X, _codes(y), 0.7, np.zeros(4))), 0.0, rounding(1))
    yield from repeatable("squared", squared, X, _codes(y), 0.7, np.full(4, 0.3))


def _codes(y):
    """Return signs as the labels 0 and 1 of this homework."""
    return (np.asarray(y) + 1) // 2


def _solved(program, X, y, C):
    """Return the solution of the student's program, (n,), and its value."""
    P, *arrays = (np.asarray(part, dtype=np.float64) for part in program(X, _codes(y), C))
    try:
        solution = solve_qp(QuadraticProgram((P + P.T) / 2, *arrays))  # the same form, made symmetric
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


@hard_cases(program_)
def program_in_every_regime(program, rng):
    """Decimals, few and many examples, wide data, any unit and penalty: the objective is the negative dual,
    and the constraints admit the box with sum alpha y = 0, its corners too, and nothing else."""
    for k, (name, X) in enumerate(feature_matrices(rng)):
        y, n = _random_signs(rng, len(X)), len(X)
        C = SCALES[k % 5]
        arrays = [np.asarray(part, dtype=np.float64) for part in program(X.copy(), _codes(y), C)]
        P, q, where = arrays[0], arrays[1], f"{name}, C = {C:g}"
        for largest in (C, C, C / 100):
            a = _balanced(rng, y, largest)
            v, size = (y * a) @ X, float(a.sum() + (a @ _lengths(X)) ** 2)
            truth, slack = float(v @ v / 2 - a.sum()), rounding(n * X.shape[1] + n + 4, size)
            yield equal(f"objective at balanced multipliers, {where}", a @ P @ a / 2 + q @ a, truth, slack)
        if not (y[0] != y).any():
            continue
        inside = np.vstack([_at(y, C), _at(y, 0.0), [_balanced(rng, y, C) for _ in range(3)]])
        refused = int((_violation(arrays, inside) > rounding(n)).sum())
        yield at_most(f"points of the box that your constraints refuse, {where}", refused, 0)
        beyond = np.vstack([_at(y, C * (1 + 1e-6)), _at(y, -1e-6 * C)])
        admitted = int((_violation(arrays, beyond) < 1e-9).sum())
        yield at_most(f"points outside the box that your constraints admit, {where}", admitted, 0)
        unbalanced = np.where(y > 0, C / 2, 0.1 * C * (y > 0).sum() / (y < 0).sum())[None]
        admitted = int((_violation(arrays, np.minimum(unbalanced, 0.9 * C)) < 1e-9).sum())
        yield at_most(f"unbalanced points that your constraints admit, {where}", admitted, 0)
    yield from repeatable("program", program, thirds(rng, (4, 2)), np.array([1, 0, 0, 1]), 3.0)


def _at(y, value):
    """Return balanced multipliers, (n, n): entry i of row i is `value`, the other class shares it."""
    other = y[:, None] != y
    return np.where(other, value / other.sum(axis=1, keepdims=True), value * np.eye(len(y)))


def _violation(arrays, points):
    """Return by how much each point violates the constraints of a program, relative to their terms."""
    _, _, G, h, A, b = arrays
    worst = np.zeros(len(points))
    for M, right, sided in ((G, h, True), (A, b, False)):
        if len(M):
            off, size = points @ M.T - right, abs(points) @ abs(M).T + abs(right)
            off = (off if sided else abs(off)) / np.where(size > 0, size, 1.0)
            worst = np.maximum(worst, off.max(axis=1))
    return worst


@statement("homework", "lectures/09_svm.ipynb, section 5")
def misses_(misses):
    r"""For $C = \infty$ the second product of (4) is $|\xi_i|$: points at $-1$ and $1$ with $w = 1$, $b = 0$,
    $\alpha = (\frac12, \frac12)$ and $\xi = (\frac14, \frac12)$ miss it by $\frac12$."""
    given = np.ones(1), 0.0, np.full(2, 0.5), np.array([0.25, 0.5])
    values = misses(claims.PAIR, _codes(claims.PAIR_Y), math.inf, *given)
    yield equal("(4) at C = infinity", as_numbers(values, 5)[3], 0.5, rounding(8))


@hard_cases(misses_)
def misses_in_every_regime(misses, rng):
    """Each condition missed alone, first or last, far or by 1e-7, with either sign; decimals, few and many
    examples, wide data, any unit and penalty."""
    penalties = (*SCALES, math.inf)
    for k, (name, X) in enumerate(feature_matrices(rng)):
        y, (n, d) = _random_signs(rng, len(X)), X.shape
        for shift, C in enumerate((penalties[k % 6], penalties[(k + 3) % 6])):
            box, i = 2.0 if math.isinf(C) else C, (0, n - 1)[shift]
            alpha, g = rng.uniform(0.1, 0.9, n) * box, thirds(rng, d, 9)
            g[(0, -1)[shift]] = 9.0
            b = float(thirds(rng, 1)[0])
            for what, side in zip(
                ("none", "none", "below", "above", "slack", "margin", "nearly"),
                (1, -1, 1, -1, 1, -1, 1),
                strict=True,
            ):
                a, far = alpha.copy(), thirds(rng, 1)[0] ** 2 + 1
                a[i] = {"below": -far * box, "above": (1 + far) * box}.get(what, a[i])
                w = (y * a) @ X + side * g * (1e-7 if what == "nearly" else 1.0)
                slack = np.maximum(0, 1 - y * (X @ w + b))
                slack[i] += {"slack": -slack[i] - far, "margin": -0.9 * slack[i]}.get(what, 0.0)
                found = as_numbers(misses(X.copy(), _codes(y), C, w, b, a.copy(), slack.copy()), 5)
                truth, play = _five(X, y, C, w, b, a, slack)
                yield equal(f"the five misses, {name}, C = {C:g}", found, truth, play)
    X, y = thirds(rng, (4, 2)), np.array([0, 1, 1, 0])
    yield from repeatable("misses", misses, X, y, 0.7, thirds(rng, 2), 0.3, np.full(4, 0.4), thirds(rng, 4))


def _five(X, y, C, w, b, alpha, slack):
    """Return the five misses and what rounding leaves open of them."""
    room, off = 1 - slack - y * (X @ w + b), w - (y * alpha) @ X
    second = slack if math.isinf(C) else (C - alpha) * slack
    truth = np.array(
        [
            max(0.0, room.max(), -slack.min()),
            max(0.0, -alpha.min(), alpha.max() - C),
            abs(y @ alpha),
            max(abs(alpha * room).max(), abs(second).max()),
            abs(off).max(),
        ]
    )
    most, bound = abs(alpha).max(), 1.0 if math.isinf(C) else C
    terms = (abs(X) @ abs(w)).max() + abs(b) + 1 + abs(slack).max()
    sizes = (
        terms,
        most + bound,
        abs(alpha).sum(),
        (most + bound) * terms,
        (abs(alpha) @ abs(X) + abs(w)).max(),
    )
    return truth, np.array([rounding(X.size + 4, float(size)) for size in sizes])


# How many multipliers are at C, free and 0, in class 1 and in class 0; the size of what is free, in C.
_STATES = (
    (2, 1, 2, 4, 2, 2, 0.6),
    (1, 2, 3, 0, 1, 2, 0.0),  # free in class 1 alone
    (2, 1, 0, 3, 2, 1, 0.0),
    (0, 0, 2, 3, 1, 2, 0.9),
    (2, 2, 0, 0, 2, 2, 0.0),  # none is free
    (2, 2, 0, 0, 0, 2, 0.0),
    (2, 2, 0, 0, 2, 0, 0.0),
    (1, 1, 0, 0, 0, 0, 0.0),
    (0, 1, 3, 0, 0, 0, 0.0),
    (2, 1, 1, 3, 5, 0, 0.3),
    (1, 2, 3, 1, 0, 5, 0.3),
    (2, 2, 1, 1, 1, 1, 5e-5),  # nearly 0, nearly C
    (1, 1, 1, 1, 1, 1, 1 - 5e-5),
    (14, 12, 20, 25, 15, 30, 4.0),
    (14, 14, 0, 0, 50, 40, 0.0),
)


@statement("homework", "lectures/09_svm.ipynb, section 6.1")
def offsets_(offsets, rng):
    r"""The optimal offsets $b$ are those with $r_i \le b$ where $\beta_i = \alpha_iy_i$ could grow and $b \le
    r_i$ where it could shrink, with $r_i = y_i - \langle w, x_i\rangle$: multipliers free, at $C$
    and 0 in each class, of any penalty."""
    for k, (*counts, free) in enumerate(_STATES):
        for j in (k % 5, (k + 2) % 5):
            C = SCALES[j]
            b = (0.0, 1 / 3, -40 / 3, 0.7, 1000 / 3)[(j + k) % 5]
            alpha, y, K = _optimal(rng, counts, C, free, b, 1e-4 if j % 3 == 2 else 1.0)
            r = y - K @ (y * alpha)
            low = r[np.where(y > 0, alpha < C, alpha > 0)].max()
            high = r[np.where(y > 0, alpha > 0, alpha < C)].min()
            slack = rounding(len(y) + 2, 2 + float((abs(K) @ alpha).max()))
            found = offsets(alpha.copy(), _codes(y), K.copy(), C)
            where = f"{counts[2] + counts[3]} free of {len(y)} multipliers, C = {C:g}"
            yield equal(f"interval, {where}", found, [low, high], slack)
    alpha, y, K = _optimal(rng, _STATES[0][:6], 0.7, 0.6, 1 / 3, 1.0)
    yield from repeatable("offsets", offsets, alpha, _codes(y), K, 0.7)


def _optimal(rng, counts, C, free, b, spread):
    """Return multipliers, signs and a Gram matrix of which they are optimal, with the offset b."""
    sides, states = np.resize([1, -1], 6), np.repeat([2, 1, 0], 2)
    y, state = np.repeat(sides, counts), np.repeat(states, counts)
    alpha = np.where(state == 2, C, 0.0)
    excess = counts[0] - counts[1]
    for side, total in ((1, free + max(-excess, 0)), (-1, free + max(excess, 0))):
        own = (state == 1) & (y == side)
        shares = rng.uniform(1, 1.2, own.sum())
        alpha[own] = C * total * shares / shares.sum()
    order = rng.permutation(len(y))
    order = (
        order[np.argsort(state[order] == 1, kind="stable")] if len(y) > 100 else order
    )  # the free ones last
    alpha, y, state = alpha[order], y[order], state[order]
    # at C they are within the margin, at 0 beyond it
    scores = y * (1 + spread * rng.uniform(0.1, 0.8, len(y)) * np.array([2, 0, -1])[state]) - b
    beta, M = y * alpha, rng.standard_normal((len(y), len(y)))
    M = M @ M.T / len(y)
    M -= np.outer(M @ beta, M @ beta) / (beta @ M @ beta)  # M beta = 0, and K beta is the scores
    K = np.outer(scores, scores) / (scores @ beta) + M
    return alpha, y, (K + K.T) / 2


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


@hard_cases(thin_)
def thin_in_every_regime(thin, rng):
    """Decimals in any direction; one feature, and more features than examples; 103 multipliers, constant
    features, repeated examples, far from 0, and few multipliers of which one is 1e-7 and needed."""
    shapes = ((9, 1), (5, 2), (6, 3), (103, 1), (9, 5), (3, 5), (30, 25), (12, 3), (12, 3), (12, 3), (2, 3))
    kinds = ("constant", "repeated", "far", "small")
    for (n, d), kind in zip(shapes, ("",) * (len(shapes) - 4) + kinds, strict=True):
        y, X, alpha = _on_the_margin(rng, n, d - (kind == "constant"))
        if kind == "constant":
            X = np.column_stack([X, np.full(len(X), 0.3)])
        if kind == "repeated":
            X, y, alpha = np.vstack([X, X]), np.tile(y, 2), np.concatenate([alpha / 3, 2 * alpha / 3])
        if kind == "far":
            X = X + 30
        if kind == "small":  # the nearest point of a segment is nearly at its end, which occurs often
            X = np.array([[1.0, 0.0, 0.3], [1.0, 4.0, 0.3], [-1.0, 1e-6, 0.3]]) / 0.3
            y, alpha = np.array([1, 1, -1]), 0.045 * np.array([1 - 2.5e-7, 2.5e-7, 1.0])
            X, y, alpha = (part[[0, 2, 0, 1, 2, 0, 2]] for part in (X, y, alpha / np.array([3, 1, 3])))
        few = as_numbers(thin(X.copy(), _codes(y), alpha.copy()), len(y))
        steps = max(0, len(y) - X.shape[1])
        size = float(alpha.max() * (1 + abs(X).max()))
        slack = rounding(9 * (steps + 1) * len(y) * (X.shape[1] + 1), size)
        where = f"{len(y)} examples, d = {X.shape[1]}{', ' * bool(kind)}{kind}"
        yield at_most(f"negative multipliers, {where}", -few, 0.0, slack)
        sums = np.column_stack([X, np.ones(len(y))]).T @ (y * few)
        truth = np.column_stack([X, np.ones(len(y))]).T @ (y * alpha)
        yield equal(f"sums of alpha y x and of alpha y, which must stay, {where}", sums, truth, slack)
        count = int((few > 1e-9).sum())
        yield at_most(f"positive multipliers, {where}", count, min(X.shape[1] + 1, int((alpha > 0).sum())))
    X, y, alpha = np.array([[1.0], [1.0], [-1.0], [-1.0]]) / 3, np.array([1, 0]).repeat(2), np.full(4, 2.25)
    yield from repeatable("thin", lambda *given: np.sort(thin(*given)), X, y, alpha)


def _on_the_margin(rng, n, d):
    """Return signs, and n examples on the margin of a plane in any direction with optimal multipliers."""
    y = _random_signs(rng, n)
    w = rng.choice([-1, 1], d) * rng.uniform(0.3, 1, d)
    along = np.linalg.qr(np.column_stack([w, rng.standard_normal((d, d - 1))]))[0][
        :, 1:
    ]  # of length 1, off w
    across, alpha = thirds(rng, (n, d - 1)) / 3, rng.uniform(0.5, 1, n)
    for side in (-1, 1):
        alpha[y == side] *= w @ w / 2 / alpha[y == side].sum()  # both classes have the same sum, and mean
        across[y == side] -= alpha[y == side] @ across[y == side] / alpha[y == side].sum()
    b = rng.uniform(-1, 1)
    return y, np.outer(y - b, w) / (w @ w) + across @ along.T, alpha


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


@part(3, plane_, claims.unique, claims.maxmargin, claims.reformulation, adapt={"SVC": _HardMargin})
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
    offsets_,
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
