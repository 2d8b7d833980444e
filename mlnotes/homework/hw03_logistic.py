"""Homework 3: logistic regression and gradient descent. Six questions, 20 points."""

from __future__ import annotations

import numpy as np

from mlnotes import descent
from mlnotes.checking import at_least, at_most, equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import OutputError
from mlnotes.checking.regimes import SCALES, feature_matrices, random_labels, repeatable, stateless, thirds
from mlnotes.claims import descent as descent_claims
from mlnotes.claims import logistic as claims
from mlnotes.homework import Assignment, part, variant

# ------------------------------------------------------------------- claims of this homework alone


def _softmax(scores):
    """Return the probabilities; one column an observation."""
    weights = np.exp(scores - scores.max(axis=0))
    return weights / weights.sum(axis=0)


@statement("homework", "lectures/05_logistic.ipynb, section 2")
def shares_(shares, rng):
    r"""The probability of class $k$ is $e^{s_k} / \sum_j e^{s_j}$, for any number of classes and points, also
    where two large scores are close and a third is far below."""
    far = np.array([[10_000, 9999, 0], [0, 0, 1000], [-1e4, -9999, -9998.5], [0, 300, 299], [31, 0, 30]])
    cases = [("scores far apart", far.T.copy()), ("nearly equal scores", 1 + 1e-6 * thirds(rng, (3, 4)))]
    for size in (1e-4, 1.0, 1e4):
        sizes = ((1, 3), (2, 7), (3, 120), (6, 4))
        cases += [(f"{K} classes, unit {size:g}", size * thirds(rng, (K, n)) / 10) for K, n in sizes]
    for name, scores in cases:
        slack = rounding(len(scores), 1 + abs(scores).max())
        yield equal(f"probabilities, {name}", shares(scores.copy()), _softmax(scores), slack, scores=scores)
    yield from repeatable("shares", shares, scores)


@statement("homework", "lectures/05_logistic.ipynb, section 4")
def far(slope):
    r"""The gradient has its value also where scores are $\pm10^4$ and probabilities 0 or 1: the largest score
    of each point is subtracted before the exponential."""
    # ask for scores that overflow, beside a point whose scores are all far below
    beta, labels = np.eye(2), np.array([0, 2, 1])
    X = 1e4 * np.array([[1.0, 0.0], [-1.0, -1.0], [0.0, -1.0]])
    P = np.array([[1.0, 0.0], [0.0, 0.0], [0.5, 0.0]])
    truth = (P - (labels[:, None] == [1, 2])).T @ X
    yield equal("gradient at scores of 10^4", slope(beta, X, labels), truth, rounding(16, 2e4), X=X)


@hard_cases(far)
def slope_of_any_scores(slope, rng):
    """Any number of classes, points and features; a class without points; two large scores that are close."""
    close = [(np.array([[1000.0], [999.0]]), np.ones((1, 1)), np.array([1]))]
    close += [(np.array([[1000.0], [999.0]]), np.ones((2, 1)), np.array([0, 2]))]
    close += [(np.array([[1e-3]]), np.array([[1000.0]]), np.array([0]))]
    cases = [(f"two scores of 1000, {len(X)} points", *case) for case in close for X in case[1:2]]
    for i, (name, X) in enumerate(feature_matrices(rng)):
        n_classes = (2, 3, 6)[i % 3]
        beta = thirds(rng, (n_classes - 1, X.shape[1])) / 10 / max(1.0, abs(X).max())
        cases.append((name, beta, X, rng.integers(n_classes, size=len(X))))
    cases.append(("six classes", thirds(rng, (5, 2)) / 10, thirds(rng, (30, 2)), random_labels(rng, 30, 6)))
    for name, beta, X, labels in cases:
        P = _softmax(np.vstack([np.zeros(len(X)), beta @ X.T]))
        indicators = np.arange(len(P))[:, None] == labels
        truth = (P - indicators)[1:] @ X
        slack = rounding(len(X) * len(P), abs(X).sum() * (1 + abs(beta @ X.T).max()))
        found = slope(beta, X, labels)
        yield equal(f"gradient, {name}", found, truth, slack, beta=beta, X=X, labels=labels)
    yield from repeatable("slope", slope, beta, X, labels)


