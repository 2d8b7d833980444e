"""Mistakes about Bayes rule of a known law, as students make them; those about estimates are the next file.

Wrong code may divide by zero or overflow: the tests let it.
"""

import math
from dataclasses import dataclass

import numpy as np

from mlnotes import bayes as board
from mlnotes.laws.datasets import BeersLaw as RightBeers
from mlnotes.laws.datasets import FiniteLaw, GaussianClasses, recitation_example
from mlnotes.mistakes import Mistakes, negated, scaled, shifted

mistake = MISTAKES = Mistakes("bayes")


def table_and_loss(joint, loss):
    table = np.asarray(joint, dtype=float)
    return table, (1 - np.eye(table.shape[1]) if loss is None else np.asarray(loss, dtype=float))


# ------------------------------------------------------------------- laws and Bayes' formula


@mistake("disintegrate", kills="erratum-w3 eta-mu setup-joint-vs-conditional")
def divides_by_the_prior(joint):
    """Divides each column by its own sum: P(x | k) in place of P(k | x)."""
    table = np.asarray(joint, dtype=float)
    return table.sum(axis=1), table / table.sum(axis=0)


@mistake("disintegrate", kills="eta-mu")
def divides_by_zero(joint):
    """Divides 0 by 0 at an atom of mass zero."""
    table = np.asarray(joint, dtype=float)
    return table.sum(axis=1), table / table.sum(axis=1, keepdims=True)


mistake.rows("joint_table", ("Gives every atom the same mass.", "eta-mu setup-joint-vs-conditional",
    lambda marginal, conditional: np.asarray(conditional) / len(marginal)))  # fmt: skip
mistake.rows("posterior",
    ("Normalises the likelihoods: the prior is missing.",
     "erratum-r7 formula mle-intuition plugin-true-law",
     lambda prior, log_density:
        board.posterior(np.full(len(prior), 1 / len(prior)), log_density)),
)  # fmt: skip


@mistake("posterior", kills="formula")
def leaves_the_log_domain(prior, log_density):
    """Takes exponentials first: they overflow, or all are 0."""
    joint = np.asarray(prior) * np.exp(log_density)
    return joint / joint.sum(axis=1, keepdims=True)


@mistake("posterior", kills="formula")
def shifts_by_the_smallest(prior, log_density):
    """Subtracts the smallest score in place of the largest."""
    scores = np.log(prior) + np.asarray(log_density)
    masses = np.exp(scores - scores.min(axis=1, keepdims=True))
    return masses / masses.sum(axis=1, keepdims=True)


@mistake("posterior", kills="erratum-r20 formula")
def normalises_over_points(prior, log_density):
    """Sums over the points in place of the classes."""
    scores = np.log(prior) + np.asarray(log_density)
    masses = np.exp(scores - scores.max())
    return masses / masses.sum(axis=0)


# ------------------------------------------------------------------- losses and risk


mistake.rows("zero_one_loss", ("Has its ones on the diagonal.", "setup-loss01",
    lambda n_classes: np.eye(n_classes, dtype=int)))  # fmt: skip
mistake.rows("reject_loss", ("Refusing costs 1 - cost.", "reject-option",
    lambda n_classes, cost: board.reject_loss(n_classes, 1 - cost)))  # fmt: skip
mistake.rows("conditional_risk",
    ("Returns the probability that the answer is right.",
     "why-pointwise pointwise-min general-loss-risk erratum-y1 erratum-y2 erratum-w4",
     lambda posterior, loss:
        np.asarray(posterior, dtype=float)),
    ("Reads the loss with rows for truths.", "general-loss-risk",
     lambda posterior, loss: np.asarray(posterior) @ np.asarray(loss)),
    ("Takes eta (1 - eta) for the probability of an error.", "pointwise-min erratum-y1 erratum-w4",
     lambda posterior, loss: np.repeat(np.prod(posterior, axis=1, keepdims=True), 2, axis=1)),
    ("Takes max(eta, 1 - eta) for the probability of an error.", "pointwise-min why-pointwise",
     lambda posterior, loss: np.repeat(np.max(posterior, axis=1, keepdims=True), 2, axis=1)),
)  # fmt: skip


