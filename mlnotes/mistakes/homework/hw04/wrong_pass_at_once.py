"""Judges all rows of a pass by the weights at its start. Loses: average, counts."""

import numpy as np


def average(points, labels, passes):
    rows = (points * labels).T
    w = total = np.zeros(len(points))
    for _ in range(passes):
        w = w + rows[wrong(rows @ w)].sum(axis=0)  # noqa: F821
        total = total + w
    return total / passes


def counts(gram, labels):
    rows, alpha = gram * np.outer(labels, labels), np.zeros(len(labels), dtype=np.int64)
    while (mistakes := wrong(rows @ alpha)).any():  # noqa: F821
        alpha += mistakes
    return alpha
