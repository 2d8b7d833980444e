"""Wrong programs for homework 5, by part. `right` is the model solution."""

import math

import numpy as np

from mlnotes.mistakes.homework.hw05 import solution as right


def f32(*arrays):
    return [np.asarray(a, "f4") for a in arrays]


def signs(labels):
    return 2 * np.asarray(labels) - 1


def first_features(function, d):
    return lambda X, labels, *rest: function(X[:, :d], labels, *rest)


def of_data(function, change):
    return lambda X, labels, *rest: function(change(X), labels, *rest)


def scores(alpha, labels, K):
    return signs(labels) - K @ (signs(labels) * alpha)


# ------------------------------------------------------------------- plane


def plane_of(change):
    return lambda p, q: change(*right.plane(p, q))


def by_the_first_entry(p, q):
    w = np.zeros(len(p))
    w[0] = 2 / (p[0] - q[0])
    return w, float(-w @ (p + q) / 2)


def close_points_apart(p, q):
    w = 2 * (p - q) / ((p - q) @ (p - q) + 1e-8)
    return w, float(-w @ (p + q) / 2)


# ------------------------------------------------------------------- program


def program_of(change):
    return lambda X, labels, C: change(*right.program(X, labels, C), labels)


def up_to(most):
    def program(X, labels, C):
        P, q, G, h, A, b = right.program(X, labels, C)
        n = len(X)
        return P, q, G, np.where(np.arange(2 * n) % n < most, h, 0.0), A, b

    return program


# ------------------------------------------------------------------- misses


def missed(k, value):
    """The right misses but entry k, which is `value` of room, slack, alpha, w - sum alpha y x, C and y."""

    def misses(X, labels, C, w, b, alpha, slack):
        found, y = right.misses(X, labels, C, w, b, alpha, slack), signs(labels)
        room = 1 - slack - y * (X @ w + b)
        found[k] = value(room, slack, alpha, w - (y * alpha) @ X, C, y)
        return found

    return misses


def second(C, alpha, slack):
    return slack if math.isinf(C) else (C - alpha) * slack


def of_misses(change):
    return lambda *given: change(right.misses(*given))


# ------------------------------------------------------------------- offsets


def from_free(choose):
    """The right ends where no example is free, else `choose` of the offsets of all examples."""

    def offsets(alpha, labels, K, C):
        r, free = scores(alpha, labels, K), (alpha > 0) & (alpha < C)
        if not free.any():
            return right.offsets(alpha, labels, K, C)
        return (float(choose(r, alpha, free)),) * 2

    return offsets


def within(tolerance, relative=False):
    def offsets(alpha, labels, K, C):
        t = tolerance * (C if relative else 1)
        alpha = np.where(alpha < t, 0.0, np.where(alpha > C - t, C, alpha))
        y, r = signs(labels), scores(alpha, labels, K)
        low = r[np.where(y > 0, alpha < C, alpha > 0)]
        high = r[np.where(y > 0, alpha > 0, alpha < C)]
        return float(low.max(initial=-9)), float(high.min(initial=9))

    return offsets


def ends(change):
    return lambda alpha, labels, K, C: change(*right.offsets(alpha, labels, K, C))


def end_of(grows, shrinks):
    def offsets(alpha, labels, K, C):
        y, r = signs(labels), scores(alpha, labels, K)
        low, high = r[grows(alpha, y, C)], r[shrinks(alpha, y, C)]
        return float(low.max(initial=-9)), float(high.min(initial=9))

    return offsets


def grows(a, y, C):
    return np.where(y > 0, a < C, a > 0)


def shrinks(a, y, C):
    return np.where(y > 0, a > 0, a < C)


# ------------------------------------------------------------------- thin


def thinned(
    most=lambda Z: Z.shape[1], steps=10**6, zero=1e-12, vectors=right.vectors, last=lambda a: a, pick=min
):
    def thin(X, labels, alpha):
        alpha, Z = alpha.copy(), vectors(X, labels)
        positive = np.flatnonzero(alpha > zero)
        for _ in range(steps):
            if len(positive) <= most(Z):
                break
            v = np.linalg.svd(Z[positive].T)[2][-1]
            v = v if v.max() > -v.min() else -v
            left = alpha[positive] - right.step(alpha[positive], v) * v
            alpha[positive] = np.where(left < zero, 0.0, left)
            positive = np.flatnonzero(alpha > 0)
        return last(alpha)

    return thin


def only_positive_class(X, labels, alpha):
    alpha = alpha.copy()
    own = labels == 1
    alpha[own] = right.thin(X[own], labels[own], alpha[own])
    return alpha


