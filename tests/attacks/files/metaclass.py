"""A class whose construction hands out other people's objects."""


class Meta(type):
    def __call__(cls, *a, **k):
        return __import__("sys").modules["__main__"]


class Model(metaclass=Meta):
    pass
