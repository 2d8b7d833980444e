"""The model solution of homework 7."""

import math

import numpy as np


def gini(counts):
    n = counts.sum()
    return 1 - ((counts / n) ** 2).sum()


def luck(counts, left):
    return gini(counts) / (counts.sum() - 1)


def decrease(left, right):
    n = left.sum() + right.sum()
    return gini(left + right) - left.sum() / n * gini(left) - right.sum() / n * gini(right)


def best_cut(X, y):
    C, best = np.bincount(y), (-1.0, None, None)
    for j in range(X.shape[1]):
        order, L = np.argsort(X[:, j]), np.zeros_like(C)
        x = X[order, j]
        for i in range(len(y) - 1):
            L[y[order[i]]] += 1
            if x[i] < x[i + 1]:
                gain = decrease(L, C - L)
                if gain > best[0]:
                    best = (gain, j, (x[i] + x[i + 1]) / 2)
    return best


def cut(table, labels):
    _, j, t = best_cut(table.T, labels)
    return j, t


def goes_left(value, threshold):
    return value <= threshold


class Tree:
    def __init__(self, k):
        self.k = k

    def grow(self, X, y, depth):
        counts = np.bincount(y, minlength=2)
        if depth == 0 or counts.min() == 0 or (X[0] == X).all():
            return int(counts.argmax())
        _, j, t = best_cut(X, y)
        left = X[:, j] <= t
        return j, t, self.grow(X[left], y[left], depth - 1), self.grow(X[~left], y[~left], depth - 1)

    def learn(self, X, y):
        self.root = self.grow(X, y, self.k)

    def answer(self, X):
        answers = []
        for x in X:
            node = self.root
            while isinstance(node, tuple):
                j, t, low, high = node
                node = low if goes_left(x[j], t) else high
            answers.append(node)
        return np.array(answers)


def alive(t, left, right):
    return [] if left[t] < 0 else [t, *alive(left[t], left, right), *alive(right[t], left, right)]


def price(risk, below, leaves):
    return (risk - below) / (leaves - 1)


def links(risk, left, right):
    left, prices, counts = left.copy(), [], []

    def below(t):
        if left[t] < 0:
            return risk[t], 1
        a, b = below(left[t]), below(right[t])
        return a[0] + b[0], a[1] + b[1]

    while left[0] >= 0:
        g = {t: price(risk[t], *below(t)) for t in alive(0, left, right)}
        weakest = min(g, key=g.get)
        prices.append(g[weakest])
        left[weakest] = -1
        counts.append(below(0)[1])
    return np.array(prices), np.array(counts)


def vote(err):
    return 0.5 * math.log((1 - err) / err)


def best_stump(X, y, w):
    best = (2.0, 0, 0.0, 1)
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        for t in (values[1:] + values[:-1]) / 2:
            right = (X[:, j] > t) == (y > 0)  # with sign 1
            for sign, wrong in ((-1, right), (1, ~right)):
                error = w[wrong].sum()
                if error < best[0]:
                    best = (error, j, t, sign)
    return best


def normalised(w):
    return w / w.sum()


def update(w, wrong, alpha):
    return normalised(w * np.exp(alpha * wrong))


def weight(err):
    return math.log((1 - err) / err)


def boost(X, y, rounds):
    w, stumps = np.full(len(y), 1 / len(y)), []
    for _ in range(rounds):
        err, j, t, sign = best_stump(X, y, w)
        alpha = weight(err)
        stumps.append((j, t, sign, alpha))
        w = update(w, np.where(X[:, j] > t, sign, -sign) != y, alpha)
    j, t, sign, alpha = zip(*stumps, strict=True)
    return np.array(j), np.array(t), np.array(sign), np.array(alpha)
