"""Returns the counts of the cycle, which do not add up to 1. Loses: witness."""


def witness(rows, _right=witness):  # noqa: F821
    a = _right(rows)
    return a / a.max() * 2
