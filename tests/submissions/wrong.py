"""Every question answered with a typical mistake."""

import numpy as np


def decide(joint):
    return np.asarray(joint).argmin(axis=1)


def error_probability(rule, joint):
    joint = np.asarray(joint)
    return joint[np.arange(len(joint)), rule].sum()  # the probability of being right


def least_error(joint):
    return np.asarray(joint).sum(axis=0).min()  # the best constant rule


def choose(posterior, cost):
    return np.argmin(np.asarray(posterior) @ np.asarray(cost).T, axis=1)  # rows taken for answers


def threshold(prior, cost_fp, cost_fn):
    return np.log(prior / (1 - prior) * cost_fp / cost_fn)  # odds upside down


def pass_probability(X, limit, rate):
    return 1 - np.exp(-rate * (limit - X.sum(axis=1)))  # negative beyond the limit


class PlugIn:
    def fit(self, X, y):
        self.means = np.array([X[y == k].mean(axis=0) for k in np.unique(y)])

    def posterior(self, X):
        weights = np.exp(
            -((X[:, None] - self.means) ** 2).sum(axis=2)
        )  # one spread for all, and it underflows
        return weights / weights.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.posterior(X).argmax(axis=1)
