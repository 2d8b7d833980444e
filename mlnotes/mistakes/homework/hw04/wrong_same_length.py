"""Compares the lengths of the weights, not the weights. Loses: witness."""

import numpy as np


def witness(rows):
    w, counts, seen = np.zeros(rows.shape[1], dtype=np.int64), np.zeros(len(rows)), {}
    while int(w @ w) not in seen:
        seen[int(w @ w)] = counts.copy()
        for i, z in enumerate(rows):
            if z @ w <= 0:
                w = w + z
                counts[i] += 1
    cycle = counts - seen[int(w @ w)]
    return cycle / cycle.sum()
