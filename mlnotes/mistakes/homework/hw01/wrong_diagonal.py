"""Sets the covariances of different features to 0: naive Bayes. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def fit(self, X, y):
        super().fit(X, y)
        self.covariances = self.covariances * np.eye(X.shape[1])
