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
        self.models = []
        for k in sorted(set(y.tolist())):
            rows = X[y == k]
            S = np.cov(rows.T, bias=True).reshape(X.shape[1], X.shape[1])
            self.models.append(
                (len(rows) / len(X), rows.mean(axis=0), np.linalg.inv(S), np.linalg.slogdet(S)[1])
            )

    def scores(self, X):
        columns = []
        for weight, mean, inverse, log_det in self.models:
            gap = X - mean
            columns.append(np.log(weight) - 0.5 * log_det - 0.5 * np.einsum("ni,ij,nj->n", gap, inverse, gap))
        return np.stack(columns, axis=1)

    def posterior(self, X):
        scores = self.scores(X)
        # one over the sum of the ratios, instead of a shifted softmax
        with np.errstate(over="ignore"):
            return 1 / np.exp(scores[:, None, :] - scores[:, :, None]).sum(axis=2)

    def predict(self, X):
        return self.scores(X).argmax(axis=1)
