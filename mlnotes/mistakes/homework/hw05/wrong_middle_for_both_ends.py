"""Returns the middle of the interval in place of both ends. Loses: offsets."""


def offsets(alpha, labels, K, C, _right=offsets):  # noqa: F821
    return [sum(_right(alpha, labels, K, C)) / 2] * 2
