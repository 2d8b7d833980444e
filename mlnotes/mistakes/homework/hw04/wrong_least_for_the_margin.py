"""Takes the least product for the margin: it is not divided by the length of the separator. Loses: lift."""


def lift(radius, size, offset, least, _right=lift):  # noqa: F821
    c, _ = _right(radius, size, offset, least)
    return c, (radius**2 + c**2) / least**2
