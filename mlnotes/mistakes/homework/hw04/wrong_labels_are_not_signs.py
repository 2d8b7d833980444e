"""Multiplies by the labels 0 and 1 as if they were signs. Loses: train."""

import numpy as np


def train(points, labels):
    rows = np.column_stack([np.ones(len(points)), points])
    w, updates = np.zeros(rows.shape[1]), []
    for _ in range(50):
        for i, z in enumerate(rows):
            if labels[i] * (z @ w) <= 0:
                w = w + labels[i] * z
                updates.append(i)
    return np.array(updates, dtype=np.int64), w
