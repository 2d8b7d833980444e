"""Forgets that the mixed product comes twice. Loses: cautious."""


def cautious(radius, margin, level):
    return (radius**2 + level) / margin**2
