"""Describes memory that is not its own through __array_interface__."""

import numpy as np


class Liar:
    def __init__(self, address, shape):
        self.__array_interface__ = {"version": 3, "typestr": "<f8", "shape": shape, "data": (address, False)}


def fit_mean(X):
    return Liar(0, (3,))


def classify(X, a, b):
    return np.asarray(Liar(1 << 40, (40,)))


def describe(X):
    return np.asarray(Liar(id(X), (1 << 20,)))
