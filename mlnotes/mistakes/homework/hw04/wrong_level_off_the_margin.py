"""Takes the level off the margin: (4.1) does not ask which rows are updated. Loses: cautious."""


def cautious(radius, margin, level):
    return (radius / (margin - level)) ** 2
