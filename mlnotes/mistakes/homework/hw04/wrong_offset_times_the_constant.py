"""Multiplies the offset by the constant, where the separator of the new rows has it divided. Loses: lift."""


def lift(radius, size, offset, least):
    c = (radius * size / abs(offset)) ** 0.5
    return c, (radius**2 + c**2) * (size**2 + (offset * c) ** 2) / least**2
