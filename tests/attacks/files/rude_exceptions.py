"""Raises exceptions that are no Exceptions, cannot be shown, and have absurd names."""


class Rude(BaseException):
    def __str__(self):
        raise Rude()

    __repr__ = __str__


class Meta(type):
    @property
    def __name__(cls):
        return 10**6 * "name"


class Nameless(BaseException, metaclass=Meta):
    def __str__(self):
        return 42


def fit_mean(X):
    raise Rude()


def classify(X, a, b):
    raise Nameless("x" * 10**7)


def argmin(f):
    raise KeyboardInterrupt


def describe(X):
    raise GeneratorExit
