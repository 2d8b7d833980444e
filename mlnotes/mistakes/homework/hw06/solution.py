"""The model solution of homework 6."""

import math

import numpy as np


def uneven(counts, edges):
    n, widths = counts.sum(), np.diff(edges)
    square = ((counts / n) ** 2 / widths).sum()
    return float(square - 2 * (counts * (counts - 1) / widths).sum() / (n * (n - 1)))


def triangle(slope, n_bins, n_points):
    squares = 1 / n_bins + slope**2 * (n_bins**2 - 1) / (3 * n_bins**3)
    return slope**2 / (3 * n_bins**2), (1 - squares) * n_bins / n_points


def cosine(radius, curvature, n_points):
    roughness, variance = math.pi**2 / (16 * radius), radius**2 * (1 - 8 / math.pi**2)
    return roughness, variance, (roughness / (variance**2 * curvature * n_points)) ** 0.2


def bump(u):
    return np.where(abs(u) < 1, 15 / 16 * (1 - u**2) ** 2, 0.0)


def estimate(points, weights, places, bandwidth):
    heights = bump((places[:, None] - points) / bandwidth)
    return heights @ weights / (weights.sum() * bandwidth)


def score(points, h, pairs):
    n, squares = len(points), (points[:, None] - points) ** 2
    square = np.exp(-squares / (4 * h**2)).sum() / (n**2 * h * math.sqrt(4 * math.pi))
    others = (np.exp(-squares / (2 * h**2)).sum() - n) / (h * math.sqrt(2 * math.pi))
    return square - 2 * others / pairs(n)


def search(points, precisions):
    scores = np.array([score(points, 1 / p, lambda n: n * (n - 1)) for p in precisions])
    return scores, precisions[scores.argmin()]


class Sorter:
    def __init__(self, bandwidth):
        self.h = bandwidth

    def fit(self, X, y):
        self.groups = [X[y == k] for k in range(y.max() + 1)]
        self.n = len(X)

    def log_joint(self, X):
        columns = []
        for rows in self.groups:
            exponents = -0.5 * ((X[:, None] - rows) ** 2).sum(axis=2) / self.h**2
            top = exponents.max(axis=1)
            columns.append(top + np.log(np.exp(exponents - top[:, None]).sum(axis=1)) - math.log(self.n))
        return np.column_stack(columns)

    def posterior(self, X):
        logs = self.log_joint(X)
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def decide(self, X):
        return self.log_joint(X).argmax(axis=1)
