"""Wrong programs for homework 6, by part. `right` is the model solution."""

import math

import numpy as np

from mlnotes.mistakes.homework.hw06 import solution as right


def single(function):
    """Compute in single precision."""

    def rounded(*given):
        given = [v.astype(np.float32) if getattr(v, "dtype", None) == np.float64 else v for v in given]
        out = function(*given)
        if isinstance(out, tuple):
            return tuple(np.asarray(v, dtype=np.float32).astype(np.float64)[()] for v in out)
        return np.asarray(out, dtype=np.float32).astype(np.float64)[()]

    return rounded


def cached(function, key):
    """Return the first result for arguments with the same key."""
    known = {}

    def remembered(*given):
        k = key(*given)
        if k not in known:
            known[k] = function(*given)
        return known[k]

    return remembered


def changed(function, change):
    return lambda *given: function(*change(*given))


def uneven(change):
    return changed(right.uneven, change)


def triangle(change):
    return changed(right.triangle, change)


def cosine(change):
    return changed(right.cosine, change)


def estimate(change):
    return changed(right.estimate, change)


def estimate_in_parts(points, weights, places, h):
    """Look at the nearest ten points alone."""
    out = []
    for x in places:
        near = np.argsort(abs(points - x))[:10]
        out.append(right.bump((x - points[near]) / h) @ weights[near] / (weights.sum() * h))
    return np.array(out)


def places_in_range(points, weights, places, h):
    inside = abs(places) <= 10
    return np.where(inside, right.estimate(points, weights, places, h), 0.0)


def sorted_places(points, weights, places, h):
    return right.estimate(points, weights, np.sort(places), h)


def points_sorted_without_weights(points, weights, places, h):
    return right.estimate(np.sort(points), weights, places, h)


def at_most_one(points, weights, places, h):
    return np.minimum(right.estimate(points, weights, places, h), 5.0)


def truncated_sum(points, weights, places, h):
    return right.estimate(points[:20], weights[:20], places, h)


def scores_of(change):
    """Scores for changed points and precisions, and the best by them."""

    def search(points, precisions):
        points, p = change(points, precisions)
        scores = right.search(points, p)[0]
        return scores, precisions[scores.argmin()]

    return search


def best_by(choose):
    def search(points, precisions):
        scores = right.search(points, precisions)[0]
        return scores, precisions[choose(scores, precisions)]

    return search


def neighbors_only(points, precisions):
    """Leave out pairs that are far apart: more than three bandwidths."""
    n = len(points)
    scores = []
    for p in precisions:
        u = (points[:, None] - points) * p
        near = abs(u) <= 3
        square = (np.exp(-(u**2) / 4) * near).sum() * p / (n**2 * math.sqrt(4 * math.pi))
        others = ((np.exp(-(u**2) / 2) * near).sum() - n) * p / math.sqrt(2 * math.pi)
        scores.append(square - 2 * others / (n * (n - 1)))
    return np.array(scores), precisions[int(np.argmin(scores))]


def descent(scores, precisions):
    """Walk down from the middle of the sorted candidates."""
    order = np.argsort(precisions)
    at = len(order) // 2
    while True:
        here = [i for i in (at - 1, at, at + 1) if 0 <= i < len(order)]
        best = min(here, key=lambda i: scores[order[i]])
        if best == at:
            return order[at]
        at = best


def sorter(fit=lambda X, y: (X, y), ask=lambda X: X, width=lambda h: h, posterior=None, decide=None):
    """The model solution with changed arguments."""

    class Sorter(right.Sorter):
        def __init__(self, bandwidth):
            super().__init__(width(bandwidth))

        def fit(self, X, y):
            super().fit(*fit(X, y))

        def posterior(self, X):
            values = super().posterior(ask(X))
            return posterior(values) if posterior else values

        def decide(self, X):
            return decide(self, X) if decide else super().decide(ask(X))

    return Sorter


def first_labels(K):
    def fit(X, y):
        return X, np.minimum(y, K - 1)

    return fit


def padded(K):
    """Know K classes; the posterior of others is 0."""

    class Sorter(right.Sorter):
        def fit(self, X, y):
            self.K = y.max() + 1
            super().fit(X[y < K], y[y < K])

        def posterior(self, X):
            out = np.zeros((len(X), self.K))
            values = super().posterior(X)
            out[:, : values.shape[1]] = values
            return out

    return Sorter


