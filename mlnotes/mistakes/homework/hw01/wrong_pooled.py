"""Uses one covariance for all classes. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def fit(self, X, y):
        super().fit(X, y)
        pooled = (self.prior[:, None, None] * self.covariances).sum(axis=0)
        self.covariances = np.array([pooled] * len(self.prior))
