"""Does not centre at all. Loses: Reduction."""

import numpy as np


class Reduction(Reduction):  # noqa: F821
    def learn(self, X):
        self.mean, self.V = np.zeros(X.shape[1]), np.linalg.svd(X)[2][: self.k].T
