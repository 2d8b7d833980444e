"""Adds the level to the length of the weights once, where each update adds to its square. Loses: cautious."""


def cautious(radius, margin, level):
    return ((radius + (radius**2 + 4 * margin * level) ** 0.5) / (2 * margin)) ** 2
