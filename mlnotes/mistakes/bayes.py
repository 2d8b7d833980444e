"""Mistakes about Bayes rule, as students make them.

Wrong code may divide by zero or overflow: the tests let it.
"""

import math
from dataclasses import dataclass

import numpy as np

from mlnotes import bayes as board
from mlnotes.estimators import bayes as right
from mlnotes.laws.datasets import BeersLaw as RightBeers
from mlnotes.laws.datasets import FiniteLaw, GaussianClasses, recitation_example
from mlnotes.mistakes import Mistake, Mistakes

mistake = MISTAKES = Mistakes("bayes")


def table_and_loss(joint, loss):
    table = np.asarray(joint, dtype=float)
    return table, (1 - np.eye(table.shape[1]) if loss is None else np.asarray(loss, dtype=float))


# ------------------------------------------------------------------- laws and Bayes' formula


@mistake("disintegrate", kills=("bayes.erratum-w3", "bayes.eta-mu", "bayes.setup-joint-vs-conditional"))
def divides_by_the_prior(joint):
    """Divides each column by its own sum: P(x | k) in place of P(k | x)."""
    table = np.asarray(joint, dtype=float)
    return table.sum(axis=1), table / table.sum(axis=0)


@mistake("disintegrate", kills=("bayes.eta-mu",))
def divides_by_zero(joint):
    """Divides 0 by 0 at an atom of mass zero."""
    table = np.asarray(joint, dtype=float)
    return table.sum(axis=1), table / table.sum(axis=1, keepdims=True)


@mistake("joint_table", kills=("bayes.eta-mu", "bayes.setup-joint-vs-conditional"))
def forgets_the_marginal(marginal, conditional):
    """Gives every atom the same mass."""
    return np.asarray(conditional) / len(marginal)


@mistake(
    "posterior",
    kills=(
        "bayes.erratum-r7",
        "bayes.formula",
        "bayes.mle-intuition",
        "bayes.erratum-w2",
        "bayes.plugin-true-law",
    ),
)
def forgets_the_prior(prior, log_density):
    """Normalises the likelihoods: the prior is missing."""
    return board.posterior(np.full(len(prior), 1 / len(prior)), log_density)


@mistake("posterior", kills=("bayes.formula",))
def leaves_the_log_domain(prior, log_density):
    """Takes exponentials first: they overflow, or all are 0."""
    joint = np.asarray(prior) * np.exp(log_density)
    return joint / joint.sum(axis=1, keepdims=True)


@mistake("posterior", kills=("bayes.formula",))
def shifts_by_the_smallest(prior, log_density):
    """Subtracts the smallest score in place of the largest."""
    scores = np.log(prior) + np.asarray(log_density)
    masses = np.exp(scores - scores.min(axis=1, keepdims=True))
    return masses / masses.sum(axis=1, keepdims=True)


@mistake("posterior", kills=("bayes.erratum-r20", "bayes.formula"))
def normalises_over_points(prior, log_density):
    """Sums over the points in place of the classes."""
    scores = np.log(prior) + np.asarray(log_density)
    masses = np.exp(scores - scores.max())
    return masses / masses.sum(axis=0)


# ------------------------------------------------------------------- losses and risk


@mistake("zero_one_loss", kills=("bayes.setup-loss01",))
def pays_for_being_right(n_classes):
    """Has its ones on the diagonal."""
    return np.eye(n_classes, dtype=int)


@mistake("reject_loss", kills=("bayes.reject-option",))
def takes_the_cost_for_a_confidence(n_classes, cost):
    """Refusing costs 1 - cost."""
    return board.reject_loss(n_classes, 1 - cost)


@mistake(
    "conditional_risk",
    kills=(
        "bayes.why-pointwise", "bayes.pointwise-min", "bayes.general-loss-risk", "bayes.erratum-y1",
        "bayes.erratum-y2", "bayes.erratum-w4", "bayes.erratum-w5",
    ),
)  # fmt: skip
def probability_of_being_right(posterior, loss):
    """Returns the probability that the answer is board."""
    return np.asarray(posterior, dtype=float)


@mistake("conditional_risk", kills=("bayes.general-loss-risk",))
def conditional_risk_transposed(posterior, loss):
    """Reads the loss with rows for truths."""
    return np.asarray(posterior) @ np.asarray(loss)


@mistake("conditional_risk", kills=("bayes.pointwise-min", "bayes.erratum-y1", "bayes.erratum-w4"))
def product_for_minimum(posterior, loss):
    """Takes eta (1 - eta) for the probability of an error."""
    return np.repeat(np.prod(posterior, axis=1, keepdims=True), 2, axis=1)


@mistake("conditional_risk", kills=("bayes.pointwise-min", "bayes.why-pointwise"))
def maximum_for_minimum(posterior, loss):
    """Takes max(eta, 1 - eta) for the probability of an error."""
    return np.repeat(np.max(posterior, axis=1, keepdims=True), 2, axis=1)


