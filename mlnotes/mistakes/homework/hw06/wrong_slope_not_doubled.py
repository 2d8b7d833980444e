"""Takes a for the slope of f, which is 2a, in the bias alone. Loses: triangle."""


def triangle(slope, n_bins, n_points, _right=triangle):  # noqa: F821
    return slope**2 / (12 * n_bins**2), _right(slope, n_bins, n_points)[1]
