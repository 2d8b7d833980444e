"""Answers the label of the first row of a leaf in place of the majority. Loses: Tree."""


class Tree(Tree):  # noqa: F821
    def grow(self, X, y, depth):
        if depth == 0 or y.min() == y.max() or (X[0] == X).all():
            return int(y[0])
        _, j, t = best_cut(X, y)  # noqa: F821
        left = X[:, j] <= t
        return j, t, self.grow(X[left], y[left], depth - 1), self.grow(X[~left], y[~left], depth - 1)
