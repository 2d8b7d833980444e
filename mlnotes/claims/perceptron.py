"""The statements on the perceptron as executable claims, in the order of the lecture.

Data, separators and starts are small integers, so that products, weights and both sides of the mistake bound
are exact in float64. An implementation hands over the rows of its updates, ``mistakes_``; they are replayed
here, and nothing that it says about itself is believed.
"""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from itertools import islice, product

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, misprint, rounding, statement, within
from mlnotes.checking.outputs import quietly, refuses

OUTPUTS = {
    "signed_rows": "(n, D)", "margin": "number", "mistake_set": "(m,) int", "perceptron_loss": "number",
    "perceptron_subgradient": "(D,)", "mistake_bound": "number", "slack_bound": "number", "one_pass": "(D,)",
    "Perceptron.mistakes_": "(t,) int", "Perceptron.coef_": "(K, d)", "Perceptron.intercept_": "(K,)",
    "Perceptron.combination_": "(n,)", "Perceptron.decision_function": "(m,)",
    "Perceptron.predict": "(m,) any", "KernelPerceptron.counts_": "(n,) int",
    "KernelPerceptron.decision_function": "(m,)", "KernelPerceptron.predict": "(m,) any",
}  # fmt: skip
PICKS = ("cyclic", "first", "random", "worst")

# a case by hand: signed rows (-3, 1), (2, 1), (-4, 1)
HAND_X, HAND_Y = np.array([[-3, 1], [2, 1], [4, -1]]), np.array([1, 1, -1])
HAND = {  # rule: rows of the updates, last weights
    "cyclic": ([0, 1, 1, 2, 1], [-1, 5]),
    "first": ([0, 1, 1, 0, 1], [0, 5]),
    "batch": ([0, 1, 2, 1, 1], [-1, 5]),
}
SQUARE, DIAGONALS = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]]), np.array([1, 1, -1, -1])
SQUARE_Z = np.column_stack([SQUARE, np.ones(4, dtype=np.int64)]) * DIAGONALS[:, None]
ONE_ROW = np.array([[1], [-1]]), np.array([1, -1]), [[-3.0]]  # the row z = 1 twice, and a start
# points, labels, a separator with the intercept last: no one pass is enough, and no plane through the origin
OFF_ORIGIN = {
    "four points of a line": ([[1], [3], [4], [6]], [-1, -1, 1, 1], [2, -7]),
    "a steep plane": ([[20, 1], [19, 1], [-1, 0]], [1, -1, -1], [2, 0, -39]),
}
# only the weights 2, 3, 3, 0 and their multiples add these rows up to zero
UNEVEN_Z = np.array([[3, 0], [-1, 1], [-1, -1], [2, 1]])
LOPSIDED_Z = np.array([[3], [2], [2], [2], [-1]])  # least squares gives a row a negative weight


# ------------------------------------------------------------------- instances, and replaying what was done
def separable_rows(rng, n=40, d=3):
    """Return integer rows (n, d), labels, both there, and a separator (d,) with products of at least 1."""
    theta = rng.integers(1, 6, d) * rng.choice([-1, 1], d)
    X = rng.integers(-9, 10, (4 * n, d))
    X = np.vstack([np.sign(theta), -np.sign(theta), X[X @ theta != 0]])[:n]
    return X, np.sign(X @ theta), theta


def off_origin(rng, n=24):
    """Return integer points (n, 2), labels, both there, and a separator (3,) with the intercept last."""
    theta = np.append(rng.integers(1, 5, 2) * rng.choice([-1, 1], 2), rng.integers(-4, 5))
    corner = 9 * np.sign(theta[:2])  # its product is at least 18, the intercept at most 4
    X = np.vstack([corner, -corner, rng.integers(-9, 10, (6 * n, 2))])
    score = X @ theta[:2] + theta[2]
    return X[score != 0][:n], np.sign(score[score != 0][:n]), theta


def balanced_rows(rng, n=5, d=3):
    """Return integer rows with the sum zero: the last is minus the sum of the others."""
    Z = rng.integers(-3, 4, (n, d))
    return np.vstack([Z, -Z.sum(axis=0)])


def pair(m):
    """Return rows and labels whose signed rows are (1, m), (1, 1 - m)."""
    return np.array([[1, m], [-1, m - 1]]), np.array([1, -1])


def fit(Perceptron, X, y, *start, **options):
    """Return the fitted model, by default without an intercept; its warnings are not the matter here."""
    return quietly(Perceptron(**{"fit_intercept": False} | options).fit, X.astype(float), y, *start)


def weights(model, intercept=False):
    """Return the weights of two classes, (d,), or (d + 1,) with the intercept last."""
    return np.append(model.coef_[0], model.intercept_) if intercept else model.coef_[0]


def replay(Perceptron, X, y, *start, name, fit_intercept=False, **options):
    """Yield that the updates were mistakes that lead to the weights, none left; return w_0, w_1, ..., w_t."""
    model = fit(Perceptron, X, y, *start, fit_intercept=fit_intercept, **options)
    Z = (np.column_stack([X, np.ones_like(y)]) if fit_intercept else X) * y[:, None]
    added = Z[model.mistakes_]
    path = np.vstack([np.zeros_like(Z[:1]) + (np.array(start[0]) if start else 0), added]).cumsum(axis=0)
    right = (path[:-1] * added).sum(axis=1) > 0
    yield equal(f"{name}: updates at rows that were right", right.sum(), 0, Z=Z)
    what = "weights, intercept last," if fit_intercept else "weights"
    left = weights(model, fit_intercept) - path[-1]  # either may be what is wrong
    yield equal(f"{name}: {what} minus the sum of the updates", left, 0 * path[-1], Z=Z)
    yield equal(f"{name}: rows that their sum leaves wrong", (Z @ path[-1] <= 0).sum(), 0, Z=Z)
    if hasattr(model, "predict"):  # homework asks for rows and weights alone
        yield equal(f"{name}: predictions against the labels", model.predict(X.astype(float)), y, X=X)
    if (Z @ path[-1] <= 0).any():  # which failed above: there is no margin
        return path
    R2, u = (Z**2).sum(axis=1).max(), path[-1] / math.sqrt(path[-1] @ path[-1])
    delta, a = (Z @ u).min(), path[0] @ u
    B = R2 - 2 * delta * a  # as in step 1 of the convergence from any start
    root = math.sqrt(B**2 + 4 * delta**2 * max(path[0] @ path[0] - a**2, 0.0))
    bound = (B + root) / (2 * delta**2)
    yield from certified(model, name, len(added), math.sqrt(R2), delta, bound, root)
    return path


