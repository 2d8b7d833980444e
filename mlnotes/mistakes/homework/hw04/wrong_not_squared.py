"""Does not square the margin. Loses: cautious."""


def cautious(radius, margin, level):
    return (radius**2 + 2 * level) / margin