@mistake(
    "risk",
    kills=("bayes.setup-rate-framework",
        "bayes.setup-risk01", "bayes.setup-sl-definition", "bayes.strict-question", "bayes.oracle",
        "bayes.general-loss-risk", "bayes.setup-hypothesis-testing-view", "bayes.erm-phrase",
    ),
)  # fmt: skip
def accuracy(rule, joint, loss=None):
    """Returns the probability of being board."""
    return 1 - board.risk(rule, np.asarray(joint, dtype=float))


@mistake("risk", kills=("bayes.setup-risk01", "bayes.strict-question", "bayes.erratum-w1"))
def false_alarms_only(rule, joint, loss=None):
    """Counts the answers 1 that are wrong and forgets the answers 0."""
    table = np.asarray(joint, dtype=float)
    return float((table[:, 0] * (np.asarray(rule) == 1)).sum())


@mistake("risk", kills=("bayes.setup-risk01", "bayes.strict-question"))
def every_atom_counts_the_same(rule, joint, loss=None):
    """Averages the conditional errors over the atoms without their masses."""
    _, conditional = board.disintegrate(np.asarray(joint, dtype=float))
    return 1 - float(conditional[np.arange(len(conditional)), np.asarray(rule)].mean())


@mistake("risk", kills=("bayes.general-loss-risk", "bayes.setup-sl-definition"))
def risk_transposed(rule, joint, loss=None):
    """Reads the loss with rows for truths."""
    return board.risk(rule, joint, None if loss is None else np.transpose(loss))


@mistake("risk", kills=("bayes.erratum-r2",))
def half_of_the_risk(rule, joint, loss=None):
    """Divides by the number of classes."""
    return board.risk(rule, joint, loss) / 2


@mistake(
    "bayes_risk",
    kills=(
        "bayes.risk",
        "bayes.risk-overlap",
        "bayes.oracle",
        "bayes.nonunique",
        "bayes.setup-sl-definition",
    ),
)
def mean_of_products(joint, loss=None):
    """E eta (1 - eta), a product for the minimum."""
    marginal, conditional = board.disintegrate(np.asarray(joint, dtype=float))
    return float(marginal @ conditional.prod(axis=1))


@mistake("bayes_risk", kills=("bayes.risk", "bayes.risk-overlap"))
def minimum_of_means(joint, loss=None):
    """min(E eta, E (1 - eta)): the risk of the best constant answer."""
    table, costs = table_and_loss(joint, loss)
    return float((table @ costs.T).sum(axis=0).min())


@mistake("bayes_risk", kills=("bayes.risk", "bayes.risk-overlap", "bayes.oracle"))
def mean_of_maxima(joint, loss=None):
    """E max(eta, 1 - eta): the probability that the Bayes rule is board."""
    return float(np.asarray(joint, dtype=float).max(axis=1).sum())


@mistake("bayes_risk", kills=("bayes.setup-sl-definition",))
def bayes_risk_transposed(joint, loss=None):
    """Reads the loss with rows for truths."""
    return board.bayes_risk(joint, None if loss is None else np.transpose(loss))


@mistake(
    "excess_risk",
    kills=("bayes.erratum-y3",
        "bayes.excess-identity", "bayes.excess", "bayes.optimal-multi", "bayes.erratum-w6",
        "bayes.erratum-w7",
    ),
)  # fmt: skip
def forgets_the_bayes_risk(rule, joint, loss=None):
    """Returns the risk itself."""
    return board.risk(rule, joint, loss)


@mistake("excess_risk", kills=("bayes.excess-identity", "bayes.excess", "bayes.optimal-multi"))
def the_wrong_way_round(rule, joint, loss=None):
    """R* - R."""
    return -board.excess_risk(rule, joint, loss)


@mistake("empirical_risk", kills=("bayes.setup-true-vs-empirical-risk",))
def sum_for_mean(y_true, y_pred, loss=None):
    """Adds the losses up and does not divide by n."""
    return float(np.sum(np.asarray(y_true) != np.asarray(y_pred)))


@mistake(
    "empirical_risk", kills=("bayes.setup-true-vs-empirical-risk", "bayes.erm-phrase", "bayes.erratum-r2")
)
def empirical_accuracy(y_true, y_pred, loss=None):
    """Returns the share of right answers."""
    return float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))


@mistake("hamming_loss", kills=("bayes.setup-classification-types",))
def any_wrong_label(Y, Z):
    """Counts wrong rows: the subset loss."""
    return board.subset_loss(Y, Z)


@mistake("hamming_loss", kills=("bayes.setup-classification-types",))
def wrong_labels_per_row(Y, Z):
    """Divides by the number of rows only."""
    return float((np.asarray(Y) != np.asarray(Z)).sum(axis=1).mean())