def each_class(X, labels, alpha):
    alpha = alpha.copy()
    for k in (0, 1):
        alpha[labels == k] = right.thin(X[labels == k], labels[labels == k], alpha[labels == k])
    return alpha


def least_squares(X, labels, alpha):
    """The d + 1 largest multipliers, by least squares."""
    Z = right.vectors(X, labels)
    few, rest = np.zeros(len(alpha)), np.argsort(-alpha)[: Z.shape[1]]
    few[rest] = np.linalg.lstsq(Z[rest].T, Z.T @ alpha, rcond=None)[0]
    return few


def zeroed(below):
    return lambda X, labels, alpha: right.thin(X, labels, np.where(alpha < below, 0.0, alpha))


def first_fifty(X, labels, alpha):
    alpha = alpha.copy()
    alpha[:50] = right.thin(X[:50], labels[:50], alpha[:50])
    return alpha


WRONG = {
    "plane": {
        "1 in 10,000": plane_of(lambda w, b: (w * (1 + 1e-4), b * (1 + 1e-4))),
        "1 in 10,000,000": plane_of(lambda w, b: (w * (1 + 1e-7), b)),
        "offset by 1e-6": plane_of(lambda w, b: (w, b + 1e-6)),
        "three decimals": plane_of(lambda w, b: (np.round(w, 3), round(b, 3))),
        "float32": lambda p, q: right.plane(*f32(p, q)),
        "first two features": lambda p, q: right.plane(*(x * (np.arange(len(x)) < 2) for x in (p, q))),
        "one feature": by_the_first_entry,
        "distance at least 1e-8": close_points_apart,
        "whole points": lambda p, q: right.plane(np.round(p), np.round(q)),
        "normal at most 10": plane_of(lambda w, b: (np.clip(w, -10, 10), b)),
        "offset at most 100": plane_of(lambda w, b: (w, float(np.clip(b, -100, 100)))),
        "absolute differences": lambda p, q: (abs(right.plane(p, q)[0]), right.plane(p, q)[1]),
        "offset from p alone": plane_of(lambda w, b: (w, 0.0)),
        "always 2": lambda p, q: (2 * (p - q), float(-2 * (p - q) @ (p + q) / 2)),
        "nearly: 1 - f(p) + 1e-5": plane_of(lambda w, b: (w, b + 1e-5)),
    },
    "squared": {
        "first feature": first_features(right.squared, 1),
        "first two features": first_features(right.squared, 2),
        "first four features": first_features(right.squared, 4),
        "C at most 16": lambda X, y, C, a: right.squared(X, y, min(C, 16), a),
        "C at most 100": lambda X, y, C, a: right.squared(X, y, min(C, 100), a),
        "C at least 0.1": lambda X, y, C, a: right.squared(X, y, max(C, 0.1), a),
        "whole data": of_data(right.squared, np.round),
        "data to one decimal": of_data(right.squared, lambda X: np.round(X, 1)),
        "float32": of_data(right.squared, lambda X: X.astype("f4")),
        "sorted labels": lambda X, y, C, a: right.squared(X, np.sort(y)[::-1], C, a),
        "first twenty": lambda X, y, C, a: right.squared(X[:20], y[:20], C, a[:20]),
        "alpha at most C": lambda X, y, C, a: right.squared(X, y, C, np.minimum(a, C)),
        "quarters": lambda X, y, C, a: right.squared(X, y, C, np.round(4 * a) / 4),
        "three decimals": lambda X, y, C, a: round(right.squared(X, y, C, a), 3),
        "at least 0": lambda X, y, C, a: max(right.squared(X, y, C, a), 0.0),
        "without the last": lambda X, y, C, a: right.squared(X[:-1], y[:-1], C, a[:-1]),
        "ridge": lambda X, y, C, a: right.squared(X, y, C, a) - 1e-6 * a @ a,
    },
    "program": {
        "first feature": first_features(right.program, 1),
        "first two features": first_features(right.program, 2),
        "first four features": first_features(right.program, 4),
        "whole data": of_data(right.program, np.round),
        "data to one decimal": of_data(right.program, lambda X: np.round(X, 1)),
        "float32": of_data(right.program, lambda X: X.astype("f4").astype(float)),
        "C at most 10": lambda X, y, C: right.program(X, y, min(C, 10)),
        "C at least 0.1": lambda X, y, C: right.program(X, y, max(C, 0.1)),
        "box of the first ten": up_to(10),
        "box of the first fifty": up_to(50),
        "ridge of 1e-6": program_of(lambda P, q, G, h, A, b, y: (P + 1e-6 * np.eye(len(P)), q, G, h, A, b)),
        "ridge of 1e-4": program_of(lambda P, q, G, h, A, b, y: (P + 1e-4 * np.eye(len(P)), q, G, h, A, b)),
        "lower bound 1e-3": program_of(lambda P, q, G, h, A, b, y: (P, q, G, h - 1e-3 * (h == 0), A, b)),
        "lower bound -1e-3": program_of(lambda P, q, G, h, A, b, y: (P, q, G, h + 1e-3 * (h == 0), A, b)),
        "sorted labels": lambda X, y, C: right.program(X, np.sort(y), C),
        "one class unbounded": program_of(
            lambda P, q, G, h, A, b, y: (P, q, G[np.r_[y == 1, y == y]], h[np.r_[y == 1, y == y]], A, b)
        ),
        "the other class unbounded": program_of(
            lambda P, q, G, h, A, b, y: (P, q, G[np.r_[y == 0, y == y]], h[np.r_[y == 0, y == y]], A, b)
        ),
        "centred by class": lambda X, y, C: right.program(X + 0.1 * y[:, None], y, C),
        "no box where the last is beyond": program_of(
            lambda P, q, G, h, A, b, y: (P, q, G[:-1], h[:-1], A, b)
        ),
    },
    "misses": {
        "abs of the largest": missed(4, lambda r, s, a, g, C, y: abs(g.max())),
        "abs of the smallest": missed(4, lambda r, s, a, g, C, y: abs(g.min())),
        "first entry": missed(4, lambda r, s, a, g, C, y: abs(g[0])),
        "first two entries": missed(4, lambda r, s, a, g, C, y: abs(g[:2]).max()),
        "first four entries": missed(4, lambda r, s, a, g, C, y: abs(g[:4]).max()),
        "sum of entries": missed(4, lambda r, s, a, g, C, y: abs(g).sum()),
        "last entry of w": missed(4, lambda r, s, a, g, C, y: abs(g[-1])),
        "first ten examples": missed(0, lambda r, s, a, g, C, y: max(0.0, r[:10].max(), (-s).max())),
        "first ten slacks": missed(0, lambda r, s, a, g, C, y: max(0.0, r.max(), (-s[:10]).max())),
        "first slack": missed(0, lambda r, s, a, g, C, y: max(0.0, r.max(), -s[0])),
        "first multiplier below": missed(1, lambda r, s, a, g, C, y: max(0.0, -a[0], (a - C).max())),
        "last multiplier above": missed(1, lambda r, s, a, g, C, y: max(0.0, (-a).max(), a[-1] - C)),
        "C at most 10": lambda X, y, C, *rest: right.misses(X, y, C if math.isinf(C) else min(C, 10), *rest),
        "C of 1e6 for infinity": lambda X, y, C, *rest: right.misses(X, y, min(C, 1e6), *rest),
        "C of 100 is infinite": lambda X, y, C, *rest: right.misses(X, y, C if C < 100 else math.inf, *rest),
        "largest product signed": missed(
            3, lambda r, s, a, g, C, y: max(abs((a * r).max()), abs(second(C, a, s)).max())
        ),
        "second product signed": missed(
            3, lambda r, s, a, g, C, y: max(abs(a * r).max(), abs(second(C, a, s).max()))
        ),
        "second product positive": missed(
            3, lambda r, s, a, g, C, y: max(abs(a * r).max(), second(C, a, s).max())
        ),
        "sum of both": missed(3, lambda r, s, a, g, C, y: (abs(a * r) + abs(second(C, a, s))).max()),
        "only positive multipliers": missed(
            3,
            lambda r, s, a, g, C, y: max(abs(np.maximum(a, 0) * r).max(), abs(second(C, a, s)).max()),
        ),
        "only positive slacks": missed(
            3, lambda r, s, a, g, C, y: max(abs(a * r).max(), abs(second(C, a, np.maximum(s, 0))).max())
        ),
        "equality of few alone": missed(2, lambda r, s, a, g, C, y: abs(y @ a) * (len(y) < 9)),
        "positive part of the sum": missed(2, lambda r, s, a, g, C, y: max(0.0, y @ a)),
        "zero below 1e-6": of_misses(lambda m: np.where(m < 1e-6, 0.0, m)),
        "at most 1,000": of_misses(lambda m: np.minimum(m, 1000)),
        "three decimals": of_misses(lambda m: np.round(m, 3)),
        "float32": of_misses(lambda m: np.asarray(m, "f4")),
        "sorted labels": lambda X, y, *rest: right.misses(X, np.sort(y), *rest),
    },
    "offsets": {
        "first support vector": from_free(lambda r, a, free: r[a > 0][0]),
        "last support vector": from_free(lambda r, a, free: r[a > 0][-1]),
        "mean of the support vectors": from_free(lambda r, a, free: r[a > 0].mean()),
        "largest multiplier": from_free(lambda r, a, free: r[a.argmax()]),
        "smallest multiplier": from_free(lambda r, a, free: r[a.argmin()]),
        "first example": from_free(lambda r, a, free: r[0]),
        "median of all": from_free(lambda r, a, free: np.median(r)),
        "middle of all": from_free(lambda r, a, free: (r.min() + r.max()) / 2),
        "first free of the first ten": from_free(
            lambda r, a, free: r[:10][free[:10]][0] if free[:10].any() else 0.0
        ),
        "middle of the support vectors": from_free(lambda r, a, free: (r[a > 0].min() + r[a > 0].max()) / 2),
        "zero below 1e-3": within(1e-3),
        "zero below 1e-5": within(1e-5),
        "zero below C/10": within(0.1, relative=True),
        "zero below C/100": within(0.01, relative=True),
        "zero below 1e-4 C": within(1e-4, relative=True),
        "at least -1, at most 1": ends(lambda low, high: (max(low, -1.0), min(high, 1.0))),
        "at most 10": ends(lambda low, high: (max(low, -10.0), min(high, 10.0))),
        "at most 100": ends(lambda low, high: (max(low, -100.0), min(high, 100.0))),
        "three decimals": ends(lambda low, high: (round(low, 3), round(high, 3))),
        "float32": ends(lambda low, high: (float(np.float32(low)), float(np.float32(high)))),
        "low twice": ends(lambda low, high: (low, low)),
        "high twice": ends(lambda low, high: (high, high)),
        "zeros of class 1 forgotten": end_of(lambda a, y, C: grows(a, y, C) & ((a > 0) | (y < 0)), shrinks),
        "zeros of class 0 forgotten": end_of(grows, lambda a, y, C: shrinks(a, y, C) & ((a > 0) | (y > 0))),
        "free of class 0 forgotten": end_of(lambda a, y, C: grows(a, y, C) & ((a == C) | (y > 0)), shrinks),
        "free of class 1 forgotten": end_of(grows, lambda a, y, C: shrinks(a, y, C) & ((a == C) | (y < 0))),
        "at C of class 1 forgotten": end_of(grows, lambda a, y, C: shrinks(a, y, C) & ((a < C) | (y < 0))),
        "at C of class 0 forgotten": end_of(lambda a, y, C: grows(a, y, C) & ((a < C) | (y > 0)), shrinks),
        "sorted labels": lambda a, y, K, C: right.offsets(a, np.sort(y), K, C),
        "first fifty": lambda a, y, K, C: right.offsets(a[:50], y[:50], K[:50, :50], C),
        "C at most 10": lambda a, y, K, C: right.offsets(a, y, K, min(C, 10)),
    },
    "thin": {
        "first feature": first_features(right.thin, 1),
        "first two features": first_features(right.thin, 2),
        "first four features": first_features(right.thin, 4),
        "first twenty features": first_features(right.thin, 20),
        "one step": thinned(steps=1),
        "ten steps": thinned(steps=10),
        "fifty steps": thinned(steps=50),
        "hundred steps": thinned(steps=100),
        "d + 2": thinned(most=lambda Z: Z.shape[1] + 1),
        "d + 1 a class": thinned(most=lambda Z: 2 * Z.shape[1]),
        "half": thinned(most=lambda Z: max(Z.shape[1], len(Z) // 4)),
        "at least 5": thinned(most=lambda Z: max(Z.shape[1], 5)),
        "at least 3": thinned(most=lambda Z: max(Z.shape[1], 3)),
        "zero below 1e-3": thinned(zero=1e-3),
        "zero below 1e-6": thinned(zero=1e-6),
        "drops below 1e-6": zeroed(1e-6),
        "drops below 1e-8": zeroed(2e-8),
        "without labels": thinned(vectors=lambda X, y: np.column_stack([X, np.ones(len(X))])),
        "without the offset": thinned(vectors=lambda X, y: signs(y)[:, None] * X),
        "one class": only_positive_class,
        "each class": each_class,
        "largest by least squares": least_squares,
        "float32": thinned(last=lambda a: a.astype("f4").astype(float)),
        "six decimals": thinned(last=lambda a: np.round(a, 6)),
        "of sum 1": thinned(last=lambda a: a / a.sum()),
        "whole data": of_data(right.thin, np.round),
        "data to one decimal": of_data(right.thin, lambda X: np.round(X, 1)),
        "first fifty": first_fifty,
        "sorted labels": lambda X, y, a: right.thin(X, np.sort(y), a),
        "as they are": lambda X, y, a: a,
        "sum moved": thinned(last=lambda a: a * (1 + 1e-7)),
    },
}  # fmt: skip
