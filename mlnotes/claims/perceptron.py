"""The statements on the perceptron as executable claims, in the order of the lecture.

Data, separators and starts are small integers, so that inner products, weights and both sides of the mistake
bound are exact in float64. An implementation hands over the example of every update. The updates are replayed
here, and nothing that an implementation says about itself is believed.
"""

from __future__ import annotations

import math
import warnings
from itertools import islice, product

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, hard_cases, misprint, rounding, statement
from mlnotes.checking.outputs import OutputError, as_numbers, quietly, refuses

OUTPUTS = {
    "signed_examples": "(n, D)",
    "margin": "number",
    "mistake_set": "(m,) int",
    "perceptron_loss": "number",
    "perceptron_subgradient": "(D,)",
    "mistake_bound": "number",
    "mistake_bound_from": "number",
    "first_pass_bound": "number",
    "Perceptron.mistakes_": "(t,) int",
    "Perceptron.coef_": "(K, d)",
    "Perceptron.intercept_": "(K,)",
    "Perceptron.combination_": "(n,)",
    "Perceptron.decision_function": "(m,)",
    "Perceptron.predict": "(m,) any",
    "AveragedPerceptron.weights_": "(D,)",
    "VotedPerceptron.decision_function": "(m,)",
    "KernelPerceptron.decision_function": "(m,)",
    "KernelPerceptron.predict": "(m,) any",
}

# by hand: signed examples (-3, 1), (2, 1), (-4, 1); the examples of the updates, and the last weights
HAND_X = np.array([[-3, 1], [2, 1], [4, -1]])
HAND_Y = np.array([1, 1, -1])
HAND_Z = HAND_X * HAND_Y[:, None]
HAND_IN_ORDER = [0, 1, 1, 2, 1], [-1, 5]
HAND_FIRST = [0, 1, 1, 0, 1], [0, 5]
SQUARE = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]])
DIAGONALS = np.array([1, 1, -1, -1])
SQUARE_Z = np.column_stack([SQUARE, np.ones(4, dtype=np.int64)]) * DIAGONALS[:, None]
# points, labels, a separator with the intercept last: neither one pass is enough, nor a plane through 0
FOUR_POINTS = np.array([[1], [3], [4], [6]]), np.array([-1, -1, 1, 1]), np.array([2, -7])
STEEP = np.array([[20, 1], [19, 1], [-1, 0]]), np.array([1, -1, -1]), np.array([2, 0, -39])
# only the weights 2, 3, 3, 0 and their multiples add these examples up to zero
UNEVEN_Z = np.array([[3, 0], [-1, 1], [-1, -1], [2, 1]])
LOPSIDED_Z = np.array([[3], [2], [2], [2], [-1]])  # least squares gives an example a negative weight
VISITS = 20_000  # of a run, at most


# ------------------------------------------------------------------- instances
def separable_examples(rng, n=40, d=3):
    """Return integer points (n, d), labels of both classes, and a separator (d,): products of at least 1."""
    theta = rng.integers(1, 6, d) * rng.choice([-1, 1], d)
    X = rng.integers(-9, 10, (4 * n, d))
    X = np.vstack([np.sign(theta), -np.sign(theta), X[X @ theta != 0]])[:n]
    return X, np.sign(X @ theta), theta


def off_origin(rng, n=24):
    """Return integer points (n, 2), labels, both present, and a separator (3,) with the intercept last."""
    theta = np.append(rng.integers(1, 5, 2) * rng.choice([-1, 1], 2), rng.integers(-4, 5))
    corner = 9 * np.sign(theta[:2])  # its product is at least 18, the intercept at most 4
    X = np.vstack([corner, -corner, rng.integers(-9, 10, (6 * n, 2))])
    score = X @ theta[:2] + theta[2]
    return X[score != 0][:n], np.sign(score[score != 0][:n]), theta


def balanced_examples(rng, n=5, d=3):
    """Return integer signed examples with the sum zero: the last is minus the sum of the others."""
    Z = rng.integers(-3, 4, (n, d))
    return np.vstack([Z, -Z.sum(axis=0)])


def slow_pair(m):
    """Return two signed examples of margin 1 that need many updates."""
    return np.array([[1, m], [1, 1 - m]])


def merged(X, y):
    return np.column_stack([X, np.ones_like(y)]) * y[:, None]


def sizes(Z, theta):
    """Return R^2, the smallest product with theta, and |theta|^2, all integers."""
    return int((Z**2).sum(axis=1).max()), int((Z @ theta).min()), int(theta @ theta)


# ------------------------------------------------------------------- which mistake comes next
def first(mistakes, products):
    return mistakes[0]


def worst(mistakes, products):
    return mistakes[products.argmin()]


def random(mistakes, products):
    """Return a mistake that looks random: the choice depends on all of them."""
    return mistakes[int(abs(products).sum()) % len(mistakes)]


CHOICES = first, worst, random


# ------------------------------------------------------------------- replaying what was done
def finite(states):
    """Return the states of a run that must end."""
    states = list(islice(states, VISITS))
    if len(states) == VISITS:
        raise OutputError(f"the run does not end after {VISITS} states, although the data are separable")
    return states


def updates_of(states, D):
    """Return the examples (t,) of a run's updates, and the weights (t, D) after each."""
    updates = [(w, i) for w, i in finite(states) if i is not None]
    examples = as_numbers([i for _, i in updates], len(updates))
    weights = as_numbers([w for w, _ in updates], len(updates), D)
    return examples, weights


def last_weights(states, D):
    """Return the weights after the last update, NaN if there is none."""
    _, weights = updates_of(states, D)
    return weights[-1] if len(weights) else np.full(D, math.nan)


