"""Gives the rows of the cycle the same weight, however often each was added. Loses: witness."""


def witness(rows, _right=witness):  # noqa: F821
    used = _right(rows) > 0
    return used / used.sum()
