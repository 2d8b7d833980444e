"""Multiplies the radius by the step and forgets the margin. Loses: start."""


def start(radius, margin, size, along, step, _right=start):  # noqa: F821
    return _right(radius * step, margin, size, along, 1.0)
