"""The statements on logistic regression as executable claims, in the order of the lecture.

Probabilities, likelihoods and derivatives are computed here from their definitions, by loops or with
logarithms of sums; derivatives are also compared with differences, whose error is bounded. Along one
coordinate a log-partition function is a cumulant generating function of a variable with range R = |x_j|, so
that its third derivative is at most R^3 / (6 sqrt 3) (attained by two points).
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import as_numbers, quiet_fit, quietly, scalar
from mlnotes.datasets.loaders import load_iris

OUTPUTS = {
    "LogisticRegression.coef_": "(K, d)", "LogisticRegression.intercept_": "(K,)",
    "LogisticRegression.predict_log_proba": "(n, K)", "LogisticRegression.predict_proba": "(n, K)",
    "binary_gradient": "(n,)", "binary_hessian": "(n, n)", "binary_nll": "number",
    "label_probability": "(n,)", "logistic_loss": "(n,)", "reference_nll": "number",
    "reference_probabilities": "(n, K)", "reference_rule": "(n,)", "sigmoid": "(n,)", "smoothness": "number",
    "softmax": "(n, K)", "softmax_gradient": "(n, K)", "softmax_hessian": "(n, n)", "softmax_nll": "number",
    "to_reference": "(n, n)", "to_softmax": "(n, K)",
}  # fmt: skip


# ------------------------------------------------------------------- instances and the truth about them
def _examples(rng, n=14, d=3, K=2):
    """Return integer examples with a last feature 1, whose classes no direction separates, weakly or not.

    Every class has the same examples 0, +e_j and -e_j: a direction with no negative margin has all of them 0.
    """
    base = np.vstack([np.zeros((1, d - 1)), np.eye(d - 1), -np.eye(d - 1)])
    X = np.vstack([*[base] * K, rng.integers(-3, 4, (n, d - 1))])
    y = np.concatenate([np.repeat(np.arange(K), len(base)), rng.integers(0, K, n)])
    order = rng.permutation(len(y))
    return np.column_stack([X, np.ones(len(y))])[order], y[order]


def _log_probabilities(W, X):
    """Return log P(k | x), shape (n, K)."""
    Z = np.asarray(X, dtype=float) @ np.asarray(W, dtype=float).T
    return Z - np.logaddexp.reduce(Z, axis=1)[:, None]


def _nll(W, X, y):
    return -float(_log_probabilities(W, X)[np.arange(len(y)), y].mean())


def _binary(w):
    """Return the softmax weights of the binary model with weights w."""
    w = np.asarray(w, dtype=float)
    return np.stack([np.zeros_like(w), w])


def _gradient(W, X, y):
    R = np.exp(_log_probabilities(W, X))
    R[np.arange(len(y)), y] -= 1
    return R.T @ X / len(y)


def _weights(rng, *shape):
    return rng.integers(-8, 9, shape) / 8


def _differences(function, point, X, h):
    """Return central differences of a likelihood in all the entries of point, and a bound for their error.

    The bound: M3 h^2 / 6 + 4 u max|f| / h for every entry, M3 = R^3 / (6 sqrt 3), R = max |x_j|.
    """
    units = np.eye(point.size).reshape(-1, *point.shape)
    pairs = np.array([(function(point + h * e), function(point - h * e)) for e in units])
    third = float(abs(X).max()) ** 3 / (6 * math.sqrt(3))
    error = third * h * h / 6 + rounding(len(X), float(abs(pairs).max())) / 100 / h
    return ((pairs[:, 0] - pairs[:, 1]) / (2 * h)).reshape(point.shape), error


def _fit_weights(model):
    """Return the weights of a fitted model, intercepts last: (K, d + 1), or (1, d + 1) for two classes."""
    return np.column_stack([model.coef_, model.intercept_])


def _of_all_classes(W):
    """Return the weights of all classes: with two classes those of the first are 0."""
    return _binary(W[0]) if len(W) == 1 else W


def _penalised(W, X, y, lam):
    """Return the objective at the weights of a fit; intercepts, the last, have no penalty."""
    return _nll(_of_all_classes(W), X, y) + lam / 2 * float((W[:, :-1] ** 2).sum())


def _certificate(model):
    return [scalar(model.certificate_[name]) for name in ("objective", "dual", "gap")]


def _margins(direction, X, y):
    """Return <v_{y_i} - v_k, x_i> + b_{y_i} - b_k, shape (n, K), for the direction that a fit reports."""
    V, b = direction
    K = y.max() + 1
    V = np.column_stack([as_numbers(V, K if K > 2 else 1, X.shape[1]), np.ravel(b)])
    scores = np.column_stack([X, np.ones(len(X))]) @ _of_all_classes(V).T
    return scores[np.arange(len(y)), y][:, None] - scores


# ------------------------------------------------------------------- 1 Two classes
@statement("definition", "1", "Recitation 7, 2.1", "Shi, eq. (10)")
def model_binary(sigmoid, rng):
    r"""The logistic model is $p(z) = \frac{e^z}{1 + e^z} = \frac{1}{1 + e^{-z}}$, $z = \langle w, x\rangle$:
    in $(0, 1)$, increasing, with $p(z) + p(-z) = 1$ and log odds $z$. Computed as such it overflows; it must
    not."""
    odds = rng.integers(1, 1000, 40).astype(float)
    p = sigmoid(np.log(odds))
    yield equal("p at the logarithm of odds k: k / (k + 1)", p, odds / (odds + 1), rounding(8), odds=odds)
    z = np.concatenate([rng.uniform(-30, 30, 40), [-700, -40, -1, 0, 1, 40, 700]])
    up, down = sigmoid(z), sigmoid(-z)
    yield equal("p(z) + p(-z)", up + down, np.ones(47), 2.0**-52, z=z)
    low = -rng.uniform(1, 700, 40)
    relative = sigmoid(low) / np.array([math.exp(v) / (1 + math.exp(v)) for v in low])
    yield equal("small probabilities, relative to the formula", relative, np.ones(40), rounding(8), z=low)
    yield equal("far out", sigmoid(np.array([-1e4, -800.0, 800.0, 1e4])), [0.0, 0.0, 1.0, 1.0])


@statement("formula", "1", "Shi, eq. (10)")
def margin_form(label_probability, rng):
    r"""With labels $y = \pm1$ the model reads $P(y \mid x) = \frac{1}{1 + e^{-y\langle w, x\rangle}}$."""
    odds = rng.integers(1, 100, 40).astype(float)
    y = np.where(np.arange(40) % 2, 1, -1)
    truth = np.where(y == 1, odds / (odds + 1), 1 / (odds + 1))
    yield equal("P(y | x) at odds k", label_probability(y, np.log(odds)), truth, rounding(8), odds=odds)
    far = label_probability([1, -1, 1, -1], [-1e4, 1e4, 1e4, -1e4])
    yield equal("far out", far, [0.0, 0.0, 1.0, 1.0])


@statement("formula", "1", "Shi, eq. (11)")
def form01(label_probability, sigmoid, rng):
    r"""With labels $t \in \{0, 1\}$ the same probability is $p^t(1 - p)^{1 - t}$, $p = p(z)$; the codings
    agree for $y = 2t - 1$."""
    z, t = rng.uniform(-6, 6, 30), np.arange(30) % 2
    p = sigmoid(z)
    both, logs = label_probability(2 * t - 1, z), -np.log1p(np.exp(-(2 * t - 1) * z))
    yield equal("(11) against (10)", p**t * (1 - p) ** (1 - t), both, rounding(8), z=z)
    yield equal("(11) against the logarithms", np.log(both), logs, rounding(8, 500), z=z)


# ------------------------------------------------------------------- 2 Many classes
@statement("definition", "2", "Yan, logistic regression")
def model_multi(reference_probabilities, rng):
    r"""With reference class 0, $P(k \mid x) = \frac{e^{\langle\beta_k, x\rangle}}{1 + \sum_{j \ge 1}
    e^{\langle\beta_j, x\rangle}}$ for $k \ge 1$, and class 0 has the numerator 1. The masses sum to 1, also
    for scores of $\pm10^4$."""
    beta, X = _weights(rng, 3, 4), rng.integers(-4, 5, (20, 4)).astype(float)
    weights = np.exp(np.hstack([np.zeros((20, 1)), X @ beta.T]))
    P = reference_probabilities(beta, X)
    yield equal("posterior", P, weights / weights.sum(axis=1, keepdims=True), rounding(16), beta=beta, X=X)
    far = reference_probabilities([[1.0, 0.0], [0.0, 1.0]], [[1e4, 0], [-1e4, -1e4], [1e4, 1e4]])
    yield equal("far out", far, [[0, 1, 0], [1, 0, 0], [0, 0.5, 0.5]], rounding(4))


@statement("theorem", "2 deeper", "Yan, logistic regression")
def bayes_rule(reference_rule, rng):
    r"""The Bayes rule of the model is $\arg\max_k\langle\beta_k, x\rangle$ over $k \ge 1$ if that maximum is
    positive, else class 0; it picks a class of largest probability. A tie with class 0 goes to 0."""
    beta, X = rng.integers(-3, 4, (3, 2)), rng.integers(-5, 6, (60, 2))
    beta[0], beta[1], X[:4] = [1, 0], [0, 1], [[-1, -2], [0, 0], [2, 5], [3, 1]]
    scores = np.column_stack([np.zeros(60, dtype=int), X @ beta.T])  # exact integers
    predicted = reference_rule(beta.astype(float), X.astype(float))
    picked = np.where(predicted[:, None] == np.arange(4), scores, -np.inf).max(axis=1)
    yield equal("score of the predictions", picked, scores.max(axis=1), X=X, beta=beta)
    at_zero = scores.max(axis=1) == 0
    yield equal("predictions at a tie with class 0", predicted[at_zero], 0 * predicted[at_zero], X=X[at_zero])


@statement("definition", "2", "Shi, eq. (12)")
def softmax(softmax, rng, *, n=20, K=4):
    r"""Softmax, $P(k \mid x) = \frac{e^{\langle w_k, x\rangle}}{\sum_j e^{\langle w_j, x\rangle}}$, does not
    change when one vector is added to all $w_k$."""
    Z = rng.integers(-40, 41, (n, K)) / 8
    P = softmax(Z)
    weights = np.exp(Z)
    yield equal("probabilities", P, weights / weights.sum(axis=1, keepdims=True), rounding(16), Z=Z)
    for shift in (3.0, 1e4, -1e4):
        moved = softmax(Z + shift)  # sums of eighths and 10^4 are exact
        yield equal(f"after adding {shift:g} to all scores", moved, P, rounding(16), Z=Z)
    far = softmax(np.array([[1000.0, 0.0, 1000.0, -1000.0], [-9000.0, -8000.0, -9999.0, -8000.0]]))
    yield equal("scores far apart", far, [[0.5, 0.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.5]], rounding(16))


@statement("definition", "2")
def answers(LogisticRegression, rng):
    r"""A fit predicts by its weights: the scores are $\langle w_k, x\rangle + b_k$, for two classes the one
    of the second; the probabilities are their softmax, against a score of 0 for the first of two; and
    `predict` returns a most probable class."""
    names = np.array(["a", "b", "c"])
    for K in (2, 3):
        X, y = _examples(rng, K=K)
        model, _ = quiet_fit(LogisticRegression(), X[:, :-1], names[y])
        W = _of_all_classes(_fit_weights(model))
        T = np.vstack([rng.integers(-3, 4, (12, 2)), 10_000 * rng.integers(-3, 4, (12, 2))])
        full = np.column_stack([T, np.ones(24)]) @ W.T
        slack = rounding(8, 1 + float(abs(T).max()) * float(abs(W).sum()))
        scores = full if K > 2 else full[:, 1]
        yield equal(f"scores, K = {K}", model.decision_function(T), scores, slack)
        truth = np.exp(full - np.logaddexp.reduce(full, axis=1)[:, None])
        yield equal(f"probabilities, K = {K}", model.predict_proba(T), truth, 2 * slack)
        labels = np.asarray(model.predict(T))
        chosen = [p[names[:K] == label].sum() for p, label in zip(full, labels, strict=True)]
        yield equal(f"score of the label, K = {K}", chosen, full.max(axis=1), slack, X=X, y=y)


@statement(
    "algorithm",
    "6",
    estimators_only="The reference module has one solver, and no logarithms of probabilities.",
)
def solvers(LogisticRegression):
    r"""Gradient descent from 0 with the step $1/L$ comes to the minimum of the penalised risk that Newton's
    method finds, to 1e-6; stochastic gradient descent with the steps $1/(L_{\max} + \lambda t)$, $L_{\max}$
    that of the largest example, whose iterates it averages, comes near it, with a tenth of the excess of its
    start at most; here with classes of $n_k$ examples balanced by the weights $\frac n{Kn_k}$, with an
    intercept and without. What stopped too early warns. The logarithms of the probabilities stay finite where
    a probability underflows."""
    X = np.arange(24.0).reshape(12, 2) % 7 - 3
    lam = 1 / (0.1 * 12)  # a strong penalty: one with the wrong sign has no minimum
    few = {"max_iter": 500, "batch_size": 4, "random_state": 0}
    labels = np.repeat([0, 1, 2], [6, 4, 2]), (X[:, 0] > 1).astype(int)
    for y, bias in itertools.product(labels, (1.0, 0.0)):
        K, share, values = y.max() + 1, 1 / np.bincount(y)[y], {}
        A, far = (np.column_stack([unit * X, np.full(12, bias)]) for unit in (1, 1e6))
        which = f"K = {K}, {'an' if bias else 'no'} intercept"
        for name, options in (("lbfgs", {}), ("gd", {"tol": 1e-4, "max_iter": 5000}), ("sgd", few)):
            factors = "balanced" if bias else {k: 12 / (K * int((y == k).sum())) for k in range(K)}
            same = {"C": 0.1, "class_weight": factors, "fit_intercept": bool(bias), "solver": name}
            model, warned = quiet_fit(LogisticRegression(**same, **options), X, y)
            W = _fit_weights(model)
            full = _of_all_classes(W)
            loss = -float(share @ _log_probabilities(full, A)[np.arange(12), y]) / K
            values[name] = loss + lam / 2 * float((W[:, :-1] ** 2).sum())
            logs = model.predict_log_proba(1e6 * X)
            truth = _log_probabilities(full, far)
            yield equal(f"logarithms far out, {name}, {which}", logs, truth, rounding(16, 1e7))
            yield equal(f"intercept where there is none, {name}", W[:, -1] * (1 - bias), np.zeros(len(W)))
            if name == "lbfgs":
                same |= {"C": 1e-7, "tol": 0.0, "max_iter": 30}  # the same problem in another unit
                _, doubts = quiet_fit(LogisticRegression(**same), 1e3 * X, y)
                yield equal(f"warnings at the minimum, {which}", [warned, doubts], [0, 0])
                continue
            model, warned = quiet_fit(LogisticRegression(**same, max_iter=5, batch_size=3), X, y)
            yield equal(f"warnings and steps of an early stop, {name}", [warned, model.n_iter_], [1, 5])
            yield from _descends(model, A, y, 12 * share / K, lam, f"{name}, {which}")
        best = values["lbfgs"]
        yield equal(f"objective of gradient descent, {which}", values["gd"], best, 1e-6)
        start = math.log(K) - best
        yield at_most(f"excess of stochastic descent, {which}", values["sgd"] - best, start / 10)


def _descends(model, A, y, weights, lam, name):
    """Yield the steps of descent and the weights of the fit that it led to, from its trace."""
    trace, (n, d), K = model.trace_, A.shape, y.max() + 1
    path = as_numbers(trace.iterates, 6, d if K == 2 else K * d).reshape(6, -1, d)
    rows, squares = np.tile(np.arange(n), (5, 1)), np.linalg.norm(A.T * np.sqrt(weights / n), 2) ** 2
    if stochastic := trace.rows is not None:
        rows, squares = trace.rows, (A**2).sum(axis=1).max()
    L = (0.25 if K == 2 else 0.5) * squares + lam
    steps = 1 / (L + lam * stochastic * np.arange(1, 6))
    yield equal(f"steps, {name}", trace.steps, steps, rounding(60))
    slack, W = rounding(60, 10), np.zeros(path.shape[1:])
    for t, (some, step) in enumerate(zip(rows, steps, strict=True)):
        R = (np.exp(_log_probabilities(_of_all_classes(W), A[some])) - np.eye(K)[y[some]])[:, -len(W) :]
        slope = (R.T * weights[some]) @ A[some] / len(some)
        slope[:, :-1] += lam * W[:, :-1]
        yield equal(f"iterate {t + 1}, {name}", path[t + 1], W - step * slope, slack)
        W = path[t + 1]
    result = path[1:].mean(axis=0) if stochastic else W
    yield equal(f"weights, {name}", _fit_weights(model), result, slack)


@statement("theorem", "2 deeper")
def parametrisations(to_reference, to_softmax, softmax, reference_probabilities, rng):
    r"""$\beta_k = w_k - w_0$ turns softmax weights into those with reference class 0 and the same
    probabilities. Of all the softmax weights of one $\beta$, those with $\sum_kw_k = 0$ have the smallest
    norm."""
    W, X = _weights(rng, 4, 3), rng.integers(-4, 5, (20, 3)).astype(float)
    beta = to_reference(W)
    back = to_softmax(beta)
    yield equal("differences to class 0", beta, W[1:] - W[0], rounding(2, 2), W=W)
    yield equal("probabilities", reference_probabilities(beta, X), softmax(X @ W.T), rounding(16), W=W, X=X)
    yield equal("and back, centred", back, W - W.mean(axis=0), rounding(8, 4), W=W)
    others = [float(((back + np.outer(np.ones(4), v)) ** 2).sum()) for v in rng.integers(-3, 4, (10, 3)) / 8]
    yield at_least("norms of other weights", others, float((back**2).sum()), rounding(24, 60), W=W)


@statement("theorem", "2 deeper", "Shi, multi-class, note")
def recovers_binary(softmax, sigmoid, LogisticRegression, rng):
    r"""Softmax with two classes is the binary model with $w = w_1 - w_0$. With the penalty
    $\frac\lambda2(\|w_0\|^2 + \|w_1\|^2)$ its optimum has $w_1 = -w_0$ and is the binary optimum for the
    penalty $\frac\lambda4\|w\|^2$."""
    Z = rng.integers(-40, 41, (20, 2)) / 8
    P = softmax(Z)
    yield equal("P(1 | x)", P[:, 1], sigmoid(Z[:, 1] - Z[:, 0]), rounding(8), Z=Z)
    X, y = _examples(rng)
    lam = 0.25  # C n lam / 2 = 1: the binary penalty is |w|^2 / (2 C n)
    model, _ = quiet_fit(LogisticRegression(C=2 / (lam * len(y))), X[:, :-1], y)
    w = _fit_weights(model)[0]
    W = np.stack([-w, w]) / 2
    slope = _gradient(W, X, y) + lam * np.column_stack([W[:, :-1], np.zeros(2)])
    yield equal("gradient of the softmax problem at -w/2, w/2", slope, np.zeros(W.shape), 1e-7, X=X, y=y)


# ------------------------------------------------------------------- 3 The likelihood
@statement("formula", "3", "Yan, MLE")
def nll(reference_nll, rng):
    r"""The average negative log-likelihood is $\frac1n\sum_i[\log(1 + \sum_{k \ge 1} e^{\langle\beta_k,
    x_i\rangle}) - 1\{y_i \ne 0\}\langle\beta_{y_i}, x_i\rangle] = -\frac1n\log\prod_iP(y_i \mid x_i)$."""
    X, y = _examples(rng, K=3)
    beta = _weights(rng, 2, 3)
    product = 1.0
    for x, k in zip(X, y, strict=True):
        weights = [1.0, *(math.exp(float(b @ x)) for b in beta)]
        product *= weights[k] / sum(weights)
    value, truth = reference_nll(beta, X, y), -math.log(product) / len(y)
    yield equal("against the product of the probabilities", value, truth, rounding(4 * len(y), 20), X=X, y=y)


@statement("formula", "3", "Shi, multi-class")
def nll_softmax(softmax_nll, rng):
    r"""With softmax weights it is $\frac1n\sum_i[\log\sum_ke^{\langle w_k, x_i\rangle} - \langle w_{y_i},
    x_i\rangle]$, the second term inside the sum; it is finite for scores of $\pm10^4$."""
    X, y = _examples(rng, K=3)
    W = _weights(rng, 3, 3)
    exact = 0.0
    for x, k in zip(X, y, strict=True):
        exact += math.log(sum(math.exp(float(w @ x)) for w in W)) - float(W[k] @ x)
    value, moved = softmax_nll(W, X, y), softmax_nll(W + rng.integers(-5, 6, 3), X, y)
    yield equal("against the sum", value, exact / len(y), rounding(4 * len(y), 20), X=X, y=y, W=W)
    yield equal("after adding a vector to all weights", moved, value, rounding(4 * len(y), 80), X=X, y=y, W=W)
    far = softmax_nll([[1e4], [0.0], [-1e4]], [[1.0], [-1.0]], [0, 0])
    yield equal("scores of 10^4, one row right, one wrong", far, 1e4, rounding(8, 1e4))


@statement("theorem", "3", "Shi, maximum likelihood and log loss")
def ml_logloss(logistic_loss, binary_nll, rng):
    r"""Maximising $\prod_iP(y_i \mid x_i)$ is minimising the sum of the log losses $\log(1 + e^{-m_i})$, $m_i
    = y_i\langle w, x_i\rangle$, or their mean, which is what `binary_nll` returns."""
    X, y = _examples(rng, n=8)
    grid = [np.array(w) / 2 for w in itertools.product(range(-3, 4), repeat=3)]
    margins = [(2 * y - 1) * (X @ w) for w in grid]
    products = np.prod(1 / (1 + np.exp(-np.array(margins))), axis=1)
    losses, means = [binary_nll(w, X, y) for w in grid], [logistic_loss(m).mean() for m in margins]
    exact, slack = -np.log(products) / len(y), rounding(8 * len(y), 40)
    yield equal("losses of a grid of weights", losses, exact, slack, X=X, y=y)
    yield equal("means of their log losses", means, exact, slack, X=X, y=y)
    best = products[np.argmin(losses)] / products.max()
    yield at_least("likelihood at the smallest loss, relative", best, 1.0, slack * len(y))
    ends = logistic_loss(np.array([-1e4, 0.0, 40.0, 1e4]))
    yield equal("losses far out", ends, [1e4, math.log(2), math.exp(-40), 0.0], [1e-8, 1e-13, 1e-26, 0])


@statement("definition", "3", "Yan, MLE", "Shi, maximum likelihood")
def mle(LogisticRegression, rng):
    r"""Where a maximum of the likelihood exists, the gradient vanishes there. With a bias this says that the
    estimated probabilities add up to the class sizes: $\sum_iP(k \mid x_i) = n_k$, and to the class sums of
    every feature, $\sum_iP(k \mid x_i)x_i = \sum_{i: y_i = k}x_i$."""
    for K in (2, 3):
        X, y = _examples(rng, K=K)
        model, _ = quiet_fit(LogisticRegression(C=math.inf), X[:, :-1], y)
        P = model.predict_proba(X[:, :-1])
        totals = np.array([X[y == k].sum(axis=0) for k in range(K)])
        # the goal is 1e-8 for the mean; n rows add it up
        yield equal(f"class totals, K = {K}", P.T @ X, totals, 1e-7 * len(y), X=X, y=y)
        W = _of_all_classes(_fit_weights(model))
        yield equal(f"gradient of the likelihood, K = {K}", _gradient(W, X, y), 0 * W, 1e-7, X=X, y=y)
        other = [_nll(W + rng.integers(-8, 9, W.shape) / 16, X, y) for _ in range(20)]
        yield at_least(f"losses elsewhere, K = {K}", other, _nll(W, X, y), 1e-12, X=X, y=y)


# ------------------------------------------------------------------- 4 Gradient and curvature
@statement("formula", "4", "Shi, gradient for binary class")
def grad_binary(binary_gradient, rng):
    r"""The gradient of the average loss is $\frac1n\sum_i(p_i - t_i)x_i$ for labels $t_i \in \{0, 1\}$; for
    $y_i = \pm1$ it is $\frac1n\sum_i(-y_ix_i)(1 - P(y_i \mid x_i))$."""
    X, y = _examples(rng)
    w = _weights(rng, 3)
    gradient = binary_gradient(w, X, y)
    margins = (2 * y - 1) * (X @ w)
    exact = -((2 * y - 1) * (1 - 1 / (1 + np.exp(-margins)))) @ X / len(y)
    yield equal("against the form of Shi", gradient, exact, rounding(2 * len(y), 4), X=X, y=y, w=w)
    for h in (1e-2, 1e-3):
        slope, error = _differences(lambda v: _nll(_binary(v), X, y), w, X, h)
        yield equal(f"against differences, h = {h}", gradient, slope, error, X=X, y=y, w=w)


@statement("formula", "4", "Shi, gradient for multi-class")
def grad_multi(softmax_gradient, rng, *, n=14, d=3, K=3):
    r"""$\frac{\partial\ell}{\partial w_k} = \frac1n\sum_i(P(k \mid x_i) - 1\{y_i = k\})x_i$, and these
    vectors add up to 0."""
    X, y = _examples(rng, n, d, K)
    W = _weights(rng, K, d)
    gradient = softmax_gradient(W, X, y)
    for h in (1e-2, 1e-3):
        slope, error = _differences(lambda V: _nll(V, X, y), W, X, h)
        yield equal(f"against differences, h = {h}", gradient, slope, error, X=X, y=y, W=W)
    yield equal("sum over the classes", gradient.sum(axis=0), np.zeros(d), rounding(3 * len(y), 4), X=X, y=y)


@statement("claim", "4", "Yan, MLE")
def convex(binary_hessian, softmax_hessian, softmax_nll, rng):
    r"""The average loss is convex: its Hessian $\frac1n\sum_i(\operatorname{diag}p_i - p_ip_i^\top) \otimes
    x_ix_i^\top$ has no negative eigenvalue (for two classes, $\frac1n\sum_ip_i(1 - p_i)x_ix_i^\top$), and a
    midpoint is never above the mean of the ends."""
    X, y = _examples(rng, K=3)
    W = _weights(rng, 3, 3)
    P = np.exp(_log_probabilities(W, X))
    parts = [np.kron(np.diag(p) - np.outer(p, p), np.outer(x, x)) for p, x in zip(P, X, strict=True)]
    exact = np.mean(parts, axis=0)
    H, slack = softmax_hessian(W, X, y), rounding(3 * len(y), 9)
    yield equal("Hessian against the sum", H, exact, slack, X=X, W=W)
    least = float(np.linalg.eigvalsh(H)[0]) if np.isfinite(H).all() else math.nan
    yield at_least("its smallest eigenvalue", least, 0.0, 9 * slack, X=X, W=W)
    p = 1 / (1 + np.exp(-(X @ W[0])))
    two = binary_hessian(W[0], X, np.minimum(y, 1))
    yield equal("Hessian with two classes", two, (X.T * (p * (1 - p))) @ X / len(y), slack, X=X, w=W[0])
    ends = [(_weights(rng, 3, 3) * 4, _weights(rng, 3, 3) * 4) for _ in range(20)]
    ends[0] = (np.zeros((3, 3)), 8 * np.eye(3))
    loss = [[softmax_nll(V, X, y) for V in (a, (a + b) / 2, b)] for a, b in ends]
    a, middle, b = np.array(loss).T
    yield at_most("midpoints", middle, (a + b) / 2, rounding(4 * len(y), 100), X=X, y=y)


@statement("theorem", "4", "Böhning (1992)")
def smoothness(smoothness, rng, *, n=14, d=3):
    r"""The gradient is Lipschitz with $L = \frac14\lambda_{\max}(X^\top X/n)$ for two classes, attained at $w
    = 0$, and with $\frac12\lambda_{\max}$ for softmax: the largest eigenvalue of $\operatorname{diag}p -
    pp^\top$ is at most $\frac12$, attained where two classes share all the mass evenly."""
    X, _ = _examples(rng, n, d)
    top = float(np.linalg.svd(X, compute_uv=False)[0]) ** 2 / len(X)
    two, many = smoothness(X), smoothness(X, 3)
    yield equal("constants", [two, many], [top / 4, top / 2], rounding(3 * len(X), top), X=X)
    shares = (np.array([0.5, 0.5]), np.array([0.5, 0.5, 0.0]), *rng.dirichlet(np.ones(3), 10))
    curvatures = [top * np.linalg.eigvalsh(np.diag(p) - np.outer(p, p))[-1] for p in shares]
    yield equal("curvature where two classes share the mass", curvatures[:2], many, rounding(60, top))
    yield at_most("curvature at other probabilities", curvatures[2:], many, rounding(60, top))
    flat = float(np.linalg.eigvalsh(X.T @ X / 4)[-1]) / len(X)
    yield equal("curvature of the binary model at w = 0", flat, two, rounding(60, top))


@statement("algorithm", "4", "Shi, gradient for binary class", "Yan, example GD/SGD for logistic regression")
def gd_binary(binary_gradient, rng):
    r"""$w \leftarrow w - \eta\nabla\ell(w)$ goes down in every step for $\eta < 2/L$; in the sum form of the
    notes that is $\eta < 8/\lambda_{\max}(X^\top X)$."""
    X, y = _examples(rng)
    L = float(np.linalg.svd(X, compute_uv=False)[0]) ** 2 / len(X) / 4
    for share in (1.0, 1.9):
        path = [4 * _weights(rng, 3)]
        for _ in range(30):
            path.append(path[-1] - share / L * binary_gradient(path[-1], X, y))
        falls = -np.diff([_nll(_binary(w), X, y) for w in path])
        slopes = np.array([_gradient(_binary(w), X, y)[1] for w in path[:-1]])
        promised, slack = share / L * (1 - share / 2) * (slopes**2).sum(axis=1), rounding(4 * len(y), 20)
        yield at_least(f"falls against the descent lemma, step {share}/L", falls, promised, slack, X=X, y=y)


# ------------------------------------------------------------------- 5 When there is a maximum
@statement("theorem", "5", "Albert and Anderson (1984)")
def separation(LogisticRegression, rng):
    r"""The maximum of the likelihood exists iff no direction $v$ has $\langle v_{y_i} - v_k, x_i\rangle \ge
    0$ for all examples $i$ and classes $k$, and $> 0$ for one. Along such a direction every example's
    likelihood rises or stays: `LogisticRegression` with $C = \infty$ warns and returns it."""
    v = rng.integers(1, 4, 2) * rng.choice([-1, 1], 2)
    X = rng.integers(-4, 5, (24, 2)).astype(float)
    X[:4] = [v, -v, 2 * v, -2 * v]
    X = X[X @ v != 0]
    sides = (X @ v > 0).astype(int)
    line = np.outer([-1, -1, 1, 1], [v[1], -v[0]])  # on the hyperplane, both labels at both places
    cases = [("not separated", X[:, :-1], y) for X, y in (_examples(rng), _examples(rng, K=3))]
    cases += [("separated", X, sides), ("weakly", np.vstack([X, line]), np.append(sides, [0, 1, 0, 1]))]
    cases += [("by parallel lines", np.vstack([X, X + 40 * v]), np.append(sides, 0 * sides + 2))]
    for name, X, y in cases:
        yield from _separated(LogisticRegression(C=math.inf), X, y, name != "not separated", name)


def _separated(model, X, y, separated, name):
    """Yield whether a fit finds that the classes are separated, and that its direction separates them."""
    model, warned = quiet_fit(model, X, y)
    reported = [model.separating_direction_ is not None, warned]
    yield equal(f"direction and warning, {name}", reported, [separated, int(separated)], X=X, y=y)
    if separated and reported[0]:
        margins = _margins(model.separating_direction_, X, y)
        ratio = margins.min() / margins.max()
        yield at_least(f"smallest margin over the largest, {name}", ratio, -1e-6, X=X, y=y)


@hard_cases(separation)
def nearly_separated_and_irises(LogisticRegression):
    iris = load_iris()
    yield from _separated(LogisticRegression(C=math.inf), iris.X, iris.y, True, "irises")
    # only the first two examples are far from the boundary, and the others forbid every direction
    for far in (1e3, 1e5, 1e7):
        X, y = np.array([[-far], [far], [0.0], [1.0]]), np.array([0, 1, 1, 0])
        yield from _separated(LogisticRegression(C=math.inf), X, y, False, f"nearly separated, {far:g}")
    # two of 200 times in seconds, ten seconds apart, are exchanged
    seconds = np.linspace(-1.0, 1.0, 200) ** 3 * 1e5
    seconds[99:101] = -5, 5
    y = (np.arange(200) > 99).astype(int)
    y[99:101] = 1, 0
    yield from _separated(LogisticRegression(C=math.inf), seconds[:, None], y, False, "two exchanged times")


@hard_cases(separation)
def stopped_early(LogisticRegression):
    """Too few steps to decide: the last direction does not separate the classes, and is not reported."""
    X, y = np.array([[-1e3], [1e3], [0.0], [1.0]]), np.array([0, 1, 1, 0])
    for steps in (1, 2, 3):
        model, _ = quiet_fit(LogisticRegression(C=math.inf, max_iter=steps), X, y)
        yield equal(f"no direction after {steps} steps", model.separating_direction_ is None, True, X=X, y=y)


@hard_cases(separation, estimators_only="The reference module has the option C alone.")
def no_penalty(LogisticRegression, rng):
    for K, separated in ((2, False), (3, False), (2, True), (3, True)):
        X, y = _examples(rng, K=K)
        if separated:
            X[:, 0] = 2 * y
        name = f"penalty=None, K = {K}, {'' if separated else 'not '}separated"
        yield from _separated(LogisticRegression(penalty=None), X[:, :-1], y, separated, name)


# ------------------------------------------------------------------- 6 Penalty and certificate
# examples, classes and C at which Newton's method runs away if no step is halved
RUNS_AWAY = (
    10.0 * np.array([[-1, 10], [6, 40], [0, -20], [-3, -40], [2, 30], [-4, 20], [3, -60], [-6, 20]]),
    np.array([0, 0, 0, 0, 0, 1, 0, 1]),
    100.0,
)


@statement("theorem", "6")
def penalty(LogisticRegression, rng, *, classes=(2, 3), n=30):
    r"""With $\frac{1}{2Cn}\|W\|^2$ added, the minimum exists, also for separated classes, and $W$ is unique.
    The intercept is not penalised: $\sum_iP(k \mid x_i) = n_k$ still holds."""
    for K in classes:
        X = rng.integers(-4, 5, (n, 2)) + np.array([0.0, 20.0])
        y = np.clip((X[:, 0] + X[:, 1] - 18) // 2, 0, K - 1).astype(int)  # separated by parallel lines
        y[:K] = range(K)
        C = float(rng.choice([0.25, 1.0, 4.0]))
        model, _ = quiet_fit(LogisticRegression(C=C), X, y)
        yield from _no_slope(model, X, y, C, f"K = {K}")


def _no_slope(model, X, y, C, name):
    """Yield that the gradient of the penalised mean loss is 0, to a millionth of the features' size."""
    W = _fit_weights(model)
    slope = _gradient(_of_all_classes(W), np.column_stack([X, np.ones(len(X))]), y)[-len(W) :]
    slope[:, :-1] += W[:, :-1] / (C * len(y))
    size = np.append(np.full(X.shape[1], float(abs(X).sum()) / len(y)), 1.0)
    yield equal(f"gradient, {name}", slope, 0 * slope, 1e-6 * np.tile(size, (len(W), 1)), X=X, y=y, C=C)