def replay(states, Z, start, name):
    """Yield that the updates are at mistakes and add them, and that none is left; return w_0, ..., w_t."""
    examples, weights = updates_of(states, Z.shape[1])
    if not np.isin(examples, np.arange(len(Z))).all():
        raise OutputError(f"{name}: an update is at {examples[:9]}, which are not all numbers of examples")
    added = Z[examples.astype(np.int64)]
    path = np.vstack([start, added]).cumsum(axis=0)
    products = (path[:-1] * added).sum(axis=1)
    yield equal(f"{name}: updates at an example that was no mistake", (products > 0).sum(), 0, Z=Z)
    yield equal(f"{name}: weights minus the sum of the updates", weights - path[1:], 0 * path[1:], Z=Z)
    yield equal(f"{name}: mistakes of their sum", (Z @ path[-1] <= 0).sum(), 0, Z=Z)
    return path


def every_order(perceptron, perceptron_any_order, Z, start, name):
    """Yield the replay of a run in order and of one for each choice; return their w_0, ..., w_t by name."""
    runs = {f"{name}in order": perceptron(as_float(Z), as_float(start))}
    for choose in CHOICES:
        states = perceptron_any_order(as_float(Z), as_float(start), choose)
        runs[f"{name}{choose.__name__} mistake"] = states
    paths = {}
    for order, states in runs.items():
        paths[order] = yield from replay(states, Z, start, order)
    return paths


def as_float(array):
    return np.asarray(array, dtype=np.float64)


def visits(Z):
    """Yield the weights after every visit, and whether it was a mistake, in passes until one has none."""
    w = np.zeros_like(Z[0])
    separated = False
    while not separated:
        separated = True
        for z in Z:
            mistake = z @ w <= 0
            w = w + mistake * z
            separated = separated and not mistake
            yield w, mistake


# ------------------------------------------------------------------- 1 Separable data
@statement("definition", "1", "Yan, linearly separable data", "Wainwright, section 2.3.4")
def separable(separator_or_combination, rng):
    r"""Data are linearly separable iff some $(\beta, \beta_0)$ has $y_i(\langle x_i, \beta\rangle +
    \beta_0) > 0$ for all $i$. With $z_i = y_i(x_i, 1)$: either some $w$ has all $\langle w, z_i\rangle >
    0$, or some convex combination of the $z_i$ is zero, never both."""
    X, y, _ = separable_examples(rng, n=12)
    Z = X * y[:, None]
    w, counts = separator_or_combination(Z)
    products = Z @ as_numbers(w, 3)
    yield equal("separable data: examples with a positive product", (products > 0).sum(), len(Z), Z=Z)
    yield equal("and a combination that is zero", counts is None, True)
    cases = {
        "the diagonals of a square": SQUARE_Z,
        "random examples and their balance": balanced_examples(rng),
    }
    for name, Z in cases.items():
        yield from combination(separator_or_combination, Z, name)


def combination(separator_or_combination, Z, name):
    """Yield that the implementation finds non-negative multiples of the examples whose sum is zero."""
    w, counts = separator_or_combination(Z)
    counts = as_numbers(counts, len(Z))
    yield equal(f"{name}: a separator", w is None, True)
    yield at_least(f"{name}: multiples", counts, 0, Z=Z)
    yield at_least(f"{name}: the largest", counts.max(), 1e-3, Z=Z)
    yield equal(f"{name}: their combination", counts @ Z, 0 * Z[0], rounding(100, abs(counts) @ abs(Z)), Z=Z)


@statement("formula", "1", "Yan, linearly separable data")
def merge(signed_examples, rng):
    r"""Appending a 1 to every example merges the intercept: $y_i(\langle x_i, \beta\rangle + \beta_0) =
    \langle(\beta, \beta_0), z_i\rangle$ with $z_i = y_i(x_i, 1)$."""
    X, y = rng.integers(-9, 10, (30, 3)), rng.choice([-1, 1], 30)
    y[:2] = 1, -1
    w, b = rng.integers(1, 10, 3), int(rng.integers(1, 10))
    Z = signed_examples(as_float(X), y)
    yield equal("products with the merged examples", Z @ np.append(w, b), y * (X @ w + b), X=X, y=y)
    Z = signed_examples(as_float(X), y, fit_intercept=False)
    yield equal("without an intercept", Z @ w, y * (X @ w), X=X, y=y)


@statement("definition", "1", "Wainwright, eq. (2.23)")
def class_(separator_or_combination, signed_examples):
    r"""The class $\operatorname{sgn}\langle\theta, x\rangle$ has hyperplanes through the origin only: $x =
    1$ with label $-1$ and $x = 2$ with label $+1$ are separated by a point, and by no $\theta$. With the 1
    appended they are: $\langle(2, -3), (x, 1)\rangle$."""
    X, y = np.array([[1.0], [2.0]]), np.array([-1, 1])
    w, _ = separator_or_combination(signed_examples(X, y, fit_intercept=False))
    yield equal("separator without the appended 1", w is None, True)
    Z = signed_examples(X, y)
    w, _ = separator_or_combination(Z)
    yield equal("examples on the right side with it", (Z @ as_numbers(w, 2) > 0).sum(), 2)
    yield at_least("products with (2, -3)", Z @ [2, -3], 1.0)


