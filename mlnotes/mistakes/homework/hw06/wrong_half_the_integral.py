"""Integrates over x > 0 alone. Loses: cosine."""


def cosine(radius, curvature, n_points, _right=cosine):  # noqa: F821
    R, mu, h = _right(radius, curvature, n_points)
    return R / 2, mu / 2, h * 2**0.2
