"""Wrong programs for homework 4, by part. `right` is the model solution."""

import numpy as np

from mlnotes.mistakes.homework.hw04 import solution as right


def signed(points, labels):
    return np.column_stack([np.ones(len(points)), points]) * (2 * labels - 1)[:, None]


def run(Z, passes=500, updates=10**9, wrong=right.wrong, start=0.0, step=1.0):
    w, found = np.full(Z.shape[1], start), []
    for _ in range(passes):
        before = len(found)
        for i, z in enumerate(Z):
            if wrong(z @ w) and len(found) < updates:
                w = w + step * z
                found.append(i)
        if len(found) == before:
            break
    return np.array(found, dtype=np.int64), w


def train_with(change=lambda X, y: (X, y), **options):
    return lambda X, y: run(signed(*change(X, y)), **options)


def first_features(d):
    def train(X, y):
        updates, w = run(signed(X[:, :d], y), passes=500)
        return updates, np.concatenate([w, np.zeros(max(X.shape[1] - d, 0))])

    return train


def in_single(X, y):
    updates, w = right.train(X, y)
    return updates, np.float32(w)


def textbook(X, y):
    """Predicts 1 where the score is above 0: right of ties of one class only."""
    Z = np.column_stack([np.ones(len(X)), X])
    w, updates = np.zeros(Z.shape[1]), []
    for _ in range(500):
        again = False
        for i, z in enumerate(Z):
            error = y[i] - (z @ w > 0)
            if error:
                w = w + error * z
                updates.append(i)
                again = True
        if not again:
            break
    return np.array(updates, dtype=np.int64), w


def of(function, change):
    return lambda *given: function(*change(*given))


def after(function, change):
    return lambda *given: change(*function(*given))


def witness_with(most):
    def witness(rows):
        w, total, seen = np.zeros(rows.shape[1], dtype=np.int64), np.zeros(len(rows)), {}
        for _ in range(most):
            if tuple(w) in seen:
                break
            seen[tuple(w)] = total.copy()
            for i, z in enumerate(rows):
                if z @ w <= 0:
                    w, total[i] = w + z, total[i] + 1
        cycle = total - seen.get(tuple(w), 0)
        return cycle / max(cycle.sum(), 1)

    return witness


def frequencies(rows):
    """All updates so far, not those of the cycle."""
    a = witness_with(10**6)(rows)
    return np.round(a, 2) / np.round(a, 2).sum()


def average_with(change=lambda P, y, n: (P, y, n), every=True, divide=True):
    def average(points, labels, passes):
        P, y, n = change(points, labels, passes)
        w, total, kept = np.zeros(len(P)), np.zeros(len(P)), 0
        for _ in range(n):
            for x, label in zip(P.T, y, strict=True):
                moved = right.wrong(label * (x @ w))
                w = w + label * x * moved
                if moved or every:
                    total, kept = total + w, kept + 1
        return total / (max(kept, 1) if divide else 1)

    return average


def counts_with(change=lambda K, y: (K, y), passes=500, wrong=right.wrong):
    def counts(gram, labels):
        K, y = change(gram, labels)
        alpha = np.zeros(len(labels), dtype=np.int64)
        for _ in range(passes):
            again = False
            for i in range(len(y)):
                if wrong(y[i] * ((alpha[: len(y)] * y) @ K[i])):
                    alpha[i] += 1
                    again = True
            if not again:
                break
        return alpha

    return counts


def below(product):
    return product < 0


def margin(product):
    return product <= 1e-3


def intercept_last(X, y):
    updates, w = right.train(X, y)
    return updates, np.roll(w, -1)


def no_intercept(X, y):
    updates, w = run(X * (2 * y - 1)[:, None], passes=50)
    return updates, np.append(0, w)


def positive_offset(R, s, o, m):
    return right.lift(R, s, max(o, 1e-6), m)


def short(function, d):
    def average(points, labels, passes):
        found = function(points[:d], labels, passes)
        return np.append(found, np.zeros(max(len(points) - d, 0)))

    return average


def distinct(points, labels, passes):
    first = np.sort(np.unique(points, axis=1, return_index=True)[1])
    return points[:, first], labels[first], passes


def label_inside_only(K, y):
    return counts_with(lambda K, y: (K * y[:, None], y), passes=100)(K, y)


def equal_if_many(Z):
    return right.witness(Z) if len(Z) < 5 else np.full(len(Z), 1 / len(Z))


