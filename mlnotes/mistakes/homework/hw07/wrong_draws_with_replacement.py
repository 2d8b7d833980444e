"""Fills each child by draws with replacement. Loses: luck."""


def luck(counts, left):
    return 2 * gini(counts) / counts.sum()  # noqa: F821
