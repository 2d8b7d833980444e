"""The control: everything right, graded in the midst of the attacks."""

import numpy as np


def fit_mean(X):
    return X.mean(axis=0)


def classify(X, a, b):
    return (((X - b) ** 2).sum(axis=1) < ((X - a) ** 2).sum(axis=1)).astype(int)


def argmin(f):
    return min(range(16), key=f)


def describe(X):
    return {"n": len(X), "d": X.shape[1]}


class Model:
    def fit(self, X):
        self.scale_ = X.std(axis=0)
        return self

    def transform(self, X):
        return np.divide(X, self.scale_)