@mistake("subset_loss", kills=("bayes.setup-classification-types",))
def all_labels_wrong(Y, Z):
    """Counts a row only if all its labels are wrong."""
    return float(np.mean((np.asarray(Y) != np.asarray(Z)).all(axis=1)))


# ------------------------------------------------------------------- the rules


@mistake("bayes_rule_binary", kills=("bayes.rule-binary", "bayes.discrete-joint", "bayes.plugin-rule"))
def strict(eta, threshold=0.5):
    """Sends a tie to 0."""
    return (np.asarray(eta) > threshold).astype(int)


@mistake(
    "bayes_rule_binary",
    kills=(
        "bayes.discrete-joint", "bayes.rule-binary", "bayes.optimal-binary", "bayes.why-pointwise",
        "bayes.pointwise-min", "bayes.excess-identity", "bayes.strict-question", "bayes.cost-threshold",
        "bayes.beers-rule", "bayes.plugin-rule", "bayes.erm-phrase", "bayes.erratum-w5",
    ),
)  # fmt: skip
def threshold_on_the_wrong_class(eta, threshold=0.5):
    """Answers 1 where class 0 is more probable: p in place of 1 - p."""
    return (1 - np.asarray(eta) >= threshold).astype(int)


@mistake(
    "bayes_rule_binary",
    kills=(
        "bayes.rule-binary", "bayes.optimal-binary", "bayes.plugin-rule", "bayes.plugin-proof-step",
    ),
)  # fmt: skip
def asks_for_more_than_half(eta, threshold=0.5):
    """Wants to be surer than the threshold says."""
    return (np.asarray(eta) >= threshold + 0.1).astype(int)


@mistake("bayes_rule_binary", kills=("bayes.rule-binary", "bayes.optimal-binary"))
def asks_for_less_than_half(eta, threshold=0.5):
    """Puts the threshold at 0.49."""
    return (np.asarray(eta) >= threshold - 0.01).astype(int)


@mistake("bayes_rule_binary", kills=("bayes.cost-threshold",))
def always_one_half(eta, threshold=0.5):
    """Ignores the threshold."""
    return (np.asarray(eta) >= 0.5).astype(int)


@mistake("bayes_rule_binary", kills=("bayes.rule-binary", "bayes.beers-rule"))
def rounds(eta, threshold=0.5):
    """Rounds eta to two decimals first."""
    return (np.round(eta, 2) >= threshold).astype(int)


@mistake("bayes_rule", kills=("bayes.rule-multi", "bayes.optimal-multi", "bayes.traffic-signs"))
def maximum_for_argmax(posterior):
    """Returns the largest probability in place of the class."""
    return np.max(posterior, axis=1)


@mistake("bayes_rule", kills=("bayes.rule-multi", "bayes.optimal-multi"))
def one_against_the_rest(posterior):
    """Answers a class only if it is more probable than all the others together, else class 0."""
    return (np.asarray(posterior) >= 0.5).argmax(axis=1)


@mistake("bayes_rule", kills=("bayes.rule-multi", "bayes.optimal-multi", "bayes.traffic-signs"))
def least_probable(posterior):
    """Minimises in place of maximising."""
    return np.argmin(posterior, axis=1)


@mistake("bayes_rule", kills=("bayes.rule-multi", "bayes.optimal-multi", "bayes.traffic-signs"))
def counts_from_one(posterior):
    """Numbers the classes from 1."""
    return board.bayes_rule(posterior) + 1


@mistake("bayes_rule_for_loss", kills=("bayes.general-loss-rule", "bayes.traffic-signs"))
def rule_for_the_transposed_loss(posterior, loss):
    """Reads the loss with rows for truths."""
    return (np.asarray(posterior) @ np.asarray(loss)).argmin(axis=1)


@mistake(
    "bayes_rule_for_loss", kills=("bayes.general-loss-rule", "bayes.traffic-signs", "bayes.reject-option")
)
def ignores_the_loss(posterior, loss):
    """Answers the most probable class whatever it costs."""
    return np.argmax(posterior, axis=1)


@mistake(
    "bayes_rule_for_loss", kills=("bayes.general-loss-rule", "bayes.traffic-signs", "bayes.reject-option")
)
def most_expensive(posterior, loss):
    """Maximises the cost."""
    return (np.asarray(posterior) @ np.asarray(loss).T).argmax(axis=1)


@mistake("cost_threshold", kills=("bayes.cost-threshold",))
def costs_swapped(false_positive, false_negative):
    """c_FN / (c_FP + c_FN)."""
    return false_negative / (false_positive + false_negative)


@mistake("cost_threshold", kills=("bayes.cost-threshold",))
def odds_for_probability(false_positive, false_negative):
    """c_FP / c_FN: the threshold on the odds, not on eta."""
    return min(1.0, false_positive / false_negative)


