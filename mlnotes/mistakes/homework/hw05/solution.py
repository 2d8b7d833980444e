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


def vectors(X, labels):
    y = 2.0 * labels - 1
    return np.column_stack([y[:, None] * X, y])


def step(alpha, v):
    return (alpha[v > 0] / v[v > 0]).min()


def thin(X, labels, alpha):
    alpha, Z = alpha.copy(), vectors(X, labels)
    positive = np.flatnonzero(alpha > 0)
    while len(positive) > Z.shape[1]:
        v = np.linalg.svd(Z[positive].T)[2][-1]  # Z'v = 0
        v = v if v.max() > -v.min() else -v
        left = alpha[positive] - step(alpha[positive], v) * v
        alpha[positive] = np.where(left < 1e-12, 0.0, left)
        positive = np.flatnonzero(alpha > 0)
    return alpha
