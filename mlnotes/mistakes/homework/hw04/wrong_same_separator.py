"""Forgets that the separator changes with the constant: its last entry stays. Loses: lift."""

import numpy as np


def lift(radius, size, offset, least):
    c = np.sqrt(radius * abs(offset) / size)
    return c, (radius**2 + c**2) * (size**2 + offset**2) / least**2
