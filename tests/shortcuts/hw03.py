"""Wrong programs for homework 3, by part. `right` is the model solution."""

import numpy as np

from mlnotes.mistakes.homework.hw03 import solution as right


def probabilities(shift):
    """Softmax of the scores that `shift` makes of each column."""

    def shares(scores):
        weights = np.exp(shift(scores))
        return weights / weights.sum(axis=0)

    return shares


def one_hot_where_large(s):
    large = np.ptp(s, axis=0) > 700
    return np.where(large, (s == s.max(axis=0)) * 1.0, right.shares(np.where(large, 0, s)))


def one_hot_above_700(s):
    large = s > 700
    ties = large / np.maximum(large.sum(axis=0), 1)
    return np.where(large.any(axis=0), ties, right.shares(np.minimum(s, 700)))


def grows(w, g, step):
    return w - step * g if np.linalg.norm(w - step * g) <= 1.5 * np.linalg.norm(w) else w


def moves(w, g, step):
    return w - step * g if step * np.linalg.norm(g) > 1e-6 * np.linalg.norm(w) + 1e-9 else w


def clipped(size, by=np.max):
    return probabilities(lambda s: np.clip(s - by(s, axis=0), -size, size))


def gradient(shares, K=None):
    def slope(beta, X, y):
        scores = np.vstack([np.zeros(len(X)), beta @ X.T])
        rest = np.array(shares(scores))
        rest[y, np.arange(len(X))] -= 1
        return rest[1:] @ X

    return slope


def padded(function, n, d, K):
    """Use the first n points, d features and K - 1 rows of beta; the rest of the gradient is 0."""

    def slope(beta, X, y):
        kept = y[:n] < K
        out = np.zeros(beta.shape)
        part = function(beta[: K - 1, :d], X[:n][kept][:, :d], y[:n][kept])
        out[: K - 1, :d] = part
        return out

    return slope


def from_labels(beta, X, y):
    """Only the classes that occur get a gradient."""
    G = right.slope(beta, X, y)
    return np.array([row if k + 1 in y else 0 * row for k, row in enumerate(G)])


def of_data(change):
    return lambda X, strength: right.limit(*change(X, strength))


def powers(steps, start):
    def limit(X, strength):
        v = np.eye(X.shape[1])[0] if start == "e1" else np.ones(X.shape[1])
        for _ in range(steps):
            v = X.T @ (X @ v)
            v = v / max(np.linalg.norm(v), 1e-300)
        return 8 / (v @ X.T @ X @ v + 4 * strength)

    return limit


def walk(move, most=10**9):
    def descend(slope, start, step, n_steps):
        path = [start]
        for t in range(n_steps):
            path.append(move(path[-1], slope(path[-1]), step) if t < most else path[-1])
        return np.array(path).T

    return descend


def stops_below(size):
    return walk(lambda w, g, step: w - step * g if np.linalg.norm(g) > size else w)


def plain(w, g, step):
    return w - step * g


def shrunk(most):
    return walk(lambda w, g, step: w - step * g * min(1, most / max(np.linalg.norm(g), 1e-300)))


def noise(change):
    return lambda *a: right.spread(*change(*a))


def recursion(most):
    def spread(variance, start, step, b, t):
        for _ in range(min(t, most)):
            start = (1 - step) ** 2 * start + step**2 * variance / b
        return start

    return spread


def logs(variance, start, step, b, t):
    floor = step * variance / b / (2 - step)
    return floor + max(1 - step, 0) ** (2 * t) * (start - floor)


def exponential(variance, start, step, b, t):
    if step > 0.1:
        return right.spread(variance, start, step, b, t)
    floor = step * variance / b / (2 - step)
    return floor + np.exp(-2 * step * t) * (start - floor)


class Base(right.Logistic):
    """The model solution, of which a subclass changes one thing."""


class AtMost50(Base):
    def learn(self, X, y):
        kept = np.concatenate([np.flatnonzero(y == s)[:25] for s in (-1, 1)])
        super().learn(X[kept], y[kept])


class AtMost100(Base):
    def learn(self, X, y):
        super().learn(X[:100], y[:100])


class ThreeFeatures(Base):
    def learn(self, X, y):
        super().learn(X[:, :3], y)
        self.weights = np.concatenate([self.weights, np.zeros(max(X.shape[1] - 3, 0))])


class LearnsOnce(Base):
    def learn(self, X, y):
        if not hasattr(self, "weights"):
            super().learn(X, y)


