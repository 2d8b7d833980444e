"""Wrong programs for homework 7, by part. `right` is the model solution."""

import math

import numpy as np

from mlnotes.mistakes.homework.hw07 import solution as right


def features(d):
    return lambda table, y: right.cut(table[:d], y)


def with_threshold(change):
    def cut(table, y):
        j, t = right.cut(table, y)
        return j, change(t)

    return cut


def labels_up_to(K):
    def cut(table, y):
        kept = y <= K
        if len(np.unique(table[:, kept], axis=1).T) < 2:
            return right.cut(table, y)
        return right.cut(table[:, kept], y[kept])

    return cut


def rounded(change):
    def cut(table, y):
        T = change(table)
        return right.cut(T, y) if np.ptp(T, axis=1).any() else (0, table[0, 0])

    return cut


def gains(X, y, least):
    """Whether a node that could be cut gains less than this."""
    return len(np.unique(y)) > 1 and (X[0] != X).any() and right.best_cut(X, y)[0] < least


def distinct(X, y):
    first = np.unique(X, axis=0, return_index=True)[1]
    return X[first], y[first]


def by(measure):
    """The best cut by another measure of a node."""

    def cut(table, y):
        best = (math.inf, 0, 0.0)
        for j, x in enumerate(table):
            values = np.unique(x)
            for t in (values[1:] + values[:-1]) / 2:
                parts = y[x <= t], y[x > t]
                value = sum(len(part) * measure(np.bincount(part) / len(part)) for part in parts)
                best = min(best, (value, j, t))
        return best[1:]

    return cut


def entropy(p):
    return -(p[p > 0] * np.log(p[p > 0])).sum()


class Early(right.Tree):
    """A tree that makes a leaf where `leaf` says so."""

    def leaf(self, X, y):
        raise NotImplementedError

    def grow(self, X, y, depth):
        if self.leaf(X, y):
            return int(np.bincount(y, minlength=2).argmax())
        return super().grow(X, y, depth)


def leaf_if(name, condition):
    return type(name, (Early,), {"leaf": lambda self, X, y: bool(condition(X, y))})


def p1(y):
    return y.mean()


class Learns(right.Tree):
    """A tree that learns from changed data."""

    def change(self, X, y):
        raise NotImplementedError

    def learn(self, X, y):
        super().learn(*self.change(X, y))


def learns_from(name, change):
    return type(name, (Learns,), {"change": lambda self, X, y: change(X, y)})


class AtMostDepth5(right.Tree):
    def learn(self, X, y):
        self.root = self.grow(X, y, min(self.k, 5))


class AtMostDepth20(right.Tree):
    def learn(self, X, y):
        self.root = self.grow(X, y, min(self.k, 10))


class LearnsOnce(right.Tree):
    def learn(self, X, y):
        if not hasattr(self, "root"):
            super().learn(X, y)


class Shared(right.Tree):
    last: list = [None]  # noqa: RUF012

    def learn(self, X, y):
        super().learn(X, y)
        Shared.last[0] = self.root

    def answer(self, X):
        self.root = Shared.last[0]
        return super().answer(X)


class Remembers(right.Tree):
    def learn(self, X, y):
        super().learn(X, y)
        self.known = X.shape, y

    def answer(self, X):
        return self.known[1] if X.shape == self.known[0] else super().answer(X)


class Below(right.Tree):
    """Sends values at the threshold to the right, and cuts at the lower of two neighbouring values."""

    def answer(self, X):
        answers = []
        for x in X:
            node = self.root
            while isinstance(node, tuple):
                j, t, low, high = node
                node = low if x[j] < t else high
            answers.append(node)
        return np.array(answers)

    def learn(self, X, y):
        super().learn(np.round(X, 1), y)


def pruned(change):
    def links(risk, left, right_):
        return change(*right.links(risk, left, right_))

    return links


def without_update(risk, left, right_):
    """All links of the full tree in order, none computed again."""
    below, leaves = risk.astype(float).copy(), np.ones(len(risk))
    for t in reversed(range(len(risk))):
        if left[t] >= 0:
            below[t] = below[left[t]] + below[right_[t]]
            leaves[t] = leaves[left[t]] + leaves[right_[t]]
    inner = [t for t in range(len(risk)) if left[t] >= 0]
    g = sorted((risk[t] - below[t]) / (leaves[t] - 1) for t in inner)
    return np.array(g), np.arange(len(inner), 0, -1)


