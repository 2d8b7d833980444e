"""Answers the minority. Loses: Tree."""


class Tree(Tree):  # noqa: F821
    def answer(self, X):
        return 1 - super().answer(X)
