"""Does not divide the weights by their sum: the next error is no share. Loses: boost."""


def normalised(w):
    return w
