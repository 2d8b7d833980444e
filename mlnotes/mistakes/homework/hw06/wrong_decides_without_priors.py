"""Decides without the priors, which the posterior has. Loses: Sorter."""

import numpy as np


class Sorter(Sorter):  # noqa: F821
    def decide(self, X):
        return (self.log_joint(X) - np.log([len(rows) for rows in self.groups])).argmax(axis=1)
