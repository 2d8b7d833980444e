"""Leaves out the rows of class 0: they push every other class away. Loses: slope."""


def slope(beta, points, labels, _right=slope):  # noqa: F821
    return _right(beta, points[labels > 0], labels[labels > 0])