@statement("homework", "lectures/06_descent.ipynb, section 2")
def limit_(limit, rng, *, n=9, d=3):
    r"""Every step of gradient descent on the *sum* of the log losses with two classes and
    $\frac\lambda2\|w\|^2$ goes down, from every start, for $\eta < 2/L$, $L = \lambda_{\max}(X^\top X)/4 +
    \lambda$. Where every row occurs with both labels (or half of each), no longer step is safe."""
    # check that descent fails just above the limit, which the lecture's claim on L does not say
    cases = [(np.array([[1.0, 1.0], [1.0, -1.0], [1.0, 0.0]]), 4.0)]  # the penalty curves more, or less
    for _ in range(4):
        X = rng.integers(-4, 5, (n, d)).astype(np.float64)
        X[0] = [4, -3, 2][:d]
        cases.append((X, float(rng.integers(1, 33)) / 4))
    for X, strength in cases:
        eta = float(limit(X, strength))
        _, s, V = np.linalg.svd(X)
        truth = 8 / (float(s[0]) ** 2 + 4 * strength)
        yield equal("largest step", eta, truth, rounding(27, 4), X=X)
        # along the worst direction, labels that balance: the loss is even, its curvature L at 0
        z = 1e-3 * (X @ V[0])
        slope = float(np.sum(np.tanh(z / 2) / 2 * (X @ V[0]))) + 1e-3 * strength
        past = 1.001 * truth * slope - 2e-3
        yield at_least("how far a step 0.1 % longer overshoots the mirror image of its start", past, 0.0)


@hard_cases(limit_)
def limit_of_any_data(limit, rng):
    """Decimals, wide data, one point, any unit, penalties that are tiny or huge, directions at an angle."""
    angled = [(np.array([[1.0, 0.0], [0.0, 3.0]]), 1.0), (np.array([[1.0, -1.0]]), 1.0)]
    angled += [(np.array([[1.0], [2.0]]), 0.5), (np.array([[1.0, 0.0], [0.0, 0.999]]), 0.3)]
    cases = [(X, SCALES[i % len(SCALES)]) for i, (_, X) in enumerate(feature_matrices(rng))]
    for X, strength in (*angled, (angled[0][0], 0.0), *cases):
        truth = 8 / (np.linalg.svd(X, compute_uv=False)[0] ** 2 + 4 * strength)
        words = f"step, X {X.shape}, lambda {strength:g}"
        yield equal(words, limit(X, strength), truth, rounding(60, truth), X=X)
    yield from repeatable("limit", limit, X, 0.7)


@statement("homework", "lectures/06_descent.ipynb, section 1")
def iterates(descend, rng, *, d=3):
    r"""$T$ steps make $T + 1$ iterates $w_0, \dots, w_T$, also where the gradient is 0; without a step there
    is the start."""
    # count the columns, also of a path that is at the minimum after one step
    start = rng.integers(1, 5, d).astype(np.float64)
    for step, T in ((0.5, 6), (1.0, 4), (0.5, 1), (0.5, 0)):
        path = np.asarray(descend(lambda w: w, start, step, T))
        yield equal(f"iterates of n_steps = {T}", path.shape[1], T + 1)


@hard_cases(iterates)
def iterates_of_any_step(descend, rng):
    """Many steps, short and long ones, from far away and to nearly 0; any number of features."""
    cases = [(1, 1e-3, 150, 1.0), (1, 0.5, 40, 1.0), (2, 0.1, 1, 5e4), (1, 3.0, 6, 1.0), (5, 0.3, 3, 1e-5)]
    for d, step, T, size in cases:
        start, curvature = size * (thirds(rng, d) / 3), 1 + np.arange(d) / 7
        start[1:2] = start[0] * (1 + 1e-6)
        path = np.array([start * (1 - step * curvature) ** t for t in range(T + 1)]).T
        found = np.asarray(descend(lambda w, c=curvature: c * w, start.copy(), step, T))
        if found.shape != path.shape:
            raise OutputError(f"descend returns shape {found.shape} for {T} steps, must be {path.shape}")
        slack = rounding(T + 1, 1.0) * np.maximum(abs(path), 1e-280)
        yield equal(f"iterates, {T} steps of {step:g} from {size:g}", found, path, slack, start=start)
    yield from repeatable("descend", lambda w: descend(lambda v: 2 * v, w, 0.1, 3), start)


