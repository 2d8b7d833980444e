"""Homework 4: the perceptron and its mistake bound. Six questions, 20 points; two derivations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mlnotes.checking import at_least, at_most, equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import OutputError, as_numbers
from mlnotes.checking.regimes import SCALES, feature_matrices, repeatable, thirds
from mlnotes.claims import perceptron as claims
from mlnotes.homework import Assignment, part, variant
from mlnotes.perceptron import KernelPerceptron, VotedPerceptron

# ------------------------------------------------------------------- claims of this homework alone


def _bisect(holds):
    """Return the largest t at which an inequality holds that is true up to some t and false from there on."""
    low, high = 0.0, 1.0
    while holds(high):
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _generic(rng, X):
    """Return the data moved a little, so that only the first products are 0: rounding would decide others.

    Equal observations stay equal, and a constant feature stays constant.
    """
    place = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    return X + X.std(axis=0) * rng.uniform(1e-4, 2e-2, X.shape)[place]


def _separated(rng, X):
    """Return the observations a tenth of the scale away from a random plane through 0, and their sides."""
    X, theta = _generic(rng, X), thirds(rng, X.shape[1]) + 0.05
    score = X @ theta / np.linalg.norm(theta) / abs(X).max()
    kept = abs(score) > min(0.1, abs(score).max() / 2)
    return X[kept], (score[kept] > 0).astype(np.int64)


def _decided_late():
    """Return points on a line whose last two lie next to the boundary, and their sides."""
    X = np.concatenate([np.linspace(5, 9, 55), np.linspace(-9, -5, 55), [3.0, 4.0]])
    return X[:, None], np.concatenate([np.ones(55), np.zeros(55), [0, 1]]).astype(np.int64)


@statement("homework", "lectures/07_perceptron.ipynb, section 2")
def train_(train, rng):
    """Each update is at an example that the weights get wrong, the weights are the sum of the updates with
    the intercept first, and in the end no example is wrong, whatever the dimension and the order."""
    cases = []
    for name, X in feature_matrices(rng):
        if name not in ("nearly equal", "tiny"):  # a margin of 1e-4 takes millions of updates
            cases.append((name, *_separated(rng, X)))
    cases += [("close together", np.array([[18.0], [19.0]]), np.array([1, 0]))]  # some 450 passes
    cases += [("the last two decide", *_decided_late())]
    cases += [("nearly equal values", np.array([[0.5], [0.50004], [-0.3]]), np.array([1, 1, 0]))]
    for name, X, y in cases:
        updates, weights = train(X.copy(), y.copy())
        Z = np.column_stack([np.ones(len(X)), X]) * (2 * y - 1)[:, None]
        updates, weights = np.asarray(updates, dtype=np.int64), as_numbers(weights, Z.shape[1])
        before = np.vstack([np.zeros(Z.shape[1]), Z[updates].cumsum(axis=0)])
        slack = rounding(Z.shape[1], abs(before).max() * abs(Z).max())
        products = (before[:-1] * Z[updates]).sum(axis=1)
        if len(updates):
            yield at_most(f"products at the updates, {name}", products, 0.0, slack, X=X, y=y)
        yield equal(f"weights, intercept first, {name}", weights, before[-1], slack, X=X, y=y)
        yield at_least(f"products in the end, {name}", Z @ weights, 0.0, slack, X=X, y=y)
    yield from repeatable("train", train, X, y)


@statement("homework", "lectures/07_perceptron.ipynb, section 4")
def cautious_(cautious, rng):
    r"""If every example with $\langle w, z_i\rangle \le c$ is added, $\langle u, w_t\rangle \ge t\delta$ and
    $\|w_t\|^2 \le t(R^2 + 2c)$: the largest $t$ for which both are possible."""
    # compare with bisection, and with a run: the lecture's bound is that of updates at mistakes alone
    X, y, theta = claims.off_origin(rng)
    Z, c = np.column_stack([X, np.ones_like(y)]) * y[:, None], int(rng.integers(20, 60))
    size, least = math.sqrt(int(theta @ theta)), int((Z @ theta).min())
    R, delta = math.sqrt(int((Z**2).sum(axis=1).max())), least / size
    w, updates = np.zeros(3, dtype=np.int64), 0
    while (Z @ w <= c).any():
        w, updates = w + Z[np.flatnonzero(Z @ w <= c)[0]], updates + 1
    for radius, margin, level in ((2.0, 0.75, 0.0), (2.0, 0.75, 3.0), (3.0, 1.0, 0.0), (R, delta, float(c))):
        found = float(cautious(radius, margin, level))
        wanted = _bisect(lambda t, r=radius, m=margin, k=level: (t * m) ** 2 <= t * (r * r + 2 * k))
        slack = rounding(200, 1 + wanted)
        yield equal("bound against bisection", found, wanted, slack, radius=radius, margin=margin, c=level)
    yield at_least("bound against the updates of a run", found, updates, slack)


@hard_cases(cautious_)
def cautious_in_any_unit(cautious, rng):
    """Both inequalities hold with equality at the bound, for any radius, margin and level."""
    cases = [(r, m, c) for r, m, c in zip(SCALES, SCALES[::-1], SCALES[2:] + SCALES[:2], strict=True)]
    cases += [(1 / 3, 0.2, 1e-4), (1.7, 0.3, 40.0), (2e4, 123.0, 1000.0), (0.7, 0.31, 0.0)]
    for radius, margin, level in cases:
        bound = float(cautious(radius, margin, level))
        value = (bound * margin) ** 2
        size = bound * (radius**2 + 2 * level)
        words = f"R = {radius:g}, margin {margin:g}, c = {level:g}"
        yield equal(f"(t margin)^2 at the bound, {words}", value, size, rounding(8, abs(size) + 1e-300))
        yield at_least(f"bound, {words}", bound, (radius / margin) ** 2 * (1 - 1e-9))
    yield from repeatable("cautious", cautious, 2.0, 0.3, 1.5)


@statement("homework", "lectures/07_perceptron.ipynb, sections 1 and 4")
def lift_(lift, rng):
    r"""With $z_i = y_i(x_i, c)$, all $\|x_i\| \le R$ and $y_i(\langle\beta, x_i\rangle + \beta_0) \ge m$ the
    bound of Theorem 4.1 is a function of $c > 0$, and one $c$ makes it smallest."""
    # compare with the bound at other constants, and with a run: in the lecture the constant is 1
    X, y, theta = claims.off_origin(rng)
    theta[2] += 5 if theta[2] >= 0 else -5  # corners have products of at least 18: both classes stay
    score = X @ theta[:2] + theta[2]
    X, y = X[score != 0], np.sign(score[score != 0])
    R, size = math.sqrt(int((X**2).sum(axis=1).max())), math.sqrt(int(theta[:2] @ theta[:2]))
    run = R, size, float(theta[2]), float(abs(score[score != 0]).min())
    for radius, length, offset, least in ((2.0, 3.0, 24.0, 6.0), (3.0, 4.0, -0.5, 2.0), run):
        given = {"radius": radius, "size": length, "offset": offset, "least": least}
        c, bound = (float(value) for value in lift(radius, length, offset, least))
        grid = np.append(c, 2.0 ** np.linspace(-8, 8, 1025))
        values = (radius**2 + grid**2) * (length**2 + (offset / grid) ** 2) / least**2
        slack = rounding(20, float(values[1:].min()))
        yield at_least("constant", c, 2.0**-8, **given)
        yield equal("bound of the theorem with this constant", bound, float(values[0]), slack, **given)
        yield at_most("bound against that with other constants", bound, float(values.min()), slack, **given)
    Z, w, updates = np.column_stack([X, np.full(len(X), c)]) * y[:, None], np.zeros(3), 0
    while (Z @ w <= 0).any() and updates <= bound:
        w, updates = w + Z[np.flatnonzero(Z @ w <= 0)[0]], updates + 1
    yield at_most("updates of a run against the bound", updates, bound, slack, X=X, y=y)


@hard_cases(lift_)
def lift_in_any_unit(lift, rng):
    """Any radius, size, offset of either sign and least product: constants 1 % away have a larger bound."""
    cases = list(zip(SCALES, SCALES[1:] + SCALES[:1], SCALES[3:] + SCALES[:3], SCALES[::-1], strict=True))
    cases += [(1 / 3, 0.7, -1e-4, 0.2), (2.0, 3.0, -30_000.0, 6.0), (1.3, 0.4, 0.9, 1e-3)]
    for radius, size, offset, least in cases:
        c, bound = (float(value) for value in lift(radius, size, offset, least))
        values = [
            (radius**2 + d**2) * (size**2 + (offset / d) ** 2) / least**2 for d in (c, 0.99 * c, 1.01 * c)
        ]
        words = f"R = {radius:g}, size {size:g}, offset {offset:g}, least {least:g}"
        yield equal(f"bound with this constant, {words}", bound, values[0], rounding(20, values[0]))
        yield at_most(f"bound against constants 1 % away, {words}", values[0], min(values[1:]))
    yield from repeatable("lift", lift, 2.0, 3.0, 24.0, 6.0)


@statement("homework", "lectures/07_perceptron.ipynb, section 1.3")
def convex_(witness, rng):
    """The weights of a convex combination are not negative, and their sum is 1."""
    for name, Z in claims.inseparable(rng).items():
        weights = np.asarray(witness(Z.astype(np.int64)), dtype=np.float64)
        yield at_least(f"{name}: weights", weights, 0.0, Z=Z)
        yield equal(f"{name}: their sum", weights.sum(), 1.0, rounding(len(Z)), Z=Z)


@hard_cases(convex_)
def convex_after_many_passes(witness, rng):
    """Weights that return only after many passes, more features and more rows."""
    tables = [[[-9, -9, 9], [9, -7, 8], [-5, 8, 4], [-5, 5, 8], [0, 4, -9]]]  # after 1,845 passes
    tables += [[[-3, -9, 9], [-9, -1, -8], [6, -3, -8], [-3, -9, 7], [-2, 7, 9]]]  # after 1,471
    tables += [[[3, 0], [-2, 0]], [[0, 0, 0]], [[1], [-1], [2]]]
    tables += [[[1, 0, 0, 0, 2], [-1, 0, 0, 0, 0], [0, 0, 0, 0, -1]]]  # the last feature decides
    signs = rng.integers(1, 4, (6, 5))
    tables += [np.vstack([signs, -signs[:3]]).tolist()]
    for rows in tables:
        Z = np.array(rows, dtype=np.int64)
        weights = as_numbers(witness(Z.copy()), len(Z))
        words = f"{Z.shape[0]} rows, {Z.shape[1]} features"
        yield at_least(f"weights, {words}", weights, 0.0, Z=Z)
        yield equal(f"their sum, {words}", float(weights.sum()), 1.0, rounding(len(Z)), Z=Z)
        yield equal(f"the combination, {words}", weights @ Z, np.zeros(Z.shape[1]), rounding(len(Z), 9), Z=Z)
    yield from repeatable("witness", witness, Z)


@statement("homework", "lectures/07_perceptron.ipynb, section 6.3")
def average_(average, rng, *, n=15, d=3):
    """The mean of the weights kept after every visit, $P$ passes over the examples in order."""
    # compare with the definition, where passes are given: the lecture's claim ends with the mistakes
    overlapping = rng.integers(-6, 7, (n, d)), rng.choice([-1, 1], n)
    one_feature = np.array([[3], [1], [2]]), np.array([1, -1, 1])
    for X, y in (overlapping, one_feature, (claims.HAND_X, claims.HAND_Y)):  # the last: clean from pass 4 on
        for passes in (1, 10):
            w, kept = np.zeros(X.shape[1], dtype=np.int64), []
            for x, label in list(zip(X, y, strict=True)) * passes:
                w = w + label * x * int(label * (x @ w) <= 0)
                kept.append(w)
            found = np.asarray(average(X.T.astype(np.float64).copy(), y, passes), dtype=np.float64)
            table = np.array(kept)
            slack = rounding(len(kept), 1 + float(abs(table).max()))
            yield equal(f"mean after {passes} passes", found, table.mean(axis=0), slack, X=X, y=y)


def _labelled(rng, X):
    """Return generic data and labels -1, 1 in no order."""
    return _generic(rng, X), rng.choice([-1, 1], len(X))


@hard_cases(average_)
def average_in_every_regime(average, rng):
    """Decimals, any number of points and features, any unit, and one pass, a few and many."""
    for i, (name, X) in enumerate(feature_matrices(rng)):
        X, y = _labelled(rng, X)
        passes = (1, 2, 7, 40)[i % 4]
        w, kept = np.zeros(X.shape[1]), []
        for x, label in list(zip(X, y, strict=True)) * passes:
            w = w + label * x * (label * (x @ w) <= 0)
            kept.append(w)
        slack = rounding(len(kept), float(abs(np.array(kept)).max()))
        found = average(X.T.copy(), y, passes)
        yield equal(f"mean after {passes} passes, {name}", found, np.mean(kept, axis=0), slack, X=X, y=y)
    yield from repeatable("average", average, X.T.copy(), y, 2)


@statement("homework", "lectures/07_perceptron.ipynb, section 6.5")
def counts_(counts, rng):
    """The counts are those of the perceptron on the kernel's features, for decimals, kernels of any kind, one
    point and many, and many passes."""
    cases = []
    for name, X in feature_matrices(rng, constant=False, many=100):
        X, sides = _separated(rng, X)
        cases.append((name, X @ X.T + 0.7 * abs(X).max() ** 2, 2 * sides - 1))
    X, y = _labelled(rng, thirds(rng, (12, 2), 3000) / 100)
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    for unit in (1.0, 1e-4, 1e5):
        cases.append((f"a Gaussian kernel in unit {unit:g}", unit * np.exp(-squares / 40), y))
    cases.append(("nine digits agree", np.array([[1, 1 - 1e-9], [1 - 1e-9, 1]]), np.array([1, -1])))
    late, sides = _decided_late()
    cases.append(("the last two decide", late @ late.T + 1, 2 * sides - 1))
    cases += [("close together", np.array([[1 + 1e-2, 1.0], [1.0, 1 + 1e-2]]), np.array([1, -1]))]
    for name, K, y in cases:
        alpha, again = np.zeros(len(y), dtype=np.int64), True
        while again:
            again = False
            for i, label in enumerate(y):
                if label * ((alpha * y) @ K[i]) <= 0:
                    alpha[i] += 1
                    again = True
        yield equal(
            f"counts, {name}", np.asarray(counts(K.copy(), y.copy()), dtype=np.int64), alpha, K=K, y=y
        )
    yield from repeatable("counts", counts, K, y)


# ------------------------------------------------------------------- how the claims of the lecture ask


def _trained(train, Z, w, *rule):
    """Yield the states of the student's run on signed examples; any rule may pick the mistakes."""
    y = Z[:, -1]  # of y (x, 1)
    examples, weights = train(Z[:, :-1] * y[:, None], (y > 0).astype(np.int64))
    path, last = Z[examples].cumsum(axis=0), np.roll(np.asarray(weights), -1)
    if words := _another_convention(Z, y, np.asarray(examples), last):
        raise OutputError(words)
    path[-1:] = last
    yield from zip(path, examples, strict=True)


