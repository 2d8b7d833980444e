"""Takes the cheapest answer for the most probable class: the costs of the other classes count, too. Loses:
choose."""


def choose(posterior, cost):
    return cost[posterior.argmax(axis=1)].argmin(axis=1)
