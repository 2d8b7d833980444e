"""Takes a power of 2 pi that depends on the class: it is d/2 for all, and cancels. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def scores(self, X):
        return super().scores(X) - np.log(2 * np.pi) * np.arange(len(self.prior)) / 2