@mistake("risk", kills="setup-rate-framework setup-risk01 setup-sl-definition strict-question oracle "
         "general-loss-risk setup-hypothesis-testing-view erm-phrase")  # fmt: skip
def accuracy(rule, joint, loss=None):
    """Returns the probability of being right."""
    return 1 - board.risk(rule, np.asarray(joint, dtype=float))


@mistake("risk", kills="setup-risk01 strict-question")
def every_atom_counts_the_same(rule, joint, loss=None):
    """Averages the conditional errors over the atoms without their masses."""
    _, conditional = board.disintegrate(np.asarray(joint, dtype=float))
    return 1 - float(conditional[np.arange(len(conditional)), np.asarray(rule)].mean())


mistake.rows("risk",
    ("Counts the answers 1 that are wrong and forgets the answers 0.",
     "setup-risk01 strict-question erratum-w1",
     lambda rule, joint, loss=None:
        float((np.asarray(joint, dtype=float)[:, 0] * (np.asarray(rule) == 1)).sum())),
    ("Reads the loss with rows for truths.", "general-loss-risk setup-sl-definition",
     lambda rule, joint, loss=None: board.risk(rule, joint, None if loss is None else np.transpose(loss))),
    ("Divides by the number of classes.", "erratum-r2", scaled(0.5)),
)  # fmt: skip


@mistake("bayes_risk", kills="risk risk-overlap oracle nonunique setup-sl-definition")
def mean_of_products(joint, loss=None):
    """E eta (1 - eta), a product for the minimum."""
    marginal, conditional = board.disintegrate(np.asarray(joint, dtype=float))
    return float(marginal @ conditional.prod(axis=1))


@mistake("bayes_risk", kills="risk risk-overlap")
def minimum_of_means(joint, loss=None):
    """min(E eta, E (1 - eta)): the risk of the best constant answer."""
    table, costs = table_and_loss(joint, loss)
    return float((table @ costs.T).sum(axis=0).min())


mistake.rows("bayes_risk",
    ("E max(eta, 1 - eta): the probability that the Bayes rule is right.", "risk risk-overlap oracle",
     lambda joint, loss=None: float(np.asarray(joint, dtype=float).max(axis=1).sum())),
    ("Reads the loss with rows for truths.", "setup-sl-definition",
     lambda joint, loss=None: board.bayes_risk(joint, None if loss is None else np.transpose(loss))),
)  # fmt: skip
mistake.rows("excess_risk",
    ("Returns the risk itself.", "erratum-y3 excess-identity excess optimal-multi erratum-w5",
     lambda rule, joint, loss=None: board.risk(rule, joint, loss)),
    ("R* - R.", "excess-identity excess optimal-multi", negated),
)  # fmt: skip
mistake.rows("empirical_risk",
    ("Adds the losses up and does not divide by n.", "setup-true-vs-empirical-risk",
     lambda y_true, y_pred, loss=None: float(np.sum(np.asarray(y_true) != np.asarray(y_pred)))),
    ("Returns the share of right answers.", "setup-true-vs-empirical-risk erm-phrase erratum-r2",
     lambda y_true, y_pred, loss=None: float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))),
)  # fmt: skip
mistake.rows("hamming_loss",
    ("Counts wrong rows: the subset loss.", "setup-classification-types",
     lambda Y, Z: board.subset_loss(Y, Z)),
    ("Divides by the number of rows only.", "setup-classification-types",
     lambda Y, Z: float((np.asarray(Y) != np.asarray(Z)).sum(axis=1).mean())),
)  # fmt: skip
mistake.rows("subset_loss", ("Counts a row only if all its labels are wrong.", "setup-classification-types",
    lambda Y, Z: float(np.mean((np.asarray(Y) != np.asarray(Z)).all(axis=1)))))  # fmt: skip