@statement("definition", "1", "Wainwright, after eq. (2.25)")
def margin(margin, rng):
    r"""The margin of a separator is $\delta = \min_i\langle w, z_i\rangle/\|w\|$, the distance of the
    closest point from the hyperplane: 3 for $w = (3, 4)$ and points whose products are 15, 20 and 65. It
    does not change when $w$ is multiplied by a positive number."""
    by_hand = margin(np.array([3.0, 4.0]), np.array([[5.0, 0.0], [0.0, 5.0], [3.0, 14.0]]))
    yield equal("by hand", by_hand, 3.0, rounding(2, 3.0))
    X, y, theta = separable_examples(rng)
    Z = X * y[:, None]
    foot = Z - np.outer(Z @ theta, theta) / (theta @ theta)  # the nearest points of the hyperplane
    nearest = np.sqrt(((Z - foot) ** 2).sum(axis=1)).min()
    values = [margin(c * as_float(theta), as_float(Z)) for c in (1.0, 0.25, 1024.0)]
    yield equal("margin of w, w/4 and 1024 w", values, nearest, rounding(12, 200.0), Z=Z, w=theta)


@hard_cases(margin)
def point_on_the_hyperplane(margin):
    ends = [margin(np.array([first, 1.0]), np.eye(2)) for first in (0.0, 1.0)]
    what = "margin of (0, 1), with a point on its line and no product below 0, and of (1, 1)"
    yield equal(what, ends, [0, 1 / math.sqrt(2)], rounding(4))


# ------------------------------------------------------------------- 2 The algorithm
@statement(
    "definition", "2", "Yan, perceptron learning algorithm", "Wainwright, section 2.3.4", "Shi, eq. (1)"
)
def mistake_set(mistake_set, perceptron, rng):
    r"""The mistakes of $w$ are $M(w) = \{i: \langle w, z_i\rangle \le 0\}$, with the boundary. At $w = 0$
    every example is one, and an algorithm that starts there must move."""
    Z, w = rng.integers(-4, 5, (40, 3)), np.array([1, -1, 2])
    Z[:6] = [[1, 1, 0], [2, 0, -1], [-1, 1, 1], [0, 0, 0], [1, 0, 0], [-1, 0, 0]]  # four on the boundary
    for name, v in (("w", w), ("zero", 0 * w)):
        mistakes = np.sort(mistake_set(as_float(v), as_float(Z)))
        same = np.array_equal(mistakes, np.flatnonzero(Z @ v <= 0))
        yield equal(f"mistakes of {name}", same, True, Z=Z, w=v)
    Z = np.array([[1.0, 1.0, 1.0], [1.0, -2.0, -1.0]])
    examples, _ = updates_of(perceptron(Z, np.zeros(3)), 3)
    yield at_least("updates from zero", len(examples), 1)


@statement(
    "algorithm",
    "2",
    "Yan, perceptron learning algorithm",
    "Wainwright, section 2.3.4",
    "Shi, eq. (1)",
    "Chapter 10, 10.1.6",
)
def update(perceptron, perceptron_any_order, rng):
    r"""While $M(w) \ne \emptyset$: pick $i \in M(w)$, $w \leftarrow w + \eta z_i$. On the signed examples
    $(-3, 1), (2, 1), (-4, 1)$ the rule 'next in order' updates at examples 0, 1, 1, 2, 1 and ends at $(-1,
    5)$; 'smallest index' at 0, 1, 1, 0, 1 and ends at $(0, 5)$."""
    Z, start = as_float(HAND_Z), np.zeros(2)
    for name, states, (examples, last) in (
        ("in order", perceptron(Z, start), HAND_IN_ORDER),
        ("first mistake", perceptron_any_order(Z, start, first), HAND_FIRST),
    ):
        path = updates_of(states, 2)
        yield equal(f"examples by hand, {name}", path[0].tolist() == examples, True)
        yield equal(f"weights by hand, {name}", path[1][-1:], [last])
    X, y, _ = separable_examples(rng)
    yield from every_order(perceptron, perceptron_any_order, X * y[:, None], np.zeros(3, int), "")


@hard_cases(update)
def with_an_intercept(Perceptron, rng):
    """The class runs the algorithm on the examples with an appended 1, and predicts with the last weights."""
    one_feature = np.array([[1], [2], [4]]), np.array([-1, 1, 1])  # separated, but not by the origin
    for X, y in (one_feature, separable_examples(rng)[:2]):
        model = quietly(Perceptron().fit, as_float(X), y)
        w, Z = as_numbers(model.weights_, X.shape[1] + 1), merged(X, y)
        sums = Z[model.mistakes_].sum(axis=0)
        yield equal("weights minus the sum of the updates", w - sums, 0 * sums, X=X, y=y)
        yield equal("mistakes of their sum", (Z @ sums <= 0).sum(), 0, X=X, y=y)
        yield equal("predictions", model.predict(as_float(X)), y, X=X)


@hard_cases(update, estimators_only="The limit of an estimator's updates is an option.")
def stops_after_max_iter(Perceptron):
    model = quietly(Perceptron(pick="first", fit_intercept=False, max_iter=1).fit, as_float(HAND_X), HAND_Y)
    same = model.mistakes_.tolist() == HAND_FIRST[0][:3]
    yield equal("updates at three examples in the time of a pass", same, True)


@statement("claim", "2", "Yan, linearly separable data")
def goal(perceptron, rng):
    r"""The goal is some $\hat\beta$ with all $\langle\hat\beta, z_i\rangle > 0$. The algorithm finds one
    without knowing a separator: on separable data it ends with no mistake left, also next to the boundary."""
    # products with theta are 1 for some examples and their mirror images: nothing to spare
    theta, X = np.array([2, -3]), rng.integers(-9, 10, (60, 2))
    X = np.vstack([[[2, 1], [-1, -1], [-2, -1], [1, 1]], X[X @ theta != 0]])
    for Z in (X * np.sign(X @ theta)[:, None], slow_pair(16)):
        last = last_weights(perceptron(as_float(Z), np.zeros(2)), 2)
        yield equal("examples on the right side", (Z @ last > 0).sum(), len(Z), Z=Z)


