"""Turns the signs of the codes by the rows that are encoded together. Loses: Reduction."""

import numpy as np


class Reduction(Reduction):  # noqa: F821
    def encode(self, X):
        Z = super().encode(X)
        return Z * np.where(Z[abs(Z).argmax(axis=0), range(self.k)] < 0, -1, 1)
