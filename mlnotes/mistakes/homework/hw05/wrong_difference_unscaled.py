"""Takes p - q for the normal, unscaled: the scores are not 1 and -1. Loses: plane."""


def plane(p, q):
    return p - q, (q @ q - p @ p) / 2
