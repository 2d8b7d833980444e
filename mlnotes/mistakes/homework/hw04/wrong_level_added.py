"""Adds the level to the radius. Loses: cautious."""


def cautious(radius, margin, level):
    return ((radius + level) / margin) ** 2
