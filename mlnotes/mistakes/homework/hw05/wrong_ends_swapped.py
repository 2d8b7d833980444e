"""Returns the ends in the wrong order. Loses: offsets."""


def offsets(alpha, labels, K, C, _right=offsets):  # noqa: F821
    low, high = _right(alpha, labels, K, C)
    return high, low
