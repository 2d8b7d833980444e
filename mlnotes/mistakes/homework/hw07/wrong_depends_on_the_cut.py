"""Weighs the fall by the shares of both children: no cut is better than another. Loses: luck."""


def luck(counts, left):
    n = counts.sum()
    return gini(counts) * left * (n - left) / n**2 / (n - 1)  # noqa: F821
