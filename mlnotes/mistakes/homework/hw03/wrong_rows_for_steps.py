"""Counts b t steps: a step with b rows is one step. Loses: spread."""


def spread(variance, start, step, batch_size, t, _right=spread):  # noqa: F821
    return _right(variance / batch_size, start, step, 1, batch_size * t)