def certified(model, name, mistakes, radius, margin, bound, root):
    """Yield that the certificate of a separation, if there is one, says what was computed here."""
    truth = {"mistakes": mistakes, "radius": radius, "margin": margin, "bound": bound, "separable": True}
    told = getattr(model, "certificate_", {"lower": margin, "upper": radius} | truth)
    slack = rounding(2000, max(radius**2, root / margin**2))
    yield equal(f"{name}: {', '.join(truth)}", [told[entry] for entry in truth], list(truth.values()), slack)
    yield within(f"{name}: bounds on the best margin", [told["lower"], told["upper"]], margin, radius, slack)


def walk(Z):
    """Yield the weights after every visit, and whether it was a mistake, in passes until one has none."""
    w, wrong = np.zeros_like(Z[0]), True
    while wrong:
        wrong = False
        for z in Z:
            mistake = z @ w <= 0
            w, wrong = w + mistake * z, wrong or mistake
            yield w, mistake


def lengths(Z, theta):
    """Return R^2, the least product with theta, and |theta|^2, all integers."""
    return int((Z**2).sum(axis=1).max()), int((Z @ theta).min()), int(theta @ theta)


# ------------------------------------------------------------------- 1 Separable data
@statement("definition", "1", "Yan, linearly separable data", "Wainwright, section 2.3.4")
def separable(separability, rng):
    r"""Data are linearly separable iff some $(\beta, \beta_0)$ has $y_i(\langle x_i, \beta\rangle +
    \beta_0) > 0$ for all $i$. With $z_i = y_i(x_i, 1)$: either some $w$ has all $\langle w, z_i\rangle >
    0$, or some convex combination of the $z_i$ is zero, never both. `separability(Z, exact=True)` returns
    the one or the other in fractions."""
    X, y, _ = separable_rows(rng, n=12)
    Z = X * y[:, None]
    answer = separability(Z, exact=True)
    products = Z.astype(object) @ [Fraction(v) for v in answer.w]
    yield equal("separable data: rows with a positive product", (products > 0).sum(), len(Z), Z=Z)
    yield equal("and the answer", bool(answer.separable), True)
    strict = (SQUARE_Z @ np.zeros(3) < 0).sum()
    yield equal("products of 0 below 0 on the diagonals, which nothing separates", strict, 0)
    cases = {"the diagonals of a square": SQUARE_Z, "random rows and their balance": balanced_rows(rng)}
    for name, rows in cases.items():
        answer = separability(rows, exact=True)
        a = np.array([Fraction(v) for v in answer.weights])
        yield equal(f"{name}: the answer", answer.separable is False, True, Z=rows)
        yield equal(f"{name}: convex weights", (len(a), min(a) >= 0, sum(a)), (len(rows), True, 1), Z=rows)
        yield equal(f"{name}: their combination", [sum(a * column) for column in rows.T], [0, 0, 0], Z=rows)


@statement("formula", "1", "Yan, linearly separable data")
def merge(signed_rows, rng):
    r"""Appending a 1 to every row merges the intercept: $y_i(\langle x_i, \beta\rangle + \beta_0) =
    \langle(\beta, \beta_0), z_i\rangle$ with $z_i = y_i(x_i, 1)$."""
    X, y = rng.integers(-9, 10, (30, 3)), rng.choice([-1, 1], 30)
    y[:2] = 1, -1
    w, b = rng.integers(1, 10, 3), int(rng.integers(1, 10))
    Z = signed_rows(X.astype(float), y)
    yield equal("products with the merged rows", Z @ np.append(w, b), y * (X @ w + b), X=X, y=y)
    Z = signed_rows(X.astype(float), y, fit_intercept=False)
    yield equal("without an intercept", Z @ w, y * (X @ w), X=X, y=y)


@statement("definition", "1", "Wainwright, eq. (2.23)")
def class_(separability, signed_rows):
    r"""The class $\operatorname{sgn}\langle\theta, x\rangle$ has hyperplanes through the origin only: $x =
    1$ with label $-1$ and $x = 2$ with label $+1$ are separated by a point, and by no $\theta$. With the 1
    appended they are: $\langle(2, -3), (x, 1)\rangle$."""
    X, y = np.array([[1.0], [2.0]]), np.array([-1, 1])
    for name, intercept in (("without", False), ("with", True)):
        verdict = separability(signed_rows(X, y, fit_intercept=intercept)).separable
        yield equal(f"{name} the appended 1: separable", verdict is intercept, True)
    yield at_least("products with (2, -3)", signed_rows(X, y) @ [2, -3], 1.0)


@statement("definition", "1", "Wainwright, after eq. (2.25)")
def margin(margin, rng):
    r"""The margin of a separator is $\delta = \min_i\langle w, z_i\rangle/\|w\|$, the distance of the
    closest point from the hyperplane: 3 for $w = (3, 4)$ and points whose products are 15, 20 and 65. It
    does not change when $w$ is multiplied by a positive number."""
    by_hand = margin(np.array([3.0, 4.0]), np.array([[5.0, 0.0], [0.0, 5.0], [3.0, 14.0]]))
    yield equal("by hand", by_hand, 3.0, rounding(2, 3.0))
    ends = [margin(np.array([first, 1.0]), np.eye(2)) for first in (0.0, 1.0)]
    what = "of (0, 1), with a point on its line and no product below 0, and of (1, 1)"
    yield equal(what, ends, [0, 1 / math.sqrt(2)], rounding(4))
    X, y, theta = separable_rows(rng)
    Z = X * y[:, None]
    truth = int((Z @ theta).min()) / math.sqrt(int(theta @ theta))
    values = np.array([margin(c * theta.astype(float), Z) for c in (1.0, 0.25, 1024.0)])
    yield equal("margin of w, w/4 and 1024 w", values, truth, rounding(6, 200.0), Z=Z, w=theta)
    foot = Z - np.outer(Z @ theta, theta) / (theta @ theta)  # the nearest points of the hyperplane
    nearest = np.sqrt(((Z - foot) ** 2).sum(axis=1)).min()
    yield equal("least distance from the hyperplane", values[0], nearest, rounding(12, 200.0), Z=Z, w=theta)


