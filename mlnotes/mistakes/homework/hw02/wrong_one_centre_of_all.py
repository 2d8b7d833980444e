"""Centres at the mean of all points, and divides by n - K. Loses: within."""


def within(points, labels):
    gaps = points - points.mean(axis=1, keepdims=True)
    return gaps @ gaps.T / (points.shape[1] - labels.max())
