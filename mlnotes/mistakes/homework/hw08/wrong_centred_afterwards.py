"""Centres the coordinates, not the products: the components are those of uncentred rows. Loses:
coordinates."""

import numpy as np


def coordinates(products, k):
    values, U = np.linalg.eigh(products)
    Z = U[:, ::-1][:, :k] * np.sqrt(np.maximum(values[::-1][:k], 0))
    return Z - Z.mean(axis=0)
