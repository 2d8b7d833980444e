"""Takes the row with the least product first, not the next in order. Loses: counts."""

import numpy as np


def counts(gram, labels):
    rows, alpha = gram * np.outer(labels, labels), np.zeros(len(labels), dtype=np.int64)
    while wrong((rows @ alpha).min()):  # noqa: F821
        alpha[(rows @ alpha).argmin()] += 1
    return alpha
