"""Takes the smaller root. Loses: start."""

import numpy as np


def start(radius, margin, size, along, step):
    size, along = size / step, along / step
    B = radius**2 - 2 * margin * along
    return (B - np.sqrt(B**2 + 4 * margin**2 * (size**2 - along**2))) / (2 * margin**2)
