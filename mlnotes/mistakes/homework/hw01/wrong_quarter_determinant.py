"""Takes half of the log determinant that is asked for: log det S = 2 sum log L_jj, for S = L L^T. Loses:
plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def scores(self, X):
        return super().scores(X) + 0.25 * np.linalg.slogdet(self.covariances)[1]
