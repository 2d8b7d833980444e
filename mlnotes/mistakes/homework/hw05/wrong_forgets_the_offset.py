"""Leaves the condition of the offset out: the sum of alpha y does not stay 0. Loses: thin."""


def vectors(X, labels):
    return (2.0 * labels - 1)[:, None] * X
