"""Forgets the indicator. Loses: slope."""

import numpy as np


def slope(beta, points, labels):
    scores = np.vstack([np.zeros(len(points)), beta @ points.T])
    return (shares(scores)[1:] - 1) @ points  # noqa: F821
