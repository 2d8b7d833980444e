"""Takes the last eigenvectors of an ascending list for the first. Loses: directions."""

import numpy as np


def directions(X, k):
    return np.linalg.eigh(np.cov(X.T))[1][:, :k]


class Reduction(Reduction):  # noqa: F821
    def learn(self, X):
        self.mean = X.mean(axis=0)
        self.V = np.linalg.svd(X - self.mean, full_matrices=False)[2][: self.k].T
