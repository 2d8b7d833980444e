"""Multiplies densities instead of adding logarithms: far away every one is 0. Loses: plugin."""

import numpy as np


class PlugIn:
    def fit(self, X, y):
        self.groups = [X[y == k] for k in range(y.max() + 1)]
        self.n = len(X)

    def posterior(self, X):
        columns = []
        for rows in self.groups:
            S = np.cov(rows.T, bias=True)
            gap = X - rows.mean(axis=0)
            density = np.exp(-0.5 * (gap @ np.linalg.inv(S) * gap).sum(axis=1)) / np.sqrt(np.linalg.det(S))
            columns.append(len(rows) / self.n * density)
        weights = np.column_stack(columns)
        return weights / weights.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.posterior(X).argmax(axis=1)