@statement("claim", "2", "Yan, perceptron learning algorithm")
def eta1(perceptron, rng):
    r"""From $w = 0$ the step $\eta$ multiplies every iterate and changes neither the updates nor a
    prediction. From another start it can: on $z = (1), w^0 = -3$ the step 1 needs four updates, the step 4
    one."""
    X, y, _ = separable_examples(rng)
    Z, start = as_float(X * y[:, None]), np.array([-64.0, 32.0, 96.0])
    examples, weights = updates_of(perceptron(Z, np.zeros(3)), 3)
    for eta in (0.25, 8.0):
        other, longer = updates_of(perceptron(Z, np.zeros(3), eta), 3)
        yield equal(f"the same updates at step {eta}", np.array_equal(other, examples), True, Z=Z)
        yield equal(f"weights at step {eta}", longer[-1:], eta * weights[-1:], Z=Z)
        there, _ = updates_of(perceptron(Z, start, eta), 3)
        here, _ = updates_of(perceptron(Z, start / eta), 3)
        what = f"the same updates from b at step {eta} and from b / {eta} at step 1"
        yield equal(what, np.array_equal(there, here), True, Z=Z)
    for eta, updates in ((1.0, 4), (4.0, 1)):
        examples, weights = updates_of(perceptron(np.ones((2, 1)), np.array([-3.0]), eta), 1)
        yield equal(f"updates from -3 at step {eta}", len(examples), updates)
        yield equal("weights then", weights[-1:], [[1.0]])


@statement("definition", "2", "Shi, perceptron algorithm", "Chapter 10, 10.1.6")
def predict(Perceptron):
    """The prediction is the sign of the score, and a score of exactly 0 needs a convention: chapter 10
    predicts $+1$, the second class. `np.sign` would predict 0, which is no label."""
    model = quietly(Perceptron().fit, np.array([[-1.0], [1.0]]), np.array(["minus", "plus"]))
    predictions = model.predict(np.array([[-2.0], [0.0], [2.0]]))
    yield equal("predictions at -2, 0, 2", ", ".join(map(str, predictions)), "minus, plus, plus")
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
        values.append(perceptron_loss(as_float(w), as_float(Z)))
        yield equal("sigma", values[-1], -products[products <= 0].sum(), Z=Z, w=w)
    mean = sum(values[:2]) / 2
    yield at_most("sigma in the middle against the mean of the ends", values[2], mean, Z=Z, ends=ends)


@statement("claim", "3 deeper", "Yan, perceptron learning algorithm")
def loss_dist(perceptron_loss, rng):
    r"""$\sigma(w) = \|w\|\sum_{i \in M(w)}\operatorname{dist}(z_i, w^\perp)$: the factor is $\|w\|$, not a
    constant."""
    Z, w = rng.integers(-5, 6, (30, 2)), np.array([3, -4])
    Z[0] = [-1, 1]
    mistakes = Z[Z @ w <= 0]
    foot = mistakes - np.outer(mistakes @ w, w) / 25
    distances = np.sqrt(((mistakes - foot) ** 2).sum(axis=1)).sum()
    for c in (0.0, 1.0, 2.0, 16.0):
        ratio = perceptron_loss(c * w, as_float(Z)) / distances
        yield equal(f"ratio for {c:g} w, of norm {5 * c:g}", ratio, 5 * c, rounding(200, 5 * c), Z=Z)


@statement("theorem", "3", "Shi, view it in ERM")
def erm_view(perceptron_loss, rng):
    r"""$\min\{\frac1n\sum_i\xi_i : \langle w, z_i\rangle \ge -\xi_i, \xi_i \ge 0\}$ over $\xi$ is
    $\frac1n\sigma(w)$; over $w$ the smallest value is 0, attained at $w = 0$ on any data, so that minimising
    it finds nothing."""
    Z, w = rng.integers(-3, 4, (6, 2)), np.array([3, rng.integers(-3, 4)])
    Z[0] = [-2, 0]
    # the smallest slack of each example among the integers from 0 to 60: the products are integers
    slacks = [min(xi for xi in range(61) if int(z @ w) >= -xi) for z in Z]
    value = perceptron_loss(as_float(w), as_float(Z))
    yield equal("sigma against the smallest slacks", value, sum(slacks), Z=Z, w=w)
    grid = [np.array(w, dtype=float) for w in product((0, 1, -1), repeat=3)]  # zero comes first
    smallest, *others = (perceptron_loss(w, as_float(SQUARE_Z)) for w in grid)
    yield equal("sigma at zero on data that cannot be separated", smallest, 0.0)
    yield at_least("sigma elsewhere on a grid", others, 1.0)
    none = [perceptron_loss(w[:2], np.eye(2)) == 0 for w in grid]
    limits = [(w[:2] >= 0).all() for w in grid]  # of (1, 1)/k + w, which separate
    yield equal("sigma is 0 at the limits of separators, on the examples (1, 0), (0, 1)", none, limits)


