"""Counts the fall in the left child alone. Loses: luck."""


def luck(counts, left):
    n = counts.sum()
    return gini(counts) * (1 - left / n) / (n - 1)  # noqa: F821
