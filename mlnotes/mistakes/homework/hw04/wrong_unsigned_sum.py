"""Forgets the labels in the sum. Loses: counts."""

import numpy as np


def counts(gram, labels):
    alpha = np.zeros(len(labels), dtype=np.int64)
    for _ in range(100):
        for i, y in enumerate(labels):
            if y * (alpha @ gram[i]) <= 0:
                alpha[i] += 1
    return alpha
