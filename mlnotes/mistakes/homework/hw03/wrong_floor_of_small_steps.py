"""Has the floor eta s^2 / 2. Loses: spread."""


def spread(variance, start, step, batch_size, t):
    floor = step * variance / batch_size / 2
    return floor + (1 - step) ** (2 * t) * (start - floor)
