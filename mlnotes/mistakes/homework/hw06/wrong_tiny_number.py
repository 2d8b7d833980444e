"""Takes exponentials of the logarithms as they are, and decides by them. Loses: Sorter."""

import numpy as np


class Sorter(Sorter):  # noqa: F821
    def posterior(self, X):
        weights = np.exp(self.log_joint(X)) + 1e-300
        return weights / weights.sum(axis=1, keepdims=True)

    def decide(self, X):
        return self.posterior(X).argmax(axis=1)
