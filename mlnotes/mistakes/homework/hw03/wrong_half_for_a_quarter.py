"""Has the constant 1/2 of many classes: with two it is 1/4. Loses: limit."""

import numpy as np


def limit(points, strength):
    return 2 / (np.linalg.norm(points, 2) ** 2 / 2 + strength)