# ------------------------------------------------------------------- 2 The algorithm
@statement("definition", "2", "Yan, perceptron learning algorithm", "Wainwright, section 2.3.4",
           "Shi, eq. (1)")  # fmt: skip
def mistake_set(mistake_set, Perceptron, rng):
    r"""The mistakes of $w$ are $M(w) = \{i: \langle w, z_i\rangle \le 0\}$, with the boundary. At $w = 0$
    every row is one, and an algorithm that starts there must move."""
    Z, w = rng.integers(-4, 5, (40, 3)), np.array([1, -1, 2])
    Z[:6] = [[1, 1, 0], [2, 0, -1], [-1, 1, 1], [0, 0, 0], [1, 0, 0], [-1, 0, 0]]  # four on the boundary
    for name, v in (("w", w), ("zero", 0 * w)):
        rows = np.sort(mistake_set(v.astype(float), Z.astype(float)))
        same = np.array_equal(rows, np.flatnonzero(Z @ v <= 0))
        yield equal(f"mistakes of {name}", same, True, Z=Z, w=v)
    yield equal("rows with a product of zero below 0: at < 0 nothing would move", (Z @ (0 * w) < 0).sum(), 0)
    model = fit(Perceptron, np.array([[1, 1], [-1, 2]]), np.array([1, -1]), fit_intercept=True)
    yield at_least("updates from zero", len(model.mistakes_), 1)


@statement("algorithm", "2", "Yan, perceptron learning algorithm", "Wainwright, section 2.3.4",
           "Shi, eq. (1)", "Chapter 10, 10.1.6")  # fmt: skip
def update(Perceptron, rng):
    r"""While $M(w) \ne \emptyset$: pick $i \in M(w)$, $w \leftarrow w + \eta z_i$. On the signed rows $(-3,
    1), (2, 1), (-4, 1)$ the rule 'next in order' updates at rows 0, 1, 1, 2, 1 and ends at $(-1, 5)$;
    'least index' at 0, 1, 1, 0, 1 and ends at $(0, 5)$."""
    for pick in ("cyclic", "first"):
        model = fit(Perceptron, HAND_X, HAND_Y, pick=pick)
        yield equal(f"rows by hand, {pick}", model.mistakes_.tolist() == HAND[pick][0], True)
        yield equal(f"weights by hand, {pick}", weights(model), HAND[pick][1])
    early = fit(Perceptron, HAND_X, HAND_Y, pick="first", max_iter=1).mistakes_
    yield equal("updates at three rows in the time of a pass", early.tolist() == HAND["first"][0][:3], True)
    X, y, _ = separable_rows(rng)
    yield from replay(Perceptron, X, y, name="without an intercept")
    yield from replay(Perceptron, X, y, name="any mistake", pick="random")  # without a seed
    yield from replay(Perceptron, X, y, name="with the intercept", fit_intercept=True)
    X, y = np.array([[1], [2], [4]]), np.array([-1, 1, 1])  # separated by a point that is not the origin
    yield from replay(Perceptron, X, y, name="one feature", fit_intercept=True)


@statement("claim", "2", "Yan, linearly separable data")
def goal(Perceptron, rng):
    r"""The goal is some $\hat\beta$ with all $\langle\hat\beta, z_i\rangle > 0$. The algorithm finds one
    without knowing a separator: on separable data it ends with no mistake left, also next to the boundary."""
    # products with theta are 1 for some rows and their mirror images: nothing to spare
    theta, X = np.array([2, -3]), rng.integers(-9, 10, (60, 2))
    X = np.vstack([[[2, 1], [-1, -1], [-2, -1], [1, 1]], X[X @ theta != 0]])
    cases = (X, np.sign(X @ theta)), (np.array([[1, 16], [-1, 15]]), np.array([1, -1]))
    for (rows, y), pick in product(cases, ("cyclic", "worst")):
        w = weights(fit(Perceptron, rows, y, pick=pick))
        yield equal(f"rows on the right side, {pick}", (y * (rows @ w) > 0).sum(), len(rows), X=rows)


@statement("claim", "2", "Yan, perceptron learning algorithm")
def eta1(Perceptron, rng):
    r"""From $w = 0$ the step $\eta$ multiplies every iterate and changes neither the updates nor an answer.
    From another start it can: on $z = (1), w^0 = -3$ the step 1 needs four updates, the step 4 one."""
    X, y, _ = separable_rows(rng)
    one, start = fit(Perceptron, X, y), np.array([[-64.0, 32.0, 96.0]])
    for eta in (0.25, 8.0):
        other = fit(Perceptron, X, y, eta0=eta)
        same = np.array_equal(one.mistakes_, other.mistakes_)
        yield equal(f"the same updates at step {eta}", same, True, X=X, y=y)
        yield equal(f"weights at step {eta}", weights(other), eta * weights(one), X=X, y=y)
        yield equal(f"rows left wrong at step {eta}", (y * (X @ weights(other)) <= 0).sum(), 0, X=X, y=y)
        there, here = fit(Perceptron, X, y, start, eta0=eta), fit(Perceptron, X, y, start / eta)
        same = np.array_equal(there.mistakes_, here.mistakes_)
        what = f"the same updates from b at step {eta} and from b / {eta} at step 1"
        yield equal(what, same, True, X=X, y=y)
    for eta, updates in ((1.0, 4), (4.0, 1)):
        model = fit(Perceptron, *ONE_ROW, eta0=eta)
        yield equal(f"updates from -3 at step {eta}", len(model.mistakes_), updates)
        yield equal("weights then", weights(model), [1.0])


