"""Leaves the constant out of the length of the rows. Loses: lift."""


def lift(radius, size, offset, least, _right=lift):  # noqa: F821
    c, _ = _right(radius, size, offset, least)
    return c, radius**2 * (size**2 + (offset / c) ** 2) / least**2
