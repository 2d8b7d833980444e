"""A class whose attributes, constructor and methods lie, hang, or differ at each look."""

import numpy as np


class Model:
    looks = 0

    def __getattribute__(self, name):
        if name == "scale_":
            Model.looks += 1
            return np.full(2, float(Model.looks))
        if name == "transform":
            return lambda X: np.tile([[1.0, -1.0]], (len(X), 1)) * np.nan
        return object.__getattribute__(self, name)

    def fit(self, X):
        return 17

    def __eq__(self, other):
        return True

    __hash__ = None
