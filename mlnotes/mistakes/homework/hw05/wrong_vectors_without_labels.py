"""Forgets the labels in the sums that must stay. Loses: thin."""

import numpy as np


def vectors(X, labels):
    return np.column_stack([X, np.ones(len(X))])