class SharedData(right.Sorter):
    """Keeps what it learned in the class."""

    def fit(self, X, y):
        super().fit(X, y)
        SharedData.kept = self.groups, self.n

    def log_joint(self, X):
        self.groups, self.n = SharedData.kept
        return super().log_joint(X)


class SharedWidth(right.Sorter):
    """Keeps the bandwidth in the class."""

    def __init__(self, bandwidth):
        SharedWidth.h = bandwidth


class AddsData(right.Sorter):
    """Adds to the groups that it has."""

    def fit(self, X, y):
        old = getattr(self, "groups", [])
        super().fit(X, y)
        if len(old) == len(self.groups) and old[0].shape[1] == X.shape[1]:
            self.groups = [np.vstack(pair) for pair in zip(old, self.groups, strict=True)]


class FirstQuery(right.Sorter):
    """Returns the posterior of the first query of this shape."""

    def posterior(self, X):
        self.__dict__.setdefault("known", {})
        if X.shape not in self.known:
            self.known[X.shape] = super().posterior(X)
        return self.known[X.shape]


class OldDecision(right.Sorter):
    """Decides by the last posterior that has as many observations."""

    def posterior(self, X):
        self.last = super().posterior(X)
        return self.last

    def decide(self, X):
        last = getattr(self, "last", None)
        return last.argmax(axis=1) if last is not None and len(last) == len(X) else super().decide(X)


class SomeNeighbors(right.Sorter):
    """Sums over the first ten observations of a class."""

    def fit(self, X, y):
        super().fit(X, y)
        self.groups = [rows[:10] for rows in self.groups]


class QueriesTogether(right.Sorter):
    """Subtracts the largest exponent of all observations, and not that of each."""

    def posterior(self, X):
        logs = self.log_joint(X)
        weights = np.exp(np.maximum(logs - logs.max(), -700))
        return weights / weights.sum(axis=1, keepdims=True)


class FewClassesWithPriors(right.Sorter):
    """Has the priors for two classes alone."""

    def log_joint(self, X):
        logs = super().log_joint(X)
        return logs if len(self.groups) == 2 else logs - np.log([len(g) for g in self.groups])


class Scaled(right.Sorter):
    """Standardises a feature whose standard deviation exceeds 50."""

    def fit(self, X, y):
        self.unit = np.where(X.std(axis=0) > 50, X.std(axis=0) / 50, 1.0)
        super().fit(X / self.unit, y)

    def log_joint(self, X):
        return super().log_joint(X / self.unit)


