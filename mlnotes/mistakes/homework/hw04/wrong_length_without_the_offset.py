"""Leaves the offset out of the length of the separator. Loses: lift."""


def lift(radius, size, offset, least):
    c = abs(offset) / size
    return c, (radius**2 + c**2) * size**2 / least**2