# ------------------------------------------------------------------- the rules


@mistake("bayes_rule_binary", kills="discrete-joint rule-binary optimal-binary why-pointwise pointwise-min "
         "excess-identity strict-question cost-threshold beers-rule plugin-rule erm-phrase "
         "erratum-w5")  # fmt: skip
def threshold_on_the_wrong_class(eta, threshold=0.5):
    """Answers 1 where class 0 is more probable: p in place of 1 - p."""
    return (1 - np.asarray(eta) >= threshold).astype(int)


mistake.rows("bayes_rule_binary",
    ("Sends a tie to 0.", "rule-binary discrete-joint plugin-rule",
     lambda eta, threshold=0.5: (np.asarray(eta) > threshold).astype(int)),
    ("Wants to be surer than the threshold says.", "rule-binary optimal-binary plugin-rule plugin-proof-step",
     lambda eta, threshold=0.5: (np.asarray(eta) >= threshold + 0.1).astype(int)),
    ("Puts the threshold at 0.49.", "rule-binary optimal-binary",
     lambda eta, threshold=0.5: (np.asarray(eta) >= threshold - 0.01).astype(int)),
    ("Ignores the threshold.", "cost-threshold",
     lambda eta, threshold=0.5: (np.asarray(eta) >= 0.5).astype(int)),
    ("Rounds eta to two decimals first.", "rule-binary beers-rule",
     lambda eta, threshold=0.5: (np.round(eta, 2) >= threshold).astype(int)),
)  # fmt: skip
mistake.rows("bayes_rule",
    ("Returns the largest probability in place of the class.", "rule-multi optimal-multi traffic-signs",
     lambda posterior: np.max(posterior, axis=1)),
    ("Answers a class only if it is more probable than all the others together, else class 0.",
     "rule-multi optimal-multi",
     lambda posterior:
        (np.asarray(posterior) >= 0.5).argmax(axis=1)),
    ("Minimises in place of maximising.", "rule-multi optimal-multi traffic-signs",
     lambda posterior: np.argmin(posterior, axis=1)),
    ("Numbers the classes from 1.", "rule-multi optimal-multi traffic-signs", shifted(1)),
)  # fmt: skip
mistake.rows("bayes_rule_for_loss",
    ("Reads the loss with rows for truths.", "general-loss-rule traffic-signs",
     lambda posterior, loss: (np.asarray(posterior) @ np.asarray(loss)).argmin(axis=1)),
    ("Answers the most probable class whatever it costs.", "general-loss-rule traffic-signs reject-option",
     lambda posterior, loss: np.argmax(posterior, axis=1)),
    ("Maximises the cost.", "general-loss-rule traffic-signs reject-option",
     lambda posterior, loss: (np.asarray(posterior) @ np.asarray(loss).T).argmax(axis=1)),
)  # fmt: skip
mistake.rows("cost_threshold",
    ("c_FN / (c_FP + c_FN).", "cost-threshold",
     lambda false_positive, false_negative: false_negative / (false_positive + false_negative)),
    ("c_FP / c_FN: the threshold on the odds, not on eta.", "cost-threshold",
     lambda false_positive, false_negative: min(1.0, false_positive / false_negative)),
)  # fmt: skip
mistake.rows("likelihood_ratio_rule",
    ("Compares the ratio with 1: the prior is missing.", "lr-test setup-hypothesis-testing-view erratum-w2",
     lambda log_ratio, prior: (np.asarray(log_ratio) >= 0).astype(int)),
    ("Takes p / (1 - p) for the threshold.", "lr-test erratum-w2",
     lambda log_ratio, prior: (np.asarray(log_ratio) >= math.log(prior / (1 - prior))).astype(int)),
    ("Compares the logarithm of the ratio with (1 - p) / p.", "lr-test setup-hypothesis-testing-view",
     lambda log_ratio, prior: (np.asarray(log_ratio) >= (1 - prior) / prior).astype(int)),
    ("Sends a tie to 0.", "lr-test",
     lambda log_ratio, prior: (np.asarray(log_ratio) > math.log((1 - prior) / prior)).astype(int)),
)  # fmt: skip
mistake.rows("plugin_bound",
    ("E |eta - eta_hat|: the factor 2 is missing.", "plugin-bound plugin-bound-multi erratum-w7",
     scaled(0.5)),
)  # fmt: skip


