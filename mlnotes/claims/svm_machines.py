"""The statements on support vector machines as executable claims: what multipliers make, kernels, and errata.

`svm` has the sections before, the two problems and when points of them are optimal.
"""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import Any

import numpy as np

from mlnotes.checking import (
    at_least,
    at_most,
    correction,
    equal,
    hard_cases,
    misprint,
    rounding,
    statement,
    within,
)
from mlnotes.checking.outputs import as_numbers, first, fit_copies, quiet_fit, quietly, refuses
from mlnotes.claims import svm
from mlnotes.claims.instances import planes
from mlnotes.claims.instances.planes import (
    GAP,
    INF,
    PLAY,
    Machine,
    enumerate_dual,
    multipliers,
    overlapping,
    reach,
)
from mlnotes.claims.svm import (
    PAIR,
    PAIR_Y,
    certificate_of,
    dual_of,
    gaussian,
    machine_of,
    residuals_of,
    scores_of,
)

TOPIC = "svm"

OUTPUTS = svm.OUTPUTS
XOR, SQUARE, ONE = svm.XOR, svm.SQUARE, svm.ONE


# ------------------------------------------------------------------- 6 From multipliers to a machine
@statement("formula", "6", "Yan, implications", "Shi, eqs. (8)-(9)")
def recover(intercept_interval, rng, *, n=5):
    r"""From optimal multipliers $w = \sum_i\alpha_iy_ix_i$, and $b = y_i - \langle w, x_i\rangle$ for any
    example with $0 < \alpha_i < C$. If there is none, an interval of $b$ is optimal: for examples at $-1$ and
    $1$ with $C = \frac14$ it is $[-\frac12, \frac12]$."""
    # a third example without a multiplier, at 2 or at -2, moves the end that its own class does not hold
    far = [-0.5, 0.5]  # beyond its margin it holds no end, though its y - <w, x> is the least or the largest
    for x, label, expected in ((2.0, 1, [0.0, 0.5]), (-2.0, -1, [-0.5, 0.0]), (4.0, 1, far), (-4.0, -1, far)):
        X, y = np.append(PAIR, [[x]], axis=0), np.append(PAIR_Y, label)
        ends = intercept_interval(np.array([0.25, 0.25, 0.0]), y, X @ X.T, 0.25)
        yield equal(f"interval with a third example at {x:g}", ends, expected, rounding(8), X=X, y=y)
    for C, alpha, expected in ((0.25, 0.25, far), (1.0, 0.5, [0.0, 0.0])):  # the second has free examples
        ends = intercept_interval(np.full(2, alpha), PAIR_Y, PAIR @ PAIR.T, C)
        yield equal(f"interval of two examples, C = {C}", ends, expected, rounding(8))
    costs = [Machine(PAIR, PAIR_Y, 0.25, np.full(1, 0.5), b).primal for b in (*far, 0.0, 0.6, -0.6)]
    yield equal(
        "value at its ends, its middle and outside, C = 1/4", costs, [0.375] * 3 + [0.4] * 2, rounding(8)
    )
    X, y = overlapping(rng, n=max(n, 2))
    C = int(rng.choice([1, 16])) / 8
    _, _, low, high, alpha = enumerate_dual(X, y, C)
    ends = intercept_interval(alpha, y, X @ X.T, C)
    size = 2 + float((abs(X @ X.T) @ alpha).max())
    yield equal("interval of random examples", ends, [low, high], rounding(12, size), X=X, y=y, C=C)


@statement("algorithm", "6", "Shi, eq. (9)")
def b_average(SVC, rng):
    r"""Every example with $0 < \alpha_i < C$ gives the same $b = y_i - \langle w, x_i\rangle$; average over
    these examples, not over those at $C$. Without such an example the middle of the interval is taken:
    $-\frac52$ for examples at 4 and 6 with $C = \frac14$."""
    for X, y, C in ((*overlapping(rng), 0.5), (*svm.FOUR, 1.0)):  # the second has two free examples
        m = machine_of(SVC, X, y, C)
        free = np.minimum(m.alpha, m.C - m.alpha)  # if y - w x is not b, one of the two products is not 0
        what = f"y - w x minus b, times the distance of alpha to 0 and C, {len(m.y)} examples"
        yield equal(what, free * (m.y - m.X @ m.w - m.b), 0.0, m.room, **m.data)
    truth = Machine(PAIR + 5, PAIR_Y, 0.25, 0.5 * ONE, -2.5)
    play = truth.play[0] * np.array([1.0, 6.0])  # the ends of the interval are y - w x
    plane = machine_of(SVC, truth.X, truth.y, 0.25).plane
    yield equal("w and b without a free example", plane, truth.plane, play)


@statement("formula", "6", "Shi, support vectors")
def decision_dual(SVC, rng):
    r"""$f(x) = \sum_{i \in S}\alpha_iy_i\langle x_i, x\rangle + b$ needs only the support vectors: it is
    $\langle w, x\rangle + b$, and the prediction is its sign, the second class at 0."""
    m, Z = machine_of(SVC, *overlapping(rng), C=0.5), rng.integers(-9, 10, (40, 2)) / 2
    scores, play = scores_of(m.model, Z), m.play[0] * reach(Z)
    yield equal("scores from the multipliers", scores, Z @ m.X.T @ (m.y * m.alpha) + m.b, play, **m.data, Z=Z)
    yield equal("scores from the normal vector", scores, Z @ m.w + m.b, play)
    yield _predictions("predictions", m.model.predict(Z), scores, play)
    middle = machine_of(SVC, PAIR, PAIR_Y, 0.25).model  # of an interval of b around 0: no rounding
    side = np.where(scores_of(middle, np.zeros((1, 1))) >= 0, 1.0, -1.0)
    yield equal("prediction between two examples", middle.predict(np.zeros((1, 1))), side)


