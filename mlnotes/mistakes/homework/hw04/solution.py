"""The model solution of homework 4."""

import numpy as np


def wrong(product):
    return product <= 0


def train(points, labels):
    rows = np.column_stack([np.ones(len(points)), points]) * (2 * labels - 1)[:, None]
    w, updates, again = np.zeros(rows.shape[1]), [], True
    while again:
        again = False
        for i, z in enumerate(rows):
            if wrong(z @ w):
                w = w + z
                updates.append(i)
                again = True
    return np.array(updates, dtype=np.int64), w


def cautious(radius, margin, level):
    return (radius**2 + 2 * level) / margin**2


def lift(radius, size, offset, least):
    return np.sqrt(radius * abs(offset) / size), ((radius * size + abs(offset)) / least) ** 2


def witness(rows):
    w, counts, seen = np.zeros(rows.shape[1], dtype=np.int64), np.zeros(len(rows), dtype=np.int64), {}
    while tuple(w) not in seen:
        seen[tuple(w)] = counts.copy()
        for i, z in enumerate(rows):
            if z @ w <= 0:
                w = w + z
                counts[i] += 1
    cycle = counts - seen[tuple(w)]
    return cycle / cycle.sum()


def average(points, labels, passes):
    w = total = np.zeros(len(points))
    for _ in range(passes):
        for x, y in zip(points.T, labels, strict=True):
            if wrong(y * (x @ w)):
                w = w + y * x
            total = total + w
    return total / (passes * len(labels))


def counts(gram, labels):
    alpha, again = np.zeros(len(labels), dtype=np.int64), True
    while again:
        again = False
        for i, y in enumerate(labels):
            if wrong(y * ((alpha * labels) @ gram[i])):
                alpha[i] += 1
                again = True
    return alpha
