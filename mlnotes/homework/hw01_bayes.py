"""Homework 1: Bayes rule. Seven questions, 20 points; the claims that decide are those of the lecture."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes import bayes
from mlnotes.checking import at_most, equal, hard_cases, rounding, statement
from mlnotes.checking.regimes import (
    LEVELS,
    SCALES,
    feature_matrices,
    probabilities,
    random_labels,
    repeatable,
    stateless,
    thirds,
)
from mlnotes.claims import bayes as claims
from mlnotes.claims import bayes_estimates
from mlnotes.claims.instances.gaussians import gauss, plugged_in
from mlnotes.datasets import random_finite_distribution
from mlnotes.grading.assignment.parts import replaced
from mlnotes.homework import Assignment, part, variant

# ------------------------------------------------------------------- claims of this homework alone

COSTS = {
    "in hundreds": [[1000, 900, 800], [950, 700, 900], [1000, 800, 900]],
    "where a right answer is not free": [[9, 1, 1], [2, 9, 3], [2, 2, 9]],
    "where the largest cost is another rule's": [[0, 6, 2], [7, 0, 9], [5, 7, 0]],
    "some negative": [[0, -5, 1], [1, 0, -2], [1, 1, 0]],
}
CLOSE = (
    [
        *([2, -2], [3, 2], [2, -1], [3, 0], [3, -1], [-2, 3], [1, 0]),
        *([4, 3], [-1, 1], [3, 2], [2, 1]),
        *([1, 0], [-2, 1], [2, 4]),
    ],
    [0] * 7 + [1] * 4 + [2] * 3,
    [[-1, 1], [2, 1], [0, 2], [5, 4]],
)
IN_SPACE = (
    [
        *([3, -2, -3], [3, 1, 2], [2, -1, 3], [1, 1, -1], [-1, -1, 1]),
        *([0, -3, -3], [-2, 0, 1], [3, 2, -2], [0, 2, 3], [0, 2, -2], [0, 3, -1]),
    ],
    [0] * 5 + [1] * 6,
    [[0, 3, -1], [-2, -2, 2]],
)


def _joint_tables(rng):
    """Yield joint tables of any size, with masses of 0 and below 1e-3, and with nearly equal ones."""
    for m, n_classes in ((1, 1), (1, 4), (9, 2), (6, 3), (50, 6), (120, 3)):
        yield probabilities(rng, m * n_classes).reshape(m, n_classes)
    nearly = np.array([*itertools.permutations(range(3))]) * 1e-10 + 1 / 18
    yield nearly / nearly.sum()
    yield np.array([[2e-4, 3e-4], [9e-4, 4e-4], [0.3, 0.6982]])


@statement("homework", "lectures/01_bayes.ipynb, section 4")
def decide_(decide, rng, *, m=5, bits=16):
    """At each atom the answer $k$ has the largest mass $P(X = x, Y = k)$ of all classes: it is most probable
    given $X = x$ where there is mass, and any class will do elsewhere."""
    # by the joint distribution, which the lecture's rule does not take, and with an atom without mass
    empty = np.array([[4, 3, 1], [2, 9, 5], [0, 0, 0], [1, 2, 5]]) / 32
    for joint in (random_finite_distribution(rng, m, 4, denominator=2**bits).table(), empty):
        chosen = claims.entries(joint, decide(joint))
        yield equal("P(X = x, Y = answer) at each atom", chosen, joint.max(axis=1), joint=joint)


@hard_cases(decide_)
def decide_any_table(decide, rng):
    """Few and many points and classes, small masses, and masses that agree to nine digits."""
    for joint in _joint_tables(rng):
        chosen = claims.entries(joint, decide(joint))
        yield equal(f"P(X = x, Y = answer) of a table {joint.shape}", chosen, joint.max(axis=1), joint=joint)
    yield from repeatable("decide", decide, joint)


@statement("homework", "lectures/01_bayes.ipynb, section 1.2")
def errors_(error_probability, rng):
    """A rule errs with the mass of all pairs of a point and a class other than its answer."""
    for joint in _joint_tables(rng):
        rule = rng.integers(joint.shape[1], size=len(joint))
        wrong = sum(p for x, row in enumerate(joint) for k, p in enumerate(row) if k != rule[x])
        found = error_probability(rule, joint)
        yield equal(f"error of a rule, table {joint.shape}", found, wrong, rounding(joint.size), joint=joint)
    yield from repeatable("error_probability", error_probability, rule, joint)


@statement("homework", "lectures/01_bayes.ipynb, section 4")
def least(least_error, rng, *, m=5, bits=16):
    r"""With $K$ classes the Bayes risk is $1 - E\max_k \eta_k(X)$, the least of the $K^m$ risks."""
    # compare with the enumeration of all rules, in fractions
    for n_classes, n_null in ((3, 0), (4, 1)):
        distribution = random_finite_distribution(rng, m, n_classes, n_null=n_null, denominator=2**bits)
        least, value = claims.least_cost(distribution), least_error(distribution.table())
        yield equal(
            f"Bayes risk of {n_classes} classes", value, least, rounding(20), joint=distribution.table()
        )
    many = np.array([[3, 1, 2], [1, 2, 1], [0, 1, 5], [2, 2, 0]] * 10) / 200  # no search ends in time
    yield equal("Bayes risk on 40 points", least_error(many), 0.4, rounding(240), joint=many)


@hard_cases(least)
def least_of_any_table(least_error, rng):
    """Few and many points and classes, masses of 0 and small ones."""
    for joint in _joint_tables(rng):
        smallest = sum(sum(sorted(row)[:-1]) for row in joint.tolist())
        value = least_error(joint)
        yield equal(
            f"Bayes risk of a table {joint.shape}", value, smallest, rounding(joint.size), joint=joint
        )
    yield from repeatable("least_error", least_error, joint)


def _least_cost(choose, words, costs):
    posterior = np.array([[3, 8, 5], [9, 1, 6], [4, 5, 7], [2, 4, 10]]) / 16
    cost = np.array(costs, dtype=np.float64)
    expected = posterior @ cost  # sixteenths: exact
    paid, best = claims.entries(expected, choose(posterior, cost)), expected.min(axis=1)
    slack = rounding(3, abs(cost).max())
    return equal(f"expected cost of the answer to each row, {words}", paid, best, slack)


@statement("homework", "lectures/01_bayes.ipynb, section 5")
def choose_(choose):
    r"""For any real costs, also of a right answer and negative ones, the answer $a$ to each row has the least
    $\sum_k P(k) \, c(k, a)$."""
    # ask for costs that no loss of the lecture has, and that other rules than the expected cost answer
    for words, costs in COSTS.items():
        yield _least_cost(choose, words, costs)


@hard_cases(choose_)
def choose_any_costs(choose, rng):
    """Decimal costs of any size and sign, many answers, classes and points, and costs that nearly agree."""
    sizes = (
        (5, 2, 2, 1e-4),
        (7, 3, 3, 1.0),
        (120, 3, 4, 3.0),
        (6, 6, 6, 1e5),
        (8, 4, 7, 1e-3),
        (1, 1, 1, 1.0),
    )
    cases = []
    for n, n_classes, n_answers, unit in sizes:
        posterior = np.array([probabilities(rng, n_classes) for _ in range(n)])
        cases.append((posterior, unit * (thirds(rng, (n_classes, n_answers)) + 1.7)))
    nearly = np.array([[0.4, 0.6], [0.3999999, 0.6000001], [0.400004, 0.599996], [0.41, 0.59]])
    cases.append((nearly, np.array([[0.0, 3.0], [2.0, 0.0]])))  # at 0.4 the two answers cost the same
    cases.append((np.array([[0.9996, 0.0004], [0.9, 0.1]]), np.array([[0.0, 1.0], [9000.0, 0.0]])))
    cases.append((np.full((1, 2), 0.5), 1e-4 * np.array([[3.0, 1.0], [1.0, 2.0]])))
    for posterior, cost in cases:
        expected = posterior @ cost
        paid = claims.entries(expected, choose(posterior, cost))
        slack = rounding(len(cost), abs(cost).max())
        words = f"expected cost of the answers, cost {cost.shape}, {len(posterior)} points"
        yield equal(words, paid, expected.min(axis=1), slack, posterior=posterior, cost=cost)
    yield from repeatable("choose", choose, posterior, cost)


@statement("homework", "lectures/01_bayes.ipynb, section 5")
def answers(choose):
    """The answers are the columns of the cost matrix, more or fewer than the classes."""
    # ask for more answers, then for fewer: the lecture's losses have as many as there are classes
    yield _least_cost(choose, "four answers", [[0, 9, 9, 2], [8, 0, 9, 2], [9, 6, 0, 2]])
    yield _least_cost(choose, "two answers", [[2, 9], [5, 0], [5, 4]])


@statement("homework", "lectures/01_bayes.ipynb, section 5")
def threshold_(threshold, rng):
    r"""$\log(f_1/f_0) \ge t$ iff $c_{FN}\,p f_1 \ge c_{FP}(1 - p) f_0$: at the threshold the two answers cost
    the same, for any prior strictly between 0 and 1 and any positive costs."""
    cases = [(p, cost_fp, cost_fn) for p in LEVELS for cost_fp, cost_fn in ((0.7, 3.0), (2e4, 1e-4))]
    cases += [(1 / 3, cost, 0.3) for cost in SCALES] + [(0.123456, 0.3, cost) for cost in SCALES]
    cases += [(float(p), float(cost_fp), float(cost_fn)) for p, cost_fp, cost_fn in rng.random((3, 3))]
    for p, cost_fp, cost_fn in cases:
        t = float(threshold(p, cost_fp, cost_fn))
        one, zero = math.log(cost_fn * p) + t, math.log(cost_fp * (1 - p))
        yield equal(
            f"log costs at t, p = {p:g}, costs {cost_fp:g} and {cost_fn:g}", one, zero, rounding(4, 40)
        )
    yield from repeatable("threshold", threshold, p, cost_fp, cost_fn)


@statement("homework", "lectures/01_bayes.ipynb, section 9")
def fit(PlugIn, rng, *, n_0=5, n_1=6, n_2=7):
    r"""The estimates are $\hat\pi_k = n_k / n$, the class means, and the class covariances with divisor
    $n_k$."""
    # compare the fitted parameters with exact sums over integers
    counts = np.array([n_0, n_1, n_2])
    X = rng.integers(-8, 9, (counts.sum(), 2)).astype(np.float64)
    y = np.repeat([0, 1, 2], counts)
    for k in range(3):
        X[np.flatnonzero(y == k)[:3]] += [[20.0, 0], [0, 20.0], [-20.0, -20.0]]  # no class on a line
        X[y == k] += [8.0 * k + 5, 3 - 6.0 * k]
    model = PlugIn()
    model.fit(X, y)
    groups = [X[y == k] for k in range(3)]
    means = np.array([rows.sum(axis=0) / len(rows) for rows in groups])
    second = [rows.T @ rows / len(rows) - np.outer(m, m) for rows, m in zip(groups, means, strict=True)]
    yield equal("prior", model.prior, counts / len(X), rounding(2), X=X, y=y)
    yield equal("means", model.means, means, rounding(7, 49), X=X, y=y)
    words = "covariances, each around its class's mean and with divisor n_k"
    yield equal(words, model.covariances, np.array(second), rounding(14, 49**2), X=X, y=y)


@statement("homework", "lectures/01_bayes.ipynb, section 10")
def classify(PlugIn):
    """The posterior is Bayes' formula with the estimates, for any number of classes and features and in any
    unit, and the answer is its largest entry, be it below 1/2."""
    # ask of close classes of few rows: the lecture's, far apart and of equal size, leave it to chance. There
    # the largest density, the nearest mean and the class above 1/2, if any, are answers to other questions.
    # In the second unit the determinants are 0 in double precision, and the posterior is the same.
    tables = ("", CLOSE, 1), (" of 3 features, in a unit where det is 0", IN_SPACE, 2.0**-200)
    for words, (rows, labels, places), unit in tables:
        X, y, points = np.array(rows) * 1.0, np.array(labels), np.array(places) * 1.0
        expected, slack = plugged_in(X, y, points)
        model = PlugIn()
        model.fit(unit * X, y)
        yield equal(f"posterior{words}", model.posterior(unit * points), expected, slack)
        yield equal(f"most probable classes{words}", model.predict(unit * points), expected.argmax(axis=1))


@hard_cases(classify)
def classify_in_every_regime(PlugIn, rng):
    """Decimals, any unit, up to five features and six classes in no order; new points and a second fit."""
    cases = [(name, X, 2) for name, X in feature_matrices(rng, min_n=14, min_d=2, many=140, constant=False)]
    cases += [("six classes", thirds(rng, (60, 3)), 6), ("labels in no order", thirds(rng, (30, 2)), 3)]
    for name, X, n_classes in cases:
        n, d = X.shape
        y = rng.permutation(np.arange(n) % n_classes)
        y[: n // 4] = np.sort(y[: n // 4])
        scale = X.std(axis=0)
        model = PlugIn()
        model.fit(X.copy(), y.copy())
        points = X[rng.integers(n, size=4)] + scale * thirds(rng, (4, d)) / 20
        expected, slack = plugged_in(X, y, points)
        if slack < 1e-4:
            yield equal(f"posterior, {name}", model.posterior(points), expected, slack, X=X, y=y)
            taken = claims.entries(expected, model.predict(points))
            yield at_most(f"posterior lost by the answers, {name}", expected.max(axis=1) - taken, slack)
        groups = [X[y == k] for k in range(n_classes)]
        means = np.array([rows.mean(axis=0) for rows in groups])
        size, spread = abs(X).max(), abs(X - X.mean(axis=0)).max()
        yield equal(f"means, {name}", model.means, means, rounding(n, size), X=X, y=y)
        second = [(rows - m).T @ (rows - m) / len(rows) for rows, m in zip(groups, means, strict=True)]
        slack = rounding(n, spread * (spread + size))
        yield equal(f"covariances, {name}", model.covariances, np.array(second), slack, X=X, y=y)
    data = [(thirds(rng, (20, 2)) + k, random_labels(rng, 8, 2)) for k in (0, 3)]
    data = [(X, np.concatenate([[0] * 6, [1] * 6, y])) for X, y in data]
    queries = [thirds(rng, (5, 2)) / 3, thirds(rng, (5, 2)) / 3]
    yield from stateless(
        "posterior",
        PlugIn,
        lambda model, known: model.fit(*known),
        lambda model, points: model.posterior(points),
        data,
        queries,
        rounding(60, 1000),
    )


@statement("homework", "lectures/deeper/01_bayes.ipynb, section 7")
def beers(pass_probability, rng, *, n=2):
    r"""The student passes iff laziness is at most $c - x_1 - x_2$: the probability is the integral of
    $\lambda e^{-\lambda s}$ up to there, 0 where nothing is left."""
    # integrate the density for other limits and rates than the lecture's 7 and 1
    nodes, weights = gauss(0.0, 1.0, 40)
    for limit, rate in ((4.0, 1.5), (9.0, 0.5), (rng.integers(8, 33) / 4, 0.75)):
        X = np.vstack([[[0.5, 1.5], [limit, 1.0]], rng.integers(0, 9, (n, 2)) / 8])
        room = np.maximum(0, limit - X.sum(axis=1))
        integral = rate * room * (np.exp(-rate * np.outer(room, nodes)) @ weights)
        eta = pass_probability(X, float(limit), rate)
        yield equal("mass of laziness up to what is left", eta, integral, rounding(40, 7), X=X)


@hard_cases(beers)
def beers_of_any_limit_and_rate(pass_probability, rng):
    """Rates and limits of any size, many students, and hours that are no eighths."""
    for limit in (0.01, 2.3, 30.0, 2e4):
        for rate in SCALES:
            X = np.vstack([abs(thirds(rng, (4, 2))) * limit / 15, [[limit, 0.0]], [[limit / 3, limit / 7]]])
            room = np.maximum(0, limit - X.sum(axis=1))
            truth = -np.expm1(-rate * room)
            eta = pass_probability(X, limit, rate)
            yield equal(f"limit {limit:g}, rate {rate:g}", eta, truth, rounding(3, 1 + rate * limit), X=X)
    X = abs(thirds(rng, (130, 2))) / 3
    truth = -np.expm1(-0.7 * np.maximum(0, 4.5 - X.sum(axis=1)))
    yield equal("130 students", pass_probability(X, 4.5, 0.7), truth, rounding(3, 4))
    yield from repeatable("pass_probability", pass_probability, X, 4.5, 0.7)


# ------------------------------------------------------------------- how the claims of the lecture ask


def _rule_for_loss(choose, posterior, loss):
    costs = np.asarray(loss, dtype=np.float64).T.copy()  # the homework's rows are truths
    return choose(np.asarray(posterior, dtype=np.float64), costs)


def _threshold(student):
    priors = itertools.cycle((0.5, 0.125, 0.75, 0.25))

    def cost_threshold(cost_fp, cost_fn):
        if min(cost_fp, cost_fn) < 0:
            raise ValueError("the question has positive costs only")
        prior = next(priors)  # at the threshold eta is the same, whatever the prior
        odds = student["threshold"](prior, float(cost_fp), float(cost_fn)) + math.log(prior / (1 - prior))
        return np.exp(-np.logaddexp(0, -odds))

    return {"cost_threshold": cost_threshold, "threshold": student["threshold"]}


class _BeersDistribution:
    pass_probability: Any

    def posterior(self, X):
        eta = self.pass_probability(X, 7.0, 1.0)
        return np.column_stack([1 - np.asarray(eta), eta])


# ------------------------------------------------------------------- the questions


@part(
    4,
    claims.rule_multi,
    decide_,
    adapt={"bayes_rule": lambda decide, posterior: decide(np.asarray(posterior) / len(posterior))},
)
def decide(joint):
    r"""**Decide.** The distribution is known: at each atom $x$ choose the class that is most probable given
    $X = x$ (section 4), for any number of classes $K \ge 1$. Do you need the conditional probabilities for
    this?

    Return a most probable class at each atom; any choice will do in a tie.

    joint (m, K) in [0, 1]: joint[x, k] = P(X = x, Y = k); sums to 1
    returns (m,) int in [0, K): class chosen at each atom
    """


@part(
    2,
    errors_,
    claims.setup_risk01,
    name="errors",
    adapt={"risk": lambda error_probability, *distribution: error_probability(*distribution)},
)
def error_probability(rule, joint):
    """**How often is that wrong?** Write the probability that a given rule errs (section 1.2).

    Return P(rule(X) != Y).

    rule (m,) int >= 0: the answer at each atom
    joint (m, K) in [0, 1]: joint[x, k] = P(X = x, Y = k); sums to 1
    returns: probability
    """


@part(
    2,
    claims.risk,
    claims.risk_overlap,
    least,
    name="least",
    adapt={"bayes_risk": lambda least_error, joint: least_error(joint)},
    often={"TIME": "all rules are tried, of which there are K^m"},
)
def least_error(joint):
    """**How often must anybody be wrong?** Write the least probability of an error that any rule can reach,
    the Bayes risk (sections 3.4 and 4), for any number of classes.

    Return the smallest P(f(X) != Y) of any rule f. Do not search: use the formula.

    joint (m, K) in [0, 1]: joint[x, k] = P(X = x, Y = k); sums to 1
    returns: probability
    """


@part(
    4,
    claims.general_loss_rule,
    claims.traffic_signs,
    choose_,
    answers,
    adapt={"bayes_rule_for_loss": _rule_for_loss},
    given={"bayes_rule": bayes.bayes_rule},
)
def choose(posterior, cost):
    """**Unequal costs.** Reading a stop sign as a speed limit is worse than the reverse (section 5). Write
    the best rule for any cost matrix: a right answer may cost something, a negative cost is a gain, and there
    may be more or fewer answers than classes. In the lecture's matrix a row is an answer; here the *rows are
    the truth*.

    Return the answer of least expected cost at each point; any choice will do in a tie.

    posterior (n, K) in [0, 1]: rows sum to 1
    cost (K, A): cost[k, a]: the answer a when the truth is k
    returns (n,) int in [0, A): answer for each row
    """


@part(
    2,
    threshold_,
    claims.cost_threshold.at(costs=((1, 1), (1, 7), (9, 2), (4, 1), (2, 5))),
    adapt=_threshold,
    given={"bayes_rule_binary": bayes.bayes_rule_binary},
)
def threshold(prior, cost_fp, cost_fn):
    r"""**Derive.** Two classes with densities $f_0, f_1$, prior $p = P(Y = 1)$, and the costs $c_{FP}$ of
    answering 1 when the truth is 0 and $c_{FN}$ of answering 0 when it is 1. The best rule answers 1 iff
    $\log(f_1(x)/f_0(x)) \ge t$. Derive $t$, another one than the threshold on $\eta$ in (5.4), from sections
    5 and 6.

    Return t such that answering 1 iff log(f1/f0) >= t has the least expected cost.

    prior: P(Y = 1), strictly between 0 and 1
    cost_fp, cost_fn >= 0: positive
    returns: threshold on the natural logarithm of the ratio
    """


@part(2, beers, claims.beers_eta, name="beers", adapt={"BeersDistribution": _BeersDistribution})
def pass_probability(X, limit, rate):
    r"""**Derive.** A student sleeps $x_1$ hours and drinks $x_2$ beers a day, and is lazy to a degree $s \ge
    0$ that nobody sees: independent of both, with density $\lambda e^{-\lambda s}$, $\lambda > 0$. The
    student passes iff $x_1 + x_2 + s \le c$. (With $\lambda = 1$, $c = 7$ it is the example of section 7 of
    `lectures/deeper/01_bayes.ipynb`, where sleep harms, too.) What is the probability of passing, given $x_1$
    and $x_2$?

    Return P(pass | x1, x2) for each row.

    X (n, 2) >= 0: sleep and beers
    limit >= 0: c > 0
    rate >= 0: lambda > 0
    returns (n,): probability of passing
    """


@part(
    4,
    fit,
    classify,
    bayes_estimates.plugin_generative,
    replace(bayes_estimates.plugin_far_points, section="2.3"),
    name="plugin",
    adapt={"PlugInClassifier": {"fit": "fit", "predict_proba": "posterior", "predict": "predict"}},
)
class PlugIn:
    """**Build.** The distribution is unknown: estimate priors by frequencies and a Gaussian for each class
    by maximum likelihood (divisor $n_k$, section 9), and plug them into Bayes' formula (section 10). Work
    with logarithms: densities underflow (section 2.3), and so may determinants. `fit` sets the attributes
    named below; what it returns does not matter.

    The Gaussian plug-in classifier.

    X (n, d): one row a point, d >= 2
    prior (K,): estimated class probabilities
    means (K, d): one row a class
    covariances (K, d, d): divisor n_k
    """

    def fit(self, X, y):
        """Estimate priors, means and covariances; every class has more than d rows.

        y (n,) int >= 0: classes 0..K-1
        """

    def posterior(self, X):
        """Return the estimated posterior of each row.

        returns (n, K): estimated P(Y = k | x), rows sum to 1
        """

    def predict(self, X):
        """Return the most probable class of each row.

        returns (n,) int: class 0..K-1
        """


# ------------------------------------------------------------------- the same questions in other conventions


@variant("choose", ("the *rows are the truth*", "the *rows are the answers*"))
def _answers_in_rows(choose, posterior, cost):
    """posterior
    cost (A, K): cost[a, k]: the answer a when the truth is k
    """
    return choose(posterior, cost.T)


def _turned(function, *tables):
    return function(*(np.asarray(table).T for table in tables))


def _intro_turned(whole):
    intro = replaced(whole.intro, "`(m, K)` with `joint[x, k]`", "`(K, m)` with `joint[k, x]`")
    return replace(whole, intro=intro)


_JOINT = "joint (K, m) in [0, 1]: joint[k, x] = P(X = x, Y = k); sums to 1"
_tables_turned = (
    variant("decide", stub=_JOINT)(_turned),
    variant("errors", stub=f"rule\n{_JOINT}")(_turned),
    variant("least", stub=_JOINT)(_turned),
    _intro_turned,
)


@variant(
    "threshold",
    (r"$\log(f_1(x)/f_0(x)) \ge t$", r"$\log(f_0(x)/f_1(x)) \le t$"),
    ("", "Here a right answer is not free: it *earns* `gain`."),
)
def _with_gains(threshold, prior, cost_fp, cost_fn):
    """Return t such that answering 1 iff log(f0/f1) <= t has the least expected cost.

    prior, cost_fp, cost_fn
    gain >= 0: earned by every right answer, of either class
    """
    gain = min(cost_fp, cost_fn) / 2  # less for a right answer is as much more for a wrong one
    return -threshold(prior, cost_fp - gain, cost_fn - gain, gain)


def _from_the_classes(whole):
    shape = whole.part("least").writes[0].parameters["joint"].shape  # turned already, or not
    atoms, letters = shape.index("m"), ", ".join(shape)
    places = letters.replace("m", "x").replace("K", "k")
    stub = f"""prior (K,) in [0, 1]: P(Y = k)
    conditional ({letters}) in [0, 1]: [{places}]: P(X = x | Y = k); 0 where P(Y = k) = 0"""

    def convert(least_error, joint):
        joint = np.asarray(joint, dtype=np.float64)
        prior = joint.sum(axis=atoms)
        return least_error(prior, joint / np.expand_dims(np.where(prior > 0, prior, 1.0), atoms))

    words = (
        "Here you get the priors and the distribution of $X$ *within each class*, and no joint distribution."
    )
    return variant("least", ("", words), stub=stub)(convert)(whole)


assignment = Assignment(
    id="hw01",
    title="Bayes rule",
    lecture="lectures/01_bayes.ipynb",
    intro="You need NumPy and the lecture, nothing else. Any choice among equally good answers is right. "
    "Laws on finite domains are tables `joint` of shape `(m, K)` with `joint[x, k]` "
    "$= P(X = x, Y = k)$; an atom may have mass 0.",
    variants=(_answers_in_rows, _tables_turned, _with_gains, _from_the_classes),
    parts=(decide, error_probability, least_error, choose, threshold, pass_probability, PlugIn),  # type: ignore[arg-type]
)