def _another_convention(Z, y, examples, w):
    """Return the one convention by which weights are not the sum of the updates; "" if none explains it."""
    right = Z[examples].sum(axis=0)
    if w.shape != right.shape or (w == right).all():
        return ""
    same = (w[:-1] == right[:-1]).all()
    said = {
        "the weights of these updates, but in another order": (np.sort(w) == np.sort(right)).all(),
        "the weights of these updates, but with the other sign: which class is the positive one?": (
            w == -right
        ).all(),
        "the weights of these updates, but each adds 1 to the intercept, whatever its label": same
        and w[-1] == len(examples),
        "the weights of these updates, but for the intercept, which stays 0": same and w[-1] == 0,
        "the weights of other updates: were the examples counted from 1?": (
            w == Z[examples - 1].sum(axis=0)
        ).all(),
    }
    explains = [f"train gives {words}" for words, holds in said.items() if holds]
    return explains[0] if len(explains) == 1 else ""


def _witnessed(witness, Z):
    """Return the student's proof; the question says that nothing separates."""
    return None, witness(Z.astype(np.int64))


class _Averaged:
    """The averaged perceptron with the student's mean, after as many passes as there are mistakes in."""

    average: Any

    def __init__(self, fit_intercept): ...

    def fit(self, X, y):
        passes = len([*claims.visits((X * y[:, None]).astype(np.int64))]) // len(X)
        self.weights_ = np.asarray(self.average(X.T.copy(), y, passes))
        return self


