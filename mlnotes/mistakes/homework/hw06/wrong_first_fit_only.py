"""Keeps the rows of the first fit when it is fitted again. Loses: Sorter."""


class Sorter(Sorter):  # noqa: F821
    def fit(self, X, y, _right=Sorter):  # noqa: F821
        if not hasattr(self, "groups"):
            _right.fit(self, X, y)
