"""Leaves the prior out in predict. Loses: plugin."""

import numpy as np


class PlugIn(PlugIn):  # noqa: F821
    def predict(self, X):
        return (self.scores(X) - np.log(self.prior)).argmax(axis=1)
