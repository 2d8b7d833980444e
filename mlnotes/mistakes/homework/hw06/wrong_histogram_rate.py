"""Takes the third root, as for a histogram. Loses: cosine."""


def cosine(radius, curvature, n_points, _right=cosine):  # noqa: F821
    R, mu, h = _right(radius, curvature, n_points)
    return R, mu, h ** (5 / 3)
