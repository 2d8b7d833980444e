"""Answers class 0 where no class has more than half of the posterior. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def predict(self, X):
        table = self.posterior(X)
        return np.where(table.max(axis=1) > 0.5, table.argmax(axis=1), 0)