def _predictions(what, predictions, scores, play, **instance):
    """Return the evidence that predictions have the signs of the scores that are clear of 0."""
    clear = abs(scores) > play
    return equal(what, predictions[clear], np.where(scores >= 0, 1.0, -1.0)[clear], **instance)


@statement("claim", "6 deeper", "Shi, support vectors")
def sparsity(SVC, rng, *, C=0.001):
    """How many multipliers are zero depends on the data: with three examples a class, integers up to 6, and
    $C = «C»$ all six are support vectors. In the hard margin leaving one out errs on support vectors only."""
    m = machine_of(SVC, *planes.separable(rng, n=6), C=C)
    # all slopes 1 - y v x are above 1/2: the room below C adds up to 2 g, the violations to 6 GAP sum(alpha)
    yield equal("multipliers of six examples at a small C", m.alpha, C, (2 + 6) * GAP * 6 * C, **m.data)
    m = machine_of(SVC, *planes.separable(rng))
    yield from svm.off_the_margin(m)
    right = []
    for i, rest in enumerate(~np.eye(12, dtype=bool)):
        less = machine_of(SVC, m.X[rest], m.y[rest])
        right.append(m.y[i] * (m.X[i] @ less.w + less.b) > 0)
    # without an example of multiplier 0 the dual value stays, w moves by sqrt(2 g), and its y f(x) is near 1
    errs = int((~np.array(right) & ~(m.alpha > 0)).sum())
    yield equal("examples of multiplier 0 on which leave-one-out errs", errs, 0)


@statement("claim", "6", "Shi, two types of support vectors")
def sv_types(support_vector_types):
    r"""$0 < \alpha_i < C$ puts an example on its margin; $\alpha_i = C$ leaves $\xi_i \ge 0$ open: on it
    ($\xi = 0$), inside the margin ($\xi < 1$), on the boundary ($\xi = 1$) or wrong ($\xi > 1$). Examples at
    $-1$ and $1$ with $C = \frac12$ have $\alpha = C$ and $\xi = 0$."""
    alpha = np.array([0.0, 0.25, 0.5, 0.5, 0.5, 0.5])
    slack = np.array([0.0, 0.0, 0.0, 0.5, 1.0, 1.5])
    expected = ["none", "margin", "edge", "inside", "boundary", "wrong"]
    yield equal("six cases", [str(t) for t in support_vector_types(alpha, slack, 0.5)], expected)
    _, w, b, _, alpha = enumerate_dual(PAIR, PAIR_Y, 0.5)
    slack = Machine(PAIR, PAIR_Y, 0.5, w, b).slack
    yield equal("multipliers and slacks of two examples with C = 1/2", [alpha, slack], [[0.5, 0.5], [0, 0]])
    for C, kind in ((0.5, "edge"), (INF, "margin")):
        pair = [str(t) for t in support_vector_types(alpha, slack, C)]
        yield equal(f"two examples with C = {C}", pair, [kind, kind])


@statement("algorithm", "6", "Platt (1999)")
def pairs(smo, rng):
    r"""Two multipliers move at a time: the examples that disagree most about $b$, by opposite amounts of
    $\alpha_iy_i$, until they agree or one meets the box. The dual never falls. The gap at each step
    is that of $w = \sum_i\alpha_iy_ix_i$ with $b$ in the middle between their two $r_i$; it bounds the
    distance to the optimum, and at the end it is at most $10^{-9}$."""
    X, y = overlapping(rng, n=5)
    # now beta'K beta >= 9 |beta|^2: a move inside the box wins at least 1/29 of what the dual lacks
    X, C = np.hstack([X, 3 * np.eye(5)]), 1 / 16
    states = first(smo(X @ X.T, y, C), 1999)
    alpha = np.array([as_numbers(state.alpha, 5) for state in states])
    gaps, middles, named = (np.array([getattr(s, name) for s in states]) for name in ("gap", "b", "pair"))
    beta = alpha * y
    slack = rounding(60 + 8 * len(beta), 5 * C * float(abs(X @ X.T).max()))  # r is carried from step to step
    r, up, down = y - beta @ X @ X.T, np.maximum(0, C * y) - beta, beta - np.minimum(0, C * y)
    top = np.where(up > 0, r, -INF).max(axis=1)  # of the examples whose beta may grow
    bottom = np.where(down > 0, r, INF).min(axis=1)
    yield within("multipliers", alpha, 0.0, C)
    yield equal("sum of alpha y", beta.sum(axis=1), 0.0, rounding(8 * len(beta), C))
    yield equal("b against the middle", middles, (top + bottom) / 2, slack)
    steps = list(zip(np.diff(alpha, axis=0) != 0, named[:-1], strict=True))
    others = [len({*np.flatnonzero(moved)} - {*pair}) for moved, pair in steps]
    yield equal("multipliers that move beside the named pair", others, 0)
    spread = [r[t][i] - r[t][j] for t, (i, j) in enumerate(named[:-1])]
    yield equal("r_i - r_j of the pair against the most", spread, (top - bottom)[:-1], slack)
    after = range(1, len(states))
    ends = [
        (r[t][i] - r[t][j]) * min(up[t][i], down[t][j]) for t, (i, j) in zip(after, named[:-1], strict=True)
    ]
    yield equal("the same after the step, times the room left in the box", ends, 0.0, C * slack)
    dual = np.array([dual_of(X, y, a) for a in alpha])
    yield at_least("rise of the dual", np.diff(dual), 0.0, slack)
    primal = [Machine(X, y, C, v @ X, b).primal for v, b in zip(beta, middles, strict=True)]
    yield equal("gap of the plane", gaps, 1 - dual / primal, slack / min(primal), X=X, y=y)
    value = enumerate_dual(X, y, C)[0]
    yield at_most("optimum less its share of the gap, against the dual", (1 - gaps) * value, dual, slack)
    yield at_most("last gap", gaps[-1], 1e-9)


