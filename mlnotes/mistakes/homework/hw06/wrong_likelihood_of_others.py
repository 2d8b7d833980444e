"""Chooses by the likelihood of the left-out points, not by the scores. Loses: search."""

import numpy as np


def search(points, precisions, _right=search):  # noqa: F821
    gaps = (points[:, None] - points) ** 2
    others = [p * (np.exp(-gaps * p**2 / 2).sum(axis=1) - 1) for p in precisions]
    best = np.argmax([np.log(np.maximum(value, 1e-300)).sum() for value in others])
    return _right(points, precisions)[0], precisions[best]
