"""Measures class 1 against all others, where the Gini index sums over all classes. Loses: cut."""

import numpy as np


def cut(table, labels):
    return best_cut(table.T, np.where(labels == 1, 1, 0))[1:]  # noqa: F821