@statement("definition", "2", "Shi, perceptron algorithm", "Chapter 10, 10.1.6")
def predict(Perceptron):
    """The answer is the sign of the score, and a score of exactly 0 needs a rule: chapter 10 answers $+1$,
    the second class. `np.sign` would answer 0, which is no label."""
    model = fit(Perceptron, np.array([[-1], [1]]), np.array(["minus", "plus"]), fit_intercept=True)
    answers = model.predict(np.array([[-2.0], [0.0], [2.0]]))
    yield equal("answers at -2, 0, 2", ", ".join(map(str, answers)), "minus, plus, plus")
    yield equal("score at 0", model.decision_function(np.array([[0.0]]))[0], 0.0)


# ------------------------------------------------------------------- 3 What it minimises
@statement("formula", "3", "Yan, perceptron learning algorithm", "Shi, view it in ERM")
def loss(perceptron_loss, rng):
    r"""$\sigma(w) = -\sum_{i \in M(w)}\langle w, z_i\rangle = \sum_i\max(0, -\langle w, z_i\rangle) \ge 0$,
    a convex function of $w$."""
    Z, ends = rng.integers(-5, 6, (30, 3)), rng.integers(-4, 5, (2, 3))
    values = []
    for w in (*ends, ends.mean(axis=0)):
        products = Z @ w
        values.append(perceptron_loss(w.astype(float), Z.astype(float)))
        yield equal("sigma", values[-1], -products[products <= 0].sum(), Z=Z, w=w)
    mean = sum(values[:2]) / 2
    yield at_most("sigma in the middle against the mean of the ends", values[2], mean, Z=Z, ends=ends)


@statement("claim", "3 deeper", "Yan, perceptron learning algorithm")
def loss_dist(perceptron_loss, rng):
    r"""$\sigma(w) = \|w\|\sum_{i \in M(w)}\operatorname{dist}(z_i, w^\perp)$: the factor is $\|w\|$, not a
    constant."""
    Z, w = rng.integers(-5, 6, (30, 2)), np.array([3, -4])
    Z[0] = [-1, 1]
    wrong = Z[Z @ w <= 0]
    foot = wrong - np.outer(wrong @ w, w) / 25
    distances = np.sqrt(((wrong - foot) ** 2).sum(axis=1)).sum()
    for c in (0.0, 1.0, 2.0, 16.0):
        ratio = perceptron_loss(c * w, Z.astype(float)) / distances
        yield equal(f"ratio for {c:g} w, of norm {5 * c:g}", ratio, 5 * c, rounding(200, 5 * c), Z=Z)


@statement("theorem", "3", "Shi, view it in ERM")
def erm_view(perceptron_loss, rng):
    r"""$\min\{\frac1n\sum_i\xi_i : \langle w, z_i\rangle \ge -\xi_i, \xi_i \ge 0\}$ over $\xi$ is
    $\frac1n\sigma(w)$; over $w$ the least value is 0, attained at $w = 0$ on any data, so that minimising
    it finds nothing."""
    Z, w = rng.integers(-3, 4, (6, 2)), np.array([3, rng.integers(-3, 4)])
    Z[0] = [-2, 0]
    # the least slack of row i among all multiples of 1 from 0 to 60: the products are integers
    slacks = [min(xi for xi in range(61) if int(z @ w) >= -xi) for z in Z]
    value = perceptron_loss(w.astype(float), Z.astype(float))
    yield equal("sigma against the least slacks", value, sum(slacks), Z=Z, w=w)
    grid = [np.array(w, dtype=float) for w in product((0, 1, -1), repeat=3)]  # zero comes first
    least, *others = (perceptron_loss(w, SQUARE_Z.astype(float)) for w in grid)
    yield equal("sigma at zero on data that cannot be separated", least, 0.0)
    yield at_least("sigma elsewhere on a grid", others, 1.0)
    none = [perceptron_loss(w[:2], np.eye(2)) == 0 for w in grid]
    limits = [(w[:2] >= 0).all() for w in grid]  # of (1, 1)/k + w, which separate
    yield equal("sigma is 0 at the limits of separators, on the rows (1, 0), (0, 1)", none, limits)


@statement("formula", "3 deeper", "Shi, view it in ERM")
def subgradient(perceptron_subgradient, rng):
    r"""$g = -\sum_{i \in M(w)}z_i$ is a subgradient of $\sigma$: $\sigma(v) \ge \sigma(w) + \langle g, v -
    w\rangle$ for all $v$; where no row is on the boundary it is the gradient."""
    Z, w = rng.integers(-4, 5, (25, 3)), rng.integers(1, 5, 3)
    Z[:2] = [[w[1], -w[0], 0], [-w[1], w[0], 0]]  # on the boundary
    others = np.vstack([rng.integers(-6, 7, (60, 3)), [[0, 0, 0]], 2 * w[None]])

    def sigma(points, rows):
        return np.maximum(0, -(np.atleast_2d(points) @ rows.T)).sum(axis=1)

    g = perceptron_subgradient(w.astype(float), Z.astype(float))
    room = sigma(others, Z) - sigma(w, Z) - (others - w) @ g
    yield at_least("sigma above its support at w", room, 0.0, Z=Z, w=w)
    smooth = Z[Z @ w != 0]
    g = perceptron_subgradient(w.astype(float), smooth.astype(float))
    # products are integers of size at least 1: a move of 2^-8 changes none by more than 2^-6, sigma is linear
    up, down = (sigma(w + s * np.eye(3) / 2**8, smooth) for s in (1, -1))
    yield equal("difference quotients off the boundary", (up - down) * 2**7, g, Z=smooth, w=w)


@statement("claim", "3 deeper", "Yan, perceptron learning algorithm")
def sgd_view(perceptron_subgradient, rng):
    r"""'SGD with step 1 (kind of)': averaged over a uniform pick from $M(w)$ the update is $-g/|M(w)|$, a
    step of size $1/|M(w)|$ along the subgradient of $\sigma$. The distribution of the pick, and with it the
    step, depends on $w$."""
    Z = rng.integers(-4, 5, (25, 3))
    for w in (np.array([1, -2, 1]), np.zeros(3, dtype=np.int64), rng.integers(-3, 4, 3)):
        wrong = Z[Z @ w <= 0]
        if len(wrong):
            step = -perceptron_subgradient(w.astype(float), Z.astype(float)) / len(wrong)
            mean = wrong.sum(axis=0) / len(wrong)
            yield equal("-g / |M| against the mean update", step, mean, rounding(25, 5.0), Z=Z, w=w)


