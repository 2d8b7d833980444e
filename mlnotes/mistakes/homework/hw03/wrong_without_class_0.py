"""Leaves class 0 out of the sum of the exponentials: its term is 1. Loses: slope."""

import numpy as np


def slope(beta, points, labels):
    hot = labels == np.arange(1, len(beta) + 1)[:, None]
    return (shares(beta @ points.T) - hot) @ points  # noqa: F821
