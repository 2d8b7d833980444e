"""The model solution of homework 1."""

import numpy as np


def decide(joint):
    return joint.argmax(axis=1)


def error_probability(rule, joint):
    wrong = np.arange(joint.shape[1]) != rule[:, None]
    return joint[wrong].sum()


def least_error(joint):
    return (joint.sum(axis=1) - joint.max(axis=1)).sum()


def choose(posterior, cost):
    return (posterior @ cost).argmin(axis=1)


def threshold(prior, cost_fp, cost_fn):
    return np.log(cost_fp * (1 - prior)) - np.log(cost_fn * prior)


def pass_probability(X, limit, rate):
    return -np.expm1(-rate * np.maximum(limit - X.sum(axis=1), 0))


class PlugIn:
    def fit(self, X, y):
        groups = [X[y == k] for k in range(y.max() + 1)]
        self.prior = np.array([len(rows) / len(X) for rows in groups])
        self.means = np.array([rows.mean(axis=0) for rows in groups])
        self.covariances = np.array([np.cov(rows.T, bias=True) for rows in groups])

    def scores(self, X):
        columns = []
        for prior, mean, S in zip(self.prior, self.means, self.covariances, strict=True):
            L = np.linalg.cholesky(S)
            white = np.linalg.solve(L, (X - mean).T)
            columns.append(np.log(prior) - np.log(np.diag(L)).sum() - 0.5 * (white**2).sum(axis=0))
        return np.column_stack(columns)

    def posterior(self, X):
        scores = self.scores(X)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.scores(X).argmax(axis=1)
