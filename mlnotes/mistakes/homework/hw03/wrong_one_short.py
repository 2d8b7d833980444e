"""Takes one step too few and shows the last iterate twice. Loses: descend."""

import numpy as np


def descend(slope, start, step, n_steps, _right=descend):  # noqa: F821
    path = _right(slope, start, step, max(n_steps - 1, 0))
    return np.column_stack([path, path[:, -1]])[:, : n_steps + 1]