@hard_cases(penalty)
def full_newton_steps_run_away(LogisticRegression):
    model, _ = quiet_fit(LogisticRegression(C=RUNS_AWAY[2]), *RUNS_AWAY[:2])
    yield from _no_slope(model, *RUNS_AWAY, "full Newton steps run away")


@hard_cases(penalty, estimators_only="The reference module has no weights of training examples.")
def weights_are_copies(LogisticRegression, rng):
    for K in (2, 3):
        X, y = _examples(rng, K=K)
        counts = rng.integers(1, 4, len(y)).astype(np.intp)  # np.repeat takes no wider integers
        model = quietly(LogisticRegression().fit, X[:, :-1], y, sample_weight=counts)
        copies = np.repeat(X[:, :-1], counts, axis=0), np.repeat(y, counts)
        yield from _no_slope(model, *copies, 1.0, f"weights, K = {K}")


@statement("theorem", "6")
def dual_gap(LogisticRegression, rng):
    r"""For every $q_i$ in the simplex with $\sum_i(e_{y_i} - q_i) = 0$ (the intercept is free),
    $\frac1n\sum_iH(q_i) - \frac1{2\lambda}\|\frac1n\sum_i(e_{y_i} - q_i)x_i^\top\|^2$ is at most every value
    of the penalised objective, $\lambda = \frac{1}{Cn}$. The gap of a fit bounds how far it is from the
    optimum."""
    for K in (2, 3):
        X, y = _examples(rng, K=K)
        C = float(rng.choice([0.25, 1.0, 16.0]))
        lam = 1 / (C * len(y))
        best, _ = quiet_fit(LogisticRegression(C=C), X[:, :-1], y)
        W = _fit_weights(best)
        value, hot, bounds, full = _penalised(W, X, y, lam), np.eye(K)[y], [], _of_all_classes(W)
        P = np.exp(_log_probabilities(full, X))
        for k in range(11):  # between the probabilities of the fit and shuffled labels: the same class sizes
            q = (1 - 2.0**-k) * P + 2.0**-k * hot[rng.permutation(len(y))]
            lack, inside = (hot - q).T @ X[:, :-1] / len(y), np.where(q > 0, q, 1)
            bounds.append(-(inside * np.log(inside)).sum() / len(y) - (lack**2).sum() / (2 * lam))
        # the fit has the class sizes up to its slope
        slack = rounding(4 * len(y), 20) + float(abs((hot - P).mean(axis=0) @ full[:, -1]))
        yield at_most(f"bounds by q, K = {K}", bounds, value, slack)
        early, _ = quiet_fit(LogisticRegression(C=C, max_iter=2), X[:, :-1], y)
        excess = _penalised(_fit_weights(early), X, y, lam) - value
        gap = _certificate(early)[2]
        yield at_least(f"gap of an early stop against its excess, K = {K}", gap, excess, slack, X=X, y=y)
        yield at_most(f"gap of the fit, K = {K}", _certificate(best)[2], 1e-6, X=X, y=y)


