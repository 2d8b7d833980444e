"""Leaves out the factor 1/2 of the log determinant. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def scores(self, X):
        return super().scores(X) - 0.5 * np.linalg.slogdet(self.covariances)[1]
