"""Takes t - 1 steps. Loses: spread."""


def spread(variance, start, step, batch_size, t, _right=spread):  # noqa: F821
    return _right(variance, start, step, batch_size, max(t - 1, 0))
