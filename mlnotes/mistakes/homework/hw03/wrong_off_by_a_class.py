"""Takes row k of beta for class k. Loses: slope."""


def slope(beta, points, labels, _right=slope):  # noqa: F821
    return _right(beta, points, (labels + 1) % (len(beta) + 1))