@hard_cases(pairs)
def starts_and_copies(smo):
    """A start is not changed; two equal examples of both classes move to the end of the box."""
    K, y = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), np.array([1, -1, -1])
    start = np.array([0.5, 0.25, 0.25])
    for name, states in (("start", first(smo(K, y, 0.5, start), 50)), ("zero", first(smo(K, y, 0.5), 50))):
        yield at_most(f"last gap from {name}", states[-1].gap, 1e-9)
    yield equal("the start afterwards", start, [0.5, 0.25, 0.25])


# ------------------------------------------------------------------- 7 Other forms
def _form2(X, y, u, b, gamma, C):
    return -gamma + C * np.maximum(0, gamma - y * (X @ u + b)).sum()


def _form2_of(m, cost):
    """Return the value of the machine's plane in form (2), and what `GAP` may add to it.

    Without the gap the value is less its bound g/(|w| sum(alpha)), by (7.1).
    """
    value = _form2(m.X, m.y, m.w / m.length, m.b / m.length, 1 / m.length, cost)
    return value, m.room / (m.length * m.alpha.sum()) + rounding(100)


@statement("definition", "7 deeper", "Shi, eq. (2)")
def form2(SVC, rng):
    r"""Shi's form (2) minimises $-\gamma + C\sum\xi_i$ subject to $y_i(\langle w, x_i\rangle + b) \ge
    \gamma - \xi_i$, $\xi_i \ge 0$, $\lVert w\rVert = 1$. In one dimension $w = \pm1$ leaves a linear
    program whose vertices can be listed; the C-SVM with the mapped constant solves it."""
    X, y = overlapping(rng, n=8, d=1)
    X = X + rng.permutation(8)[:, None] / 16
    X[-1] += y @ X == 0  # else w = 0
    m = machine_of(SVC, X, y, 4.0)  # some multiplier is 4, so their sum is not 1
    cost = 4.0 / m.alpha.sum()
    values = []
    for u, low, high in itertools.product((-1.0, 1.0), X[y < 0, 0], X[y > 0, 0]):
        offset, gamma = -u * (low + high) / 2, u * (high - low) / 2  # a vertex has two tight examples
        values.append(_form2(X, y, np.array([u]), offset, gamma, cost))
    value, play = _form2_of(m, cost)
    yield equal("value of form (2)", value, min(values), play, **m.data, cost=cost)


@statement("claim", "7 deeper", "Shi, primal")
def equivalence(SVC, rng):
    r"""The C-SVM with solution $(w, b, \alpha)$, $w \ne 0$, and form (2) with the constant
    $C/\sum_i\alpha_i$ (not $C$) have the same plane, and $\gamma = 1/\lVert w\rVert$. Certificate: with
    $\lambda = \alpha/\sum\alpha$ every point of (2) costs at least $-\lVert\sum\lambda_iy_ix_i\rVert$.
    Below $1/(2\min(n_+, n_-))$ form (2) has no minimum."""
    m = machine_of(SVC, *overlapping(rng), C=4.0)  # some multiplier is 4, so their sum is not 1
    X, y, cost, weights = m.X, m.y, 4.0 / m.alpha.sum(), m.alpha / m.alpha.sum()
    value, play = _form2_of(m, cost)
    yield equal("value against the certificate", value, -np.linalg.norm((y * weights) @ X), play, **m.data)
    yield at_most("weights of the certificate against the constant", max(weights), cost, GAP)
    y[2:6:2] = 1  # fewer examples of class -1
    smallest = 0.5 / (y < 0).sum()
    far = [_form2(X, y, np.eye(2)[0], g, g, 0.9 * smallest) for g in (1e3, 1e4)]
    yield at_most("rise from gamma = 10^3 to 10^4, constant 0.9 of the smallest", far[1] - far[0], -100.0)


@statement("theorem", "7", "Shi, view in ERM")
def hinge_erm(regularized_risk, regularized_risk_subgradient, primal_objective, rng):
    r"""The C-SVM is regularised risk minimisation: its objective is $nC$ times the sum of the mean hinge
    loss and $\frac\lambda2\lVert w\rVert^2$, with $\lambda = 1/(nC)$. The subgradient $\lambda w -
    \frac1n\sum_{y_if(x_i) < 1}y_ix_i$ (and $-\frac1n\sum y_i$ for $b$) supports it from below."""
    X, y = overlapping(rng)
    C, points = 0.5, rng.integers(-8, 9, (12, 3)) / 8 + 0.0625
    points[:3, :2], points[:3, 2] = 0.0, (6.0, 7.0, 0.5)  # a penalty of b shows far out, a wrong kink at 1/2
    lam, planes = 1 / (24 * C), [(p[:2], float(p[2])) for p in points]
    risks = np.array([regularized_risk(X, y, *plane, lam) for plane in planes])
    primal = [Machine(X, y, C, *plane).primal for plane in planes]
    yield equal("the risk, times nC, against the primal", 24 * C * risks, primal, rounding(80, 300), X=X, y=y)
    objective = [primal_objective(w @ w, y * (X @ w + b), C) for w, b in planes]
    yield equal("the objective of the machine", objective, primal, rounding(80, 300))
    slopes = np.array([np.hstack(regularized_risk_subgradient(X, y, *plane, lam)) for plane in planes])
    below = risks[:, None] + slopes @ points.T - (slopes * points).sum(axis=1)[:, None]
    what = "supporting planes at 12 points against the values at all"
    yield at_most(what, below, np.tile(risks, (12, 1)), rounding(200, 60))


