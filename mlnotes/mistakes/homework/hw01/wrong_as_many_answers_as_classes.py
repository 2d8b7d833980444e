"""Tries as many answers as there are classes: the columns of the cost matrix are the answers. Loses:
choose."""


def choose(posterior, cost):
    K = len(cost)
    return [min(range(K), key=(row @ cost).__getitem__) for row in posterior]
