"""Gives the bound of the perceptron. Loses: cautious."""


def cautious(radius, margin, level):
    return (radius / margin) ** 2
