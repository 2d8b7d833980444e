"""Counts the mixed product at one update, where it comes at each. Loses: cautious."""


def cautious(radius, margin, level):
    return (radius**2 + (radius**4 + 8 * margin**2 * level) ** 0.5) / (2 * margin**2)
