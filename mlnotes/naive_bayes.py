r"""Naive Bayes and kernel classifiers: the Bayes rule with estimated densities.  Lecture 11.

    f(x) in arg max_k  pi_k f_k(x)                        pi_k = n_k / n,  f_k from class k alone        (1.1)
    f_k(x) = prod_j f_kj(x_j)                             naive: independent features, given the class   (2.1)
    f(x) in arg max_k  log pi_k + sum_j log f_kj(x_j)     logarithms, so that nothing underflows         (2.2)
    p_j = (c_j + alpha) / (c_1 + ... + c_m + m alpha)     smoothed proportions, from m counts in a class (3.1)

A density in d dimensions needs a sample that grows exponentially with d.  Naive Bayes needs d densities on
the line instead: estimate one for every class and feature, and add their logarithms.

Theorem 2.1. If the features are independent given the class, (2.2) with the true f_kj is a Bayes rule.

Training data are X (n, d) and y (n,), new observations T (m, d).  The algorithm comes first, with normal
densities; the numbers of sections and equations are those of the lecture.
Inputs are not validated here; the estimators do that.
"""

import numpy as np

from mlnotes.density import KernelDensity
from mlnotes.discriminant import log_posterior
from mlnotes.histogram import bin_counts, bin_index

# ---- 2 The naive model, with normal densities


class GaussianNaiveBayes:
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        groups = [X[y == k] for k in self.classes_]
        self.priors_ = np.array([len(X_k) / len(X) for X_k in groups])  # n_k / n
        self.means_ = np.array([X_k.mean(axis=0) for X_k in groups])  # (K, d)
        self.variances_ = np.array([positive_variance(X_k) for X_k in groups])  # (K, d)
        return self

    def scores(self, T):
        logs = normal_log_density(T[:, None], self.means_, self.variances_)  # (m, K, d)
        return np.log(self.priors_) + logs.sum(axis=2)  # (2.2)

    def predict(self, T):
        return self.classes_[self.scores(T).argmax(axis=1)]

    def predict_proba(self, T):
        return np.exp(log_posterior(self.scores(T)))


def normal_log_density(t, mean, variance):
    return -0.5 * ((t - mean) ** 2 / variance + np.log(2 * np.pi * variance))


def positive_variance(values):
    variance = values.var(axis=0)  # divisor n_k
    if min(np.ptp(values, axis=0).min(), variance.min()) == 0:
        raise ValueError("A feature is constant within a class: no normal density has variance 0.")
    return variance


def naive_posterior(log_factors, prior):
    """Bayes' formula if log f_kj(x_j) is known, shape (m, d, K)."""
    scores = np.log(prior) + log_factors.sum(axis=1)  # (2.2)
    return np.exp(log_posterior(prior_if_all_zero(scores, prior)))


def prior_if_all_zero(scores, prior):
    """Where every density is 0, Bayes' formula is 0/0; the prior takes its place."""
    all_zero = np.isneginf(scores).all(axis=1)
    return np.where(all_zero[:, None], np.log(prior), scores)


# ---- 1 The Bayes rule with any estimated densities


class GenerativeClassifier:
    """Each subclass defines `log_density(T, X_k)`: log f_k at T, estimated from the examples of one class."""

    def fit(self, X, y):
        self.X = X
        self.classes_ = np.unique(y)
        self.groups_ = [X[y == k] for k in self.classes_]
        self.priors_ = np.array([len(X_k) / len(X) for X_k in self.groups_])
        return self

    def scores(self, T):
        """log pi_k + log f_k(x), shape (m, K)."""
        log_densities = np.column_stack([self.log_density(T, X_k) for X_k in self.groups_])
        scores = np.log(self.priors_) + log_densities
        return prior_if_all_zero(scores, self.priors_)

    def predict(self, T):
        return self.classes_[self.scores(T).argmax(axis=1)]  # (1.1)

    def predict_proba(self, T):
        return np.exp(log_posterior(self.scores(T)))


class KernelDensityClassifier(GenerativeClassifier):
    """A kernel estimate in d dimensions for each class, with the bandwidth H or, by default, Silverman's."""

    def __init__(self, bandwidth=None):
        self.bandwidth = bandwidth

    def log_density(self, T, X_k):
        return KernelDensity(self.bandwidth).fit(X_k).score_samples(T)


# ---- 3 The naive model with other densities on the line
#
# Each of the following functions returns log f_kj at t (m,), estimated from the values of feature j in class
# k; all_values are those of all classes.


def gaussian(t, values, all_values):
    return normal_log_density(t, values.mean(), positive_variance(values))


def kernel(t, values, all_values, h=None):
    bandwidth = None if h is None else np.array([[h**2]])
    return KernelDensity(bandwidth).fit(values[:, None]).score_samples(t[:, None])


def histogram(t, values, all_values, n_bins=10, alpha=1):
    """Equal bins on the range of all classes; a value beyond it is ignored: factor 1 in every class."""
    low = all_values.min()
    width = all_values.max() - low
    if width == 0:  # a constant feature is ignored, too
        return np.zeros(len(t))
    counts = bin_counts((values - low) / width, n_bins)
    log_heights = log_proportions(counts, alpha) + np.log(n_bins / width)
    u = (t - low) / width
    return np.where((u >= 0) & (u <= 1), log_heights[bin_index(u, n_bins)], 0)


def categorical(t, values, all_values, alpha=1):
    """The categories are the values of all classes; a new one is ignored: factor 1 in every class."""
    categories = np.unique(all_values)
    counts = [np.sum(values == category) for category in categories]
    table = dict(zip(categories, log_proportions(counts, alpha), strict=True))
    return np.array([table.get(value, 0) for value in t])


def bernoulli(t, values, all_values, alpha=1):
    return categorical(t, values, [0, 1], alpha)


class NaiveBayes(GenerativeClassifier):
    """`marginals` is one of the functions above, or a list of d of them."""

    def __init__(self, marginals=gaussian):
        self.marginals = marginals

    def log_density(self, T, X_k):
        d = T.shape[1]
        marginals = self.marginals if isinstance(self.marginals, list) else d * [self.marginals]
        return sum(marginals[j](T[:, j], X_k[:, j], self.X[:, j]) for j in range(d))  # the log of (2.1)


# ---- 3 Smoothed proportions, and counts of words


def smoothed_proportions(counts, alpha=1):
    """Along the last axis.  For alpha = 1 and two categories this is Laplace's rule of succession."""
    counts = np.asarray(counts) + alpha
    totals = counts.sum(axis=-1, keepdims=True)
    if np.any(totals == 0):
        raise ValueError("All counts are 0 and so is alpha: there are no proportions.")
    return counts / totals  # (3.1)


def log_proportions(counts, alpha):
    with np.errstate(divide="ignore"):  # log 0 = -inf, if alpha = 0
        return np.log(smoothed_proportions(counts, alpha))


class MultinomialNaiveBayes(GenerativeClassifier):
    """X counts words; given the class they are independent draws, word j with probability theta_kj."""

    def __init__(self, alpha=1):
        self.alpha = alpha

    def log_density(self, T, X_k):
        log_theta = log_proportions(X_k.sum(axis=0), self.alpha)
        log_factors = T * np.where(T > 0, log_theta, 0)  # log theta^x; theta^0 = 1 for theta = 0, too
        return log_factors.sum(axis=1)  # up to a term without k
