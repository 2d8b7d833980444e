"""The statements on the perceptron as executable claims, in the order of the lecture.

Data, separators and starts are small integers, so that products, weights and both sides of the mistake bound
are exact in float64. An implementation hands over the rows of its updates, ``mistakes_``; they are replayed
here, and nothing that it says about itself is believed.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.claims.core import (
    Evidence,
    as_numbers,
    at_least,
    at_most,
    claim,
    equal,
    erratum,
    rounding,
    scalar,
    typographical,
)

Checks = Iterator[Evidence]

# ------------------------------------------------------------------- instances, and replaying what was done


def _separable(rng, n=40, d=3):
    """Return integer rows (n, d), labels, both there, and a separator (d,) with products of at least 1."""
    theta = rng.integers(1, 6, d) * rng.choice([-1, 1], d)
    X = rng.integers(-9, 10, (4 * n, d))
    X = X[X @ theta != 0]
    X = np.vstack([np.sign(theta), -np.sign(theta), X])[:n]
    return X, np.sign(X @ theta), theta


def _fit(Perceptron, X, y, *start, **options):
    """Return the fitted model; its warnings are not the matter here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Perceptron(**options).fit(X.astype(np.float64), y, *start)


def _rows(model: Any, n: int) -> Any:
    """Return the rows of the updates, or None if they are no rows."""
    rows = np.asarray(getattr(model, "mistakes_", None))
    valid = rows.ndim == 1 and (rows.dtype.kind in "iu" or not rows.size)
    return rows.astype(np.int64) if valid and ((rows >= 0) & (rows < n)).all() else None


def _weights(model: Any, d: int, intercept: bool = False) -> np.ndarray:
    """Return the weights as (d,) or, with the intercept last, (d + 1,); NaN for anything else."""
    w = as_numbers(getattr(model, "coef_", None), 1, d)[0]
    return np.append(w, as_numbers(getattr(model, "intercept_", None), 1)[0]) if intercept else w


