r"""Kernel classifiers and naive Bayes: the Bayes rule with estimated densities.  Lecture 11.

    f(x) = arg max_k pi_k f_k(x),  pi_k = n_k / n,  f_k from the rows of class k alone        (1.1)
    f_k(x) = prod_j f_kj(x_j)                              naive: the features are independent (2.1)
    f(x) = arg max_k log pi_k + sum_j log f_kj(x_j)        nothing underflows                 (2.2)
    p_j = (c_j + alpha) / (n_k + m alpha)                  shares of m categories, smoothed   (3.1)

A density in d dimensions needs a sample that grows exponentially with d. Naive Bayes needs d of them
on the line, one a feature and class: Gaussian, histogram, kernel estimate, shares of categories.
If the features are independent given the class, (2.2) with the true factors is a Bayes rule
(Theorem 2.1); on the XOR distribution it is blind.

    X (n, d)  rows    points t (m,) or T (m, d)    log_factors (m, d, K)  log f_kj(t_j)

Ties go to the first class. Where every f_k is 0, Bayes' formula says 0/0, and the answer is the
prior. A value that no training row has would be 0 in every class: its factor is left out. No input
checks in this file: the estimators in mlnotes/estimators check, here NumPy speaks.
"""

import math
import warnings

import numpy as np

from mlnotes.density import KernelDensity, bin_of, reference_bandwidth
from mlnotes.discriminant import log_posterior

# ---- 1 Bayes' rule with estimates


def says_nothing(scores):
    """The rows, of log pi_k f_k(x) (m, K), in which every density is 0."""
    return np.isneginf(scores.max(axis=1))


def or_prior(scores, prior):
    nowhere = says_nothing(scores)
    if nowhere.any():
        warnings.warn(f"{nowhere.sum()} rows have density 0 in every class (0/0): the prior", stacklevel=3)
    return np.where(nowhere[:, None], np.log(prior), scores)


