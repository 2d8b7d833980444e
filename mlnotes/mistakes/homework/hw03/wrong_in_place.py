"""Changes one array in place: every column is the last iterate. Keep a copy. Loses: descend."""

import numpy as np


def descend(slope, start, step, n_steps, _right=descend):  # noqa: F821
    return np.repeat(_right(slope, start, step, n_steps)[:, -1:], n_steps + 1, axis=1)
