"""Adds 1 to the matrix, which has the intercept already. Loses: counts."""


def counts(gram, labels, _right=counts):  # noqa: F821
    return _right(gram + 1, labels)