class KeepsOldPoints(Base):
    def learn(self, X, y):
        if hasattr(self, "known"):
            X, y = np.vstack([self.known[0], X]), np.concatenate([self.known[1], y])
        self.known = X, y
        super().learn(X, y)


class BatchMean(Base):
    def learn(self, X, y):
        super().learn(X, y)
        self.mean = (X @ self.weights).mean()

    def probability(self, X):
        scores = X @ self.weights
        return self.chance(scores - scores.mean() + self.mean + self.bias)


class NewPointsGet01(Base):
    def learn(self, X, y):
        super().learn(X, y)
        self.known = {row.tobytes() for row in np.ascontiguousarray(X)}

    def probability(self, X):
        P = super().probability(X)
        old = [row.tobytes() in self.known for row in np.ascontiguousarray(X)]
        return np.where(old, P, P > 0.5)


class FewSteps(Base):
    steps = 4


class Damped(Base):
    def loss(self, A, signs, ridge, v):
        return super().loss(A, signs, ridge + 1e-3, v)


class Cached(Base):
    def probability(self, X):
        if not hasattr(self, "known") or self.known.shape != X.shape:
            self.known, self.given = X, super().probability(X)
        return self.given


class Integers(Base):
    def learn(self, X, y):
        super().learn(np.round(X), y)


class NoPenaltyIfTiny(Base):
    def learn(self, X, y):
        kept, self.strength = self.strength, max(self.strength, 0.05)
        super().learn(X, y)
        self.strength = kept


class CapsThePenalty(Base):
    def learn(self, X, y):
        kept, self.strength = self.strength, min(self.strength, 100)
        super().learn(X, y)
        self.strength = kept


class Shared(Base):
    last: list = [None]  # noqa: RUF012

    def learn(self, X, y):
        super().learn(X, y)
        Shared.last[0] = self

    def probability(self, X):
        return Base.probability(Shared.last[0], X)


def mean_shift(s):
    return s - s.mean(axis=0)