def _replay(Z: np.ndarray, rows: np.ndarray, start: Any = 0, step: Any = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights before each update and at the end, (t + 1, D), and <w, z> before each update."""
    path = start + step * np.cumsum(np.vstack([0 * Z[:1], Z[rows]]), axis=0)
    return path, (path[:-1] * Z[rows]).sum(axis=1)


def _audit(
    model: Any, Z: np.ndarray, what: str, start: Any = 0, step: Any = 1
) -> tuple[list, np.ndarray | None]:
    """Return evidence that the updates were mistakes that lead to the weights; and the path, or None."""
    rows = _rows(model, len(Z))
    if rows is None:
        return [equal(f"{what}: rows in mistakes_", "something else", "integers", Z=Z)], None
    path, products = _replay(Z, rows, start, step)
    intercept = len(_weights(model, Z.shape[1])) and np.isnan(_weights(model, Z.shape[1])).any()
    w = _weights(model, Z.shape[1] - intercept, bool(intercept))
    return [
        equal(f"{what}: updates at rows that were right", int((products > 0).sum()), 0, Z=Z),
        equal(f"{what}: weights against the replayed ones", w, path[-1].astype(float), Z=Z),
        equal(f"{what}: rows left wrong", int((Z @ path[-1] <= 0).sum()), 0, Z=Z),
    ], path


PICKS = ("cyclic", "first", "random", "worst")

# a case by hand: signed rows (-3, 1), (2, 1), (-4, 1)
_HAND_X, _HAND_Y = np.array([[-3, 1], [2, 1], [4, -1]]), np.array([1, 1, -1])
_HAND = {  # rule: rows of the updates, last weights
    "cyclic": ([0, 1, 1, 2, 1], [-1, 5]),
    "first": ([0, 1, 1, 0, 1], [0, 5]),
    "batch": ([0, 1, 2, 1, 1], [-1, 5]),
}
_XOR = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]])
_XOR_Y = np.array([1, 1, -1, -1])
_XOR_Z = np.column_stack([_XOR, np.ones(4, dtype=np.int64)]) * _XOR_Y[:, None]


# ------------------------------------------------------------------- 1 Separable data


@claim(
    "perceptron.separable",
    kind="definition",
    section="1",
    sources=("Yan, linearly separable data", "Wainwright, section 2.3.4"),
    statement=r"Data are linearly separable iff some $(\beta, \beta_0)$ has $y_i(\langle x_i, \beta\rangle "
    r"+ \beta_0) > 0$ for all $i$. With $z_i = y_i(x_i, 1)$: either some $w$ has all $\langle w, z_i\rangle "
    r"> 0$, or some convex combination of the $z_i$ is zero, never both. `separability(Z, exact=True)` "
    r"returns the one or the other in fractions.",
)
def separable(separability, rng) -> Checks:
    X, y, _ = _separable(rng, n=12)
    Z = X * y[:, None]
    found = separability(Z, exact=True)
    w = _fractions(getattr(found, "w", None), Z.shape[1])
    yield equal("separable data: rows with a positive product", _positive(Z, w), len(Z), Z=Z)
    yield equal("and the answer", bool(getattr(found, "separable", None)), True)
    for name, rows in (
        ("the diagonals of a square", _XOR_Z),
        ("random rows and their balance", _balanced(rng)),
    ):
        found = separability(rows, exact=True)
        a = _fractions(getattr(found, "weights", None), len(rows))
        yield equal(f"{name}: the answer", getattr(found, "separable", None) is False, True, Z=rows)
        good = a is not None and min(a) >= 0 and sum(a) == 1
        yield equal(f"{name}: convex weights", good, True, Z=rows)
        balance = (
            max(abs(sum(c * int(v) for c, v in zip(a, col, strict=True))) for col in rows.T)
            if good
            else math.nan
        )
        yield equal(f"{name}: their combination", balance, 0, Z=rows)


def _fractions(values: Any, n: int) -> Any:
    """Return n exact numbers, or None."""
    try:
        numbers = [Fraction(v) for v in np.asarray(values, dtype=object).reshape(-1)]
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers if len(numbers) == n else None


def _positive(Z: np.ndarray, w: Any) -> int:
    """Return the number of rows with a positive product, exactly."""
    return 0 if w is None else int((Z.astype(object) @ np.array(w, dtype=object) > 0).sum())


def _balanced(rng):
    """Return integer rows with the sum zero: the last is minus the sum of the others."""
    Z = rng.integers(-5, 6, (7, 3))
    return np.vstack([Z, -Z.sum(axis=0)])


@claim(
    "perceptron.merge",
    kind="formula",
    section="1",
    sources=("Yan, linearly separable data",),
    statement=r"Appending a 1 to every row merges the intercept: $y_i(\langle x_i, \beta\rangle + \beta_0) "
    r"= \langle(\beta, \beta_0), z_i\rangle$ with $z_i = y_i(x_i, 1)$.",
)
def merge(signed_rows, rng) -> Checks:
    X, y = rng.integers(-9, 10, (30, 3)), rng.choice([-1, 1], 30)
    y[:2] = 1, -1
    w, b = rng.integers(1, 10, 3), int(rng.integers(1, 10))
    Z = as_numbers(signed_rows(X.astype(float), y), 30, 4)
    yield equal(
        "products with the merged rows", Z @ np.append(w, b), (y * (X @ w + b)).astype(float), X=X, y=y
    )
    Z = as_numbers(signed_rows(X.astype(float), y, fit_intercept=False), 30, 3)
    yield equal("without an intercept", Z @ w, (y * (X @ w)).astype(float), X=X, y=y)


@claim(
    "perceptron.class",
    kind="definition",
    section="1",
    sources=("Wainwright, eq. (2.23)",),
    statement=r"The class $\operatorname{sgn}\langle\theta, x\rangle$ has hyperplanes through the origin "
    r"only: $x = 1$ with label $-1$ and $x = 2$ with label $+1$ are separated by a point, and by no "
    r"$\theta$. With the 1 appended they are: $\langle(2, -3), (x, 1)\rangle$.",
)
def homogeneous_class(separability, signed_rows) -> Checks:
    X, y = np.array([[1.0], [2.0]]), np.array([-1, 1])
    for name, intercept, answer in (("without", False, False), ("with", True, True)):
        Z = as_numbers(signed_rows(X, y, fit_intercept=intercept), 2, 1 + intercept)
        verdict = getattr(separability(Z), "separable", None) if np.isfinite(Z).all() else None
        yield equal(f"{name} the appended 1: separable", verdict is answer, True)
    Z = as_numbers(signed_rows(X, y), 2, 2)
    yield at_least("products with (2, -3)", Z @ np.array([2, -3]), 1.0)


@claim(
    "perceptron.margin",
    kind="definition",
    section="1",
    sources=("Wainwright, after eq. (2.25)",),
    statement=r"The margin of a separator is $\delta = \min_i\langle w, z_i\rangle/\|w\|$, the distance of "
    r"the closest point from the hyperplane: 3 for $w = (3, 4)$ and points whose products are 15, 20 and "
    r"65. It does not change when $w$ is multiplied by a positive number.",
)
def margin_of_separator(margin, rng) -> Checks:
    w = np.array([3.0, 4.0])
    yield equal("by hand", scalar(margin(w, [[5.0, 0.0], [0.0, 5.0], [3.0, 14.0]])), 3.0, rounding(2, 3.0))
    X, y, theta = _separable(rng)
    Z = X * y[:, None]
    truth = int((Z @ theta).min()) / math.sqrt(int(theta @ theta))
    values = np.array([scalar(margin(c * theta.astype(float), Z)) for c in (1.0, 0.25, 1024.0)])
    yield equal("margin of w, w/4 and 1024 w", values, truth, rounding(6, 200.0), Z=Z, w=theta)
    foot = Z - np.outer(Z @ theta, theta) / (theta @ theta)  # the nearest points of the hyperplane
    nearest = float(np.sqrt(((Z - foot) ** 2).sum(axis=1)).min())
    yield equal("least distance from the hyperplane", values[0], nearest, rounding(12, 200.0), Z=Z, w=theta)


# ------------------------------------------------------------------- 2 The algorithm


@claim(
    "perceptron.mistake-set",
    kind="definition",
    section="2",
    sources=("Yan, perceptron learning algorithm", "Wainwright, section 2.3.4", "Shi, eq. (1)"),
    statement=r"The mistakes of $w$ are $M(w) = \{i: \langle w, z_i\rangle \le 0\}$, with the boundary. At "
    r"$w = 0$ every row is one, and an algorithm that starts there must move.",
)
def mistakes_of(mistake_set, Perceptron, rng) -> Checks:
    Z, w = rng.integers(-4, 5, (40, 3)), np.array([1, -1, 2])
    Z[:6] = [[1, 1, 0], [2, 0, -1], [-1, 1, 1], [0, 0, 0], [1, 0, 0], [-1, 0, 0]]  # four on the boundary
    for name, v in (("w", w), ("zero", 0 * w)):
        found = np.sort(np.asarray(mistake_set(v.astype(float), Z.astype(float))).reshape(-1))
        wanted = np.flatnonzero(Z @ v <= 0)
        same = found.shape == wanted.shape and bool((found == wanted).all())
        yield equal(f"mistakes of {name}", same, True, Z=Z, w=v)
    rows = _rows(_fit(Perceptron, np.array([[1, 1], [-1, 2]]), np.array([1, -1])), 2)
    yield equal("updates from zero", rows is not None and len(rows) > 0, True)


@claim(
    "perceptron.update",
    kind="algorithm",
    section="2",
    sources=(
        "Yan, perceptron learning algorithm",
        "Wainwright, section 2.3.4",
        "Shi, eq. (1)",
        "Chapter 10, 10.1.6",
    ),
    statement=r"While $M(w) \ne \emptyset$: pick $i \in M(w)$, $w \leftarrow w + \eta z_i$. On the signed "
    r"rows $(-3, 1), (2, 1), (-4, 1)$ the rule 'next in order' updates at rows 0, 1, 1, 2, 1 and ends at "
    r"$(-1, 5)$; 'least index' at 0, 1, 1, 0, 1 and ends at $(0, 5)$.",
)
def update(Perceptron, rng) -> Checks:
    for pick in ("cyclic", "first"):
        model = _fit(Perceptron, _HAND_X, _HAND_Y, pick=pick, fit_intercept=False)
        rows = _rows(model, 3)
        yield equal(f"rows by hand, {pick}", rows is not None and rows.tolist() == _HAND[pick][0], True)
        yield equal(f"weights by hand, {pick}", _weights(model, 2), np.array(_HAND[pick][1], dtype=float))
    X, y, _ = _separable(rng)
    for intercept in (False, True):
        Z = (np.column_stack([X, np.ones(len(X), dtype=np.int64)]) if intercept else X) * y[:, None]
        model = _fit(Perceptron, X, y, fit_intercept=intercept)
        yield from _audit(model, Z, "with the intercept" if intercept else "without an intercept")[0]
    X, y = np.array([[1], [2], [4]]), np.array([-1, 1, 1])  # separated by a point that is not the origin
    Z = np.column_stack([X, np.ones(3, dtype=np.int64)]) * y[:, None]
    yield from _audit(_fit(Perceptron, X, y), Z, "one feature")[0]


@claim(
    "perceptron.goal",
    kind="claim",
    section="2",
    sources=("Yan, linearly separable data",),
    statement=r"The goal is some $\hat\beta$ with all $\langle\hat\beta, z_i\rangle > 0$. The algorithm "
    r"finds one without knowing a separator: on separable data it ends with no mistake left, also next to "
    r"the boundary.",
)
def goal(Perceptron, rng) -> Checks:
    # products with theta are 1 for some rows and their mirror images: nothing to spare
    theta, X = np.array([2, -3]), rng.integers(-9, 10, (60, 2))
    X = np.vstack([[[2, 1], [-1, -1], [-2, -1], [1, 1]], X[X @ theta != 0]])
    for rows, y in ((X, np.sign(X @ theta)), (np.array([[1, 16], [-1, 15]]), np.array([1, -1]))):
        for pick in ("cyclic", "worst"):
            w = _weights(_fit(Perceptron, rows, y, pick=pick, fit_intercept=False), 2)
            yield equal(f"rows on the right side, {pick}", int((y * (rows @ w) > 0).sum()), len(rows), X=rows)


@claim(
    "perceptron.eta1",
    kind="claim",
    section="2",
    sources=("Yan, perceptron learning algorithm",),
    statement=r"From $w = 0$ the step $\eta$ multiplies every iterate and changes neither the updates nor "
    r"an answer. From another start it can: on $z = (1), w^0 = -3$ the step 1 needs four updates, the step "
    r"4 one.",
)
def step_size(Perceptron, rng) -> Checks:
    X, y, _ = _separable(rng)
    one = _fit(Perceptron, X, y, fit_intercept=False)
    for eta in (0.25, 8.0):
        other = _fit(Perceptron, X, y, eta0=eta, fit_intercept=False)
        rows, others = _rows(one, len(X)), _rows(other, len(X))
        same = rows is not None and others is not None and np.array_equal(rows, others)
        yield equal(f"the same updates at step {eta}", same, True, X=X, y=y)
        yield equal(f"weights at step {eta}", _weights(other, 3), eta * _weights(one, 3), X=X, y=y)
    for eta, updates in ((1.0, 4), (4.0, 1)):
        model = _fit(
            Perceptron, np.array([[1], [-1]]), np.array([1, -1]), [[-3.0]], eta0=eta, fit_intercept=False
        )
        rows = _rows(model, 2)
        yield equal(f"updates from -3 at step {eta}", math.nan if rows is None else len(rows), updates)


@claim(
    "perceptron.predict",
    kind="definition",
    section="2",
    sources=("Shi, perceptron algorithm", "Chapter 10, 10.1.6"),
    statement=r"The answer is the sign of the score, and a score of exactly 0 needs a rule: chapter 10 "
    r"answers $+1$, the second class. `np.sign` would answer 0, which is no label.",
)
def answers(Perceptron) -> Checks:
    X, labels = np.array([[-1], [1]]), np.array(["minus", "plus"])
    model = _fit(Perceptron, X, labels)
    found = [str(label) for label in np.asarray(model.predict([[-2.0], [0.0], [2.0]])).reshape(-1)]
    yield equal("answers at -2, 0, 2", ", ".join(found), "minus, plus, plus")
    scores = as_numbers(model.decision_function([[0.0]]), 1)
    yield equal("score at 0", scores[0], 0.0)


# ------------------------------------------------------------------- 3 What it minimises


@claim(
    "perceptron.loss",
    kind="formula",
    section="3",
    sources=("Yan, perceptron learning algorithm", "Shi, view it in ERM"),
    statement=r"$\sigma(w) = -\sum_{i \in M(w)}\langle w, z_i\rangle = \sum_i\max(0, -\langle w, "
    r"z_i\rangle) \ge 0$, a convex function of $w$.",
)
def loss(perceptron_loss, rng) -> Checks:
    Z, ends = rng.integers(-5, 6, (30, 3)), rng.integers(-4, 5, (2, 3))
    values = []
    for w in (*ends, ends.mean(axis=0)):
        products = Z @ w
        values.append(scalar(perceptron_loss(w.astype(float), Z.astype(float))))
        yield equal("sigma", values[-1], float(-products[products <= 0].sum()), Z=Z, w=w)
    yield at_most(
        "sigma in the middle against the mean of the ends", values[2], sum(values[:2]) / 2, Z=Z, ends=ends
    )


@claim(
    "perceptron.loss-dist",
    kind="claim",
    section="3",
    sources=("Yan, perceptron learning algorithm",),
    statement=r"$\sigma(w) = \|w\|\sum_{i \in M(w)}\operatorname{dist}(z_i, w^\perp)$: the factor is "
    r"$\|w\|$, not a constant.",
)
def loss_and_distances(perceptron_loss, rng) -> Checks:
    Z, w = rng.integers(-5, 6, (30, 2)), np.array([3, -4])
    Z[0] = [-1, 1]
    products = Z @ w
    wrong = Z[products <= 0]
    foot = wrong - np.outer(wrong @ w, w) / 25
    distances = float(np.sqrt(((wrong - foot) ** 2).sum(axis=1)).sum())
    for c in (1, 2, 16):
        value = scalar(perceptron_loss((c * w).astype(float), Z.astype(float)))
        yield equal(
            f"ratio for {c} w, which has norm {5 * c}",
            value / distances,
            5.0 * c,
            rounding(200, 5.0 * c),
            Z=Z,
        )


@claim(
    "perceptron.erm-view",
    kind="theorem",
    section="3",
    sources=("Shi, view it in ERM",),
    statement=r"$\min\{\frac1n\sum_i\xi_i : \langle w, z_i\rangle \ge -\xi_i, \xi_i \ge 0\}$ over $\xi$ is "
    r"$\frac1n\sigma(w)$; over $w$ the least value is 0, attained at $w = 0$ on any data, so that "
    r"minimising it finds nothing.",
)
def erm_view(perceptron_loss, rng) -> Checks:
    Z, w = rng.integers(-3, 4, (6, 2)), np.array([3, rng.integers(-3, 4)])
    Z[0] = [-2, 0]
    # the least slack of row i among all multiples of 1 from 0 to 60: the products are integers
    slacks = [min(xi for xi in range(61) if int(z @ w) >= -xi) for z in Z]
    value = scalar(perceptron_loss(w.astype(float), Z.astype(float)))
    yield equal("sigma against the least slacks", value, float(sum(slacks)), Z=Z, w=w)
    at_zero = scalar(perceptron_loss(np.zeros(3), _XOR_Z.astype(float)))
    yield equal("sigma at zero on data that cannot be separated", at_zero, 0.0)


@claim(
    "perceptron.subgradient",
    kind="formula",
    section="3",
    sources=("Shi, view it in ERM",),
    statement=r"$g = -\sum_{i \in M(w)}z_i$ is a subgradient of $\sigma$: $\sigma(v) \ge \sigma(w) + "
    r"\langle g, v - w\rangle$ for all $v$; where no row is on the boundary it is the gradient.",
)
def subgradient(perceptron_subgradient, rng) -> Checks:
    Z, w = rng.integers(-4, 5, (25, 3)), rng.integers(1, 5, 3)
    Z[:2] = [[w[1], -w[0], 0], [-w[1], w[0], 0]]  # on the boundary
    others = np.vstack([rng.integers(-6, 7, (60, 3)), [[0, 0, 0]], 2 * w[None]])

    def sigma(points):
        return np.maximum(0, -(np.atleast_2d(points) @ Z.T)).sum(axis=1)

    g = as_numbers(perceptron_subgradient(w.astype(float), Z.astype(float)), 3)
    room = sigma(others) - sigma(w) - (others - w) @ g
    yield at_least("sigma above its support at w", room, 0.0, Z=Z, w=w)
    smooth = Z[Z @ w != 0]
    g = as_numbers(perceptron_subgradient(w.astype(float), smooth.astype(float)), 3)
    # products are integers of size at least 1: a move of 2^-8 changes none by more than 2^-6, sigma is linear
    moves = 2.0**-8 * np.eye(3)
    up, down = (np.maximum(0, -((w + s * moves) @ smooth.T)).sum(axis=1) for s in (1, -1))
    yield equal("difference quotients off the boundary", (up - down) * 2**7, g, Z=smooth, w=w)


@claim(
    "perceptron.sgd-view",
    kind="claim",
    section="3",
    sources=("Yan, perceptron learning algorithm",),
    statement=r"'SGD with step 1 (kind of)': averaged over a uniform pick from $M(w)$ the update is "
    r"$-g/|M(w)|$, a step of size $1/|M(w)|$ along the subgradient of $\sigma$. The law of the pick, and "
    r"with it the step, depends on $w$.",
)
def sgd_view(perceptron_subgradient, rng) -> Checks:
    Z = rng.integers(-4, 5, (25, 3))
    for w in (np.array([1, -2, 1]), np.zeros(3, dtype=np.int64), rng.integers(-3, 4, 3)):
        wrong = Z[Z @ w <= 0]
        if len(wrong):
            mean = wrong.sum(axis=0) / len(wrong)
            g = as_numbers(perceptron_subgradient(w.astype(float), Z.astype(float)), 3)
            yield equal(
                "-g / |M| against the mean update", -g / len(wrong), mean, rounding(25, 5.0), Z=Z, w=w
            )


# ------------------------------------------------------------------- 4 The mistake bound


@claim(
    "perceptron.proof-steps",
    kind="formula",
    section="4",
    sources=("Wainwright, eq. (2.26)-(2.35)",),
    statement=r"From $w^0 = 0$, after $t$ updates, whatever was picked: $\langle\theta, w^t\rangle \ge "
    r"t\,\delta\|\theta\|$ and $\|w^t\|^2 \le tR^2$.",
)
def proof_steps(Perceptron, rng) -> Checks:
    X, y, theta = _separable(rng)
    Z = X * y[:, None]
    least, R2 = int((Z @ theta).min()), int((Z**2).sum(axis=1).max())
    for pick in PICKS:
        model = _fit(Perceptron, X, y, pick=pick, fit_intercept=False, random_state=1)
        evidence, path = _audit(model, Z, pick)
        yield from evidence
        if path is not None:
            t = np.arange(len(path))
            yield at_least(f"{pick}: <theta, w_t> against t min <theta, z>", path @ theta, t * least, Z=Z)
            yield at_most(f"{pick}: |w_t|^2 against t R^2", (path**2).sum(axis=1), t * R2, Z=Z)


@claim(
    "perceptron.mistake-bound",
    kind="theorem",
    section="4",
    sources=("Wainwright, Theorem 2.3", "Yan, Theorem 2.3"),
    statement=r"If $\theta$ separates the data with margin $\delta$ and all $\|z_i\| \le R$, the perceptron "
    r"started at 0 makes at most $R^2/\delta^2$ updates. The rows $e_1, \dots, e_n$ attain it: $n$ updates, "
    r"$R = 1$, $\delta = 1/\sqrt n$.",
)
def mistake_bound_holds(Perceptron, mistake_bound, rng) -> Checks:
    X, y, theta = _separable(rng)
    Z = X * y[:, None]
    least, R2, size2 = int((Z @ theta).min()), int((Z**2).sum(axis=1).max()), int(theta @ theta)
    for pick in PICKS:
        model = _fit(Perceptron, X, y, pick=pick, fit_intercept=False, random_state=2)
        evidence, path = _audit(model, Z, pick)
        yield from evidence
        if path is not None:  # integers: t (min <theta, z>)^2 <= R^2 |theta|^2
            yield at_most(
                f"{pick}: updates x margin^2 against R^2", (len(path) - 1) * least**2, R2 * size2, Z=Z
            )
    value = scalar(mistake_bound(math.sqrt(R2), least / math.sqrt(size2)))
    exact = R2 * size2 / least**2
    yield equal(
        "the formula R^2 / delta^2", value, exact, rounding(6, exact), R2=R2, least=least, size2=size2
    )
    for n in (2, 9):
        X = np.vstack([np.eye(n - 1, n, dtype=np.int64), -np.eye(n, dtype=np.int64)[-1]])
        rows = _rows(_fit(Perceptron, X, np.append(np.ones(n - 1), -1), fit_intercept=False), n)
        yield equal(f"updates on {n} orthonormal rows", math.nan if rows is None else len(rows), n)
        value = scalar(mistake_bound(1.0, 1 / math.sqrt(n)))
        yield equal(f"the bound for {n} orthonormal rows", value, float(n), rounding(6, n))


@claim(
    "perceptron.convergence",
    kind="theorem",
    section="4",
    sources=("Yan, Theorem 2.3",),
    statement=r"On separable data there are finitely many updates, whatever the rule and the start: with "
    r"$u$ a unit separator of margin $\delta$, $a = \langle u, w^0\rangle$ and $B = R^2 - 2\delta a$, at "
    r"most $(B + \sqrt{B^2 + 4\delta^2(\|w^0\|^2 - a^2)})/(2\delta^2)$ (step 1).",
)
def convergence(Perceptron, mistake_bound, rng) -> Checks:
    X, y, theta = _separable(rng)
    Z, start = X * y[:, None], rng.integers(-40, 41, 3)
    start[0] = -30 * np.sign(theta[0])
    size = math.sqrt(int(theta @ theta))
    delta, a = int((Z @ theta).min()) / size, int(start @ theta) / size
    R, norm = math.sqrt(int((Z**2).sum(axis=1).max())), math.sqrt(int(start @ start))
    bound = scalar(mistake_bound(R, delta, start_norm=norm, start_along=a))
    # the bound is the largest root of (a + t delta)^2 = |w0|^2 + t R^2, found here by bisection
    low, high = 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        below = a + middle * delta <= 0 or (a + middle * delta) ** 2 <= norm**2 + middle * R**2
        low, high = (middle, high) if below else (low, middle)
    yield equal(
        "the formula against bisection", bound, low, rounding(200, 1 + low), R=R, delta=delta, start=start
    )
    for pick in PICKS:
        model = _fit(Perceptron, X, y, [start.astype(float)], pick=pick, fit_intercept=False, random_state=3)
        evidence, path = _audit(model, Z, pick, start)
        yield from evidence
        if path is not None:
            yield at_most(f"{pick}: updates", len(path) - 1, low, rounding(200, 1 + low), Z=Z, start=start)
    Z, start = np.array([[1, 16], [1, -15]]), np.array([-5, 3])  # needs many passes
    model = _fit(
        Perceptron, Z * np.array([[1], [-1]]), np.array([1, -1]), [start.astype(float)], fit_intercept=False
    )
    yield from _audit(model, Z, "a small margin", start)[0]


@claim(
    "perceptron.many-steps",
    kind="claim",
    section="4",
    sources=("Yan, Theorem 2.3, limitations",),
    statement=r"'The finite number of steps can be very large': on the signed rows $(1, m), (1, 1 - m)$ the "
    r"best margin is 1 while $R^2 = 1 + m^2$, and the perceptron needs more than $m$ updates, for $m = 4, "
    r"8, 16, 32, 64$ at least twice as many at each step.",
)
def many_steps(Perceptron) -> Checks:
    counts = []
    for m in (4, 8, 16, 32, 64):
        Z = np.array([[1, m], [1, 1 - m]])
        model = _fit(
            Perceptron, Z * np.array([[1], [-1]]), np.array([1, -1]), fit_intercept=False, max_iter=10**6
        )
        evidence, path = _audit(model, Z, f"m = {m}")
        yield from evidence
        counts.append(math.nan if path is None else len(path) - 1)
    yield at_least("updates for m = 4, 8, 16, 32, 64", np.array(counts), np.array([5, 9, 17, 33, 65]))
    yield at_least("twice as many, or more", np.array(counts[1:]), 2.0 * np.array(counts[:-1]))


# ------------------------------------------------------------------- 5 What it does not promise


@claim(
    "perceptron.nonunique",
    kind="claim",
    section="5",
    sources=("Yan, Theorem 2.3, limitations",),
    statement=r"The limit depends on the order of the rows and on the start. On the signed rows $(-3, 1), "
    r"(2, 1), (-4, 1)$ two rules end at $(-1, 5)$ and $(0, 5)$, with margins $3/\sqrt{26} < 1$; the best "
    r"margin is 1.",
)
def not_unique(Perceptron, margin, separability) -> Checks:
    Z = (_HAND_X * _HAND_Y[:, None]).astype(float)
    ends = [
        _weights(_fit(Perceptron, _HAND_X, _HAND_Y, pick=p, fit_intercept=False), 2)
        for p in ("cyclic", "first")
    ]
    yield equal("ends of two rules", np.array(ends), np.array([[-1.0, 5.0], [0.0, 5.0]]))
    values = np.array([scalar(margin(w, Z)) if np.isfinite(w).all() else math.nan for w in ends])
    yield equal("their margins", values, np.array([3 / math.sqrt(26), 1.0]), rounding(4, 3.0))
    found = separability(Z)
    best = np.array([scalar(getattr(found, end, None)) for end in ("lower", "upper")])
    yield equal("best margin, from both sides", best, 1.0, rounding(100, 5.0))
    w = as_numbers(getattr(found, "w", None), 2)
    yield at_least(
        "the margin of its separator", float((Z @ w).min() / math.hypot(*w)), 1.0 - rounding(100, 5.0)
    )


@claim(
    "perceptron.nonseparable",
    kind="claim",
    section="5",
    sources=("Yan, Theorem 2.3, limitations", "Minsky and Papert 1969", "Block and Levin 1970"),
    statement=r"On data that cannot be separated the updates never end (no $w$ is free of mistakes). The "
    r"fit must say so, and can prove it: convex weights with $\sum_ia_iz_i = 0$. On the diagonals of a "
    r"square the rule 'next in order' from 0 goes round four weight vectors for ever.",
)
def never_ends(Perceptron, rng) -> Checks:
    w, seen = np.zeros(3, dtype=np.int64), []
    for i in [0, 1, 2, 3] * 10:
        if w @ _XOR_Z[i] <= 0:
            w = w + _XOR_Z[i]
            seen.append(tuple(w))
    yield equal("different weights in the last 16 of many updates on the diagonals", len(set(seen[-16:])), 4)
    rows = _balanced(rng)
    for name, Z in (("diagonals", _XOR_Z), ("random rows and their balance", rows)):
        y = np.where(np.arange(len(Z)) % 2, -1, 1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = Perceptron(fit_intercept=False, max_iter=50).fit((Z * y[:, None]).astype(float), y)
        yield at_least(f"{name}: warnings", len(caught), 1, Z=Z)
        a = as_numbers(getattr(model, "combination_", None), len(Z))
        yield at_least(f"{name}: convex weights", a, 0.0, Z=Z)
        yield equal(f"{name}: their sum", float(a.sum()), 1.0, rounding(len(Z)), Z=Z)
        scale = float(np.abs(Z).max())
        yield equal(f"{name}: their combination", a @ Z, np.zeros(3), rounding(100, scale), Z=Z)


@claim(
    "perceptron.slack-bound",
    kind="theorem",
    section="5",
    sources=("Freund and Schapire 1999, Theorem 2",),
    statement=r"On *any* data, in the first pass from $w = 0$ there are at most $((R + D)/\delta)^2$ "
    r"mistakes, for every unit vector $u$ and $\delta > 0$, with $D^2 = \sum_i\max(0, \delta - \langle u, "
    r"z_i\rangle)^2$.",
)
def slack_bound_holds(Perceptron, slack_bound, rng) -> Checks:
    X, y = rng.integers(-6, 7, (40, 3)), rng.choice([-1, 1], 40)
    y[:2] = 1, -1
    Z = X * y[:, None]
    rows = _rows(_fit(Perceptron, X, y, fit_intercept=False, max_iter=1), 40)
    w = np.zeros(3, dtype=np.int64)
    mistakes: list[int] = []
    for i, z in enumerate(Z):
        if z @ w <= 0:
            w = w + z
            mistakes.append(i)
    yield equal("mistakes of the first pass", rows is not None and rows.tolist() == mistakes, True, Z=Z)
    R = math.sqrt(int((Z**2).sum(axis=1).max()))
    for u, delta in ((np.array([2, -1, 2]), 1.0), (np.array([1, 2, 2]), 6.0)):  # norm 3
        lack = np.maximum(0, delta - Z @ u / 3)
        exact = ((R + math.sqrt(float((lack**2).sum()))) / delta) ** 2
        value = scalar(slack_bound(u.astype(float), Z.astype(float), delta))
        yield equal("the formula", value, exact, rounding(60, exact), Z=Z, u=u, delta=delta)
        yield at_most("mistakes against the bound", len(mistakes), value, Z=Z, u=u, delta=delta)


# ------------------------------------------------------------------- 6 Variants


@claim(
    "perceptron.batch",
    kind="algorithm",
    section="6",
    sources=("Shi, eq. (1)",),
    statement=r"The batch form adds all mistakes at once, $w \leftarrow w + \eta\sum_{i \in M(w)}z_i$. On "
    r"separable data it ends, after at most $nR^2/\delta^2$ mistakes in total.",
)
def batch(Perceptron, rng) -> Checks:
    model = _fit(Perceptron, _HAND_X, _HAND_Y, pick="batch", fit_intercept=False)
    yield equal("weights by hand", _weights(model, 2), np.array(_HAND["batch"][1], dtype=float))
    X, y, theta = _separable(rng)
    Z = X * y[:, None]
    w, total = np.zeros(3, dtype=np.int64), 0
    while len(wrong := np.flatnonzero(Z @ w <= 0)):
        w, total = w + Z[wrong].sum(axis=0), total + len(wrong)
    model = _fit(Perceptron, X, y, pick="batch", fit_intercept=False)
    yield equal("weights against the definition", _weights(model, 3), w.astype(float), Z=Z)
    rows = _rows(model, len(X))
    yield equal("mistakes in total", math.nan if rows is None else len(rows), total, Z=Z)
    R2, least = int((Z**2).sum(axis=1).max()), int((Z @ theta).min())
    yield at_most(
        "mistakes x margin^2 against n R^2", total * least**2, len(Z) * R2 * int(theta @ theta), Z=Z
    )


@claim(
    "perceptron.pseudocode",
    kind="algorithm",
    section="6",
    sources=("Chapter 10, 10.1.6",),
    statement=r"Chapter 10's pseudocode goes over the rows once, with $b \leftarrow b + r(y_i - \hat "
    r"y_i)(x_i, 1)$: a step of $2r$ at a mistake; a score of 0 answers $+1$. The loop over coordinates and "
    r"the vector form agree bit for bit.",
)
def pseudocode(one_pass, rng) -> Checks:
    X, y = rng.integers(-9, 10, (30, 3)), rng.choice([-1, 1], 30)
    y[0], X[1], y[1] = 1, X[0], -1  # a score of 0 for both labels: right, then wrong
    for rate in (0.5, 0.125):
        b = [0.0] * 4
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            answer = 1 if b[3] + sum(b[j] * x[j] for j in range(3)) >= 0 else -1
            b[3] = b[3] + rate * (label - answer)
            for j in range(3):
                b[j] = b[j] + rate * (label - answer) * x[j]
        found = as_numbers(one_pass(X.astype(float), y, rate=rate), 4)
        yield equal(f"weights at r = {rate}", found, np.array(b), X=X, y=y)


@claim(
    "perceptron.averaged",
    kind="algorithm",
    section="6",
    sources=("Freund and Schapire 1999",),
    statement=r"The averaged perceptron answers with the mean of the weights kept after every visit of a "
    r"row, in whole passes up to the first without a mistake; the voted one lets each of them vote.",
)
def averaged(Perceptron, rng) -> Checks:
    for X, y in (_separable(rng)[:2], (_HAND_X, _HAND_Y)):
        Z, d = X * y[:, None], X.shape[1]
        w, visited, wrong = np.zeros(d, dtype=np.int64), [], True
        while wrong:
            wrong = False
            for z in Z:
                mistake = bool(z @ w <= 0)
                w, wrong = w + mistake * z, wrong or mistake
                visited.append(w)
        kept = np.array(visited)
        model = _fit(Perceptron, X, y, output="average", fit_intercept=False)
        slack = rounding(len(kept), float(abs(kept).max()))
        yield equal("the mean", _weights(model, d), kept.mean(axis=0), slack, Z=Z)
        points = rng.integers(-9, 10, (20, d))
        votes = np.where(points @ kept.T >= 0, 1, -1).sum(axis=1)
        model = _fit(Perceptron, X, y, output="vote", fit_intercept=False)
        scores = as_numbers(model.decision_function(points.astype(float)), 20)
        yield equal("the votes", scores, votes.astype(float), Z=Z, points=points)


@claim(
    "perceptron.multiclass",
    kind="algorithm",
    section="6",
    sources=("Shi, decision functions", "Duda, Hart and Stork 2001, section 5.12"),
    statement=r"With a weight vector for each class and $\arg\max_k\langle w_k, x\rangle$, a mistake adds "
    r"the row to its own class and subtracts it from the best other one. If some $W$ has all gaps $\langle "
    r"w_{y_i} - w_k, x_i\rangle \ge g > 0$, there are at most $2R^2\|W\|^2/g^2$ updates.",
)
def multiclass(Perceptron, rng) -> Checks:
    V = np.array([[4, 0], [-2, 3], [-2, -3]])
    X = rng.integers(-9, 10, (80, 2))
    order = np.sort(X @ V.T, axis=1)
    X = np.vstack([V, X[order[:, 2] > order[:, 1]]])[:45]
    y = (X @ V.T).argmax(axis=1)
    own = (X @ V.T)[np.arange(len(X)), y]
    gap = int(min(own[i] - (X[i] @ V[k]) for i in range(len(X)) for k in range(3) if k != y[i]))
    model = _fit(Perceptron, X, y, fit_intercept=False)
    rows = _rows(model, len(X))
    W = np.zeros((3, 2), dtype=np.int64)
    honest = rows is not None
    for i in rows if rows is not None else ():
        scores = (X[i] @ W.T).astype(float)
        own_score, scores[y[i]] = scores[y[i]], -math.inf
        honest = honest and own_score <= scores.max()
        W[y[i]] += X[i]
        W[int(scores.argmax())] -= X[i]
    yield equal("every update was a mistake", honest, True, X=X, y=y)
    found = as_numbers(getattr(model, "coef_", None), 3, 2)
    yield equal("weights against the replayed ones", found, W.astype(float), X=X, y=y)
    yield equal("rows answered right", int(((X @ found.T).argmax(axis=1) == y).sum()), len(X), X=X, y=y)
    t = math.nan if rows is None else len(rows)
    yield at_most(
        "updates x gap^2 against 2 R^2 |V|^2",
        t * gap**2,
        2 * int((X**2).sum(axis=1).max()) * int((V**2).sum()),
    )


@claim(
    "perceptron.gram-form",
    kind="theorem",
    section="6",
    sources=("Freund and Schapire 1999, section 4", "Aizerman, Braverman and Rozonoer 1964"),
    statement=r"From $w = 0$, $w = \sum_i\alpha_iz_i$ with $\alpha_i$ the number of updates at row $i$: "
    r"only inner products enter. With $\langle x, x'\rangle$ the updates are those of the perceptron; with "
    r"$(1 + \langle x, x'\rangle)^2$ it separates the diagonals of a square.",
)
def gram_form(KernelPerceptron, rng) -> Checks:
    for X, y in (_separable(rng)[:2], (_HAND_X, _HAND_Y)):
        Z, d = X * y[:, None], X.shape[1]
        w, counts, wrong = np.zeros(d, dtype=np.int64), np.zeros(len(Z), dtype=np.int64), True
        while wrong:
            wrong = False
            for i, z in enumerate(Z):
                mistake = bool(z @ w <= 0)
                w, wrong = w + mistake * z, wrong or mistake
                counts[i] += mistake
        model = _fit(KernelPerceptron, X, y, fit_intercept=False)
        found = as_numbers(getattr(model, "counts_", None), len(Z))
        yield equal("updates of each row", found, counts.astype(float), Z=Z)
        points = rng.integers(-9, 10, (20, d))
        points[0] = w  # its score is not zero
        scores = as_numbers(model.decision_function(points.astype(float)), 20)
        yield equal("scores of new points", scores, (points @ w).astype(float), Z=Z, points=points)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        square = KernelPerceptron(lambda A, B: (1 + A @ B.T) ** 2).fit(_XOR.astype(float), _XOR_Y)
    yield equal(
        "answers on the diagonals", as_numbers(square.predict(_XOR.astype(float)), 4), _XOR_Y.astype(float)
    )


# ------------------------------------------------------------------- 7 What the notes got wrong


@erratum(
    "perceptron.erratum-y14",
    section="7",
    sources=("Yan, perceptron learning algorithm",),
    printed=r"$\sigma(\beta) \propto \sum_{i \in M}\operatorname{dist}(x_i, H_\beta)$.",
    corrected=r"$\sigma(\beta) = \|\beta\|\sum_{i \in M}\operatorname{dist}$, distances in the merged "
    r"space: the factor is not constant, and $\sigma(0) = 0$ on any data.",
)
def erratum_y14(perceptron_loss) -> Checks:
    Z, w = np.array([[-1.0, 0.0], [0.0, 1.0]]), np.array([1.0, 1.0])
    distance = 1 / math.sqrt(2)  # of (-1, 0), the one mistake, from the line orthogonal to (1, 1)
    ratios = np.array([scalar(perceptron_loss(c * w, Z)) / distance for c in (1.0, 2.0)])
    yield equal(
        "sigma over the distances, for w and 2 w", ratios, math.sqrt(2) * np.array([1, 2]), rounding(8, 4)
    )
    yield equal("sigma at zero, distances or not", scalar(perceptron_loss(0 * w, -Z)), 0.0)


@erratum(
    "perceptron.erratum-y15",
    section="7",
    sources=("Yan, perceptron learning algorithm",),
    printed=r"'In fact, we can take $\eta = 1$ here', for any start $\beta^0$.",
    corrected=r"From $\beta^0 = 0$ the step only rescales; from another start it changes the path. The "
    r"start $\beta^0$ with step $\eta$ is the start $\beta^0/\eta$ with step 1.",
)
def erratum_y15(Perceptron, rng) -> Checks:
    X, y, _ = _separable(rng)
    start = np.array([-64.0, 32.0, 96.0])
    for eta in (4.0, 0.5):
        rows, others = (
            _rows(_fit(Perceptron, X, y, [s], eta0=step, fit_intercept=False), len(X))
            for s, step in ((start, eta), (start / eta, 1.0))
        )
        same = rows is not None and others is not None and np.array_equal(rows, others)
        yield equal(
            f"start b, step {eta:g}, and start b / {eta:g}, step 1: same updates", same, True, X=X, y=y
        )
    counts = []
    for eta in (1.0, 4.0):
        model = _fit(
            Perceptron, np.array([[1], [-1]]), np.array([1, -1]), [[-3.0]], eta0=eta, fit_intercept=False
        )
        rows = _rows(model, 2)
        counts.append(math.nan if rows is None else len(rows))
    yield equal("updates from -3 with steps 1 and 4", np.array(counts), np.array([4, 1]))


@erratum(
    "perceptron.erratum-t10",
    section="7",
    sources=("Chapter 10, 10.1.6",),
    printed="The weights are trained by one pass over the rows.",
    corrected="One pass may leave mistakes on separable data; passes are repeated until one has none.",
)
def erratum_t10(one_pass, Perceptron) -> Checks:
    X, y = np.array([[1.0], [3.0], [4.0], [6.0]]), np.array([-1, -1, 1, 1])  # separated by x = 3.5
    b = as_numbers(one_pass(X, y), 2)
    wrong = int(((X[:, 0] * b[0] + b[1] >= 0) != (y > 0)).sum())
    yield at_least("rows left wrong by one pass", wrong if np.isfinite(b).all() else math.nan, 1)
    w = _weights(_fit(Perceptron, X, y), 1, True)
    yield equal(
        "rows left wrong by passes until there is none", int((y * (X[:, 0] * w[0] + w[1]) <= 0).sum()), 0
    )


@erratum(
    "perceptron.erratum-t11",
    section="7",
    sources=("Chapter 10, 10.1.6",),
    printed=r"$0 < r < 1$ is the learning rate.",
    corrected=r"From zero weights $r$ changes no answer, so that no range is needed; and a mistake moves "
    r"the weights by $2r\,y_i(x_i, 1)$, not $r$.",
)
def erratum_t11(one_pass, rng) -> Checks:
    X, y = rng.integers(-9, 10, (30, 3)).astype(float), rng.choice([-1, 1], 30)
    y[0] = -1  # a score of 0 answers +1: the first row is a mistake
    quarter, half = as_numbers(one_pass(X, y, rate=0.25), 4), as_numbers(one_pass(X, y, rate=0.5), 4)
    yield equal("weights at r = 1/2 against twice those at 1/4", half, 2 * quarter, X=X, y=y)
    first = as_numbers(one_pass(X[:1], y[:1], rate=0.25), 4)
    yield equal("the move at one mistake, r = 1/4", first, -0.5 * np.append(X[0], 1.0), X=X[:1])


erratum_t15 = typographical(
    "perceptron.erratum-t15",
    section="7",
    sources=("Chapter 10, 10.1.6",),
    printed="The perceptron was the first artificial neural network.",
    corrected="Rosenblatt's machine (1958) learned its weights; the threshold neuron and networks of it are "
    "McCulloch and Pitts (1943).",
)


@erratum(
    "perceptron.erratum-w9",
    section="7",
    sources=("Wainwright, section 2.3.4 and eq. (2.30)",),
    printed=r"$m(\theta) = \{i: y^{(i)}\langle\theta, x^{(i)}\rangle < 0\}$, with $\theta^0 = 0$.",
    corrected=r"$\le 0$. As printed $m(0) = \emptyset$: the algorithm ends before its first step.",
)
def erratum_w9(mistake_set) -> Checks:
    Z = np.array([[1.0, 2.0], [-1.0, 0.0], [0.0, 3.0]])
    yield equal("mistakes of 0 as printed", int((Z @ np.zeros(2) < 0).sum()), 0)
    yield equal("mistakes of 0, corrected", len(np.asarray(mistake_set(np.zeros(2), Z)).reshape(-1)), 3)


@erratum(
    "perceptron.erratum-w10",
    section="7",
    sources=("Wainwright, section 2.3.4",),
    printed=r"A data set is linearly separable if $m(\theta) = \emptyset$ for some $\theta$ (with '$< 0$').",
    corrected=r"$y^{(i)}\langle\theta, x^{(i)}\rangle > 0$ for all $i$. As printed every data set "
    r"qualifies, by $\theta = 0$.",
)
def erratum_w10(separability) -> Checks:
    yield equal("strict mistakes of 0 on the diagonals of a square", int((_XOR_Z @ np.zeros(3) < 0).sum()), 0)
    found = separability(_XOR_Z.astype(float))
    yield equal("separable", getattr(found, "separable", None) is False, True)
    yield equal("a convex combination of the signed rows", np.full(4, 0.25) @ _XOR_Z, np.zeros(3))


@erratum(
    "perceptron.erratum-w11",
    section="7",
    sources=("Wainwright, Theorem 2.3",),
    printed=r"$\delta > 0$ for some $\theta^\star$ with $m(\theta^\star) = \emptyset$ (with '$< 0$').",
    corrected=r"$m(\theta^\star) = \emptyset$ must mean '$> 0$' for all rows; else a point may lie on the "
    r"line and $\delta = 0$.",
)
def erratum_w11(margin) -> Checks:
    Z, theta = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.0, 1.0])
    yield equal("strict mistakes of (0, 1)", int((Z @ theta < 0).sum()), 0)
    yield equal("its margin", scalar(margin(theta, Z)), 0.0)
    yield equal("the margin of (1, 1)", scalar(margin([1.0, 1.0], Z)), 1 / math.sqrt(2), rounding(4))


@erratum(
    "perceptron.erratum-w12",
    section="7",
    sources=("Wainwright, eq. (2.23) and below",),
    printed=r"The algorithm over $\operatorname{sgn}\langle\theta, x\rangle$ needs classes separated by "
    r"lines.",
    corrected="By hyperplanes through the origin: the class has no intercept unless a 1 is appended.",
)
def erratum_w12(Perceptron) -> Checks:
    X, y = np.array([[1], [2]]), np.array([-1, 1])
    plain = _weights(_fit(Perceptron, X, y, fit_intercept=False, max_iter=100), 1)
    yield at_least("rows left wrong without the 1", int((y * (X @ plain) <= 0).sum()), 1)
    products = y[:, None] * X * np.arange(-50, 51)
    yield equal("thetas from -50 to 50 that separate", int((products > 0).all(axis=0).sum()), 0)
    w = _weights(_fit(Perceptron, X, y), 1, True)
    yield equal("rows left wrong with the 1", int((y * (X[:, 0] * w[0] + w[1]) <= 0).sum()), 0)


@erratum(
    "perceptron.erratum-s9",
    section="7",
    sources=("Shi, eq. (1)",),
    printed=r"$w_{t+1} = w_t + \eta\sum_iy_ix_i1\{y_i\langle x_i, w_t\rangle < 0\}$ from $w_1 = 0$.",
    corrected=r"$1\{\dots \le 0\}$. As printed the sum is empty at $w_1 = 0$, and $w_t = 0$ for ever.",
)
def erratum_s9(Perceptron) -> Checks:
    Z = _HAND_X * _HAND_Y[:, None]
    w = np.zeros(2)
    for _ in range(100):
        w = w + Z[Z @ w < 0].sum(axis=0)
    yield equal("weights after 100 printed steps", w, np.zeros(2))
    model = _fit(Perceptron, _HAND_X, _HAND_Y, pick="batch", fit_intercept=False)
    yield equal("weights of the corrected form", _weights(model, 2), np.array([-1.0, 5.0]))


@erratum(
    "perceptron.erratum-s10",
    section="7",
    sources=("Shi, perceptron algorithm",),
    printed=r"Output $w^\star = w_T$ after the loop $t = 1, \dots, T$.",
    corrected=r"Output $w_{T+1}$: the loop computes it last, and $w_T$ throws the last update away.",
)
def erratum_s10(Perceptron) -> Checks:
    Z = _HAND_X * _HAND_Y[:, None]
    path = [np.zeros(2)]
    while (Z @ path[-1] <= 0).any():
        path.append(path[-1] + Z[Z @ path[-1] <= 0].sum(axis=0))
    T = len(path) - 1
    yield at_least(f"mistakes of w_{T}, the printed output", int((Z @ path[-2] <= 0).sum()), 1)
    w = _weights(_fit(Perceptron, _HAND_X, _HAND_Y, pick="batch", fit_intercept=False, max_iter=T), 2)
    yield equal(f"weights after {T} steps against w_{T + 1}", w, path[-1])


@erratum(
    "perceptron.erratum-s11",
    section="7",
    sources=("Shi, view it in ERM",),
    printed=r"The perceptron minimises $R_n(w, \ell_{\text{pern}})$.",
    corrected=r"$w = 0$ is always a minimiser, on any data, and separates nothing. On separable data the "
    r"minimisers are $0$, the separators, and limits of separators.",
)
def erratum_s11(perceptron_loss, rng) -> Checks:
    Z = rng.integers(-5, 6, (20, 3)).astype(float)
    others = rng.integers(-5, 6, (30, 3)).astype(float)
    at_zero = scalar(perceptron_loss(np.zeros(3), Z))
    values = np.array([scalar(perceptron_loss(w, Z)) for w in others])
    yield equal("loss at zero", at_zero, 0.0, Z=Z)
    yield at_least("loss elsewhere", values, 0.0, Z=Z)
    grid = itertools.product((-1.0, 0.0, 1.0), repeat=3)
    least = min(scalar(perceptron_loss(np.array(w), _XOR_Z.astype(float))) for w in grid if any(w))
    yield at_least("least loss off zero on the diagonals, on a grid", least, 1.0)
