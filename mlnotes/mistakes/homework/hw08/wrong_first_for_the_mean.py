"""Drops the first eigenvector of the products, as if it were the mean, in place of centring. Loses:
coordinates."""

import numpy as np


def coordinates(products, k):
    values, U = np.linalg.eigh(products)
    return U[:, ::-1][:, 1 : k + 1] * np.sqrt(np.maximum(values[::-1][1 : k + 1], 0))
