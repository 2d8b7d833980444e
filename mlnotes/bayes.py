r"""The Bayes rule: the best classifier, of a known or an estimated distribution.  Lecture 1 and Companion 1.

    P(X = x, Y = k) = mu(x) eta_k(x)                draw x first, then its label              (2.1)
    eta_k = pi_k f_k / sum_j pi_j f_j               draw the label first, then x              (2.4)
    f*(x) = 1{eta(x) >= 1/2},  for K classes  arg max_k eta_k(x)                        (3.1) (4.1)
    r_a(x) = sum_k loss[a, k] eta_k(x)              conditional risk of predicting a at x     (5.2)
    R(f) = E r_a(X) with a = f(X),   R* = E min_a r_a(X)          risk and Bayes risk         (5.1)

Bayes rule: at each point predict the class with the largest posterior eta_k; for another loss, the
prediction with the smallest conditional risk. By Theorems 4.1 and 5.1 no classifier has a smaller risk.
Plug-in classifier: estimate the priors by frequencies and the class densities by maximum likelihood, then
use (2.4) and (4.1). The error of its posterior bounds its excess risk:

    R(g) - R* <= E sum_k |eta_k - hat eta_k|        if g = arg max_k hat eta_k                (8.5)

    joint (m, K)   P(X = x, Y = k) on a finite domain of m points
    eta (n, K)     the posterior eta_k at n points; with two classes also eta (n,), which is eta_1
    rule (m,)      a classifier on a finite domain: its prediction at each point
    loss (A, K)    one row for each prediction, one column for each class; the 0-1 loss if left out

Ties go to the largest label. Tables of fractions stay fractions: then risks and ties are exact.
The rule comes first; the numbers of sections and equations are those of the lecture.
Inputs are not validated here; the estimators do that.
"""

import math

import numpy as np

# ---- 3, 4 The Bayes rule


def bayes_rule_binary(eta, threshold=0.5):
    return (np.asarray(eta) >= threshold).astype(int)  # (3.1)


def last_argmax(scores):
    """The column of the largest score in each row; of equal scores, the last."""
    scores = np.asarray(scores)
    return scores.shape[1] - 1 - scores[:, ::-1].argmax(axis=1)


def bayes_rule(eta):
    return last_argmax(eta)  # (4.1)


# ---- 2 One joint distribution, read in two ways


def marginal_and_posterior(joint):
    """mu and eta of (2.1). Of joint.T: the priors, and the distribution of X in each class."""
    joint = np.asarray(joint)
    marginal = joint.sum(axis=1)
    weights = np.where(marginal[:, None] > 0, joint, 1)  # where there is no mass, take the uniform posterior
    return marginal, weights / weights.sum(axis=1, keepdims=True)


def joint_table(marginal, eta):
    return np.asarray(marginal)[:, None] * eta  # (2.1)


def posterior(prior, log_density):
    """Bayes' formula (2.4), each numerator divided by the largest one, so that they cannot all underflow."""
    with np.errstate(divide="ignore"):  # log 0 = -inf
        scores = np.log(prior) + log_density  # (n, K)
    largest = scores.max(axis=1, keepdims=True)
    if np.any(largest == -np.inf):
        row = np.argmin(largest)
        raise ValueError(f"log_density is -inf for every class of positive prior in row {row}: 0/0 there.")
    terms = np.exp(scores - largest)
    return terms / terms.sum(axis=1, keepdims=True)  # (2.5)


# ---- 5 Losses and risks


def zero_one_loss(n_classes):
    return 1 - np.eye(n_classes, dtype=int)


def reject_loss(n_classes, cost):
    """The 0-1 loss with one more prediction, "I do not know", which always has this cost."""
    return np.vstack([zero_one_loss(n_classes), np.full(n_classes, cost)])


def conditional_risk(eta, loss=None):
    """The expected loss of each prediction, (n, A); of a joint table, times the mass of the point."""
    eta = np.asarray(eta)
    if loss is None:
        loss = zero_one_loss(eta.shape[1])
    return eta @ np.asarray(loss).T  # (5.2)


def risk(rule, joint, loss=None):
    expected = conditional_risk(joint, loss)
    return expected[np.arange(len(expected)), rule].sum()  # (5.1)


def bayes_risk(joint, loss=None):
    return conditional_risk(joint, loss).min(axis=1).sum()  # Theorem 5.1


def excess_risk(rule, joint, loss=None):
    return risk(rule, joint, loss) - bayes_risk(joint, loss)


