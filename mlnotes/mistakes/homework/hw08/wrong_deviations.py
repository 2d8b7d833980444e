"""Takes eigenvalues of the covariance, smaller by n - 1, for those of the matrix of products. Loses:
coordinates."""

import numpy as np


def coordinates(products, k, _right=coordinates):  # noqa: F821
    return _right(products, k) / np.sqrt(len(products) - 1)
