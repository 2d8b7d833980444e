"""Adds twice the level to the radius, not to its square. Loses: cautious."""


def cautious(radius, margin, level):
    return ((radius + 2 * level) / margin) ** 2
