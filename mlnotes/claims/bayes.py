"""The statements on Bayes rule as executable claims, in the order of the lecture: a known distribution.

What estimates put in its place, and what the notes got wrong, is in `bayes_estimates`.

Distributions are finite with dyadic masses (multiples of 2**-16): every mass and every sum of masses is exact
in float64, so that an inequality between risks is decided by the mathematics and not by rounding. Where a
claim compares with exact rationals, the truth is computed here, with `fractions.Fraction`, from the joint
table.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from mlnotes.checking import at_least, at_most, bernstein, equal, hard_cases, hoeffding, rounding, statement
from mlnotes.checking.outputs import refuses
from mlnotes.claims.instances.gaussians import gauss
from mlnotes.datasets import FiniteDistribution, gaussian_pair, random_finite_distribution

OUTPUTS = {
    **dict.fromkeys(("risk", "bayes_risk", "excess_risk", "empirical_risk", "regularised_risk"), "number"),
    **dict.fromkeys(("hamming_loss", "subset_loss", "cost_threshold"), "number"),
    **dict.fromkeys(("plugin_bound", "bernoulli_mle", "BeersDistribution.bayes_risk"), "number"),
    **dict.fromkeys(("bayes_rule", "bayes_rule_binary", "bayes_rule_for_loss"), "(n,) int"),
    **dict.fromkeys(("misclassification_loss", "hinge_loss", "perceptron_loss", "logistic_loss"), "(n,)"),
    "exponential_loss": "(n,)", "likelihood_ratio_rule": "(n,) int", "zero_one_loss": "(K, K)",
    "joint_table": "(m, K)", "posterior": "(n, K)", "reject_loss": "(A, K)", "conditional_risk": "(n, A)",
    "Gaussian.log_density": "(n,)", "PlugInClassifier.predict": "(n,) any",
    "PlugInClassifier.predict_proba": "(n, K)", "BeersDistribution.posterior": "(n, 2)",
    "GaussianClasses.posterior": "(n, 2)",
}  # fmt: skip
ZERO_ONE = 1.0 - np.eye(2)
# eta on both sides of 1/2, as close as 1/192; the best of three classes below 1/2 at three of four points
STRADDLING = FiniteDistribution.from_weights([[w - s, w + s] for w in (2, 6, 24, 96) for s in (1, -1)])
FLAT = FiniteDistribution.from_weights([[6, 5, 5], [5, 6, 5], [5, 5, 6], [12, 2, 2]])
TWO_SKIES = FiniteDistribution.from_weights([[6, 4], [3, 7]])


def entries(table, rule):
    """Return the entry of each row of a table that a rule chooses."""
    rule = np.asarray(rule)
    if rule.min() < 0 or rule.max() >= np.shape(table)[1]:
        raise ValueError("a rule must consist of numbers of columns, from 0 on")
    return np.asarray(table)[np.arange(len(table)), rule]


def expected_losses(distribution, loss=None):
    """Return mass times expected loss of each prediction at each point, exactly, shape (m, A)."""
    loss = 1 - np.eye(distribution.n_classes) if loss is None else loss
    return distribution.exact_table() @ loss.T.astype(np.int64)


def cost(distribution, rule, loss=None):
    """Return the risk of a rule, rounded once; for the 0-1 loss if none is given."""
    return float(entries(expected_losses(distribution, loss), rule).sum())


def least_cost(distribution, loss=None):
    """Return the smallest risk of all rules, found by trying them, rounded once."""
    exact = [[Fraction(value) for value in row] for row in expected_losses(distribution, loss)]
    scale = math.lcm(*(value.denominator for row in exact for value in row))
    whole = [[int(value * scale) for value in row] for row in exact]  # sums of fractions are slow
    return float(Fraction(min(map(sum, itertools.product(*whole))), scale))


def eta_of(distribution):
    """Return P(Y = 1 | X) of a two-class distribution as floats, shape (m,)."""
    return distribution.conditional()[:, 1].astype(np.float64)


def columns(eta):
    """Return the posterior when there are two classes, shape (n, 2)."""
    return np.column_stack([1 - eta, eta])


def floats(table):
    return np.asarray(table).astype(np.float64)


def three_classes(rng):
    """Return 90 observations of three well-spread Gaussian classes, 30 of each, shapes (90, 2) and (90,)."""
    codes = np.repeat(np.arange(3), 30)
    centres = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    return centres[codes] + rng.standard_normal((90, 2)), codes


def random_loss(rng):
    """Return a loss of three classes: 0 right, integers 1..10 above the diagonal and 11..20 below it."""
    loss = rng.integers(1, 11, (3, 3)) + 10.0 * np.tri(3)
    np.fill_diagonal(loss, 0)
    return loss


# ------------------------------------------------------------------- 1 The set-up
@statement(
    "definition", "1", "Yan, mathematical set-up", "Recitation 7, 1.1", "Wainwright, 2.2", false_alarm=1e-9
)
def setup_iid(FiniteDistribution, rng):
    r"""The data $(x_1, y_1), \dots, (x_n, y_n)$ are independent draws from one distribution of $(X, Y)$: the
    class counts are random, and a label depends on its own $x$."""
    weights, failure, n = np.array([[4, 1], [1, 2], [1, 3]]), 1e-9 / 9, 20_000
    distribution, masses = FiniteDistribution.from_weights(weights), weights.ravel() / 12
    X, y = map(np.asarray, distribution.sample(n, rng))
    cells = 2 * X[:, 0].astype(np.int64) + y
    yield equal("frequency of each cell", np.bincount(cells, minlength=6) / n, masses, hoeffding(n, failure))
    # two draws fall into one cell; the pairs are disjoint
    pairs = {"next to each other": (cells[::2], cells[1::2]), "half a sample apart": np.split(cells, 2)}
    for where, (one, other) in pairs.items():
        yield equal(
            f"equal draws {where}", (one == other).mean(), masses @ masses, hoeffding(n // 2, failure)
        )
    typical = np.mean([np.sum(distribution.sample(48, rng)[1]) == 24 for _ in range(400)])
    band = math.comb(48, 24) / 2**48 + hoeffding(400, failure)
    yield at_most("proportion of samples with exactly half of the draws in each class", typical, band)


@statement("definition", "1", "Yan, classification problem", "Chapter 10, 10.1", "Wainwright, 2.2")
def setup_classifier(PlugInClassifier, rng):
    r"""A classifier is a map $f$ from the features to the *labels*: every prediction is one of the labels
    seen in training, of the same type."""
    X, codes = gaussian_pair(2.0).sample(60, rng)
    X, codes = np.vstack([X, [[-9.0, 0], [9.0, 0]]]), np.append(codes, [0, 1])
    for labels in (np.array([3, 7]), np.array([-1, 1]), np.array(["no", "yes"])):
        model = PlugInClassifier().fit(X, labels[codes])
        predicted = model.predict(X)
        yield equal(
            "predictions that are no label of the training set", np.sum(~np.isin(predicted, labels)), 0
        )
        yield equal("kind of the predictions' type", predicted.dtype.kind, labels.dtype.kind)
        yield equal("number of predictions for one observation", len(model.predict(X[:1])), 1)


@statement("definition", "1", "Yan, passim", "Chapter 10, 10.1", "Recitation 7, 2.1", "Shi, Classification")
def setup_labels(PlugInClassifier, rng):
    r"""The coding of the labels, $\{0, 1\}$, $\{-1, +1\}$ or $\{1, \dots, K\}$, carries no information:
    renaming the classes renames the predictions and changes nothing else, except for ties that the names
    decide."""
    X, codes = three_classes(rng)
    reference = PlugInClassifier().fit(X, codes).predict(X)
    for labels in (np.array([1, 2, 3]), np.array([-5, 40, 7]), np.array(["c", "a", "b"])):
        predicted = PlugInClassifier().fit(X, labels[codes]).predict(X)
        names, codes_before = predicted[:, None] == labels, reference[:, None] == np.arange(3)
        yield equal(
            "observations predicted in each class, renamed or not", names, codes_before, labels=labels
        )


@statement(
    "definition", "1", "Yan, R(f)", "Wainwright, eq. (2.3)", "Recitation 7, 1.1", "Shi, generalisation error"
)
def setup_risk01(risk, rng, *, m=6, bits=16):
    r"""The risk is the probability of an error, $R(f) = P(f(X) \ne Y) = E\,1\{f(X) \ne Y\}$."""
    for size, n_classes, n_null in ((m, 3, 0), (m, 2, 0), (m + 2, 4, 1)):
        distribution = random_finite_distribution(rng, size, n_classes, n_null=n_null, denominator=2**bits)
        for rule in rng.integers(0, n_classes, (2, size)):
            value, wrong = risk(rule, distribution.table()), cost(distribution, rule)
            yield equal(
                "risk: mass of the errors", value, wrong, rounding(32), rule=rule, joint=distribution.table()
            )


@statement("definition", "1", "Shi, supervised learning definition, revisited")
def setup_sl_definition(risk, bayes_risk, rng):
    r"""Supervised learning looks, in a set of candidate rules, for one of small expected loss. Over *all*
    rules the smallest expected loss is the Bayes risk, for the 0-1 loss and for any other."""
    distribution = random_finite_distribution(rng, 4, 3)
    for loss in (1 - np.eye(3), random_loss(rng), random_loss(rng)):
        smallest, least = (
            min(risk(f, distribution.table(), loss) for f in distribution.rules()),
            least_cost(distribution, loss),
        )
        yield equal(
            "smallest of 81 risks", smallest, least, rounding(36, 20), joint=distribution.table(), loss=loss
        )
        yield equal("Bayes risk", bayes_risk(distribution.table(), loss), least, rounding(36, 20), loss=loss)


@statement("definition", "1", "Wainwright, (2.1)-(2.2)", "Chapter 10, 10.1", "Shi, Risks")
def setup_loss01(zero_one_loss):
    r"""The 0-1 loss $\ell(a, k) = 1\{a \ne k\}$ is a symmetric matrix with zeros on the diagonal and ones
    elsewhere."""
    for n_classes in (1, 2, 3, 7):
        yield equal(f"0-1 loss of {n_classes} classes", zero_one_loss(n_classes), 1 - np.eye(n_classes))


@statement(
    "definition", "1", "Chapter 10, 10.1 and 10.1.1", estimators_only="The reference module lets NumPy speak."
)
def setup_data_matrix(PlugInClassifier, rng):
    r"""The data are a matrix with one *row* for each observation, $X \in R^{n \times d}$, and a vector of $n$
    labels. The transposed convention must be refused, not guessed."""
    X, y = rng.standard_normal((20, 2)) + np.repeat([[0], [9]], 10, axis=0), np.repeat([0, 1], 10)
    model = PlugInClassifier().fit(X, y)
    yield equal("predictions for two classes far apart", model.predict(X), y)
    yield equal("d x n data refused in fit", refuses(PlugInClassifier().fit, X.T, y), True)
    yield equal("one label too few refused in fit", refuses(PlugInClassifier().fit, X, y[1:]), True)
    yield equal("d x n data refused in predict", refuses(model.predict, X.T), True)
    yield equal("a flat vector refused in predict", refuses(model.predict, X[0]), True)


@statement("definition", "1 deeper", "Shi, Classification")
def setup_classification_types(hamming_loss, subset_loss):
    r"""Multi-label classification predicts $L$ labels at once. Its loss may count wrong labels (Hamming) or
    wrong observations (subset); the two differ as soon as one is partly right."""
    truth = np.array([[0, 1, 1], [0, 0, 1], [1, 0, 0]])
    guess = np.array([[0, 1, 0], [0, 0, 1], [0, 1, 1]])
    yield equal("Hamming loss: wrong labels of 9", hamming_loss(truth, guess), 4 / 9, rounding(9))
    yield equal("subset loss: wrong observations of 3", subset_loss(truth, guess), 2 / 3, rounding(3))
    yield equal("both of a perfect guess", hamming_loss(truth, truth) + subset_loss(truth, truth), 0.0)


@statement("example", "1 deeper", "Shi, predict articles' topics")
def setup_articles(articles):
    r"""Three articles with the labels religion, politics, science: (no, yes, yes), (no, no, yes), (yes, no,
    no). They have two, one and one topics."""
    table = np.asarray(articles().y)
    yield equal("the table of labels", table, [[0, 1, 1], [0, 0, 1], [1, 0, 0]])
    yield equal("topics of each article", table.sum(axis=1), [2, 1, 1])


# ------------------------------------------------------------------- 2 One distribution, read in two ways
@statement("definition", "2", "Recitation 7, 1.1")
def setup_joint_vs_conditional(marginal_and_posterior, joint_table, rng):
    r"""A joint distribution can be generated in two orders: first $x$ from $\mu$ and then $y$ from
    $\eta(x)$, or first $y$ from the prior $\pi$ and then $x$ from the class distribution. The distribution
    is the same."""
    table = random_finite_distribution(rng, 5, 3).table()
    first_x = joint_table(*marginal_and_posterior(table))
    yield equal("first x, then y", first_x, table, rounding(5), joint=table)
    turned = joint_table(*marginal_and_posterior(table.T))
    yield equal("first y, then x", turned.T, table, rounding(5), joint=table)


@statement("definition", "2", "Wainwright, 2.3.1")
def eta_mu(marginal_and_posterior, joint_table, rng):
    r"""A distribution of $(X, Y)$ is given by the marginal $\mu$ of $X$ and the regression function
    $\eta_k(x) = P(Y = k \mid X = x)$; $\eta$ is unique where $\mu$ has mass."""
    distribution = random_finite_distribution(rng, 6, 2, n_null=2)
    table, exact = distribution.table(), floats(distribution.marginal())
    marginal, conditional = (np.asarray(part) for part in marginal_and_posterior(table))
    yield equal("marginal", marginal, exact, rounding(2), joint=table)
    truth = floats(distribution.conditional())[exact > 0]
    yield equal("conditional, where there is mass", conditional[exact > 0], truth, rounding(2), joint=table)
    yield equal("sums of the rows of the conditional", conditional.sum(axis=1), np.ones(6), rounding(2))
    yield equal("round trip", joint_table(marginal, conditional), table, rounding(2), joint=table)
    apart = np.asarray(marginal_and_posterior(TWO_SKIES.table())[1])[:, 1]
    yield equal("P(Y = 1 | X = 0), and what (2.6) takes for it, at X = 1", apart, [0.4, 0.7], rounding(2))


@statement("formula", "2", "Yan, recap: Bayes optimal classifier", "Yan, kernel density classifier")
def formula(posterior, rng, *, far=10_000):
    r"""Bayes' formula: $P(Y = k \mid x) = \pi_k f_k(x) / \sum_j \pi_j f_j(x)$. In the log domain it survives
    densities that underflow, such as $e^{-«far»}$."""
    distribution = random_finite_distribution(rng, 5, 3)
    table, exact = distribution.exact_table(), floats(distribution.conditional())
    prior = table.sum(axis=0)
    logs, prior = np.log(floats(table / prior)), floats(prior)  # log P(x | k)
    # an error e in every log density changes a posterior by at most 2 e, relatively; e <= u (1 + |log f|)
    slack = rounding(8, 1 + abs(logs).max())
    yield equal("posterior against fractions", posterior(prior, logs), exact, slack, log_density=logs)
    shifted = logs + far * np.array([[-1], [1], [-1], [1], [-1]])
    yield equal("the same far out", posterior(prior, shifted), exact, rounding(8, 2 * far))


@hard_cases(formula)
def densities_of_zero(posterior):
    nowhere = posterior(np.array([0.25, 0.75]), np.array([[-np.inf, 3.0]]))
    yield equal("a density of 0", nowhere, [[0.0, 1.0]])
    empty = refuses(posterior, np.array([0.5, 0.5]), np.array([[0.0, 0.0], [-np.inf, -np.inf]]))
    yield equal("a point where all densities are 0 is refused", empty, True)


@statement("claim", "2 deeper", "Yan, a few remarks")
def discrete_joint(bayes_rule_binary, rng):
    r"""On a discrete domain the Bayes rule compares joint masses, $P(x, 1) \ge P(x, 0)$: dividing by $\mu(x)
    > 0$ changes no comparison."""
    distribution = random_finite_distribution(rng, 8, 2, n_ties=2)
    eta, table = eta_of(distribution), distribution.exact_table()
    more = (table[:, 1] >= table[:, 0]).astype(np.int64)
    yield equal("rule against the comparison of masses", bayes_rule_binary(eta), more, eta=eta)


# ------------------------------------------------------------------- 3 The Bayes rule, two classes
@statement(
    "definition", "3", "Yan, Bayes optimal classifier", "Wainwright, eq. (2.4)", "Recitation 7, Def. 1.1"
)
def rule_binary(bayes_rule_binary, rng):
    r"""The Bayes rule predicts 1 iff $\eta(x) = P(Y = 1 \mid X = x) \ge 1/2$; a tie goes to 1."""
    eta = np.concatenate([[0.0, np.nextafter(0.5, 0), 0.5, np.nextafter(0.5, 1), 1.0], rng.random(40)])
    expected = (eta >= 0.5).astype(np.int64)
    yield equal("rule on a grid with 0, 1/2 and 1", bayes_rule_binary(eta), expected, eta=eta)


@statement("theorem", "3", "Yan, Thm 2.1", "Wainwright, Thm 2.1", "Recitation 7, Claim 1.1")
def optimal_binary(bayes_rule_binary, rng):
    r"""No measurable rule has a smaller risk than the Bayes rule: $R(f^\star) \le R(f)$ for all $f$. Checked
    against all $2^m$ rules on a finite domain."""
    tied = random_finite_distribution(rng, 8, 2, n_null=1, n_ties=1)
    for distribution in (random_finite_distribution(rng, 8, 2), tied, STRADDLING):
        value = cost(distribution, bayes_rule_binary(eta_of(distribution)))
        yield at_most(
            "its risk against the smallest of 256",
            value,
            least_cost(distribution),
            joint=distribution.table(),
        )


@statement("homework", "3", "Yan, proof of Thm 2.1, '(why?)'")
def why_pointwise(bayes_rule_binary, conditional_risk, rng):
    r"""By the tower property $R(f) = E\,P(f(X) \ne Y \mid X)$, so it is enough to choose the best prediction
    at every point: $P(f(X) \ne Y \mid X) \ge P(f^\star(X) \ne Y \mid X)$."""
    distribution = random_finite_distribution(rng, 7, 2, n_ties=1)
    eta, marginal = eta_of(distribution), floats(distribution.marginal())
    errors = conditional_risk(columns(eta), ZERO_ONE)  # (m, 2)
    best = entries(errors, bayes_rule_binary(eta))
    for f in rng.integers(0, 2, (5, 7)):
        given_x = entries(errors, f)
        yield at_least("pointwise error of any rule", given_x, best, rounding(4), rule=f)
        yield equal(
            "mean of the pointwise errors", marginal @ given_x, cost(distribution, f), rounding(14), rule=f
        )
    yield at_least("largest pointwise error over that of the rule", (errors.max(axis=1) - best).max(), 2**-16)


@statement("formula", "3", "Yan, proof of Thm 2.1")
def pointwise_min(bayes_rule_binary, conditional_risk, rng):
    r"""At each point the Bayes rule errs with probability $\min(\eta(x), 1 - \eta(x))$."""
    eta = np.concatenate([[0.0, 0.25, 0.5, 0.75, 1.0], rng.random(40)])
    errors = conditional_risk(columns(eta), ZERO_ONE)
    yield equal("errors of the predictions 0 and 1", errors, columns(eta)[:, ::-1], rounding(2), eta=eta)
    least = entries(errors, bayes_rule_binary(eta))
    yield equal("error of the rule at each eta", least, np.minimum(eta, 1 - eta), rounding(2), eta=eta)
    yield equal("excess of Yan's second case, eta, over the error at eta = 3/4", eta[3] - least[3], 0.5)
    yield equal("excess of (2.7), 1 - eta, over the error of 0 at eta = 1/4", 1 - eta[1] - errors[1, 0], 0.5)


@statement("formula", "3", "Wainwright, (2.8)-(2.9)")
def excess_identity(excess_risk, bayes_rule_binary, rng):
    r"""What a rule loses at a point: $P(g \ne Y \mid x) - P(g^\star \ne Y \mid x) = \lvert 2\eta(x) -
    1\rvert\, 1\{g(x) \ne g^\star(x)\}$. Hence the excess risk is its mean."""
    distribution = random_finite_distribution(rng, 8, 2, n_ties=1, n_null=1)
    table, eta = distribution.table(), distribution.conditional()[:, 1]
    best = bayes_rule_binary(eta_of(distribution))
    for g in rng.integers(0, 2, (5, 8)):
        lost = float((distribution.marginal() * abs(2 * eta - 1) * (g != best)).sum())
        yield equal("excess risk of g", excess_risk(g, table), lost, rounding(16), rule=g, joint=table)


@hard_cases(excess_identity)
def signs_of_the_two_terms(excess_risk, bayes_rule_binary, rng):
    distribution = random_finite_distribution(rng, 8, 2, n_ties=1, n_null=1)
    best, (zero, one) = bayes_rule_binary(eta_of(distribution)), distribution.exact_table().T
    for g in rng.integers(0, 2, (5, 8)):
        lost = excess_risk(g, distribution.table())
        terms = one * (best - g) + zero * (g - best)  # 1{g* = 1} - 1{g = 1}, and the same of 0
        yield equal("the two terms of (2.8)", float(terms.sum()), lost, rounding(16), rule=g)
    printed = float((one * best + zero * (2 - best)).sum())  # for g = 0 everywhere
    beyond = printed - excess_risk(np.zeros(8, dtype=int), distribution.table())
    yield at_least("(2.8) as printed, with a plus: what it adds for g = 0", beyond, 2.0**-16)


@statement("claim", "3 deeper", "Yan, a few remarks")
def nonunique(risk, bayes_risk, rng):
    r"""The best rule need not be unique: it may predict anything where $\eta = 1/2$ and where there is no
    mass. On a finite domain there are exactly $2^{t + z}$ best rules, for $t$ ties and $z$ atoms of mass
    zero."""
    for ties, null in ((0, 0), (2, 1)):
        distribution = random_finite_distribution(rng, 7, 2, n_ties=ties, n_null=null)
        table = distribution.table()
        best = bayes_risk(table)
        # a rule that is not best loses at least one unit of 2**-16
        count = sum(risk(f, table) - best < 2.0**-17 for f in distribution.rules())
        yield equal(f"best rules with {ties} ties, {null} null atoms", count, 2 ** (ties + null), joint=table)


@statement("claim", "3 deeper", "Wainwright, 2.3.1, opening question")
def strict_question(risk, bayes_rule_binary, rng):
    r"""Is there a rule with $R(g^\star) < R(g)$ for all other $g$? Not in general: one tie is enough for a
    second rule of the same risk."""
    distribution = random_finite_distribution(rng, 6, 2, n_ties=1)
    table, eta, best = distribution.table(), eta_of(distribution), float(distribution.bayes_risk())
    rule = bayes_rule_binary(eta)
    other = np.where(eta == 0.5, 1 - rule, rule)
    yield equal("points where the two rules differ", (rule != other).sum(), 1)
    for name, g in (("rule, the smallest of any", rule), ("second rule", other)):
        yield equal(f"risk of the {name}", risk(g, table), best, rounding(12), joint=table)


@statement("definition", "3", "Yan, Bayes risk")
def risk(bayes_risk, rng, *, m=8, bits=16):
    r"""The Bayes risk is the smallest risk of any rule, $R^\star = \min_f R(f) = E\min(\eta(X), 1 -
    \eta(X))$."""
    drawn = random_finite_distribution(rng, m, 2, n_ties=1, n_null=1, denominator=2**bits)
    for distribution in (drawn, STRADDLING):
        eta, least = distribution.conditional()[:, 1], least_cost(distribution)
        mean = (distribution.marginal() * np.minimum(eta, 1 - eta)).sum()
        yield equal(f"smallest of {2**distribution.n_atoms} risks: E min", least, float(mean))
        value = bayes_risk(distribution.table())
        yield equal("Bayes risk against it", value, least, rounding(16), joint=distribution.table())


@statement("claim", "3", "Yan, Bayes risk")
def risk_overlap(bayes_risk, rng, *, m=8, bits=16):
    r"""The Bayes risk measures how much the classes overlap: $R^\star = \frac12 - \frac12 E\lvert 2\eta(X) -
    1\rvert$, which is 0 iff $\eta$ is 0 or 1 almost surely."""
    distribution = random_finite_distribution(rng, m, 2, denominator=2**bits)
    table, apart = (
        distribution.table(),
        (distribution.marginal() * abs(2 * distribution.conditional()[:, 1] - 1)).sum(),
    )
    yield equal("Bayes risk: overlap", bayes_risk(table), float(1 - apart) / 2, rounding(16), joint=table)
    labels = rng.permutation([0, 1, *rng.integers(0, 2, m - 2)])  # both classes occur
    table = FiniteDistribution.from_weights(
        rng.integers(1, 50, (m, 1)) * np.eye(2, dtype=np.int64)[labels]
    ).table()
    yield equal("of classes that do not overlap", bayes_risk(table), 0.0, rounding(16), joint=table)


@statement("definition", "3", "Yan, Bayes risk")
def excess(excess_risk, rng):
    r"""The excess risk $R(f) - R^\star$ is never negative, and 0 exactly for the best rules."""
    distribution = random_finite_distribution(rng, 6, 2, n_ties=1, n_null=1)
    exact = np.array([cost(distribution, f) for f in distribution.rules()]) - least_cost(distribution)
    values = np.array([excess_risk(f, distribution.table()) for f in distribution.rules()])
    yield equal("excess risks of all 64 rules", values, exact, rounding(12), joint=distribution.table())
    yield at_least("the smallest of them", values.min(), 0.0)


@statement("claim", "3", "Recitation 7, 1.1")
def oracle(risk, bayes_risk, rng):
    r"""The Bayes rule is an oracle: whatever is learnt from data, its true risk is at least $R^\star$, and
    only a rule that is best at every point attains it."""
    distribution = random_finite_distribution(rng, 6, 2)
    table, best = distribution.table(), float(distribution.bayes_risk())
    yield equal("the Bayes risk", bayes_risk(table), best, rounding(12), joint=table)
    for n in (1, 5, 25, 125):
        X, y = distribution.sample(n, rng)
        votes = np.zeros((6, 2))
        np.add.at(votes, (np.asarray(X, dtype=np.int64)[:, 0], y), 1)
        learnt = risk(votes.argmax(axis=1), table)
        yield at_least(
            f"true risk of a majority vote on {n} examples", learnt, best, rounding(12), joint=table
        )


@hard_cases(oracle)
def known_distribution(risk, rng):
    distribution = random_finite_distribution(rng, 6, 2)
    table, best = distribution.table(), float(distribution.bayes_risk())
    yield equal("risk of the most probable labels", risk(table.argmax(axis=1), table), best, rounding(12))
    yield at_least("risk of the other labels", risk(table.argmin(axis=1), table), 1 - best, rounding(12))


# ------------------------------------------------------------------- 4 Many classes
@statement("definition", "4", "Yan, multiclass setting", "Recitation 7, Def. 1.1")
def rule_multi(bayes_rule, rng, *, m=10, bits=16):
    r"""With $K$ classes the Bayes rule predicts a most probable class, $\arg\max_k \eta_k(x)$, under any tie
    rule."""
    yield equal(
        "predictions when there is one class", bayes_rule(np.ones((3, 1))), np.zeros(3, dtype=np.int64)
    )
    drawn = (random_finite_distribution(rng, m, K, n_ties=min(2, m), denominator=2**bits) for K in (2, 3, 5))
    for distribution in (FLAT, *drawn):
        eta = floats(distribution.conditional())
        chosen = entries(eta, bayes_rule(eta))
        yield equal(
            f"probability of the prediction, K = {distribution.n_classes}",
            chosen,
            eta.max(axis=1),
            posterior=eta,
        )


@statement("theorem", "4", "Yan, Thm 2.2", "Recitation 7, Claim 1.1")
def optimal_multi(bayes_rule, excess_risk, rng, *, m=5, bits=16):
    r"""For the 0-1 loss and $K$ classes $\arg\max_k \eta_k(x)$ is optimal, and the excess risk of a rule $g$
    is $E[\max_k \eta_k(X) - \eta_{g(X)}(X)]$. Checked against all $K^m$ rules."""
    distribution = random_finite_distribution(rng, m, 3, n_ties=1, denominator=2**bits)
    for finite in (FLAT, distribution):
        value = cost(finite, bayes_rule(floats(finite.conditional())))
        yield at_most("its risk against the smallest of all", value, least_cost(finite), joint=finite.table())
    eta, table = distribution.conditional(), distribution.table()
    for g in rng.integers(0, 3, (5, m)):
        lost = float((distribution.marginal() * (eta.max(axis=1) - entries(eta, g))).sum())
        yield equal("excess risk of g", excess_risk(g, table), lost, rounding(15), rule=g, joint=table)


# ------------------------------------------------------------------- 5 Unequal losses

SCREENING = np.array([[0.0, 1, 9], [4, 0, 9], [1, 1, 0]])  # missing class 2 is expensive
SIGNS = np.array([[0.0, 2, 2], [100, 0, 4], [100, 1, 0]])  # rows: predict stop, 50, 40


@statement("definition", "5", "Yan, more general loss", "Shi, definition revisited")
def general_loss_risk(risk, conditional_risk, rng):
    r"""For a loss $\ell(a, k)$ of the prediction $a$ for the truth $k$ the risk is $R_\ell(f) = E\,\ell(f(X),
    Y)$, the mean of $\sum_k \ell(f(x), k)\,\eta_k(x)$; the 0-1 loss gives the probability of an error."""
    distribution, loss = random_finite_distribution(rng, 5, 3), random_loss(rng)
    eta, table = distribution.conditional(), distribution.table()
    given_x = conditional_risk(floats(eta), loss)
    truth = floats(eta @ loss.T.astype(np.int64))
    yield equal("expected loss of each prediction at x", given_x, truth, rounding(3, 20))
    for f in rng.integers(0, 3, (4, 5)):
        value, mean = risk(f, table, loss), cost(distribution, f, loss)
        yield equal("risk", value, mean, rounding(15, 20), rule=f, joint=table, loss=loss)
        for matrix, value in (("0-1", risk(f, table, 1.0 - np.eye(3))), ("no", risk(f, table))):
            yield equal(f"{matrix} loss matrix", value, cost(distribution, f), rounding(15), rule=f)


@statement("claim", "5", "Yan, more general loss")
def general_loss_rule(bayes_rule_for_loss, rng, *, m=5, bits=16):
    r"""For a general loss the best rule is $f_\ell(x) = \arg\min_a \sum_k \ell(a, k)\,\eta_k(x)$; the most
    probable class may be suboptimal. Checked against all $K^m$ rules."""
    distribution = random_finite_distribution(rng, m, 3, n_ties=1, denominator=2**bits)
    eta = distribution.conditional()
    for loss in (random_loss(rng), SCREENING):
        expected = eta @ loss.T.astype(np.int64)  # (m, A), exact
        best = expected.min(axis=1)
        least = float((distribution.marginal() * best).sum())
        yield equal(f"smallest mean cost of {3**m} rules", least_cost(distribution, loss), least)
        expected_costs = entries(expected, bayes_rule_for_loss(floats(eta), loss))
        what = "expected cost of the prediction at each point"
        yield equal(what, floats(expected_costs), floats(best), rounding(3, 20), loss=loss)
    predicted = bayes_rule_for_loss(np.array([[0.0, 0.7, 0.3]]), SCREENING)
    yield equal("prediction where class 1 has 0.7, but missing class 2 costs 9", predicted, [2])


@statement("example", "5", "Yan, traffic signs")
def traffic_signs(bayes_rule_for_loss, bayes_rule, rng):
    r"""Signs: stop, 50, 40. Reading 'stop' as 50 costs far more than the reverse, $\ell(50, \text{stop}) >
    \ell(40, 50)$; then the best prediction is 'stop' long before it is probable."""
    eta = np.array([[0.1, 0.6, 0.3], [0.001, 0.9, 0.099], [0.45, 0.3, 0.25]])
    yield equal("cost-sensitive predictions", bayes_rule_for_loss(eta, SIGNS), [0, 1, 0])
    yield equal("most probable classes", bayes_rule(eta), [1, 1, 0])
    eta = rng.dirichlet([1, 1, 1], 50)
    costs = eta @ SIGNS.T
    expected_costs = entries(costs, bayes_rule_for_loss(eta, SIGNS))
    yield equal(
        "expected cost of the predictions", expected_costs, costs.min(axis=1), rounding(3, 100), posterior=eta
    )


@statement("claim", "5", "Recitation 7, 2.2, question on the threshold")
def cost_threshold(cost_threshold, bayes_rule_binary, rng, *, costs=((1, 1), (1, 7), (9, 2), (0, 3))):
    r"""With two costs of error the best rule predicts 1 iff $\eta(x) \ge c_{FP} / (c_{FP} + c_{FN})$."""
    distribution = random_finite_distribution(rng, 8, 2)
    for fp, fn in costs:
        t, loss = cost_threshold(fp, fn), np.array([[0, fn], [fp, 0]])
        yield equal("cost of predicting 1 where eta = t, and 0", (1 - t) * fp, t * fn, rounding(4, 9))
        expected = cost(distribution, bayes_rule_binary(eta_of(distribution), t), loss)
        least = least_cost(distribution, loss)
        yield equal(f"cost of the rule, costs {fp} and {fn}", expected, least, rounding(16, 9))


@hard_cases(cost_threshold)
def negative_costs(cost_threshold):
    refused = [refuses(cost_threshold, *pair) for pair in ((0.25, 0.25), (-1, 2), (2, -1))]
    yield equal("refused: costs 1/4 and 1/4, -1 and 2, 2 and -1", refused, [0, 1, 1])


@statement("theorem", "5 deeper", "Chow (1970)")
def reject_option(reject_loss, bayes_rule_for_loss, rng):
    r"""If 'I do not know' costs $c$, the best rule predicts the most probable class when its probability
    exceeds $1 - c$, and does not predict when it is smaller."""
    eta = rng.dirichlet([1, 1, 1], 60)
    top = eta.max(axis=1)
    for cost in (0.0, 0.125, 0.375, 0.75):
        predicted = bayes_rule_for_loss(eta, reject_loss(3, cost))
        clear = abs(top - (1 - cost)) > rounding(3)
        expected = np.where(top < 1 - cost, 3, eta.argmax(axis=1))
        yield equal(f"predictions when refusing costs {cost}", predicted[clear], expected[clear])


# ------------------------------------------------------------------- 6 Likelihood ratios
@statement("claim", "6", "Wainwright, eq. (2.5), note")
def lr_test(likelihood_ratio_rule, rng):
    r"""The Bayes rule is a likelihood-ratio test with threshold $(1-p)/p$, $p = P(Y = 1)$: $\eta(x) \ge
    \frac12 \iff f_1(x)/f_0(x) \ge (1-p)/p$."""
    for p in (0.03, 0.25, 0.5, 0.9):
        distribution = gaussian_pair(1.5, prior=p)
        X, _ = distribution.sample(60, rng)
        logs, eta = distribution.log_density(X), distribution.posterior(X)[:, 1]
        clear = abs(eta - 0.5) > rounding(10)
        predicted, expected = likelihood_ratio_rule(logs[:, 1] - logs[:, 0], p), (eta >= 0.5).astype(np.int64)
        yield equal(f"test against the posterior, p = {p}", predicted[clear], expected[clear])
    predicted = [likelihood_ratio_rule(np.log([2.0]), p)[0] for p in (0.5, 0.125)]
    yield equal("predictions at the ratio 2 for the thresholds 1 and 7", predicted, [1, 0])


@hard_cases(lr_test)
def ends_of_the_range(likelihood_ratio_rule):
    ends = likelihood_ratio_rule(np.array([0.0, np.inf, -np.inf]), 0.5)
    yield equal("a tie, f_0 = 0 and f_1 = 0", ends, [1, 1, 0])
    refused = [refuses(likelihood_ratio_rule, np.zeros(1), p) for p in (0.0, 1.0)]
    yield equal("P(Y = 1) of 0 and 1 refused", refused, [True, True])


@statement("claim", "6 deeper", "Chapter 10, 10.1, intuition")
def setup_hypothesis_testing_view(likelihood_ratio_rule, risk):
    r"""Classification resembles a test between two hypotheses: the maximum-likelihood rule $f_1(x) \ge
    f_0(x)$ is the Bayes rule at equal priors, and may lose risk at others."""
    likelihood = np.array([[1, 4], [3, 2], [4, 2]]) * Fraction(1, 8)
    ratio = np.log(floats(likelihood[:, 1] / likelihood[:, 0]))
    # at 2/5 no ratio lies between the thresholds 1 and 3/2
    cases: dict = {"1/2": 0, "2/5": 0, "1/8": Fraction(3, 64), "7/8": Fraction(21, 64)}
    for p, lost in ((Fraction(p), lost) for p, lost in cases.items()):
        joint = FiniteDistribution(tuple(map(tuple, likelihood * np.array([1 - p, p]))))
        ml = risk(likelihood_ratio_rule(ratio, 0.5), joint.table())
        best = risk(likelihood_ratio_rule(ratio, float(p)), joint.table())
        yield equal(f"risk of the test with the prior, p = {p}", best, float(joint.bayes_risk()), rounding(6))
        yield equal(f"what maximum likelihood loses, p = {p}", ml - best, float(lost), rounding(6))


# ------------------------------------------------------------------- 7 Beers and sleep
@statement("example", "7 deeper", "Wainwright, 2.3.2, (2.10)-(2.13)", false_alarm=1e-9)
def beers_model(BeersDistribution, rng):
    r"""Sleep, beers and (unseen) laziness are independent $\mathrm{Exp}(1)$; the student passes iff their sum
    is at most 7. Then $P(\text{pass}) = 1 - \frac{65}{2}e^{-7} = 0.97036$."""
    n, exact = 40_000, 1 - 32.5 * math.exp(-7)
    X, y = (np.asarray(part) for part in BeersDistribution().sample(n, rng))
    yield equal("share that passes", y.mean(), exact, bernstein(n, exact * (1 - exact), 1e-9 / 3))
    yield equal("who passes although sleep and beers alone exceed 7", y[X.sum(axis=1) > 7].sum(), 0)
    # an exponential variable cut at 1 is bounded, with mean 1 - 1/e
    cut, mean = np.minimum(X, 1).mean(axis=0), np.full(2, 1 - math.exp(-1))
    yield equal("means of sleep and beers, cut at 1", cut, mean, hoeffding(n, 1e-9 / 3))


@statement("homework", "7 deeper", "Wainwright, (2.14)-(2.16), left as an exercise")
def beers_eta(BeersDistribution, rng, *, n=40):
    r"""$\eta(x_1, x_2) = \max\bigl(0, 1 - e^{-(7 - x_1 - x_2)}\bigr)$."""
    X = np.vstack([[[1.0, 2.0], [3.0, 3.5], [7.0, 1.0], [0.0, 0.0]], rng.exponential(2.0, (n, 2))])
    eta = BeersDistribution().posterior(X)[:, 1]
    s, w = gauss(0.0, 1.0, 40)
    room = np.maximum(0, 7 - X.sum(axis=1))  # P(X3 <= room) by quadrature of its density
    integral = room * (np.exp(-np.outer(room, s)) @ w)
    yield equal("posterior against the integrated density of laziness", eta, integral, rounding(40, 7), X=X)
    yield equal("at (1, 2) and (3, 3.5)", eta[:2], -np.expm1([-4.0, -0.5]), rounding(4))


@statement("example", "7 deeper", "Wainwright, eq. (2.17)")
def beers_rule(BeersDistribution, bayes_rule_binary):
    r"""Predict 'pass' iff $x_1 + x_2 \le a = 7 - \log 2$. The Bayes risk is $e^{-7}(a^2 + 2a - \frac{61}{2})
    = 0.0199612$; the rule without $\log 2$ has risk 0.0223411."""
    distribution, a = BeersDistribution(), 7 - math.log(2)
    best = math.exp(-7) * (a * a + 2 * a - 30.5)
    for threshold, known in ((a, best), (7.0, 24.5 * math.exp(-7))):
        # s = x1 + x2 has density s e^-s; beyond 7 the rule is right for sure
        (s, w), (t, v) = gauss(0.0, threshold, 60), gauss(threshold, 7.0, 60)
        value = w @ (s * np.exp(-s) * np.exp(s - 7)) + v @ (t * np.exp(-t) * (1 - np.exp(t - 7)))
        yield equal(f"risk of the threshold {threshold:.4f} by quadrature", value, known, rounding(120, 0.1))
    yield equal("Bayes risk in closed form", distribution.bayes_risk(), best, rounding(8))
    yield equal("both as printed", [best, known], [0.0199612, 0.0223411], 5e-8)
    s = np.append(gauss(0.0, 7.0, 60)[0], [a - 1e-9, a + 1e-9])
    predicted = bayes_rule_binary(distribution.posterior(np.column_stack([s / 2, s / 2]))[:, 1])
    yield equal("rule on both sides of the threshold", predicted, (s <= a).astype(np.int64))
