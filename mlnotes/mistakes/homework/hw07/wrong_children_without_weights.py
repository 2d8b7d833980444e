"""Adds up the falls of both children without their shares of the rows. Loses: luck."""


def luck(counts, left):
    n = counts.sum()
    falls = [1 - (1 - 1 / m) * n / (n - 1) for m in (left, n - left)]
    return gini(counts) * sum(falls)  # noqa: F821
