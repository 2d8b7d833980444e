"""Divides by n where the sum of the weights belongs. Loses: estimate."""


def estimate(points, weights, places, bandwidth, _right=estimate):  # noqa: F821
    return _right(points, weights, places, bandwidth) * weights.sum() / len(points)
