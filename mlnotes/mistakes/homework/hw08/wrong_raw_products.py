"""Does not centre the products. Loses: coordinates."""

import numpy as np


def coordinates(products, k):
    values, U = np.linalg.eigh(products)
    return U[:, ::-1][:, :k] * np.sqrt(np.maximum(values[::-1][:k], 0))