@statement("formula", "3 deeper", "Shi, view it in ERM")
def subgradient(perceptron_subgradient, rng):
    r"""$g = -\sum_{i \in M(w)}z_i$ is a subgradient of $\sigma$: $\sigma(v) \ge \sigma(w) + \langle g, v -
    w\rangle$ for all $v$; where no example is on the boundary it is the gradient."""
    Z, w = rng.integers(-4, 5, (25, 3)), rng.integers(1, 5, 3)
    Z[:2] = [[w[1], -w[0], 0], [-w[1], w[0], 0]]  # on the boundary
    others = np.vstack([rng.integers(-6, 7, (60, 3)), [[0, 0, 0]], 2 * w[None]])

    def sigma(points, Z):
        return np.maximum(0, -(np.atleast_2d(points) @ Z.T)).sum(axis=1)

    g = perceptron_subgradient(as_float(w), as_float(Z))
    room = sigma(others, Z) - sigma(w, Z) - (others - w) @ g
    yield at_least("sigma above its support at w", room, 0.0, Z=Z, w=w)
    smooth = Z[Z @ w != 0]
    g = perceptron_subgradient(as_float(w), as_float(smooth))
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
        mistakes = Z[Z @ w <= 0]
        if len(mistakes):
            step = -perceptron_subgradient(as_float(w), as_float(Z)) / len(mistakes)
            mean = mistakes.mean(axis=0)
            yield equal("-g / |M| against the mean update", step, mean, rounding(25, 5.0), Z=Z, w=w)


# ------------------------------------------------------------------- 4 The mistake bound
@statement("formula", "4", "Wainwright, eq. (2.26)-(2.35)")
def proof_steps(perceptron, perceptron_any_order, rng, *, n=24):
    r"""From $w^0 = 0$, after $t$ updates, whatever was picked: $\langle\theta, w^t\rangle \ge
    t\,\delta\|\theta\|$ and $\|w^t\|^2 \le tR^2$, so that $t \le R^2/\delta^2$. Here $z_i = y_i(x_i, 1)$."""
    cases = {"four points of a line": FOUR_POINTS, "random points": off_origin(rng, max(n, 2))}
    for case, (X, y, theta) in cases.items():
        Z, start = merged(X, y), np.zeros(len(theta), int)
        paths = yield from every_order(perceptron, perceptron_any_order, Z, start, f"{case}, ")
        for name, path in paths.items():
            yield from two_inequalities(name, path, Z, theta)


def two_inequalities(name, path, Z, theta):
    """Yield (4.1), (4.2) and the bound on the updates, multiplied out, in integers."""
    R2, smallest, size2 = sizes(Z, theta)
    t = np.arange(len(path))
    yield at_least(f"{name}: <theta, w_t> against t min <theta, z>", path @ theta, t * smallest, Z=Z)
    yield at_most(f"{name}: |w_t|^2 against t R^2", (path**2).sum(axis=1), t * R2, Z=Z)
    yield at_most(f"{name}: updates x margin^2 against R^2", t[-1] * smallest**2, R2 * size2, Z=Z)


@hard_cases(proof_steps)
def five_hundred_updates(perceptron):
    X, y, theta = STEEP
    Z = merged(X, y)
    path = yield from replay(perceptron(as_float(Z), np.zeros(3)), Z, np.zeros(3, int), "a steep plane")
    yield from two_inequalities("a steep plane", path, Z, theta)


@statement("theorem", "4", "Wainwright, Theorem 2.3", "Yan, Theorem 2.3")
def mistake_bound(perceptron, perceptron_any_order, mistake_bound, rng):
    r"""If $\theta$ separates the data with margin $\delta$ and all $\|z_i\| \le R$, the perceptron started
    at 0 makes at most $R^2/\delta^2$ updates. The examples $e_1, \dots, e_n$ attain it: $n$ updates, $R =
    1$, $\delta = 1/\sqrt n$."""
    X, y, theta = separable_examples(rng)
    Z = X * y[:, None]
    R2, smallest, size2 = sizes(Z, theta)
    paths = yield from every_order(perceptron, perceptron_any_order, Z, np.zeros(3, int), "")
    for name, path in paths.items():  # integers: t (min <theta, z>)^2 <= R^2 |theta|^2
        squares = (len(path) - 1) * smallest**2
        yield at_most(f"{name}: updates x margin^2 against R^2", squares, R2 * size2, Z=Z)
    value, exact = mistake_bound(math.sqrt(R2), smallest / math.sqrt(size2)), R2 * size2 / smallest**2
    yield equal("the formula R^2 / delta^2", value, exact, rounding(6, exact), Z=Z, theta=theta)
    for n in (2, 9):
        examples, _ = updates_of(perceptron(np.eye(n), np.zeros(n)), n)
        yield equal(f"updates on {n} orthonormal examples", len(examples), n)
        value = mistake_bound(1.0, 1 / math.sqrt(n))
        yield equal(f"the bound for {n} orthonormal examples", value, n, rounding(6, n))


@hard_cases(mistake_bound)
def needs_a_margin(mistake_bound):
    yield equal("a bound without a margin refused", refuses(mistake_bound, 1.0, np.float64(0)), True)


@statement("theorem", "4", "Yan, Theorem 2.3")
def convergence(perceptron, perceptron_any_order, mistake_bound_from, rng):
    r"""On separable data there are finitely many updates, whatever the rule and the start: with $u$ a unit
    separator of margin $\delta$, $a = \langle u, w^0\rangle$ and $B = R^2 - 2\delta a$, at most $(B +
    \sqrt{B^2 + 4\delta^2(\|w^0\|^2 - a^2)})/(2\delta^2)$ (step 1)."""
    X, y, theta = separable_examples(rng)
    Z, start = X * y[:, None], rng.integers(-40, 41, 3)
    start[0] = -30 * np.sign(theta[0])
    R2, smallest, size2 = sizes(Z, theta)
    delta, a, start2 = smallest / math.sqrt(size2), int(start @ theta) / math.sqrt(size2), int(start @ start)
    bound = mistake_bound_from(math.sqrt(R2), delta, math.sqrt(start2), a)
    truth = largest_t(lambda t: a + t * delta <= 0 or (a + t * delta) ** 2 <= start2 + t * R2)
    slack = rounding(200, 1 + truth)
    yield equal("the formula against bisection", bound, truth, slack, Z=Z, theta=theta, start=start)
    paths = yield from every_order(perceptron, perceptron_any_order, Z, start, "")
    for name, path in paths.items():
        yield at_most(f"{name}: updates", len(path) - 1, truth, slack, Z=Z, start=start)