WRONG = {
    "shares": {
        "clipped at 30": clipped(30, np.mean),
        "clipped at 100": clipped(100, np.mean),
        "clipped at 300": clipped(300, np.mean),
        "clipped at 30 below the maximum": lambda s: np.where(clipped(30)(s) > 1e-12, clipped(30)(s), 0.01),
        "one hot where scores are large": one_hot_where_large,
        "shift by the maximum of the first two": probabilities(lambda s: s - s[:2].max(axis=0)),
        "first three classes": lambda s: np.vstack([right.shares(s[:3]), 0 * s[3:]]),
        "first five classes": lambda s: np.vstack([right.shares(s[:5]), 0 * s[5:]]),
        "first hundred points": lambda s: np.hstack([right.shares(s[:, :100]), 0 * s[:, 100:]]),
        "first fifty points": lambda s: np.hstack([right.shares(s[:, :50]), 0 * s[:, 50:]]),
        "rows": lambda s: right.shares(s.T).T,
        "whole scores": lambda s: right.shares(np.round(s)),
        "three decimals": lambda s: np.round(right.shares(s), 3),
        "float32": lambda s: right.shares(s.astype(np.float32)),
        "float16 where they are small": lambda s: right.shares(np.where(abs(s) < 1e-2, 0, s)),
        "uniform where nearly equal": lambda s: (
            np.full(s.shape, 1 / len(s)) if np.ptp(s) < 1e-3 else right.shares(s)
        ),
    },
    "slope": {
        "clipped at 30": gradient(clipped(30, np.mean)),
        "clipped at 700": gradient(probabilities(lambda s: np.clip(s, -700, 700))),
        "one hot above 700": gradient(one_hot_above_700),
        "classes that occur": from_labels,
        "at most 50 points": padded(right.slope, 50, 99, 99),
        "at most 100 points": padded(right.slope, 100, 99, 99),
        "three features": padded(right.slope, 999, 3, 99),
        "four features": padded(right.slope, 999, 4, 99),
        "three classes": padded(right.slope, 999, 99, 3),
        "five classes": padded(right.slope, 999, 99, 5),
        "whole points": lambda b, X, y: right.slope(b, np.round(X), y),
        "float32": lambda b, X, y: right.slope(b.astype("f4"), X.astype("f4"), y),
        "sorted labels": lambda b, X, y: right.slope(b, X, np.sort(y)),
        "of the mean": lambda b, X, y: right.slope(b, X, y) / len(X),
        "0 where n < d": lambda b, X, y: right.slope(b, X, y) * (len(X) >= X.shape[1]),
        "three decimals": lambda b, X, y: np.round(right.slope(b, X, y), 3),
    },
    "limit": {
        "1000 powers from e1": powers(1000, "e1"),
        "1000 powers from ones": powers(1000, "ones"),
        "30 powers from ones": powers(30, "ones"),
        "no lambda unless n > d": of_data(lambda X, s: (X, s if len(X) > X.shape[1] else 0)),
        "2 where n < d": lambda X, s: 2.0 if len(X) < X.shape[1] else right.limit(X, s),
        "whole points": of_data(lambda X, s: (np.round(X), s)),
        "three features": of_data(lambda X, s: (X[:, :3], s)),
        "four features": of_data(lambda X, s: (X[:, :4], s)),
        "no lambda below 1": of_data(lambda X, s: (X, s if s >= 1 else 0)),
        "no lambda below 0.1": of_data(lambda X, s: (X, s if s >= 0.1 else 0)),
        "lambda at most 100": of_data(lambda X, s: (X, min(s, 100))),
        "first hundred": of_data(lambda X, s: (X[:100], s)),
        "first fifty": of_data(lambda X, s: (X[:50], s)),
        "diagonal": lambda X, s: 8 / ((X**2).sum(axis=0).max() + 4 * s),
        "float32": lambda X, s: float(np.float32(right.limit(X, s))),
        "three decimals": lambda X, s: round(float(right.limit(X, s)), 3),
        "Frobenius": lambda X, s: 8 / ((X**2).sum() + 4 * s),
    },
    "descend": {
        "at most 10 steps": walk(plain, 10),
        "at most 30 steps": walk(plain, 30),
        "at most 50 steps": walk(plain, 50),
        "at most 100 steps": walk(plain, 100),
        "stops below 1e-2": stops_below(1e-2),
        "stops below 1e-4": stops_below(1e-4),
        "stops below 1e-8": stops_below(1e-8),
        "gradient at most 100": shrunk(100),
        "gradient at most 1000": shrunk(1000),
        "step at most 1": walk(lambda w, g, step: w - min(step, 1) * g),
        "step at most 2": walk(lambda w, g, step: w - min(step, 2) * g),
        "step at least 0.01": walk(lambda w, g, step: w - max(step, 0.01) * g),
        "frozen when diverging": walk(grows),
        "frozen after a small move": walk(moves),
        "float32": lambda *a: right.descend(*a).astype(np.float32),
        "three features": walk(lambda w, g, step: np.concatenate([(w - step * g)[:3], w[3:]])),
    },
    "spread": {
        "no step above 1": noise(lambda v, s, step, b, t: (v, s, min(step, 1.0), b, t)),
        "positive powers": logs,
        "b at most 3": noise(lambda v, s, step, b, t: (v, s, step, min(b, 3), t)),
        "b at most 8": noise(lambda v, s, step, b, t: (v, s, step, min(b, 8), t)),
        "b at most 32": noise(lambda v, s, step, b, t: (v, s, step, min(b, 32), t)),
        "30 steps": recursion(30),
        "100 steps": recursion(100),
        "1000 steps": recursion(1000),
        "start forgotten after 50": noise(lambda v, s, step, b, t: (v, s if t <= 50 else 0, step, b, t)),
        "exponential for small steps": exponential,
        "only the floor late": noise(lambda v, s, step, b, t: (v, s, step, b, t if t < 100 else 10**9)),
        "no start": noise(lambda v, s, step, b, t: (v, 0, step, b, t)),
        "step at least 0.05": noise(lambda v, s, step, b, t: (v, s, max(step, 0.05), b, t)),
        "whole variance": noise(lambda v, s, step, b, t: (round(v), s, step, b, t)),
        "three decimals": lambda *a: round(float(right.spread(*a)), 3),
        "float32": lambda *a: float(np.float32(right.spread(*a))),
        "t at most 5": noise(lambda v, s, step, b, t: (v, s, step, b, min(t, 5))),
    },
    "Logistic": {
        cls.__name__: cls
        for cls in (
            AtMost50, AtMost100, ThreeFeatures, LearnsOnce, KeepsOldPoints, BatchMean, NewPointsGet01,
            FewSteps, Cached, Integers, NoPenaltyIfTiny, CapsThePenalty, Shared,
        )
    },
}  # fmt: skip
