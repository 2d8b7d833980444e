"""Turns the fraction around. Loses: vote."""

import math


def vote(err):
    return 0.5 * math.log(err / (1 - err))
