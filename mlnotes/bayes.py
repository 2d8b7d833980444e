r"""The Bayes classifier of a known distribution, and estimates in its place.  Lecture 1 and Deeper 1.

    P(X = x, Y = k) = mu(x) eta_k(x)                   first x, then its label                (2.1)
    eta_k = pi_k f_k / sum_j pi_j f_j                  first the label, then x                (2.4)
    f*(x) = 1{eta(x) >= 1/2},  for K classes  arg max_k eta_k(x)               (3.1) (4.1)
    r_a(x) = sum_k loss[a, k] eta_k(x)                 the risk of the answer a at x          (5.2)
    R(f) = E r_a(X) at a = f(X),  R* = E min_a r_a(X)  risk, and the least risk of all        (5.1)

Bayes rule: at each point answer the label of the largest posterior eta_k; for another loss, the
answer of the least r_a. By Theorems 4.1 and 5.1 no rule has a smaller risk: at no point does it lose
more than another. Plug-in classifier: estimate the priors by frequencies, the class densities by maximum
likelihood, then go on with (2.4) and (4.1). The error of its posterior bounds what it loses:

    R(g) - R* <= E sum_k |eta_k - hat eta_k|           if g = arg max_k hat eta_k             (8.5)

    joint (m, K)   P(X = x, Y = k) on atoms x     posterior (n, K)   eta_k, one row a point
    rule (m,)      the answer at each atom        eta (n,)           eta_1, if there are two classes
    loss (A, K)    rows are answers, columns truths; 0-1 if left out

A tie goes to the largest label. Tables of fractions stay fractions: risks and ties are exact. The
domain of a formula is checked here; else NumPy speaks: the estimators check their input.
"""

import math
from fractions import Fraction

import numpy as np

# ---- 2 One distribution, told in two ways


def disintegrate(joint):
    """mu and eta; of joint.T, the priors and class distributions. A row without mass is uniform."""
    joint = np.asarray(joint)
    mu = joint.sum(axis=1)
    null = mu == 0
    return mu, (joint + null[:, None]) / (mu + joint.shape[1] * null)[:, None]


def joint_table(marginal, conditional):
    return np.asarray(marginal)[:, None] * conditional  # (2.1)


def posterior(prior, log_density):
    """Bayes' formula (2.4) with the largest term set to 1: no overflow, and no 0/0."""
    with np.errstate(divide="ignore"):
        scores = np.log(prior) + log_density  # (n, K)
    best = scores.max(axis=1, keepdims=True)
    if not (best > -np.inf).all():
        row = np.argmin(best)
        raise ValueError(f"log_density is -inf for every class of positive prior in row {row}: 0/0 there.")
    terms = np.exp(scores - best)
    return terms / terms.sum(axis=1, keepdims=True)  # (2.5)


# ---- 3 and 4 The Bayes rule


def bayes_rule_binary(eta, threshold=0.5):
    return (np.asarray(eta) >= threshold).astype(int)  # (3.1), a tie is answered with 1


def last_argmax(scores):
    """The column of the largest score of each row, the last one of equal scores."""
    scores = np.asarray(scores)
    return scores.shape[1] - 1 - scores[:, ::-1].argmax(axis=1)


def bayes_rule(posterior):
    return last_argmax(posterior)  # (4.1)


# ---- 5 Losses and risks


def zero_one_loss(n_classes):
    return 1 - np.eye(n_classes, dtype=int)


def reject_loss(n_classes, cost):
    """The 0-1 loss with one more answer, "I do not know", which always has this cost."""
    return np.vstack([zero_one_loss(n_classes), np.full(n_classes, cost)])


def conditional_risk(posterior, loss=None):
    """The expected loss of each answer, (n, A); of a joint table, times the mass of the atom."""
    posterior = np.asarray(posterior)
    loss = zero_one_loss(posterior.shape[1]) if loss is None else np.asarray(loss)
    return posterior @ loss.T  # (5.2)


def of_answers(table, rule):
    """The entry of each row that the rule chooses."""
    return table[np.arange(len(table)), rule]


def risk(rule, joint, loss=None):
    return of_answers(conditional_risk(joint, loss), rule).sum()  # (5.1)


def bayes_risk(joint, loss=None):
    return conditional_risk(joint, loss).min(axis=1).sum()  # Theorem 5.1


def excess_risk(rule, joint, loss=None):
    """R(f) - R*, summed point by point, so that nothing cancels."""
    expected = conditional_risk(joint, loss)
    return (of_answers(expected, rule) - expected.min(axis=1)).sum()  # Theorem 5.1


def bayes_rule_for_loss(posterior, loss):
    return last_argmax(-conditional_risk(posterior, loss))  # Theorem 5.1


