"""Guesses the middle of the two standard deviations. Loses: switch."""


def switch(scale):
    return (1 + scale) / 2
