"""Multiplies the bound by 1 + 2c, but the mixed product does not grow with the radius. Loses: cautious."""


def cautious(radius, margin, level):
    return (radius / margin) ** 2 * (1 + 2 * level)