def bayes_rule_for_loss(eta, loss):
    return last_argmax(-conditional_risk(eta, loss))  # Theorem 5.1


def cost_threshold(false_positive, false_negative):
    """Predict 1 where c_FP (1 - eta) <= c_FN eta, that is, where eta is at least this threshold."""
    if min(false_positive, false_negative) < 0 or false_positive + false_negative == 0:
        raise ValueError("The two costs must be at least 0, and one of them positive.")
    return false_positive / (false_positive + false_negative)  # (5.4)


# ---- 6 Likelihood ratios


def likelihood_ratio_rule(log_ratio, prior):
    """The Bayes rule from log f_1(x)/f_0(x); prior is P(Y = 1)."""
    if not 0 < prior < 1:
        raise ValueError("P(Y = 1) must lie strictly between 0 and 1: otherwise there is no threshold.")
    return bayes_rule_binary(log_ratio, math.log((1 - prior) / prior))  # (6.1)


# ---- 8, 9 Plug-in rules, and maximum likelihood


def plugin_bound(eta, estimate, marginal):
    distances = abs(np.subtract(eta, estimate)).sum(axis=1)
    return np.dot(marginal, distances)  # (8.5)


def bernoulli_mle(y):
    return np.mean(y)  # Theorem 9.1: n_1 / n


class Gaussian:
    """The normal distribution N(mu, Sigma) on R^d, Sigma positive definite."""

    def __init__(self, mean, covariance):
        self.mean = np.asarray(mean)
        self.covariance = np.asarray(covariance)

    @classmethod
    def fit(cls, X):
        mean = np.mean(X, axis=0)
        centred = X - mean
        return cls(mean, centred.T @ centred / len(centred))  # (9.11), Theorem 9.2

    def whiten(self, X):
        """A (x - mu) for every x, where A Sigma A' = I: standard normal if x is N(mu, Sigma)."""
        A = np.linalg.inv(np.linalg.cholesky(self.covariance))  # which refuses a singular Sigma
        return (X - self.mean) @ A.T

    def log_density(self, X):
        log_det = np.linalg.slogdet(self.covariance)[1]  # the determinant itself may underflow
        squares = (self.whiten(X) ** 2).sum(axis=1)  # (x - mu)' Sigma^-1 (x - mu)
        return -0.5 * (len(self.mean) * math.log(2 * math.pi) + log_det + squares)  # (9.2)


def likelihood_equation_error(gaussian, X):
    """0 at the maximum of the likelihood: there the whitened data have mean 0 and second moments I."""
    white = gaussian.whiten(X)
    mean = white.mean(axis=0)
    moments = white.T @ white / len(white)
    return max(abs(mean).max(), abs(moments - np.eye(len(mean))).max())  # Theorem 9.2


def log_likelihood(prior, log_densities):
    """Of the training data; log_densities[k] holds log f_k at the observations of class k."""
    return sum((np.log(p) + logs).sum() for p, logs in zip(prior, log_densities, strict=True))  # (9.10)


# ---- 10 The plug-in classifier


class PlugInClassifier:
    """Gaussian classes, each with its mean and its covariance, put into Bayes' formula."""

    def fit(self, X, y):
        X = np.asarray(X, dtype=float)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("A classifier needs observations of at least two classes.")
        groups = [X[codes == k] for k in range(len(self.classes_))]
        self.prior_ = np.bincount(codes) / len(X)  # n_k / n
        self.densities_ = [Gaussian.fit(group) for group in groups]
        self.certificate_ = self.certify(groups)
        return self

    def certify(self, groups):
        """The log-likelihood of the training data, and how far the fit is from the maximum."""
        logs = [density.log_density(group) for density, group in zip(self.densities_, groups, strict=True)]
        score = max(map(likelihood_equation_error, self.densities_, groups))
        return {"log_likelihood": log_likelihood(self.prior_, logs), "score": score}

    def predict_proba(self, X):
        log_density = np.column_stack([density.log_density(X) for density in self.densities_])
        return posterior(self.prior_, log_density)

    def predict(self, X):
        return self.classes_[bayes_rule(self.predict_proba(X))]


# ---- 11 Training error


def empirical_risk(y_true, y_pred, loss=None):
    if loss is None:
        return np.mean(np.asarray(y_true) != np.asarray(y_pred))
    return np.mean(np.asarray(loss)[y_pred, y_true])  # (11.1)
