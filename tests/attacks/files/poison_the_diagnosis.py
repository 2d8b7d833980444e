"""Answers what a search for the mistake must compare with others' answers: huge integers, fractions, ragged rows, names, nothing."""

import itertools
from fractions import Fraction

import numpy as np

count = itertools.count()
ODD = [10**1200, -(10**18), Fraction(10**600, 3), [[1], [1, 2]], {"n": {"n": 1}}, "nan", [None] * 3, True,
       [[[[[[1]]]]]], np.full((60, 60), 5e-324), np.array(["\U0010ffff" * 50]), [], float("nan")]  # fmt: skip


def fit_mean(X):
    return np.full(3, 1.7e308)


def classify(X, a, b):
    return np.full(len(X), next(count) % 2)


def argmin(f):
    for question in ODD:
        try:
            f(question)
        except Exception:
            pass
    return next(count) % 16


def describe(X):
    return ODD[next(count) % len(ODD)]


class Model:
    scale_ = np.full(2, 5e-324)

    def fit(self, X):
        return self

    def transform(self, X):
        return np.full(X.shape, -0.0)
