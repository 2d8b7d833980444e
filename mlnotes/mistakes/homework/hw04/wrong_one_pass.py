"""Goes over the rows once. Loses: train."""

import numpy as np


def train(points, labels):
    rows = np.column_stack([np.ones(len(points)), points]) * (2 * labels - 1)[:, None]
    w, updates = np.zeros(rows.shape[1]), []
    for i, z in enumerate(rows):
        if z @ w <= 0:
            w = w + z
            updates.append(i)
    return np.array(updates, dtype=np.int64), w
