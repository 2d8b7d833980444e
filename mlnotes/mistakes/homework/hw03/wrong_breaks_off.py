"""Breaks off where the gradient is small, with fewer than n_steps + 1 columns. Loses: descend."""

import numpy as np


def descend(slope, start, step, n_steps):
    path = [start]
    for _ in range(n_steps):
        gradient = slope(path[-1])
        if np.linalg.norm(gradient) < 1e-6:
            break
        path.append(path[-1] - step * gradient)
    return np.array(path).T