# ------------------------------------------------------------------- 8 Kernels
@statement("theorem", "8", "Shi, dual with kernels")
def kernel(SVC, polynomial_kernel, rng):
    r"""Replacing $\langle x, x'\rangle$ by $\kappa(x, x') = \langle\phi(x), \phi(x')\rangle$ in training
    *and* in prediction is the linear machine on $\phi(x)$: for $(1 + xx')^2$ and $\phi(x) = (1, \sqrt2x,
    x^2)$ both have the same scores on new points, and the Gram matrix is positive semi-definite."""
    x = (np.arange(18) - 8.5) / 6 + rng.integers(-1, 2, 18) / 32
    y = np.where(abs(x - 0.25) > 0.75, 1, -1)  # not symmetric: the linear part of the map matters
    X, Z = x[:, None], np.linspace(-2, 2, 21)[:, None]
    lifted, far = (np.hstack([T**0, math.sqrt(2) * T, T**2]) for T in (X, Z))
    square = {"degree": 2, "gamma": 1.0, "coef0": 1.0}
    yield equal("kernel values", polynomial_kernel(X, Z, **square), lifted @ far.T, rounding(8, 30))
    yield equal("kernel values without options", polynomial_kernel(X, Z), (X @ Z.T) ** 3, rounding(8, 30))
    scores = scores_of(quietly(SVC(2.0, partial(polynomial_kernel, **square)).fit, X, y), Z)
    m = machine_of(SVC, lifted, y, 2.0)
    play = 2 * (m.play[0] * reach(far) + m.play[-1])  # each is off by half of it
    yield equal("scores of new points", scores, far @ m.w + m.b, play, x=x, y=y)
    G = polynomial_kernel(X, X, **square)
    least = np.linalg.eigvalsh(G)[0] if np.isfinite(G).all() else math.nan
    yield at_least("smallest eigenvalue of the Gram matrix", least, 0.0, rounding(18, abs(G).max()))


@statement("definition", "8 deeper")
def gram(is_gram_matrix, rbf_kernel, rng):
    r"""A symmetric matrix is a Gram matrix iff it has no negative eigenvalue. The Gaussian kernel gives one
    on any points; $\begin{pmatrix}1 & 2\\ 2 & 1\end{pmatrix}$ and $-\langle x, z\rangle$ are none."""
    X = rng.integers(-3, 4, (20, 2)).astype(float)  # with repetitions: rank below 20
    K = gaussian(X, X, 0.5)
    yield equal("Gaussian kernel", rbf_kernel(X, X, gamma=0.5), K, rounding(16, 40), X=X)
    yield equal(
        "its Gram matrix, and that of examples at 0",
        [is_gram_matrix(K), is_gram_matrix(np.zeros((2, 2)))],
        True,
    )
    for M in ([[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.5], [0.0, 1.0]], (-X @ X.T).tolist()):
        yield equal("none", is_gram_matrix(np.array(M)), False, M=M)


@statement("claim", "8")
def gaussian_kernel(SVC, rbf_kernel, rng, *, gamma=0.5):
    r"""A machine with the Gaussian kernel $e^{-\gamma\lVert x - x'\rVert^2}$ is proved like a linear one:
    from its multipliers, its scores and the kernel alone the gap is at most $10^{-8}$ of the value, here for
    $\gamma = «gamma»$; and `predict` goes by the sign of the score."""
    X, y = overlapping(rng)
    T = rng.integers(-6, 7, (20, 2)).astype(float)
    kernel, K = partial(rbf_kernel, gamma=gamma), gaussian(X, X, gamma)
    for C in (0.25, 16.0):
        model = quietly(SVC(C, kernel).fit, X, y)
        alpha, b = multipliers(model, y), model.intercept_
        report = certificate_of(K, y, C, alpha, b)
        yield at_most(f"relative gap, C = {C:g}", report["gap"], GAP, X=X, y=y)
        violation = max(report["dual_feasibility"] / alpha.sum(), report["equality"])
        yield at_most(f"violation of the box and the equality, C = {C:g}", violation, GAP)
        scores, slack = gaussian(T, X, gamma) @ (y * alpha) + b, rounding(24, 1 + float(alpha.sum()))
        yield equal(f"scores of test points, C = {C:g}", scores_of(model, T), scores, slack, T=T)
        yield _predictions(f"predictions, C = {C:g}", model.predict(T), scores, slack, T=T)
    scores = scores_of(quietly(SVC(INF, kernel).fit, SQUARE, XOR), SQUARE)
    yield equal("scores of the corners of a square, by diagonal, C = infinity", scores, XOR, 4 * PLAY)