def at_most_leaves(m):
    def links(risk, left, right_):
        prices, leaves = right.links(risk, left, right_)
        return (prices, leaves) if (left < 0).sum() <= m else (prices[-1:], leaves[-1:])

    return links


def boosted(stop=lambda err: False, alpha=right.weight, d=99, truncate=lambda t: t, most=10**9, n=10**9):
    def boost(X, y, rounds):
        w, stumps = np.full(len(y), 1 / len(y)), []
        for _ in range(min(rounds, most)):
            err, j, t, sign = right.best_stump(X[:n, :d], y[:n], w[:n] / w[:n].sum())
            t = truncate(t)
            wrong = np.where(X[:, j] > t, sign, -sign) != y
            err = min(max(w[wrong].sum(), 1e-12), 1 - 1e-12)
            if stop(err):
                break
            stumps.append((j, t, sign, alpha(err)))
            w = right.update(w, wrong, right.weight(err))
        if not stumps:
            return tuple(np.array([], dtype=kind) for kind in (int, float, int, float))
        j, t, sign, votes = zip(*stumps, strict=True)
        return np.array(j), np.array(t), np.array(sign), np.array(votes)

    return boost


def single(X):
    """The data in single precision, where they still differ."""
    return X.astype("f4") if np.ptp(X.astype("f4")) else X + np.arange(len(X))[:, None]


def positive(X, y, rounds):
    j, t, sign, votes = right.boost(X, y, rounds)
    return j, t, abs(sign), np.where(sign > 0, votes, -votes)


