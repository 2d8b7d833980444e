"""Centres new rows with their own mean. Loses: Reduction."""


class Reduction(Reduction):  # noqa: F821
    def encode(self, X):
        return (X - X.mean(axis=0)) @ self.V
