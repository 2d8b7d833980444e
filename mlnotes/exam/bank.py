r"""The questions, three a lecture. The boards compute the answers; numbers are fit for a pocket calculator.

Every number in a question has at most three digits.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from mlnotes import bayes, density, descent, duality, ensemble, logistic, naive_bayes, neighbors, pca, tree
from mlnotes import discriminant as da
from mlnotes import evaluation as ev
from mlnotes import perceptron as pc
from mlnotes import svm as sv
from mlnotes.exam.questions import Question, question, tex

Drawn = dict[str, Any]


def between(rng: np.random.Generator, low: float, high: float, step: float = 1) -> Any:
    """Return one of low, low + step, ..., high; a whole number if the step is one."""
    value = rng.integers(round(low / step), round(high / step) + 1) * step
    return int(value) if isinstance(step, int) else round(float(value), 3)


def several(rng: np.random.Generator, n: int, low: float, high: float, step: float = 1) -> np.ndarray:
    """Return n different ones of low, low + step, ..., high, in any order."""
    grid = np.arange(round(low / step), round(high / step) + 1)
    drawn = rng.choice(grid, n, replace=False) * step
    return drawn if isinstance(step, int) else drawn.round(3)


def vectors(rng: np.random.Generator, n: int, d: int, most: int) -> np.ndarray:
    """Return a table of whole numbers up to `most` in absolute value, no row of which is 0."""
    rows = rng.integers(-most, most + 1, (n, d))
    rows[~rows.any(axis=1)] = most
    return rows


def shares(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return n positive multiples of 0.05 with sum 1."""
    ends = np.sort(rng.choice(np.arange(1, 20), n - 1, replace=False))
    return (np.diff([0, *ends, 20]) * 0.05).round(2)


def listed(rows: Any) -> str:
    """Return rows as a list of vectors in LaTeX."""
    return r",\ ".join(map(tex, rows))


def symmetric(rng: np.random.Generator) -> np.ndarray:
    """Return a positive definite 2 x 2 matrix of whole numbers that is not diagonal."""
    a, c = between(rng, 2, 9), between(rng, 2, 9)
    most = math.isqrt(a * c - 1)
    b = between(rng, 1, most) * (1 if rng.random() < 0.5 else -1)
    return np.array([[a, b], [b, c]])


# ---- 1 Bayes rule


@question("bayes", "3")
def least_risk(rng):
    r"""$X$ takes the values 1, 2, 3, 4 with the probabilities $«mu»$, and $\eta(x) = P(Y = 1 \mid X = x)$ has
    there the values $«eta»$. What is the Bayes risk for the 0-1 loss?

    Each value of $x$ costs $P(X = x) \min(\eta(x), 1 - \eta(x))$: the sum of $«terms»$.

    The risk of the rule that always answers 1."""
    mu, eta = shares(rng, 4), several(rng, 4, 0.1, 0.9, 0.05)
    joint = bayes.joint_table(mu, np.column_stack([1 - eta, eta]))
    always = bayes.risk(np.ones(4, dtype=int), joint)
    return {
        "mu": mu,
        "eta": eta,
        "terms": joint.min(axis=1),
        "answer": bayes.bayes_risk(joint),
        "slip": always,
    }


@question("bayes", "2")
def positive_test(rng):
    r"""Of all people the share $«ill»$ is ill. A test is positive for an ill person with probability $«hit»$
    and for a healthy one with probability $«alarm»$. A person drawn at random has a positive test. With which
    probability is the person ill?

    Bayes' formula: $\pi_1 f_1 / (\pi_0 f_0 + \pi_1 f_1) = «ill» \cdot «hit» / («healthy» \cdot «alarm» +
    «ill» \cdot «hit»)$.

    Takes the probability of a positive test, given the illness, for the reverse."""
    ill, hit, alarm = (
        between(rng, 0.01, 0.3, 0.01),
        between(rng, 0.7, 0.99, 0.01),
        between(rng, 0.02, 0.3, 0.01),
    )
    answer = bayes.posterior([1 - ill, ill], np.log([[alarm, hit]]))[0, 1]
    return {"ill": ill, "hit": hit, "alarm": alarm, "healthy": 1 - ill, "answer": answer, "slip": hit}


@question("bayes", "5")
def cost_of_answer(rng):
    r"""A false alarm costs $«false»$, a miss costs $«miss»$, a right answer nothing. At the points $x = 1, 2,
    3$, which have equal probability, $\eta(x) = P(Y = 1 \mid X = x)$ is $«eta»$. What is the least expected
    cost of a rule?

    The answer 1 costs $«false» (1 - \eta)$ and 0 costs $«miss» \eta$; the smaller ones are $«least»$. Take
    their mean.

    Answers 1 where $\eta \ge 1/2$, as for the 0-1 loss."""
    false, miss = several(rng, 2, 1, 20)
    eta = several(rng, 3, 0.1, 0.9, 0.05)
    loss = np.array([[0, miss], [false, 0]])
    joint = bayes.joint_table(np.full(3, 1 / 3), np.column_stack([1 - eta, eta]))
    least = 3 * bayes.conditional_risk(joint, loss).min(axis=1)
    slip = bayes.risk(bayes.bayes_rule_binary(eta), joint, loss)
    answer = bayes.bayes_risk(joint, loss)
    return {"false": false, "miss": miss, "eta": eta, "least": least, "answer": answer, "slip": slip}


