"""Returns the decrease times the number of rows. Loses: decrease."""


def decrease(left, right, _right=decrease):  # noqa: F821
    return _right(left, right) * (left.sum() + right.sum())