@statement("homework", "lectures/06_descent.ipynb, section 7")
def spread_(spread, rng):
    r"""$E(w_t - \bar x)^2 = m + (1 - \eta)^{2t}((w_0 - \bar x)^2 - m)$ with the floor
    $m = \eta s^2 / (b(2 - \eta))$, for any step below 2, batch size and number of steps."""
    cases = [
        (100.0, 1.0, 0.5, 5, 1),
        (4.0, 1.0, 0.01, 1, 200),
        (0.0, 1.0, 1e-4, 1, 5000),
        (4.0, 0.3, 1.0, 7, 3),
    ]
    steps = (1e-4, 0.01, 1 / 3, 0.95, 1.5, 1.97)
    for i, step in enumerate(steps):
        for j, b in enumerate((1, 2, 7, 50)):
            variance, start = abs(thirds(rng, 2)) * (1, 1e4, 1e-4)[j % 3]
            cases.append((variance, start, step, b, (0, 1, 2, 5, 17, 230)[(i + j) % 6]))
    for variance, start, step, b, t in cases:
        moment = start  # E(w - mean)^2, one step after the other
        for _ in range(t):
            moment = (1 - step) ** 2 * moment + step**2 * variance / b
        found = spread(float(variance), float(start), step, b, t)
        words = f"step {step:g}, batch size {b}, t = {t}"
        yield equal(words, found, moment, rounding(t + 8, start + variance), variance=variance, start=start)
    yield from repeatable("spread", spread, 2.0, 0.7, 0.3, 3, 5)


def _is_optimal(name, model, X, y, strength):
    """Yield the gradient at the weights of a model, as accurate as the question asks, and P(+1 | x)."""
    w, b = np.asarray(model.weights, dtype=np.float64), float(model.bias)
    scores = np.clip(X @ w + b, -700, 700)
    pull = y / (1 + np.exp(y * scores))
    norm = float(np.linalg.norm(strength * w - pull @ X))
    yield at_most(
        f"gradient in w, {name}", norm, 1.0001e-6 * float(abs(X).sum()), X=X, y=y, strength=strength
    )
    yield at_most(f"gradient in b, {name}", abs(float(pull.sum())), 1.0001e-6 * len(y), X=X, y=y)
    truth = 1 / (1 + np.exp(-scores))
    slack = rounding(16, 1 + float(abs(X).max() * abs(w).sum() + abs(b)))
    yield equal(f"P(+1 | x) of these weights, {name}", model.probability(X), truth, slack, X=X)
    new = X[::-1][:3] + X.std(axis=0) * 0.37
    truth = 1 / (1 + np.exp(-np.clip(new @ w + b, -700, 700)))
    yield equal(f"P(+1 | x) at new points, {name}", model.probability(new), truth, slack, X=new)


@statement("homework", "lectures/05_logistic.ipynb, section 6")
def optimum(Logistic, rng, *, n=40, d=3):
    r"""At the minimum of $\sum_i\log(1 + e^{-y_i(\langle w, x_i\rangle + b)}) + \frac\lambda2\|w\|^2$, $y_i =
    \pm1$, the gradient vanishes, in $b$ without penalty. The features have units of their own, classes may be
    separated, and full steps of Newton's method may run away."""
    # check the gradient, and the probabilities; the rows of the lecture's claim have one unit
    units, centre = np.array([0.01, 1.0, 100.0])[:d], np.array([0.0, 5.0, 300.0])[:d]
    cases = []
    for name, noise in (("overlapping", 3.0), ("separated", 0.0)):
        X = rng.integers(-6, 7, (n, d)) * units + centre
        signal = ((X - centre) / units) @ [1.0, -1.0, 1.0][:d] + noise * rng.standard_normal(n)
        y = np.where(signal + 0.5 > 0, 1, -1)
        y[:2] = [1, -1] if len(set(y)) == 1 else y[:2]
        cases.append((name, X, y, float(rng.choice([0.5, 2.0]))))
    rows, codes, C = claims.RUNS_AWAY
    for name, X, y, strength in (*cases, ("full Newton steps run away", rows, 2 * codes - 1, 1 / C)):
        model = Logistic(strength)
        model.learn(X, y)
        yield from _is_optimal(name, model, X, y, strength)
        if name == "separated":
            separated = model
    far = np.asarray(separated.probability(np.array([[1e6, 5.0, 300.0], [-1e6, 5.0, 300.0]])[:, :d]))
    yield at_most("probabilities far out, from 0 or 1", float(np.minimum(far, 1 - far).max()), 1e-6)