# ---- 2 Evaluation


@question("evaluation", "3")
def test_interval(rng):
    r"""A classifier makes $«k»$ errors on $«n»$ test rows. Give the upper end of Hoeffding's 95 % confidence
    interval for its risk.

    $k/n + \sqrt{\ln(2 / 0.05) / (2n)} = «share» + «width»$.

    Forgets that the interval has two sides: $\ln(1 / 0.05)$."""
    k, n = between(rng, 5, 60), between(rng, 150, 900, 10)
    answer = ev.error_interval(k, n, 0.95, "hoeffding").high
    slip = ev.error_interval(k, n, 0.9, "hoeffding").high
    return {"k": k, "n": n, "share": k / n, "width": answer - k / n, "answer": answer, "slip": slip}


@question("evaluation", "5")
def roc_area(rng):
    r"""Four positive test rows have the scores $«up»$, five negative ones $«down»$. What is the area under
    the ROC curve?

    Of the 20 pairs of a positive and a negative row, «wins» have the larger score at the positive one, and
    «ties» tie and count one half.

    Counts ties as nothing."""
    up, down = several(rng, 4, 0.2, 0.95, 0.05), several(rng, 5, 0.05, 0.8, 0.05)
    wins, ties = (up[:, None] > down).sum(), (up[:, None] == down).sum()
    answer = ev.roc_curve([1] * 4 + [0] * 5, np.append(up, down)).area
    return {"up": up, "down": down, "wins": wins, "ties": ties, "answer": answer, "slip": wins / 20}


@question("evaluation", "6")
def brier(rng):
    r"""The forecasts of the probability of rain on five days were $«p»$; $y = «y»$ says on which it rained.
    What is the Brier score?

    The mean of $(p_i - y_i)^2$, that is, of $«squares»$.

    Takes the mean of $\left| p_i - y_i \right|$, without the squares."""
    p, y = several(rng, 5, 0.05, 0.95, 0.05), rng.permutation([0, 1, *rng.integers(0, 2, 3)])
    squares = (p - y) ** 2
    return {"p": p, "y": y, "squares": squares, "answer": ev.brier_score(y, p), "slip": abs(p - y).mean()}


# ---- 3 Nearest neighbours


@question("neighbors", "3")
def vote_of_three(rng):
    r"""At $x$ the label is 1 with probability $\eta = «eta»$, and three independent labels of the same law
    vote. With which probability is the answer of the vote not the label of a new row at $x$?

    The vote is 1 with probability $q = \eta^3 + 3 \eta^2 (1 - \eta) = «q»$; the error is $\eta (1 - q) + (1 -
    \eta) q$.

    The error of a single neighbour, $2 \eta (1 - \eta)$."""
    eta = between(rng, 0.05, 0.45, 0.001)
    answer, slip = neighbors.k_neighbors_risk(eta, 3), neighbors.k_neighbors_risk(eta, 1)
    return {"eta": eta, "q": eta**3 + 3 * eta**2 * (1 - eta), "answer": answer, "slip": slip}


@question("neighbors", "3")
def cover_hart(rng):
    r"""With «K» classes the Bayes risk is $«risk»$. What is the largest risk that the nearest-neighbour rule
    can have with infinitely many rows?

    $R^* (2 - K R^* / (K - 1))$, the bound of Cover and Hart, which is attained.

    Twice the Bayes risk."""
    K, risk = between(rng, 2, 6), between(rng, 0.05, 0.45, 0.005)
    return {"K": K, "risk": risk, "answer": neighbors.cover_hart_bound(risk, K), "slip": 2 * risk}


@question("neighbors", "5")
def closest_average(rng):
    r"""The rows of class 0 are $«zero»$, those of class 1 are $«one»$. A rule answers the class of the
    closest mean. Where on the axis $x_2 = 0$ does its answer change? Give $x_1$.

    The means are $\mu_0 = «m0»$ and $\mu_1 = «m1»$; $2 \langle \mu_1 - \mu_0, x \rangle = \left| \mu_1
    \right|^2 - \left| \mu_0 \right|^2$ at $x = (x_1, 0)$.

    The first coordinate of the middle between the means."""
    X = np.vstack(
        [several(rng, 3, -6, 2), several(rng, 3, -6, 4), several(rng, 3, 0, 6), several(rng, 3, -4, 6)]
    )
    X = np.vstack([X[:2].T, X[2:].T])
    rule = neighbors.NearestCentroid().fit(X, [0, 0, 0, 1, 1, 1])
    start, end = rule.decision_function(np.array([[0.0, 0], [1, 0]]))
    m0, m1 = rule.centroids_
    answer = start / (start - end) if start != end else np.inf
    zero, one = listed(X[:3]), listed(X[3:])
    return {"zero": zero, "one": one, "m0": m0, "m1": m1, "answer": answer, "slip": (m0[0] + m1[0]) / 2}


# ---- 4 Discriminant analysis


