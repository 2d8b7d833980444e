"""Asks one question too many on a path. Loses: Tree."""


class Tree(Tree):  # noqa: F821
    def learn(self, X, y):
        self.root = self.grow(X, y, self.k + 1)
