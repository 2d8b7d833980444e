"""Multiplies the eigenvalues of the matrix of products by n - 1: only those of the covariance need it. Loses:
coordinates."""

import numpy as np


def coordinates(products, k, _right=coordinates):  # noqa: F821
    return _right(products, k) * np.sqrt(len(products) - 1)
