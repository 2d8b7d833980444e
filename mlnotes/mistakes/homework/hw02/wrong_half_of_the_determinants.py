"""Halves the logarithm of the determinants twice. Loses: quadric."""

import numpy as np


def quadric(mean0, covariance0, mean1, covariance1, prior, _right=quadric):  # noqa: F821
    A, b, c = _right(mean0, covariance0, mean1, covariance1, prior)
    logs = [np.linalg.slogdet(S)[1] for S in (covariance0, covariance1)]
    return A, b, c - 0.25 * (logs[0] - logs[1])
