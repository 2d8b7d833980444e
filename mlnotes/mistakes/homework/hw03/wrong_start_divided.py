"""Divides the start by b as well as the variance. Loses: spread."""


def spread(variance, start, step, batch_size, t, _right=spread):  # noqa: F821
    return _right(variance, start / batch_size, step, batch_size, t)
