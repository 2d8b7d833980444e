"""Takes t for a number of standard deviations. Loses: error."""


def error(distance, prior, cut, _right=error):  # noqa: F821
    return _right(distance, prior, cut * distance)