@mistake(
    "likelihood_ratio_rule",
    kills=("bayes.lr-test", "bayes.setup-hypothesis-testing-view", "bayes.erratum-w2"),
)
def maximum_likelihood(log_ratio, prior):
    """Compares the ratio with 1: the prior is missing."""
    return (np.asarray(log_ratio) >= 0).astype(int)


@mistake("likelihood_ratio_rule", kills=("bayes.lr-test", "bayes.erratum-w2"))
def odds_upside_down(log_ratio, prior):
    """Takes p / (1 - p) for the threshold."""
    return (np.asarray(log_ratio) >= math.log(prior / (1 - prior))).astype(int)


@mistake("likelihood_ratio_rule", kills=("bayes.lr-test", "bayes.setup-hypothesis-testing-view"))
def threshold_without_logarithm(log_ratio, prior):
    """Compares the logarithm of the ratio with (1 - p) / p."""
    return (np.asarray(log_ratio) >= (1 - prior) / prior).astype(int)


@mistake("likelihood_ratio_rule", kills=("bayes.lr-test",))
def strict_ratio(log_ratio, prior):
    """Sends a tie to 0."""
    return (np.asarray(log_ratio) > math.log((1 - prior) / prior)).astype(int)


@mistake("plugin_bound", kills=("bayes.plugin-bound", "bayes.plugin-bound-multi", "bayes.erratum-w7"))
def factor_one(posterior, estimate, marginal):
    """E |eta - eta_hat|: the factor 2 is missing."""
    return board.plugin_bound(posterior, estimate, marginal) / 2


@mistake("plugin_bound", kills=("bayes.plugin-bound", "bayes.plugin-bound-multi", "bayes.erratum-w6"))
def absolute_value_outside(posterior, estimate, marginal):
    """|E (eta - eta_hat)|: errors of opposite sign cancel."""
    difference = np.asarray(posterior, dtype=float) - np.asarray(estimate, dtype=float)
    return float(abs(np.asarray(marginal, dtype=float) @ difference).sum())


@mistake("plugin_bound", kills=("bayes.plugin-bound", "bayes.plugin-bound-multi"))
def squared_error(posterior, estimate, marginal):
    """2 E (eta - eta_hat)^2."""
    difference = np.asarray(posterior, dtype=float) - np.asarray(estimate, dtype=float)
    return float(np.asarray(marginal, dtype=float) @ (difference**2).sum(axis=1))


# ------------------------------------------------------------------- losses of a margin


@mistake("misclassification_loss", kills=("bayes.setup-losses",))
def forgives_margin_zero(margin):
    """1{m < 0}: a point on the boundary is board."""
    return (np.asarray(margin) < 0).astype(float)


@mistake("misclassification_loss", kills=("bayes.erratum-s7",))
def never_wrong(margin):
    """Compares the sign with itself: no margin is an error."""
    return (np.sign(margin) != np.sign(margin)).astype(float)


@mistake("hinge_loss", kills=("bayes.setup-losses",))
def squared_hinge(margin):
    """max(0, 1 - m)^2."""
    return np.maximum(0, 1 - np.asarray(margin)) ** 2


@mistake("hinge_loss", kills=("bayes.setup-losses", "bayes.setup-surrogate", "bayes.erratum-s7"))
def hinge_with_the_wrong_sign(margin):
    """max(0, 1 + m)."""
    return np.maximum(0, 1 + np.asarray(margin))


@mistake("perceptron_loss", kills=("bayes.setup-losses",))
def perceptron_with_the_wrong_sign(margin):
    """max(0, m)."""
    return np.maximum(0, np.asarray(margin))


@mistake("perceptron_loss", kills=("bayes.setup-losses", "bayes.setup-surrogate", "bayes.erratum-s7"))
def hinge_for_perceptron(margin):
    """max(0, 1 - m)."""
    return np.maximum(0, 1 - np.asarray(margin))


@mistake("logistic_loss", kills=("bayes.setup-losses",))
def logistic_overflows(margin):
    """log(1 + exp(-m)) as it stands: infinite at m = -1000."""
    return np.log(1 + np.exp(-np.asarray(margin)))


@mistake("logistic_loss", "exponential_loss", kills=("bayes.setup-losses", "bayes.setup-surrogate"))
def grows_with_the_margin(margin):
    """e^m: a large margin is punished."""
    return np.exp(np.minimum(np.asarray(margin), 700))


@mistake("regularised_risk", kills=("bayes.setup-regularised-erm",))
def penalty_over_n(w, b, X, y, *, penalty, loss=board.hinge_loss):
    """Divides lambda by n as well."""
    return board.regularised_risk(w, b, X, y, penalty=penalty / len(X), loss=loss)


@mistake("regularised_risk", kills=("bayes.setup-regularised-erm",))
def penalty_without_one_half(w, b, X, y, *, penalty, loss=board.hinge_loss):
    """lambda |w|^2."""
    return board.regularised_risk(w, b, X, y, penalty=2 * penalty, loss=loss)