@question("discriminant", "4")
def pooled_variance(rng):
    r"""On the line, class 0 has the rows $«zero»$ and class 1 the rows $«one»$. What is the pooled estimate
    of the common variance, with divisor $n - K$?

    The sums of squared deviations from the class means, $«s0»$ and $«s1»$, divided by $7 - 2$.

    Divides by $n = 7$."""
    zero, one = several(rng, 4, 0, 12), several(rng, 3, 6, 20)
    X, y = np.append(zero, one)[:, None].astype(float), np.repeat([0, 1], [4, 3])
    answer = da.pooled_covariance(X, y)[0, 0]
    s0, s1 = (da.scatter(rows)[0, 0] for rows in da.rows_by_class(X, y))
    return {"zero": zero, "one": one, "s0": s0, "s1": s1, "answer": answer, "slip": (s0 + s1) / 7}


@question("discriminant", "3")
def lda_cut(rng):
    r"""On the line, class 0 is $N(«m0», «v»)$ and class 1 is $N(«m1», «v»)$ (mean, variance), and $P(Y = 1) =
    «prior»$. At which $x$ are both classes equally probable?

    $x = \frac{\mu_0 + \mu_1}{2} + \frac{\sigma^2}{\mu_1 - \mu_0} \ln \frac{\pi_0}{\pi_1}$.

    The middle between the means, as if the classes were equally frequent."""
    m0, gap, v, prior = (
        between(rng, -5, 5),
        between(rng, 1, 8),
        between(rng, 1, 9),
        between(rng, 0.05, 0.95, 0.05),
    )
    means = np.array([[m0], [m0 + gap]], dtype=float)
    d = da.linear_discriminants(np.array([[0.0], [1]]), means, np.array([[v]]), np.array([1 - prior, prior]))
    start, end = d[:, 1] - d[:, 0]
    values = {"m0": m0, "m1": m0 + gap, "v": v, "prior": prior}
    return {**values, "answer": start / (start - end), "slip": m0 + gap / 2}


@question("discriminant", "3")
def lda_normal(rng):
    r"""Two Gaussian classes have the means $«m0»$ and $«m1»$ and the common covariance $«S»$. The Bayes rule
    compares $\langle w, x \rangle$ with a number. Give the vector $w = \Sigma^{-1} (\mu_1 - \mu_0)$.

    $\Sigma^{-1} = \frac{1}{«det»} «adjugate»$, times $\mu_1 - \mu_0 = «difference»$.

    $\mu_1 - \mu_0$ itself, as if the covariance were the identity."""
    S, (m0, m1) = symmetric(rng), vectors(rng, 2, 2, 6)
    scores = da.linear_discriminants(
        np.vstack([np.eye(2), np.zeros(2)]), np.array([m0, m1]), S, np.full(2, 0.5)
    )
    gain = scores[:, 1] - scores[:, 0]
    det, adjugate = S[0, 0] * S[1, 1] - S[0, 1] ** 2, np.array([[S[1, 1], -S[0, 1]], [-S[0, 1], S[0, 0]]])
    values = {"m0": m0, "m1": m1, "S": S, "det": det, "adjugate": adjugate, "difference": m1 - m0}
    return {**values, "answer": gain[:2] - gain[2], "slip": m1 - m0}


# ---- 5 Logistic regression


@question("logistic", "4")
def first_gradient(rng):
    r"""Logistic regression without an intercept has the rows $«rows»$ with the labels $y = «y»$ (0 or 1).
    Give the gradient of the mean negative log-likelihood at $w = (0, 0)$.

    $\frac1n \sum_i (p_i - y_i) x_i$ with $p_i = 1/2$.

    The opposite sign, $y_i - p_i$: the direction in which one goes."""
    X, y = vectors(rng, 4, 2, 6), rng.permutation([0, 0, 1, 1])
    answer = logistic.binary_gradient(np.zeros(2), X, y)
    return {"rows": listed(X), "y": y, "answer": answer, "slip": -answer}


@question("logistic", "2")
def softmax_share(rng):
    r"""Three classes have the scores $\langle w_k, x \rangle = «scores»$ at $x$. Which probability does the
    softmax give the second class?

    $e^{s_2} / \sum_k e^{s_k}$; the exponentials are $«terms»$.

    The share $s_2 / \sum_k s_k$, without exponentials."""
    scores = several(rng, 3, 0.2, 3, 0.1)
    values = {"scores": scores, "terms": np.exp(scores), "answer": logistic.softmax(scores)[1]}
    return {**values, "slip": scores[1] / scores.sum()}


@question("logistic", "5")
def no_maximum(rng):
    r"""A friend says that the likelihood of logistic regression without an intercept has a maximum on the
    rows $«rows»$ with the labels $y = «y»$ (0 or 1). Show that this is false: give a $w$ along which the
    likelihood rises for ever, with every row strictly on its own side.

    Every row of label 1 must have $\langle w, x \rangle > 0$ and every row of label 0 $\langle w, x \rangle <
    0$; then $t w$ is better the larger $t$ is. One such $w$ is $«answer»$.

    Takes the first coordinate for the score: $w = (1, 0)$."""
    w, y = vectors(rng, 1, 2, 3)[0], rng.permutation([0, 0, 1, 1])
    X = vectors(rng, 40, 2, 6)
    X = X[abs(X @ w) >= 2][:4]
    signs = 2 * y - 1
    X = X * (signs * np.sign(X @ w))[:, None]

    def accepts(given: np.ndarray) -> float:
        return (signs * (X @ given)).min() - 1e-9

    return {
        "rows": listed(X),
        "y": y,
        "answer": w.astype(float),
        "slip": np.array([1, 0]),
        "accepts": accepts,
    }