WRONG = {
    "luck": {
        "two classes": lambda c, m: right.gini(c[:2]) / (c.sum() - 1),
        "three classes": lambda c, m: right.gini(c[:3]) / (c[:3].sum() - 1),
        "five classes": lambda c, m: right.luck(c[:5], m),
        "divisor n": lambda c, m: right.gini(c) / c.sum(),
        "at most 50": lambda c, m: right.gini(c) / (min(c.sum(), 50) - 1),
        "at most 100": lambda c, m: right.gini(c) / (min(c.sum(), 100) - 1),
        "of the smaller child": lambda c, m: right.gini(c) / max(min(m, c.sum() - m), 1),
        "0 for one against many": lambda c, m: right.luck(c, m) * (c.min() > 1 or len(c) > 2 or c.sum() < 3),
        "0": lambda c, m: 0.0,
        "three decimals": lambda c, m: round(float(right.luck(c, m)), 3),
        "float32": lambda c, m: float(np.float32(right.luck(c, m))),
        "counts at most 20": lambda c, m: right.luck(np.minimum(c, 20), m),
    },
    "cut": {
        "first feature": features(1),
        "first two features": features(2),
        "first three features": features(3),
        "first four features": features(4),
        "threshold truncated": with_threshold(int),
        "threshold rounded down": with_threshold(math.floor),
        "threshold to one decimal": with_threshold(lambda t: round(t, 1)),
        "threshold to three decimals": with_threshold(lambda t: round(t, 3)),
        "labels above 3 ignored": labels_up_to(3),
        "labels above 5 ignored": labels_up_to(5),
        "by the error rate": by(lambda p: 1 - p.max()),
        "by the entropy": by(entropy),
        "unweighted": lambda T, y: by(lambda p: 1 - (p**2).sum() if len(p) else 1)(T, np.minimum(y, 2)),
        "first fifty": lambda T, y: right.cut(T[:, :50], y[:50]),
        "whole numbers": rounded(np.round),
        "one decimal": rounded(lambda T: np.round(T, 1)),
        "float32": rounded(np.float32),
        "sorted labels": lambda T, y: right.cut(T, np.sort(y)),
        "in the middle": lambda T, y: (0, float(np.median(T[0]))),
    },
    "Tree": {
        cls.__name__: cls
        for cls in (
            leaf_if("FewerThan3", lambda X, y: len(y) < 3),
            leaf_if("FewerThan4", lambda X, y: len(y) < 4),
            leaf_if("FewerThan5", lambda X, y: len(y) < 5),
            leaf_if("GiniBelow02", lambda X, y: 2 * p1(y) * (1 - p1(y)) < 0.2),
            leaf_if("GiniBelow01", lambda X, y: 2 * p1(y) * (1 - p1(y)) < 0.1),
            leaf_if("Majority85", lambda X, y: max(p1(y), 1 - p1(y)) >= 0.85),
            leaf_if("Majority95", lambda X, y: max(p1(y), 1 - p1(y)) >= 0.95),
            leaf_if("NoGain", lambda X, y: gains(X, y, 1e-9)),
            leaf_if("SmallGain", lambda X, y: gains(X, y, 0.01)),
            learns_from("OneFeature", lambda X, y: (X[:, :1], y)),
            learns_from("TwoFeatures", lambda X, y: (X[:, :2], y)),
            learns_from("FourFeatures", lambda X, y: (X[:, :4], y)),
            learns_from("WholeNumbers", lambda X, y: (np.round(X), y)),
            learns_from("OneDecimal", lambda X, y: (np.round(X, 1), y)),
            learns_from("FourDecimals", lambda X, y: (np.round(X, 4), y)),
            learns_from("FirstFifty", lambda X, y: (X[:50], y[:50])),
            learns_from("SortedLabels", lambda X, y: (X, np.sort(y))),
            learns_from("WithoutDuplicates", distinct),
            AtMostDepth5, AtMostDepth20, LearnsOnce, Shared, Remembers, Below,
        )
    },
    "links": {
        "none computed again": without_update,
        "without the last": pruned(lambda p, k: (p[:-1], k[:-1])),
        "number of nodes": pruned(lambda p, k: (p, 2 * k - 1)),
        "leaves before": pruned(lambda p, k: (p, k + 1)),
        "at most 5 leaves": at_most_leaves(5),
        "at most 10 leaves": at_most_leaves(10),
        "at most 20 leaves": at_most_leaves(20),
        "three decimals": pruned(lambda p, k: (np.round(p, 3), k)),
        "six decimals": pruned(lambda p, k: (np.round(p, 6), k)),
        "float32": pruned(lambda p, k: (np.float32(p), k)),
        "prices at most 1": pruned(lambda p, k: (np.minimum(p, 1), k)),
        "descending": pruned(lambda p, k: (p[::-1], k[::-1])),
        "of a risk of 1": lambda r, a, b: (lambda p, k: (p / r[0], k))(*right.links(r, a, b)),
    },
    "vote": {
        "whole": lambda e: math.log((1 - e) / e),
        "absolute": lambda e: abs(right.vote(e)),
        "1 - 2 err": lambda e: 1 - 2 * e,
        "at most 2": lambda e: max(min(right.vote(e), 2), -2),
        "at most 5": lambda e: max(min(right.vote(e), 5), -5),
        "at most 10": lambda e: max(min(right.vote(e), 10), -10),
        "err at least 0.001": lambda e: right.vote(min(max(e, 1e-3), 1 - 1e-3)),
        "err at least 1e-6": lambda e: right.vote(min(max(e, 1e-6), 1 - 1e-6)),
        "0 above 1/2": lambda e: right.vote(e) * (e <= 0.5),
        "three decimals": lambda e: round(right.vote(e), 3),
        "decimal": lambda e: 0.5 * math.log10((1 - e) / e),
        "float32": lambda e: float(np.float32(right.vote(e))),
    },
    "boost": {
        "breaks off at 1/2": boosted(stop=lambda e: e >= 0.5 - 1e-9),
        "breaks off above 0.45": boosted(stop=lambda e: e > 0.45),
        "a small vote at 1/2": boosted(alpha=lambda e: 0.001 if abs(e - 0.5) < 1e-9 else right.weight(e)),
        "half votes": boosted(alpha=lambda e: right.weight(e) / 2),
        "votes at most 1": boosted(alpha=lambda e: min(right.weight(e), 1)),
        "votes at most 3": boosted(alpha=lambda e: max(min(right.weight(e), 2.0), 0.0)),
        "votes to three decimals": boosted(alpha=lambda e: round(right.weight(e), 3)),
        "first feature": boosted(d=1),
        "first two features": boosted(d=2),
        "first four features": boosted(d=4),
        "threshold truncated": boosted(truncate=int),
        "threshold to one decimal": boosted(truncate=lambda t: round(float(t), 1)),
        "threshold to three decimals": boosted(truncate=lambda t: round(float(t), 3)),
        "five rounds": boosted(most=5),
        "ten rounds": boosted(most=10),
        "twenty rounds": boosted(most=20),
        "first fifty": boosted(n=50),
        "float32": lambda X, y, r: right.boost(single(X), y, r),
        "sign 1 only": positive,
    },
}  # fmt: skip
