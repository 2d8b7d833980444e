"""Lets the polynomial run on beyond its support. Loses: estimate."""


def bump(u):
    return 15 / 16 * (1 - u**2) ** 2
