"""Multiplies by the prior twice in posterior. Loses: plugin."""


class PlugIn(PlugIn):  # noqa: F821
    def posterior(self, X):
        table = super().posterior(X) * self.prior
        return table / table.sum(axis=1, keepdims=True)
