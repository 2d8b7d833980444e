"""Keeps the last k features. Loses: Reduction."""

import numpy as np


class Reduction(Reduction):  # noqa: F821
    def learn(self, X):
        super().learn(X)
        self.V = np.eye(X.shape[1])[:, ::-1][:, : self.k]
