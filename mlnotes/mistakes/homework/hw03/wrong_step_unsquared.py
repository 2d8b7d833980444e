"""Has eta s^2 in place of eta^2 s^2 for the noise of a step. Loses: spread."""


def spread(variance, start, step, batch_size, t, _right=spread):  # noqa: F821
    return _right(variance / step, start, step, batch_size, t)
