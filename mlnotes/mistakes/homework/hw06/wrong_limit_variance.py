"""Takes 1/(nh), the limit, for the variance. Loses: triangle."""


def triangle(slope, n_bins, n_points, _right=triangle):  # noqa: F821
    return _right(slope, n_bins, n_points)[0], n_bins / n_points
