"""Multiplies densities instead of adding logarithms: far away every one is 0. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def posterior(self, X):
        weights = np.exp(self.scores(X))
        return weights / weights.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.posterior(X).argmax(axis=1)
