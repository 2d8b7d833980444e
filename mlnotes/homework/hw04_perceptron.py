"""Homework 4: the perceptron and its mistake bound. Six questions, 20 points; two derivations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes.claims import Evidence, at_least, at_most, claim, equal, rounding
from mlnotes.homework.core import Assignment, Function, Part, Value

# ------------------------------------------------------------------- claims of this homework alone


def _separable(rng: np.random.Generator, n: int = 24, d: int = 2) -> tuple[Any, Any, Any]:
    """Return integer points (n, d), labels 0 and 1, both there, and an integer separator with the 1 first."""
    theta = np.append(rng.integers(-4, 5), rng.integers(1, 5, d) * rng.choice([-1, 1], d))
    X = rng.integers(-9, 10, (6 * n, d))
    X = np.vstack([np.sign(theta[1:]) * 9, -np.sign(theta[1:]) * 9, X])
    score = theta[0] + X @ theta[1:]
    X, score = X[score != 0][:n], score[score != 0][:n]
    return X, (score > 0).astype(np.int64), theta


def _signed(X: Any, labels: Any) -> Any:
    """Return the signed rows with the 1 in front."""
    return np.column_stack([np.ones(len(X), dtype=np.int64), X]) * (2 * labels - 1)[:, None]


def _as_rows(rows: Any, n: int) -> Any:
    """Return row numbers, or None for anything else."""
    rows = np.asarray(rows).reshape(-1)
    valid = (rows == np.floor(rows)) & (rows >= 0) & (rows < n) if rows.size else np.ones(0, dtype=bool)
    return rows.astype(np.int64) if valid.all() else None


@claim(
    "hw04.train",
    kind="homework",
    section="lectures/07_perceptron.ipynb, sections 2 and 4",
    statement=r"Every update is at a row with $\langle w, z_i\rangle \le 0$, from $w = 0$; at the end there "
    r"is none; $w$ is the sum of the updated $z_i$; and there are at most $R^2/\delta^2$ of them.",
)
def train_is_a_perceptron(train, rng) -> Iterator[Evidence]:
    """Replay the updates; the rule by which mistakes are picked is free."""
    hard = np.array([[1], [3], [4], [6]]), np.array([0, 0, 1, 1]), np.array([-7, 2])
    steep = np.array([[20, 1], [19, 1], [-1, 0]]), np.array([1, 0, 0]), np.array([-39, 2, 0])
    for X, labels, theta in (_separable(rng), hard, steep):
        Z = _signed(X, labels)
        rows, w = train(X.astype(np.float64), labels)
        rows, w = _as_rows(rows, len(X)), np.asarray(w, dtype=np.float64)
        yield equal("rows that exist", rows is not None, True, points=X, labels=labels)
        if rows is None:
            return
        path = np.cumsum(np.vstack([0 * Z[:1], Z[rows]]), axis=0)
        right = int(((path[:-1] * Z[rows]).sum(axis=1) > 0).sum())
        yield equal("updates at rows that were right", right, 0, points=X, labels=labels)
        yield equal(
            "weights against the updates added up", w, path[-1].astype(float), points=X, labels=labels
        )
        left = int((Z @ path[-1] <= 0).sum())
        yield equal("rows left wrong", left, 0, points=X, labels=labels)
        R2, least = int((Z**2).sum(axis=1).max()), int((Z @ theta).min())
        yield at_most("updates x margin^2 against R^2", len(rows) * least**2, R2 * int(theta @ theta))


def _bisect(holds: Any) -> float:
    """Return the largest t at which an inequality holds that is true up to some t and false from there on."""
    low, high = 0.0, 1.0
    while holds(high):
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


@claim(
    "hw04.cautious",
    kind="homework",
    section="lectures/07_perceptron.ipynb, section 4",
    statement=r"If every row with $\langle w, z_i\rangle \le c$ is updated, $\langle u, w_t\rangle \ge "
    r"t\delta$ and $\|w_t\|^2 \le t(R^2 + 2c)$: the largest $t$ for which both are possible.",
)
def cautious_bound_is_the_root(cautious, rng) -> Iterator[Evidence]:
    """Compare with bisection, and with a run of that algorithm."""
    X, labels, theta = _separable(rng)
    Z, c = _signed(X, labels), int(rng.integers(20, 60))
    size, least = math.sqrt(int(theta @ theta)), int((Z @ theta).min())
    R, delta = math.sqrt(int((Z**2).sum(axis=1).max())), least / size
    w, updates = np.zeros(3, dtype=np.int64), 0
    while (Z @ w <= c).any():
        w, updates = w + Z[np.flatnonzero(Z @ w <= c)[0]], updates + 1
    for radius, margin, level in ((2.0, 0.75, 3.0), (1.0, 1.0, 0.0), (R, delta, float(c))):
        found = float(cautious(radius, margin, level))
        wanted = _bisect(lambda t, r=radius, m=margin, k=level: (t * m) ** 2 <= t * (r * r + 2 * k))
        slack = rounding(200, 1 + wanted)
        yield equal("bound against bisection", found, wanted, slack, radius=radius, margin=margin, c=level)
    yield at_least("bound against the updates of a run", found, updates, slack)


@claim(
    "hw04.start",
    kind="homework",
    section="lectures/07_perceptron.ipynb, section 4",
    statement=r"From $w_0$ with step $\eta$: the largest $t$ with $a + t\eta\delta \le \sqrt{\|w_0\|^2 + "
    r"t\eta^2R^2}$, $a = \langle u, w_0\rangle$.",
)
def start_bound_is_the_root(start, rng) -> Iterator[Evidence]:
    """Compare with bisection on the two inequalities of the proof."""
    cases = [(2.0, 0.5, 3.0, -1.0, 1.0), (2.0, 0.5, 3.0, -1.0, 0.25), (1.0, 1.0, 0.0, 0.0, 4.0)]
    for _ in range(6):
        size = float(rng.uniform(0.5, 20.0))
        along, step = float(rng.uniform(-1, 1)) * size, float(rng.uniform(0.1, 4.0))
        cases.append((float(rng.uniform(1.0, 5.0)), float(rng.uniform(0.1, 1.0)), size, along, step))

    def possible(t: float, R: float, delta: float, size: float, a: float, eta: float) -> bool:
        return a + t * eta * delta <= math.sqrt(size**2 + t * (eta * R) ** 2)

    for case in cases:
        found, wanted = float(start(*case)), _bisect(lambda t, case=case: possible(t, *case))
        # margins are at least 0.1: a relative error of u in either side moves the root by less than 2000 u
        yield equal("bound against bisection", found, wanted, rounding(2000, 1 + wanted))


def _hopeless(rng: np.random.Generator) -> list[Any]:
    """Return small integer rows that cannot be separated: some positive combination of them is zero."""
    square = np.array([[1, 1, 1], [1, -1, -1], [-1, -1, 1], [-1, 1, -1]])
    part = rng.integers(-2, 3, (3, 2))
    part[0] += part[0].sum() == 0
    triangle = np.vstack([part, -part.sum(axis=0), rng.integers(-2, 3, (1, 2))])
    weighted = np.array([[3, 0], [-1, 1], [-1, -1], [2, 1]])  # 2, 3, 3, 0
    return [square, triangle, weighted]


@claim(
    "hw04.witness",
    kind="homework",
    section="lectures/07_perceptron.ipynb, sections 1.3 and 5.2",
    statement=r"Rows that cannot be separated have convex weights $a$ with $\sum_ia_iz_i = 0$.",
)
def witness_proves_it(witness, rng) -> Iterator[Evidence]:
    """Check the certificate."""
    for Z in _hopeless(rng):
        a = np.asarray(witness(Z.copy()), dtype=np.float64)
        yield at_least("weights", a, 0.0, Z=Z)
        yield equal("their sum", float(a.sum()), 1.0, rounding(len(Z)), Z=Z)
        yield equal("their combination of the rows", a @ Z, np.zeros(Z.shape[1]), rounding(len(Z), 3.0), Z=Z)


@claim(
    "hw04.average",
    kind="homework",
    section="lectures/07_perceptron.ipynb, section 6.3",
    statement=r"The mean of the weights kept after every visit, $P$ passes over the rows in order.",
)
def average_is_the_mean(average, rng) -> Iterator[Evidence]:
    """Compare with the definition, in integers."""
    overlapping = rng.integers(-6, 7, (15, 3)), rng.choice([-1, 1], 15)
    for X, y in (overlapping, (np.array([[3], [1], [2]]), np.array([1, -1, 1]))):
        for passes in (1, 4):
            w, kept = np.zeros(X.shape[1], dtype=np.int64), []
            for x, label in list(zip(X, y, strict=True)) * passes:
                w = w + label * x * int(label * (x @ w) <= 0)
                kept.append(w)
            found = np.asarray(average(X.T.astype(np.float64).copy(), y, passes), dtype=np.float64)
            table = np.array(kept)
            slack = rounding(len(kept), 1 + float(abs(table).max()))
            yield equal(f"mean after {passes} passes", found, table.mean(axis=0), slack, X=X, y=y)


@claim(
    "hw04.counts",
    kind="homework",
    section="lectures/07_perceptron.ipynb, section 6.5",
    statement=r"In Gram form, rows in order, the number of updates of each row until a pass has none.",
)
def counts_are_those_of_the_features(counts, rng) -> Iterator[Evidence]:
    """Compare with the perceptron on explicit features of the kernel (1 + <x, x'>)^2, in integers."""
    corners = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]])
    inside = rng.integers(-2, 3, (10, 2))
    inside = np.vstack([corners, inside, [[3, 0], [0, -3], [-3, 1], [2, 3]]])
    circle = np.where((inside**2).sum(axis=1) <= 5, 1, -1)
    for X, y in (
        (corners, np.array([1, 1, -1, -1])),
        (inside, circle),
        (np.array([[1], [3]]), np.array([-1, 1])),
    ):
        gram = (1 + X @ X.T) ** 2
        alpha, wrong = np.zeros(len(X), dtype=np.int64), True
        while wrong:
            wrong = False
            for i in range(len(X)):
                if y[i] * int((alpha * y) @ gram[i]) <= 0:
                    alpha[i] += 1
                    wrong = True
        found = np.asarray(counts(gram.astype(np.float64), y), dtype=np.float64)
        yield equal("updates of each row", found, alpha.astype(float), gram=gram, y=y)


