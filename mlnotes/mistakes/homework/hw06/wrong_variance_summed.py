"""Adds the variances of the bins without their width: that is no integral. Loses: triangle."""


def triangle(slope, n_bins, n_points, _right=triangle):  # noqa: F821
    bias, variance = _right(slope, n_bins, n_points)
    return bias, variance * n_bins
