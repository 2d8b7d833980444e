"""Goes over the rows of the matrix once. Loses: counts."""

import numpy as np


def counts(gram, labels):
    alpha = np.zeros(len(labels), dtype=np.int64)
    for i, y in enumerate(labels):
        alpha[i] += wrong(y * ((alpha * labels) @ gram[i]))  # noqa: F821
    return alpha