# ---- 6 Gradient descent


@question("descent", "4")
def shrinking(rng):
    r"""$f$ is «mu»-strongly convex, and its gradient is «L»-Lipschitz. By which factor, at the worst, does
    one gradient step of length $\eta = «step»$ shrink the distance from the minimiser?

    $\max(\left| 1 - \eta \mu \right|, \left| 1 - \eta L \right|)$, here the larger of $«ends»$.

    Looks at the flat direction alone: $1 - \eta \mu$."""
    mu, L = between(rng, 1, 5), between(rng, 8, 40)
    step = round(rng.uniform(2 / (L + mu), 2 / L - 0.001), 3)
    answer = descent.linear_factor(smoothness=L, convexity=mu, step=step)
    ends = np.array([abs(1 - step * mu), abs(1 - step * L)])
    return {"mu": mu, "L": L, "step": step, "ends": ends, "answer": answer, "slip": abs(1 - step * mu)}


@question("descent", "1")
def two_steps(rng):
    r"""$f(w) = \frac12 w^\top A w$ with $A = «A»$. Where does gradient descent with the step $\eta = «step»$
    stand after two steps from $w_0 = «start»$?

    $w_1 = w_0 - \eta A w_0 = «first»$, and the same once more.

    Goes up: adds $\eta A w$."""
    A, step, start = symmetric(rng), between(rng, 0.05, 0.3, 0.05), vectors(rng, 1, 2, 6)[0]
    f = descent.Quadratic(A)
    path = descent.gradient_descent(
        lambda w: 0.0, f.gradient, start, step=step
    )  # up or down, without a warning
    _, first, answer = itertools.islice(path, 3)
    up = start + step * (A @ start)
    values = {"A": A, "step": step, "start": start, "first": first, "answer": answer}
    return {**values, "slip": up + step * (A @ up)}


@question("descent", "7")
def noise(rng):
    r"""Stochastic gradient descent on the mean of $\frac12 (w - x_i)^2$ with the step $\eta = «step»$ never
    comes to rest, if the $x_i$ have the variance $«variance»$. To what does the mean squared distance from
    the minimiser converge?

    $v = (1 - \eta)^2 v + \eta^2 \sigma^2$, thus $v = \eta \sigma^2 / (2 - \eta)$.

    Drops the square of $\eta$: $\eta \sigma^2 / 2$."""
    step, variance = between(rng, 0.1, 0.9, 0.05), between(rng, 2, 40)
    answer = descent.noise_floor(step=step, variance=variance)
    return {"step": step, "variance": variance, "answer": answer, "slip": step * variance / 2}


# ---- 7 Perceptron


@question("perceptron", "2")
def first_pass(rng):
    r"""The perceptron without an intercept starts at $w = (0, 0)$ with $\eta = 1$ and visits the signed rows
    $z_i = y_i x_i$, which are $«rows»$, in this order. What is $w$ after the first pass? (A product of 0 is a
    mistake.)

    Add $z_i$ wherever $\langle w, z_i \rangle \le 0$. The weights after each visit are $«path»$.

    Adds every row, mistake or not."""
    Z = vectors(rng, 5, 2, 5)
    path = [w for w, _ in itertools.islice(pc.visit_in_order(Z.astype(float), np.zeros(2)), len(Z))]
    return {"rows": listed(Z), "path": listed(path), "answer": path[-1].astype(int), "slip": Z.sum(axis=0)}


@question("perceptron", "4")
def novikoff(rng):
    r"""Signed rows $z_i = y_i x_i$ are $«rows»$, and $w = «w»$ separates them. How many updates does the
    mistake bound allow at most, with the margin of this $w$? (Not rounded.)

    $R^2 / \delta^2$ with $R^2 = \max \left| z_i \right|^2 = «square»$ and $\delta = \min_i \langle w, z_i
    \rangle / \left| w \right| = «margin»$.

    Forgets to divide by $\left| w \right|$."""
    w, Z = several(rng, 2, -4, 4), vectors(rng, 60, 2, 6)
    Z = Z[Z @ w >= 3][:4]
    square, margin = (Z**2).sum(axis=1).max(), pc.margin(w, Z)
    answer = pc.mistake_bound(math.sqrt(square), margin)
    values = {"rows": listed(Z), "w": w, "square": square, "margin": margin, "answer": answer}
    return {**values, "slip": square / (Z @ w).min() ** 2}


