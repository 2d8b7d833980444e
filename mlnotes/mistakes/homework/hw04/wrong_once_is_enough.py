"""Notes that a row was added, not how often. Loses: counts."""

import numpy as np


def counts(gram, labels, _right=counts):  # noqa: F821
    return np.minimum(_right(gram, labels), 1)
