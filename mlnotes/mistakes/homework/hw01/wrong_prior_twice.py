"""Multiplies by the prior twice. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def scores(self, X):
        return super().scores(X) + np.log(self.prior)
