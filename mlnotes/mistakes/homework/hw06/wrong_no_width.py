"""Forgets 1/h. Loses: estimate."""


def estimate(points, weights, places, bandwidth, _right=estimate):  # noqa: F821
    return _right(points, weights, places, bandwidth) * bandwidth