@question("perceptron", "5")
def never_separated(rng):
    r"""No $w$ has $\langle w, z_i \rangle > 0$ for all three signed rows $«rows»$. Prove it: give three whole
    numbers $\alpha_i \ge 0$, not all 0, with $\sum_i \alpha_i z_i = 0$.

    If $w$ separated, $\sum_i \alpha_i \langle w, z_i \rangle$ would be positive; it is 0. Solve two equations
    for the ratios: $\alpha = «answer»$ or a multiple.

    Takes all three rows once."""
    a, (z1, z2) = rng.integers(1, 5, 2), vectors(rng, 2, 2, 4)
    order = rng.permutation(3)
    Z, alpha = np.array([z1, z2, -a[0] * z1 - a[1] * z2])[order], np.array([*a, 1])[order]
    if z1[0] * z2[1] == z1[1] * z2[0]:  # parallel rows: more is true than the way says
        return {"rows": "", "answer": np.zeros(3, dtype=int), "slip": np.ones(3)}

    def accepts(given: np.ndarray) -> float:
        proves = (
            (given >= 0).all() and given.any() and (given == given.round()).all() and not (given @ Z).any()
        )
        return 0.0 if proves else -1.0

    return {"rows": listed(Z), "answer": alpha, "slip": np.ones(3), "accepts": accepts}


# ---- 8 Convexity and duality


@question("duality", "2")
def dual_value(rng):
    r"""Minimise $f(x) = \frac{«a»}{2} x^2 + «c» x$ subject to $x \ge «h»$. What is the dual function
    $d(\lambda) = \min_x f(x) + \lambda («h» - x)$ at $\lambda = «lam»$?

    The minimum over all $x$ is at $x = (\lambda - «c») / «a» = «x»$.

    Puts in the $x$ of the constraint, $x = «h»$."""
    a, c, h, lam = between(rng, 1, 6), between(rng, 1, 9), between(rng, 1, 5), between(rng, 1, 20)
    program = duality.QuadraticProgram([[a]], [c], [[-1]], [-h])
    x = program.lagrangian_minimizer(np.array([lam]))[0]
    values = {"a": a, "c": c, "h": h, "lam": lam, "x": x, "answer": program.dual_function(np.array([lam]))}
    return {**values, "slip": program.objective([h])}


@question("duality", "4")
def multiplier(rng):
    r"""Minimise $\frac12 \left| x - p \right|^2$ with $p = «p»$ subject to $\langle a, x \rangle \le «h»$
    with $a = «a»$. Give the multiplier $\lambda$ of the constraint.

    The constraint is active. $x - p + \lambda a = 0$, thus $\lambda = (\langle a, p \rangle - h) / \left| a
    \right|^2$ with $\langle a, p \rangle = «along»$.

    Divides by $\left| a \right|$: the distance, not the multiplier."""
    p, a = vectors(rng, 2, 3, 6)
    along = int(a @ p)
    h = along - between(rng, 1, 20)
    program = duality.QuadraticProgram(np.eye(3), -p, [a], [h])
    lam = float(duality.solve_qp(program).lam[0])
    return {"p": p, "a": a, "h": h, "along": along, "answer": lam, "slip": (along - h) / np.linalg.norm(a)}


@question("duality", "3")
def duality_gap(rng):
    r"""There are three points. The objective has the values $f = «f»$ there and the constraint $g = «g»$; a
    point is allowed if $g \le 0$. How large is the duality gap, the least allowed $f$ minus $\max_{\lambda
    \ge 0} \min_j (f_j + \lambda g_j)$?

    The three lines $f_j + \lambda g_j$ have the highest minimum at $\lambda = «lam»$, of $«dual»$; the least
    allowed value is $«primal»$.

    No gap, as if three points were a convex problem."""
    f, g = several(rng, 3, 0, 20), np.array([-between(rng, 1, 6), between(rng, 1, 6), between(rng, -6, 6)])
    order = rng.permutation(3)
    f, g = f[order], g[order]
    pairs = itertools.combinations(range(3), 2)
    meets = [(f[i] - f[j]) / (g[j] - g[i]) for i, j in pairs if g[i] != g[j]]
    lams = np.array([0.0, *(lam for lam in meets if lam > 0)])
    values = duality.dual_on_points(f, g[:, None], lams[:, None])
    primal, dual = f[g <= 0].min(), values.max()
    drawn = {"f": f, "g": g, "lam": lams[values.argmax()], "dual": dual, "primal": primal}
    return {**drawn, "answer": float(primal - dual), "slip": 0.0}


# ---- 9 Support vector machines


@question("svm", "2")
def two_rows(rng):
    r"""The machine of the hard margin is trained on two rows only, $«low»$ of class $-1$ and $«high»$ of
    class $+1$. Give its weights $w$.

    $w$ has the direction of $v = x_+ - x_- = «v»$ and both rows have the margin 1, thus $w = 2 v / \left| v
    \right|^2$.

    The unit vector $v / \left| v \right|$."""
    X, y = vectors(rng, 2, 2, 6), np.array([-1, 1])
    v = X[1] - X[0]
    if not v.any():
        return {"low": X[0], "high": X[1], "v": v, "answer": np.zeros(2), "slip": np.zeros(2)}
    *_, (alpha, _, _) = sv.hard_margin(X @ X.T, y)
    return {"low": X[0], "high": X[1], "v": v, "answer": (alpha * y) @ X, "slip": v / np.linalg.norm(v)}


