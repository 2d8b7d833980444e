"""Reads the rows of the cost matrix as answers. Loses: choose."""


def choose(posterior, cost):
    return (posterior @ cost.T).argmin(axis=1)
