"""Solves by least squares and takes 0 for negative weights: the sum is 0 no longer. Loses: witness."""

import numpy as np


def witness(rows):
    table = np.vstack([rows.T, np.ones(len(rows))])
    a = np.linalg.lstsq(table, np.append(np.zeros(rows.shape[1]), 1.0), rcond=None)[0]
    return np.maximum(a, 0) / np.maximum(a, 0).sum()