@hard_cases(gaussian_kernel, estimators_only="The default of gamma is the estimator's.")
def default_of_gamma(EstimatorSVC, rng):
    """A shift of all examples by 2^20 changes no score; gamma is 1 / (d x variance of all entries)."""
    X, y = overlapping(rng)
    default, T = 1 / (2 * X.var()), rng.integers(-6, 7, (20, 2)).astype(float)
    for width, options in ((0.5, {"gamma": 0.5}), (default, {})):
        model = quietly(EstimatorSVC(0.25, **options).fit, X + 2**20, y)
        beta, b = model.dual_coef_[0], model.intercept_[0]
        scores = gaussian(T, X[model.support_], width) @ beta + b
        slack = rounding(24, 1 + float(abs(beta).sum()))
        yield equal(f"scores, {options}", model.decision_function(T + 2**20), scores, slack, X=X, T=T)
        yield equal(f"gamma, {options}", model.gamma_, width, rounding(60, 1))
    auto = quietly(EstimatorSVC(gamma="auto").fit, X, y)
    yield equal("gamma from the number of features", auto.gamma_, 0.5)


@statement(
    "algorithm",
    "8",
    "Knerr, Personnaz and Dreyfus, 1990",
    estimators_only="The reference module has two classes, and one machine.",
)
def several_classes(EstimatorSVC, rng):
    r"""Of more than two classes each pair has a machine, and the class with most votes is predicted, of
    equals the one with the larger sum of scores; or each class has a machine against the rest, and the
    largest score wins. An example of weight $k$ counts as $k$ examples. At a score of 0 the second class of a
    pair has the vote. Prices, widths and tolerances are above 0, and a kernel has no negative eigenvalue."""
    n, d, C = 30, 2, 0.5
    y, copies = np.arange(n) % 3, rng.integers(1, 4, n, dtype=np.intp)
    X, T = rng.integers(-6, 7, (n, d)) + 3.0 * np.eye(3, d)[y], rng.integers(-6, 10, (40, d)).astype(float)
    gamma = 1 / (d * X.repeat(copies, axis=0).var())
    kernels = {"rbf": lambda A, B: gaussian(A, B, gamma), (lambda A, B: A @ B.T): lambda A, B: A @ B.T}
    for (kernel, k), rule in itertools.product(kernels.items(), ("ovo", "ovr")):
        model, beta = (
            fit_copies(EstimatorSVC(C, kernel=kernel, multi_class=rule), copies, X, y),
            np.zeros((3, n)),
        )
        beta[:, model.support_] = model.dual_coef_
        for m, (i, j) in enumerate(_PAIRS):
            examples = np.isin(y, (i, j)) if rule == "ovo" else y >= 0
            signs = np.where(y == (j if rule == "ovo" else m), 1, -1)[examples]
            own, strange, among = beta[m, examples], beta[m, ~examples], k(X[examples], X[examples])
            truth = certificate_of(among, signs, C * copies[examples], signs * own, model.intercept_[m])
            yield svm.same_report(f"machine {m}, {rule}", model.certificates_[m], truth, X=X, y=y)
            violations = [truth["gap"], truth["dual_feasibility"] / C, truth["equality"], abs(strange).sum()]
            yield at_most(
                f"machine {m}, {rule}: gap, and violations of what is allowed", violations, GAP, X=X, y=y
            )
        worst = max(certificate["gap"] for certificate in model.certificates_)
        yield equal(f"gap of the one certificate, {rule}", model.certificate_["gap"], worst)
        yield from _vote(model, T, k(T, X) @ beta.T + model.intercept_, rule)
    model = EstimatorSVC().fit(np.array([[0.0], [0.0], [1.0]]), np.arange(3))  # the first two agree: w = 0
    yield equal("prediction where two examples of two classes are", model.predict(np.zeros((1, 1))), 1)
    usual = {"kernel": "rbf", "degree": 3, "gamma": "scale", "coef0": 0.0}
    usual |= {"C": 1.0, "multi_class": "ovo", "tol": 1e-12, "verbose": False}
    yield equal("whether the parameters are those documented", EstimatorSVC().get_params() == usual, True)
    bad = {"C": 0.0, "gamma": 0.0, "degree": 0, "coef0": -0.5, "tol": 0.0, "multi_class": "all"}
    bad |= {"kernel": lambda A, B: 3.0 - 2 * (A[:, None] == B).all(axis=2)}  # 1 - 3 is an eigenvalue
    refused = {name: refuses(EstimatorSVC(**{name: value}).fit, X, y) for name, value in bad.items()}
    yield equal(f"refused: {', '.join(bad)}", [*refused.values()], True)
    yield equal(
        "classes of a fit of degree 1", len(EstimatorSVC(kernel="poly", degree=1).fit(X, y).classes_), 3
    )


_PAIRS = ((0, 1), (0, 2), (1, 2))


def _vote(model, T, scores, rule):
    """Yield that three machines with these scores predict the class of most votes, or of the best."""
    reported, size, clear = scores_of(model, T, 3), float(abs(scores).max()), np.full(len(T), True)
    best = scores
    if rule == "ovr":
        yield equal("scores, ovr", reported, scores, rounding(60, 1 + 40 * size), T=T)
    else:
        votes, sums = np.zeros((2, len(T), 3))
        for score, (i, j) in zip(scores.T, _PAIRS, strict=True):
            votes[:, [i, j]] += np.column_stack([score < 0, score >= 0])
            sums[:, [i, j]] += np.column_stack([-score, score])
        best, clear = votes + sums / (9 * size), abs(scores).min(axis=1) > 1e-9 * size
        yield equal("votes, ovo", np.rint(reported)[clear], votes[clear], T=T)
        shares = ((reported - np.rint(reported)) * sums / size)[clear]
        yield at_least("what breaks ties, times the sum of scores", shares, 0.0, rounding(60, 4), T=T)
    right = best[np.arange(len(T)), as_numbers(model.predict(T), len(T)).astype(int)]
    yield equal(f"score of the predicted class, {rule}", right[clear], best.max(axis=1)[clear], 1e-6, T=T)


