"""Divides by n: the rows of a child are drawn without replacement. Loses: luck."""


def luck(counts, left):
    return gini(counts) / counts.sum()  # noqa: F821
