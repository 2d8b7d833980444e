"""Takes all bins for equally likely in the variance, which they are for a = 0 alone. Loses: triangle."""


def triangle(slope, n_bins, n_points, _right=triangle):  # noqa: F821
    return _right(slope, n_bins, n_points)[0], (n_bins - 1) / n_points