@hard_cases(optimum)
def optimum_in_every_regime(Logistic, rng):
    """Decimals, wide data, constant features, many points, any unit, and penalties that are tiny or huge."""
    cases = [
        (f"{name}, lambda {SCALES[i % 5]:g}", X, SCALES[i % 5])
        for i, (name, X) in enumerate(feature_matrices(rng, min_n=2, many=300))
    ]
    outlier = np.vstack([thirds(rng, (9, 2)), [[900.0, -700.0]]])
    cases += [("an outlier", outlier, 1e-4), ("far to one side", np.array([[-9000.0], [0.0], [0.0]]), 100.0)]
    for name, X, strength in cases:
        y = 2 * random_labels(rng, len(X), 2) - 1
        if len(X) == 3 and X.shape[1] == 1:
            y = np.array([-1, 1, -1])
        model = Logistic(strength)
        model.learn(X.copy(), y.copy())
        yield from _is_optimal(name, model, X, y, strength)
    data = [(thirds(rng, (12, 2)) + k, np.tile([1, -1, -1 + 2 * k], 4)) for k in (0, 1)]
    queries = [thirds(rng, (5, 2)) / 3, thirds(rng, (5, 2)) / 3]
    yield from stateless(
        "P(+1 | x)",
        lambda: Logistic(0.7),
        lambda model, known: model.learn(*known),
        lambda model, points: model.probability(points),
        data,
        queries,
        rounding(60, 100),
    )


# ------------------------------------------------------------------- how the claims of the lecture ask


def _softmax_gradient(slope, W, X, y):
    rest = np.asarray(slope(W[1:] - W[0], X, y))  # W and these have the same probabilities
    return np.vstack([-rest.sum(axis=0), rest]) / len(X)


def _smoothness(limit, X, n_classes=2):
    strength = 2.5 * n_classes  # the penalty adds it to L, for the sum of the losses
    L = np.float64(2) / limit(X, strength) - strength
    return (L if n_classes == 2 else 2 * L) / len(X)


def _gradient_descent(descend, gradient, start, step):
    """Yield the iterates of runs of 6 and of 24 steps, one after the other."""

    def slope(w):
        return np.asarray(gradient(np.asarray(w)))

    seen = 0
    for n_steps in (6, 24):
        path = np.asarray(descend(slope, np.array(start, dtype=np.float64), float(step), n_steps))
        wanted = len(path), n_steps + 1  # here, since the claim has iterates as rows
        if path.shape != wanted:
            raise OutputError(f"descend returns shape {path.shape} for n_steps = {n_steps}, must be {wanted}")
        yield from path.T[seen:]
        seen = n_steps + 1


# ------------------------------------------------------------------- the questions


@part(
    2,
    shares_,
    claims.softmax,
    adapt={"softmax": lambda shares, scores: np.asarray(shares(np.asarray(scores).T.copy())).T},
)
def shares(scores):
    """**Build.** The probabilities of the softmax model (lecture 5, section 2) from the scores. Mind the
    convention: the *columns* are the points. Scores may be as large as $10^4$, and those of one point far
    below those of another.

    Return P(k | x_i).

    scores (K, n): scores[k, i] of class k at point i
    returns (K, n): probabilities, columns sum to 1
    """


@part(4, claims.grad_multi, far, adapt={"softmax_gradient": _softmax_gradient})
def slope(beta, points, labels):
    r"""**Derive.** The lecture differentiates the loss of the softmax model. Here the model has reference
    class 0: the weights are $\beta_k$, $k = 1, \dots, K - 1$, one after the other the rows of `beta` (lecture
    5, sections 2 and 4). And where the lecture has the average loss, take the *sum* over the rows. Scores may
    again be as large as $10^4$.

    Return the gradient of the sum of the negative log-likelihoods.

    beta (m, d): m = K - 1 rows of weights, without a bias
    points (n, d): one row a point
    labels (n,) int >= 0: classes 0..K-1
    returns (m, d)
    """


@part(2, limit_, claims.smoothness, adapt={"smoothness": _smoothness})
def limit(points, strength):
    r"""**Derive.** Gradient descent with step $\eta$ runs on the *sum* of the log losses with two classes
    (lecture 5, section 4) plus $\frac\lambda2\|w\|^2$, without a bias. Below which $\eta$ does the descent
    lemma (lecture 6, section 2) promise that every step goes down, whatever the labels and the start? (That
    is the longest step, not the one with the best guarantee.)

    Return the bound: every step below it is promised to go down.

    points (n, d): one row a point
    strength >= 0: lambda
    returns: step
    """