class Generative:
    """What the classifiers share: the priors, and the answers from log pi_k f_k(x)."""

    priors = None  # the shares of the classes

    def start(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.priors_ = np.bincount(codes) / len(codes) if self.priors is None else np.asarray(self.priors)
        self.X = np.asarray(X, dtype=float)
        self.groups = [self.X[codes == k] for k in range(len(self.classes_))]

    def log_densities(self, X):
        """log f_k(x), shape (m, K)."""
        raise NotImplementedError

    def scores(self, X):
        log_joint = self.log_densities(np.asarray(X, dtype=float)) + np.log(self.priors_)  # (2.2)
        return or_prior(log_joint, self.priors_)

    def predict_proba(self, X):
        return np.exp(log_posterior(self.scores(X)))

    def predict(self, X):
        return self.classes_[self.scores(X).argmax(axis=1)]  # (1.1)


def spread(X):
    """The variances of the features; exactly 0 where nothing varies, and for one row."""
    squares = ((X - X.mean(axis=0)) ** 2).sum(axis=0)
    return np.where(np.ptp(X, axis=0) > 0, squares / max(len(X) - 1, 1), 0.0)


def class_bandwidth(rows, X, bandwidth, kernel):
    """Silverman's rule takes the spread of all rows, or 1, where a class has none."""
    if not isinstance(bandwidth, str):
        return bandwidth
    own, overall = spread(rows), spread(X)
    variances = np.where(own > 0, own, np.where(overall > 0, overall, 1.0))
    return {"silverman": reference_bandwidth}[bandwidth](len(rows), variances, kernel)


def kernel_estimate(rows, X, bandwidth, kernel):
    return KernelDensity(class_bandwidth(rows, X, bandwidth, kernel), kernel).fit(rows)


class KernelDensityClassifier(Generative):
    def __init__(self, bandwidth="silverman", kernel="gaussian", priors=None):
        self.bandwidth, self.kernel, self.priors = bandwidth, kernel, priors

    def fit(self, X, y):
        self.start(X, y)
        estimates = [kernel_estimate(rows, self.X, self.bandwidth, self.kernel) for rows in self.groups]
        self.densities_ = estimates
        return self

    def log_densities(self, X):
        return np.column_stack([estimate.score_samples(X) for estimate in self.densities_])


# ---- 2 The naive model


def naive_posterior(log_factors, prior):
    scores = np.sum(log_factors, axis=1) + np.log(prior)  # (2.2)
    return np.exp(log_posterior(or_prior(scores, prior)))


# ---- 3 Estimates on the line: log f_kj(t) from the values `own` of a class and those of all rows


def normal_log_density(t, mean, variance):
    return -0.5 * ((t - mean) ** 2 / variance + np.log(2 * math.pi * variance))


def gaussian(t, own, every, model):
    """The variance is at least a tiny share of that of all rows: one row has none."""
    floor = model.var_smoothing * every.var(ddof=1) if np.ptp(every) > 0 else 1.0
    return normal_log_density(t, own.mean(), max(own.var(), floor))


def smoothed_shares(counts, alpha=1.0):
    """Along the last axis; for alpha = 1 and two categories Laplace's rule of succession."""
    counts = np.asarray(counts)
    return (counts + alpha) / (counts.sum(axis=-1, keepdims=True) + counts.shape[-1] * alpha)  # (3.1)


def log_shares(codes, own_codes, m, alpha):
    with np.errstate(divide="ignore"):
        return np.log(smoothed_shares(np.bincount(own_codes, minlength=m), alpha))[codes]


def histogram(t, own, every, model):
    """Equal bins on the range of all rows."""
    low, length, m = every.min(), np.ptp(every), model.n_bins
    if length == 0:  # a constant feature: one bin for all classes
        return np.zeros(len(t))
    heights = log_shares(bin_of((t - low) / length, m), bin_of((own - low) / length, m), m, model.alpha)
    return np.where((t >= low) & (t <= every.max()), heights + math.log(m / length), 0.0)


def kernel(t, own, every, model):
    estimate = kernel_estimate(own[:, None], every[:, None], model.bandwidth, model.kernel)
    return estimate.score_samples(t[:, None])


def categorical(t, own, every, model):
    categories = np.unique(every)
    codes = np.searchsorted(categories, t).clip(max=len(categories) - 1)
    logs = log_shares(codes, np.searchsorted(categories, own), len(categories), model.alpha)
    return np.where(categories[codes] == t, logs, 0.0)


def bernoulli(t, own, every, model):
    return categorical(t, own, np.array([0.0, 1.0]), model)  # both, seen or not


MARGINALS = {f.__name__: f for f in (gaussian, histogram, kernel, bernoulli, categorical)}


class NaiveBayes(Generative):
    """`marginals` is the name of an estimate on the line, or a list of d names."""

    def __init__(
        self, marginals="gaussian", priors=None, var_smoothing=1e-9, n_bins=10, bandwidth="silverman",
        kernel="gaussian", alpha=1.0,
    ):  # fmt: skip
        self.marginals, self.priors, self.var_smoothing = marginals, priors, var_smoothing
        self.n_bins, self.bandwidth, self.kernel, self.alpha = n_bins, bandwidth, kernel, alpha

    def fit(self, X, y):
        self.start(X, y)
        self.kinds = [self.marginals] * self.X.shape[1] if isinstance(self.marginals, str) else self.marginals
        return self

    def log_marginals(self, T):
        """log f_kj(t_j), shape (m, d, K)."""
        T = np.asarray(T, dtype=float)

        def factor(j, rows):
            return MARGINALS[self.kinds[j]](T[:, j], rows[:, j], self.X[:, j], self)

        classes = [[factor(j, rows) for j in range(len(self.kinds))] for rows in self.groups]
        return np.transpose(classes, (2, 1, 0))

    def log_densities(self, X):
        return self.log_marginals(X).sum(axis=1)  # (2.1)


class MultinomialNaiveBayes(Generative):
    """Rows are counts of words: independent draws, word j with probability theta_kj."""

    def __init__(self, alpha=1.0, priors=None):
        self.alpha, self.priors = alpha, priors

    def fit(self, X, y):
        self.start(X, y)
        self.shares_ = smoothed_shares([rows.sum(axis=0) for rows in self.groups], self.alpha)
        return self

    def log_densities(self, X):
        """sum_j x_j log theta_kj, up to a term without k; 0 log 0 is 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = X[:, None] * np.log(self.shares_)  # (m, K, d)
        return np.where(X[:, None] > 0, terms, 0.0).sum(axis=2)
