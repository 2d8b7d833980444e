"""Divides by the number of all rows, not by n - K. Loses: merge."""


def merge(*summaries, _right=merge):  # noqa: F821
    means, covariance = _right(*summaries)
    n = summaries[0].sum() + summaries[3].sum()
    return means, covariance * (n - len(means)) / n
