"""Uses the covariance where its inverse belongs. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def scores(self, X):
        gaps = X[:, None] - self.means  # (n, K, d)
        products = (gaps * (self.covariances @ gaps[..., None])[..., 0]).sum(axis=2)
        return np.log(self.prior) - 0.5 * np.linalg.slogdet(self.covariances)[1] - 0.5 * products