def _counted(counts, Q):
    """Yield the student's counts, for labels that alternate."""
    y = np.where(np.arange(len(Q)) % 2, -1, 1)
    yield counts(Q * np.outer(y, y), y), None


# ------------------------------------------------------------------- the questions


@part(
    5,
    claims.proof_steps,
    train_,
    adapt={"perceptron": _trained, "perceptron_any_order": _trained},
    often={
        "TIME": "labels 0 and 1 are taken for signs, so that an example of class 0 adds nothing; or there "
        "is no intercept, without which no pass may be clean"
    },
)
def train(points, labels):
    """**Build.** The perceptron of section 2, with an intercept, from zero weights and with step 1, until no
    mistake is left. Labels are 0 and 1 (1 is the positive class), and the weights have the intercept *first*.
    You may pick mistakes by any rule. Return the example of every update, in order, and the last weights. The
    data are separable.

    Return the pair (updates, weights).

    points (n, d): one row a point
    labels (n,) int in [0, 1]: 0 or 1
    returns (t,) int in [0, n): example of each update
    returns (e,): weights, e = d + 1
    """


@part(3, cautious_)
def cautious(radius, margin, level):
    r"""**Derive.** A cautious perceptron updates while some $z_i$ has $\langle w, z_i\rangle \le c$, for a
    given $c \ge 0$ ($c = 0$ is the perceptron). Which of (4.1) and (4.2) changes, and what becomes of the
    bound from $w = 0$? The bound is a real number: do not round it down.

    Return the largest real t that the two inequalities allow.

    radius, margin >= 0: positive
    level >= 0: c
    returns
    """


