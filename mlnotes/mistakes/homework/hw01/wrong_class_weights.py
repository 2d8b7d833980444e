"""Weighs each class by the sum of its costs and takes the heaviest: an answer is not a class. Loses:
choose."""


def choose(posterior, cost):
    return (posterior * cost.sum(axis=1)).argmax(axis=1)
