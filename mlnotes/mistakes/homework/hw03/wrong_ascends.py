"""Goes up. Loses: descend."""


def descend(slope, start, step, n_steps, _right=descend):  # noqa: F821
    return _right(slope, start, -step, n_steps)