@statement("theorem", "8 deeper", "Schölkopf et al. (2001), proposition 4")
def one_class(OneClassSVM, rbf_kernel, rng):
    r"""The one-class machine with $0 < \nu \le 1$ leaves out at most $\nu n$ of its training examples and has
    at least $\nu n$ support vectors."""
    X = rng.normal(0, 1, (40, 2))
    K, T = gaussian(X, X, 0.5), 3 * rng.normal(0, 1, (40, 2))
    for nu in (0.1, 0.25, 0.6):
        model, count = quietly(OneClassSVM(nu, partial(rbf_kernel, gamma=0.5)).fit, X), 40 * nu
        beta = np.zeros(40)
        beta[model.support_] = model.dual_coef_
        sums, rho, scores = K @ beta, -model.intercept_, scores_of(model, X)
        yield equal(f"scores, nu = {nu}", scores, sums - rho, rounding(60, 1))
        value = 0.5 * beta @ sums
        primal = value - rho + np.maximum(0, rho - sums).sum() / count
        yield at_most(f"relative gap, nu = {nu}", (primal + value) / value, GAP, X=X)
        yield within(f"multipliers, nu = {nu}", beta, 0.0, 1 / count, GAP)
        yield equal(f"their sum, nu = {nu}", beta.sum(), 1.0, GAP)
        # a slack of 4,000 g has beta within g/(4,000 g) of 1/(40 nu): no more than 40 nu (1 + nu/99) examples
        out = float((scores < -4000 * GAP * value).sum())
        yield at_most(f"examples left out, nu = {nu}", out, count * (1 + nu / 99), rounding(4, 40))
        yield at_least(f"support vectors, nu = {nu}", float((beta > 0).sum()), count, rounding(4, 40))
    scores = gaussian(T, X, 0.5) @ beta - rho
    yield _predictions("predictions on test points", model.predict(T), scores, 1e-6 * abs(scores).max(), T=T)


@hard_cases(one_class, estimators_only="Examples on the boundary are inside for the estimator alone.")
def certified_and_tolerant(EstimatorOneClassSVM, rng):
    """The certificate has the true values, with any kernel and far from the origin; equal examples, and data
    whose scores are all 0, are inside."""
    X, Z = rng.normal(0, 1, (40, 2)), 3 * rng.normal(0, 1, (40, 2))
    far, away = X + 3, X + 2**20
    cases: list[tuple[dict[str, Any], Any, Any]] = [
        ({"nu": 0.25, "kernel": "poly"}, far, (far @ far.T / (2 * far.var())) ** 3),
        ({}, X, gaussian(X, X, 1 / (2 * X.var()))),
        ({"gamma": 0.5}, away, gaussian(away, away, 0.5)),
    ]
    for options, examples, K in cases:
        nu, beta = options.get("nu", 0.5), np.zeros(40)
        model, warned = quiet_fit(EstimatorOneClassSVM(**options), examples)
        beta[model.support_] = model.dual_coef_[0] / (40 * nu)
        sums, rho = K @ beta, -model.intercept_[0] / (40 * nu)
        value = 0.5 * beta @ sums
        primal = value - rho + np.maximum(0, rho - sums).sum() / (40 * nu)
        gap = (primal + value) / value
        truth = {"primal": primal, "dual": -value, "gap": gap, "equality": abs(beta.sum() - 1)}
        yield svm.same_report(f"certificate, {options}", model.certificate_, truth)
        yield equal(f"warnings, {options}", warned, 0)
        yield at_most(f"examples left out, {options}", (model.predict(examples) < 0).sum(), 40 * nu)
    same = EstimatorOneClassSVM(0.5).fit(np.ones((4, 2)))  # without a spread gamma is 1
    truth = 2 * np.exp(-((Z - 1) ** 2).sum(axis=1)) - 2
    yield equal("scores around equal examples", scores_of(same, Z), truth, 1e-9, Z=Z)
    few = 1e-4 * np.ones((4, 2))
    near = EstimatorOneClassSVM(0.5, kernel="linear").fit(few)
    predictions = [*same.predict(np.ones((1, 2))), *near.predict(few[:1]), *near.predict(few[:1] / 2)]
    yield equal("predictions at equal examples, near 0, and half as far", predictions, [1.0, 1.0, -1.0])
    for points in (PAIR, 0 * PAIR):
        blind = quietly(EstimatorOneClassSVM(1.0, kernel="linear").fit, points)
        yield equal("predictions where all scores are 0", blind.predict(points), [1.0, 1.0])
        yield equal("and the gap", blind.certificate_["gap"], 0.0)
    refused = [refuses(EstimatorOneClassSVM(nu).fit, X) for nu in (0.0, 1.5)]
    yield equal("nu = 0 and 1.5 refused", refused, True)


# ------------------------------------------------------------------- 9 What the bounds say
def bound_of(n, h, delta):
    """Return what is added to the training error of a class of VC dimension h fixed in advance (9.1)."""
    return 2 * math.sqrt(2 * (h * math.log(2 * math.e * n / h) + math.log(2 / delta)) / n)


def dimension_of(n_features, radius, margin):
    return min(n_features, math.ceil((radius / margin) ** 2)) + 1  # (9.2)


