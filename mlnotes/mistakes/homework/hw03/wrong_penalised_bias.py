"""Penalises the bias of the raw features. Loses: Logistic."""

import numpy as np


class Logistic(Logistic):  # noqa: F821
    def learn(self, points, signs):
        A = np.column_stack([points, np.ones(len(points))])
        v, ridge = np.zeros(A.shape[1]), np.full(A.shape[1], self.strength)
        for _ in range(200):
            p = self.chance(-signs * (A @ v))
            gradient = ridge * v - A.T @ (signs * p)
            direction, eta = np.linalg.solve((A.T * (p * (1 - p))) @ A + np.diag(ridge), gradient), 1.0
            while self.loss(A, signs, ridge, v - eta * direction) > self.loss(A, signs, ridge, v) + 1e-12:
                eta /= 2
            v = v - eta * direction
        self.weights, self.bias = v[:-1], v[-1]