@part(3, lift_)
def lift(radius, size, offset, least):
    r"""**Derive.** Section 1 appends a 1 to every example. Nothing forces the 1: append a constant $c > 0$
    instead: $z_i = y_i(x_i, c)$. Which $c$ makes the bound of Theorem 4.1 smallest, and what is it then?
    You know the `radius`, the largest $\|x_i\|$, and of one $(\beta, \beta_0)$ the `size` $\|\beta\|$, the
    `offset` $\beta_0 \ne 0$ and the `least` of all $y_i(\langle\beta, x_i\rangle + \beta_0)$, which is
    positive. (Which vector separates the $z_i$?)

    Return the pair (c, bound).

    radius, size >= 0: positive
    offset: not 0
    least >= 0: positive
    returns >= 0: c
    returns: bound
    """


@part(
    4,
    claims.nonseparable,
    convex_,
    adapt={"separator_or_combination": _witnessed},
    often={
        "TIME": "one waits for zero weights, or for those of the pass before: the walk may return to "
        "other weights, and after several passes",
        "NOT A NUMBER": "it is 0/0: no example was added, since a product of 0 was taken for right; or "
        "the counts of an earlier pass are kept without a copy, and change",
    },
)
def witness(rows):
    r"""**Build a proof.** The signed examples have small integer entries, and no vector has positive products
    with all of them. Return convex weights $a$ with $\sum_ia_iz_i = 0$ (Theorem 1.1). *Hint:* run the
    perceptron, next mistake in order, in integers, and look at its weights at the start of each pass. Section
    5.2 says that they return to a vector they had before. What is the sum of all updates between two visits
    of the same weights?

    Return the convex weights.

    rows (n, d) int: signed examples, not separable
    returns (n,): weights >= 0, sum 1
    """