def largest_t(holds):
    """Return the largest t at which an inequality holds that is true up to some t and false from there on."""
    low, high = 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low


@hard_cases(convergence)
def many_passes(perceptron, mistake_bound_from):
    by_hand = mistake_bound_from(2.0, 0.5, 3.0, -1.0)  # B = 5, its square and 8 are 33
    yield equal("for R = 2, delta = 1/2, |w_0| = 3, a = -1", by_hand, 10 + 2 * math.sqrt(33), rounding(8, 40))
    Z, start = slow_pair(16), np.array([-5, 3])
    yield from replay(perceptron(as_float(Z), as_float(start)), Z, start, "a small margin")


@statement("claim", "4", "Yan, Theorem 2.3, limitations")
def many_steps(perceptron):
    """'The finite number of steps can be very large': on the signed examples $(1, m), (1, 1 - m)$ the best
    margin is 1 while $R^2 = 1 + m^2$, and the perceptron needs more than $m$ updates, for $m = 4, 8, 16,
    32, 64$ at least twice as many at each step."""
    counts = []
    for m in (4, 8, 16, 32, 64):
        Z = slow_pair(m)
        path = yield from replay(perceptron(as_float(Z), np.zeros(2)), Z, np.zeros(2, int), f"m = {m}")
        counts.append(len(path) - 1)
    yield at_least("updates for m = 4, 8, 16, 32, 64", counts, [5, 9, 17, 33, 65])
    yield at_least("twice as many, or more", counts[1:], 2 * np.array(counts[:-1]))


# ------------------------------------------------------------------- 5 What it does not promise
@statement("claim", "5", "Yan, Theorem 2.3, limitations")
def nonunique(perceptron, perceptron_any_order, margin):
    r"""The limit depends on the order of the examples and on the start. On the signed examples $(-3, 1), (2,
    1), (-4, 1)$ two rules end at $(-1, 5)$ and $(0, 5)$, with margins $3/\sqrt{26} < 1$; the best margin is
    1."""
    Z = as_float(HAND_Z)
    runs = perceptron(Z, np.zeros(2)), perceptron_any_order(Z, np.zeros(2), first)
    ends = [last_weights(states, 2) for states in runs]
    yield equal("ends of two rules", ends, [[-1, 5], [0, 5]])
    margins = [margin(w, Z) for w in ends]
    yield equal("their margins", margins, [3 / math.sqrt(26), 1.0], rounding(4, 3.0))
    # a convex combination of the examples has length 1, so that by (1.3) no margin is larger
    yield equal("length of 2/5 of the first and 3/5 of the second", np.linalg.norm([0.4, 0.6, 0] @ Z), 1.0)


@hard_cases(nonunique, estimators_only="The reference module does not look for the largest margin.")
def the_largest_margin(best_separator):
    Z, slack = as_float(HAND_Z), rounding(100, 5.0)
    best = best_separator(Z)
    yield equal("best margin, from both sides", [best.lower, best.upper], 1.0, slack)
    w = as_numbers(best.w, 2)
    yield at_least("the margin of its separator", (Z @ w).min() / math.hypot(*w), 1.0 - slack)


@statement("claim", "5", "Yan, Theorem 2.3, limitations", "Minsky and Papert 1969", "Block and Levin 1970")
def nonseparable(separator_or_combination, rng, *, n=5, d=3):
    r"""On data that cannot be separated the updates never end (no $w$ is free of mistakes), and some convex
    combination has $\sum_ia_iz_i = 0$, which proves it. On the diagonals of a square the rule 'next in order'
    from 0 goes round four weight vectors for ever."""
    path = [tuple(w) for w, mistake in islice(visits(SQUARE_Z), 40) if mistake]
    yield equal("different weights in the last 16 of many updates on the diagonals", len(set(path[-16:])), 4)
    for name, Z in inseparable(rng, n, d).items():
        yield from combination(separator_or_combination, Z, name)


def inseparable(rng, n=5, d=3):
    cases = {"diagonals": SQUARE_Z, "examples that need unequal weights": UNEVEN_Z}
    return cases | {
        "one against four": LOPSIDED_Z,
        "examples and their balance": balanced_examples(rng, n, d),
    }


