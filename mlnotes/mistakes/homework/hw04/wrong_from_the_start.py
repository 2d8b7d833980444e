"""Counts from the start, also what was added before the weights that return. Loses: witness."""

import numpy as np


def witness(rows):
    w, counts, seen = np.zeros(rows.shape[1], dtype=np.int64), np.zeros(len(rows)), set()
    while tuple(w) not in seen:
        seen.add(tuple(w))
        for i, z in enumerate(rows):
            if z @ w <= 0:
                w = w + z
                counts[i] += 1
    return counts / counts.sum()
