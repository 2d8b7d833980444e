"""Has the other sign for s < 1. Loses: switch."""


def switch(scale, _right=switch):  # noqa: F821
    return _right(scale) if scale > 1 else -_right(scale)