def cost_threshold(false_positive, false_negative):
    """Answer 1 where c_FP (1 - eta) <= c_FN eta, that is, eta >= this threshold."""
    if not (min(false_positive, false_negative) >= 0 and false_positive + false_negative > 0):
        raise ValueError("the two costs must be at least 0, and one of them above 0.")
    return false_positive / (false_positive + false_negative)  # (5.4)


# ---- 6 Likelihood ratios


def likelihood_ratio_rule(log_ratio, prior):
    """The Bayes rule by log f_1(x)/f_0(x); prior is P(Y = 1)."""
    if not 0 < prior < 1:
        raise ValueError("P(Y = 1) must lie strictly between 0 and 1: else no ratio outweighs it.")
    return bayes_rule_binary(log_ratio, math.log1p(-prior) - math.log(prior))  # (6.1)


# ---- 8 and 9 Plug-in rules, maximum likelihood


def plugin_bound(posterior, estimate, marginal):
    return np.dot(marginal, abs(np.subtract(posterior, estimate)).sum(axis=1))  # (8.5)


def bernoulli_mle(y):
    return np.mean(y)  # Theorem 9.1: n_1 / n


class Gaussian:
    """The normal distribution N(mu, Sigma) on R^d."""

    def __init__(self, mean, covariance):
        self.mean, self.covariance = np.asarray(mean), np.asarray(covariance)

    @classmethod
    def fit(cls, X):
        deviations = X - np.mean(X, axis=0)
        return cls(np.mean(X, axis=0), deviations.T @ deviations / len(X))  # (9.11), Theorem 9.2

    def whitener(self):
        if np.linalg.eigvalsh(self.covariance)[0] <= 0:  # in a browser Cholesky does not say so
            raise ValueError("the covariance must be positive definite: else there is no density.")
        return np.linalg.inv(np.linalg.cholesky(self.covariance))  # L^-1, where Sigma = L L'

    def whiten(self, X):
        """Rows L^-1 (x - mu), standard normal under the distribution."""
        return (X - self.mean) @ self.whitener().T

    def log_density(self, X):
        squares = (self.whiten(X) ** 2).sum(axis=1)
        log_det = -2 * np.log(np.diag(self.whitener())).sum()  # of Sigma
        return -0.5 * (len(self.mean) * math.log(2 * math.pi) + log_det + squares)  # (9.2)


def score_residual(distribution, X):
    """0 if the distribution is the fit to X: the whitened rows then have mean 0 and second moments I."""
    white = distribution.whiten(X)
    moments = white.T @ white / len(white) - np.eye(white.shape[1])
    return max(abs(white.mean(axis=0)).max(), abs(moments).max())  # Theorem 9.2


def log_likelihood(prior, log_densities):
    """Of the training pairs; log_densities[k] holds log f_k at the rows of class k."""
    return sum((np.log(p) + logs).sum() for p, logs in zip(prior, log_densities, strict=True))  # (9.10)


# ---- 10 The plug-in classifier


class PlugInClassifier:
    """Gaussian classes, each with a covariance of its own."""

    def fit(self, X, y):
        X = np.asarray(X, dtype=float)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("one class alone leaves nothing to tell apart.")
        groups = [X[codes == k] for k in range(len(self.classes_))]
        self.prior_ = np.bincount(codes) / len(X)  # n_k / n
        self.densities_ = [Gaussian.fit(rows) for rows in groups]
        logs = [
            distribution.log_density(rows) for distribution, rows in zip(self.densities_, groups, strict=True)
        ]
        score = max(map(score_residual, self.densities_, groups))
        self.certificate_ = {"log_likelihood": log_likelihood(self.prior_, logs), "score": score}
        return self

    def predict_proba(self, X):
        log_density = np.column_stack([distribution.log_density(X) for distribution in self.densities_])
        return posterior(self.prior_, log_density)

    def predict(self, X):
        return self.classes_[bayes_rule(self.predict_proba(X))]


# ---- 11 From risk to algorithms


def empirical_risk(y_true, y_pred, loss=None):
    if loss is None:
        return np.mean(np.asarray(y_true) != np.asarray(y_pred))
    return np.mean(np.asarray(loss)[y_pred, y_true])  # (11.1)


def hamming_loss(Y, Z):
    return np.mean(np.asarray(Y) != Z)  # section 1.3


def subset_loss(Y, Z):
    return np.mean((np.asarray(Y) != Z).any(axis=1))


def append_one(X):
    return np.column_stack([X, np.ones(len(X))])  # the bias is one more weight (section 11.4)


def rejection_threshold(scores, rate):
    """Of n different scores floor(rate n) lie below it; the rate is the decimal as written."""
    return np.sort(scores)[math.floor(Fraction(str(rate)) * len(scores))]  # section 11.5
