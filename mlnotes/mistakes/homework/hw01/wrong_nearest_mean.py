"""Answers the class of the nearest mean, in the distance of its covariance: no prior, no determinant.
Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def distances(self, X):
        gaps = X[:, None] - self.means  # (n, K, d)
        return (gaps * np.linalg.solve(self.covariances, gaps[..., None])[..., 0]).sum(axis=2)

    def predict(self, X):
        return self.distances(X).argmin(axis=1)
