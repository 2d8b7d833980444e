"""Adds the log determinant, which is to be subtracted. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def scores(self, X):
        return super().scores(X) + np.linalg.slogdet(self.covariances)[1]
