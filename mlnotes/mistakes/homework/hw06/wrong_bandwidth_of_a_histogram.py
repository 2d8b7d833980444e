"""Takes the best width of a histogram (Corollary 3.3) for the bandwidth. Loses: cosine."""


def cosine(radius, curvature, n_points, _right=cosine):  # noqa: F821
    R, mu, _ = _right(radius, curvature, n_points)
    return R, mu, (6 / (n_points * curvature)) ** (1 / 3)
