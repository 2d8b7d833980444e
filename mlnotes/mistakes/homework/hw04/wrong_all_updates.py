"""Counts all updates, also those before the cycle. Loses: witness."""

import numpy as np


def witness(rows):
    w, counts = np.zeros(rows.shape[1], dtype=np.int64), np.zeros(len(rows))
    for _ in range(37):
        for i, z in enumerate(rows):
            if z @ w <= 0:
                w = w + z
                counts[i] += 1
    return counts / counts.sum()
