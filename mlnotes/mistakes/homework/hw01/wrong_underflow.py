"""Takes exp of the scores, which far away is 0 for each class: subtract the largest of the row first.
Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def posterior(self, X):
        weights = np.exp(self.scores(X))
        return weights / weights.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.posterior(X).argmax(axis=1)
