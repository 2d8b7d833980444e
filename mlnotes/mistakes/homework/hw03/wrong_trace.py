"""Takes the trace for the largest eigenvalue. Loses: limit."""


def limit(points, strength):
    return 8 / ((points**2).sum() + 4 * strength)
