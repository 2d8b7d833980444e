"""Divides by n_k - 1 where maximum likelihood is asked for. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def fit(self, X, y):
        super().fit(X, y)
        self.covariances = np.array([np.cov(X[y == k].T) for k in range(y.max() + 1)])
