"""A subclass of ndarray whose shape, dtype and bytes contradict each other."""

import numpy as np


class Liar(np.ndarray):
    shape = property(lambda self: (3,))
    size = property(lambda self: 3)
    nbytes = property(lambda self: 1)
    dtype = property(lambda self: np.dtype("f8"))

    def tobytes(self, *a, **k):
        return b"\0" * 10**6


def fit_mean(X):
    return np.zeros((5, 5)).view(Liar)
