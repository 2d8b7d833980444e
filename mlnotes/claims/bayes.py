"""The statements on Bayes rule as executable claims, in the order of the lecture.

Laws are finite with dyadic masses (multiples of 2**-16): every mass and every sum of masses is exact in
float64, so that an inequality between risks is decided by the mathematics and not by rounding. Where a claim
compares with exact rationals, the truth is computed here, with `fractions.Fraction`, from the joint table.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mlnotes.claims.core import (
    Evidence,
    at_least,
    at_most,
    claim,
    equal,
    erratum,
    hoeffding,
    refuses,
    rounding,
    typographical,
    within,
)
from mlnotes.datasets import FiniteLaw, gaussian_pair, random_finite_law

Checks = Iterator[Evidence]


def _pick(table, rule):
    """Return the entry of each row that the rule chooses; NaN if it is no list of column numbers."""
    rows, answers = np.asarray(table), np.asarray(rule)
    fits = rows.ndim == 2 and answers.shape == rows.shape[:1] and answers.dtype.kind in "buif"
    if not fits or not np.isin(answers, np.arange(rows.shape[1])).all():
        return np.full(answers.shape, np.nan)
    return rows[np.arange(len(rows)), answers.astype(np.int64)]


def _eta(law):
    """Return P(Y = 1 | X) of a two-class law as floats, shape (m,)."""
    return law.conditional()[:, 1].astype(np.float64)


def _straddling_law():
    """Return a law with eta on both sides of 1/2, as close as 1/192; every sum of its masses is exact."""
    return FiniteLaw.from_weights([[w - s, w + s] for w in (2, 6, 24, 96) for s in (1, -1)])


# ------------------------------------------------------------------- 1 The set-up


@claim(
    "bayes.setup-iid",
    kind="definition",
    section="1",
    sources=("Yan, mathematical set-up", "Recitation 7, 1.1", "Wainwright, 2.2"),
    statement=r"The data $(x_1, y_1), \dots, (x_n, y_n)$ are independent draws from one law of $(X, Y)$: the "
    r"class counts are random, and a label depends on its own $x$.",
    false_alarm=1e-9,
)
def setup_iid(FiniteLaw, rng) -> Checks:
    weights = np.array([[4, 1], [1, 2], [1, 3]])
    law, masses, failure = FiniteLaw.from_weights(weights), weights.ravel() / 12, 1e-9 / 9
    n = 20_000
    X, y = law.sample(n, rng)
    cells = 2 * np.asarray(X, dtype=np.int64)[:, 0] + np.asarray(y)
    shares = np.bincount(cells, minlength=6) / n
    yield equal("frequency of each cell", shares, masses, hoeffding(n, failure))
    same = float(masses @ masses)  # two independent rows fall into one cell; the pairs are disjoint
    for name, agree in (
        ("next to each other", cells[::2] == cells[1::2]),
        ("half a sample apart", cells[: n // 2] == cells[n // 2 :]),
    ):
        yield equal(f"share of equal rows {name}", float(agree.mean()), same, hoeffding(n // 2, failure))
    runs, size = 400, 48
    typical = sum(int(np.sum(law.sample(size, rng)[1]) == size // 2) for _ in range(runs)) / runs
    exact = math.comb(size, size // 2) / 2**size
    band = exact + hoeffding(runs, failure)
    yield at_most("share of samples with exactly half of the rows in each class", typical, band)


@claim(
    "bayes.setup-classifier",
    kind="definition",
    section="1",
    sources=("Yan, classification problem", "Chapter 10, 10.1", "Wainwright, 2.2"),
    statement=r"A classifier is a map $f$ from the features to the *labels*: every answer is one of the "
    r"labels seen in training, of the same type.",
)
def setup_classifier(PlugInClassifier, rng) -> Checks:
    X, codes = gaussian_pair(2.0).sample(60, rng)
    X, codes = np.vstack([X, [[-9.0, 0], [9.0, 0]]]), np.append(codes, [0, 1])
    for labels in (np.array([3, 7]), np.array([-1, 1]), np.array(["no", "yes"])):
        model = PlugInClassifier().fit(X, labels[codes])
        answers = np.asarray(model.predict(X))
        yield equal(
            "answers that are no label of the training set", int((~np.isin(answers, labels)).sum()), 0
        )
        yield equal("kind of the answers' type", answers.dtype.kind, labels.dtype.kind)
        yield equal("number of answers to one row", len(model.predict(X[:1])), 1)


@claim(
    "bayes.setup-labels",
    kind="definition",
    section="1",
    sources=("Yan, passim", "Chapter 10, 10.1", "Recitation 7, 2.1", "Shi, Classification"),
    statement=r"The coding of the labels, $\{0, 1\}$, $\{-1, +1\}$ or $\{1, \dots, K\}$, carries no "
    r"information: renaming the classes renames the answers and changes nothing else, but for ties that the "
    r"names decide.",
)
def setup_labels(PlugInClassifier, rng) -> Checks:
    X, codes = random_gaussian_sample(rng)
    reference = np.asarray(PlugInClassifier().fit(X, codes).predict(X))
    for labels in (np.array([1, 2, 3]), np.array([-5, 40, 7]), np.array(["c", "a", "b"])):
        renamed, answers = (
            dict(enumerate(labels.tolist())),
            PlugInClassifier().fit(X, labels[codes]).predict(X),
        )
        pairs = zip(reference.tolist(), np.asarray(answers).tolist(), strict=True)
        changed = sum(renamed.get(code) != answer for code, answer in pairs)
        yield equal("answers that renaming changes", changed, 0, labels=labels)


def random_gaussian_sample(rng):
    """Return 90 rows of three well-spread Gaussian classes, 30 of each, shapes (90, 2) and (90,)."""
    codes = np.repeat(np.arange(3), 30)
    centres = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    return centres[codes] + rng.standard_normal((90, 2)), codes


@claim(
    "bayes.setup-risk01",
    kind="definition",
    section="1",
    sources=("Yan, R(f)", "Wainwright, eq. (2.3)", "Recitation 7, 1.1", "Shi, generalisation error"),
    statement=r"The risk is the probability of an error, $R(f) = P(f(X) \ne Y) = E\,1\{f(X) \ne Y\}$.",
)
def setup_risk01(risk, rng) -> Checks:
    law = random_finite_law(rng, 6, 3, n_null=1)
    table = law.exact_table()
    for _ in range(5):
        rule = rng.integers(0, 3, 6)
        wrong = sum(table[x, k] for x in range(6) for k in range(3) if k != rule[x])
        yield equal(
            "risk against the summed mass of the errors",
            risk(rule, law.table()),
            float(wrong),
            rounding(18),
            rule=rule,
            joint=law.table(),
        )


@claim(
    "bayes.setup-sl-definition",
    kind="definition",
    section="1",
    sources=("Shi, supervised learning definition, revisited",),
    statement=r"Supervised learning looks, in a set of candidate rules, for one of small expected loss. "
    r"Over *all* rules the least expected loss is the Bayes risk, for the 0-1 loss and for any other.",
)
def setup_sl_definition(risk, bayes_risk, rng) -> Checks:
    law = random_finite_law(rng, 4, 3)
    losses = {
        "0-1 loss": 1 - np.eye(3),
        "a loss": _random_loss(rng, 3, 3),
        "another": _random_loss(rng, 3, 3),
    }
    for name, loss in losses.items():
        expected = law.exact_table() @ loss.T.astype(np.int64)  # (m, A), exact
        least = float(min(_pick(expected, f).sum() for f in law.rules()))
        value, smallest = bayes_risk(law.table(), loss), min(risk(f, law.table(), loss) for f in law.rules())
        slack = rounding(36, 20)
        yield equal(f"least of 81 risks, {name}", smallest, least, slack, joint=law.table(), loss=loss)
        yield equal(f"Bayes risk, {name}", value, least, slack, joint=law.table(), loss=loss)


@claim(
    "bayes.setup-loss01",
    kind="definition",
    section="1",
    sources=("Wainwright, (2.1)-(2.2)", "Chapter 10, 10.1", "Shi, Risks"),
    statement=r"The 0-1 loss $\ell(a, k) = 1\{a \ne k\}$ is a symmetric matrix with zeros on the diagonal "
    r"and ones elsewhere.",
)
def setup_loss01(zero_one_loss) -> Checks:
    for n_classes in (1, 2, 3, 7):
        matrix = np.asarray(zero_one_loss(n_classes))
        yield equal(f"0-1 loss of {n_classes} classes", matrix, 1 - np.eye(n_classes, dtype=np.int64))


@claim(
    "bayes.setup-data-matrix",
    kind="definition",
    section="1",
    sources=("Chapter 10, 10.1 and 10.1.1",),
    statement=r"The data are a matrix with one *row* a point, $X \in R^{n \times d}$, and a vector of $n$ "
    r"labels. The transposed convention must be refused, not guessed.",
)
def setup_data_matrix(PlugInClassifier, rng) -> Checks:
    X, y = rng.standard_normal((20, 2)), np.repeat([0, 1], 10)
    model = PlugInClassifier().fit(X, y)
    yield equal("d x n data refused in fit", refuses(PlugInClassifier().fit, X.T, y), True)
    yield equal("one label too few refused in fit", refuses(PlugInClassifier().fit, X, y[1:]), True)
    yield equal("d x n data refused in predict", refuses(model.predict, X.T), True)
    yield equal("a flat vector refused in predict", refuses(model.predict, X[0]), True)


@claim(
    "bayes.setup-classification-types",
    kind="definition",
    section="1",
    sources=("Shi, Classification",),
    statement=r"Multi-label classification predicts $L$ labels at once. Its loss may count wrong labels "
    r"(Hamming) or wrong rows (subset); the two differ as soon as a row is partly right.",
)
def setup_classification_types(hamming_loss, subset_loss) -> Checks:
    truth = np.array([[0, 1, 1], [0, 0, 1], [1, 0, 0]])
    guess = np.array([[0, 1, 0], [0, 0, 1], [0, 1, 1]])
    yield equal("Hamming loss: wrong labels of 9", hamming_loss(truth, guess), 4 / 9, rounding(9))
    yield equal("subset loss: wrong rows of 3", subset_loss(truth, guess), 2 / 3, rounding(3))
    yield equal("both of a perfect guess", hamming_loss(truth, truth) + subset_loss(truth, truth), 0.0)


@claim(
    "bayes.setup-articles",
    kind="example",
    section="1",
    sources=("Shi, predict articles' topics",),
    statement=r"Three articles with the labels religion, politics, science: (no, yes, yes), (no, no, yes), "
    r"(yes, no, no). They have two, one and one topics.",
)
def setup_articles(articles) -> Checks:
    table = np.asarray(articles().y)
    yield equal("the table of labels", table, np.array([[0, 1, 1], [0, 0, 1], [1, 0, 0]]))
    yield equal("topics of each article", table.sum(axis=1), np.array([2, 1, 1]))


# ------------------------------------------------------------------- 2 One law, told in two ways


@claim(
    "bayes.setup-joint-vs-conditional",
    kind="definition",
    section="2",
    sources=("Recitation 7, 1.1",),
    statement=r"A joint law can be generated in two orders: first $x$ from $\mu$ and then $y$ from "
    r"$\eta(x)$, or first $y$ from the prior $\pi$ and then $x$ from the class law. The law is the same.",
)
def setup_joint_vs_conditional(disintegrate, joint_table, rng) -> Checks:
    law = random_finite_law(rng, 5, 3)
    table = law.table()
    tolerance = rounding(5)
    yield equal("first x, then y", joint_table(*disintegrate(table)), table, tolerance, joint=table)
    yield equal(
        "first y, then x", np.transpose(joint_table(*disintegrate(table.T))), table, tolerance, joint=table
    )


@claim(
    "bayes.eta-mu",
    kind="definition",
    section="2",
    sources=("Wainwright, 2.3.1",),
    statement=r"A law of $(X, Y)$ is given by the marginal $\mu$ of $X$ and the regression function "
    r"$\eta_k(x) = P(Y = k \mid X = x)$; $\eta$ is unique where $\mu$ has mass.",
)
def eta_mu(disintegrate, joint_table, rng) -> Checks:
    law = random_finite_law(rng, 6, 2, n_null=2)
    table = law.table()
    marginal, conditional = disintegrate(table)
    exact = law.marginal().astype(np.float64)
    present = exact > 0
    yield equal("marginal", marginal, exact, rounding(2), joint=table)
    yield equal(
        "conditional, where there is mass",
        np.asarray(conditional)[present],
        law.conditional().astype(np.float64)[present],
        rounding(2),
        joint=table,
    )
    yield equal("sums of the rows of the conditional", np.sum(conditional, axis=1), np.ones(6), rounding(2))
    yield equal("round trip", joint_table(marginal, conditional), table, rounding(2), joint=table)


@claim(
    "bayes.formula",
    kind="formula",
    section="2",
    sources=("Yan, recap: Bayes optimal classifier", "Yan, kernel density classifier"),
    statement=r"Bayes' formula: $P(Y = k \mid x) = \pi_k f_k(x) / \sum_j \pi_j f_j(x)$. In the log domain it "
    r"survives densities that underflow.",
)
def formula(posterior, rng) -> Checks:
    law = random_finite_law(rng, 5, 3)
    table = law.exact_table()
    prior = table.sum(axis=0)
    likelihood = table / prior  # P(x | k)
    log_density = np.log(likelihood.astype(np.float64))
    exact = law.conditional().astype(np.float64)
    prior = prior.astype(np.float64)
    # an error e in every log density changes a posterior by at most 2 e, relatively; e <= u (1 + |log f|)
    slack = rounding(8, 1 + abs(log_density).max())
    yield equal(
        "posterior against exact fractions",
        posterior(prior, log_density),
        exact,
        slack,
        prior=prior,
        log_density=log_density,
    )
    shifted = log_density + 1e4 * np.array([[-1], [1], [-1], [1], [-1]])
    yield equal(
        "the same at densities near e^-10000 and e^10000",
        posterior(prior, shifted),
        exact,
        rounding(8, 2e4),
        prior=prior,
        log_density=shifted,
    )
    yield equal("a density of 0", posterior([0.25, 0.75], [[-np.inf, 3.0]]), [[0.0, 1.0]])


@claim(
    "bayes.discrete-joint",
    kind="claim",
    section="2",
    sources=("Yan, a few remarks",),
    statement=r"On a discrete domain the Bayes rule compares joint masses, $P(x, 1) \ge P(x, 0)$: dividing "
    r"by $\mu(x) > 0$ changes no comparison.",
)
def discrete_joint(bayes_rule_binary, rng) -> Checks:
    law = random_finite_law(rng, 8, 2, n_ties=2)
    table = law.exact_table()
    expected = (table[:, 1] >= table[:, 0]).astype(np.int64)
    yield equal(
        "rule against the comparison of joint masses", bayes_rule_binary(_eta(law)), expected, eta=_eta(law)
    )


# ------------------------------------------------------------------- 3 The Bayes rule, two classes


@claim(
    "bayes.rule-binary",
    kind="definition",
    section="3",
    sources=("Yan, Bayes optimal classifier", "Wainwright, eq. (2.4)", "Recitation 7, Def. 1.1"),
    statement=r"The Bayes rule answers 1 iff $\eta(x) = P(Y = 1 \mid X = x) \ge 1/2$; a tie goes to 1.",
)
def rule_binary(bayes_rule_binary, rng) -> Checks:
    below, above = np.nextafter(0.5, 0), np.nextafter(0.5, 1)
    grid = np.concatenate([[0.0, below, 0.5, above, 1.0], rng.random(40)])
    yield equal(
        "rule on a grid with 0, 1/2 and 1", bayes_rule_binary(grid), (grid >= 0.5).astype(np.int64), eta=grid
    )


@claim(
    "bayes.optimal-binary",
    kind="theorem",
    section="3",
    sources=("Yan, Thm 2.1", "Wainwright, Thm 2.1", "Recitation 7, Claim 1.1"),
    statement=r"No measurable rule has a smaller risk than the Bayes rule: $R(f^\star) \le R(f)$ for all "
    r"$f$. Checked against all $2^m$ rules on a finite domain.",
)
def optimal_binary(bayes_rule_binary, rng) -> Checks:
    laws = (random_finite_law(rng, 8, 2), random_finite_law(rng, 8, 2, n_null=1, n_ties=1), _straddling_law())
    for law in laws:
        table = law.table()  # dyadic: every sum below is exact
        rule = np.asarray(bayes_rule_binary(_eta(law)))
        risks = np.array([1 - _pick(table, f).sum() for f in law.rules()])
        yield at_most(
            "risk of the Bayes rule against the least of 256 risks",
            1 - _pick(table, rule).sum(),
            risks.min(),
            joint=table,
            rule=rule,
        )


@claim(
    "bayes.why-pointwise",
    kind="homework",
    section="3",
    sources=("Yan, proof of Thm 2.1, '(why?)'",),
    statement=r"By the tower property $R(f) = E\,P(f(X) \ne Y \mid X)$, so it is enough to choose the best "
    r"answer at every point: $P(f(X) \ne Y \mid X) \ge P(f^\star(X) \ne Y \mid X)$.",
)
def why_pointwise(bayes_rule_binary, conditional_risk, rng) -> Checks:
    law = random_finite_law(rng, 7, 2, n_ties=1)
    posterior = law.conditional().astype(np.float64)
    errors = np.asarray(conditional_risk(posterior, 1.0 - np.eye(2)))  # (m, 2)
    best = _pick(errors, np.asarray(bayes_rule_binary(posterior[:, 1])))
    table, marginal = law.exact_table(), law.marginal().astype(np.float64)
    for _ in range(5):
        f = rng.integers(0, 2, 7)
        yield at_least("pointwise error of any rule", _pick(errors, f), best, rounding(4), rule=f)
        yield equal(
            "tower property: average of the pointwise errors",
            float(marginal @ _pick(errors, f)),
            float(1 - _pick(table, f).sum()),
            rounding(14),
            rule=f,
        )


@claim(
    "bayes.pointwise-min",
    kind="formula",
    section="3",
    sources=("Yan, proof of Thm 2.1",),
    statement=r"At each point the Bayes rule errs with probability $\min(\eta(x), 1 - \eta(x))$.",
)
def pointwise_min(bayes_rule_binary, conditional_risk, rng) -> Checks:
    eta = np.concatenate([[0.0, 0.25, 0.5, 0.75, 1.0], rng.random(40)])
    errors = np.asarray(conditional_risk(np.column_stack([1 - eta, eta]), 1.0 - np.eye(2)))
    error = _pick(errors, np.asarray(bayes_rule_binary(eta)))
    yield equal("error of the rule at each eta", error, np.minimum(eta, 1 - eta), rounding(2), eta=eta)


@claim(
    "bayes.excess-identity",
    kind="formula",
    section="3",
    sources=("Wainwright, (2.8)-(2.9)",),
    statement=r"What a rule loses at a point: $P(g \ne Y \mid x) - P(g^\star \ne Y \mid x) = "
    r"\lvert 2\eta(x) - 1\rvert\, 1\{g(x) \ne g^\star(x)\}$. Hence the excess risk is its mean.",
)
def excess_identity(excess_risk, bayes_rule_binary, rng) -> Checks:
    law = random_finite_law(rng, 8, 2, n_ties=1, n_null=1)
    eta = law.conditional()[:, 1]
    best = np.asarray(bayes_rule_binary(eta.astype(np.float64)))
    for _ in range(5):
        rule = rng.integers(0, 2, 8)
        lost = (law.marginal() * abs(2 * eta - 1) * (rule != best)).sum()
        yield equal(
            "excess risk against E|2 eta - 1| 1{g differs}",
            excess_risk(rule, law.table()),
            float(lost),
            rounding(16),
            rule=rule,
            joint=law.table(),
        )


@claim(
    "bayes.nonunique",
    kind="claim",
    section="3",
    sources=("Yan, a few remarks",),
    statement=r"The best rule need not be unique: it may answer as it likes where $\eta = 1/2$ and where "
    r"there is no mass. On a finite domain there are exactly $2^{t + z}$ best rules, for $t$ ties and $z$ "
    r"atoms of mass zero.",
)
def nonunique(risk, bayes_risk, rng) -> Checks:
    for ties, null in ((0, 0), (2, 1)):
        law = random_finite_law(rng, 7, 2, n_ties=ties, n_null=null)
        table = law.table()
        best = bayes_risk(table)
        # a rule that is not best loses at least one unit of 2**-16
        count = sum(int(risk(f, table) - best < 2.0**-17) for f in law.rules())
        yield equal(
            f"best rules with {ties} ties and {null} null atoms", count, 2 ** (ties + null), joint=table
        )


@claim(
    "bayes.strict-question",
    kind="claim",
    section="3",
    sources=("Wainwright, 2.3.1, opening question",),
    statement=r"Is there a rule with $R(g^\star) < R(g)$ for all other $g$? Not in general: one tie is "
    r"enough for a second rule of the same risk.",
)
def strict_question(risk, bayes_rule_binary, rng) -> Checks:
    law = random_finite_law(rng, 6, 2, n_ties=1)
    table, eta = law.table(), _eta(law)
    rule = np.asarray(bayes_rule_binary(eta))
    other = np.where(eta == 0.5, 1 - rule, rule)
    best = float(law.bayes_risk())
    yield equal("points where the two rules differ", int((rule != other).sum()), 1)
    yield equal(
        "risk of the rule against the least of any", risk(rule, table), best, rounding(12), joint=table
    )
    yield equal("risk of the second rule", risk(other, table), best, rounding(12), joint=table)


@claim(
    "bayes.risk",
    kind="definition",
    section="3",
    sources=("Yan, Bayes risk",),
    statement=r"The Bayes risk is the least risk of any rule, $R^\star = \min_f R(f) = E\min(\eta(X), 1 - "
    r"\eta(X))$.",
)
def risk_of_bayes(bayes_risk, rng) -> Checks:
    for law in (random_finite_law(rng, 8, 2, n_ties=1, n_null=1), _straddling_law()):
        table = law.exact_table()
        least = min(1 - _pick(table, f).sum() for f in law.rules())
        eta = law.conditional()[:, 1]
        mean = (law.marginal() * np.minimum(eta, 1 - eta)).sum()
        yield equal("least of 256 risks, as a fraction", least, mean)
        value = bayes_risk(law.table())
        yield equal("Bayes risk against it", value, float(least), rounding(16), joint=law.table())


@claim(
    "bayes.risk-overlap",
    kind="claim",
    section="3",
    sources=("Yan, Bayes risk",),
    statement=r"The Bayes risk measures how much the classes overlap: $R^\star = \frac12 - \frac12 E\lvert "
    r"2\eta(X) - 1\rvert$, which is 0 iff $\eta$ is 0 or 1 almost surely.",
)
def risk_overlap(bayes_risk, rng) -> Checks:
    law = random_finite_law(rng, 8, 2)
    overlap = (1 - (law.marginal() * abs(2 * law.conditional()[:, 1] - 1)).sum()) / 2
    yield equal(
        "Bayes risk against the overlap",
        bayes_risk(law.table()),
        float(overlap),
        rounding(16),
        joint=law.table(),
    )
    labels = rng.permutation([0, 1, *rng.integers(0, 2, 6)])  # both classes occur
    apart = FiniteLaw.from_weights(rng.integers(1, 50, (8, 1)) * np.eye(2, dtype=np.int64)[labels])
    value = bayes_risk(apart.table())
    yield equal("Bayes risk of classes that do not overlap", value, 0.0, rounding(16), joint=apart.table())


@claim(
    "bayes.excess",
    kind="definition",
    section="3",
    sources=("Yan, Bayes risk",),
    statement=r"The excess risk $R(f) - R^\star$ is never negative, and 0 exactly for the best rules.",
)
def excess(excess_risk, rng) -> Checks:
    law = random_finite_law(rng, 6, 2, n_ties=1, n_null=1)
    table = law.exact_table()
    least = min(1 - _pick(table, f).sum() for f in law.rules())
    exact = np.array([float(1 - _pick(table, f).sum() - least) for f in law.rules()])
    values = np.array([excess_risk(f, law.table()) for f in law.rules()])
    yield equal("excess risks of all 64 rules", values, exact, rounding(12), joint=law.table())
    yield at_least("the smallest of them", values.min(), 0.0)


@claim(
    "bayes.oracle",
    kind="claim",
    section="3",
    sources=("Recitation 7, 1.1",),
    statement=r"The Bayes rule is an oracle: whatever is learnt from data, its true risk is at least "
    r"$R^\star$.",
)
def oracle(risk, bayes_risk, rng) -> Checks:
    law = random_finite_law(rng, 6, 2)
    table, best = law.table(), bayes_risk(law.table())
    learnt = []
    for n in (1, 5, 25, 125):
        X, y = law.sample(n, rng)
        votes = np.zeros((6, 2))
        np.add.at(votes, (np.asarray(X, dtype=np.int64)[:, 0], y), 1)
        learnt.append(risk(votes.argmax(axis=1), table))
    yield at_least(
        "true risks of majority votes on 1, 5, 25 and 125 rows",
        np.array(learnt),
        best,
        rounding(12),
        joint=table,
    )
    informed = risk(table.argmax(axis=1), table)
    yield equal("true risk of the vote that knows the law", informed, best, rounding(12), joint=table)


# ------------------------------------------------------------------- 4 Many classes


@claim(
    "bayes.rule-multi",
    kind="definition",
    section="4",
    sources=("Yan, multiclass setting", "Recitation 7, Def. 1.1"),
    statement=r"With $K$ classes the Bayes rule answers a most probable class, $\arg\max_k \eta_k(x)$, under "
    r"any tie rule.",
)
def rule_multi(bayes_rule, rng) -> Checks:
    yield equal("answers when there is one class", bayes_rule(np.ones((3, 1))), np.zeros(3, dtype=np.int64))
    flat = FiniteLaw.from_weights([[6, 5, 5], [5, 6, 5], [5, 5, 6], [12, 2, 2]])  # the best below 1/2
    for law in (flat, *(random_finite_law(rng, 10, n_classes, n_ties=2) for n_classes in (2, 3, 5))):
        n_classes, posterior = law.n_classes, law.conditional().astype(np.float64)
        answers = np.asarray(bayes_rule(posterior))
        yield equal(
            f"probability of the answer, K = {n_classes}",
            _pick(posterior, answers),
            posterior.max(axis=1),
            posterior=posterior,
        )


@claim(
    "bayes.optimal-multi",
    kind="theorem",
    section="4",
    sources=("Yan, Thm 2.2", "Recitation 7, Claim 1.1"),
    statement=r"For the 0-1 loss and $K$ classes $\arg\max_k \eta_k(x)$ is optimal, and the excess risk of a "
    r"rule $g$ is $E[\max_k \eta_k(X) - \eta_{g(X)}(X)]$. Checked against all $K^m$ rules.",
)
def optimal_multi(bayes_rule, excess_risk, rng) -> Checks:
    flat = FiniteLaw.from_weights([[6, 5, 5], [5, 6, 5], [5, 5, 6], [12, 2, 2]])  # the best below 1/2
    law = random_finite_law(rng, 5, 3, n_ties=1)
    for finite in (flat, law):
        table = finite.table()  # dyadic: every sum below is exact
        answers = np.asarray(bayes_rule(finite.conditional().astype(np.float64)))
        risks = np.array([1 - _pick(table, f).sum() for f in finite.rules()])
        yield at_most(
            f"risk of the rule against the least of {len(risks)}",
            1 - _pick(table, answers).sum(),
            risks.min(),
            joint=table,
            rule=answers,
        )
    eta, marginal = law.conditional(), law.marginal()
    for _ in range(5):
        g = rng.integers(0, 3, 5)
        lost = (marginal * (eta.max(axis=1) - _pick(eta, g))).sum()
        yield equal(
            "excess risk against E[max eta - eta_g]",
            excess_risk(g, table),
            float(lost),
            rounding(15),
            rule=g,
            joint=table,
        )


# ------------------------------------------------------------------- 5 Unequal losses


def _random_loss(rng, n_answers, n_classes):
    """Return a loss matrix: 0 right, integers 1..10 above the diagonal and 11..20 below it, float64."""
    loss = rng.integers(1, 11, (n_answers, n_classes)) + 10.0 * np.tri(n_answers, n_classes)
    np.fill_diagonal(loss, 0)
    return loss


@claim(
    "bayes.general-loss-risk",
    kind="definition",
    section="5",
    sources=("Yan, more general loss", "Shi, definition revisited"),
    statement=r"For a loss $\ell(a, k)$ of the answer $a$ to the truth $k$ the risk is $R_\ell(f) = "
    r"E\,\ell(f(X), Y)$, the mean of $\sum_k \ell(f(x), k)\,\eta_k(x)$; the 0-1 loss gives the probability "
    r"of an error.",
)
def general_loss_risk(risk, conditional_risk, rng) -> Checks:
    law = random_finite_law(rng, 5, 3)
    loss = _random_loss(rng, 3, 3)
    table, eta = law.exact_table(), law.conditional()
    expected = (eta @ loss.T.astype(np.int64)).astype(np.float64)  # (m, A)
    given_x = conditional_risk(eta.astype(np.float64), loss)
    yield equal("expected loss of each answer at each x", given_x, expected, rounding(3, 20), loss=loss)
    for _ in range(4):
        rule = rng.integers(0, 3, 5)
        mean = sum(table[x, k] * int(loss[rule[x], k]) for x in range(5) for k in range(3))
        yield equal(
            "risk against the summed losses",
            risk(rule, law.table(), loss),
            float(mean),
            rounding(15, 20),
            rule=rule,
            joint=law.table(),
            loss=loss,
        )
        yield equal(
            "0-1 loss matrix against no matrix",
            risk(rule, law.table(), 1.0 - np.eye(3)),
            risk(rule, law.table()),
            rounding(15),
        )


@claim(
    "bayes.general-loss-rule",
    kind="claim",
    section="5",
    sources=("Yan, more general loss",),
    statement=r"For a general loss the best rule is $f_\ell(x) = \arg\min_a \sum_k \ell(a, k)\,\eta_k(x)$; "
    r"the most probable class may be suboptimal. Checked against all $K^m$ rules.",
)
def general_loss_rule(bayes_rule_for_loss, rng) -> Checks:
    law = random_finite_law(rng, 5, 3, n_ties=1)
    table, posterior = law.exact_table(), law.conditional().astype(np.float64)
    for loss in (_random_loss(rng, 3, 3), np.array([[0.0, 1, 9], [4, 0, 9], [1, 1, 0]])):
        expected = table @ loss.T.astype(np.int64)  # (m, A), exact
        least = min(_pick(expected, f).sum() for f in law.rules())
        answers = np.asarray(bayes_rule_for_loss(posterior, loss))
        yield at_most(
            "expected loss of the rule against the least of 243",
            float(_pick(expected, answers).sum()),
            float(least),
            rounding(15, 20),
            joint=law.table(),
            loss=loss,
        )
    answers = bayes_rule_for_loss([[0.0, 0.7, 0.3]], [[0, 1, 9], [4, 0, 9], [1, 1, 0]])
    yield equal(
        "answer where class 1 has probability 0.7 but missing class 2 costs 9", np.asarray(answers), [2]
    )


@claim(
    "bayes.traffic-signs",
    kind="example",
    section="5",
    sources=("Yan, traffic signs",),
    statement=r"Signs: stop, 50, 40. Reading 'stop' as 50 costs far more than the reverse, "
    r"$\ell(50, \text{stop}) > \ell(40, 50)$; then the best answer is 'stop' long before it is probable.",
)
def traffic_signs(bayes_rule_for_loss, bayes_rule, rng) -> Checks:
    loss = np.array([[0.0, 2, 2], [100, 0, 4], [100, 1, 0]])  # rows: answer stop, 50, 40
    posterior = np.array([[0.1, 0.6, 0.3], [0.001, 0.9, 0.099], [0.45, 0.3, 0.25]])
    yield equal("cost-sensitive answers", bayes_rule_for_loss(posterior, loss), [0, 1, 0])
    yield equal("most probable classes", bayes_rule(posterior), [1, 1, 0])
    rows = rng.dirichlet([1, 1, 1], 50)
    costs = rows @ loss.T
    chosen = np.asarray(bayes_rule_for_loss(rows, loss))
    yield equal(
        "expected cost of the answers",
        _pick(costs, chosen),
        costs.min(axis=1),
        rounding(3, 100),
        posterior=rows,
    )


@claim(
    "bayes.cost-threshold",
    kind="claim",
    section="5",
    sources=("Recitation 7, 2.2, question on the threshold",),
    statement=r"With two costs of error the best rule answers 1 iff $\eta(x) \ge c_{FP} / (c_{FP} + "
    r"c_{FN})$.",
)
def cost_threshold(cost_threshold, bayes_rule_binary, rng) -> Checks:
    law = random_finite_law(rng, 8, 2)
    table = law.exact_table()
    for false_positive, false_negative in ((1, 1), (1, 7), (9, 2), (0, 3)):
        threshold = cost_threshold(false_positive, false_negative)
        yield equal(
            "cost of answering 1 against answering 0 at eta = the threshold",
            (1 - threshold) * false_positive,
            threshold * false_negative,
            rounding(4, 9),
        )
        rule = np.asarray(bayes_rule_binary(_eta(law), threshold))
        costs = np.column_stack([table[:, 1] * false_negative, table[:, 0] * false_positive])
        least = min(_pick(costs, f).sum() for f in law.rules())
        yield equal(
            f"cost of the rule, c_FP = {false_positive}, c_FN = {false_negative}",
            float(_pick(costs, rule).sum()),
            float(least),
            rounding(16, 9),
            joint=law.table(),
        )


@claim(
    "bayes.reject-option",
    kind="theorem",
    section="5",
    sources=("Chow (1970)",),
    statement=r"If 'I do not know' costs $c$, the best rule answers the most probable class when its "
    r"probability exceeds $1 - c$, and refuses to answer when it is smaller.",
)
def reject_option(reject_loss, bayes_rule_for_loss, rng) -> Checks:
    posterior = rng.dirichlet([1, 1, 1], 60)
    top = posterior.max(axis=1)
    for cost in (0.0, 0.125, 0.375, 0.75):
        answers = np.asarray(bayes_rule_for_loss(posterior, reject_loss(3, cost)))
        clear = abs(top - (1 - cost)) > rounding(3)
        expected = np.where(top < 1 - cost, 3, posterior.argmax(axis=1))
        yield equal(f"answers when refusing costs {cost}", answers[clear], expected[clear])


# ------------------------------------------------------------------- 6 Likelihood ratios


@claim(
    "bayes.lr-test",
    kind="claim",
    section="6",
    sources=("Wainwright, eq. (2.5), note",),
    statement=r"The Bayes rule is a likelihood-ratio test with threshold $(1-p)/p$, $p = P(Y = 1)$: "
    r"$\eta(x) \ge \frac12 \iff f_1(x)/f_0(x) \ge (1-p)/p$.",
)
def lr_test(likelihood_ratio_rule, rng) -> Checks:
    for p in (0.03, 0.25, 0.5, 0.9):
        law = gaussian_pair(1.5, prior=p)
        X, _ = law.sample(60, rng)
        logs, eta = law.log_density(X), law.posterior(X)[:, 1]
        clear = abs(eta - 0.5) > rounding(10)
        answers = np.asarray(likelihood_ratio_rule(logs[:, 1] - logs[:, 0], p))
        expected = (eta >= 0.5).astype(np.int64)
        yield equal(f"test against the posterior, p = {p}", answers[clear], expected[clear])
    yield equal("a tie, f_0 = 0 and f_1 = 0", likelihood_ratio_rule([0.0, np.inf, -np.inf], 0.5), [1, 1, 0])


@claim(
    "bayes.setup-hypothesis-testing-view",
    kind="claim",
    section="6",
    sources=("Chapter 10, 10.1, intuition",),
    statement=r"Classification resembles a test between two hypotheses: the maximum-likelihood rule "
    r"$f_1(x) \ge f_0(x)$ is the Bayes rule at equal priors, and may lose risk at others.",
)
def setup_hypothesis_testing_view(likelihood_ratio_rule, risk) -> Checks:
    likelihood = [
        [Fraction(1, 8), Fraction(1, 2)],
        [Fraction(3, 8), Fraction(1, 4)],
        [Fraction(1, 2), Fraction(1, 4)],
    ]
    ratio = np.array([math.log(one / zero) for zero, one in likelihood])
    for p, lost in (
        (Fraction(1, 2), 0),
        (Fraction(2, 5), 0),  # no ratio lies between the thresholds 1 and 3/2
        (Fraction(1, 8), Fraction(3, 64)),
        (Fraction(7, 8), Fraction(21, 64)),
    ):
        joint = FiniteLaw(tuple((zero * (1 - p), one * p) for zero, one in likelihood))
        ml = risk(np.asarray(likelihood_ratio_rule(ratio, 0.5)), joint.table())
        best = risk(np.asarray(likelihood_ratio_rule(ratio, float(p))), joint.table())
        yield equal(f"risk of the test with the prior, p = {p}", best, float(joint.bayes_risk()), rounding(6))
        yield equal(f"what maximum likelihood loses, p = {p}", ml - best, float(lost), rounding(6))


# ------------------------------------------------------------------- 7 Beers and sleep


@claim(
    "bayes.beers-model",
    kind="example",
    section="7",
    sources=("Wainwright, 2.3.2, (2.10)-(2.13)",),
    statement=r"Sleep, beers and (unseen) laziness are independent $\mathrm{Exp}(1)$; the student passes iff "
    r"their sum is at most 7. Then $P(\text{pass}) = 1 - \frac{65}{2}e^{-7} = 0.97036$.",
    false_alarm=1e-9,
)
def beers_model(BeersLaw, rng) -> Checks:
    n, exact = 40_000, 1 - 32.5 * math.exp(-7)
    X, y = BeersLaw().sample(n, rng)
    # Bernstein: a deviation t has probability <= 2 exp(-n t^2 / (2 v + 2 t / 3)); solved for 1e-9 / 3
    log_term = math.log(6 / 1e-9)
    third = log_term / (3 * n)
    band = third + math.sqrt(third**2 + 2 * exact * (1 - exact) * log_term / n)
    yield equal("share that passes", float(np.mean(y)), exact, band)
    late = np.asarray(y)[np.asarray(X).sum(axis=1) > 7]
    yield equal("who passes although sleep and beers alone exceed 7", int(late.sum()), 0)
    # an exponential variable cut at 1 is bounded, with mean 1 - 1/e
    cut = np.minimum(X, 1).mean(axis=0)
    yield equal(
        "means of sleep and beers, cut at 1", cut, np.full(2, 1 - math.exp(-1)), hoeffding(n, 1e-9 / 3)
    )


@claim(
    "bayes.beers-eta",
    kind="homework",
    section="7",
    sources=("Wainwright, (2.14)-(2.16), left as an exercise",),
    statement=r"$\eta(x_1, x_2) = \max\bigl(0, 1 - e^{-(7 - x_1 - x_2)}\bigr)$.",
)
def beers_eta(BeersLaw, rng) -> Checks:
    X = np.vstack([[[1.0, 2.0], [3.0, 3.5], [7.0, 1.0], [0.0, 0.0]], rng.exponential(2.0, (40, 2))])
    eta = np.asarray(BeersLaw().posterior(X))[:, 1]
    nodes, weights = np.polynomial.legendre.leggauss(40)
    room = np.maximum(0, 7 - X.sum(axis=1))  # P(X3 <= room) by quadrature of its density
    integral = room / 2 * (np.exp(-room[:, None] / 2 * (nodes + 1)) @ weights)
    yield equal("posterior against the integrated density of laziness", eta, integral, rounding(40, 7), X=X)
    yield equal("at (1, 2) and (3, 3.5)", eta[:2], -np.expm1([-4.0, -0.5]), rounding(4))


@claim(
    "bayes.beers-rule",
    kind="example",
    section="7",
    sources=("Wainwright, eq. (2.17)",),
    statement=r"Predict 'pass' iff $x_1 + x_2 \le a = 7 - \log 2$. The Bayes risk is "
    r"$e^{-7}(a^2 + 2a - \frac{61}{2}) = 0.0199612$; the rule without $\log 2$ has risk 0.0223411.",
)
def beers_rule(BeersLaw, bayes_rule_binary, rng) -> Checks:
    law = BeersLaw()
    # s = x1 + x2 has density s e^-s; beyond 7 the rule is right for sure
    a = 7 - math.log(2)
    s = np.append(_gauss(0.0, 7.0, 60)[0], [a - 1e-9, a + 1e-9])
    eta = np.asarray(law.posterior(np.column_stack([s / 2, s / 2])))[:, 1]
    best = math.exp(-7) * (a * a + 2 * a - 30.5)
    for threshold, known in ((a, best), (7.0, 24.5 * math.exp(-7))):
        parts = [_gauss(0.0, threshold, 60), _gauss(threshold, 7.0, 60)]
        fail = [
            float(w @ (s * np.exp(-s) * e))
            for (s, w), e in zip(
                parts, (np.exp(-(7 - parts[0][0])), 1 - np.exp(-(7 - parts[1][0]))), strict=True
            )
        ]
        yield equal(
            f"risk of the threshold {threshold:.4f} by quadrature", sum(fail), known, rounding(120, 0.1)
        )
    yield equal("Bayes risk in closed form", law.bayes_risk(), best, rounding(8))
    yield equal("rule on both sides of the threshold", bayes_rule_binary(eta), (s <= a).astype(np.int64))


def _gauss(low, high, n):
    """Return nodes and weights of n-point Gauss-Legendre quadrature on [low, high]."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return (high - low) / 2 * nodes + (high + low) / 2, (high - low) / 2 * weights


