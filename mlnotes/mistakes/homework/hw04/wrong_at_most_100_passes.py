"""Stops after 100 passes, clean or not. Loses: counts."""

import numpy as np


def counts(gram, labels):
    alpha = np.zeros(len(labels), dtype=np.int64)
    for i in [*range(len(labels))] * 100:
        alpha[i] += wrong(labels[i] * ((alpha * labels) @ gram[i]))  # noqa: F821
    return alpha