@hard_cases(dual_gap)
def reported_values(LogisticRegression, rng):
    for K in (2, 3):
        X, y = _examples(rng, K=K)
        C = float(rng.choice([0.25, 1.0, 16.0]))
        lam, slack = 1 / (C * len(y)), rounding(4 * len(y), 20)
        model, _ = quiet_fit(LogisticRegression(C=C), X[:, :-1], y)
        W, (value, dual, gap) = _fit_weights(model), _certificate(model)
        here = _penalised(W, X, y, lam)
        yield equal(f"reported objective, K = {K}", value, here, slack, X=X, y=y)
        yield equal(f"dual and gap against it, K = {K}", dual + gap, value, slack, X=X, y=y)
        near = [_penalised(W + rng.integers(-4, 5, W.shape) * 2.0**-k, X, y, lam) for k in range(4, 24)]
        yield at_least(f"objectives nearby against the dual, K = {K}", [here, *near], dual, slack, X=X, y=y)


# ------------------------------------------------------------------- 8 What the notes print
@correction("notation", "8 deeper", "Yan, logistic regression, first slide")
def erratum_y8(reference_probabilities):
    r"""Printed: $P(Y = 0 \mid x)$ has $\beta_{0,k}$ in the sum over $k'$.
    Right: $\beta_{0,k'}$: the bias of the class that the term belongs to. Read literally, the masses do not
    sum to 1."""
    beta, X = np.array([[1.0, 0.5], [-1.0, 2.0]]), np.array([[0.5, 1.0]])  # the last column is the bias
    P = reference_probabilities(beta, X)[0]
    right = 1 / (1 + math.exp(0.5 + 0.5) + math.exp(-0.5 + 2.0))
    printed = [1 / (1 + math.exp(0.5 + b) + math.exp(-0.5 + b)) for b in (0.5, 2.0)]
    yield equal("P(0 | x) with the bias of each class", P[0], right, rounding(8))
    yield equal("sum of the masses", P.sum(), 1.0, rounding(8))
    misses = abs(np.array(printed) + P[1:].sum() - 1)
    yield at_least("distance of both literal readings from a sum of 1", misses, 0.05)


