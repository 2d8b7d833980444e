"""Has s in place of s^2 in the exponent. Loses: switch."""

import math


def switch(scale):
    return math.sqrt(2 * math.log(scale) / (1 - 1 / scale))
