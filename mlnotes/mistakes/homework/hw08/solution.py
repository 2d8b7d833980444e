"""The model solution of homework 8."""

import numpy as np


def moments(table):
    mean = table.mean(axis=1)
    centred = table - mean[:, None]
    return mean, centred @ centred.T / (table.shape[1] - 1)


def directions(X, k):
    return np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:k].T


def least(covariance, n, k):
    values = np.linalg.eigvalsh(covariance)[::-1]
    return (n - 1) * values[k:].sum()


def coordinates(products, k):
    J = np.eye(len(products)) - 1 / len(products)
    values, U = np.linalg.eigh(J @ products @ J)
    return U[:, ::-1][:, :k] * np.sqrt(np.maximum(values[::-1][:k], 0))


def how_many(variances, fraction):
    sums = np.cumsum(variances[::-1])
    return int(np.searchsorted(sums, fraction * sums[-1] * (1 - 1e-12))) + 1


class Reduction:
    def __init__(self, k):
        self.k = k

    def learn(self, X):
        self.mean = X.mean(axis=0)
        self.V = directions(X, self.k)

    def encode(self, X):
        return (X - self.mean) @ self.V

    def decode(self, Z):
        return self.mean + Z @ self.V.T
