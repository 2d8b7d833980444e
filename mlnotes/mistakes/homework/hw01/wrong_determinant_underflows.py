"""Takes the logarithm of the determinant, which may be 0 in double precision: add up logarithms. Loses:
plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def scores(self, X):
        gap = np.log(np.linalg.det(self.covariances)) - np.linalg.slogdet(self.covariances)[1]
        return super().scores(X) - 0.5 * gap
