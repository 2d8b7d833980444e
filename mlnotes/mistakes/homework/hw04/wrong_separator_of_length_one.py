"""Takes the length of the separator for 1. Loses: lift."""


def lift(radius, size, offset, least, _right=lift):  # noqa: F821
    return _right(radius, 1.0, offset, least)