@statement("theorem", "9 deeper", "Shi, VC bound")
def vc_bound():
    r"""$t = 2\sqrt{2(h\log\frac{2en}h + \log\frac2\delta)/n}$ solves $2(2en/h)^he^{-nt^2/8} = \delta$
    (natural logarithms). At $\delta = 0.05$ it is below 1, and says anything at all, only from $n = 78,
    167, 518, 34403$ on for $h = 1, 3, 11, 785$."""
    cases = list(itertools.product((50, 1000, 10**6), (1, 3, 40), (0.05, 1e-6)))
    t, (n, h, delta) = np.array([bound_of(*case) for case in cases]), np.array(cases).T
    logs = math.log(2) + h * np.log(2 * math.e * n / h)
    slack = rounding(16, float(logs.max()))
    yield equal("log of the right-hand side", logs - n * t**2 / 8, np.log(delta), slack)
    smallest = ((78, 1), (167, 3), (518, 11), (34403, 785))
    edges = np.array([[bound_of(n - less, h, 0.05) for n, h in smallest] for less in (0, 1)])
    yield at_most("bound there", edges[0], 1.0)
    yield at_least("bound with one example less", edges[1], 1.0)


@statement("claim", "9 deeper", "Shi, after the VC bound", "Vapnik (1998), theorem 10.3")
def vc_margin_dim(rng):
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
    yield equal("smallest margin of all splits of 2m corners", margins[::2], even, rounding(16))
    yield equal("smallest margin of all splits of three corners", margins[1], 0.75, rounding(16))
    points = [dimension_of(100, 1.0, (1 + 1e-9) * margin) for margin in margins]
    yield equal("points by the formula", points, counts)
    others = [dimension_of(*case) for case in ((100, 9.0, 8.0), (1, 10.0, 1.0), (7, 10.0, 1.0))]
    yield equal("points at R^2/gamma^2 = 81/64, rounded up, and D + 1 at a small margin", others, [3, 2, 8])
    lines = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)]
    signs = {tuple(np.sign(PAIR[:, 0] * w + b)) for w, b in lines}
    both = [len(signs), dimension_of(1, 1.0, 1.0)]
    yield equal("labellings with |f| = 1 at -1 and 1, and points allowed with D = 1", both, [4, 2])
    X = rng.integers(-9, 10, (6, 4)) + np.eye(6, 4) / 2
    # no split has a margin above half the distance of its means
    splits = [np.isin(np.arange(6), half) for half in itertools.combinations(range(6), 3)]
    apart = min(np.linalg.norm(X[half].mean(axis=0) - X[~half].mean(axis=0)) for half in splits) / 2
    allowed = dimension_of(100, reach(X), max(apart, 1e-9))
    yield at_least("points allowed at the margin of the means of six random points", allowed, 6.0, X=X)


# ------------------------------------------------------------------- 10 What the notes got wrong
@correction("wrong", "10 deeper", "Yan, max-margin")
def erratum_y16(class_margins):
    r"""Printed: The max-margin problem offers a unique solution.
    Right: Only for separable data with both classes present. On the corners of a square labelled by
    diagonal four planes share the best value, $M = -1/\sqrt2$."""
    angles = np.arange(720) * math.pi / 360
    widths = planes.half_widths(SQUARE, XOR, angles)
    best = np.flatnonzero(widths > widths.max() - 1e-9)
    yield equal("widest of 720 directions", best, [90, 270, 450, 630])
    normals = np.column_stack([np.cos(angles), np.sin(angles)])[best]
    ends = [(SQUARE[XOR > 0] @ u).min() + (SQUARE[XOR < 0] @ u).max() for u in normals]
    worst = [class_margins(SQUARE, XOR, u, -0.5 * both) for u, both in zip(normals, ends, strict=True)]
    yield equal("margins of both classes, four planes", worst, -math.sqrt(0.5), rounding(16, 4))


@correction("wrong", "10 deeper", "Yan, checking KKT conditions")
def erratum_y21(kkt_residuals):
    r"""Printed: Four conditions: primal and dual feasibility, complementarity, stationarity in the normal
    vector.
    Right: The derivative in $\beta_0$ belongs to it: $\sum_i\alpha_iy_i = 0$. Examples at $2$ and $-1$:
    $\beta = 1, \beta_0 = -1, \alpha = (\frac12, 0)$ passes the four, and the optimum is $\beta = \frac23$."""
    X, y = np.array([[2.0], [-1.0]]), np.array([1, -1])
    report = kkt_residuals(X, y, INF, np.array([1.0]), -1.0, np.array([0.5, 0.0]))
    four = residuals_of(report, "primal_feasibility", "dual_feasibility", "complementarity", "stationarity")
    yield equal("the four printed conditions", four, np.zeros(4))
    yield equal("the fifth", residuals_of(report, "equality"), 0.5)
    best = kkt_residuals(X, y, INF, np.array([2 / 3]), -1 / 3, np.array([2 / 9, 2 / 9]))
    yield at_most("all five at 2/3", residuals_of(best, *best), 0.0, rounding(8))


@correction("notation", "10 deeper", "Yan, implications")
def erratum_y23(SVC):
    r"""Printed: $\beta_0^\star = y_i - \beta^\top x_i$ for any support vector (of the hard margin).
    Right: $\beta^\star$. With slack, which comes on the next slide, the example needs $0 < \alpha_i < C$:
    examples $-2, 1$ of class $-1$ and $-1, 2$ of class 1 with $C = 1$ have $\beta = \frac12$."""
    # alpha = (5/8, 1, 1, 5/8), w = 2 * (2 * 5/8) - 2 = 1/2, y - w x = (0, -3/2, 3/2, 0)
    m = machine_of(SVC, *svm.FOUR, C=1.0)
    yield equal("w", m.w, 0.5, m.play[0])
    bound = (1 - m.alpha) * 0.5 <= m.room  # the two examples with a slack of 3/2
    yield equal("support vectors at C", int(bound.sum()), 2)
    offsets = m.y - m.X @ m.w
    yield at_least("their y - w x less b, in absolute value", abs(offsets - m.b)[bound], 0.5)
    yield equal("that of the free ones", offsets[~bound], m.b, 4 * m.room)  # alpha is 5/8


