"""Divides C by n. Loses: program."""


def program(X, labels, C, _right=program):  # noqa: F821
    return _right(X, labels, C / len(X))
