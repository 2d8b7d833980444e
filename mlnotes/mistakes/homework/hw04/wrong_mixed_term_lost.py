"""Loses the mixed term of the square. Loses: lift."""


def lift(radius, size, offset, least, _right=lift):  # noqa: F821
    c, _ = _right(radius, size, offset, least)
    return c, ((radius * size) ** 2 + offset**2) / least**2
