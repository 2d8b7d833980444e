"""Stays at a row until it is right. Loses: counts."""

import numpy as np


def counts(gram, labels):
    alpha, again = np.zeros(len(labels), dtype=np.int64), True
    while again:
        again = False
        for i, y in enumerate(labels):
            while wrong(y * ((alpha * labels) @ gram[i])):  # noqa: F821
                alpha[i] += 1
                again = True
    return alpha
