"""Takes h int f^2 for the sum of the squared p_j: it is less by h int b^2. Loses: triangle."""


def triangle(slope, n_bins, n_points, _right=triangle):  # noqa: F821
    return _right(slope, n_bins, n_points)[0], (n_bins - 1 - slope**2 / 3) / n_points
