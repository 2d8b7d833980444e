"""Adds standard deviations, not variances. Loses: how_many."""


def how_many(variances, share, _right=how_many):  # noqa: F821
    return _right(variances**0.5, share)