# ------------------------------------------------------------------- 8 Plug-in rules


def _random_estimate(rng, law):
    """Return an estimated posterior of a two-class law, dyadic, with two entries exactly 1/2."""
    return rng.permutation(np.append(rng.integers(0, 257, law.n_atoms - 2) / 256, [0.5, 0.5]))


@claim(
    "bayes.plugin-rule",
    kind="definition",
    section="8",
    sources=("Wainwright, eq. (2.18)", "Yan, plug-in approach"),
    statement=r"The plug-in rule trusts an estimate: $\hat g(x) = 1$ iff $\hat\eta(x) \ge 1/2$. With "
    r"$\hat\eta = \eta$ it is the Bayes rule, and only the side of $1/2$ matters.",
)
def plugin_rule(bayes_rule_binary, rng) -> Checks:
    law = random_finite_law(rng, 10, 2, n_ties=2)
    guess = _random_estimate(rng, law)
    yield equal("answers", bayes_rule_binary(guess), (guess >= 0.5).astype(np.int64), eta_hat=guess)
    eta = _eta(law)
    pulled = 0.5 + (eta - 0.5) / 8  # wrong everywhere, on the right side everywhere
    yield equal(
        "answers of an estimate that is eight times too timid",
        bayes_rule_binary(pulled),
        bayes_rule_binary(eta),
    )


