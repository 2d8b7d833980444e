"""Leaves the exponential of one class out. Loses: switch."""

import math


def switch(scale):
    return math.sqrt(2 * abs(math.log(scale)))