# ------------------------------------------------------------------- 4 The mistake bound
@statement("formula", "4", "Wainwright, eq. (2.26)-(2.35)")
def proof_steps(Perceptron, rng, *, n=24):
    r"""From $w^0 = 0$, after $t$ updates, whatever was picked: $\langle\theta, w^t\rangle \ge
    t\,\delta\|\theta\|$ and $\|w^t\|^2 \le tR^2$, so that $t \le R^2/\delta^2$. Here $z_i = y_i(x_i, 1)$."""
    cases = OFF_ORIGIN | {"random points": off_origin(rng, max(n, 2))}
    runs = [*product(("four points of a line", "random points"), PICKS)]
    runs += [("a steep plane", "cyclic")]  # which takes some 500 updates
    for case, pick in runs:
        X, y, theta = map(np.array, cases[case])
        R2, least, size2 = lengths(np.column_stack([X, np.ones_like(y)]) * y[:, None], theta)
        name, options = f"{case}, {pick}", {"pick": pick, "random_state": 1, "fit_intercept": True}
        path = yield from replay(Perceptron, X, y, name=name, **options)
        t = np.arange(len(path))
        yield at_least(f"{name}: <theta, w_t> against t min <theta, z>", path @ theta, t * least, X=X, y=y)
        yield at_most(f"{name}: |w_t|^2 against t R^2", (path**2).sum(axis=1), t * R2, X=X, y=y)
        yield at_most(f"{name}: updates x margin^2 against R^2", t[-1] * least**2, R2 * size2, X=X, y=y)


@statement("theorem", "4", "Wainwright, Theorem 2.3", "Yan, Theorem 2.3")
def mistake_bound(Perceptron, mistake_bound, rng):
    r"""If $\theta$ separates the data with margin $\delta$ and all $\|z_i\| \le R$, the perceptron started
    at 0 makes at most $R^2/\delta^2$ updates. The rows $e_1, \dots, e_n$ attain it: $n$ updates, $R = 1$,
    $\delta = 1/\sqrt n$."""
    X, y, theta = separable_rows(rng)
    Z = X * y[:, None]
    R2, least, size2 = lengths(Z, theta)
    for pick in PICKS:  # integers: t (min <theta, z>)^2 <= R^2 |theta|^2
        path = yield from replay(Perceptron, X, y, name=pick, pick=pick, random_state=2)
        squares = (len(path) - 1) * least**2
        yield at_most(f"{pick}: updates x margin^2 against R^2", squares, R2 * size2, Z=Z)
    yield equal("a bound without a margin refused", refuses(mistake_bound, 1.0, np.float64(0)), True)
    value, exact = mistake_bound(math.sqrt(R2), least / math.sqrt(size2)), R2 * size2 / least**2
    yield equal("the formula R^2 / delta^2", value, exact, rounding(6, exact), Z=Z, theta=theta)
    for n in (2, 9):
        signs = np.append(np.ones(n - 1, dtype=np.int64), -1)
        model = fit(Perceptron, np.eye(n) * signs[:, None], signs)
        yield equal(f"updates on {n} orthonormal rows", len(model.mistakes_), n)
        value = mistake_bound(1.0, 1 / math.sqrt(n))
        yield equal(f"the bound for {n} orthonormal rows", value, n, rounding(6, n))


@statement("theorem", "4", "Yan, Theorem 2.3")
def convergence(Perceptron, mistake_bound, rng):
    r"""On separable data there are finitely many updates, whatever the rule and the start: with $u$ a unit
    separator of margin $\delta$, $a = \langle u, w^0\rangle$ and $B = R^2 - 2\delta a$, at most $(B +
    \sqrt{B^2 + 4\delta^2(\|w^0\|^2 - a^2)})/(2\delta^2)$ (step 1)."""
    X, y, theta = separable_rows(rng)
    Z, start = X * y[:, None], rng.integers(-40, 41, 3)
    start[0] = -30 * np.sign(theta[0])
    R2, least, size2 = lengths(Z, theta)
    delta, a, start2 = least / math.sqrt(size2), int(start @ theta) / math.sqrt(size2), int(start @ start)
    bound = mistake_bound(math.sqrt(R2), delta, start_norm=math.sqrt(start2), start_along=a)
    # the bound is the largest root of (a + t delta)^2 = |w0|^2 + t R^2, found here by bisection
    low, high = 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        below = a + middle * delta <= 0 or (a + middle * delta) ** 2 <= start2 + middle * R2
        low, high = (middle, high) if below else (low, middle)
    slack = rounding(200, 1 + low)
    yield equal("the formula against bisection", bound, low, slack, Z=Z, theta=theta, start=start)
    by_hand = mistake_bound(2.0, 0.5, start_norm=3.0, start_along=-1.0)  # B = 5, its square and 8 are 33
    yield equal("for R = 2, delta = 1/2, |w_0| = 3, a = -1", by_hand, 10 + 2 * math.sqrt(33), rounding(8, 40))
    for pick in PICKS:
        path = yield from replay(Perceptron, X, y, start[None], name=pick, pick=pick, random_state=3)
        yield at_most(f"{pick}: updates", len(path) - 1, low, slack, Z=Z, start=start)
    yield from replay(Perceptron, *pair(16), np.array([[-5, 3]]), name="a small margin")  # many passes


@statement("claim", "4", "Yan, Theorem 2.3, limitations")
def many_steps(Perceptron):
    """'The finite number of steps can be very large': on the signed rows $(1, m), (1, 1 - m)$ the best
    margin is 1 while $R^2 = 1 + m^2$, and the perceptron needs more than $m$ updates, for $m = 4, 8, 16,
    32, 64$ at least twice as many at each step."""
    counts = []
    for m in (4, 8, 16, 32, 64):
        path = yield from replay(Perceptron, *pair(m), name=f"m = {m}", max_iter=10**6)
        counts.append(len(path) - 1)
    yield at_least("updates for m = 4, 8, 16, 32, 64", counts, [5, 9, 17, 33, 65])
    yield at_least("twice as many, or more", counts[1:], 2 * np.array(counts[:-1]))


# ------------------------------------------------------------------- 5 What it does not promise
@statement("claim", "5", "Yan, Theorem 2.3, limitations",
           estimators_only="The reference module does not compute the best margin.")  # fmt: skip
