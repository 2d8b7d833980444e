"""Multiplies densities, which are 0 in double precision far away: add up their logarithms. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def distances(self, X):
        gaps = X[:, None] - self.means  # (n, K, d)
        return (gaps * np.linalg.solve(self.covariances, gaps[..., None])[..., 0]).sum(axis=2)

    def posterior(self, X):
        weights = np.exp(-0.5 * self.distances(X)) / np.sqrt(np.linalg.det(self.covariances)) * self.prior
        return weights / weights.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.posterior(X).argmax(axis=1)
