"""Returns the Gini index of the node. Loses: luck."""


def luck(counts, left):
    return gini(counts)  # noqa: F821
