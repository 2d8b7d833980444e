"""Has the limit for the mean. Loses: limit."""


def limit(points, strength, _right=limit):  # noqa: F821
    return len(points) * _right(points, len(points) * strength)