@claim(
    "bayes.plugin-bound",
    kind="theorem",
    section="8",
    sources=("Wainwright, Thm 2.2, corrected",),
    statement=r"$R(\hat g) - R^\star \le 2 E\lvert \eta(X) - \hat\eta(X)\rvert$ for two classes, "
    r"$E\sum_k \lvert\eta_k - \hat\eta_k\rvert$ for $K$. The constant 2 is attained.",
)
def plugin_bound_holds(plugin_bound, rng) -> Checks:
    law = random_finite_law(rng, 8, 2)
    table, eta, marginal = law.exact_table(), _eta(law), law.marginal().astype(np.float64)
    for guess in (_random_estimate(rng, law), 1 - eta, np.full(8, 0.5)):
        lost = float(1 - _pick(table, (guess >= 0.5).astype(int)).sum() - law.bayes_risk())
        bound = plugin_bound(np.column_stack([1 - eta, eta]), np.column_stack([1 - guess, guess]), marginal)
        yield equal(
            "the bound is 2 E|eta - eta_hat|",
            bound,
            float(2 * marginal @ abs(eta - guess)),
            rounding(16),
            eta=eta,
            eta_hat=guess,
        )
        yield at_most("excess risk of the plug-in rule", lost, bound, rounding(16), eta=eta, eta_hat=guess)
    sure, wrong = np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([[0.25, 0.75], [0.75, 0.25]])
    bound = plugin_bound(sure, wrong, [0.5, 0.5])
    yield equal("errors of opposite sign do not cancel in the bound", bound, 1.0, rounding(4))
    timid = np.where(eta < 0.5, 0.5, eta)  # says 1 on ties: wrong exactly where eta < 1/2
    lost = float(1 - _pick(table, np.ones(8, dtype=int)).sum() - law.bayes_risk())
    bound = plugin_bound(np.column_stack([1 - eta, eta]), np.column_stack([1 - timid, timid]), marginal)
    yield equal("equality at eta_hat = 1/2", lost, bound, rounding(16), eta=eta)