@mistake("plugin_bound", kills="plugin-bound plugin-bound-multi erratum-w6")
def absolute_value_outside(posterior, estimate, marginal):
    """|E (eta - eta_hat)|: errors of opposite sign cancel."""
    difference = np.asarray(posterior, dtype=float) - np.asarray(estimate, dtype=float)
    return float(abs(np.asarray(marginal, dtype=float) @ difference).sum())


@mistake("plugin_bound", kills="plugin-bound plugin-bound-multi")
def squared_error(posterior, estimate, marginal):
    """2 E (eta - eta_hat)^2."""
    difference = np.asarray(posterior, dtype=float) - np.asarray(estimate, dtype=float)
    return float(np.asarray(marginal, dtype=float) @ (difference**2).sum(axis=1))


# ------------------------------------------------------------------- laws


def law_with(sampler):
    """Return a class of finite laws that draws with `sampler(law, n, rng)`."""
    return type("WrongLaw", (FiniteLaw,), {"sample": sampler, "__doc__": sampler.__doc__})


@mistake("FiniteLaw", kills="setup-iid")
@law_with
def labels_from_the_prior(law, n, rng):
    """Draws the label without looking at x."""
    X, _ = FiniteLaw.sample(law, n, rng)
    return X, FiniteLaw.sample(law, n, rng)[1]


@mistake("FiniteLaw", kills="setup-iid")
@law_with
def fixed_class_counts(law, n, rng):
    """Draws exactly n P(Y = k) rows of class k."""
    X, y = FiniteLaw.sample(law, 4 * n + 1000, rng)
    keep = [np.flatnonzero(y == k)[: round(n * p)] for k, p in enumerate(law.prior)]
    rows = rng.permutation(np.concatenate(keep))
    return X[rows], y[rows]


