"""Multiplies by 1 - 1/s^2 where it divides. Loses: switch."""

import math


def switch(scale):
    return math.sqrt(2 * math.log(scale) * (1 - 1 / scale**2))
