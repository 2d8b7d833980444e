"""Takes off the largest exponent of each class, and does not add it again. Loses: Sorter."""

import math

import numpy as np


class Sorter(Sorter):  # noqa: F821
    def log_joint(self, X):
        columns = []
        for rows in self.groups:
            exponents = -0.5 * ((X[:, None] - rows) ** 2).sum(axis=2) / self.h**2
            exponents -= exponents.max(axis=1, keepdims=True)
            columns.append(np.log(np.exp(exponents).sum(axis=1)) - math.log(self.n))
        return np.column_stack(columns)
