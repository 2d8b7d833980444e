r"""Naive Bayes and kernel classifiers: the Bayes rule with estimated densities.  Lecture 11.

    f(x) in arg max_k  pi_k f_k(x)                        pi_k = n_k / n,  f_k from class k alone        (1.1)
    f_k(x) = prod_j f_kj(x_j)                             naive: independent features, given the class   (2.1)
    f(x) in arg max_k  log pi_k + sum_j log f_kj(x_j)     logarithms, so that nothing underflows         (2.2)
    p_j = (c_j + alpha) / (n_k + m alpha)                 smoothed proportions of m categories           (3.1)

A density in d dimensions needs a sample that grows exponentially with d.  Naive Bayes needs d densities on
the line instead: `fit` estimates one for every class and feature, `predict` adds their logarithms.

Theorem 2.1. If the features are independent given the class, (2.2) with the true f_kj is a Bayes rule.

Training data are X (n, d) and y (n,).  A density is kept as a function that returns its logarithm.
Inputs are not validated here; the estimators do that.
"""

import numpy as np

from mlnotes.density import KernelDensity
from mlnotes.discriminant import log_posterior
from mlnotes.histogram import bin_counts, bin_index

# ---- 1 The Bayes rule with estimated densities


class GenerativeClassifier:
    """Each subclass defines `estimate_density`, which fits the density of one class."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.priors_ = np.array([np.mean(y == k) for k in self.classes_])
        self.log_densities_ = [self.estimate_density(X[y == k], X) for k in self.classes_]
        return self

    def scores(self, X):
        """log pi_k + log f_k(x), shape (m, K)."""
        columns = [log_density(X) for log_density in self.log_densities_]
        scores = np.log(self.priors_) + np.column_stack(columns)
        return prior_if_all_zero(scores, self.priors_)

    def predict(self, X):
        return self.classes_[self.scores(X).argmax(axis=1)]  # (1.1)

    def predict_proba(self, X):
        return np.exp(log_posterior(self.scores(X)))


def prior_if_all_zero(scores, prior):
    """Where every density is 0, Bayes' formula is 0/0; the prior takes its place."""
    all_zero = np.isneginf(scores).all(axis=1)
    return np.where(all_zero[:, None], np.log(prior), scores)


class KernelDensityClassifier(GenerativeClassifier):
    """A kernel estimate in d dimensions for each class, with the bandwidth H or, by default, Silverman's."""

    def __init__(self, bandwidth=None):
        self.bandwidth = bandwidth

    def estimate_density(self, X_k, X):
        return KernelDensity(self.bandwidth).fit(X_k).score_samples


# ---- 2 The naive model


def normal_log_density(t, mean, variance):
    return -0.5 * ((t - mean) ** 2 / variance + np.log(2 * np.pi * variance))


def gaussian(values, all_values):
    """A density on the line from the values of a feature in one class (and, if needed, in all classes)."""
    mean = values.mean()
    variance = values.var()
    return lambda t: normal_log_density(t, mean, variance)


class NaiveBayes(GenerativeClassifier):
    """`marginals` is how to estimate a density on the line, `gaussian` or one from below; or a list of d."""

    def __init__(self, marginals=gaussian):
        self.marginals = marginals

    def estimate_density(self, X_k, X):
        d = X.shape[1]
        marginals = self.marginals if isinstance(self.marginals, list) else d * [self.marginals]
        densities = [marginals[j](X_k[:, j], X[:, j]) for j in range(d)]
        return lambda T: sum(densities[j](T[:, j]) for j in range(d))  # the log of (2.1)


def naive_posterior(log_factors, prior):
    """Bayes' formula if log f_kj(x_j) is known, shape (m, d, K)."""
    scores = np.log(prior) + log_factors.sum(axis=1)  # (2.2)
    return np.exp(log_posterior(prior_if_all_zero(scores, prior)))


# ---- 3 Other densities on the line


def kernel(values, all_values, h=None):
    bandwidth = None if h is None else np.array([[h**2]])
    model = KernelDensity(bandwidth).fit(values[:, None])
    return lambda t: model.score_samples(t[:, None])


def smoothed_proportions(counts, alpha=1):
    """Along the last axis.  For alpha = 1 and two categories this is Laplace's rule of succession."""
    counts = np.asarray(counts) + alpha
    return counts / counts.sum(axis=-1, keepdims=True)  # (3.1)


def histogram(values, all_values, n_bins=10, alpha=1):
    """Equal bins on the range of all classes; a value beyond it counts in no class."""
    low = all_values.min()
    width = all_values.max() - low
    counts = bin_counts((values - low) / width, n_bins)
    log_heights = np.log(smoothed_proportions(counts, alpha) * n_bins / width)

    def log_density(t):
        u = (t - low) / width
        return np.where((u >= 0) & (u <= 1), log_heights[bin_index(u, n_bins)], 0)

    return log_density


def categorical(values, all_values, alpha=1):
    """The categories are the values of all classes; a new one counts in no class."""
    categories = np.unique(all_values)
    counts = np.array([np.sum(values == category) for category in categories])
    log_proportions = np.log(smoothed_proportions(counts, alpha))
    table = dict(zip(categories, log_proportions, strict=True))
    return lambda t: np.array([table.get(value, 0) for value in t])


def bernoulli(values, all_values, alpha=1):
    return categorical(values, [0, 1], alpha)


class MultinomialNaiveBayes(GenerativeClassifier):
    """X counts words; given the class they are independent draws, word j with probability theta_kj."""

    def __init__(self, alpha=1):
        self.alpha = alpha

    def estimate_density(self, X_k, X):
        theta = smoothed_proportions(X_k.sum(axis=0), self.alpha)
        return lambda T: T @ np.log(theta)  # up to a term without k