@hard_cases(nonseparable, estimators_only="The warning and the proof of a fit are the estimator's.")
def a_fit_warns_and_proves_it(Perceptron, rng):
    for name, Z in inseparable(rng).items():
        y = np.where(np.arange(len(Z)) % 2, -1, 1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = Perceptron(fit_intercept=False, max_iter=50).fit(as_float(Z * y[:, None]), y)
        yield at_least(f"{name}: warnings", len(caught), 1, Z=Z)
        a, report = model.combination_, model.certificate_
        slack = rounding(100, abs(Z).max())
        yield equal(f"{name}: separable, by its certificate", report["separable"] is False, True)
        yield equal(f"{name}: its bound on the margins", report["upper"], 0.0, slack, Z=Z)
        yield at_least(f"{name}: convex weights", a, 0.0, Z=Z)
        yield equal(f"{name}: their sum", a.sum(), 1.0, rounding(len(Z)), Z=Z)
        yield equal(f"{name}: their combination", a @ Z, 0 * Z[0], slack, Z=Z)


@statement("theorem", "5 deeper", "Freund and Schapire 1999, Theorem 2")
def slack_bound(first_pass_bound, rng):
    r"""On *any* data, in the first pass from $w = 0$ there are at most $((R + \Delta)/\delta)^2$ mistakes,
    for every unit vector $u$ and $\delta > 0$, with $\Delta^2 = \sum_i\max(0, \delta - \langle u,
    z_i\rangle)^2$."""
    Z = rng.integers(-6, 7, (40, 3))
    mistakes = sum(mistake for _, mistake in islice(visits(Z), len(Z)))
    R = math.sqrt(int((Z**2).sum(axis=1).max()))
    for u, delta in ((np.array([2, -1, 2]) / 3, 1.0), (np.array([0, 1, 0]), 6.0)):
        shortfall = np.maximum(0, delta - Z @ u)
        exact = ((R + math.sqrt(shortfall @ shortfall)) / delta) ** 2
        value = first_pass_bound(as_float(u), as_float(Z), delta)
        yield equal("the formula", value, exact, rounding(60, exact), Z=Z, u=u, delta=delta)
        yield at_most("mistakes against the bound", mistakes, value, Z=Z, u=u, delta=delta)


# ------------------------------------------------------------------- 6 Variants
@statement("algorithm", "6 deeper", "Shi, eq. (1)")
def batch(batch_perceptron, rng):
    r"""The batch form adds all mistakes at once, $w \leftarrow w + \eta\sum_{i \in M(w)}z_i$. On separable
    data, from $w = 0$, it ends after at most $nR^2/\delta^2$ mistakes in total."""
    X, y, theta = separable_examples(rng)
    R2, smallest, size2 = sizes(X * y[:, None], theta)
    for name, Z in (("by hand", HAND_Z), ("random examples", X * y[:, None])):
        w, total = np.zeros(Z.shape[1], dtype=np.int64), 0
        for found, mistakes in finite(batch_perceptron(as_float(Z), as_float(w))):
            wrong = np.flatnonzero(Z @ w <= 0)
            yield equal(f"{name}: mistakes", np.array_equal(np.sort(mistakes), wrong), True, Z=Z, w=w)
            w, total = w + Z[wrong].sum(axis=0), total + len(wrong)
            yield equal(f"{name}: weights after the step", as_numbers(found, len(w)), w, Z=Z)
        yield equal(f"{name}: mistakes at the end", (Z @ w <= 0).sum(), 0, Z=Z)
    yield at_most("mistakes x margin^2 against n R^2", total * smallest**2, len(Z) * R2 * size2, Z=Z)


def one_pass(X, y, rate=0.5):
    """Chapter 10: one pass, a step of 2 rate, and a score of 0 is right for +1 (section 6.2)."""
    b = np.zeros(X.shape[1] + 1)
    for z, label in zip(merged(X, y), y, strict=True):
        if z @ b < 0 or (z @ b == 0 and label < 0):
            b = b + 2 * rate * z
    return b


@statement("algorithm", "6 deeper", "Chapter 10, 10.1.6")
def pseudocode(rng):
    r"""Chapter 10's pseudocode goes over the examples once, with $b \leftarrow b + r(y_i - \hat y_i)(x_i,
    1)$: a step of $2r$ at a mistake; a score of 0 predicts $+1$. The loop over coordinates and the vector
    form agree bit for bit."""
    X, y = rng.integers(-9, 10, (30, 3)), rng.choice([-1, 1], 30)
    y[0], X[1], y[1] = 1, X[0], -1  # a score of 0 for both labels: right, then wrong
    half = one_pass(as_float(X), y)
    for rate in (0.5, 0.125, 4.0):
        b = [0.0] * 4
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            prediction = 1 if b[3] + sum(b[j] * x[j] for j in range(3)) >= 0 else -1
            b[3] = b[3] + rate * (label - prediction)
            for j in range(3):
                b[j] = b[j] + rate * (label - prediction) * x[j]
        yield equal(f"weights at r = {rate}", one_pass(as_float(X), y, rate), b, X=X, y=y)
        yield equal("against those at r = 1/2, times 2 r", b, 2 * rate * half, X=X, y=y)


@statement("algorithm", "6", "Freund and Schapire 1999")
def averaged(AveragedPerceptron, VotedPerceptron, rng, *, n=40):
    """The averaged perceptron predicts with the mean of the weights kept after every visit of an example, in
    whole passes up to the first without a mistake; the voted one lets each of them vote."""
    for X, y in (separable_examples(rng, n)[:2], (HAND_X, HAND_Y)):
        Z = X * y[:, None]
        path, points = np.array([w for w, _ in visits(Z)]), rng.integers(-9, 10, (20, X.shape[1]))
        model = quietly(AveragedPerceptron(fit_intercept=False).fit, as_float(X), y)
        slack = rounding(len(path), abs(path).max())
        yield equal("the mean", model.weights_, path.mean(axis=0), slack, Z=Z)
        model = quietly(VotedPerceptron(fit_intercept=False).fit, as_float(X), y)
        votes = np.where(points @ path.T >= 0, 1, -1).sum(axis=1)
        yield equal("the votes", model.decision_function(as_float(points)), votes, Z=Z, points=points)


@statement("algorithm", "6 deeper", "Shi, decision functions", "Duda, Hart and Stork 2001, section 5.12")
def multiclass(multiclass_perceptron, rng):
    r"""With a weight vector for each class and $\arg\max_k\langle w_k, x\rangle$, a mistake adds the example
    to the weights of its class and subtracts it from those of the best other one. If some $W$ has all gaps
    $\langle w_{y_i} - w_k, x_i\rangle \ge g > 0$, there are at most $2R^2\|W\|^2/g^2$ updates from zero."""
    X, y, V, gap = three_classes(rng)
    path, examples = visits_of_classes(X, y)
    states = [(W, i) for W, i in finite(multiclass_perceptron(as_float(X), y, np.zeros((3, 2))))]
    updates = [(W, i) for W, i in states if i is not None]
    yield equal("updates, one after the other", [i for _, i in updates] == examples, True, X=X, y=y)
    last = updates[-1][0] if updates else None
    yield equal("weights after them", as_numbers(last, 3, 2), path[-1], X=X, y=y)
    bound = 2 * int((X**2).sum(axis=1).max()) * int((V**2).sum())
    yield at_most("updates x gap^2 against 2 R^2 |V|^2", len(updates) * gap**2, bound)


def three_classes(rng):
    """Return integer points (45, 2), their classes by the best of three scores, the weights, and the gap."""
    V = np.array([[4, 0], [-2, 3], [-2, -3]])
    X = rng.integers(-9, 10, (80, 2))
    order = np.sort(X @ V.T, axis=1)
    X = np.vstack([V, X[order[:, 2] > order[:, 1]]])[:45]
    order = np.sort(X @ V.T, axis=1)
    return X, (X @ V.T).argmax(axis=1), V, int((order[:, 2] - order[:, 1]).min())


def visits_of_classes(X, y):
    """Return the weights after every visit, and the examples of the updates."""
    W, path, examples, separated = np.zeros((3, 2), dtype=np.int64), [], [], False
    while not separated:
        separated = True
        for i, (x, k) in enumerate(zip(X, y, strict=True)):
            rivals = np.where(np.arange(3) == k, -math.inf, W @ x)
            if W[k] @ x <= rivals.max():
                W, separated = W.copy(), False
                W[[k, rivals.argmax()]] += [x, -x]
                examples.append(i)
            path.append(W)
    return path, examples


@hard_cases(multiclass, estimators_only="The reference module has no classifier of several classes.")
def predictions_and_averages(Perceptron, rng):
    X, y, _, _ = three_classes(rng)
    path, _ = visits_of_classes(X, y)
    model = quietly(Perceptron(fit_intercept=False).fit, as_float(X), y)
    yield equal("predictions", model.predict(as_float(X)), y, X=X)
    yield equal("prediction at 0, a tie: the last class", model.predict(np.zeros((1, 2))), [2])
    mean = quietly(Perceptron(fit_intercept=False, output="average").fit, as_float(X), y)
    slack = rounding(len(path), abs(np.array(path)).max())
    yield equal("mean of the weights over the visits", mean.coef_, np.mean(path, axis=0), slack, X=X, y=y)


@statement("theorem", "6", "Freund and Schapire 1999, section 4", "Aizerman, Braverman and Rozonoer 1964")
def gram_form(kernel_perceptron, rng, *, n=40):
    r"""From $w = 0$, $w = \sum_i\alpha_iz_i$ with $\alpha_i$ the number of updates at example $i$: only
    inner products enter. With $\langle x, x'\rangle$ the updates are those of the perceptron; with $(1 +
    \langle x, x'\rangle)^2$ it separates the diagonals of a square."""
    X, y, _ = separable_examples(rng, n)
    steep = merged(*STEEP[:2])  # some 250 passes
    for Z in (HAND_Z / 16, steep, X * y[:, None]):
        alpha = counts_of(kernel_perceptron, Z @ Z.T)
        counts = np.array([mistake for _, mistake in visits(Z)]).reshape(-1, len(Z)).sum(axis=0)
        yield equal("updates at each example, next in order", alpha, counts, Z=Z)
        yield equal("mistakes of the last weights", (Z @ (alpha @ Z) <= 0).sum(), 0, Z=Z)
    Q = np.outer(DIAGONALS, DIAGONALS) * (1.0 + SQUARE @ SQUARE.T) ** 2
    yield equal("mistakes on the diagonals", (Q @ counts_of(kernel_perceptron, Q) <= 0).sum(), 0)


def counts_of(kernel_perceptron, Q):
    """Return the last multipliers of a run."""
    states = finite(kernel_perceptron(as_float(Q)))
    return as_numbers(states[-1][0] if states else None, len(Q))


@hard_cases(gram_form)
def scores_from_inner_products(KernelPerceptron, rng):
    X, y, _ = STEEP  # no plane through the origin separates them
    *_, (w, _) = visits(merged(X, y))
    points = rng.integers(-9, 10, (20, 2))
    model = quietly(KernelPerceptron().fit, as_float(X), y)
    yield equal("scores", model.decision_function(as_float(points)), points @ w[:2] + w[2], X=X, y=y)
    square = quietly(KernelPerceptron(lambda A, B: (1 + A @ B.T) ** 2).fit, as_float(SQUARE), DIAGONALS)
    yield equal("predictions on the diagonals", square.predict(as_float(SQUARE)), DIAGONALS)


# ------------------------------------------------------------------- 7 What the notes got wrong
@correction("wrong", "7 deeper", "Chapter 10, 10.1.6")
def erratum_t10(perceptron):
    """Printed: The weights are trained by one pass over the rows.
    Right: One pass may leave mistakes on separable data; passes are repeated until one has none."""
    X, y, _ = FOUR_POINTS  # separated by x = 3.5
    slope, intercept = one_pass(as_float(X), y)
    wrong = (X[:, 0] * slope + intercept >= 0) != (y > 0)
    yield at_least("mistakes left by one pass", wrong.sum(), 1)
    Z = merged(X, y)
    last = last_weights(perceptron(as_float(Z), np.zeros(2)), 2)
    yield equal("examples right after passes until there is no mistake", (Z @ last > 0).sum(), 4)


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
