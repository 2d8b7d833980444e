"""Answers the majority of the rows it is asked about in a leaf. Loses: Tree."""


class Tree(Tree):  # noqa: F821
    def answer(self, X):
        return super().answer(X[::-1])
