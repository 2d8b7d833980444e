"""Begins again at row 0 after each update. Loses: counts."""

import numpy as np


def counts(gram, labels):
    alpha, i = np.zeros(len(labels), dtype=np.int64), 0
    while i < len(labels):
        if wrong(labels[i] * ((alpha * labels) @ gram[i])):  # noqa: F821
            alpha[i], i = alpha[i] + 1, 0
        else:
            i += 1
    return alpha