WRONG = {
    "train": {
        "ten passes": train_with(passes=10),
        "a hundred passes": train_with(passes=100),
        "400 passes": train_with(passes=400),
        "fifty updates": train_with(updates=50),
        "300 updates": train_with(updates=300),
        "at most 50 points": lambda X, y: right.train(X[:50], y[:50]),
        "first three features": first_features(3),
        "first four features": first_features(4),
        "start at ones": train_with(start=1.0),
        "step 1/2": train_with(step=0.5),
        "no mistake at 0": train_with(wrong=below, start=0.0),
        "a small margin": train_with(wrong=lambda p: p <= 0.5),
        "whole numbers": train_with(lambda X, y: (np.round(X), y), passes=200),
        "one decimal": train_with(lambda X, y: (np.round(X, 1), y), passes=200),
        "float32 weights": in_single,
        "intercept last": intercept_last,
        "no intercept": no_intercept,
        "the textbook rule": textbook,
        "sorted labels": train_with(lambda X, y: (X, np.sort(y)), passes=100),
    },
    "cautious": {
        "without c": lambda R, d, c: (R / d) ** 2,
        "c once": lambda R, d, c: (R**2 + c) / d**2,
        "c squared": lambda R, d, c: (R**2 + c**2) / d**2,
        "at most 1000": lambda R, d, c: min(right.cautious(R, d, c), 1000),
        "c at most 100": lambda R, d, c: right.cautious(R, d, min(c, 100)),
        "c at least 0.01": lambda R, d, c: right.cautious(R, d, max(c, 0.01)),
        "rounded down": lambda R, d, c: np.floor(right.cautious(R, d, c)),
        "rounded": lambda R, d, c: round(float(right.cautious(R, d, c)), 2),
        "margin at least 0.01": lambda R, d, c: right.cautious(R, max(d, 0.01), c),
        "whole radius": lambda R, d, c: right.cautious(max(round(R), 1), d, c),
        "float32": lambda R, d, c: float(np.float32(right.cautious(R, d, c))),
        "0 for a small radius": lambda R, d, c: right.cautious(R, d, c) if R > 0.1 else 0.0,
    },
    "lift": {
        "c = 1": lambda R, s, o, m: (1.0, (R**2 + 1) * (s**2 + o**2) / m**2),
        "positive offset only": positive_offset,
        "without the root": after(right.lift, lambda c, b: (c**2, b)),
        "c at most 10": lambda R, s, o, m: (min(right.lift(R, s, o, m)[0], 10), right.lift(R, s, o, m)[1]),
        "c at least 0.1": lambda R, s, o, m: (max(right.lift(R, s, o, m)[0], 0.1), right.lift(R, s, o, m)[1]),
        "bound at most 1e6": after(right.lift, lambda c, b: (c, min(b, 1e6))),
        "two decimals": after(right.lift, lambda c, b: (round(float(c), 2) or 0.01, b)),
        "bound to two decimals": after(right.lift, lambda c, b: (c, round(float(b), 2))),
        "offset at most 100": of(right.lift, lambda R, s, o, m: (R, s, np.clip(o, -100, 100), m)),
        "whole radius": of(right.lift, lambda R, s, o, m: (max(round(R), 1), s, o, m)),
        "float32": after(right.lift, lambda c, b: (np.float32(c), np.float32(b))),
        "size 1": of(right.lift, lambda R, s, o, m: (R, 1.0, o, m)),
    },
    "witness": {
        "50 passes": witness_with(50),
        "200 passes": witness_with(200),
        "1000 passes": witness_with(1000),
        "two decimals": frequencies,
        "equal weights for many": equal_if_many,
        "equal weights": lambda Z: np.full(len(Z), 1 / len(Z)),
        "counts": lambda Z: np.round(right.witness(Z) * 1000),
        "float16": lambda Z: np.float16(right.witness(Z)).astype(float),
        "six decimals": lambda Z: np.round(right.witness(Z), 6),
        "first three features": lambda Z: right.witness(Z[:, :3]),
        "first two features": lambda Z: right.witness(Z[:, :2]),
    },
    "average": {
        "over the updates": average_with(every=False),
        "the sum": average_with(divide=False),
        "ten passes": average_with(lambda P, y, n: (P, y, min(n, 10))),
        "five passes": average_with(lambda P, y, n: (P, y, min(n, 5))),
        "one pass": average_with(lambda P, y, n: (P, y, 1)),
        "fifty points": average_with(lambda P, y, n: (P[:, :50], y[:50], n)),
        "hundred points": average_with(lambda P, y, n: (P[:, :100], y[:100], n)),
        "three features": short(right.average, 3),
        "four features": short(right.average, 4),
        "whole numbers": average_with(lambda P, y, n: (np.round(P), y, n)),
        "one decimal": average_with(lambda P, y, n: (np.round(P, 1), y, n)),
        "float32": lambda P, y, n: np.float32(right.average(P, y, n)),
        "sorted labels": average_with(lambda P, y, n: (P, np.sort(y), n)),
        "the last weights": lambda P, y, n: run((P * y).T, passes=n)[1],
        "without duplicates": average_with(distinct),
    },
    "counts": {
        "ten passes": counts_with(passes=10),
        "fifty passes": counts_with(passes=50),
        "no mistake at 0": counts_with(wrong=below),
        "a small margin": counts_with(wrong=margin, passes=500),
        "without the label outside": label_inside_only,
        "without labels": counts_with(lambda K, y: (K, abs(y)), passes=100),
        "at most ten each": lambda K, y: np.minimum(right.counts(K, y), 10),
        "at most 50 each": lambda K, y: np.minimum(right.counts(K, y), 50),
        "fifty points": counts_with(lambda K, y: (K[:50, :50], y[:50])),
        "whole kernel": counts_with(lambda K, y: (np.round(K), y), passes=200),
        "two decimals": counts_with(lambda K, y: (np.round(K, 2), y), passes=200),
        "float32": counts_with(lambda K, y: (K.astype("f4"), y), passes=500),
        "sorted labels": counts_with(lambda K, y: (K, np.sort(y)), passes=200),
    },
}  # fmt: skip
