"""The model solution of homework 5."""

import math

import numpy as np


def plane(p, q):
    w = 2 * (p - q) / ((p - q) @ (p - q))
    return w, float(-w @ (p + q) / 2)


def squared(X, labels, C, alpha):
    v = ((2 * labels - 1) * alpha) @ X
    return float(alpha.sum() - 0.5 * v @ v - 0.5 * alpha @ alpha / C)


def program(X, labels, C):
    y, n = 2.0 * labels - 1, len(X)
    Z = y[:, None] * X
    G = np.vstack([np.eye(n), -np.eye(n)])
    return Z @ Z.T, -np.ones(n), G, np.repeat([C, 0.0], n), y[None], np.zeros(1)


def misses(X, labels, C, w, b, alpha, slack):
    y = 2 * labels - 1
    room = 1 - slack - y * (X @ w + b)
    upper = abs(slack) if math.isinf(C) else abs((C - alpha) * slack)
    return np.array([
        max(0.0, room.max(), (-slack).max()),
        max(0.0, (-alpha).max(), (alpha - C).max()),
        abs(y @ alpha),
        max(abs(alpha * room).max(), upper.max()),
        abs(w - (y * alpha) @ X).max(),
    ])  # fmt: skip


def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    r = y - K @ (y * alpha)
    grows = np.where(y > 0, alpha < C, alpha > 0)
    shrinks = np.where(y > 0, alpha > 0, alpha < C)
    return float(r[grows].max()), float(r[shrinks].min())


class Machine:
    def __init__(self, C):
        self.C = C

    def fit(self, X, labels):
        y, beta = 2.0 * labels - 1, np.zeros(len(X))
        K, g, lo, hi = X @ X.T, -y, np.minimum(0, self.C * y), np.maximum(0, self.C * y)
        for _ in range(50_000):
            i = np.where(beta < hi, g, np.inf).argmin()
            j = np.where(beta > lo, g, -np.inf).argmax()
            if g[j] - g[i] < 1e-9:
                break
            curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
            step = min((g[j] - g[i]) / curvature, hi[i] - beta[i], beta[j] - lo[j])
            beta[i] += step
            beta[j] -= step
            g = g + step * (K[i] - K[j])
        self.w = beta @ X
        self.b = self.middle(g, beta, lo, hi)

    def middle(self, g, beta, lo, hi):
        return -float(g[beta < hi].min() + g[beta > lo].max()) / 2

    def normal(self):
        return self.w

    def offset(self):
        return self.b
