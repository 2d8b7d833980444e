"""Squares the eigenvalues: they are squares already, of the singular values of the rows. Loses: least."""

import numpy as np


def least(covariance, n, k):
    return (n - 1) * (np.linalg.eigvalsh(covariance)[::-1][k:] ** 2).sum()