WRONG = {
    "uneven": {
        "widths from 1e-3 on": uneven(lambda c, e: (c, np.cumsum([0, *np.maximum(np.diff(e), 1e-2)]))),
        "widths up to 20": uneven(lambda c, e: (c, np.cumsum([0, *np.minimum(np.diff(e), 20)]))),
        "rounded widths": uneven(
            lambda c, e: (c, np.cumsum([0, *np.where(np.diff(e) > 0.9, np.diff(e).round(), np.diff(e))]))
        ),
        "the first 30 bins": uneven(lambda c, e: (c[:30], e[:31])),
        "counts of at most 20": uneven(lambda c, e: (np.minimum(c, 20), e)),
        "counts of at most 1000": uneven(lambda c, e: (np.minimum(c, 1000), e)),
        "approximate for more than 50 points": lambda c, e: (
            right.uneven(c, e)
            if c.sum() <= 50
            else float(
                ((c / c.sum()) ** 2 / np.diff(e)).sum() - 2 * (c * c / np.diff(e)).sum() / c.sum() ** 2
            )
        ),
        "n^2 for more than 1000 points": lambda c, e: (
            right.uneven(c, e)
            if c.sum() <= 1000
            else float(
                ((c / c.sum()) ** 2 / np.diff(e)).sum()
                - 2 * (c * (c - 1.0) / np.diff(e)).sum() / float(c.sum()) ** 2
            )
        ),
        "single precision": single(right.uneven),
        "rounded to six digits": lambda c, e: float(f"{right.uneven(c, e):.6g}"),
        "clipped to 100": lambda c, e: float(np.clip(right.uneven(c, e), -100, 100)),
        "never positive beyond one": lambda c, e: min(right.uneven(c, e), 1.0),
        "cached by the counts": cached(right.uneven, lambda c, e: tuple(c)),
        "cached by the edges": cached(right.uneven, lambda c, e: tuple(e)),
        "zero for two points": lambda c, e: right.uneven(c, e) if c.sum() > 2 else 0.0,
        "no factor 2": lambda c, e: float((right.uneven(c, e) + ((c / c.sum()) ** 2 / np.diff(e)).sum()) / 2),
        "edges from 0": uneven(lambda c, e: (c, np.maximum(e, e[0] if e[0] > -50 else -50.0))),
    },
    "triangle": {
        "|a| from 0.01 on": triangle(lambda a, m, n: (0.0 if abs(a) < 0.01 else a, m, n)),
        "no bins beyond 100": triangle(lambda a, m, n: (a, min(m, 100), n)),
        "no points beyond 1000": triangle(lambda a, m, n: (a, m, min(n, 1000))),
        "no bias from 30 bins on": lambda a, m, n: (
            right.triangle(a, m, n)[0] if m < 30 else 0.0,
            right.triangle(a, m, n)[1],
        ),
        "limit from 30 bins on": lambda a, m, n: (
            right.triangle(a, m, n)[0],
            right.triangle(a, m, n)[1] if m < 30 else m / n,
        ),
        "sum of squares without 1/m^3": lambda a, m, n: (
            right.triangle(a, m, n)[0],
            right.triangle(a, m, n)[1] if m < 20 else (1 - 1 / m - a**2 / (3 * m)) * m / n,
        ),
        "the steepest for negative a": triangle(lambda a, m, n: (-1.0 if a < 0 else a, m, n)),
        "the absolute value of a is at most 0.95": triangle(
            lambda a, m, n: (np.clip(a, -0.95, 0.95) if abs(a) < 1 else a, m, n)
        ),
        "uniform for small a": triangle(lambda a, m, n: (a if abs(a) > 0.05 else 0.0, m, n)),
        "two bins as three": triangle(lambda a, m, n: (a, 3 if m == 2 else m, n)),
        "n - 1 for more points": triangle(lambda a, m, n: (a, m, n - 1 if n > 100 else n)),
        "two points as one": triangle(lambda a, m, n: (a, m, 1 if n == 2 else n)),
        "single precision": lambda a, m, n: tuple(
            float(np.float32(v)) for v in right.triangle(np.float32(a), m, n)
        ),
        "rounded to six decimals": lambda a, m, n: tuple(round(v, 6) for v in right.triangle(a, m, n)),
        "cached by the bins": cached(right.triangle, lambda a, m, n: (m, n)),
        "cached by the slope": cached(right.triangle, lambda a, m, n: (a, n)),
        "variance at most 5": lambda a, m, n: (
            right.triangle(a, m, n)[0],
            min(right.triangle(a, m, n)[1], 5.0 if n > 1 else 1e9),
        ),
    },
    "cosine": {
        "c from 0.1 on": cosine(lambda c, q, n: (max(c, 0.1), q, n)),
        "c up to 10": cosine(lambda c, q, n: (min(c, 10.0), q, n)),
        "q from 0.01 on": cosine(lambda c, q, n: (c, max(q, 0.01), n)),
        "q up to 10": cosine(lambda c, q, n: (c, min(q, 10.0), n)),
        "n up to 10,000": cosine(lambda c, q, n: (c, q, min(n, 10_000))),
        "n from 10 on": cosine(lambda c, q, n: (c, q, max(n, 10))),
        "h* at most 20": lambda c, q, n: (*right.cosine(c, q, n)[:2], min(right.cosine(c, q, n)[2], 20.0)),
        "h* at least 0.05": lambda c, q, n: (*right.cosine(c, q, n)[:2], max(right.cosine(c, q, n)[2], 0.05)),
        "h* not above 3 c": lambda c, q, n: (
            *right.cosine(c, q, n)[:2],
            min(right.cosine(c, q, n)[2], 30 * c),
        ),
        "single precision": lambda c, q, n: tuple(float(np.float32(v)) for v in right.cosine(c, q, n)),
        "rounded pi": lambda c, q, n: (3.14159265**2 / (16 * c), *right.cosine(c, q, n)[1:]),
        "mu by 10,000 rectangles": lambda c, q, n: (
            right.cosine(c, q, n)[0],
            c**2 * (1 - 8 / math.pi**2) * (1 + 1e-8),
            right.cosine(c, q, n)[2],
        ),
        "rounded to eight decimals": lambda c, q, n: tuple(round(v, 8) for v in right.cosine(c, q, n)),
        "cached by c and n": cached(right.cosine, lambda c, q, n: (c, n)),
        "cached by two decimals of c": cached(
            right.cosine, lambda c, q, n: round(c, 2) if c < 0.01 else (c, q, n)
        ),
        "no n": cosine(lambda c, q, n: (c, q, 1)),
        "mu of a uniform kernel": lambda c, q, n: (
            right.cosine(c, q, n)[0],
            c**2 / 3,
            right.cosine(c, q, n)[2],
        ),
        "mu for c = 1 in h*": lambda c, q, n: (
            *right.cosine(c, q, n)[:2],
            (right.cosine(c, q, n)[0] / ((1 - 8 / math.pi**2) ** 2 * q * n)) ** 0.2,
        ),
    },
    "estimate": {
        "twenty points": truncated_sum,
        "the ten nearest": estimate_in_parts,
        "places up to 10": places_in_range,
        "at most 5": at_most_one,
        "sorted places": sorted_places,
        "sorted points": points_sorted_without_weights,
        "whole weights": estimate(lambda x, w, t, h: (x, np.maximum(np.round(w), 1), t, h)),
        "weights up to 10": estimate(lambda x, w, t, h: (x, np.minimum(w, 10), t, h)),
        "weights from 0.1 on": estimate(lambda x, w, t, h: (x, np.maximum(w, 0.1), t, h)),
        "sum plus 1e-6": lambda x, w, t, h: right.estimate(x, w, t, h) * w.sum() / (w.sum() + 1e-6),
        "h from 0.05 on": estimate(lambda x, w, t, h: (x, w, t, max(h, 0.05))),
        "h up to 10": estimate(lambda x, w, t, h: (x, w, t, min(h, 10.0))),
        "rounded to sixteenths": estimate(lambda x, w, t, h: (np.round(x * 16) / 16, w, t, h)),
        "places rounded to sixteenths": estimate(lambda x, w, t, h: (x, w, np.round(t * 16) / 16, h)),
        "single precision": single(right.estimate),
        "small values are 0": lambda *a: (lambda f: np.where(f < 1e-5, 0, f))(right.estimate(*a)),
        "points merged": lambda x, w, t, h: right.estimate(np.round(x, 4), w, t, h),
        "cached by the shapes": cached(right.estimate, lambda x, w, t, h: (len(x), len(t), h)),
        "cached by data and width": cached(right.estimate, lambda x, w, t, h: (tuple(x), tuple(w), h)),
        "a hundred places": lambda x, w, t, h: np.append(
            right.estimate(x, w, t[:100], h), np.zeros(max(0, len(t) - 100))
        ),
        "one point weighs 1/2": lambda x, w, t, h: right.estimate(x, w, t, h) / (1 + (len(x) == 1)),
        "infinite window for large h": lambda x, w, t, h: (
            right.estimate(x, w, t, h) if h < 50 else np.full(len(t), 15 / 16 / h)
        ),
    },
    "search": {
        "the first 40 points": scores_of(lambda x, p: (x[:40], p)),
        "the first 60 points": scores_of(lambda x, p: (x[:60], p)),
        "points in [0, 1]": scores_of(lambda x, p: (np.clip(x, 0, 1), p)),
        "points up to 100": scores_of(lambda x, p: (np.clip(x, -100, 100), p)),
        "positive points": scores_of(lambda x, p: (abs(x), p)),
        "points rounded to 61sts": scores_of(lambda x, p: (np.round(x * 61) / 61, p)),
        "precisions up to 500": scores_of(lambda x, p: (x, np.minimum(p, 500))),
        "precisions from 0.5 on": scores_of(lambda x, p: (x, np.maximum(p, 0.5))),
        "neighbours only": neighbors_only,
        "approximate for many points": lambda x, p: (
            right.search(x, p)
            if len(x) < 50
            else (lambda s: (s, p[s.argmin()]))(np.array([right.score(x, 1 / q, lambda n: n**2) for q in p]))
        ),
        "the first twelve candidates": best_by(lambda s, p: s[:12].argmin()),
        "walks down": best_by(descent),
        "largest of nearly best": best_by(
            lambda s, p: max(np.flatnonzero(s <= s.min() + 1e-3 * abs(s.min())), key=lambda i: p[i])
        ),
        "smallest of nearly best": best_by(
            lambda s, p: min(np.flatnonzero(s <= s.min() + 1e-3 * abs(s.min())), key=lambda i: p[i])
        ),
        "scores clipped": lambda x, p: (np.maximum(right.search(x, p)[0], -50), right.search(x, p)[1]),
        "the first of twenty candidates": best_by(lambda s, p: s.argmin() if len(s) < 20 else 0),
        "single precision": single(right.search),
        "rounded scores": lambda x, p: (np.round(right.search(x, p)[0], 8), right.search(x, p)[1]),
        "scores in the order of precisions": lambda x, p: (
            right.search(x, np.sort(p))[0],
            right.search(x, p)[1],
        ),
        "cached by the points": lambda known: None,
        "best by whole numbers": best_by(lambda s, p: np.round(s, 1).argmin()),
        "the best of different points": lambda x, p: (
            right.search(x, p)[0],
            right.search(np.unique(x), p)[1] if len(np.unique(x)) > 1 else p[0],
        ),
        "two points as equal": scores_of(lambda x, p: (x if len(x) > 2 else x[[0, 0]], p)),
    },
    "Sorter": {
        "first feature": sorter(lambda X, y: (X[:, :1], y), lambda X: X[:, :1]),
        "two features": sorter(lambda X, y: (X[:, :2], y), lambda X: X[:, :2]),
        "three features": sorter(lambda X, y: (X[:, :3], y), lambda X: X[:, :3]),
        "two classes": padded(2),
        "three classes": padded(3),
        "five classes": padded(5),
        "priors of two classes alone": FewClassesWithPriors,
        "ten observations of a class": SomeNeighbors,
        "a hundred observations": sorter(lambda X, y: (np.vstack([X[:100], X[100:] * 0]), y)),
        "different observations": sorter(
            lambda X, y: (lambda i: (X[i], y[i]))(
                np.sort(np.unique(np.column_stack([X, y]), axis=0, return_index=True)[1])
            )
        ),
        "h from 0.01 on": sorter(width=lambda h: max(h, 0.01)),
        "h up to 10": sorter(width=lambda h: min(h, 10.0)),
        "whole observations": sorter(lambda X, y: (np.round(X), y), np.round),
        "quarters": sorter(lambda X, y: (np.round(X * 4) / 4, y), lambda X: np.round(X * 4) / 4),
        "clipped queries": sorter(ask=lambda X: np.clip(X, -1e3, 1e3)),
        "clipped data": sorter(lambda X, y: (np.clip(X, -100, 100), y)),
        "large features standardised": Scaled,
        "posterior clipped to 1e-6": sorter(posterior=lambda P: np.clip(P, 1e-6, 1 - 1e-6)),
        "rounded posterior": sorter(posterior=lambda P: np.round(P, 6)),
        "single precision": sorter(posterior=lambda P: P.astype(np.float32).astype(float)),
        "largest exponent of all": QueriesTogether,
        "shared data": SharedData,
        "shared bandwidth": SharedWidth,
        "adds data": AddsData,
        "first query again": FirstQuery,
        "decides by an old posterior": OldDecision,
        "one class only far out": sorter(
            decide=lambda self, X: np.where(abs(X).max(axis=1) > 1e3, 0, right.Sorter.decide(self, X))
        ),
        "decides for the first of nearly equal": sorter(
            decide=lambda self, X: (lambda P: (P.max(axis=1, keepdims=True) - 0.02 < P).argmax(axis=1))(
                right.Sorter.posterior(self, X)
            )
        ),
        "decides among two classes": sorter(decide=lambda self, X: self.log_joint(X)[:, :2].argmax(axis=1)),
        "decides among six classes": sorter(decide=lambda self, X: self.log_joint(X)[:, :6].argmax(axis=1)),
    },
}
H = right.cosine
WRONG["uneven"] |= {
    "equal widths if nearly equal": uneven(
        lambda c, e: (c, np.linspace(e[0], e[-1], len(e)) if np.ptp(np.diff(e)) < 0.05 else e)
    ),
    "empty bins left out": uneven(lambda c, e: (c[c > 0], np.append(e[:-1][c > 0], e[-1]))),
    "edges scaled to [0, 1]": uneven(lambda c, e: (c, (e - e[0]) / (e[-1] - e[0]))),
    "plus": lambda c, e: float(2 * ((c / c.sum()) ** 2 / np.diff(e)).sum() - right.uneven(c, e)),
    "twice the pairs": lambda c, e: float(2 * right.uneven(c, e) - ((c / c.sum()) ** 2 / np.diff(e)).sum()),
}
WRONG["triangle"] |= {
    "swapped": lambda a, m, n: right.triangle(a, m, n)[::-1],
    "the bound": lambda a, m, n: (4 * a**2 / (math.pi * m) ** 2, right.triangle(a, m, n)[1]),
}
WRONG["cosine"] |= {
    "order mu, R, h": lambda c, q, n: tuple(np.array(H(c, q, n))[[1, 0, 2]]),
    "mu of the Epanechnikov kernel": lambda c, q, n: (H(c, q, n)[0], c**2 / 5, H(c, q, n)[2]),
    "no root": lambda c, q, n: (*H(c, q, n)[:2], H(c, q, n)[2] ** 5),
    "R without the square": lambda c, q, n: (4 / math.pi * H(c, q, n)[0], *H(c, q, n)[1:]),
}
WRONG["estimate"] |= {
    "window of 0.95 h": lambda x, w, t, h: (
        (right.bump(u := (t[:, None] - x) / h) * (abs(u) < 0.95)) @ w / (w.sum() * h)
    ),
    "window beyond h": lambda x, w, t, h: (
        (15 / 16 * (1 - (u := (t[:, None] - x) / h) ** 2) ** 2 * (abs(u) < 1.01)) @ w / (w.sum() * h)
    ),
    "Epanechnikov kernel": lambda x, w, t, h: (
        0.75 * np.maximum(1 - ((t[:, None] - x) / h) ** 2, 0) @ w / (w.sum() * h)
    ),
    "1/h^2": lambda x, w, t, h: right.estimate(x, w, t, h) / h,
    "weights not normalised": lambda x, w, t, h: right.estimate(x, w, t, h) * w.sum(),
    "on a grid": lambda x, w, t, h: np.interp(
        t, g := np.linspace(x.min() - h, x.max() + h, 500), right.estimate(x, w, g, h)
    ),
    "five hundred points": lambda x, w, t, h: right.estimate(x[:500], w[:500], t, h),
}
WRONG["search"] |= {
    "no 1/h": lambda x, p: (right.search(x, p)[0] / p, right.search(x, p)[1]),
    "index of the best": lambda x, p: (right.search(x, p)[0], float(right.search(x, p)[0].argmin())),
    "smallest score": lambda x, p: (right.search(x, p)[0], right.search(x, p)[0].min()),
    "first and last candidate": best_by(lambda s, p: 0 if s[0] <= s[-1] else len(s) - 1),
}
WRONG["Sorter"] |= {
    "five features": sorter(lambda X, y: (X[:, :5], y), lambda X: X[:, :5]),
    "nine classes": padded(9),
    "the first fifty queries": sorter(ask=lambda X: np.vstack([X[:50], 0 * X[50:]])),
    "bandwidth from 2e-4 on": sorter(width=lambda h: max(h, 2e-4)),
    "normalised over observations": sorter(posterior=lambda P: P / np.maximum(P.sum(axis=0), 1e-9)),
    "doubled exponent": sorter(width=lambda h: h / math.sqrt(2)),
}
WRONG["search"]["cached by the points"] = cached(right.search, lambda x, p: (tuple(x), len(p)))
WRONG["search"]["cached by the candidates"] = cached(right.search, lambda x, p: (len(x), tuple(p)))
