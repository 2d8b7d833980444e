"""Leaves out the determinant of the covariance. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def scores(self, X):
        return super().scores(X) + [np.log(np.diag(L)).sum() for L in self.factors]