@mistake("regularised_risk", kills=("bayes.setup-regularised-erm", "bayes.erratum-s8"))
def penalised_bias(w, b, X, y, *, penalty, loss=board.hinge_loss):
    """Penalises the bias too."""
    return board.regularised_risk(w, b, X, y, penalty=penalty, loss=loss) + penalty / 2 * b**2


@mistake("regularised_risk", kills=("bayes.setup-regularised-erm",))
def sum_of_losses(w, b, X, y, *, penalty, loss=board.hinge_loss):
    """Adds the losses up and does not divide by n."""
    X, w = np.asarray(X), np.asarray(w)
    return float(loss(np.asarray(y) * (X @ w + b)).sum() + penalty / 2 * w @ w)


@mistake("append_one", kills=("bayes.setup-bias-merge", "bayes.erratum-s8"))
def one_comes_first(X):
    """Puts the column of ones in front."""
    return np.column_stack([np.ones(len(X)), X])


@mistake("append_one", kills=("bayes.setup-bias-merge",))
def appends_zeros(X):
    """Appends a column of zeros: the bias is lost."""
    return np.column_stack([X, np.zeros(len(X))])


# ------------------------------------------------------------------- maximum likelihood


@mistake("bernoulli_mle", kills=("bayes.mle-bernoulli", "bayes.mle-def", "bayes.erratum-r8"))
def rule_of_succession(y):
    """(n_1 + 1) / (n + 2): a posterior mean, not the maximum of the likelihood."""
    return (sum(y) + 1) / (len(y) + 2)


@mistake("bernoulli_mle", kills=("bayes.mle-bernoulli", "bayes.mle-def", "bayes.erratum-r8"))
def share_of_zeros(y):
    """1 - p in place of p."""
    return 1 - sum(y) / len(y)


@mistake("bernoulli_mle", kills=("bayes.mle-bernoulli",))
def divides_by_n_minus_one(y):
    """n_1 / (n - 1), cut at 1."""
    return min(1.0, sum(y) / max(len(y) - 1, 1))


class WrongGaussian:
    def __init__(self, mean, covariance):
        self.mean, self.covariance = np.asarray(mean, dtype=float), np.asarray(covariance, dtype=float)

    def squared_distance(self, X):
        gap = np.asarray(X, dtype=float) - self.mean
        return np.einsum("nd,nd->n", gap @ np.linalg.inv(self.covariance), gap)

    def log_density(self, X):
        return right.Gaussian(self.mean, self.covariance).log_density(X)

    @classmethod
    def fit(cls, X):
        fit = right.Gaussian.fit(X)
        return cls(fit.mean, fit.covariance)


@mistake("Gaussian", kills=("bayes.mle-likelihood", "bayes.erratum-r4", "bayes.erratum-r6"))
class DividesByTheVariance(WrongGaussian):
    """1 / (sqrt(2 pi) sigma^2) before the exponential."""

    def log_density(self, X):
        return super().log_density(X) - np.linalg.slogdet(self.covariance)[1] / 2


@mistake(
    "Gaussian",
    kills=(
        "bayes.mle-likelihood", "bayes.mle-ex1.2", "bayes.erratum-r4", "bayes.erratum-r5", "bayes.erratum-r6",
    ),
)  # fmt: skip
class NoConstant(WrongGaussian):
    """The exponential alone, without 1 / (sqrt(2 pi) sigma)."""

    def log_density(self, X):
        return -0.5 * self.squared_distance(X)


@mistake("Gaussian", kills=("bayes.mle-likelihood", "bayes.mle-ex1.2", "bayes.erratum-r5"))
class LogarithmToTheBaseTen(WrongGaussian):
    """Takes logarithms to the base 10."""

    def log_density(self, X):
        return super().log_density(X) / math.log(10)


@mistake("Gaussian", kills=("bayes.mle-likelihood", "bayes.mle-ex1.2", "bayes.erratum-r5"))
class NoLogarithm(WrongGaussian):
    """Returns densities, so that their sum stands for a product."""

    def log_density(self, X):
        return np.exp(super().log_density(X))


@mistake("Gaussian", kills=("bayes.mle-likelihood", "bayes.erratum-r4", "bayes.erratum-r6"))
class CovarianceForSpread(WrongGaussian):
    """Takes the covariance for a standard deviation."""

    def log_density(self, X):
        return right.Gaussian(self.mean, self.covariance @ self.covariance).log_density(X)


@mistake("Gaussian", kills=("bayes.mle-gauss-params",))
class DivisorNMinusOne(WrongGaussian):
    """The unbiased covariance, which is not the maximum of the likelihood."""

    @classmethod
    def fit(cls, X):
        fit, n = right.Gaussian.fit(X), len(X)
        return cls(fit.mean, fit.covariance * n / (n - 1))