def nonunique(Perceptron, margin, separability):
    r"""The limit depends on the order of the rows and on the start. On the signed rows $(-3, 1), (2, 1),
    (-4, 1)$ two rules end at $(-1, 5)$ and $(0, 5)$, with margins $3/\sqrt{26} < 1$; the best margin is 1."""
    Z = (HAND_X * HAND_Y[:, None]).astype(float)
    ends = [weights(fit(Perceptron, HAND_X, HAND_Y, pick=pick)) for pick in ("cyclic", "first")]
    yield equal("ends of two rules", ends, [[-1, 5], [0, 5]])
    margins = [margin(w, Z) for w in ends]
    yield equal("their margins", margins, [3 / math.sqrt(26), 1.0], rounding(4, 3.0))
    answer, slack = separability(Z), rounding(100, 5.0)
    yield equal("best margin, from both sides", [answer.lower, answer.upper], 1.0, slack)
    w = np.asarray(answer.w)
    yield at_least("the margin of its separator", (Z @ w).min() / math.hypot(*w), 1.0 - slack)


@statement("claim", "5", "Yan, Theorem 2.3, limitations", "Minsky and Papert 1969", "Block and Levin 1970")
def nonseparable(Perceptron, rng, *, n=5, d=3):
    r"""On data that cannot be separated the updates never end (no $w$ is free of mistakes). The fit must
    say so, and can prove it: convex weights with $\sum_ia_iz_i = 0$. On the diagonals of a square the rule
    'next in order' from 0 goes round four weight vectors for ever."""
    path = [tuple(w) for w, mistake in islice(walk(SQUARE_Z), 40) if mistake]
    yield equal("different weights in the last 16 of many updates on the diagonals", len(set(path[-16:])), 4)
    cases = {"diagonals": SQUARE_Z, "rows that need unequal weights": UNEVEN_Z}
    cases |= {"one row against four": LOPSIDED_Z, "random rows and their balance": balanced_rows(rng, n, d)}
    for name, Z in cases.items():
        y = np.where(np.arange(len(Z)) % 2, -1, 1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = Perceptron(fit_intercept=False, max_iter=50).fit((Z * y[:, None]).astype(float), y)
        yield at_least(f"{name}: warnings", len(caught), 1, Z=Z)
        a, told = model.combination_, getattr(model, "certificate_", {"separable": False, "upper": 0.0})
        yield equal(f"{name}: separable, as it says", told["separable"] is False, True)
        yield equal(f"{name}: its bound on the margins", told["upper"], 0.0, rounding(100, abs(Z).max()), Z=Z)
        yield at_least(f"{name}: convex weights", a, 0.0, Z=Z)
        yield equal(f"{name}: their sum", a.sum(), 1.0, rounding(len(Z)), Z=Z)
        yield equal(f"{name}: their combination", a @ Z, 0 * Z[0], rounding(100, abs(Z).max()), Z=Z)


@statement("theorem", "5 deeper", "Freund and Schapire 1999, Theorem 2")
def slack_bound(Perceptron, slack_bound, rng):
    r"""On *any* data, in the first pass from $w = 0$ there are at most $((R + \Delta)/\delta)^2$ mistakes,
    for every unit vector $u$ and $\delta > 0$, with $\Delta^2 = \sum_i\max(0, \delta - \langle u,
    z_i\rangle)^2$."""
    X, y = rng.integers(-6, 7, (40, 3)), rng.choice([-1, 1], 40)
    y[:2] = 1, -1
    Z = X * y[:, None]
    mistakes = [i for i, (_, mistake) in enumerate(islice(walk(Z), len(Z))) if mistake]
    rows = fit(Perceptron, X, y, max_iter=1).mistakes_
    yield equal("mistakes of the first pass", rows.tolist() == mistakes, True, Z=Z)
    R = math.sqrt(int((Z**2).sum(axis=1).max()))
    for u, delta in ((np.array([2, -1, 2]), 1.0), (np.array([0, 3, 0]), 6.0)):  # norm 3
        lack = np.maximum(0, delta - Z @ u / 3)
        exact = ((R + math.sqrt(lack @ lack)) / delta) ** 2
        value = slack_bound(u.astype(float), Z.astype(float), delta)
        yield equal("the formula", value, exact, rounding(60, exact), Z=Z, u=u, delta=delta)
        yield at_most("mistakes against the bound", len(mistakes), value, Z=Z, u=u, delta=delta)


# ------------------------------------------------------------------- 6 Variants
@statement("algorithm", "6 deeper", "Shi, eq. (1)")
def batch(Perceptron, rng):
    r"""The batch form adds all mistakes at once, $w \leftarrow w + \eta\sum_{i \in M(w)}z_i$. On separable
    data, from $w = 0$, it ends after at most $nR^2/\delta^2$ mistakes in total."""
    by_hand = fit(Perceptron, HAND_X, HAND_Y, pick="batch")
    yield equal("weights by hand", weights(by_hand), HAND["batch"][1])
    X, y, theta = separable_rows(rng)
    Z, w, total, steps = X * y[:, None], np.zeros(3, dtype=np.int64), 0, 0
    yield equal("the sum of the rows with a product below 0 at w = 0", Z[Z @ w < 0].sum(axis=0), 0 * w)
    while len(wrong := Z[Z @ w <= 0]):
        last, w, total, steps = w, w + wrong.sum(axis=0), total + len(wrong), steps + 1
    yield at_least("mistakes of the weights before the last step", (Z @ last <= 0).sum(), 1, Z=Z)
    model, early = (fit(Perceptron, X, y, pick="batch", max_iter=max(k, 1)) for k in (steps, steps - 1))
    yield equal("weights after the last step, against the definition", weights(model), w, Z=Z)
    R2, delta = int((Z**2).sum(axis=1).max()), (Z @ w).min() / math.sqrt(w @ w)
    bound = len(Z) * R2 / delta**2
    yield from certified(model, "batch", total, math.sqrt(R2), delta, bound, len(Z) * R2)
    yield equal("weights before it", weights(early), last if steps > 1 else w, Z=Z)
    yield equal("mistakes in total", len(model.mistakes_), total, Z=Z)
    R2, least, size2 = lengths(Z, theta)
    yield at_most("mistakes x margin^2 against n R^2", total * least**2, len(Z) * R2 * size2, Z=Z)


@statement("algorithm", "6 deeper", "Chapter 10, 10.1.6")
def pseudocode(one_pass, rng):
    r"""Chapter 10's pseudocode goes over the rows once, with $b \leftarrow b + r(y_i - \hat y_i)(x_i, 1)$:
    a step of $2r$ at a mistake; a score of 0 answers $+1$. The loop over coordinates and the vector form
    agree bit for bit."""
    X, y = rng.integers(-9, 10, (30, 3)), rng.choice([-1, 1], 30)
    y[0], X[1], y[1] = 1, X[0], -1  # a score of 0 for both labels: right, then wrong
    half = one_pass(X.astype(float), y)
    for rate in (0.5, 0.125, 4.0):
        b = [0.0] * 4
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            answer = 1 if b[3] + sum(b[j] * x[j] for j in range(3)) >= 0 else -1
            b[3] = b[3] + rate * (label - answer)
            for j in range(3):
                b[j] = b[j] + rate * (label - answer) * x[j]
        yield equal(f"weights at r = {rate}", one_pass(X.astype(float), y, rate=rate), b, X=X, y=y)
        yield equal("against those at r = 1/2, times 2 r", b, 2 * rate * half, X=X, y=y)
        move = one_pass(X[:1].astype(float), -y[:1], rate=rate)
        yield equal(f"the move at one mistake, r = {rate}", move, -2 * rate * np.append(X[0], 1), X=X[:1])


@statement("algorithm", "6", "Freund and Schapire 1999")
def averaged(Perceptron, rng, *, n=40):
    """The averaged perceptron answers with the mean of the weights kept after every visit of a row, in
    whole passes up to the first without a mistake; the voted one lets each of them vote."""
    for X, y in (separable_rows(rng, n)[:2], (HAND_X, HAND_Y)):
        Z = X * y[:, None]
        path, points = np.array([w for w, _ in walk(Z)]), rng.integers(-9, 10, (20, X.shape[1]))
        model = fit(Perceptron, X, y, output="average")
        slack = rounding(len(path), abs(path).max())
        yield equal("the mean", weights(model), path.mean(axis=0), slack, Z=Z)
        votes = np.where(points @ path.T >= 0, 1, -1).sum(axis=1)
        model = fit(Perceptron, X, y, output="vote")
        yield equal("the votes", model.decision_function(points.astype(float)), votes, Z=Z, points=points)
        passes = getattr(model, "n_iter_", len(path) // len(Z))
        yield equal("passes", passes, len(path) // len(Z), Z=Z)


@statement("algorithm", "6 deeper", "Shi, decision functions", "Duda, Hart and Stork 2001, section 5.12")
def multiclass(Perceptron, rng):
    r"""With a weight vector for each class and $\arg\max_k\langle w_k, x\rangle$, a mistake adds the row to
    its own class and subtracts it from the best other one. If some $W$ has all gaps $\langle w_{y_i} - w_k,
    x_i\rangle \ge g > 0$, there are at most $2R^2\|W\|^2/g^2$ updates from zero weights."""
    V = np.array([[4, 0], [-2, 3], [-2, -3]])
    X = rng.integers(-9, 10, (80, 2))
    order = np.sort(X @ V.T, axis=1)
    X = np.vstack([V, X[order[:, 2] > order[:, 1]]])[:45]
    y, order = (X @ V.T).argmax(axis=1), np.sort(X @ V.T, axis=1)
    gap = int((order[:, 2] - order[:, 1]).min())
    W, path, rows, wrong = np.zeros((3, 2), dtype=np.int64), [], [], True
    while wrong:
        wrong = False
        for i, (x, k) in enumerate(zip(X, y, strict=True)):
            rivals = np.where(np.arange(3) == k, -math.inf, W @ x)
            if W[k] @ x <= rivals.max():
                W, wrong = W.copy(), True
                W[[k, rivals.argmax()]] += [x, -x]
                rows.append(i)
            path.append(W)
    model, mean = fit(Perceptron, X, y), fit(Perceptron, X, y, output="average")
    yield equal("updates, one after the other", model.mistakes_.tolist() == rows, True, X=X, y=y)
    yield equal("weights after them", model.coef_, W, X=X, y=y)
    slack = rounding(len(path), abs(np.array(path)).max())
    yield equal("mean of the weights over the visits", mean.coef_, np.mean(path, axis=0), slack, X=X, y=y)
    yield equal("answers", model.predict(X.astype(float)), y, X=X)
    yield equal("answer at 0, a tie: the last class", model.predict(np.zeros((1, 2))), [2])
    bound = 2 * int((X**2).sum(axis=1).max()) * int((V**2).sum())
    yield at_most("updates x gap^2 against 2 R^2 |V|^2", len(model.mistakes_) * gap**2, bound)


@statement("theorem", "6", "Freund and Schapire 1999, section 4", "Aizerman, Braverman and Rozonoer 1964")
def gram_form(KernelPerceptron, rng, *, n=40):
    r"""From $w = 0$, $w = \sum_i\alpha_iz_i$ with $\alpha_i$ the number of updates at row $i$: only inner
    products enter. With $\langle x, x'\rangle$ the updates are those of the perceptron; with $(1 + \langle
    x, x'\rangle)^2$ it separates the diagonals of a square."""
    steep, labels, _ = map(np.array, OFF_ORIGIN["a steep plane"])  # some 250 passes
    cases = (HAND_X / 16, HAND_Y, False), (steep, labels, True), (*separable_rows(rng, n)[:2], False)
    for X, y, intercept in cases:
        merge = np.column_stack([X, np.ones(len(X))]) if intercept else X
        Z = merge * y[:, None]
        path, mistakes = (np.array(part) for part in zip(*walk(Z), strict=True))
        counts = mistakes.reshape(-1, len(Z)).sum(axis=0)
        model = fit(KernelPerceptron, X, y, fit_intercept=intercept)
        yield equal("rows left wrong", (Z @ (model.counts_ @ Z) <= 0).sum(), 0, Z=Z)
        yield equal("updates of each row, next in order", model.counts_, counts, Z=Z)
        size, R2 = math.sqrt(path[-1] @ path[-1]), (Z**2).sum(axis=1).max()
        delta = (Z @ path[-1]).min() / size
        yield from certified(model, "in Gram form", counts.sum(), math.sqrt(R2), delta, R2 / delta**2, R2)
        passes = getattr(model, "n_iter_", len(path) // len(Z))
        yield equal("passes", passes, len(path) // len(Z), Z=Z)
        points = np.vstack([Z[:1], rng.integers(-9, 10, (19, Z.shape[1]))])  # the first score is not zero
        points[:, X.shape[1] :] = 1
        scores = model.decision_function(points[:, : X.shape[1]].astype(float))
        yield equal("scores of new points", scores, points @ path[-1], Z=Z, points=points)
    options = {"kernel": lambda A, B: (1 + A @ B.T) ** 2, "fit_intercept": True}
    square = fit(KernelPerceptron, SQUARE, DIAGONALS, **options)
    yield equal("answers on the diagonals", square.predict(SQUARE.astype(float)), DIAGONALS)


# ------------------------------------------------------------------- 7 What the notes got wrong
@correction("wrong", "7 deeper", "Chapter 10, 10.1.6")
def erratum_t10(one_pass, Perceptron):
    """Printed: The weights are trained by one pass over the rows.
    Right: One pass may leave mistakes on separable data; passes are repeated until one has none."""
    X, y = np.array([[1.0], [3.0], [4.0], [6.0]]), np.array([-1, -1, 1, 1])  # separated by x = 3.5
    slope, intercept = one_pass(X, y)
    wrong = (X[:, 0] * slope + intercept >= 0) != (y > 0)
    yield at_least("rows left wrong by one pass", wrong.sum(), 1)
    slope, intercept = weights(fit(Perceptron, X, y, fit_intercept=True), True)
    wrong = y * (X[:, 0] * slope + intercept) <= 0
    yield equal("rows left wrong by passes until there is none", wrong.sum(), 0)


# fmt: off
erratum_t15 = misprint("perceptron.t15", "7 deeper", "Chapter 10, 10.1.6", """
    Printed: The perceptron was the first artificial neural network.
    Right: Rosenblatt's machine (1958) learned its weights; the threshold neuron and networks of it are
    McCulloch and Pitts (1943).""")
erratum_y14 = loss_dist.corrects("y14", "wrong", "7 deeper", "Yan, perceptron learning algorithm", r"""
    Printed: $\sigma(\beta) \propto \sum_{i \in M}\operatorname{dist}(x_i, H_\beta)$.
    Right: $\sigma(\beta) = \|\beta\|\sum_{i \in M}\operatorname{dist}$, distances in the merged space: the
    factor is not constant, and $\sigma(0) = 0$ on any data.""")
erratum_y15 = eta1.corrects("y15", "sharper", "7 deeper", "Yan, perceptron learning algorithm", r"""
    Printed: 'In fact, we can take $\eta = 1$ here'.
    Right: As printed: step 1 ends from every start. From $\beta^0 = 0$ the step only rescales; from another
    start it changes the path: $\beta^0$ with step $\eta$ is $\beta^0/\eta$ with step 1.""")
erratum_t11 = pseudocode.corrects("t11", "wrong", "7 deeper", "Chapter 10, 10.1.6", r"""
    Printed: $0 < r < 1$ is the learning rate.
    Right: From zero weights $r$ changes no answer, so that no range is needed; and a mistake moves the
    weights by $2r\,y_i(x_i, 1)$, not $r$.""")
erratum_w9 = mistake_set.corrects("w9", "wrong", "7 deeper", "Wainwright, section 2.3.4 and eq. (2.30)", r"""
    Printed: $m(\theta) = \{i: y^{(i)}\langle\theta, x^{(i)}\rangle < 0\}$, with $\theta^0 = 0$.
    Right: $\le 0$. As printed $m(0) = \emptyset$: the algorithm ends before its first step.""")
erratum_w10 = separable.corrects("w10", "wrong", "7 deeper", "Wainwright, section 2.3.4", r"""
    Printed: A data set is linearly separable if $m(\theta) = \emptyset$ for some $\theta$ (with '$< 0$').
    Right: $y^{(i)}\langle\theta, x^{(i)}\rangle > 0$ for all $i$. As printed every data set qualifies, by
    $\theta = 0$.""")
erratum_w11 = margin.corrects("w11", "wrong", "7 deeper", "Wainwright, Theorem 2.3", r"""
    Printed: $\delta > 0$ for some $\theta^\star$ with $m(\theta^\star) = \emptyset$ (with '$< 0$').
    Right: $m(\theta^\star) = \emptyset$ must mean '$> 0$' for all rows; else a point may lie on the line and
    $\delta = 0$.""")
erratum_w12 = class_.corrects("w12", "wrong", "7 deeper", "Wainwright, eq. (2.23) and below", r"""
    Printed: The algorithm over $\operatorname{sgn}\langle\theta, x\rangle$ needs classes separated by lines.
    Right: By hyperplanes through the origin: the class has no intercept unless a 1 is appended.""")
erratum_s9 = batch.corrects("s9", "wrong", "7 deeper", "Shi, eq. (1)", r"""
    Printed: $w_{t+1} = w_t + \eta\sum_iy_ix_i1\{y_i\langle x_i, w_t\rangle < 0\}$ from $w_1 = 0$.
    Right: $1\{\dots \le 0\}$. As printed the sum is empty at $w_1 = 0$, and $w_t = 0$ for ever.""")
erratum_s10 = batch.corrects("s10", "wrong", "7 deeper", "Shi, perceptron algorithm", r"""
    Printed: Output $w^\star = w_T$ after the loop $t = 1, \dots, T$.
    Right: Output $w_{T+1}$: the loop computes it last, and $w_T$ throws the last update away.""")
erratum_s11 = erm_view.corrects("s11", "wrong", "7 deeper", "Shi, view it in ERM", r"""
    Printed: The perceptron minimises $R_n(w, \ell_{\text{pern}})$.
    Right: $w = 0$ is always a minimiser, on any data, and separates nothing. On separable data the minimisers
    are $0$, the separators, and limits of separators.""")
