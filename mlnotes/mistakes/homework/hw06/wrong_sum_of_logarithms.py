"""Adds the logarithms of the terms of a class, where the logarithm of their sum is asked for. Loses:
Sorter."""

import math

import numpy as np


class Sorter(Sorter):  # noqa: F821
    def log_joint(self, X):
        columns = []
        for rows in self.groups:
            exponents = -0.5 * ((X[:, None] - rows) ** 2).sum(axis=2) / self.h**2
            columns.append(exponents.sum(axis=1) + math.log(len(rows) / self.n))
        return np.column_stack(columns)