@claim(
    "bayes.plugin-bound-multi",
    kind="theorem",
    section="8",
    sources=("Devroye, Györfi and Lugosi (1996), Thm 2.2 (two classes)",),
    statement=r"With $K$ classes the rule $\arg\max_k \hat\eta_k$ loses at most "
    r"$E\sum_k \lvert\eta_k(X) - \hat\eta_k(X)\rvert$.",
)
def plugin_bound_multi(plugin_bound, bayes_rule, excess_risk, rng) -> Checks:
    law = random_finite_law(rng, 8, 4)
    posterior, marginal = law.conditional().astype(np.float64), law.marginal().astype(np.float64)
    for mix in (0.1, 0.5, 1.0):
        guess = (1 - mix) * posterior + mix * rng.dirichlet(np.ones(4), 8)
        lost = excess_risk(np.asarray(bayes_rule(guess)), law.table())
        total = float(marginal @ abs(posterior - guess).sum(axis=1))
        bound = plugin_bound(posterior, guess, marginal)
        yield equal("the bound is E sum |eta_k - eta_hat_k|", bound, total, rounding(32))
        yield at_most("excess risk of the plug-in rule", lost, bound, rounding(32), eta_hat=guess)


@claim(
    "bayes.plugin-proof-step",
    kind="claim",
    section="8",
    sources=("Wainwright, proof of Thm 2.2",),
    statement=r"Where the plug-in rule and the Bayes rule disagree, $\lvert\eta(x) - \hat\eta(x)\rvert \ge "
    r"\lvert\eta(x) - \frac12\rvert$: the estimate must have crossed $1/2$.",
)
def plugin_proof_step(bayes_rule_binary) -> Checks:
    grid = np.arange(65) / 64
    eta, guess = (side.ravel() for side in np.meshgrid(grid, grid))
    differ = np.asarray(bayes_rule_binary(eta)) != np.asarray(bayes_rule_binary(guess))
    yield equal("pairs on the grid where the rules disagree", int(differ.sum()), 2 * 32 * 33)
    gap = abs(eta - guess)[differ] - abs(eta - 0.5)[differ]  # dyadic: exact
    yield at_least("gap |eta - eta_hat| - |eta - 1/2| among them", gap, 0.0)


