"""Takes the shift between the hospitals' means of all rows, not class by class. Loses: merge."""

import numpy as np


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, _ = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    n, m, K = counts0.sum(), counts1.sum(), len(counts0)
    shift = counts0 @ means0 / n - counts1 @ means1 / m
    scatter = n * covariance0 + m * covariance1 + n * m / (n + m) * np.outer(shift, shift)
    return means, scatter / (n + m - K)
