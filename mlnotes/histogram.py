r"""Histograms: count the points in every bin, and let cross-validation choose the bins.  Lecture 10, part A.

    f_hat = p_hat_j / h  on bin j = [(j - 1)/m, j/m), the last one closed                             (2.1)
    MISE = E int (f_hat - f)^2 = int b^2 + int v        the squared bias plus the variance            (1.2)
    int b^2 = int f^2 - 1/h sum_j p_j^2,    int v = (1 - sum_j p_j^2) / (n h)                         (2.3)
    AMISE = h^2/12 int f'^2 + 1/(n h)                  smallest at  h* = (6 / (n int f'^2))^(1/3)  (3.1) (3.2)
    J_hat = int f_hat^2 - 2/n sum_i f_hat_(-i)(x_i)     f_hat_(-i): from all points but x_i           (4.2)

There are m bins of width h = 1/m on [0, 1].  Bin j has the probability p_j, and it holds the proportion
p_hat_j of the n points.  Narrow bins have a large variance, wide bins a large bias.

Theorem 4.1. For fixed m the expectation of J_hat is MISE - int f^2: to compare numbers of bins, we need not
know f.

Inputs are not validated here; the estimators do that.
"""

import math

import numpy as np

# ---- 2 The histogram


def bin_index(x, m):
    """The bin of each point, from 0: how many of the inner edges 1/m, ..., (m - 1)/m are at most x."""
    inner_edges = np.arange(1, m) / m
    return np.searchsorted(inner_edges, x, side="right")


def bin_counts(x, m):
    if np.min(x) < 0 or np.max(x) > 1:
        raise ValueError("A histogram on [0, 1] needs all its points there; rescale them.")
    return np.bincount(bin_index(x, m), minlength=m)


def histogram_density(x, points, m):
    """The histogram of the sample x with m bins, evaluated at the points."""
    heights = bin_counts(x, m) / len(x) * m
    inside = (points >= 0) & (points <= 1)
    return np.where(inside, heights[bin_index(points, m)], 0)  # (2.1)


# ---- 4 Cross-validation


def histogram_cv_score(counts):
    """J_hat from the counts alone: a point of bin j has counts[j] - 1 others beside it."""
    n = counts.sum()
    h = 1 / len(counts)
    p_hat = counts / n
    return 2 / ((n - 1) * h) - (n + 1) / ((n - 1) * h) * (p_hat**2).sum()  # (4.3)


def select_bins(x, candidates=None):
    if candidates is None:
        candidates = range(1, max(5, math.isqrt(len(x))) + 1)
    scores = [histogram_cv_score(bin_counts(x, m)) for m in candidates]
    return candidates[np.argmin(scores)]


class Histogram:
    """Equal bins on the support (low, high); n_bins=None means that cross-validation chooses."""

    def __init__(self, support, n_bins=None):
        self.low, self.high = support
        self.n_bins = n_bins

    def rescale(self, x):
        return (x - self.low) / (self.high - self.low)

    def fit(self, x):
        self.sample_ = self.rescale(x)
        self.n_bins_ = select_bins(self.sample_) if self.n_bins is None else self.n_bins
        return self

    def density(self, points):
        heights = histogram_density(self.sample_, self.rescale(points), self.n_bins_)
        return heights / (self.high - self.low)


# ---- 2, 3 The error, if f is known


def histogram_mean_and_variance(p, n):
    """E f_hat and Var f_hat on every bin, for bins of the probabilities p: the counts are binomial."""
    m = len(p)
    return p * m, p * (1 - p) * m**2 / n  # (2.2)


def squared_bias_and_variance(p, n, integral_f2):
    """int b^2 and int v, exactly, for every density with these bin probabilities and this int f^2."""
    m = len(p)
    sum_p2 = (p**2).sum()
    return integral_f2 - m * sum_p2, (1 - sum_p2) * m / n  # (2.3)


def histogram_amise(h, n, integral_df2):
    return h**2 / 12 * integral_df2 + 1 / (n * h)  # (3.1)


def best_bin_width(n, integral_df2):
    return (6 / (n * integral_df2)) ** (1 / 3)  # (3.2)
