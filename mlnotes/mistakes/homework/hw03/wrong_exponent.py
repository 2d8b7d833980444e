"""Lets the start fade with the power t: of a square it is 2t. Loses: spread."""


def spread(variance, start, step, batch_size, t):
    floor = step * variance / batch_size / (2 - step)
    return floor + (1 - step) ** t * (start - floor)
