"""Takes the share to be kept for the share that may be lost. Loses: how_many."""


def how_many(variances, share, _right=how_many):  # noqa: F821
    return _right(variances, 1 - share)