@mistake("FiniteLaw", kills="setup-iid")
@law_with
def every_row_twice(law, n, rng):
    """Repeats each draw: the rows are not independent."""
    X, y = FiniteLaw.sample(law, n // 2, rng)
    return np.repeat(X, 2, axis=0), np.repeat(y, 2)


@mistake("FiniteLaw", kills="setup-iid")
@law_with
def the_sample_twice(law, n, rng):
    """Draws half of the rows and appends a copy of them."""
    X, y = FiniteLaw.sample(law, n // 2, rng)
    return np.tile(X, (2, 1)), np.tile(y, 2)


@mistake("FiniteLaw", kills="setup-iid")
@law_with
def atoms_are_equally_likely(law, n, rng):
    """Draws x uniformly, then y given x."""
    x = rng.integers(0, law.n_atoms, n)
    y = (rng.random(n) < law.conditional().astype(float)[x, 1]).astype(int)
    return x[:, None].astype(float), y


def posterior_from(eta):
    """Return a posterior whose second column is this function of sleep and beers together."""

    def posterior(self, X):
        one = eta(np.asarray(X, dtype=float).sum(axis=1))
        return np.column_stack([1 - one, one])

    return posterior


mistake.rows("BeersLaw.posterior",
    ("Passes whoever is below 7: laziness is forgotten.", "beers-eta beers-rule",
     posterior_from(lambda s: 1.0 * (s <= 7))),
    ("Puts the threshold at 7 + log 2.", "beers-eta beers-rule",
     posterior_from(lambda s: 1.0 * (s <= 7 + math.log(2)))),
    ("Takes the logarithm to the base 10.", "beers-eta beers-rule",
     posterior_from(lambda s: 1.0 * (s <= 7 - math.log10(2)))),
    ("1 - e^(s - 7) also where it is negative.", "beers-eta", posterior_from(lambda s: -np.expm1(s - 7))),
    ("1 - e^(7 - s), cut at 0.", "beers-eta beers-rule",
     posterior_from(lambda s: np.maximum(0, -np.expm1(7 - s)))),
)  # fmt: skip
mistake.rows("BeersLaw.bayes_risk", ("Returns the risk of the threshold 7.", "beers-rule",
    lambda self: 24.5 * math.exp(-7)))  # fmt: skip


@mistake("BeersLaw.sample", kills="beers-model")
def _(self, n, rng):
    """Forgets the third variable in the draw."""
    X = rng.exponential(size=(n, 2))
    return X, (X.sum(axis=1) <= 7).astype(int)


mistake.rows("BeersLaw.sample",
    ("Draws who passes without looking at sleep and beers.", "beers-model",
     lambda self, n, rng: (RightBeers.sample(self, n, rng)[0], RightBeers.sample(self, n, rng)[1])),
)  # fmt: skip


@mistake("BeersLaw.sample", kills="beers-model")
def _(self, n, rng):
    """Takes the rate for the mean: exponentials of mean 2, and a limit of 14."""
    X, y = RightBeers.sample(self, n, rng)
    return 2 * X, y


class WrongClasses(GaussianClasses):
    def root(self, k):
        return np.linalg.cholesky(self.covariances[k])

    def sample(self, n, rng):
        y = rng.choice(len(self.prior), size=n, p=self.prior)
        roots = np.array([self.root(k) for k in range(len(self.prior))])
        return self.means[y] + np.einsum("nij,nj->ni", roots[y], rng.standard_normal((n, 2))), y


@mistake("GaussianClasses", kills="generative-model")
class FactorTransposed(WrongClasses):
    """Multiplies by the transpose of the Cholesky factor."""

    def root(self, k):
        return super().root(k).T


@mistake("GaussianClasses", kills="generative-model")
class CovarianceForStandardDeviation(WrongClasses):
    """Multiplies by the covariance in place of its root."""

    def root(self, k):
        return self.covariances[k]


@mistake("GaussianClasses", kills="generative-model")
class PriorSwapped(WrongClasses):
    """p is the probability of class 0."""

    def sample(self, n, rng):
        return GaussianClasses(self.prior[::-1], self.means, self.covariances).sample(n, rng)


@mistake("GaussianClasses", kills="generative-model")
class CorrelationOfTheWrongSign(WrongClasses):
    """Mirrors the draws at the axis."""

    def root(self, k):
        return super().root(k) * [[1], [-1]]


mistake.rows("GaussianClasses.posterior",
    ("Normalises the densities: the prior is missing.", "generative-model",
     lambda self, X: board.posterior([0.5, 0.5], self.log_density(X))),
    ("Uses the average covariance for both classes.", "generative-model",
     lambda self, X: GaussianClasses(self.prior, self.means, self.covariances.mean(axis=0)).posterior(X)),
)  # fmt: skip


def example(kind, risk=0.0225145165):
    """Return a maker of Example 1.1 as a law of another kind, or with another risk."""
    law, told = recitation_example(), type(kind.__name__, (kind,), {"bayes_risk": lambda self: risk})
    return lambda: told(law.prior, law.means, law.covariances)


for kind in (FactorTransposed, CovarianceForStandardDeviation, PriorSwapped, CorrelationOfTheWrongSign):
    mistake.add(kind.__doc__, "generative-ex1.1", {"recitation_example": example(kind)})
mistake.rows("recitation_example", ("Returns the risk of maximum likelihood.", "generative-ex1.1",
    example(GaussianClasses, 0.0229850105)))  # fmt: skip


# ------------------------------------------------------------------- tables


@dataclass
class Table:
    y: np.ndarray


mistake.rows("articles",
    ("Reads the topics from right to left.", "setup-articles",
     lambda: Table(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]]))),
    ("Codes no as 1.", "setup-articles", lambda: Table(np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1]]))),
)  # fmt: skip
