"""Takes exponentials of the scores as they are. Loses: Quadratic."""

import numpy as np


class Quadratic(Quadratic):  # noqa: F821
    def posterior(self, X):
        weights = np.exp(self.scores(X)) + 1e-300
        return weights / weights.sum(axis=1, keepdims=True)
