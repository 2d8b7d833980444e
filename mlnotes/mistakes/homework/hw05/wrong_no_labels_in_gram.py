"""Leaves the labels out of the Gram matrix. Loses: program."""


def program(X, labels, C, _right=program):  # noqa: F821
    return X @ X.T, *_right(X, labels, C)[1:]
