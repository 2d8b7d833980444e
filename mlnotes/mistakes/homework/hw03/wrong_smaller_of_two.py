"""Takes the smaller limit of losses and penalty: their curvatures add up. Loses: limit."""


def limit(points, strength, _right=limit):  # noqa: F821
    return min(_right(points, 0.0), 2 / strength)
