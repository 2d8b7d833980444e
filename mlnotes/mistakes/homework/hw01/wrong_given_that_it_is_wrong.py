"""Divides the expected cost of an answer by the probability that it is wrong. Loses: choose."""


def choose(posterior, cost):
    return (posterior @ cost / (1 - posterior)).argmin(axis=1)