@claim(
    "bayes.setup-rate-framework",
    kind="claim",
    section="8",
    sources=("Yan, supervised learning, h(n)",),
    statement=r"One wants $R(\hat f_n) - R^\star \le h(n)$, in expectation or with high probability. No "
    r"$h(n) \to 0$ holds for every law: on $m$ equally likely points with labels fixed by coins, any "
    r"learner has expected excess risk at least $\frac12(1 - \frac1m)^n$, on average over the coins.",
)
def setup_rate_framework(rng) -> Checks:
    m, n = 4, 2
    floor = Fraction(1, 2) * (1 - Fraction(1, m)) ** n
    table: dict = {}

    def drawn(points, labels):
        """Return an arbitrary fixed map of samples to rules."""
        return table.setdefault((points, labels), rng.integers(0, 2, m))

    def memorise(points, labels):
        rule = np.zeros(m, dtype=np.int64)
        rule[list(points)] = labels
        return rule

    yield equal("average excess risk of memorising, over all 16 laws", _average_error(memorise, m, n), floor)
    yield at_least("the same for a learner drawn at random", _average_error(drawn, m, n), floor)


def _average_error(learner, m, n):
    """Return the exact error, averaged over labelings of m points and samples of n, as a Fraction."""
    wrong = 0
    for truth in itertools.product((0, 1), repeat=m):
        for points in itertools.product(range(m), repeat=n):
            rule = learner(points, tuple(truth[x] for x in points))
            wrong += sum(int(rule[x]) != truth[x] for x in range(m))
    return Fraction(wrong, 2**m * m**n * m)


# ------------------------------------------------------------------- 9 Maximum likelihood


@claim(
    "bayes.generative-model",
    kind="definition",
    section="9",
    sources=("Recitation 7, 1.1",),
    statement=r"The Gaussian generative model: $y \sim \mathrm{Ber}(p)$, then $x \mid y \sim N(\mu_y, "
    r"\Sigma_y)$. Its posterior is the logistic function of a quadratic score.",
    false_alarm=1e-9,
)
def generative_model(GaussianClasses, rng) -> Checks:
    p, means = 0.3, np.array([[0.0, 1.0], [2.0, -1.0]])
    covariances = np.array([[[2.0, 0.8], [0.8, 1.0]], [[1.0, -0.5], [-0.5, 1.5]]])
    law = GaussianClasses(np.array([1 - p, p]), means, covariances)
    X, y = law.sample(20_000, rng)
    yield from _is_a_sample(X, y, p, means, covariances)
    points = rng.normal(0, 2, (30, 2))
    score = [
        -0.5 * np.linalg.slogdet(S)[1]
        - 0.5 * ((points - m) @ np.linalg.inv(S) * (points - m)).sum(axis=1)
        + math.log(q)
        for m, S, q in zip(means, covariances, (1 - p, p), strict=True)
    ]
    logistic = 1 / (1 + np.exp(np.clip(score[0] - score[1], -700, 700)))
    yield equal(
        "posterior against the logistic of the score",
        np.asarray(law.posterior(points))[:, 1],
        logistic,
        rounding(40, 200),
    )


def _is_a_sample(X, y, p, means, covariances):
    """Compare a sample of two Gaussian classes in the plane with its law; fails a right one at 1e-9.

    Thirteen bounds of probability 1e-9 / 13: one for the share, six for each class, whose whitened rows are
    N(0, I). The mean of m draws of N(0, 1) is off by t with probability at most 2 exp(-m t^2 / 2). A
    chi-square with m degrees of freedom, over m, is off by 2 sqrt(x / m) + 2 x / m with probability at most
    2 exp(-x) (Laurent and Massart, 2000, Lemma 1). A mean of z_1 z_2 = ((z_1 + z_2)^2 - (z_1 - z_2)^2) / 4 is
    half a difference of two of them, so it is off by as much with at most twice that probability.
    """
    failure = 1e-9 / 13
    yield equal("share of class 1", float(np.mean(y)), p, hoeffding(len(X), failure))
    for k in (0, 1):
        rows = X[np.asarray(y) == k]
        white = np.linalg.solve(np.linalg.cholesky(covariances[k]), (rows - means[k]).T).T
        x = math.log(2 / failure) / len(rows)
        yield equal(f"whitened mean of class {k}", white.mean(axis=0), np.zeros(2), math.sqrt(2 * x))
        second, band = white.T @ white / len(rows), 2 * math.sqrt(x) + 2 * x
        yield equal(f"whitened second moments of class {k}", second, np.eye(2), band)


@claim(
    "bayes.generative-ex1.1",
    kind="example",
    section="9",
    sources=("Recitation 7, Example 1.1",),
    statement=r"$\mu_0 = (0, 5)$, $\mu_1 = (5, 5)$, $\Sigma_0 = \begin{pmatrix}1 & 0.6\\0.6 & "
    r"1\end{pmatrix}$, $\Sigma_1 = \mathrm{diag}(3, 1)$, $p = 0.4$: Bayes risk 0.0225145, maximum-likelihood "
    r"rule 0.0229850; exactly 400 ones among 1000 have probability 0.0257448.",
    false_alarm=1e-9,
)
def generative_ex1_1(recitation_example, rng) -> Checks:
    law = recitation_example()
    (bayes, ml), (finer_bayes, finer_ml) = _example_1_1_risks(80), _example_1_1_risks(160)
    yield at_most("our quadrature at two resolutions", abs(finer_bayes - bayes) + abs(finer_ml - ml), 1e-9)
    # the law promises its risk to 1e-7, the statement prints seven decimals
    yield equal("Bayes risk against our quadrature", law.bayes_risk(), finer_bayes, 1e-7)
    yield equal(
        "it and the risk of maximum likelihood, as printed",
        [finer_bayes, finer_ml],
        [0.0225145, 0.0229850],
        5e-8,
    )
    covariances = np.array([[[1, 0.6], [0.6, 1]], [[3, 0], [0, 1]]])
    X, y = law.sample(20_000, rng)
    yield from _is_a_sample(X, y, 0.4, np.array([[0.0, 5], [5, 5]]), covariances)
    log_mass = (
        math.lgamma(1001) - math.lgamma(401) - math.lgamma(601) + 400 * math.log(0.4) + 600 * math.log(0.6)
    )
    yield equal("P(400 of 1000)", math.exp(log_mass), 0.0257448188, 1e-9)


def _example_1_1_risks(n):
    """Return Bayes and maximum-likelihood risk of Example 1.1 by integrating over x2 and solving for x1.

    At fixed x2 the log ratio is a quadratic in x1, so each error is a sum of normal probabilities.
    """
    x2, w = _gauss(-4.0, 14.0, n)
    v = x2 - 5
    risks = []
    for log_odds in (math.log(0.4 / 0.6), 0.0):
        # log f1 - log f0 + log_odds = A x1^2 + B x1 + C
        A = -1 / 6 + 1 / 1.28
        B = 5 / 3 - 1.2 * v / 1.28
        C = -25 / 6 - v**2 / 2 + v**2 / 1.28 - 0.5 * math.log(3) + 0.5 * math.log(0.64) + log_odds
        root = np.sqrt(np.maximum(B**2 - 4 * A * C, 0))
        low, high = (-B - root) / (2 * A), (-B + root) / (2 * A)  # class 0 between them
        density = np.exp(-(v**2) / 2) / math.sqrt(2 * math.pi)  # of x2, the same in both classes
        inside_0 = _normal(high, 0.6 * v, 0.8) - _normal(low, 0.6 * v, 0.8)
        inside_1 = _normal(high, 5.0, math.sqrt(3)) - _normal(low, 5.0, math.sqrt(3))
        risks.append(float(w @ (density * (0.6 * (1 - inside_0) + 0.4 * inside_1))))
    return tuple(risks)


def _normal(x, mean, std):
    """Return the normal distribution function, elementwise."""
    z = (x - mean) / (std * math.sqrt(2))
    return np.array([math.erfc(-t) / 2 for t in np.atleast_1d(z)])


@claim(
    "bayes.mle-likelihood",
    kind="definition",
    section="9",
    sources=("Recitation 7, Def. 1.2",),
    statement=r"The likelihood of independent draws is the product of their densities, so its logarithm is a "
    r"sum. Of 2,000 points the product underflows to 0; the sum does not.",
)
def mle_likelihood(Gaussian, rng) -> Checks:
    law = Gaussian(np.array([1.0]), np.array([[4.0]]))
    x = rng.normal(1, 2, (2000, 1))
    density = np.exp(-((x[:, 0] - 1) ** 2) / 8) / math.sqrt(8 * math.pi)
    logs = np.asarray(law.log_density(x))
    yield equal("log densities", logs, np.log(density), rounding(4, 1 + abs(logs).max()))
    yield equal("product of 2,000 densities in float64", float(np.prod(density)), 0.0)
    yield within("their log-likelihood", float(np.sum(logs)), -1e5, -1e3)


@claim(
    "bayes.mle-ex1.2",
    kind="example",
    section="9",
    sources=("Recitation 7, Example 1.2",),
    statement=r"For $x = (1, 2, 3)$ and $\sigma = 1$: $L(1) = 0.00521188$, $L(2) = 0.0233580$; the ratio is "
    r"$e^{3/2}$, and the mean 2 is the maximum.",
)
def mle_ex1_2(Gaussian) -> Checks:
    x = np.array([[1.0], [2.0], [3.0]])

    def likelihood(mean):
        return math.exp(float(np.sum(Gaussian(np.array([mean]), np.eye(1)).log_density(x))))

    yield equal("L(1)", likelihood(1.0), (2 * math.pi) ** -1.5 * math.exp(-2.5), rounding(12))
    yield equal("L(2)", likelihood(2.0), (2 * math.pi) ** -1.5 * math.exp(-1), rounding(12))
    yield equal("L(2) / L(1)", likelihood(2.0) / likelihood(1.0), math.exp(1.5), rounding(24, 5))
    grid = np.arange(0, 257) / 64
    yield equal(
        "grid point of the largest likelihood", float(grid[np.argmax([likelihood(m) for m in grid])]), 2.0
    )


@claim(
    "bayes.mle-def",
    kind="definition",
    section="9",
    sources=("Recitation 7, Def. 1.3",),
    statement=r"The maximum-likelihood estimate maximises the likelihood. At an interior maximum the "
    r"derivative vanishes; at the boundary it need not: with no successes $\hat p = 0$ and the derivative is "
    r"$-n$.",
)
def mle_def(bernoulli_mle, rng) -> Checks:
    for ones in (0, 3, 11):
        y = rng.permutation(np.repeat([1, 0], [ones, 11 - ones]))
        estimate = bernoulli_mle(y)
        grid = np.arange(1, 1024) / 1024
        logs = ones * np.log(grid) + (11 - ones) * np.log1p(-grid)
        value = math.exp(_log_power(estimate, ones) + _log_power(1 - estimate, 11 - ones))
        yield at_least(
            f"likelihood at the estimate, {ones} of 11", value, math.exp(logs.max()), rounding(24), y=y
        )
    for name, ones, zeros, slope in (("3 of 4", 3, 1, 0.0), ("0 of 11, at the boundary", 0, 11, -11.0)):
        score = _score(bernoulli_mle([1] * ones + [0] * zeros), ones, zeros)
        yield equal(f"derivative of the log-likelihood, {name}", score, slope, rounding(4, 11))


