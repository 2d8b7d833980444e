"""Raises an exception whose text takes for ever."""


class Slow(Exception):
    def __str__(self):
        while True:
            pass


def fit_mean(X):
    raise Slow()
