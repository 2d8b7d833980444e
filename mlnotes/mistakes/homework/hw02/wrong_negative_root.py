"""Returns the negative solution. Loses: switch."""


def switch(scale, _right=switch):  # noqa: F821
    return -_right(scale)