def _score(p, ones, zeros):
    """Return the derivative of ones log p + zeros log(1 - p), infinite where p contradicts the flips."""
    with np.errstate(divide="ignore"):
        return sum(sign * float(np.float64(n) / q) for sign, n, q in ((1, ones, p), (-1, zeros, 1 - p)) if n)


def _log_power(base, exponent):
    return 0.0 if exponent == 0 else exponent * math.log(base) if base > 0 else -math.inf


@claim(
    "bayes.mle-intuition",
    kind="claim",
    section="9",
    sources=("Recitation 7, after Def. 1.3",),
    statement=r"The maximum-likelihood parameter makes the *data* most probable; it is not the most probable "
    r"*parameter*. Of 100 coins one has two heads, and the coin drawn shows three heads in a row: "
    r"'two-headed' is the estimate, with posterior probability $\frac{8}{107}$.",
)
def mle_intuition(posterior) -> Checks:
    fair, double = Fraction(99, 100), Fraction(1, 100)
    likelihood = np.array([[0.125, 1.0]])
    yield equal("parameter of the largest likelihood (1: two-headed)", int(likelihood.argmax()), 1)
    exact = double / (double + fair / 8)
    value = posterior([float(fair), float(double)], np.log(likelihood))
    yield equal("its posterior probability", float(np.asarray(value)[0, 1]), float(exact), rounding(8))
    yield equal("as a fraction", exact, Fraction(8, 107))


@claim(
    "bayes.mle-bernoulli",
    kind="theorem",
    section="9",
    sources=("Recitation 7, Example 1.3",),
    statement=r"For coin flips the maximum-likelihood estimate is the frequency, $\hat p = n_1/n$.",
)
def mle_bernoulli(bernoulli_mle, rng) -> Checks:
    for n in (1, 5, 12):
        estimates = np.array(
            [bernoulli_mle(rng.permutation(np.repeat([1, 0], [k, n - k]))) for k in range(n + 1)]
        )
        yield equal(f"estimates from k ones among {n}", estimates, np.arange(n + 1) / n, rounding(n))
        best = [
            max((Fraction(j, n) ** k * (1 - Fraction(j, n)) ** (n - k), j) for j in range(n + 1))[1]
            for k in range(n + 1)
        ]
        yield equal("exact maximisers on the grid j/n", np.array(best), np.arange(n + 1))


@claim(
    "bayes.mle-gauss-params",
    kind="homework",
    section="9",
    sources=("Recitation 7, Example 1.3, last item",),
    statement=r"For a Gaussian class the estimates are the mean and the covariance with divisor $n_k$; the "
    r"latter is biased, $E\hat\Sigma = \frac{n_k - 1}{n_k}\Sigma$.",
)
def mle_gauss_params(Gaussian, rng) -> Checks:
    X = rng.integers(-8, 9, (12, 3)).astype(np.float64)
    X[:4] += 8 * np.eye(4, 3)  # four rows in general position: the covariance is regular
    exact = [[Fraction(int(v)) for v in row] for row in X]
    mean = [sum(column) / 12 for column in zip(*exact, strict=True)]
    second = [
        [sum((r[i] - mean[i]) * (r[j] - mean[j]) for r in exact) / 12 for j in range(3)] for i in range(3)
    ]
    fit = Gaussian.fit(X)
    yield equal("mean", fit.mean, np.array(mean, dtype=float), rounding(12, 16), X=X)
    yield equal(
        "covariance, divisor n", fit.covariance, np.array(second, dtype=float), rounding(36, 256), X=X
    )
    # E of the fit over all samples of 3 coin flips: (n - 1)/n times the true variance 1/4
    flips = itertools.product((0.0, 1.0), repeat=3)
    average = sum(float(Gaussian.fit(np.array(f)[:, None]).covariance[0, 0]) for f in flips) / 8
    yield equal("mean of the estimate over all samples of 3 coin flips", average, 2 / 3 * 0.25, rounding(24))


# ------------------------------------------------------------------- 10 The plug-in classifier


@claim(
    "bayes.plugin-generative",
    kind="algorithm",
    section="10",
    sources=("Yan, recap: Bayes optimal classifier",),
    statement=r"Estimate the priors by frequencies and the class densities, here Gaussian, from the rows of "
    r"each class, then apply Bayes' formula.",
)
def plugin_generative(PlugInClassifier, rng) -> Checks:
    X, y = random_gaussian_sample(rng)
    keep = np.sort(rng.permutation(90)[:70])
    X, y = X[keep], y[keep]
    model = PlugInClassifier().fit(X, y)
    points = rng.normal(1, 3, (25, 2))
    logs, worst = [], 1.0
    for k in range(3):
        rows = X[y == k]
        centred = rows - rows.mean(axis=0)
        S = centred.T @ centred / len(rows)
        worst = max(worst, float(np.linalg.cond(S)))
        gap = points - rows.mean(axis=0)
        logs.append(
            math.log(len(rows) / 70)
            - 0.5 * np.linalg.slogdet(S)[1]
            - 0.5 * (gap @ np.linalg.inv(S) * gap).sum(axis=1)
        )
    scores = np.column_stack(logs)
    top = scores.max(axis=1, keepdims=True)
    expected = np.exp(scores - top) / np.exp(scores - top).sum(axis=1, keepdims=True)
    # solving with S costs a relative error of order u cond(S); an error e in the scores moves a posterior
    # by at most e / 2
    slack = rounding(60, 1 + abs(scores).max() * worst)
    yield equal("posterior against the formula", model.predict_proba(points), expected, slack, points=points)
    clear = np.sort(expected, axis=1)[:, -1] - np.sort(expected, axis=1)[:, -2] > 2 * slack
    yield equal("answers", np.asarray(model.predict(points))[clear], expected.argmax(axis=1)[clear])


@claim(
    "bayes.plugin-true-law",
    kind="claim",
    section="10",
    sources=("Yan, recap: Bayes optimal classifier",),
    statement=r"With the true priors and the true class densities in place of the estimates, Bayes' formula "
    r"and $\arg\max$ *are* the Bayes rule: the risk is the least of all $K^m$.",
)
def plugin_true_law(posterior, bayes_rule, rng) -> Checks:
    skewed = FiniteLaw.from_weights([[32, 1, 3], [20, 2, 0], [8, 1, 5]])  # without the prior class 1 wins
    for law in (skewed, random_finite_law(rng, 5, 3, n_ties=1)):
        table = law.exact_table()
        prior = table.sum(axis=0)
        with np.errstate(divide="ignore"):
            log_density = np.log((table / prior).astype(np.float64))  # log P(x | k)
        answers = bayes_rule(posterior(prior.astype(np.float64), log_density))
        lost = law.marginal() - law.marginal() * law.conditional().max(axis=1)
        risk = 1 - _pick(law.table(), answers).sum()
        yield equal(
            "risk of the rule built from the true law",
            risk,
            float(lost.sum()),
            rounding(30),
            joint=law.table(),
        )


@claim(
    "bayes.plugin-far-points",
    kind="claim",
    section="10",
    statement=r"Far from the data every estimated density underflows, and the posterior is still defined: "
    r"computed with logarithms it is finite, its rows sum to 1, and it names the class of largest "
    r"$\log\hat\pi_k + \log\hat f_k(x)$.",
)
def plugin_far_points(PlugInClassifier, rng) -> Checks:
    # the cloud has mean 0 and equal variances without correlation, so the nearest centre wins far away
    quarter = rng.standard_normal((8, 2))
    turned = quarter @ [[0.0, 1.0], [-1.0, 0.0]]
    cloud = np.vstack([quarter, turned, -quarter, -turned])
    y = np.repeat(np.arange(3), 32)
    X = np.array([[0.0, 0.0], [60.0, 0.0], [0.0, 60.0]])[y] + np.tile(cloud, (3, 1))
    model = PlugInClassifier().fit(X, y)
    far = np.array([[-400.0, -400.0], [900.0, 0.0], [0.0, 900.0]])
    posterior = np.asarray(model.predict_proba(far))
    yield equal("rows of the posterior", posterior, np.eye(3), rounding(8), points=far)
    yield equal("answers", np.asarray(model.predict(far)), np.arange(3), points=far)


# ------------------------------------------------------------------- 11 From risk to algorithms


@claim(
    "bayes.setup-true-vs-empirical-risk",
    kind="definition",
    section="11",
    sources=("Shi, risks, generalisation error",),
    statement=r"The empirical risk $R_n(g) = \frac1n \sum_i \ell(g(x_i), y_i)$ of a *fixed* rule has mean "
    r"$R(g)$; of a rule *chosen* on the same data it is too small on average.",
)
def setup_true_vs_empirical_risk(empirical_risk) -> Checks:
    law = FiniteLaw.from_weights([[3, 1], [1, 3]])
    cells = [(x, k, law.joint[x][k]) for x in range(2) for k in range(2)]
    rules = list(law.rules())
    mean = np.zeros(len(rules))
    chosen = true_of_chosen = 0.0
    exact = np.array([float(1 - _pick(law.exact_table(), f).sum()) for f in rules])
    for sample in itertools.product(cells, repeat=3):
        mass = float(math.prod(c[2] for c in sample))
        y = np.array([c[1] for c in sample])
        x = np.array([c[0] for c in sample])
        risks = np.array([empirical_risk(y, f[x]) for f in rules])
        mean += mass * risks
        chosen += mass * risks.min()
        true_of_chosen += mass * exact[risks.argmin()]
    yield equal("mean of R_n over all 64 samples, for each of the 4 rules", mean, exact, rounding(64))
    yield at_most(
        "mean training error of the rule chosen on the sample", chosen, float(law.bayes_risk()) - 0.05
    )
    yield at_least("mean true risk of that rule", true_of_chosen, float(law.bayes_risk()))


@claim(
    "bayes.erm-phrase",
    kind="claim",
    section="11",
    sources=("Recitation 7, 1.1",),
    statement=r"With the law known, the Bayes rule minimises the *true* risk. Minimising the *empirical* "
    r"risk of a sample may give another rule.",
)
def erm_phrase(empirical_risk, bayes_rule_binary, risk) -> Checks:
    law = FiniteLaw.from_weights([[6, 4], [3, 7]])
    x, y = np.array([0, 0, 0, 1, 1]), np.array([1, 1, 0, 1, 0])
    best = np.asarray(bayes_rule_binary(_eta(law)))
    rules = list(law.rules())
    erm = min(rules, key=lambda f: empirical_risk(y, f[x]))
    yield at_most(
        "training error of the empirical minimiser",
        empirical_risk(y, erm[x]),
        empirical_risk(y, best[x]) - 0.1,
    )
    yield at_least(
        "its true risk against the Bayes risk", risk(erm, law.table()), risk(best, law.table()) + 0.05
    )


@claim(
    "bayes.setup-losses",
    kind="formula",
    section="11",
    sources=("Shi, risks; view it in ERM; primal",),
    statement=r"Losses of the margin $m = y f(x)$: 0-1 $1\{m \le 0\}$, hinge $\max(0, 1 - m)$, perceptron "
    r"$\max(0, -m)$, logistic $\log(1 + e^{-m})$, exponential $e^{-m}$.",
)
def setup_losses(
    misclassification_loss, hinge_loss, perceptron_loss, logistic_loss, exponential_loss
) -> Checks:
    m = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
    yield equal("0-1", misclassification_loss(m), [1.0, 1, 1, 0, 0, 0])
    yield equal("hinge", hinge_loss(m), [2.0, 1.5, 1, 0.5, 0, 0])
    yield equal("perceptron", perceptron_loss(m), [1.0, 0.5, 0, 0, 0, 0])
    yield equal("hinge is the perceptron loss moved by 1", hinge_loss(m), np.asarray(perceptron_loss(m - 1)))
    yield equal("exponential", exponential_loss(m), np.exp(-m), rounding(1, 3))
    yield equal("logistic", logistic_loss(m), np.log(1 + np.exp(-m)), rounding(2, 3))
    yield equal("logistic at -1000 and 1000", logistic_loss(np.array([-1e3, 1e3])), [1e3, 0.0])


