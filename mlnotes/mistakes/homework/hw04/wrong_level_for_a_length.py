"""Multiplies the level by the radius, but the level is a product already. Loses: cautious."""


def cautious(radius, margin, level):
    return (radius**2 + 2 * level * radius) / margin**2
