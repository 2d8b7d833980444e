"""The statements on support vector machines as executable claims, in the order of the lecture: two problems.

What their multipliers make, kernels, other forms, bounds and errata are in `svm_machines`.

Examples, the truth about their planes, and how near to it a machine must be, are in `planes`. Gaps are
computed from the multipliers, the normal vector and the intercept alone.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.checking import at_least, at_most, equal, hard_cases, rounding, statement, within
from mlnotes.checking.outputs import as_numbers, quiet_fit, quietly, refuses, scalar
from mlnotes.claims.instances import planes
from mlnotes.claims.instances.planes import GAP, INF, PLAY, Machine, overlapping, reach, separable, widest

OUTPUTS = {
    "SVC.intercept_": "number",
    "SVC.normal_vector": "(d,)",
    "SVC.support_": "(s,) int",
    "SVC.dual_coef_": "(s,)",
    "SVC.predict": "(n,)",
    "OneClassSVM.intercept_": "number",
    "OneClassSVM.support_": "(s,) int",
    "OneClassSVM.dual_coef_": "(s,)",
    "OneClassSVM.predict": "(n,)",
    "hyperplane_distance": "(n,)",
    "class_margins": "(2,)",
    "hinge_loss": "(n,)",
    "primal_objective": "number",
    "dual_objective": "number",
    "lagrangian": "number",
    "lagrangian_gradient": "(d,); number; (n,)",
    "intercept_interval": "(2,)",
    "regularized_risk": "number",
    "regularized_risk_subgradient": "(d,); number",
    "polynomial_kernel": "(n, m)",
    "rbf_kernel": "(n, m)",
}

PAIR, PAIR_Y, ONE = np.array([[-1.0], [1.0]]), np.array([-1, 1]), np.ones(1)
SQUARE = np.array([[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 2.0]])
FOUR = np.array([[-2.0], [1.0], [-1.0], [2.0]]), np.array([-1, -1, 1, 1])
SIDES, XOR = np.array([-1, -1, 1, 1]), np.array([-1, 1, 1, -1])


# ------------------------------------------------------------------- checks of fitted models
def machine_of(SVC, X, y, C=INF):
    """Return the linear SVM of some training examples."""
    model = quietly(SVC(C).fit, X, y)
    return Machine(X, y, C, model.normal_vector(), model.intercept_, model)


def scores_of(model, X, *columns):
    """Return the scores of some examples."""
    return as_numbers(model.decision_function(X), len(X), *columns)


def residuals_of(report, *names):
    """Return the named residuals of a report, NaN where one is missing."""
    return np.array([scalar(report.get(name)) for name in names])


def same_report(what, report, truth, **instance):
    """Return the evidence that a report has the entries of another, to `GAP` of what is above 1."""
    right = residuals_of(truth, *truth)
    slack = GAP * np.maximum(1, abs(right))
    return equal(f"{what}: {', '.join(truth)}", residuals_of(report, *truth), right, slack, **instance)


def square_of(X, y, alpha):
    """Return |w|^2 of w = sum_i alpha_i y_i x_i."""
    w = (y * alpha) @ X
    return w @ w


def dual_of(X, y, alpha):
    return alpha.sum() - 0.5 * square_of(X, y, alpha)


# ------------------------------------------------------------------- 1 The maximum margin
@statement("definition", "1", "Yan, max-margin")
def maxmargin(SVC, rng, *, n=12):
    r"""For separable data with both classes present, $\max M$ subject to $\lVert\beta\rVert = 1$ and
    $y_i(\langle\beta, x_i\rangle + \beta_0) \ge M$ has the value of half the distance between the convex
    hulls of the classes. No direction has a wider margin."""
    m = machine_of(SVC, *separable(rng, n))
    smallest, M = m.margins.min() / m.length, 1 / widest(m.X, m.y).length
    yield equal("smallest distance to the plane", smallest, M, GAP * M, **m.data)  # the primal is 1/(2 M^2)
    widths = planes.half_widths(m.X, m.y, np.linspace(0, 2 * math.pi, 3601))
    yield at_least("over the widest of 3,601 directions", smallest, widths.max(), GAP * M)


@statement("formula", "1", "Yan, max-margin", "Wainwright, after eq. (2.25)")
def distance(hyperplane_distance, rng):
    r"""The distance of $x$ to $\{z : \langle\beta, z\rangle + \beta_0 = 0\}$ is $|\langle\beta, x\rangle +
    \beta_0| / \lVert\beta\rVert$; the intercept is not part of the norm."""
    X = np.vstack([[[3.0, 4.0]], rng.integers(-9, 10, (30, 2))])
    for w, length in (((3.0, 4.0), 5), ((5.0, -12.0), 13), ((8.0, 15.0), 17)):
        b = 12.0 if length == 5 else float(rng.choice([-7, -2, 5]))
        feet = X - np.outer((X @ w + b) / length**2, w)
        away, slack = np.linalg.norm(X - feet, axis=1), rounding(4, 300 / length)
        distances = hyperplane_distance(X, np.array(w), b)
        yield equal(f"distances of the feet, normal {w}", distances, away, slack, X=X, w=w, b=b)


@statement("claim", "1", "Yan, max-margin")
def unique(SVC, rng, *, n=12):
    r"""On separable data with both classes present the solution is unique: $\beta = 2(p - q)/\lVert p -
    q\rVert^2$ for the nearest points $p, q$ of the two hulls, in any order and with repetitions."""
    X, y = separable(rng, n)
    truth, twice = widest(X, y), np.tile(rng.permutation(len(y)), 2)
    for name, examples in (("in order", slice(None)), ("shuffled and repeated", twice)):
        m = machine_of(SVC, X[examples], y[examples])
        yield equal(
            f"normal vector and intercept, examples {name}", m.plane, truth.plane, truth.play, **m.data
        )
    two = Machine(np.array([[4.0, 0.0], [6.0, 0.0]]), PAIR_Y, INF, np.array([1.0, 0.0]), -5.0)
    plane = machine_of(SVC, two.X, two.y).plane
    yield equal("normal vector and intercept of two examples", plane, two.plane, two.play)


@statement("definition", "1", "Yan, max-margin", "Shi, max margin", given=("SVC",))
def margin(class_margins, SVC, rng):
    r"""The margin of a class is the smallest signed distance $y_if(x_i)/\lVert w\rVert$ of its examples. It
    is negative if one is on the wrong side. At the optimum of the hard margin both classes have the same."""
    X, y = separable(rng)
    w, b = np.array([3.0, 4.0]), float(rng.choice([-50, 50]))  # one class is on the wrong side
    distances = y * (X @ w + b) / 5
    worst = [distances[y < 0].min(), distances[y > 0].min()]
    yield equal("margins of a plane", class_margins(X, y, w, b), worst, rounding(4, 40))
    m, M = machine_of(SVC, X, y), 1 / widest(X, y).length
    # at least M less that, their sum at most 2 M
    yield equal("margins at the optimum", class_margins(X, y, m.w, m.b), M, GAP * M)


@statement("claim", "1 deeper", "Yan, reformulation")
def nonconvex(rng):
    r"""The problem with $\lVert\beta\rVert = 1$ is not convex: the midpoint of two different feasible unit
    vectors is shorter than 1."""
    X, y = separable(rng)
    w = widest(X, y).w
    angles = math.atan2(w[1], w[0]) + np.array([-0.02, 0.02])
    yield at_least("half the widths of two unit vectors", planes.half_widths(X, y, angles), 5e-4)
    midpoint = np.mean([np.cos(angles), np.sin(angles)], axis=1)
    yield at_most("length of their midpoint", float(np.linalg.norm(midpoint)), 1 - 1e-4)


# ------------------------------------------------------------------- 2 A convex problem
@statement("theorem", "2", "Yan, reformulation")
def reformulation(SVC, rng, *, n=12):
    r"""If $M^\star > 0$, then $\min\lVert\beta\rVert^2$ subject to $y_i(\langle\beta, x_i\rangle + \beta_0)
    \ge 1$ is solved by $(\beta, \beta_0)$ iff $(\beta, \beta_0)/\lVert\beta\rVert$ solves the max-margin
    problem, and $M^\star = 1/\lVert\beta\rVert$."""
    m = machine_of(SVC, *separable(rng, n))
    truth = widest(m.X, m.y)
    yield equal("M", 1 / m.length, 1 / truth.length, PLAY / truth.length, **m.data)
    yield at_least("y f(x)", m.margins.min(), 1.0, PLAY)
    units = m.plane / m.length, truth.plane / truth.length
    yield equal("normal vector and intercept over the norm", *units, truth.play / truth.length)


@statement("definition", "2", "Yan, SVMs for separable data")
def hard_primal(SVC, rng):
    r"""$\min\frac12\lVert\beta\rVert^2$ subject to $y_i(\langle\beta, x_i\rangle + \beta_0) \ge 1$ has a
    feasible point iff the data are separable. Without one the fit is refused: no vector is returned."""
    m = machine_of(SVC, *separable(rng))
    yield at_least("y f(x) on separable data", m.margins.min(), 1.0, PLAY)
    yield equal(
        "normal of the four corners, labels by side", machine_of(SVC, SQUARE, SIDES).w, [1.0, 0.0], PLAY
    )
    yield equal("the four corners, labels by diagonal, refused", refuses(machine_of, SVC, SQUARE, XOR), True)
    diagonal = planes.half_widths(SQUARE, XOR, np.array([math.pi / 4]))  # a feasible point of max-margin
    yield equal("M of a diagonal, labels by diagonal", diagonal, -math.sqrt(0.5), rounding(8))


@hard_cases(hard_primal, estimators_only="The reference module gives up after 20,000 steps, without a proof.")
def refused_with_a_proof(EstimatorSVC, rng):
    X, y = separable(rng)
    X, y = np.vstack([X, X[y > 0].mean(axis=0)]), np.append(y, -1)  # in the other hull
    try:
        EstimatorSVC(INF, kernel="linear").fit(X, y)
    except ValueError as error:
        proof: Any = error
        distance, apart = 1e-7 * reach(X), np.linalg.norm((y * proof.weights) @ X)
        yield at_least("weights of the proof", proof.weights, 0.0)
        sums = [proof.weights[y < 0].sum(), proof.weights[y > 0].sum()]
        yield equal("their sums in the classes", sums, 1.0, GAP)
        yield at_most("distance of the two means they give", apart, distance)
        yield equal("the distance reported", proof.distance, apart, distance)
    else:
        yield equal("an example in the other hull: refused", False, True)


@statement("formula", "2", "Shi, primal", "Yan, reformulation")
def margin_inverse_norm(SVC, rng):
    r"""At the hard-margin optimum the margin is $\gamma = 1/\lVert w\rVert$, half the width of the band."""
    m = machine_of(SVC, *separable(rng))
    gamma, distances = 1 / m.length, m.margins / m.length
    both = [distances[m.y < 0].min(), distances[m.y > 0].min()]
    yield equal("margins of both classes", both, gamma, PLAY * gamma, **m.data)


# ------------------------------------------------------------------- 3 The dual
@statement("homework", "3", "Yan, back to SVMs")
def hard_dual(dual_objective, SVC, rng, *, n=12):
    r"""The dual of the hard margin is $\max\sum_i\alpha_i - \frac12\sum_{ij}\alpha_i\alpha_jy_iy_j\langle
    x_i, x_j\rangle$ subject to $\sum_i\alpha_iy_i = 0, \alpha_i \ge 0$. Every feasible $\alpha$ bounds the
    primal from below, and at the optimum $\sum_i\alpha_i = \lVert\beta\rVert^2$."""
    X, y = separable(rng, n)
    truth = widest(X, y)
    trials = rng.integers(1, 6, (20, len(y))) / 1000.0
    for side in (y > 0, y < 0):  # both classes get the same sum
        trials[:, side] *= 0.01 / trials[:, side].sum(axis=1, keepdims=True)
    values = [dual_objective(square_of(X, y, alpha), alpha) for alpha in trials]
    yield equal("dual values", values, [dual_of(X, y, alpha) for alpha in trials], rounding(300, 10.0))
    yield at_most("against the primal optimum", values, truth.primal, rounding(300, truth.primal))
    alpha = machine_of(SVC, X, y).alpha
    violations = max(-min(alpha), abs(y @ alpha))
    yield at_most("violations of feasibility", violations, 0.0, GAP * truth.total)
    value = dual_objective(square_of(X, y, alpha), alpha)
    yield equal("dual value at the machine's multipliers", value, truth.primal, truth.room, X=X, y=y)
    yield equal("sum of the multipliers", alpha.sum(), truth.total, PLAY * truth.total)


@statement("claim", "3 deeper", "Yan, back to SVMs")
def slater(SVC, rng):
    r"""Slater's condition holds on separable data: $2(\beta, \beta_0)$ satisfies every constraint strictly,
    with $y_if(x_i) \ge 2$. The constraints are affine, so feasibility alone would do."""
    m = machine_of(SVC, *separable(rng))
    yield at_least("y f(x) of the doubled machine", 2 * m.margins, 2.0, 2 * PLAY, **m.data)


@statement("claim", "3", "Shi, duality")
def strong_duality(SVC, rng):
    """Strong duality holds: primal and dual value agree, here to a relative gap of $10^{-8}$, for C from
    $10^{-3}$ to $10^3$."""
    X, y = overlapping(rng)
    machines = [machine_of(SVC, X, y, C) for C in (1e-3, 1.0, 1e3)]
    yield at_most("relative gaps", [1 - dual_of(X, y, m.alpha) / m.primal for m in machines], GAP, X=X, y=y)
    violations = [max(-min(m.alpha), max(m.alpha) - m.C, abs(y @ m.alpha)) / m.alpha.sum() for m in machines]
    yield at_most("violation of the box and the equality over the sum of multipliers", violations, GAP)


@hard_cases(strong_duality, estimators_only="SMO needs too many steps for C = 1e6 and for raw measurements.")
def certificates(EstimatorSVC, rng):
    """The gap is proved at C = 10^6 and on features whose scales differ by 100,000; with any kernel the
    certificate has the true values and residuals, and a gap above 1e-8 and `tol` is warned of."""
    from mlnotes.datasets import load_breast_cancer

    raw, (X, y), (Z, t) = load_breast_cancer(), overlapping(rng), separable(rng)
    signs = np.where(raw.y == 1, 1, -1)
    for examples, labels, C in ((X, y, 1e6), (raw.X, signs, 1e-3), (raw.X, signs, 1.0), (raw.X, signs, 1e6)):
        model = quietly(EstimatorSVC(C, kernel="linear").fit, examples, labels)
        m = Machine(examples, labels, C, model.coef_[0], model.intercept_[0])
        gap = 1 - dual_of(examples, labels, alpha_of(model, labels)) / m.primal
        yield at_most(f"gap, {len(labels)} examples, C = {C:g}", gap, GAP)
    gamma = 1 / (2 * X.var())  # the default
    kernels = {"linear": X @ X.T, "rbf": gaussian(X, X, gamma), "poly": (gamma * X @ X.T) ** 3}
    cases = [(kernel, X, y, K, C, GAP) for (kernel, K), C in itertools.product(kernels.items(), (0.25, 16.0))]
    cases += [(kernel, X, y, kernels[kernel], 16.0, 0.3) for kernel in ("rbf", "poly")]
    for kernel, examples, labels, K, C, limit in (*cases, ("linear", Z, t, Z @ Z.T, INF, GAP)):
        options = {} if limit == GAP else {"tol": limit}
        model, warned = quiet_fit(EstimatorSVC(C, kernel=kernel, **options), examples, labels)
        alpha, away = alpha_of(model, labels), 0.0
        if kernel == "linear":
            away = np.linalg.norm(model.coef_[0] - (labels * alpha) @ examples) / alpha.sum()
        truth = certificate_of(K, labels, C, alpha, model.intercept_[0], float(away / reach(examples)))
        what = f"{kernel} kernel, C = {C:g}"
        yield same_report(what, model.certificate_, truth)
        yield equal(f"warnings, {what}", warned, int(model.certificate_["gap"] > limit))
    model, warned = quiet_fit(EstimatorSVC(1e12, kernel="poly"), X, y)  # too large to be proved
    yield equal("warnings at C = 1e12", warned, int(model.certificate_["gap"] > GAP))


def alpha_of(model, y):
    """Return the multipliers of an estimator."""
    alpha = np.zeros(len(y))
    alpha[model.support_] = y[model.support_] * model.dual_coef_[0]
    return alpha


def gaussian(X, Z, gamma):
    """Return the Gaussian kernel of all pairs of examples."""
    return np.exp(-gamma * ((X[:, None] - Z) ** 2).sum(axis=2))


def certificate_of(K, y, C, alpha, b, stationarity=0.0):
    """Return the entries of a certificate, from the multipliers and the intercept alone."""
    beta, hard = alpha * y, np.isinf(C).all()
    margins, square = y * (K @ beta + b), beta @ K @ beta
    slack = np.maximum(0, 1 - margins)
    primal = 0.5 * square / margins.min() ** 2 if hard else 0.5 * square + (C * slack).sum()
    dual = alpha.sum() - 0.5 * square - abs(b * beta.sum())
    inside = 0.0 if hard else (C - alpha) * slack
    return {
        "primal": primal,
        "dual": dual,
        "gap": (primal - dual) / primal,
        "primal_feasibility": slack.max() if hard else 0.0,
        "dual_feasibility": max(0.0, -alpha.min(), (alpha - C).max()),
        "equality": abs(beta.sum()) / alpha.sum(),
        "complementarity": np.maximum(alpha * (margins - 1), inside).max() / primal,
        "stationarity": stationarity,
        "margin": ((alpha > 0) & (alpha < C)).sum(),
        "bound": (alpha == C).sum(),
    }


# ------------------------------------------------------------------- 4 Optimality
@statement("theorem", "4", "Yan, checking KKT conditions", "Shi, eqs. (3)-(7)")
def kkt(kkt_residuals, rng, *, n=5):
    r"""$(w, b, \alpha)$ is optimal iff five conditions hold: primal and dual feasibility,
    $\sum_i\alpha_iy_i = 0$, complementarity, and $w = \sum_i\alpha_iy_ix_i$. All residuals are 0 at the
    optimum, and each of them shows a point that breaks it."""
    # two examples at -1 and 1: with C = 1 the optimum is w = 1, b = 0, alpha = (1/2, 1/2)
    names = ("primal_feasibility", "dual_feasibility", "equality", "complementarity", "stationarity")
    for C, w, b, alpha, slack, expected in (
        (1.0, 1.0, 0.0, [0.5, 0.5], None, (0, 0, 0, 0, 0)),
        (0.5, 1.0, 0.0, [0.5, 0.5], [1.0, 0.0], (0, 0, 0, 0.5, 0)),  # (4) is what the slack adds
        (0.25, 0.5, 0.0, [0.25, 0.25], [0.5, 0.5], (0, 0, 0, 0, 0)),  # optimal, with slack
        (1.0, 1.0, 0.0, [0.5, 0.5], [-0.5, 0.0], (0.5, 0, 0, 0.25, 0)),
        (1.0, 3.0, 0.0, [0.5, 0.5], [-0.5, 0.0], (0.5, 0, 0, 1.0, 2.0)),
        (1.0, 2.0, 0.0, [1.0, 1.0], [-1.0, -1.0], (1.0, 0, 0, 0, 0)),  # feasibility alone is missing
        (1.0, 1.0, 0.0, [1.5, 0.25], None, (0, 0.5, 1.25, 0, 0.75)),
        (1.0, 1.0, 0.0, [0.5, -0.25], None, (0, 0.25, 0.75, 0, 0.75)),
        (1.0, 1.0, 1.0, [0.0, 0.5], [1.0, 0.0], (0, 0, 0.5, 1.0, 0.5)),
        (1.0, 3.0, 0.0, [0.5, 0.5], None, (0, 0, 0, 1.0, 2.0)),
        (INF, 0.5, 0.0, [0.25, 0.25], None, (0.5, 0, 0, 0.125, 0)),
        (INF, 1.0, 0.5, [0.5, 0.5], None, (0.5, 0, 0, 0.25, 0)),  # the other example is beyond its margin
    ):
        report = kkt_residuals(PAIR, PAIR_Y, C, np.array([w]), b, np.array(alpha), slack)
        point = f"C = {C:g}, w = {w:g}, b = {b:g}, alpha = {alpha}, slack = {slack or 'minimal'}"
        for k, name in enumerate(names):
            what = f"({k + 1}) {name.replace('_', ' ')}, {point}"
            yield equal(what, scalar(report.get(name)), expected[k], rounding(8, 4))
    X, y = overlapping(rng, n=max(n, 2))
    b, alpha = 0.5, rng.integers(0, 5, len(y)) / 4
    w = (y * alpha) @ X + rng.choice([-1, 1], 2) * rng.integers(1, 4, 2) / 2  # both entries apart
    violations = residuals_of(kkt_residuals(X, y, 1.0, w, b, alpha), "equality", "stationarity")
    truth = (abs(float(y @ alpha)), abs(w - (y * alpha) @ X).max())
    yield equal("equality and stationarity of a random point", violations, truth, rounding(20, 40), X=X)


@statement("definition", "4", "Yan, implications", "Shi, support vectors")
def support_vectors(SVC, rng):
    r"""In the hard margin $y_if(x_i) > 1$ implies $\alpha_i = 0$, and $\alpha_i > 0$ implies $y_if(x_i) =
    1$. The converse is false: on the corners of a square, labelled by side, all four have $y_if(x_i) =
    1$, and $\alpha = (\frac12, 0, \frac12, 0)$ is optimal."""
    m = machine_of(SVC, *separable(rng))
    yield equal("smallest y f(x)", m.margins.min(), 1.0, PLAY, **m.data)
    yield from off_the_margin(m)
    square, some = machine_of(SVC, SQUARE, SIDES), np.array([0.5, 0.0, 0.5, 0.0])
    yield equal("y f(x) on the square", square.margins, 1.0, PLAY * (reach(SQUARE) + 1))
    yield equal("normal from (1/2, 0, 1/2, 0)", (SIDES * some) @ SQUARE, square.w, PLAY)


def off_the_margin(m):
    """Yield the products alpha_i (m_i - 1) at the true plane, which add up to what alpha lacks."""
    truth = widest(m.X, m.y)
    products = m.alpha * (truth.margins - 1)
    yield equal("multiplier times y f(x) - 1", products, 0.0, truth.room, **m.data)


@statement("claim", "4 deeper", "Yan, implications")
def span(SVC, rng, *, n=12):
    r"""$\beta$ is a combination of the support vectors, and a fit to them alone gives the same machine."""
    m = machine_of(SVC, *separable(rng, n))
    play, support = widest(m.X, m.y).play, m.alpha > 0
    yield equal("sum of the support vectors", (m.y * m.alpha) @ m.X, m.w, play[:-1], **m.data)
    yield from off_the_margin(m)
    both = len(set(m.y[support])) == 2
    again = machine_of(SVC, m.X[support], m.y[support]).plane if both else np.full(3, math.nan)
    # the optimum of the support vectors is within sqrt(2 g) of that of all examples, and each fit of its own
    yield equal("the fit to them", again, m.plane, 3 * play)


# ------------------------------------------------------------------- 5 Slack
@statement("definition", "5", "Yan, accommodating non-separable data", "Shi, primal")
def soft_primal(primal_objective, hinge_loss, SVC, rng):
    r"""$\min\frac12\lVert\beta\rVert^2 + C\sum_i\xi_i$ with $y_if(x_i) \ge 1 - \xi_i, \xi_i \ge 0$ always has
    a feasible point; the best slacks of a plane are $\max(0, 1 - y_if(x_i))$. $\beta_0$ is not penalised."""
    X, y = overlapping(rng)
    plane = Machine(X, y, 3.0, rng.integers(-4, 5, 2) / 4 + 0.125, 2.0)
    yield equal("slacks", hinge_loss(plane.margins), plane.slack, rounding(4, 20), X=X, w=plane.w)
    value = primal_objective(plane.w @ plane.w, plane.margins, plane.C)
    yield equal("objective", value, plane.primal, rounding(60, 1500))
    m, steps = machine_of(SVC, X, y, 3.0), rng.normal(0, 0.05, (200, 3))
    around = min(Machine(X, y, 3.0, m.w + step[:2], m.b + step[2]).primal for step in steps)
    yield at_most("value of the machine against 200 neighbours", m.primal, around, GAP * m.primal)


@hard_cases(soft_primal)
def hard_margin_objective(primal_objective):
    values = [primal_objective(w**2, np.array([w / 2, 3 * w / 2]), INF) for w in (0.0, 1.0)]
    yield equal("objectives of w = 0 and of w = 1 rescaled to be without slack", values, [INF, 2.0])


@statement("formula", "5", "Shi, Lagrangian function")
def lagrangian(lagrangian, lagrangian_gradient, rng):
    r"""$L = \frac12\lVert w\rVert^2 + C\sum\xi_i + \sum\alpha_i(1 - \xi_i - y_if(x_i)) - \sum\eta_i\xi_i$
    has the derivatives $w - \sum\alpha_iy_ix_i$, $-\sum\alpha_iy_i$ and $C - \alpha_i - \eta_i$. $L$ is
    quadratic, so that central differences are exact up to floating-point error."""
    X, y = overlapping(rng, n=6)
    w, b, slack = rng.integers(-4, 5, 2) / 4, 0.75, rng.integers(0, 5, 6) / 4
    alpha, eta = rng.integers(0, 5, 6) / 4 + 0.25, rng.integers(0, 5, 6) / 4 + 0.25
    alpha[0] += 10  # not balanced
    truth = 0.5 * w @ w + 2 * slack.sum() + alpha @ (1 - slack - y * (X @ w + b)) - eta @ slack

    def at(z):
        return lagrangian(X, y, 2.0, z[:2], float(z[2]), z[3:], alpha, eta)

    point = np.hstack([w, b, slack])
    yield equal("value", at(point), truth, rounding(40, 400), X=X, w=w, slack=slack)
    differences = [(at(point + h) - at(point - h)) / 0.5 for h in 0.25 * np.eye(9)]
    derivatives = np.hstack(lagrangian_gradient(X, y, 2.0, w, alpha, eta))
    yield equal("derivatives against differences", derivatives, differences, rounding(40, 4000))


@statement("formula", "5", "Shi, eqs. (3)-(5)", given=("SVC",))
def stationarity(lagrangian_gradient, SVC, rng):
    r"""At the optimum, with $\eta_i = C - \alpha_i$, all derivatives of $L$ are zero: $w =
    \sum\alpha_iy_ix_i$, $C - \alpha_i - \eta_i = 0$ and $\sum\alpha_iy_i = 0$."""
    m = machine_of(SVC, *overlapping(rng), C=0.5)
    derivatives = np.hstack(lagrangian_gradient(m.X, m.y, 0.5, m.w, m.alpha, 0.5 - m.alpha))
    play = np.hstack([m.play[:-1], GAP * m.total, np.full(24, rounding(4))])
    yield equal("derivatives at the optimum", derivatives, np.zeros(27), play, **m.data)
    w, other = m.w + 1, m.alpha + np.arange(24)  # not balanced
    derivatives = np.hstack(lagrangian_gradient(m.X, m.y, 0.5, w, other, np.full(24, 2.0)))
    truth = np.hstack([w - (m.y * other) @ m.X, -m.y @ other, -1.5 - other])
    yield equal("derivatives elsewhere", derivatives, truth, rounding(60, 2000))


@statement("formula", "5", "Shi, dual")
def dual_derivation(lagrangian, dual_objective, rng):
    r"""With $w = \sum\alpha_iy_ix_i$ and $\eta_i = C - \alpha_i$ the Lagrangian is the dual objective
    *minus* $b\sum_i\alpha_iy_i$, for every $b$ and $\xi$."""
    X, y = overlapping(rng, n=6)
    for name, alpha in (("balanced", np.ones(6)), ("unbalanced", np.array([1, 3, 0, 2, 1, 2.0]) / 2)):
        w, b, slack = (y * alpha) @ X, 1.5, rng.integers(0, 5, 6) / 4
        L, value = (
            lagrangian(X, y, 2.0, w, b, slack, alpha, 2.0 - alpha),
            dual_objective(square_of(X, y, alpha), alpha),
        )
        play = rounding(60, 1000 + 10 * abs(L))
        yield equal(f"Lagrangian, {name}", L, value - b * float(y @ alpha), play, X=X, alpha=alpha)
        yield equal(f"dual value, {name}", value, dual_of(X, y, alpha), play)
    yield at_least("distance to the printed sign, unbalanced", abs(L - value - b * (y @ alpha)), 7.0)


@statement("homework", "5", "Yan, dual problem, non-separable", "Shi, dual")
def soft_dual(SVC, rng, *, n=5, d=2):
    r"""The dual of the soft margin is that of the hard margin with the box $0 \le \alpha_i \le C$. Checked
    against all $3^«n»$ sets of multipliers at 0, between and at $C$, in fractions."""
    cases = [(*overlapping(rng, n, d), C) for C in (Fraction(1, 8), Fraction(2))]
    # five examples may have a wide margin without slack: two examples at C for certain, far from the origin
    for X, y, C in (*cases, (PAIR + 5, PAIR_Y, Fraction(1, 4))):
        value, w, low, high, _ = planes.enumerate_dual(X, y, C)
        m, truth = machine_of(SVC, X, y, float(C)), Machine(X, y, float(C), w, low)
        yield equal(f"value of the dual, C = {C}", dual_of(X, y, m.alpha), value, truth.room, **m.data)
        yield equal(f"normal vector, C = {C}", m.w, w, truth.play[:-1])
        outside = max(low - m.b, m.b - high)
        yield at_most(f"distance of b to its interval, C = {C}", outside, 0.0, truth.play[-1])
        yield within(f"multipliers, C = {C}", m.alpha, 0.0, m.C, GAP * truth.total)


@statement("formula", "5", "Shi, eqs. (6)-(7)")
def complementarity(SVC, rng):
    r"""At the optimum $\alpha_i(1 - \xi_i - y_if(x_i)) = 0$ and $(C - \alpha_i)\xi_i = 0$ for every $i$."""
    m = machine_of(SVC, *overlapping(rng), C=0.5)
    surplus = 1 - m.slack - m.margins
    yield equal("multiplier times surplus", m.alpha * surplus, np.zeros(24), m.room, **m.data)
    yield equal("room below C times slack", (0.5 - m.alpha) * m.slack, np.zeros(24), m.room)


@statement("claim", "5 deeper", "Yan, accommodating non-separable data")
def C_infinity(SVC, rng):
    r"""On separable data the soft margin is the hard margin for every $C \ge \min\max_i\alpha_i$, the
    minimum over the optimal $\alpha$ of the hard margin, not only for $C = \infty$. Examples at $-1$ and $1$:
    $w = \min(2C, 1)$."""
    Cs = np.array([0.125, 0.25, 0.495, 0.5, 1.0, 1000.0, INF])
    slopes = [machine_of(SVC, PAIR, PAIR_Y, C).w[0] for C in Cs]
    yield equal("w of two examples", slopes, np.minimum(2 * Cs, 1), PLAY, Cs=Cs)  # 2 g is at most GAP
    m = machine_of(SVC, *separable(rng))
    truth, again = widest(m.X, m.y), machine_of(SVC, m.X, m.y, max(m.alpha))
    # the values of the two problems differ by g: the optimum at C is as near to both planes
    play = 2 * Machine(m.X, m.y, again.C, truth.w, truth.b).play
    yield equal("machine at C = max alpha", again.plane, truth.plane, play, **m.data)
    yield equal("machine at C = infinity", m.plane, truth.plane, truth.play)
