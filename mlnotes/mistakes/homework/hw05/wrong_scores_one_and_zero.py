"""Gives q the score 0: the label of class 0 is y = -1. Loses: plane."""


def plane(p, q):
    w = (p - q) / ((p - q) @ (p - q))
    return w, -w @ q
