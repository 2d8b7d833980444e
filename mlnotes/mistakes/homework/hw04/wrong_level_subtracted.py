"""Takes the mixed product off, where it is added: rows above 0 are updated too. Loses: cautious."""


def cautious(radius, margin, level):
    return (radius**2 - 2 * level) / margin**2