@question("svm", "5")
def soft_margin(rng):
    r"""The rows $«rows»$ have the labels $«y»$. What is the value of the soft-margin problem $\frac12 \left|
    w \right|^2 + C \sum_i \xi_i$ at $w = «w»$, $b = «b»$, $C = «C»$, with the least slacks that are allowed?

    The margins $y_i (\langle w, x_i \rangle + b)$ are $«margins»$, the slacks $\max(0, 1 - m_i)$.

    Counts slack at misclassified rows only, $\max(0, -m_i)$."""
    X, y, C = vectors(rng, 4, 2, 4), rng.permutation([-1, -1, 1, 1]), between(rng, 0.5, 5, 0.5)
    w, b = rng.choice([-1, -0.5, 0.5, 1], 2), between(rng, -1, 1, 0.5)
    m = sv.margins(X, y, w, b)
    slip = sv.primal_value(w @ w, np.maximum(0, -m), C)
    values = {"rows": listed(X), "y": y, "w": w, "b": b, "C": C, "margins": m}
    return {**values, "answer": sv.primal_objective(X, y, w, b, C), "slip": slip}


@question("svm", "8")
def feature_distance(rng):
    r"""The kernel $k(x, z) = (\langle x, z \rangle + 1)^2$ is the inner product of features $\phi$. What is
    $\left| \phi(x) - \phi(z) \right|^2$ for $x = «x»$ and $z = «z»$?

    $k(x, x) + k(z, z) - 2 k(x, z)$ with the values $«kernels»$.

    The squared distance of the points themselves."""
    X = vectors(rng, 2, 2, 3)
    K = sv.polynomial_kernel(X, X, degree=2, coef0=1).round().astype(int)
    slip = ((X[0] - X[1]) ** 2).sum()
    values = {"x": X[0], "z": X[1], "kernels": np.array([K[0, 0], K[1, 1], K[0, 1]])}
    return {**values, "answer": int(K[0, 0] + K[1, 1] - 2 * K[0, 1]), "slip": slip}


# ---- 10 Density estimation


@question("density", "4")
def histogram_score(rng):
    r"""A histogram on $[0, 1]$ with four bins has the counts $«counts»$. What is its cross-validation score
    $\hat J = \int \hat f^2 - \frac2n \sum_i \hat f_{(-i)}(x_i)$?

    $\frac{2m}{n - 1} - \frac{m (n + 1)}{n - 1} \sum_j \hat p_j^2$ with $m = 4$, $n = «n»$ and $\sum_j \hat
    p_j^2 = «squares»$.

    Does not leave the point out: $-\int \hat f^2$."""
    counts = rng.integers(1, 15, 4)
    n, squares = counts.sum(), (counts / counts.sum()) @ (counts / counts.sum())
    answer = density.histogram_cv_score(counts)
    return {"counts": counts, "n": n, "squares": squares, "answer": answer, "slip": -4 * squares}


@question("density", "5")
def kernel_height(rng):
    r"""The kernel estimate with $K(u) = \frac34 (1 - u^2)$ on $[-1, 1]$ and bandwidth $h = «h»$ stands on the
    points $«x»$. What is its height at $t = «t»$?

    $\frac1{nh} \sum_i K((t - x_i) / h)$; the values of $K$ are $«bumps»$.

    Forgets the factor $1/h$."""
    x, t, h = np.sort(several(rng, 5, 0, 6, 0.1)), between(rng, 1, 5, 0.1), between(rng, 1.2, 3, 0.1)
    bumps = density.KERNELS["epanechnikov-unit"]((t - x) / h)
    answer = density.kernel_density(x, [t], h, "epanechnikov-unit")[0]
    return {"x": x, "t": t, "h": h, "bumps": bumps, "answer": answer, "slip": bumps.mean()}


@question("density", "6")
def best_bandwidth(rng):
    r"""For the Gaussian kernel ($\mu_2(K) = 1$, $R(K) = 1 / (2 \sqrt\pi) = 0.2821$) and a density with $\int
    f''^2 = «curvature»$, which bandwidth is asymptotically the best for $n = «n»$ points?

    $\left( R(K) / (\mu_2^2 \, n \int f''^2) \right)^{1/5}$.

    Takes the cube root, as for histograms."""
    n, curvature = between(rng, 50, 990, 10), between(rng, 0.1, 5, 0.1)
    answer = density.kernel_best_bandwidth(n, curvature)
    return {"n": n, "curvature": curvature, "answer": answer, "slip": answer ** (5 / 3)}


# ---- 11 Naive Bayes


@question("naive_bayes", "3")
def mail(rng):
    r"""Of «n0» letters without advertising «a0» hold the word *free* and «b0» the word *meeting*; of «n1»
    letters with advertising «a1» and «b1». A new letter holds *free*, not *meeting*. With which probability
    is it advertising, by naive Bayes with the shares smoothed by $\alpha = 1$ and the priors $n_k / n$?

    The shares $(c + 1) / (n_k + 2)$ are $«p0»$ in class 0 and $«p1»$ in class 1; class $k$ weighs $n_k \,
    p_{k1} (1 - p_{k2})$.

    Does not smooth: $c / n_k$."""
    (n0, n1), counts = several(rng, 2, 10, 40), []
    for n in (n0, n1):
        counts.append([between(rng, 1, n - 1), between(rng, 1, n - 1)])
    c, n = np.array(counts), np.array([n0, n1])
    p = naive_bayes.smoothed_shares(np.stack([c, n[:, None] - c], axis=-1))[..., 0]

    def posterior(p: np.ndarray) -> float:
        factors = np.log(np.stack([p[:, 0], 1 - p[:, 1]]))
        return naive_bayes.naive_posterior(factors[None], n / n.sum())[0, 1]

    values = dict(zip(("a0", "b0", "a1", "b1"), c.ravel(), strict=True))
    values |= {"n0": n0, "n1": n1, "p0": p[0], "p1": p[1]}
    return {**values, "answer": posterior(p), "slip": posterior(c / n[:, None])}


