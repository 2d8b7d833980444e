"""Takes the trace for the largest eigenvalue. Loses: limit."""


def limit(points):
    return 8 / (points**2).sum()
