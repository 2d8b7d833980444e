"""Puts one bump in the middle of each class. Loses: Sorter."""


class Sorter(Sorter):  # noqa: F821
    def fit(self, X, y, _right=Sorter):  # noqa: F821
        _right.fit(self, X, y)
        self.groups = [rows.mean(axis=0, keepdims=True) for rows in self.groups]
