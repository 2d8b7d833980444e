"""Adds up the impurities of the children without weights. Loses: cut, Tree."""


def decrease(left, right):
    return gini(left + right) - gini(left) / 2 - gini(right) / 2  # noqa: F821