@part(
    2,
    claims.averaged,
    average_,
    adapt={"AveragedPerceptron": _Averaged},
    given={"VotedPerceptron": VotedPerceptron},
)
def average(points, labels, passes):
    """**Build.** The averaged perceptron of section 6.3, without an intercept: the mean of the weights kept
    after every visit, for a given number of passes over the points in order. Here the *columns* are the
    points. They need not be separable.

    Return the mean of the weights over all visits.

    points (d, n): one column a point
    labels (n,) int in [-1, 1]: +1 or -1
    passes int >= 1
    returns (d,)
    """


@part(
    3,
    counts_,
    claims.gram_form,
    adapt={"kernel_perceptron": _counted},
    given={"KernelPerceptron": KernelPerceptron},
    often={"TIME": "a label is forgotten: the product of z_i and z_j is gram[i, j] times both labels"},
)
def counts(gram, labels):
    """**Build.** The perceptron in Gram form (section 6.5), next mistake in order, until a pass has none. You
    get the matrix of the kernel, already with whatever it adds for an intercept, and the labels.

    Return how often each example was added.

    gram (n, n): kernel(x_i, x_j)
    labels (n,) int in [-1, 1]: +1 or -1
    returns (n,) int >= 0: updates at each example
    """


# ------------------------------------------------------------------- the same questions in other conventions