@claim(
    "bayes.setup-surrogate",
    kind="claim",
    section="11",
    sources=("Shi, regularised ERM", "Bartlett et al. (2006)"),
    statement=r"Hinge, logistic and exponential loss are calibrated: minimising $\eta\varphi(s) + (1-\eta)"
    r"\varphi(-s)$ over the score $s$ gives $s$ the sign of $2\eta - 1$. The perceptron loss is not: $s = 0$ "
    r"is always a minimiser.",
)
def setup_surrogate(hinge_loss, logistic_loss, exponential_loss, perceptron_loss, rng) -> Checks:
    scores = np.arange(-256, 257) / 64
    for name, loss in (("hinge", hinge_loss), ("logistic", logistic_loss), ("exponential", exponential_loss)):
        for eta in np.concatenate([[0.25, 0.75], rng.uniform(0.05, 0.45, 2), rng.uniform(0.55, 0.95, 2)]):
            values = eta * np.asarray(loss(scores)) + (1 - eta) * np.asarray(loss(-scores))
            best = scores[np.argmin(values)]
            yield equal(
                f"sign of the {name} minimiser", float(np.sign(best)), float(np.sign(2 * eta - 1)), eta=eta
            )
    for eta in (0.1, 0.6):
        values = eta * np.asarray(perceptron_loss(scores)) + (1 - eta) * np.asarray(perceptron_loss(-scores))
        yield equal("perceptron minimiser", float(scores[np.argmin(values)]), 0.0)


@claim(
    "bayes.setup-regularised-erm",
    kind="algorithm",
    section="11",
    sources=("Shi, regularised ERM",),
    statement=r"$g_n = \arg\min_g R_n(g) + \lambda\Omega(g)$. With the hinge loss and $\Omega = "
    r"\frac12\|w\|^2$ this is the support vector machine: $\frac12\|w\|^2 + C\sum_i \xi_i = "
    r"\frac1\lambda(R_n + \frac\lambda2\|w\|^2)$ for $\lambda = 1/(nC)$.",
)
def setup_regularised_erm(regularised_risk, rng) -> Checks:
    X, y = rng.normal(0, 2, (15, 3)), rng.choice([-1.0, 1.0], 15)
    for C in (0.125, 1.0, 16.0):
        w, b = rng.normal(0, 2, 3), float(rng.normal(0, 5))
        slack = np.maximum(0, 1 - y * (X @ w + b))
        objective = 0.5 * w @ w + C * slack.sum()
        penalty = 1 / (15 * C)
        value = regularised_risk(w, b, X, y, penalty=penalty) / penalty
        yield equal(
            f"support vector objective, C = {C}", value, objective, rounding(100, 1 + objective), w=w, b=b
        )


@claim(
    "bayes.setup-bias-merge",
    kind="formula",
    section="11",
    sources=("Shi, decision functions", "Yan, linearly separable data"),
    statement=r"A bias is one more weight on a constant feature: $\langle w, x\rangle + b = \langle [w; b], "
    r"[x; 1]\rangle$. The scores are equal; a norm penalty or a distance is not.",
)
def setup_bias_merge(append_one, rng) -> Checks:
    X, w, b = rng.integers(-9, 10, (20, 4)), rng.integers(-9, 10, 4), int(rng.integers(1, 9))
    merged = np.asarray(append_one(X.astype(np.float64)))
    weights = np.append(w, b).astype(np.float64)
    yield equal("scores (integers: exact)", merged @ weights, (X @ w + b).astype(np.float64), X=X)
    gap = abs(X @ w + b).astype(np.float64) / math.sqrt(w @ w) if w.any() else np.ones(20)
    merged_gap = abs(merged @ weights) / math.sqrt(weights @ weights)
    yield at_most(
        "distances in the merged space never exceed the true ones", merged_gap, gap, rounding(8, 400)
    )


@claim(
    "bayes.setup-novelty",
    kind="definition",
    section="11",
    sources=("Shi, novelty detection",),
    statement=r"Novelty detection learns from one class only and rejects what looks unlike it. Cutting the "
    r"training scores at their quantile $q$ rejects exactly $\lfloor qn \rfloor$ of $n$ different rows.",
)
def setup_novelty(rejection_threshold, rng) -> Checks:
    scores = rng.permutation(np.cumsum(rng.random(37) + 0.01) ** 3)  # far from uniform
    for rate in (0.0, 0.05, 0.5, 0.99):
        threshold = rejection_threshold(scores, rate)
        yield equal(
            f"training rows rejected at rate {rate}",
            int((scores < threshold).sum()),
            math.floor(rate * 37),
            scores=scores,
        )


@claim(
    "bayes.setup-novelty-why-not-binary",
    kind="homework",
    section="11",
    sources=("Shi, novelty detection, Q",),
    statement=r"Why is novelty detection not binary classification? There are no rows of a second class: a "
    r"classifier given one class must say so, not return a constant.",
)
def setup_novelty_why_not_binary(PlugInClassifier, rng) -> Checks:
    X = rng.standard_normal((20, 2))
    yield equal(
        "a single class refused in fit", refuses(PlugInClassifier().fit, X, np.zeros(20, dtype=int)), True
    )


# ------------------------------------------------------------------- 12 What the notes got wrong


@erratum(
    "bayes.erratum-y1",
    section="12",
    sources=("Yan, proof of Thm 2.1, case display",),
    printed=r"Both cases of the display carry the condition $P(Y=1\mid X) \ge P(Y=0\mid X)$.",
    corrected=r"The second case is $P(Y=1\mid X) < P(Y=0\mid X)$.",
)
def erratum_y1(conditional_risk) -> Checks:
    eta = 0.25  # the second case: P(Y=1|X) < P(Y=0|X), where the rule answers 0
    errors = np.asarray(conditional_risk([[1 - eta, eta]], 1.0 - np.eye(2)))[0]
    yield equal("P(f* != Y | X) in the second case is P(Y=1|X)", float(errors[0]), eta)
    yield equal("does the printed condition hold there?", eta >= 1 - eta, False)


@erratum(
    "bayes.erratum-y2",
    section="12",
    sources=("Yan, proof of Thm 2.1, last line",),
    printed=r"$P(f^\star(X) \ne Y \mid X) \ge P(f(X) \ne Y \mid X)$.",
    corrected=r"$P(f^\star(X) \ne Y \mid X) \le P(f(X) \ne Y \mid X)$.",
)
def erratum_y2(conditional_risk) -> Checks:
    errors = np.asarray(conditional_risk([[0.25, 0.75]], 1.0 - np.eye(2)))[0]
    best, other = float(errors[1]), float(errors[0])
    yield equal("does the printed inequality hold for f = 0 at eta = 3/4?", best >= other, False)
    yield at_most("P(f* != Y | X) against P(f != Y | X)", best, other)


@erratum(
    "bayes.erratum-y3",
    section="12",
    sources=("Yan, supervised learning",),
    printed=r"$R(\hat f) - R^\star \le h(n)$ with, for example, $h(n) = O(1/n)$.",
    corrected=r"The left side is random: in expectation, or with probability $1 - \delta$; and no $h(n) \to "
    r"0$ serves every law.",
)
def erratum_y3() -> Checks:
    def memorise(points, labels):
        rule = np.zeros(4, dtype=np.int64)
        rule[list(points)] = labels
        return rule

    losses = [_average_error(memorise, 4, n) for n in (1, 2)]
    yield equal("expected excess on 4 points, n = 1, 2", losses, [Fraction(3, 8), Fraction(9, 32)])
    wide = Fraction(1, 2) * (1 - Fraction(1, 10**6)) ** 1000
    yield at_least("expected excess at n = 1000 on a million points", float(wide), 0.49)
    one, samples = Fraction(1, 4), list(itertools.product((0, 1), repeat=3))  # one point, P(Y=1) = 1/4
    misled = sum(one ** sum(y) * (1 - one) ** (3 - sum(y)) for y in samples if sum(y) >= 2)
    yield equal("P(the majority of three labels is wrong), and loses 1/2", misled, Fraction(5, 32))


erratum_y24 = typographical(
    "bayes.erratum-y24",
    section="12",
    sources=("Yan, recap: Bayes formula with estimates",),
    printed=r"$P(Y = k \mid x) = \hat\pi_k \hat f_k(x) / \sum_j \hat\pi_j \hat f_j(x)$, with $P(X = x \mid "
    r"Y)$ for the law of X.",
    corrected=r"The left side carries a hat as well, and for a continuous law $f_k$ is a density.",
)


@erratum(
    "bayes.erratum-w1",
    section="12",
    sources=("Wainwright, 2.3.1, opening question",),
    printed=r"Find $g^\star$ with $R(g^\star) < R(g)$ for all other $g$.",
    corrected=r"$R(g^\star) \le R(g)$: with a tie or an atom of mass zero several rules are best.",
)
def erratum_w1(risk) -> Checks:
    law = FiniteLaw.from_weights([[2, 2], [1, 3], [0, 0]])
    risks = [risk(f, law.exact_table()) for f in law.rules()]
    yield equal("rules that attain the least risk", risks.count(min(risks)), 4)


@erratum(
    "bayes.erratum-w2",
    section="12",
    sources=("Wainwright, eq. (2.5), note",),
    printed=r"$\eta(x) \ge 1/2$ is equivalent to the likelihood-ratio test with threshold 1.",
    corrected=r"It is the test of the *posterior* odds; the threshold of the likelihood ratio is $(1-p)/p$, "
    r"and $\eta = 1$ must not divide by 0.",
)
def erratum_w2(posterior, likelihood_ratio_rule) -> Checks:
    p, ratio = 0.125, math.log(2)
    eta = np.asarray(posterior([1 - p, p], [[0.0, ratio]]))[0, 1]
    yield equal("eta at likelihood ratio 2 and p = 1/8", float(eta), 2 / 9, rounding(8))
    yield equal("answer of the printed test", int(ratio >= 0), 1)
    yield equal("answer with threshold (1-p)/p", likelihood_ratio_rule([ratio], p), [0])


@erratum(
    "bayes.erratum-w3",
    section="12",
    sources=("Wainwright, eq. (2.6)",),
    printed=r"$P(Y = 1, g(X) = 1 \mid X = 1)$.",
    corrected=r"$P(Y = 1, g(X) = 1 \mid X = x)$.",
)
def erratum_w3() -> Checks:
    eta = {0: Fraction(1, 4), 1: Fraction(3, 4)}
    yield equal("P(Y=1, g=1 | X=x) of g = 1 at x = 0", eta[0], Fraction(1, 4))
    yield equal("is the printed value, at X = 1, the same?", eta[1] == eta[0], False)


@erratum(
    "bayes.erratum-w4",
    section="12",
    sources=("Wainwright, eq. (2.7)",),
    printed=r"$1 - \{1_{g(x)=1}\,\eta(x) + 1_{g(x)=-1}\,\eta(x)\}$.",
    corrected=r"$1 - \{1_{g(x)=1}\,\eta(x) + 1_{g(x)=-1}\,(1 - \eta(x))\}$.",
)
def erratum_w4(conditional_risk) -> Checks:
    eta = 0.25
    errors = np.asarray(conditional_risk([[1 - eta, eta]], 1.0 - np.eye(2)))[0]
    yield equal("error of g = -1 is 1 - (1 - eta)", float(errors[0]), 1 - (1 - eta))
    yield equal("is the printed 1 - eta the same?", 1 - eta == float(errors[0]), False)


