"""Returns the square of the best constant. Loses: lift."""


def lift(radius, size, offset, least, _right=lift):  # noqa: F821
    c, bound = _right(radius, size, offset, least)
    return c**2, bound