@correction("hypothesis", "8 deeper", "Yan, MLE")
def erratum_y9(binary_nll, binary_hessian):
    r"""Printed: $\hat\beta = \arg\min$ of the negative log-likelihood.
    Right: A minimiser exists iff the classes are not separated, not even weakly, and is unique iff the design
    has full column rank."""
    X, y = np.array([[-2.0], [-1.0], [1.0], [3.0]]), np.array([0, 0, 1, 1])
    losses = np.array([binary_nll([t], X, y) for t in (1.0, 4.0, 16.0, 64.0)])
    yield at_most("ratios of the losses along a separating direction", losses[1:] / losses[:-1], 0.1)
    yield at_least("losses, none of them 0", losses, 1e-300)
    X, y = np.array([[1.0, 2.0], [2.0, 4.0], [-1.0, -2.0], [1.0, 2.0]]), np.array([1, 0, 0, 0])
    twice = [binary_nll(w, X, y) for w in ([0.5, 0.0], [0.5 + 2.0, -1.0])]
    yield equal("loss at two points that differ by (2, -1)", twice[1], twice[0], rounding(16, 4))
    flat = binary_hessian([0.5, 0.0], X, y) @ np.array([2.0, -1.0])
    yield equal("curvature in that direction", flat, np.zeros(2), rounding(16, 8))


