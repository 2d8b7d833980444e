"""Wrong programs for homework 1, by part. `right` is the model solution."""

import numpy as np

from mlnotes.mistakes.homework.hw01 import solution as right


def padded(function, m):
    """Use the first m points; the rest gets 0."""

    def short(joint):
        found = np.asarray(function(joint[:m]))
        return np.concatenate([found, np.zeros(max(len(joint) - m, 0), dtype=found.dtype)])

    return short


def posterior(J):
    return J / np.maximum(J.sum(axis=1, keepdims=True), 1e-300)


def choice_of(change):
    return lambda P, C: right.choose(*change(P, C))


class Caps(right.PlugIn):
    most = 50

    def fit(self, X, y):
        kept = np.sort(np.concatenate([np.flatnonzero(y == k)[: self.most] for k in np.unique(y)]))
        super().fit(X[kept], y[kept])


class Caps20(Caps):
    most = 20


class SortedLabels(right.PlugIn):
    def fit(self, X, y):
        super().fit(X, np.sort(y))


class Integers(right.PlugIn):
    def fit(self, X, y):
        super().fit(np.trunc(X), y)


class Single(right.PlugIn):
    def fit(self, X, y):
        super().fit(X.astype(np.float32).astype(float), y)


class LearnsOnce(right.PlugIn):
    def fit(self, X, y):
        if not hasattr(self, "means"):
            super().fit(X, y)


class Shared(right.PlugIn):
    known = None

    def fit(self, X, y):
        super().fit(X, y)
        Shared.known = self

    def scores(self, X):
        return right.PlugIn.scores(Shared.known, X)


class Cached(right.PlugIn):
    def fit(self, X, y):
        super().fit(X, y)
        self.known = {}

    def posterior(self, X):
        return self.known.setdefault(X.shape, super().posterior(X))


class CentredByTheBatch(right.PlugIn):
    def scores(self, X):
        scores = super().scores(X)
        return scores - scores.mean(axis=0) + super().scores(self.means).mean(axis=0)


class Diagonal(right.PlugIn):
    def fit(self, X, y):
        super().fit(X, y)
        self.full = self.covariances

    def scores(self, X):
        self.covariances = np.array([np.diag(np.diag(S)) for S in self.full])
        scores = super().scores(X)
        self.covariances = self.full
        return scores


class FirstThree(right.PlugIn):
    def scores(self, X):
        kept = self.means, self.covariances
        self.means, self.covariances = kept[0][:, :3], kept[1][:, :3, :3]
        scores = super().scores(X[:, :3])
        self.means, self.covariances = kept
        return scores


class EqualPriors(right.PlugIn):
    def scores(self, X):
        return super().scores(X) - np.log(self.prior)


class Clipped(right.PlugIn):
    def posterior(self, X):
        scores = self.scores(X)
        weights = np.exp(np.clip(scores - scores.max(axis=1, keepdims=True), -10, 0))
        return weights / weights.sum(axis=1, keepdims=True)


class Floor(right.PlugIn):
    def fit(self, X, y):
        super().fit(X, y)
        self.covariances = self.covariances + 1e-6 * np.eye(X.shape[1])


class PooledIfMany(right.PlugIn):
    def fit(self, X, y):
        super().fit(X, y)
        pooled = sum(p * S for p, S in zip(self.prior, self.covariances, strict=True))
        self.covariances = np.array([S if len(X) < 60 else pooled for S in self.covariances])


class FiveClasses(right.PlugIn):
    def fit(self, X, y):
        super().fit(X[y < 5], y[y < 5])


class NearestMean(right.PlugIn):
    def predict(self, X):
        return ((X[:, None] - self.means) ** 2).sum(axis=2).argmin(axis=1)


class AboveHalf(right.PlugIn):
    def predict(self, X):
        P = self.posterior(X)
        return np.where(P.max(axis=1) >= 0.4, P.argmax(axis=1), 0)


