"""Takes off no largest exponent, or not the one of each row: far out all terms are 0, and 0/0 is no number.
Loses: Sorter.
"""

import numpy as np


class Sorter(Sorter):  # noqa: F821
    def posterior(self, X):
        weights = np.exp(self.log_joint(X))
        return weights / weights.sum(axis=1, keepdims=True)
