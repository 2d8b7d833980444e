"""Appends the radius, so that the constant is as long as the rows. Loses: lift."""


def lift(radius, size, offset, least):
    return radius, 2 * radius**2 * (size**2 + (offset / radius) ** 2) / least**2
