"""Decides for the class of the nearest row, not of the largest posterior. Loses: Sorter."""

import numpy as np


class Sorter(Sorter):  # noqa: F821
    def decide(self, X):
        gaps = [((X[:, None] - rows) ** 2).sum(axis=2).min(axis=1) for rows in self.groups]
        return np.argmin(gaps, axis=0)