@mistake("Gaussian", kills=("bayes.mle-gauss-params",))
class TwoDivisors(WrongGaussian):
    """Variances over n, covariances over n - 1."""

    @classmethod
    def fit(cls, X):
        fit, n = right.Gaussian.fit(X), len(X)
        ratio = np.where(np.eye(len(fit.mean)), 1, n / (n - 1))
        return cls(fit.mean, fit.covariance * ratio)


@mistake("Gaussian", kills=("bayes.mle-gauss-params",))
class MomentsAboutZero(WrongGaussian):
    """Forgets to subtract the mean before squaring."""

    @classmethod
    def fit(cls, X):
        X = np.asarray(X, dtype=float)
        return cls(X.mean(axis=0), X.T @ X / len(X))


@mistake("score_residual", kills=("bayes.mle-gauss",))
def means_alone(law, X):
    """Looks at the mean of the whitened rows and forgets their second moments."""
    return abs(law.whiten(X).mean(axis=0)).max()


@mistake("rejection_threshold", kills=("bayes.setup-novelty",))
def one_too_many(scores, rate):
    """Takes the next larger score."""
    values = np.sort(scores)
    return values[min(int(rate * len(values)) + 1, len(values) - 1)]


@mistake("rejection_threshold", kills=("bayes.setup-novelty",))
def rejects_the_normal_ones(scores, rate):
    """Cuts at the other end."""
    values = np.sort(scores)
    return values[int((1 - rate) * (len(values) - 1))]


@mistake("rejection_threshold", kills=("bayes.setup-novelty",))
def share_of_the_range(scores, rate):
    """Cuts at a share of the range of the scores, not of the rows."""
    return min(scores) + rate * (max(scores) - min(scores))


# ------------------------------------------------------------------- the plug-in classifier


@mistake("PlugInClassifier", kills=("bayes.setup-classifier", "bayes.setup-labels"))
class IndicesForLabels(right.PlugInClassifier):
    """Answers with the number of the class in place of its label."""

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)


@mistake("PlugInClassifier", kills=("bayes.setup-classifier", "bayes.setup-labels"))
class HardCodedLabels(right.PlugInClassifier):
    """Knows the labels 0 and 1 only."""

    def predict(self, X):
        return (self.predict_proba(X)[:, 1] >= 0.5).astype(int)


@mistake("PlugInClassifier", kills=("bayes.setup-classifier", "bayes.setup-labels"))
class SignForLabel(right.PlugInClassifier):
    """Knows the labels -1 and 1 only, and a tie is neither."""

    def predict(self, X):
        posterior = self.predict_proba(X)
        return np.sign(posterior[:, -1] - posterior[:, 0])


@mistake("PlugInClassifier", kills=("bayes.setup-labels",))
class LabelsInOrderOfAppearance(right.PlugInClassifier):
    """Keeps the labels in the order in which they come, the posterior in another."""

    def fit(self, X, y):
        super().fit(X, y)
        self.classes_ = np.array(list(dict.fromkeys(np.asarray(y).tolist())))
        return self


@mistake("PlugInClassifier", kills=("bayes.setup-data-matrix",))
class GuessesTheOrientation(right.PlugInClassifier):
    """Transposes X without a word until its rows match."""

    def fit(self, X, y):
        return super().fit(X if len(X) == len(y) else np.transpose(X), y)

    def _check_input(self, X):
        X = np.atleast_2d(X)
        return super()._check_input(X if X.shape[1] == self.n_features_in_ else X.T)


@mistake("PlugInClassifier", kills=("bayes.setup-data-matrix",))
class CutsToTheShorter(right.PlugInClassifier):
    """Drops rows without a label, as zip does."""

    def fit(self, X, y):
        n = min(len(X), len(y))
        return super().fit(X[:n], y[:n])


@mistake("PlugInClassifier", kills=("bayes.setup-novelty-why-not-binary",))
class ContentWithOneClass(right.PlugInClassifier):
    """Learns one class and answers it always."""

    def fit(self, X, y):
        return self if len(np.unique(y)) == 1 else super().fit(X, y)


@mistake("PlugInClassifier", kills=("bayes.plugin-generative",))
class EqualPriors(right.PlugInClassifier):
    """Forgets the class frequencies."""

    def fit(self, X, y):
        super().fit(X, y)
        self.prior_ = np.full(len(self.prior_), 1 / len(self.prior_))
        return self


@mistake("PlugInClassifier", kills=("bayes.plugin-generative",))
class UnbiasedCovariances(right.PlugInClassifier):
    """Divides by n_k - 1."""

    def fit(self, X, y):
        super().fit(X, y)
        counts = self.prior_ * len(X)
        self.densities_ = [
            right.Gaussian(f.mean, f.covariance * n / (n - 1))
            for f, n in zip(self.densities_, counts, strict=True)
        ]
        return self


