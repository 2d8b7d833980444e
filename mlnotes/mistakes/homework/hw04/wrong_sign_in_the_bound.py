"""Keeps the sign of the offset in the bound. Loses: lift."""


def lift(radius, size, offset, least, _right=lift):  # noqa: F821
    c, _ = _right(radius, size, offset, least)
    return c, ((radius * size + offset) / least) ** 2
