"""Keeps the largest multiplier of each class and gives it the sum of its class. Loses: thin."""

import numpy as np


def thin(X, labels, alpha):
    few = np.zeros(len(alpha))
    for k in (0, 1):
        own = np.flatnonzero(labels == k)
        few[own[alpha[own].argmax()]] = alpha[own].sum()
    return few
