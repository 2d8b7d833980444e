"""Weighs with the priors twice: the sum over the rows of a class has n_k in it already. Loses: Sorter."""

import numpy as np


class Sorter(Sorter):  # noqa: F821
    def log_joint(self, X, _right=Sorter):  # noqa: F821
        return _right.log_joint(self, X) + np.log([len(rows) for rows in self.groups])
