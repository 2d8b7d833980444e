"""Keeps the constant 1. Loses: lift."""


def lift(radius, size, offset, least):
    return 1.0, (radius**2 + 1) * (size**2 + offset**2) / least**2