@mistake("PlugInClassifier", kills=("bayes.plugin-generative",))
class OneCovariance(right.PlugInClassifier):
    """Pools the covariances: linear, not quadratic."""

    def fit(self, X, y):
        super().fit(X, y)
        pooled = sum(p * f.covariance for p, f in zip(self.prior_, self.densities_, strict=True))
        self.densities_ = [right.Gaussian(f.mean, pooled) for f in self.densities_]
        return self


@mistake("PlugInClassifier", kills=("bayes.plugin-generative",))
class IndependentFeatures(right.PlugInClassifier):
    """Drops the correlations: naive Bayes."""

    def fit(self, X, y):
        super().fit(X, y)
        self.densities_ = [right.Gaussian(f.mean, np.diag(np.diag(f.covariance))) for f in self.densities_]
        return self


@mistake("PlugInClassifier", kills=("bayes.plugin-far-points",))
class Underflows(right.PlugInClassifier):
    """Multiplies densities: far from the data all are 0."""

    def predict_proba(self, X):
        X = self._check_input(X)
        joint = self.prior_ * np.exp(np.column_stack([f.log_density(X) for f in self.densities_]))
        return joint / joint.sum(axis=1, keepdims=True)


@mistake("PlugInClassifier", kills=("bayes.plugin-far-points",))
class AddsASmallNumber(right.PlugInClassifier):
    """Adds 1e-300 to every density against the division 0 / 0: far from the data all classes are equal."""

    def predict_proba(self, X):
        X = self._check_input(X)
        joint = self.prior_ * (np.exp(np.column_stack([f.log_density(X) for f in self.densities_])) + 1e-300)
        return joint / joint.sum(axis=1, keepdims=True)


# ------------------------------------------------------------------- laws


def law_with(sampler):
    """Return a class of finite laws that draws with `sampler(law, n, rng)`."""
    return type("WrongLaw", (FiniteLaw,), {"sample": sampler, "__doc__": sampler.__doc__})


@mistake("FiniteLaw", kills=("bayes.setup-iid",))
@law_with
def labels_from_the_prior(law, n, rng):
    """Draws the label without looking at x."""
    X, _ = FiniteLaw.sample(law, n, rng)
    return X, FiniteLaw.sample(law, n, rng)[1]


@mistake("FiniteLaw", kills=("bayes.setup-iid",))
@law_with
def fixed_class_counts(law, n, rng):
    """Draws exactly n P(Y = k) rows of class k."""
    X, y = FiniteLaw.sample(law, 4 * n + 1000, rng)
    keep = [np.flatnonzero(y == k)[: round(n * p)] for k, p in enumerate(law.prior)]
    rows = rng.permutation(np.concatenate(keep))
    return X[rows], y[rows]


