"""Centres with 1/(n - 1) in place of 1/n: a mean has the divisor n. Loses: coordinates."""

import numpy as np


def coordinates(products, k):
    J = np.eye(len(products)) - 1 / (len(products) - 1)
    values, U = np.linalg.eigh(J @ products @ J)
    return U[:, ::-1][:, :k] * np.sqrt(np.maximum(values[::-1][:k], 0))
