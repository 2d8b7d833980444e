"""Forgets that the mean of b rows varies less. Loses: spread."""


def spread(variance, start, step, batch_size, t, _right=spread):  # noqa: F821
    return _right(variance, start, step, 1, t)
