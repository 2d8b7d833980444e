"""Keeps the mean of the rows that it learned first when it learns others. Loses: Reduction."""

import numpy as np


class Reduction(Reduction):  # noqa: F821
    mean = None

    def learn(self, X):
        self.mean = X.mean(axis=0) if self.mean is None else self.mean
        self.V = np.linalg.svd(X - self.mean, full_matrices=False)[2][: self.k].T