@question("naive_bayes", "2")
def gaussian_odds(rng):
    r"""Two features are independent and normal in each class: in class 0 with the means $«m0»$, in class 1
    with $«m1»$, all of variance 1. $P(Y = 1) = «prior»$. Give the log odds $\ln \frac{P(Y = 1 \mid x)}{P(Y =
    0 \mid x)}$ at $x = «x»$.

    $\ln \frac{\pi_1}{\pi_0} + \frac12 \left| x - \mu_0 \right|^2 - \frac12 \left| x - \mu_1 \right|^2$.

    Forgets the priors."""
    m0, m1, x = several(rng, 6, -2, 3, 0.1).reshape(3, 2)
    prior = between(rng, 0.1, 0.9, 0.05)
    logs = naive_bayes.normal_log_density(x, np.array([m0, m1]), 1.0)  # (K, d)
    odds = naive_bayes.naive_posterior(logs.T[None], [1 - prior, prior])[0]
    values = {"m0": m0, "m1": m1, "x": x, "prior": prior}
    return {**values, "answer": math.log(odds[1] / odds[0]), "slip": logs[1].sum() - logs[0].sum()}


@question("naive_bayes", "3")
def words(rng):
    r"""In class 0 the words A, B, C have the probabilities $«t0»$, in class 1 $«t1»$; the classes are equally
    frequent. The words of a text are drawn independently; A, B, C stand in it $«counts»$ times. With which
    probability is it of class 1?

    Class $k$ weighs $\prod_j \theta_{kj}^{c_j}$: $«terms»$.

    Counts each word once."""
    thetas, counts = np.array([shares(rng, 3), shares(rng, 3)]), rng.integers(1, 5, 3)

    def posterior(c: np.ndarray) -> float:
        return naive_bayes.naive_posterior((c * np.log(thetas)).T[None], [0.5, 0.5])[0, 1]

    terms = (thetas**counts).prod(axis=1)
    values = {"t0": thetas[0], "t1": thetas[1], "counts": counts, "terms": terms}
    return {**values, "answer": posterior(counts), "slip": posterior(np.ones(3))}


# ---- 12 Trees


@question("tree", "2")
def gini_fall(rng):
    r"""A node has «left0» rows of class 0 and «left1» of class 1 that a cut sends left, and «right0» and
    «right1» that it sends right. By how much does the Gini impurity fall?

    The node has $«whole»$, its children $«g1»$ and $«g2»$; they count by their shares of the rows.

    Takes the plain mean of the children."""
    (left, right) = rng.integers(1, 30, (2, 2))
    node, children = tree.gini(tree.shares(left + right)), tree.gini(tree.shares(np.array([left, right])))
    values = dict(zip(("left0", "left1", "right0", "right1"), (*left, *right), strict=True))
    values |= {"whole": node, "g1": children[0], "g2": children[1]}
    return {
        **values,
        "answer": node - tree.children_impurity(left, right, "gini"),
        "slip": node - children.mean(),
    }


@question("tree", "2")
def best_threshold(rng):
    r"""A feature has the values $«x»$ and the labels are $«y»$. At which threshold, a midpoint of neighbours,
    is the Gini impurity of the children least?

    The weighted impurities of the cuts, from the left, are $«impurities»$.

    The cut with the fewest errors."""
    x, y = np.sort(several(rng, 7, 1, 40)), rng.permutation([0, 0, 0, 1, 1, 1, 1])
    Y = tree.one_hot(y)
    cuts, left, right = tree.cuts(x, Y)
    impurities, errors = (tree.children_impurity(left, right, name) for name in ("gini", "misclassification"))
    best = tree.best_split(x[:, None], y).threshold
    if np.sort(impurities)[1] < impurities.min() + 1e-9:  # two best cuts
        best = np.nan
    return {"x": x, "y": y, "impurities": impurities, "answer": best, "slip": cuts[errors.argmin()]}


@question("tree", "6")
def weakest_link(rng):
    r"""A tree was grown on «n» rows. As a leaf a node would have «errors» errors; the subtree below it has
    three leaves with «e1», «e2» and «e3» errors. At which price $\alpha$ of a leaf does it pay to prune the
    subtree to the node? (Risks are shares of the «n» rows.)

    $g(t) = (R(t) - R(T_t)) / (\left| T_t \right| - 1)$ with $R(t) - R(T_t) = «fall» / «n»$.

    Divides by the number of leaves, not one less."""
    n, leaves = between(rng, 40, 200, 10), rng.integers(0, 8, 3)
    errors = leaves.sum() + between(rng, 2, 20)
    cut = (0, 0.0)
    nodes = [(1, cut), (2, None), (3, cut), (6, None), (7, None)]  # numbers of boxes
    grown = tree.Tree(tree.Node(number, [], np.ones(2), cut) for number, cut in nodes)
    R = np.array([errors, leaves[0], leaves[1:].sum(), *leaves[1:]]) / n
    answer, fall = tree.links(grown, R)[0][0], errors - leaves.sum()
    values = {"n": n, "errors": errors, "e1": leaves[0], "e2": leaves[1], "e3": leaves[2], "fall": fall}
    return {**values, "answer": answer, "slip": fall / n / 3}


