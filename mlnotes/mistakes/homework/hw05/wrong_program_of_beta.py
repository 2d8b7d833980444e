"""Writes the program for beta = alpha y: a is to be alpha. Loses: program."""

import numpy as np


def program(X, labels, C, _right=program):  # noqa: F821
    _, _, G, _, A, b = _right(X, labels, C)
    upper = C * labels
    return X @ X.T, -A[0], G, np.append(upper, C - upper), abs(A), b