@correction("wrong", "8 deeper", "Shi, gradient for multi-class")
def erratum_s20(softmax_gradient):
    r"""Printed: $\frac{\partial L}{\partial w_y} = \sum_ix_i(P(y_i \mid x_i) - 1)$.
    Right: $\sum_ix_i(P(y \mid x_i) - 1\{y_i = y\})$: the class of the derivative, and an indicator."""
    X, y = np.array([[1.0, 1.0], [2.0, 1.0], [-1.0, 1.0], [0.0, 1.0]]), np.array([0, 1, 2, 2])
    W = np.array([[1.0, 0.0], [0.0, 0.5], [-0.5, 0.25]])
    slope, error = _differences(lambda V: _nll(V, X, y), W, X, 1e-3)
    P = np.exp(_log_probabilities(W, X))
    first = P.T @ X / 4 - X.mean(axis=0)  # the first line: no indicator
    second = np.tile((P[np.arange(4), y] - 1) @ X / 4, (3, 1))  # the second: the same for all classes
    yield equal("corrected form", softmax_gradient(W, X, y), slope, error)
    errors = [abs(line - slope).max() for line in (first, second)]
    yield at_least("largest error of the two printed lines", errors, 0.1)


@correction("notation", "8 deeper", "Shi, multi-class")
def erratum_s21(softmax_nll):
    r"""Printed: $\sum_i\log(\sum_ke^{\langle w_k, x_i\rangle}) - \langle w_{y_i}, x_i\rangle$.
    Right: The second term is inside the sum over $i$: brackets are missing."""
    X, y, W = np.array([[1.0], [2.0], [-1.0]]), np.array([0, 1, 1]), np.array([[1.0], [-1.0]])
    logs = [math.log(2 * math.cosh(v)) for v in (1, 2, -1)]
    inside = (sum(logs) - (1 - 2 + 1)) / 3
    outside = [(sum(logs) - score) / 3 for score in (1, -2, 1)]  # for i = 1, 2, 3
    yield equal("inside the sum", softmax_nll(W, X, y), inside, rounding(16, 4))
    yield at_least("distance of the readings outside it", abs(np.array(outside) - inside), 0.3)


