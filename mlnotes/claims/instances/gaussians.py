"""Gaussian classes, as the claims on Bayes rule and on discriminant analysis need them.

The truth is computed here: densities by `slogdet` and `solve`, estimates by sums over the rows of a class,
integrals by Gauss-Legendre quadrature; a sample is compared with the distribution that it should come from.
"""

from __future__ import annotations

import math

import numpy as np

from mlnotes.checking import equal, hoeffding, rounding
from mlnotes.datasets import normal_cdf


def log_joint(X, means, covariances, prior):
    """Return log of prior times density, shape (n, K)."""
    columns = []
    for mean, S, weight in zip(means, covariances, prior, strict=True):
        gap = X - mean
        square = (gap * np.linalg.solve(S, gap.T).T).sum(axis=1)
        log_det = np.linalg.slogdet(S)[1] + X.shape[1] * math.log(2 * math.pi)
        columns.append(math.log(weight) - 0.5 * (square + log_det))
    return np.column_stack(columns)


def softmax(logs):
    top = np.exp(logs - logs.max(axis=1, keepdims=True))
    return top / top.sum(axis=1, keepdims=True)


def estimates(X, y):
    """Return class sizes, means, class scatters, from the definition."""
    groups = [X[y == k] for k in range(y.max() + 1)]
    means = np.array([g.mean(axis=0) for g in groups])
    scatters = np.array([(g - m).T @ (g - m) for g, m in zip(groups, means, strict=True)])
    return np.array([len(g) for g in groups]), means, scatters


def plugged_in(X, y, points):
    """Return the posterior of the Gaussian plug-in rule, shape (m, K), and how far rounding may move it."""
    counts, means, scatters = estimates(X, y)
    covariances = scatters / counts[:, None, None]
    logs = log_joint(points, means, covariances, counts / len(X))
    # solving with S costs a relative error of order u cond(S); an error e in the scores moves a posterior
    # by at most e / 2
    return softmax(logs), rounding(60, 1 + abs(logs).max() * max(map(np.linalg.cond, covariances)))


def is_a_sample(sample, p, means, covariances):
    """Compare a sample of two Gaussian classes in the plane with its distribution; fails a right one at 1e-9.

    Thirteen bounds of probability 1e-9 / 13: one for the proportion, six for each class, whose whitened rows
    are N(0, I). The mean of m draws of N(0, 1) is off by t with probability at most 2 exp(-m t^2 / 2). A
    chi-square with m degrees of freedom, over m, is off by 2 sqrt(x / m) + 2 x / m with probability at most 2
    exp(-x) (Laurent and Massart, 2000, Lemma 1). A mean of z_1 z_2 = ((z_1 + z_2)^2 - (z_1 - z_2)^2) / 4 is
    half a difference of two of them, so it is off by as much with at most twice that probability.
    """
    X, y = (np.asarray(part) for part in sample)
    failure = 1e-9 / 13
    yield equal("proportion of class 1", float(np.mean(y)), p, hoeffding(len(X), failure))
    for k in (0, 1):
        rows = X[y == k]
        white = np.linalg.solve(np.linalg.cholesky(covariances[k]), (rows - means[k]).T).T
        x = math.log(2 / failure) / len(rows)
        yield equal(f"whitened mean of class {k}", white.mean(axis=0), np.zeros(2), math.sqrt(2 * x))
        second, band = white.T @ white / len(rows), 2 * math.sqrt(x) + 2 * x
        yield equal(f"whitened second moments of class {k}", second, np.eye(2), band)


def gauss(low, high, n):
    """Return nodes and weights of n-point Gauss-Legendre quadrature on [low, high]."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return (high - low) / 2 * nodes + (high + low) / 2, (high - low) / 2 * weights


def example_1_1_risks(n):
    """Return Bayes and maximum-likelihood risk of Example 1.1 by integrating over x2 and solving for x1.

    At fixed x2 the log ratio is a quadratic in x1, so each error is a sum of normal probabilities.
    """
    x2, w = gauss(-4.0, 14.0, n)
    v, cdf, risks = x2 - 5, np.vectorize(normal_cdf), []
    for log_odds in (math.log(0.4 / 0.6), 0.0):
        # log f1 - log f0 + log_odds = A x1^2 + B x1 + C
        A, B = -1 / 6 + 1 / 1.28, 5 / 3 - 1.2 * v / 1.28
        C = -25 / 6 - v**2 / 2 + v**2 / 1.28 - 0.5 * math.log(3) + 0.5 * math.log(0.64) + log_odds
        root = np.sqrt(np.maximum(B**2 - 4 * A * C, 0))
        low, high = (-B - root) / (2 * A), (-B + root) / (2 * A)  # class 0 between them
        density = np.exp(-(v**2) / 2) / math.sqrt(2 * math.pi)  # of x2, the same in both classes
        inside_0 = cdf((high - 0.6 * v) / 0.8) - cdf((low - 0.6 * v) / 0.8)
        inside_1 = cdf((high - 5) / math.sqrt(3)) - cdf((low - 5) / math.sqrt(3))
        risks.append(w @ (density * (0.6 * (1 - inside_0) + 0.4 * inside_1)))
    return np.array(risks)
