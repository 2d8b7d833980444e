"""Divides the gradient by its length. Loses: descend."""

import numpy as np


def descend(slope, start, step, n_steps, _right=descend):  # noqa: F821
    def unit(w):
        g = np.asarray(slope(w))
        return g / (np.linalg.norm(g) or 1.0)

    return _right(unit, start, step, n_steps)
