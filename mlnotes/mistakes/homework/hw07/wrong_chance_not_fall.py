"""Returns the chance that two different rows differ, not what a cut takes off. Loses: luck."""


def luck(counts, left):
    return gini(counts) * counts.sum() / (counts.sum() - 1)  # noqa: F821
