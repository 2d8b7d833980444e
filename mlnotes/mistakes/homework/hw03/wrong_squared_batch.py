"""Divides the variance by b^2: the mean of b rows has the variance s^2/b. Loses: spread."""


def spread(variance, start, step, batch_size, t, _right=spread):  # noqa: F821
    return _right(variance, start, step, batch_size**2, t)
