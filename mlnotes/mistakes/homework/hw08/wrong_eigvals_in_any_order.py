"""Takes the order of eigvals for descending. Loses: least."""

import numpy as np


def least(covariance, n, k):
    return (n - 1) * float(np.real(np.linalg.eigvals(covariance))[k:].sum())