# ------------------------------------------------------------------- the same questions in other conventions


def _variant(number: int) -> Assignment:
    """Return variant 1 to 3: the sum of 1 (intercept last in `train`) and 2 (a cosine in `start`)."""
    if not 1 <= number <= 3:
        raise ValueError(f"hw04 has the variants 1 to 3, got {number}")
    parts = {part.name: part for part in assignment.parts}
    if number & 1:
        parts["train"] = _intercept_last(parts["train"])
    if number & 2:
        parts["start"] = _relative_start(parts["start"])
    return replace(assignment, parts=tuple(parts.values()))


def _intercept_last(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def train(points: Any, labels: Any) -> Any:
            rows, w = student["train"](points, labels)
            return rows, np.roll(np.asarray(w), 1)

        return {"train": train}

    question = part.question.replace("the intercept *first*", "the intercept *last*")
    return replace(part, question=question, adapt=adapt)


def _relative_start(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def start(radius: float, margin: float, size: float, along: float, step: float) -> Any:
            return student["start"](radius, margin, size, along / size if size else 0.0, step)

        return {"start": start}

    question = part.question.replace(
        r"`along` is $\langle u, w_0\rangle$", r"`along` is the cosine of the angle between $u$ and $w_0$"
    )
    return replace(part, question=question, adapt=adapt)


# ------------------------------------------------------------------- the assignment

_POSITIVE = Value("f", (), minimum=0, meaning="positive")
_SIGNS = Value("i", ("n",), minimum=-1, maximum=1, meaning="+1 or -1")

assignment = Assignment(
    id="hw04",
    title="The perceptron and its mistake bound",
    lecture="lectures/07_perceptron.ipynb",
    variants=_variant,
    intro="You need NumPy and lecture 7, nothing else. Two questions ask for a formula, written as code; "
    "four ask for a program. Mind the conventions: they change from question to question, as they do in the "
    "literature.",
    parts=(
        Part(
            name="train",
            points=5,
            question="**Build.** The perceptron of section 2, with an intercept, from zero weights and with "
            "step 1, until no row is wrong. Labels are 0 and 1 (1 is the positive class), and the weights "
            "have the intercept *first*. You may pick mistakes by any rule. Return the row number of every "
            "update, in order, and the last weights. The data can be separated.",
            writes=(
                Function(
                    "train",
                    {
                        "points": Value("f", ("n", "d"), meaning="one row a point"),
                        "labels": Value("i", ("n",), minimum=0, maximum=1, meaning="0 or 1"),
                    },
                    (
                        Value("i", ("t",), minimum=0, below="n", meaning="row of each update"),
                        Value("f", ("e",), meaning="weights, e = d + 1"),
                    ),
                    "Return the pair (updates, weights).",
                ),
            ),
            claims=(train_is_a_perceptron,),
        ),
        Part(
            name="cautious",
            points=3,
            question=r"**Derive.** A cautious perceptron updates as long as some row has $\langle w, "
            r"z_i\rangle \le c$, for a given $c \ge 0$ ($c = 0$ is the perceptron). Which of (4.1) and "
            r"(4.2) changes, and what becomes of the bound from $w = 0$? The bound is a real number: do not "
            r"round it down.",
            writes=(
                Function(
                    "cautious",
                    {
                        "radius": _POSITIVE,
                        "margin": _POSITIVE,
                        "level": Value("f", (), minimum=0, meaning="c"),
                    },
                    Value("f", ()),
                    "Return the largest real t that the two inequalities allow.",
                ),
            ),
            claims=(cautious_bound_is_the_root,),
        ),
        Part(
            name="start",
            points=3,
            question=r"**Derive.** The bound from a start $w_0$ with a step $\eta$ (section 4.1 has step "
            r"1). `size` is $\|w_0\|$, `along` is $\langle u, w_0\rangle$, and $u$ is the unit separator "
            r"with the margin. Again a real number.",
            writes=(
                Function(
                    "start",
                    {
                        "radius": _POSITIVE,
                        "margin": _POSITIVE,
                        "size": Value("f", (), minimum=0),
                        "along": Value("f", ()),
                        "step": _POSITIVE,
                    },
                    Value("f", ()),
                    "Return the largest real t that the two inequalities allow.",
                ),
            ),
            claims=(start_bound_is_the_root,),
        ),
        Part(
            name="witness",
            points=4,
            question=r"**Build a proof.** The signed rows have small integer entries, and no vector has a "
            r"positive product with all of them. Return convex weights $a$ with $\sum_ia_iz_i = 0$ (Theorem "
            r"1.1). *Hint:* run the perceptron, next mistake in order, in integers, and look at its weights "
            r"at the start of each pass. Section 5.2 says that they return to a vector they had before. "
            r"What is the sum of all updates between two visits of the same weights?",
            writes=(
                Function(
                    "witness",
                    {"rows": Value("i", ("n", "d"), meaning="signed rows, not separable")},
                    Value("f", ("n",), meaning="weights >= 0, sum 1"),
                    "Return the convex weights.",
                ),
            ),
            claims=(witness_proves_it,),
        ),
        Part(
            name="average",
            points=2,
            question="**Build.** The averaged perceptron of section 6.3, without an intercept: the mean of "
            "the weights kept after every visit, for a given number of passes over the points in order. "
            "Here the *columns* are the points. They need not be separable.",
            writes=(
                Function(
                    "average",
                    {
                        "points": Value("f", ("d", "n"), meaning="one column a point"),
                        "labels": _SIGNS,
                        "passes": Value("i", (), minimum=1),
                    },
                    Value("f", ("d",)),
                    "Return the mean of the weights over all visits.",
                ),
            ),
            claims=(average_is_the_mean,),
        ),
        Part(
            name="counts",
            points=3,
            question="**Build.** The perceptron in Gram form (section 6.5), next mistake in order, until a "
            "pass has none. You get the matrix of the kernel, already with whatever it adds for an "
            "intercept, and the labels.",
            writes=(
                Function(
                    "counts",
                    {"gram": Value("f", ("n", "n"), meaning="kernel(x_i, x_j)"), "labels": _SIGNS},
                    Value("i", ("n",), minimum=0, meaning="updates at each row"),
                    "Return how often each row was added.",
                ),
            ),
            claims=(counts_are_those_of_the_features,),
        ),
    ),
)