@variant("train", ("the intercept *first*", "the intercept *last*"))
def _intercept_last(train, points, labels):
    rows, w = train(points, labels)
    return rows, np.roll(np.asarray(w), 1)


@variant(
    "lift",
    (
        "append a constant $c > 0$ instead: $z_i = y_i(x_i, c)$. Which $c$ makes",
        "multiply the features by $s > 0$ before: $z_i = y_i(sx_i, 1)$. Which $s$ makes",
    ),
)
def _scaled_features(lift, *given):
    """Return the pair (s, bound).

    returns >= 0: s
    returns: bound
    """
    factor, bound = lift(*given)
    return 1 / float(factor), bound  # (s x, 1) is s (x, 1/s)


@variant(
    "cautious",
    (
        "($c = 0$ is the perceptron)",
        r"($c = 0$ is the perceptron), and its step is $\eta$: it adds $\eta z_i$",
    ),
)
def _with_a_step(cautious, radius, margin, level):
    """radius, margin, level
    step >= 0: positive
    """
    step = 0.25 if margin < 1 else 2.0  # the weights of step 1 times the step
    return cautious(radius, margin, step * level, step)


@variant(
    "counts",
    (
        "already with whatever it adds for an intercept",
        "*without* an intercept, and the classifier shall have one, as one more feature that is 1",
    ),
)
def _of_the_bare_kernel(counts, gram, labels):
    return counts(np.asarray(gram) - 1, labels)


assignment = Assignment(
    id="hw04",
    title="The perceptron and its mistake bound",
    lecture="lectures/07_perceptron.ipynb",
    variants=(_intercept_last, _scaled_features, _with_a_step, _of_the_bare_kernel),
    intro="You need NumPy and lecture 7, nothing else. Two questions ask for a formula, written as code; "
    "four ask for a program. Mind the conventions: they change from question to question, as they do in the "
    "literature.",
    parts=(train, cautious, lift, witness, average, counts),
)
