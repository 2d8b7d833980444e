"""Rounds the bound down. Loses: cautious."""

import math


def cautious(radius, margin, level):
    return float(math.floor((radius**2 + 2 * level) / margin**2))
