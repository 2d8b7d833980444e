"""Leaves out the labels. Loses: counts."""

import numpy as np


def counts(gram, labels):
    alpha = np.zeros(len(labels), dtype=np.int64)
    for i in [*range(len(labels))] * 100:
        alpha[i] += gram[i] @ alpha <= 0
    return alpha
