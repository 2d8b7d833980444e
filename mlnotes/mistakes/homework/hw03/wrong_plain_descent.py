"""Runs a hundred steps of gradient descent on the raw features. Loses: Logistic."""

import numpy as np


class Logistic(Logistic):  # noqa: F821
    def learn(self, points, signs):
        A = np.column_stack([points, np.ones(len(points))])
        v, ridge = np.zeros(A.shape[1]), np.append(np.full(A.shape[1] - 1, self.strength), 0.0)
        for _ in range(100):
            p = self.chance(-signs * (A @ v))
            v = v - limit(A, self.strength) / 2 * (ridge * v - A.T @ (signs * p))  # noqa: F821
        self.weights, self.bias = v[:-1], v[-1]