@correction("notation", "8 deeper", "Shi, alternative formulation")
def erratum_s22(label_probability, sigmoid):
    r"""Printed: For $y \in \{0, 1\}$: $P(y = +1 \mid x) = \dots$, and $P(y \mid x) = (\dots)^y(\dots)^{1 -
    y}$.
    Right: Right as meant, where $+1$ is the number 1. The product form belongs to the labels 0 and 1 alone:
    put to the coding $\pm1$, at $y = -1$, it is no probability."""
    z = np.array([-2.0, -0.5, 1.0])
    p = sigmoid(z)
    product = p ** (-1.0) * (1 - p) ** 2
    right = label_probability([-1, -1, -1], z)
    yield equal("P(y = -1 | x)", right, 1 - p, rounding(8))
    yield at_least("product form at y = -1, minus the probability", abs(product - right), 0.1)
    yield at_least("its largest value, above 1", product.max(), 1.5)


@correction("hypothesis", "8 deeper", "Shi, maximum likelihood")
def erratum_s23(softmax_nll, softmax_gradient):
    r"""Printed: $\arg\max_w\prod_iP(y_i \mid x_i; w)$.
    Right: It may not exist (separated classes), and for softmax weights it is never unique: a vector may be
    added to all $w_k$."""
    X, y = np.array([[-1.0, 1.0], [2.0, 1.0], [0.5, 1.0], [0.0, 1.0]]), np.array([0, 1, 2, 1])
    W = np.array([[1.0, 0.0], [0.0, 0.5], [-0.5, 0.25]])
    loss, moved = (softmax_nll(V, X, y) for V in (W, W + np.array([3.0, -7.0])))
    yield equal("loss after adding a vector", moved, loss, rounding(32, 40))
    total = softmax_gradient(W, X, y).sum(axis=0)
    yield equal("slope along such vectors", total, np.zeros(2), rounding(32, 4))
    X, y = np.array([[-1.0], [1.0]]), np.array([0, 1])
    losses = np.array([softmax_nll([[-t], [t]], X, y) for t in (1.0, 4.0, 16.0)])
    yield at_most("ratios of the losses of separated classes", losses[1:] / losses[:-1], 0.1)
