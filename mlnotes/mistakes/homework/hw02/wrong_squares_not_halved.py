"""Forgets the 1/2 of the squares of the means in the offset. Loses: quadric."""

import numpy as np


def quadric(mean0, covariance0, mean1, covariance1, prior, _right=quadric):  # noqa: F821
    A, b, c = _right(mean0, covariance0, mean1, covariance1, prior)
    squares = [m @ np.linalg.solve(S, m) for m, S in ((mean0, covariance0), (mean1, covariance1))]
    return A, b, c + 0.5 * (squares[0] - squares[1])