@correction("wrong", "10 deeper", "Shi, primal")
def erratum_s12():
    r"""Printed: Form (2) and the C-SVM are equivalent (with the same $C$).
    Right: With $C/\sum_i\alpha_i$ in form (2). With examples at $\pm1$ the C-SVM with $C = \frac18$ has $w =
    \frac14$, and form (2) with $\frac18$ has no minimum at all."""
    alpha, w = np.full(2, 0.125), np.full(1, 0.25)
    values = [Machine(PAIR, PAIR_Y, 0.125, w, 0.0).primal, dual_of(PAIR, PAIR_Y, alpha)]
    yield equal("both values of the C-SVM at w = 1/4, C = 1/8", values, 7 / 32, rounding(8))
    mapped = 0.125 / alpha.sum()
    yield equal("mapped and smallest constant", [mapped, 0.5 / 1], [0.5, 0.5])
    values = [_form2(PAIR, PAIR_Y, ONE, g, g, 0.125) for g in (10.0, 100.0, 1000.0)]
    yield at_most("value of (2) with 1/8 as gamma grows tenfold", np.diff(values), -50.0)
    at_four = _form2(PAIR, PAIR_Y, ONE, 0.0, 4.0, mapped)
    yield equal("value of (2) with 1/2 at gamma = 4, and its bound", at_four, -1.0)


erratum_y17 = svm.hard_primal.corrects(
    "y17",
    "wrong",
    "10 deeper",
    "Yan, reformulation",
    r"""
    Printed: The max-margin problem and the quadratic program are reformulations of each other.
    Right: If and only if $M^\star > 0$. Otherwise the first has feasible points
    and the second has none.""",
)
erratum_y22 = svm.C_infinity.corrects(
    "y22",
    "wrong",
    "10 deeper",
    "Yan, accommodating non-separable data",
    r"""
    Printed: The separable case corresponds to $C = \infty$.
    Right: On separable data every $C \ge \min\max_i\alpha_i^\star$ gives the hard margin; for examples at
    $\pm1$ every $C \ge \frac12$.""",
)
erratum_s13 = svm.dual_derivation.corrects(
    "s13",
    "wrong",
    "10 deeper",
    "Shi, dual",
    r"""
    Printed: Substituting gives $\dots + b\sum_i\alpha_iy_i$.
    Right: $\dots - b\sum_i\alpha_iy_i$: the constraint enters $L$ as $-\alpha_iy_ib$.""",
)
erratum_s14 = misprint(
    "svm.s14",
    "10 deeper",
    "Shi, from dual to primal variables",
    r"""
    Printed: $\beta_i > 0 \Rightarrow \xi_i$, and $\beta_i > 0$ means $\alpha < C$.
    Right: $\beta_i > 0 \Rightarrow \xi_i = 0$, and $\beta_i > 0$ means $\alpha_i < C$.""",
)
erratum_s15 = recover.corrects(
    "s15",
    "sharper",
    "10 deeper",
    "Shi, eq. (9)",
    r"""
    Printed: For any $i$ with $0 < \alpha_i < C$, $b^\star = y_i - \langle x_i, w^\star\rangle$.
    Right: So it is, if there is such an example. At $\pm1$ with $C = \frac14$ there is none, and every
    $b \in [-\frac12, \frac12]$ is optimal.""",
)
erratum_s16 = sparsity.corrects(
    "s16",
    "wrong",
    "10 deeper",
    "Shi, support vectors",
    r"""
    Printed: It turns out many $\alpha_i^\star = 0$.
    Right: It depends on the data and on C, and possibly none is: with equal classes and a
    small C all are at C.""",
)
erratum_s17 = sv_types.corrects(
    "s17",
    "wrong",
    "10 deeper",
    "Shi, two types of support vectors",
    r"""
    Printed: Non-margin support vectors: $\alpha_i = C$ ($\xi_i > 0$).
    Right: $\alpha_i = C$ allows $\xi_i = 0$: examples at $\pm1$ with $C =
    \frac12$ lie on the margin.""",
)
erratum_s18 = vc_margin_dim.corrects(
    "s18",
    "wrong",
    "10 deeper",
    "Shi, after the VC bound",
    r"""
    Printed: $h \le \min\{D, \lceil 4R^2/\gamma^2\rceil\}$.
    Right: Planes have a bias: one more. On a line ($D = 1$) the points $-1$ and $1$ are
    shattered with margin 1.""",
)
erratum_s19 = vc_bound.corrects(
    "s19",
    "wrong",
    "10 deeper",
    "Shi, VC bound",
    r"""
    Printed: The bound holds with $\gamma = 1/\lVert w\rVert$ of the fitted machine.
    Right: A class chosen after the data is not fixed, so the theorem does not apply; and below $n = 518$ for
    $h = 11$, or $34403$ for $h = 785$, the bound exceeds 1 and says nothing.""",
)
erratum_s27 = svm.kkt.corrects(
    "s27",
    "hypothesis",
    "10 deeper",
    "Shi, eqs. (3)-(7)",
    r"""
    Printed: First-order and complementarity conditions (3)-(7), listed without feasibility.
    Right: Feasibility belongs to them: they alone do not characterise the solution. Examples
    at $\pm1$, $C = 1$: $w = 2, b = 0, \xi = -1, \alpha = 1, \beta = 0$ solves (3)-(7), and
    the optimum is $w = 1$.""",
)
