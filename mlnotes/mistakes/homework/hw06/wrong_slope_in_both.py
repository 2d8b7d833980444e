"""Takes a for the slope of f, which is 2a, in both answers. Loses: triangle."""


def triangle(slope, n_bins, n_points):
    bias = slope**2 / (12 * n_bins**2)
    return bias, (n_bins - (1 + slope**2 / 3 - bias)) / n_points
