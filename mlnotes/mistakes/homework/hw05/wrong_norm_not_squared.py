"""Divides by the distance of the points, not by its square: the scores are not 1 and -1. Loses: plane."""

import numpy as np


def plane(p, q):
    w = 2 * (p - q) / np.linalg.norm(p - q)
    return w, float(-w @ (p + q) / 2)