@erratum(
    "bayes.erratum-w5",
    section="12",
    sources=("Wainwright, eq. (2.8)",),
    printed=r"$\dots + (1 - \eta)\{1_{g^\star = -1} + 1_{g = -1}\}$.",
    corrected=r"$\dots + (1 - \eta)\{1_{g^\star = -1} - 1_{g = -1}\}$, which makes the difference "
    r"$(2\eta - 1)(1_{g^\star = 1} - 1_{g = 1})$.",
)
def erratum_w5(conditional_risk, bayes_rule_binary) -> Checks:
    eta = np.arange(9) / 8
    errors = np.asarray(conditional_risk(np.column_stack([1 - eta, eta]), 1.0 - np.eye(2)))
    best = np.asarray(bayes_rule_binary(eta))
    wrong = 0
    for g in (np.zeros(9, dtype=int), np.ones(9, dtype=int)):
        lost = _pick(errors, g) - _pick(errors, best)
        right = eta * ((best == 1) * 1.0 - (g == 1)) + (1 - eta) * ((best == 0) * 1.0 - (g == 0))
        printed = eta * ((best == 1) * 1.0 - (g == 1)) + (1 - eta) * ((best == 0) * 1.0 + (g == 0))
        yield equal("corrected difference, 9 values of eta", right, lost)
        yield at_least("what g loses against g*", lost, 0.0)
        wrong += int((printed != lost).sum())
    yield at_least("grid points where the printed difference is wrong", wrong, 1)


@erratum(
    "bayes.erratum-w6",
    section="12",
    sources=("Wainwright, Thm 2.2",),
    printed=r"$R(\hat g) - R^\star < 2\lvert E[\eta - \hat\eta]\rvert$.",
    corrected=r"$R(\hat g) - R^\star \le 2E\lvert\eta - \hat\eta\rvert$: errors of opposite sign do not "
    r"cancel.",
)
def erratum_w6(plugin_bound, excess_risk) -> Checks:
    eta, guess = np.array([0.25, 0.75]), np.array([0.75, 0.25])
    joint = np.column_stack([1 - eta, eta]) / 2
    lost = excess_risk([1, 0], joint)
    yield equal("excess risk of the plug-in rule", lost, 0.5)
    yield equal("the printed bound 2|E[eta - eta_hat]|", float(2 * abs(np.mean(eta - guess))), 0.0)
    bound = plugin_bound(np.column_stack([1 - eta, eta]), np.column_stack([1 - guess, guess]), [0.5, 0.5])
    yield at_most("excess risk against 2 E|eta - eta_hat|", lost, bound)


@erratum(
    "bayes.erratum-w7",
    section="12",
    sources=("Wainwright, Thm 2.2 and (2.22)",),
    printed=r"The excess risk is strictly smaller than the bound.",
    corrected=r"At most: $\hat\eta = \frac12$ where $\eta < \frac12$ attains it.",
)
def erratum_w7(plugin_bound, excess_risk) -> Checks:
    joint = [[0.75, 0.25]]
    lost = excess_risk([1], joint)
    yield equal(
        "bound 2 E|eta - eta_hat| at eta = 1/4, eta_hat = 1/2", plugin_bound(joint, [[0.5, 0.5]], [1.0]), 0.5
    )
    yield equal("excess risk of the plug-in rule there", lost, 0.5)


erratum_w8 = typographical(
    "bayes.erratum-w8",
    section="12",
    sources=("Wainwright, Thm 2.2",),
    printed=r"$\eta^\star$.",
    corrected=r"$\eta$: there is one regression function, and no starred one was defined.",
)

erratum_r1 = typographical(
    "bayes.erratum-r1",
    section="12",
    sources=("Recitation 7, 1.1",),
    printed=r"$L_D(h) = E[h(x) \ne y]$.",
    corrected=r"$L_D(h) = E[1\{h(x) \ne y\}] = P(h(x) \ne y)$: the expectation of an indicator.",
)


@erratum(
    "bayes.erratum-r2",
    section="12",
    sources=("Recitation 7, 1.1",),
    printed=r"Knowing $D$, one solves the problem 'according to the ERM principle'.",
    corrected=r"Knowing $D$, one minimises the true risk; empirical risk minimisation works on a sample and "
    r"may pick another rule.",
)
def erratum_r2(empirical_risk, risk) -> Checks:
    law = FiniteLaw.from_weights([[6, 4], [3, 7]])
    x, y = np.array([0, 0, 0, 1, 1]), np.array([1, 1, 0, 1, 0])
    chosen = min(law.rules(), key=lambda f: empirical_risk(y, f[x]))
    yield equal("answer at x = 0 of the rule of least empirical risk", int(chosen[0]), 1)
    yield at_least(
        "its true risk against the Bayes risk",
        risk(chosen, law.exact_table()),
        law.bayes_risk() + Fraction(1, 20),
    )


erratum_r3 = typographical(
    "bayes.erratum-r3",
    section="12",
    sources=("Recitation 7, Def. 1.1",),
    printed=r"$f_D = \arg\max_y P(Y = y \mid X = x)$.",
    corrected=r"$f_D(x) = \arg\max_y P(Y = y \mid X = x)$, with a rule for ties.",
)


@erratum(
    "bayes.erratum-r4",
    section="12",
    sources=("Recitation 7, Example 1.2",),
    printed=r"The normal density has the factor $1/(\sqrt{2\pi}\,\sigma^2)$.",
    corrected=r"The factor is $1/(\sqrt{2\pi}\,\sigma)$.",
)
def erratum_r4(Gaussian) -> Checks:
    x, w = _gauss(-24.0, 24.0, 120)
    shape = np.exp(-(x**2) / 8)  # sigma = 2
    yield equal("integral with 1/sigma", float(w @ shape) / (math.sqrt(2 * math.pi) * 2), 1.0, rounding(120))
    yield equal(
        "integral with the printed 1/sigma^2",
        float(w @ shape) / (math.sqrt(2 * math.pi) * 4),
        0.5,
        rounding(120),
    )
    density = np.exp(np.asarray(Gaussian(np.zeros(1), np.array([[4.0]])).log_density(x[:, None])))
    yield equal(
        "density against the corrected form", density, shape / (math.sqrt(2 * math.pi) * 2), rounding(8)
    )


@erratum(
    "bayes.erratum-r5",
    section="12",
    sources=("Recitation 7, Example 1.2",),
    printed=r"$L(1) = 0.005211$.",
    corrected=r"$L(1) = 0.00521188$, which rounds to $0.005212$.",
)
def erratum_r5(Gaussian) -> Checks:
    x = np.array([[1.0], [2.0], [3.0]])
    value = math.exp(float(np.sum(Gaussian(np.ones(1), np.eye(1)).log_density(x))))
    yield equal("L(1)", value, (2 * math.pi) ** -1.5 * math.exp(-2.5), rounding(12))
    yield equal("rounded to six decimals", round(value, 6), 0.005212)


@erratum(
    "bayes.erratum-r6",
    section="12",
    sources=("Recitation 7, Def. 1.2 and Example 1.2",),
    printed=r"The likelihood of a continuous law is the probability $P(X_i = x_i)$.",
    corrected=r"It is a density: the probability of a point is 0, and a density may exceed 1.",
)
def erratum_r6(Gaussian) -> Checks:
    narrow = Gaussian(np.zeros(1), np.array([[0.01]]))
    peak = math.exp(float(np.asarray(narrow.log_density([[0.0]]))[0]))
    exact = 10 / math.sqrt(2 * math.pi)
    yield equal("density of N(0, 0.01) at 0, which no probability can reach", peak, exact, rounding(8, 4))
    radius = 2.0**-30
    yield at_most(
        "probability of the interval of length 2^-29 around 0",
        math.erf(radius / 0.1 / math.sqrt(2)),
        2 * radius * peak,
        rounding(4),
    )


@erratum(
    "bayes.erratum-r7",
    section="12",
    sources=("Recitation 7, after Def. 1.3",),
    printed=r"The maximum-likelihood estimate is the most likely parameter.",
    corrected=r"It is the parameter that makes the data most likely; its own posterior probability can be as "
    r"small as one likes, here $\frac{8}{107}$.",
)
def erratum_r7() -> Checks:
    prior = {"fair": Fraction(99, 100), "two-headed": Fraction(1, 100)}
    likelihood = {"fair": Fraction(1, 8), "two-headed": Fraction(1)}
    estimate = max(likelihood, key=likelihood.__getitem__)
    total = sum(prior[c] * likelihood[c] for c in prior)
    yield equal("maximum-likelihood coin after three heads", estimate, "two-headed")
    yield equal("its posterior probability", prior[estimate] * likelihood[estimate] / total, Fraction(8, 107))


@erratum(
    "bayes.erratum-r8",
    section="12",
    sources=("Recitation 7, Example 1.3",),
    printed=r"$\hat p = \arg\max_p p^{n_1}(1-p)^{n_0}$, found where the derivative is 0.",
    corrected=r"The variable of the maximisation is not the true $p$; for $n_1 = 0$ or $n_0 = 0$ the maximum "
    r"is at the boundary, where the derivative is not 0.",
)
def erratum_r8(bernoulli_mle) -> Checks:
    yield equal("estimate from five failures", bernoulli_mle([0, 0, 0, 0, 0]), 0.0)
    step = Fraction(1, 1000)
    slope = ((1 - step) ** 5 - 1) / step
    yield at_most("slope of the likelihood at 0", float(slope), -4.9)


erratum_r19 = typographical(
    "bayes.erratum-r19",
    section="12",
    sources=("Recitation 7, 1.1 and 3",),
    printed=r"$n$ and $m$ both count the data; a tree has depth 'at most $k$' and '$k$'.",
    corrected=r"One letter, $n$, throughout; depth at most $k$.",
)

erratum_s6 = typographical(
    "bayes.erratum-s6",
    section="12",
    sources=("Shi, generalisation error",),
    printed=r"'zero loss'.",
    corrected=r"Zero-one loss.",
)


@erratum(
    "bayes.erratum-s7",
    section="12",
    sources=("Shi, regularised ERM",),
    printed=r"Any surrogate loss may replace the 0-1 loss; the perceptron loss is listed.",
    corrected=r"A convex surrogate must be calibrated (differentiable at 0 with negative derivative). The "
    r"perceptron loss is not, nor is any multiple of it above the 0-1 loss.",
)
def erratum_s7(perceptron_loss, hinge_loss, misclassification_loss) -> Checks:
    scores = np.arange(-128, 129) / 32
    risks = 0.75 * np.asarray(perceptron_loss(scores)) + 0.25 * np.asarray(perceptron_loss(-scores))
    yield equal("score of least perceptron risk at eta = 3/4: no sign", float(scores[np.argmin(risks)]), 0.0)
    risks = 0.75 * np.asarray(hinge_loss(scores)) + 0.25 * np.asarray(hinge_loss(-scores))
    yield equal("score of least hinge risk at eta = 3/4", float(scores[np.argmin(risks)]), 1.0)
    at_zero = float(np.asarray(perceptron_loss(np.zeros(1)))[0])
    yield equal("perceptron loss at margin 0: so is every multiple of it", at_zero, 0.0)
    yield equal("0-1 loss there", float(np.asarray(misclassification_loss(np.zeros(1)))[0]), 1.0)


@erratum(
    "bayes.erratum-s8",
    section="12",
    sources=("Shi, decision functions",),
    printed=r"The bias is merged into $w$ 'for simplicity'.",
    corrected=r"The scores are the same, the regularised problem is not: merging penalises the bias.",
)
def erratum_s8(regularised_risk, append_one) -> Checks:
    X, y = np.array([[0.0], [1.0]]), np.array([1.0, 1.0])
    w, b = np.array([0.0]), 1.0  # fits both rows with margin 1
    separate = regularised_risk(w, b, X, y, penalty=1.0)
    merged = regularised_risk(np.append(w, b), 0.0, np.asarray(append_one(X)), y, penalty=1.0)
    yield equal("objective with a free bias", separate, 0.0)
    yield equal("objective with the bias merged", merged, 0.5)
