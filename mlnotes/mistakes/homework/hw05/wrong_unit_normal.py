"""Returns the unit normal. Loses: plane."""

import numpy as np


def plane(p, q):
    w = (p - q) / np.linalg.norm(p - q)
    return w, float(-w @ (p + q) / 2)
