"""Has the gradient of the mean. Loses: slope."""


def slope(beta, points, labels, _right=slope):  # noqa: F821
    return _right(beta, points, labels) / len(points)
