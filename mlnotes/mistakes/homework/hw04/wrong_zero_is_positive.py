"""Takes a row with product 0 for right if its label is 1. Loses: train."""

import numpy as np


def train(points, labels):
    X, updates, again = np.column_stack([np.ones(len(points)), points]), [], True
    w = np.zeros(X.shape[1])
    while again:
        again = False
        for i, (x, label) in enumerate(zip(X, labels, strict=True)):
            if (x @ w >= 0) != label:
                w = w + (2 * label - 1) * x
                updates.append(i)
                again = True
    return np.array(updates, dtype=np.int64), w
