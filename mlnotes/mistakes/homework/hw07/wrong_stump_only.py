"""Asks one question, whatever k is. Loses: Tree."""


class Tree(Tree):  # noqa: F821
    def learn(self, X, y):
        self.root = self.grow(X, y, 1)
