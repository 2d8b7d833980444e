"""Overflows the stack, in Python and in C."""

import sys

sys.setrecursionlimit(10**9)


def fit_mean(X):
    return fit_mean(X)


def classify(X, a, b):
    value = []
    for _ in range(10**6):
        value = [value]
    return value


def describe(X):
    value = {}
    value["self"] = value
    return value