# ---- 13 Ensembles


@question("ensemble", "2")
def forest_variance(rng):
    r"""The outputs of «B» trees of a forest have the variance $«variance»$ each, and every two the
    correlation $«rho»$. What is the variance of their mean?

    $\rho \sigma^2 + \frac{1 - \rho}{B} \sigma^2$.

    $\sigma^2 / B$, as if the trees were uncorrelated."""
    B, variance, rho = between(rng, 5, 100, 5), between(rng, 1, 20), between(rng, 0.05, 0.9, 0.05)
    answer = ensemble.variance_of_average(variance, rho, B)
    return {"B": B, "variance": variance, "rho": rho, "answer": answer, "slip": variance / B}


@question("ensemble", "4")
def vote_weight(rng):
    r"""AdaBoost starts on «n» rows with equal weights. The first weak classifier is wrong on «k» of them.
    Which vote $\alpha$ does it get, with two classes, in the convention of the lecture?

    $\ln \frac{1 - \mathrm{err}}{\mathrm{err}}$ with $\mathrm{err} = «k» / «n»$.

    Half of it, the convention of other books."""
    n = between(rng, 10, 60)
    k = between(rng, 1, (n - 1) // 2)
    answer = ensemble.adaboost_weight(k / n)
    return {"n": n, "k": k, "answer": answer, "slip": answer / 2}


@question("ensemble", "4")
def new_weight(rng):
    r"""In a round of AdaBoost five rows have the weights $«w»$, and the weak classifier is wrong on the rows
    «first» and «second». What is the weight of row «first» after the round, when all weights have the sum 1
    again?

    The wrong rows share one half: $w / (2\, \mathrm{err})$ with $\mathrm{err} = «err»$.

    Multiplies by $e^\alpha$ and does not divide by the sum."""
    w, rows = shares(rng, 5), np.sort(rng.choice(5, 2, replace=False))
    wrong = np.isin(np.arange(5), rows)
    err = w[wrong].sum()
    alpha = ensemble.adaboost_weight(err)
    answer, slip = ensemble.adaboost_update(w, wrong, alpha)[rows[0]], w[rows[0]] * math.exp(alpha)
    return {"w": w, "first": rows[0] + 1, "second": rows[1] + 1, "err": err, "answer": answer, "slip": slip}


# ---- 14 Principal components


@question("pca", "1")
def first_share(rng):
    r"""The covariance of two features is $S = «S»$. Which share of the total variance does the first
    principal component have?

    The eigenvalues are $«values»$; their sum is the trace.

    The share of the larger entry of the diagonal."""
    S = symmetric(rng)
    values, _ = pca.eigenpairs(S)
    return {"S": S, "values": values, "answer": values[0] / values.sum(), "slip": S.max() / np.trace(S)}


@question("pca", "3")
def reconstructed(rng):
    r"""The rows have the mean $«mean»$, and the first principal direction is $v = \frac{1}{«length»}
    «whole»$. To which point does the component alone reconstruct the row $x = «x»$?

    The score is $z = \langle v, x - \mu \rangle = «z»$, the point $\mu + z v$.

    Does not add the mean."""
    length, legs = ((5, (3, 4)), (13, (5, 12)), (25, (7, 24)), (17, (8, 15)))[rng.integers(4)]
    whole = rng.permutation(legs) * rng.choice([-1, 1], 2)
    mean, x = vectors(rng, 2, 2, 9)
    V = (whole / length)[:, None]
    z = pca.scores(x, mean, V)
    values = {"mean": mean, "length": length, "whole": whole, "x": x, "z": z[0]}
    return {**values, "answer": pca.reconstruction(z, mean, V), "slip": V @ z}


@question("pca", "2")
def better_direction(rng):
    r"""The covariance of two features is $S = «S»$. Someone says that no direction has a variance above
    $«level»$. Show that this is false: give a vector $w$ (of any length) with $w^\top S w / \left| w
    \right|^2 > «level»$.

    The first eigenvector, $«vector»$, has the variance $«top»$.

    The feature with the larger variance."""
    S = symmetric(rng)
    values, V = pca.eigenpairs(S)
    level = round((S.max() + values[0]) / 2, 1)
    axis = np.eye(2)[S.diagonal().argmax()]

    def accepts(given: np.ndarray) -> float:
        return given @ S @ given / max(given @ given, 1e-300) - level - 1e-9

    values = {"S": S, "level": level, "vector": V[:, 0], "top": values[0]}
    return {**values, "answer": V[:, 0], "slip": axis, "accepts": accepts}


QUESTIONS: tuple[Question, ...] = tuple(
    item for item in list(globals().values()) if isinstance(item, Question)
)
