"""Takes the logarithm of a determinant that is 0 or infinite in many dimensions. Loses: quadric."""

import math

import numpy as np


def quadric(mean0, covariance0, mean1, covariance1, prior, _right=quadric):  # noqa: F821
    A, b, c = _right(mean0, covariance0, mean1, covariance1, prior)
    dets = [np.linalg.det(S) for S in (covariance0, covariance1)]
    return A, b, c + 0 * math.log(dets[0] / dets[1])