WRONG = {
    "decide": {
        "first two classes": lambda J: J[:, :2].argmax(axis=1),
        "first three classes": lambda J: J[:, :3].argmax(axis=1),
        "first five classes": lambda J: J[:, :5].argmax(axis=1),
        "first ten points": padded(right.decide, 10),
        "first hundred points": padded(right.decide, 100),
        "most probable class overall": lambda J: np.full(len(J), J.sum(axis=0).argmax()),
        "rounds to two decimals": lambda J: np.round(J, 2).argmax(axis=1),
        "rounds to four decimals": lambda J: np.round(J, 4).argmax(axis=1),
        "rounds to six decimals": lambda J: np.round(J, 6).argmax(axis=1),
        "near ties go to the first": lambda J: (J.max(axis=1, keepdims=True) - 1e-6 <= J).argmax(axis=1),
        "drops masses below 1e-3": lambda J: np.where(J < 1e-3, 0, J).argmax(axis=1),
        "within the classes": lambda J: (J / np.maximum(J.sum(axis=0), 1e-300)).argmax(axis=1),
        "only above one half": lambda J: (posterior(J) > 0.5).argmax(axis=1),
        "float32": lambda J: J.astype(np.float32).argmax(axis=1),
    },
    "errors": {
        "average over points": lambda r, J: np.mean(J.sum(axis=1) - J[np.arange(len(J)), r]),
        "largest error": lambda r, J: (J.sum(axis=1) - J[np.arange(len(J)), r]).max(),
        "first three classes": lambda r, J: right.error_probability(r, J[:, :3]),
        "first ten points": lambda r, J: right.error_probability(r[:10], J[:10]),
        "first hundred points": lambda r, J: right.error_probability(r[:100], J[:100]),
        "two decimals": lambda r, J: round(float(right.error_probability(r, J)), 2),
        "six decimals": lambda r, J: round(float(right.error_probability(r, J)), 6),
        "float32": lambda r, J: float(np.float32(right.error_probability(r, J))),
        "posterior errors": lambda r, J: 1 - posterior(J)[np.arange(len(J)), r].mean(),
        "of the best rule": lambda r, J: right.least_error(J),
        "drops masses below 1e-3": lambda r, J: right.error_probability(r, np.where(J < 1e-3, 0, J)),
    },
    "least": {
        "two classes": lambda J: np.minimum(J[:, 0], J[:, -1]).sum(),
        "min for K classes": lambda J: J.min(axis=1).sum(),
        "first five classes": lambda J: right.least_error(J[:, :5]),
        "first hundred points": lambda J: right.least_error(J[:100]),
        "constant rules": lambda J: 1 - J.sum(axis=0).max(),
        "two decimals": lambda J: round(float(right.least_error(J)), 2),
        "six decimals": lambda J: round(float(right.least_error(J)), 6),
        "float32": lambda J: float(np.float32(right.least_error(J))),
        "average of the posterior": lambda J: 1 - posterior(J).max(axis=1).mean(),
        "drops masses below 1e-3": lambda J: right.least_error(np.where(J < 1e-3, 0, J)),
        "not above one half": lambda J: min(right.least_error(J), 0.5),
        "second largest": lambda J: np.sort(J, axis=1)[:, -2].sum() if J.shape[1] > 1 else 0.0,
    },
    "choose": {
        "most probable class": lambda P, C: P.argmax(axis=1) % C.shape[1],
        "transposed": lambda P, C: (P @ C.T).argmin(axis=1) if len(C) == C.shape[1] else right.choose(P, C),
        "free diagonal": choice_of(lambda P, C: (P, np.where(np.eye(*C.shape, dtype=bool), 0, C))),
        "costs at least 0": choice_of(lambda P, C: (P, np.maximum(C, 0))),
        "costs at most 10": choice_of(lambda P, C: (P, np.minimum(C, 10))),
        "costs at most 1000": choice_of(lambda P, C: (P, np.minimum(C, 1000))),
        "whole costs": choice_of(lambda P, C: (P, np.round(C))),
        "costs to three decimals": choice_of(lambda P, C: (P, np.round(C, 3))),
        "posterior to two decimals": choice_of(lambda P, C: (np.round(P, 2), C)),
        "posterior to four decimals": choice_of(lambda P, C: (np.round(P, 4), C)),
        "drops probabilities below 1e-3": choice_of(lambda P, C: (np.where(P < 1e-3, 0, P), C)),
        "first three classes": choice_of(lambda P, C: (P[:, :3], C[:3])),
        "first four answers": choice_of(lambda P, C: (P, C[:, :4])),
        "worst case": lambda P, C: np.where(P[:, :, None] > 0, C, -np.inf).max(axis=1).argmin(axis=1),
        "first hundred points": lambda P, C: padded(lambda Q: right.choose(Q, C), 100)(P),
        "expected cost rounded": lambda P, C: np.round(P @ C, 2).argmin(axis=1),
        "expected cost to six decimals": lambda P, C: np.round(P @ C, 6).argmin(axis=1),
    },
    "threshold": {
        "without the prior": lambda p, a, b: np.log(a / b),
        "without the costs": lambda p, a, b: np.log((1 - p) / p),
        "prior the other way": lambda p, a, b: np.log(a * p / (b * (1 - p))),
        "decimal": lambda p, a, b: np.log10(a * (1 - p) / (b * p)),
        "prior at least 0.01": lambda p, a, b: right.threshold(np.clip(p, 0.01, 0.99), a, b),
        "prior at least 0.001": lambda p, a, b: right.threshold(np.clip(p, 0.001, 0.999), a, b),
        "costs at most 100": lambda p, a, b: right.threshold(p, min(a, 100), min(b, 100)),
        "costs at least 0.01": lambda p, a, b: right.threshold(p, max(a, 0.01), max(b, 0.01)),
        "costs at least 1": lambda p, a, b: right.threshold(p, max(a, 1), max(b, 1)),
        "whole costs": lambda p, a, b: right.threshold(p, int(a) or 1, int(b) or 1),
        "at most 5": lambda p, a, b: np.clip(right.threshold(p, a, b), -5, 5),
        "three decimals": lambda p, a, b: round(float(right.threshold(p, a, b)), 3),
        "float32": lambda p, a, b: float(np.float32(right.threshold(p, a, b))),
        "prior to two decimals": lambda p, a, b: right.threshold(min(round(p, 2) or 0.01, 0.99), a, b),
    },
    "beers": {
        "limit 7": lambda X, c, r: right.pass_probability(X, 7, r),
        "rate 1": lambda X, c, r: right.pass_probability(X, c, 1),
        "not cut at 0": lambda X, c, r: 1 - np.exp(np.minimum(-r * (c - X.sum(axis=1)), 50)),
        "absolute value": lambda X, c, r: -np.expm1(-r * abs(c - X.sum(axis=1))),
        "at least 0.01": lambda X, c, r: np.maximum(right.pass_probability(X, c, r), 0.01),
        "three decimals": lambda X, c, r: np.round(right.pass_probability(X, c, r), 3),
        "six decimals": lambda X, c, r: np.round(right.pass_probability(X, c, r), 6),
        "rate at most 2": lambda X, c, r: right.pass_probability(X, c, min(r, 2)),
        "rate at least 0.1": lambda X, c, r: right.pass_probability(X, c, max(r, 0.1)),
        "limit at most 20": lambda X, c, r: right.pass_probability(X, min(c, 20), r),
        "whole hours": lambda X, c, r: right.pass_probability(np.floor(X), c, r),
        "eighths": lambda X, c, r: right.pass_probability(np.floor(8 * X) / 8, c, r),
        "first ten": lambda X, c, r: padded(lambda Q: right.pass_probability(Q, c, r), 10)(X),
        "first hundred": lambda X, c, r: padded(lambda Q: right.pass_probability(Q, c, r), 100)(X),
        "float32": lambda X, c, r: right.pass_probability(X.astype(np.float32), c, r).astype(np.float32),
    },
    "plugin": {
        cls.__name__: cls
        for cls in (
            Caps, Caps20, SortedLabels, Integers, Single, LearnsOnce, Shared, Cached, CentredByTheBatch,
            Diagonal, FirstThree, EqualPriors, Clipped, Floor, PooledIfMany, FiveClasses, NearestMean,
            AboveHalf,
        )
    },
}  # fmt: skip
