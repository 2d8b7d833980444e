"""Adds the squares of the variances. Loses: how_many."""


def how_many(variances, share, _right=how_many):  # noqa: F821
    return _right(variances**2, share)