@part(
    3,
    iterates,
    descent_claims.gd_update,
    descent_claims.gd_sublinear.at(steps=(1, 2, 5)),  # each step crosses the process boundary
    adapt={"gradient_descent": _gradient_descent},
    given={"sublinear_bound": descent.sublinear_bound},
)
def descend(slope, start, step, n_steps):
    """**Build** gradient descent with a fixed step (lecture 6, section 1). Take all the steps, also where the
    gradient is 0, and keep all the iterates.

    Return all the iterates.

    slope any: a function: the gradient at a point of shape (d,)
    start (d,)
    step >= 0: fixed step
    n_steps int >= 0: T
    returns (d, m): the m = T + 1 iterates as columns, the start first
    """


@part(4, spread_)
def spread(variance, start, step, batch_size, t):
    r"""**Derive.** Lecture 6, section 7, computes $E(w_t - \bar x)^2$ of stochastic descent with constant
    step and one row a step. Now every step averages the gradients of $b$ rows, drawn independently with
    replacement. (Not asked, but worth a thought: how does the floor depend on the cost of a step?)

    Return the expectation of (w_t - mean)^2.

    variance >= 0: s^2 of single rows, with divisor n
    start >= 0: (w_0 - mean)^2
    step >= 0: eta, 0 < eta < 2
    batch_size int >= 1: b
    t int >= 0: number of steps
    returns
    """


@part(
    5,
    optimum,
    often={
        "LinAlgError": "full steps of Newton's method run away, or labels -1 and +1 stand where a "
        "formula has 0 and 1: the probabilities become 0 or 1, and the Hessian singular"
    },
)
class Logistic:
    r"""**Write logistic regression** with a penalty, for labels $\pm1$: minimise $\sum_i\log(1 +
    e^{-y_i(\langle w, x_i\rangle + b)}) + \frac\lambda2\|w\|^2$, a *sum* where (6.1) of lecture 5 has a mean.
    The bias is free, and classes may be separated. The norm of the gradient in $w$ must be at most
    $10^{-6}\sum_{ij}|x_{ij}|$, its entry for $b$ at most $10^{-6}n$. Features come in their own
    units: plain gradient descent will not arrive; Newton's method will (lecture 6, section 5.3), if a step is
    halved until the loss goes down. Any method is fine.

    Penalised logistic regression for two classes.

    strength >= 0: lambda > 0, as in this sum
    points (n, d): one row a point
    weights (d,): w
    bias: b
    """

    def __init__(self, strength): ...

    def learn(self, points, signs):
        """Find the weights and the bias.

        signs (n,) int: labels -1 and +1
        """

    def probability(self, points):
        """Return the estimated probability of +1 for each point.

        returns (n,) in [0, 1]: P(+1 | x)
        """


# ------------------------------------------------------------------- the same questions in other conventions


@variant("limit", ("the *sum*", "the *mean*"))
def _of_the_mean(limit, X, strength):
    return limit(X, strength / len(X)) / len(X)


@variant(
    "slope",
    ("reference class 0", "the last class as reference"),
    ("$k = 1, \\dots, K - 1$", "$k = 0, \\dots, K - 2$"),
)
def _last_class(slope, beta, X, y):
    return slope(beta, X, (y - 1) % (len(beta) + 1))


@variant(
    "limit",
    (
        "log losses with two classes (lecture 5, section 4)",
        "squared errors "
        r"$\frac12(\langle w, x_i\rangle - y_i)^2$ of real numbers $y_i$",
    ),
)
def _of_squares(limit, X, strength):
    return limit(np.asarray(X) / 2, strength)


@variant(
    "spread",
    ("drawn independently with replacement", "drawn *without* replacement from the $n$ rows, anew each step"),
)
def _without_replacement(spread, variance, start, step, b, t):
    """variance, start, step, batch_size
    n int >= 1: n >= b, the number of rows; n > 1
    t
    """
    n = 2 * b + 1  # drawn without replacement, b of these rows with this variance spread as much
    return spread(variance * (n - 1) / (n - b), start, step, b, n, t)


assignment = Assignment(
    id="hw03",
    title="Logistic regression and gradient descent",
    lecture="lectures/05_logistic.ipynb",
    variants=(_of_the_mean, _last_class, _of_squares, _without_replacement),
    intro="You need NumPy and lectures 5 and 6 (`lectures/05_logistic.ipynb`, `lectures/06_descent.ipynb`), "
    "nothing else. In `slope`, `limit` and `spread` you derive a formula, and write it as code; the others "
    "are programs. `slope` has points as rows, `shares` has them as columns.",
    parts=(shares, slope, limit, descend, spread, Logistic),  # type: ignore[arg-type]
)
