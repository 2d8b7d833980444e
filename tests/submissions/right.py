"""Everything right, by other methods than the library's: loops, sorting, exact sums, inverse matrices."""

import math

import numpy as np


def decide(joint):
    answers = []
    for row in np.asarray(joint).tolist():
        ranked = sorted(range(len(row)), key=lambda k: -row[k])
        answers.append(ranked[0])
    return answers


def error_probability(rule, joint):
    rule, joint = list(rule), np.asarray(joint)
    return math.fsum(
        joint[x, k] for x in range(joint.shape[0]) for k in range(joint.shape[1]) if k != rule[x]
    )


def least_error(joint):
    return 1 - math.fsum(max(row) for row in np.asarray(joint).tolist())


def choose(posterior, cost):
    posterior, cost = np.asarray(posterior), np.asarray(cost)
    return [
        min(range(cost.shape[1]), key=lambda a: sum(p * cost[k, a] for k, p in enumerate(row)))
        for row in posterior
    ]


def threshold(prior, cost_fp, cost_fn):
    return math.log(cost_fp) - math.log(cost_fn) + math.log1p(-prior) - math.log(prior)


def pass_probability(X, limit, rate):
    out = []
    for x1, x2 in np.asarray(X):
        room = limit - x1 - x2
        out.append(1 - math.exp(-rate * room) if room > 0 else 0.0)
    return out


class PlugIn:
    def fit(self, X, y):
        labels = sorted(set(y.tolist()))
        self.prior = [y.tolist().count(k) / len(y) for k in labels]
        self.means = [X[y == k].mean(axis=0) for k in labels]
        self.covariances = [np.cov(X[y == k].T, bias=True).reshape(X.shape[1], -1) for k in labels]

    def scores(self, X):
        columns = []
        for weight, mean, S in zip(self.prior, self.means, self.covariances, strict=True):
            gap = X - mean
            distance = np.einsum("ni,ij,nj->n", gap, np.linalg.inv(S), gap)
            columns.append(math.log(weight) - 0.5 * np.linalg.slogdet(S)[1] - 0.5 * distance)
        return np.stack(columns, axis=1)

    def posterior(self, X):
        scores = self.scores(X)
        # one over the sum of the ratios, instead of a shifted softmax
        with np.errstate(over="ignore"):
            return 1 / np.exp(scores[:, None, :] - scores[:, :, None]).sum(axis=2)

    def predict(self, X):
        return self.scores(X).argmax(axis=1)
