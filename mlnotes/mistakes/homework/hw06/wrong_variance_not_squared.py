"""Does not square the variance in the bandwidth. Loses: cosine."""


def cosine(radius, curvature, n_points, _right=cosine):  # noqa: F821
    R, mu, _ = _right(radius, curvature, n_points)
    return R, mu, (R / (mu * curvature * n_points)) ** 0.2
