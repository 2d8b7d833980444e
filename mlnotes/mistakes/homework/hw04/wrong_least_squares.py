"""Solves by least squares, which may give negative weights. Loses: witness."""

import numpy as np


def witness(rows):
    table = np.vstack([rows.T, np.ones(len(rows))])
    return np.linalg.lstsq(table, np.append(np.zeros(rows.shape[1]), 1.0), rcond=None)[0]
