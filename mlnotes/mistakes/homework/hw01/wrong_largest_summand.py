"""Compares the largest summand of each expected cost, and not the sum. Loses: choose."""


def choose(posterior, cost):
    return (posterior[:, :, None] * cost).max(axis=1).argmin(axis=1)
