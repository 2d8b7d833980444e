"""Forgets that the variance grows with the square of c. Loses: cosine."""

import math


def cosine(radius, curvature, n_points, _right=cosine):  # noqa: F821
    R, _, h = _right(radius, curvature, n_points)
    return R, 1 - 8 / math.pi**2, h
