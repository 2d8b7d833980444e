"""Adds the floor at once: it is reached little by little, as the start fades. Loses: spread."""


def spread(variance, start, step, batch_size, t):
    return step * variance / batch_size / (2 - step) + (1 - step) ** (2 * t) * start
