"""Takes the most probable class, whatever the costs. Loses: choose."""


def choose(posterior, cost):
    return posterior.argmax(axis=1)
