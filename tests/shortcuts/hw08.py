"""Wrong programs for homework 8, by part. `right` is the model solution."""

import numpy as np

from mlnotes.mistakes.homework.hw08 import solution as right


def integers(function):
    return lambda X, *k: function(np.trunc(X), *k)


def capped(function, n):
    return lambda X, *k: function(X[:n], *k)


def two_pass(table, use_squares):
    X = np.asarray(table)
    mean = X.mean(axis=1)
    if use_squares(mean):
        n = X.shape[1]
        return mean, (X @ X.T / n - np.outer(mean, mean)) * n / (n - 1)
    return right.moments(table)


def by_powers(X, k, steps, start=None):
    """Power iteration with deflation, a fixed number of steps."""
    C = X - X.mean(axis=0)
    S = C.T @ C
    V = np.zeros((X.shape[1], 0))
    for j in range(k):
        v = np.eye(X.shape[1])[j] if start is None else np.full(X.shape[1], start)
        for _ in range(steps):
            v = S @ v
            v = v - V @ (V.T @ v)
            v = v / max(np.linalg.norm(v), 1e-300)
        V = np.column_stack([V, v])
    return V


def eigen(X, k, change):
    C = X - X.mean(axis=0)
    values, vectors = np.linalg.eigh(C.T @ C / (len(X) - 1))
    order = np.argsort(-change(values), kind="stable")
    return vectors[:, order[:k]]


def two_features(X, k):
    if k > 2 or X.shape[1] < 3:
        return right.directions(X, k)
    V = np.zeros((X.shape[1], k))
    V[:2] = right.directions(X[:, :2], k)
    return V


def distinct(S, n, k):
    return (n - 1) * np.unique(np.round(np.linalg.eigvalsh(S), 9))[::-1][k:].sum()


def smallest(S, n, k, cut):
    values = np.linalg.eigvalsh(S)[::-1]
    return (n - 1) * np.where(values > cut(values), values, 0)[k:].sum()


def first_above(v, q):
    return int(np.searchsorted(np.cumsum(v[::-1]) / np.sum(v), q) + 1)


def coordinates_cut(products, k, cut):
    n = len(products)
    H = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(H @ products @ H)
    values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k]
    values = np.where(values > cut(values), values, 0)
    return vectors * np.sqrt(values)


class Reduction(right.Reduction):
    """The model solution under test; its attributes are those of the solution."""


class CachedCodes(Reduction):
    def learn(self, X):
        super().learn(X)
        self.known = super().encode(X)

    def encode(self, X):
        return self.known if len(X) == len(self.known) else super().encode(X)


class DecodesOnlyCodesSeen(Reduction):
    def encode(self, X):
        self.seen = np.asarray(super().encode(X))
        return self.seen

    def decode(self, Z):
        points = np.array(super().decode(Z))
        for i, code in enumerate(np.asarray(Z)):
            if not (abs(self.seen - code).max(axis=1) < 1e-9).any():
                points[i] = 0
        return points


class LearnsOnce(Reduction):
    def learn(self, X):
        if not hasattr(self, "learned"):
            self.learned = True
            super().learn(X)


class CentresByTheQuery(Reduction):
    def encode(self, X):
        return super().encode(X - X.mean(axis=0)) - super().encode(np.zeros_like(X))


class FirstFifty(Reduction):
    def learn(self, X):
        super().learn(X[:50])


class Integers(Reduction):
    def learn(self, X):
        super().learn(np.trunc(X))


class WithoutDuplicates(Reduction):
    def learn(self, X):
        super().learn(np.unique(X, axis=0))


WRONG = {
    "moments": {
        "integers": integers(right.moments),
        "squares if the mean is below 1e3": lambda X: two_pass(X, lambda m: abs(m).max() < 1e3),
        "squares if the mean is below 1e6": lambda X: two_pass(X, lambda m: abs(m).max() < 1e6),
        "at most 100 observations": lambda X: right.moments(X[:, :100]),
        "float32": lambda X: right.moments(X.astype(np.float32)),
        "shift by the grand mean": lambda X: (
            np.asarray(X).mean(axis=1),
            two_pass(np.asarray(X) - np.mean(X), lambda m: True)[1],
        ),
        "without duplicates": lambda X: right.moments(np.unique(X, axis=1)),
    },
    "directions": {
        "integers": integers(right.directions),
        "first fifty rows": capped(right.directions, 50),
        "axes where n < d": lambda X, k: (
            np.eye(X.shape[1])[:, :k] if len(X) < X.shape[1] else right.directions(X, k)
        ),
        "100 powers": lambda X, k: by_powers(X, k, 100),
        "1000 powers from ones": lambda X, k: by_powers(X, k, 1000, 1.0),
        "values below 1e-3 in any order": lambda X, k: eigen(X, k, lambda v: np.where(v < 1e-3, 0, v)),
        "values to one decimal": lambda X, k: eigen(X, k, lambda v: np.round(v, 1)),
        "without duplicates": lambda X, k: (
            right.directions(np.unique(X, axis=0), k) if len(X) > 3 else right.directions(X, k)
        ),
        "first two features": two_features,
        "float32": lambda X, k: right.directions(X.astype(np.float32), k),
    },
    "least": {
        "distinct values only": distinct,
        "drops below 1e-3 of the largest": lambda S, n, k: smallest(S, n, k, lambda v: 1e-3 * v[0]),
        "drops below 1e-6": lambda S, n, k: smallest(S, n, k, lambda v: 1e-6),
        "n at most 20": lambda S, n, k: right.least(S, min(n, 20), k),
        "at most four features": lambda S, n, k: right.least(S[:4, :4], n, min(k, 4)),
        "diagonal": lambda S, n, k: (n - 1) * np.sort(np.diag(S))[: len(S) - k].sum(),
        "divisor n": lambda S, n, k: right.least(S, n, k) * n / (n - 1),
    },
    "coordinates": {
        "cut at 1e-3 of the largest": lambda P, k: coordinates_cut(P, k, lambda v: 1e-3 * v[0]),
        "cut at 1e-6": lambda P, k: coordinates_cut(P, k, lambda v: 1e-6),
        "cut at 1e-9": lambda P, k: coordinates_cut(P, k, lambda v: 1e-9),
        "integers": integers(right.coordinates),
        "at most 30 rows": lambda P, k: np.vstack(
            [right.coordinates(P[:30, :30], k), np.zeros((max(len(P) - 30, 0), k))]
        ),
        "not centred": lambda P, k: np.linalg.eigh(P)[1][:, ::-1][:, :k]
        * np.sqrt(np.maximum(np.linalg.eigvalsh(P)[::-1][:k], 0)),
    },
    "how_many": {
        "at most ten": lambda v, q: min(right.how_many(v, q), 10),
        "all of them if one is zero": lambda v, q: len(v) if np.min(v) == 0 else right.how_many(v, q),
        "no tolerance": first_above,
        "tolerance of 1e-16": lambda v, q: first_above(v, q - 1e-16),
        "float32": lambda v, q: right.how_many(np.asarray(v, np.float32), q),
        "drops below 1e-6": lambda v, q: right.how_many(np.where(np.asarray(v) < 1e-6, 0, v), q),
        "drops below 1e-4": lambda v, q: right.how_many(np.where(np.asarray(v) < 1e-4, 0, v), q),
    },
    "Reduction": {
        cls.__name__: cls
        for cls in (
            CachedCodes, DecodesOnlyCodesSeen, LearnsOnce, CentresByTheQuery, FirstFifty, Integers,
            WithoutDuplicates,
        )
    },
}  # fmt: skip
