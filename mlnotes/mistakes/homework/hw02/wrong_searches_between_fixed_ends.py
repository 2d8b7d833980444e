"""Searches between 0 and 10: c may be larger. Loses: switch."""


def switch(scale, _right=switch):  # noqa: F821
    return min(_right(scale), 10.0)