@mistake("FiniteLaw", kills=("bayes.setup-iid",))
@law_with
def every_row_twice(law, n, rng):
    """Repeats each draw: the rows are not independent."""
    X, y = FiniteLaw.sample(law, n // 2, rng)
    return np.repeat(X, 2, axis=0), np.repeat(y, 2)


@mistake("FiniteLaw", kills=("bayes.setup-iid",))
@law_with
def the_sample_twice(law, n, rng):
    """Draws half of the rows and appends a copy of them."""
    X, y = FiniteLaw.sample(law, n // 2, rng)
    return np.tile(X, (2, 1)), np.tile(y, 2)


@mistake("FiniteLaw", kills=("bayes.setup-iid",))
@law_with
def atoms_are_equally_likely(law, n, rng):
    """Draws x uniformly, then y given x."""
    x = rng.integers(0, law.n_atoms, n)
    y = (rng.random(n) < law.conditional().astype(float)[x, 1]).astype(int)
    return x[:, None].astype(float), y


class WrongBeers(RightBeers):
    def threshold(self):
        return 7 - math.log(2)

    def bayes_risk(self):
        t = self.threshold()
        right_of_it = (t + 1) * math.exp(-t) - 8 * math.exp(-7) - (24.5 - t * t / 2) * math.exp(-7)
        return math.exp(-7) * t * t / 2 + right_of_it

    def eta(self, s):
        return (s <= self.threshold()).astype(float)

    def posterior(self, X):
        eta = self.eta(np.asarray(X, dtype=float).sum(axis=1))
        return np.column_stack([1 - eta, eta])


@mistake("BeersLaw", kills=("bayes.beers-eta", "bayes.beers-rule"))
class ThresholdSeven(WrongBeers):
    """Passes whoever is below 7: laziness is forgotten."""

    def threshold(self):
        return 7.0


@mistake("BeersLaw", kills=("bayes.beers-eta", "bayes.beers-rule"))
class PlusLogTwo(WrongBeers):
    """Puts the threshold at 7 + log 2."""

    def threshold(self):
        return 7 + math.log(2)


@mistake("BeersLaw", kills=("bayes.beers-eta", "bayes.beers-rule"))
class LogarithmToTheBaseTenOfTwo(WrongBeers):
    """Takes the logarithm to the base 10."""

    def threshold(self):
        return 7 - math.log10(2)


@mistake("BeersLaw", kills=("bayes.beers-eta",))
class NoMaximumWithZero(WrongBeers):
    """1 - e^(s - 7) also where it is negative."""

    def eta(self, s):
        return -np.expm1(s - 7)


@mistake("BeersLaw", kills=("bayes.beers-eta", "bayes.beers-rule"))
class WrongSignInTheExponent(WrongBeers):
    """1 - e^(7 - s), cut at 0."""

    def eta(self, s):
        return np.maximum(0, -np.expm1(7 - s))


@mistake("BeersLaw", kills=("bayes.beers-rule",))
class RiskWithoutLogTwo(RightBeers):
    """Returns the risk of the threshold 7."""

    def bayes_risk(self):
        return 24.5 * math.exp(-7)


@mistake("BeersLaw", kills=("bayes.beers-model",))
class NobodyIsLazy(RightBeers):
    """Forgets the third variable in the draw."""

    def sample(self, n, rng):
        X = rng.exponential(size=(n, 2))
        return X, (X.sum(axis=1) <= 7).astype(int)


@mistake("BeersLaw", kills=("bayes.beers-model",))
class PassingHasNothingToDoWithIt(RightBeers):
    """Draws who passes without looking at sleep and beers."""

    def sample(self, n, rng):
        return super().sample(n, rng)[0], super().sample(n, rng)[1]


@mistake("BeersLaw", kills=("bayes.beers-model",))
class MeanTwo(RightBeers):
    """Takes the rate for the mean: exponentials of mean 2, and a limit of 14."""

    def sample(self, n, rng):
        X, y = super().sample(n, rng)
        return 2 * X, y


class WrongClasses(GaussianClasses):
    def root(self, k):
        return np.linalg.cholesky(self.covariances[k])

    def sample(self, n, rng):
        y = rng.choice(len(self.prior), size=n, p=self.prior)
        roots = np.array([self.root(k) for k in range(len(self.prior))])
        return self.means[y] + np.einsum("nij,nj->ni", roots[y], rng.standard_normal((n, 2))), y


@mistake("GaussianClasses", kills=("bayes.generative-model",))
class FactorTransposed(WrongClasses):
    """Multiplies by the transpose of the Cholesky factor."""

    def root(self, k):
        return super().root(k).T


@mistake("GaussianClasses", kills=("bayes.generative-model",))
class CovarianceForStandardDeviation(WrongClasses):
    """Multiplies by the covariance in place of its root."""

    def root(self, k):
        return self.covariances[k]


@mistake("GaussianClasses", kills=("bayes.generative-model",))
class PriorSwapped(WrongClasses):
    """p is the probability of class 0."""

    def sample(self, n, rng):
        return GaussianClasses(self.prior[::-1], self.means, self.covariances).sample(n, rng)


@mistake("GaussianClasses", kills=("bayes.generative-model",))
class CorrelationOfTheWrongSign(WrongClasses):
    """Mirrors the draws at the axis."""

    def root(self, k):
        return super().root(k) * [[1], [-1]]


@mistake("GaussianClasses", kills=("bayes.generative-model",))
class PosteriorWithoutPrior(GaussianClasses):
    """Normalises the densities: the prior is missing."""

    def posterior(self, X):
        return board.posterior([0.5, 0.5], self.log_density(X))


@mistake("GaussianClasses", kills=("bayes.generative-model",))
class LinearScore(GaussianClasses):
    """Uses the average covariance for both classes."""

    def posterior(self, X):
        return GaussianClasses(self.prior, self.means, self.covariances.mean(axis=0)).posterior(X)


def example(kind, risk=0.0225145165):
    """Return a maker of Example 1.1 as a law of another kind, or with another risk."""
    law, told = recitation_example(), type(kind.__name__, (kind,), {"bayes_risk": lambda self: risk})
    return lambda: told(law.prior, law.means, law.covariances)


for kind in (FactorTransposed, CovarianceForStandardDeviation, PriorSwapped, CorrelationOfTheWrongSign):
    MISTAKES.append(Mistake(kind.__doc__, ("bayes.generative-ex1.1",), {"recitation_example": example(kind)}))
maximum_likelihood_risk = example(GaussianClasses, 0.0229850105)
maximum_likelihood_risk.__doc__ = "Returns the risk of maximum likelihood."
mistake("recitation_example", kills=("bayes.generative-ex1.1",))(maximum_likelihood_risk)


# ------------------------------------------------------------------- tables


@dataclass
class Table:
    y: np.ndarray


@mistake("articles", kills=("bayes.setup-articles",))
def columns_reversed():
    """Reads the topics from right to left."""
    return Table(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]]))


@mistake("articles", kills=("bayes.setup-articles",))
def no_is_one():
    """Codes no as 1."""
    return Table(np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1]]))
