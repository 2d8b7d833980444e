"""Wrong perceptrons, one typical mistake each."""

import math
import warnings

import numpy as np

from mlnotes import perceptron as right
from mlnotes.estimators.perceptron import Separability, separability
from mlnotes.mistakes import Mistakes, negated, scaled

mistake = MISTAKES = Mistakes("perceptron")


@mistake("Perceptron", kills="mistake-set update goal mistake-bound nonunique erratum-s9 proof-steps")
class Strict(right.Perceptron):
    """Takes only products below zero for mistakes: from zero it never moves."""

    def path(self, rows, codes, w):
        for _ in range(self.max_iter):
            wrong = np.flatnonzero(rows @ w < 0)[:1]
            w = w + rows[wrong].sum(axis=0)
            yield w, wrong


@mistake("Perceptron", kills="update proof-steps mistake-bound")
class UpdatesRightRows(right.Perceptron):
    """Updates at every row of the first pass, right or wrong."""

    def path(self, rows, codes, w):
        yield from zip(w + np.cumsum(rows, axis=0), range(len(rows)), strict=True)
        yield from super().path(rows, codes, w + rows.sum(axis=0))


@mistake("Perceptron", kills="update erratum-w12 erratum-t10")
class NoIntercept(right.Perceptron):
    """Forgets the appended 1."""

    def fit(self, X, y, *start):
        self.fit_intercept = False
        return super().fit(X, y, *start)


@mistake("Perceptron", kills="update nonunique")
class UnitRows(right.Perceptron):
    """Adds rows of length 1."""

    def path(self, rows, codes, w):
        return super().path(rows / np.linalg.norm(rows, axis=1, keepdims=True), codes, w)


@mistake("Perceptron", kills="eta1 erratum-y15")
class NoStep(right.Perceptron):
    """Ignores the step."""

    def path(self, rows, codes, w):
        self.eta0 = 1.0
        return super().path(rows, codes, w)


@mistake("Perceptron", kills="convergence eta1")
class IgnoresTheStart(right.Perceptron):
    """Starts at zero whatever it is given."""

    def fit(self, X, y, *start):
        return super().fit(X, y)


@mistake("Perceptron", kills="update proof-steps")
class StartsAnywhere(right.Perceptron):
    """Starts at weights of its own, not at zero."""

    def path(self, rows, codes, w):
        return super().path(rows, codes, w + 0.5)


@mistake("Perceptron", kills="goal convergence many-steps")
class OnePassOnly(right.Perceptron):
    """Stops after one pass."""

    def path(self, rows, codes, w):
        self.pick, self.max_iter = "cyclic", 1
        return super().path(rows, codes, w)


@mistake("Perceptron", kills="mistake-bound proof-steps update")
class CountsRows(right.Perceptron):
    """Reports every row once, however often it was added."""

    def fit(self, X, y, *start):
        super().fit(X, y, *start)
        self.mistakes_ = np.unique(self.mistakes_)
        return self


@mistake("Perceptron", kills="mistake-bound proof-steps slack-bound")
class ReportsNothing(right.Perceptron):
    """Claims to have made no mistake."""

    def fit(self, X, y, *start):
        super().fit(X, y, *start)
        self.mistakes_ = self.mistakes_[:0]
        return self


@mistake("Perceptron", kills="mistake-bound update")
class ReportsText(right.Perceptron):
    """Reports what is no row."""

    def fit(self, X, y, *start):
        super().fit(X, y, *start).mistakes_ = "none"
        return self


@mistake("Perceptron", kills="update nonunique")
class Backwards(right.Perceptron):
    """Picks the last mistake for "first" and goes through the rows backwards."""

    def path(self, rows, codes, w):
        states = super().path(rows[::-1], codes, w)
        return ((w, None if i is None else len(rows) - 1 - i) for w, i in states)


@mistake("Perceptron", kills="nonseparable")
class SaysNothing(right.Perceptron):
    """Ends after max_iter without a word, as if it had converged."""

    def fit(self, X, y, *start):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return super().fit(X, y, *start)


@mistake("Perceptron", kills="nonseparable")
class ProvesNothing(right.Perceptron):
    """Gives equal weights for a proof, whatever the data."""

    def fit(self, X, y, *start):
        super().fit(X, y, *start).combination_ = np.full(len(X), 2.0 / len(X))
        return self


@mistake("Perceptron", kills="predict")
class SignOfZero(right.Perceptron):
    """Answers a score of zero with the first class."""

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


@mistake("Perceptron", kills="predict")
class AnswersSigns(right.Perceptron):
    """Answers with np.sign and not with a label."""

    def predict(self, X):
        return np.sign(self.decision_function(X))


@mistake("Perceptron", kills="batch erratum-s9")
class BatchOneByOne(right.Perceptron):
    """Goes through the mistakes of a batch one after the other and tests again before each."""

    def path(self, rows, codes, w):
        for _ in range(self.max_iter):
            batch = right.mistake_set(w, rows)
            for i in batch:
                w = w + rows[i] * (rows[i] @ w <= 0)
            yield w, batch


@mistake("Perceptron", kills="batch")
class BatchMean(right.Perceptron):
    """Moves by the mean of the mistakes in place of their sum."""

    def path(self, rows, codes, w):
        while len(batch := right.mistake_set(w, rows)):
            w = w + rows[batch].mean(axis=0)
            yield w, batch


@mistake("Perceptron", kills="erratum-s10 batch")
class LosesTheLast(right.Perceptron):
    """Hands over the weights before the last update."""

    def fit(self, X, y, *start):
        super().fit(X, y, *start)
        self.coef_ = self.path_[-2:][0]
        return self


@mistake("Perceptron", kills="averaged")
class AverageOfUpdates(right.Perceptron):
    """Averages over the updates, not over the visits."""

    def path(self, rows, codes, w):
        states = super().path(rows, codes, w)
        return (state for state in states if self.output != "average" or state[1] is not None)


@mistake("Perceptron", kills="averaged")
class VoteOnce(right.Perceptron):
    """Gives every weight vector one vote."""

    def path(self, rows, codes, w):
        states = super().path(rows, codes, w)
        return (state for state in states if self.output != "vote" or state[1] is not None)


class Classes(right.Perceptron):
    """Several classes, one pass after the other; every mistake changes one thing."""

    def move(self, z, k):
        return z

    def is_wrong(self, product):
        return product <= 0

    def path(self, rows, codes, w):
        for i in [*range(len(rows))] * 50:
            z = right.kesler_row(w, rows[i], codes[i])
            if self.is_wrong((w * z).sum()):
                w = w + self.move(z, codes[i])
                yield w, i


@mistake("Perceptron", kills="multiclass")
class OnlyAdds(Classes):
    """Adds the row to its class and subtracts it nowhere."""

    def move(self, z, k):
        return np.where(np.arange(len(z))[:, None] == k, z, 0)


@mistake("Perceptron", kills="multiclass")
class SubtractsEverywhere(Classes):
    """Subtracts the row from all other classes."""

    def move(self, z, k):
        return np.where(np.arange(len(z))[:, None] == k, z[k], -z[k])


@mistake("Perceptron", kills="multiclass")
class TiesAreRight(Classes):
    """Takes a tie for right: from zero it never moves."""

    def is_wrong(self, product):
        return product < 0


@mistake("KernelPerceptron", kills="gram-form")
class KernelWithoutLabels(right.KernelPerceptron):
    """Forgets the labels in the score."""

    def decision_function(self, X):
        self.signs = abs(self.signs)
        return super().decision_function(X)


@mistake("KernelPerceptron", kills="gram-form")
class KernelInTrainingOnly(right.KernelPerceptron):
    """Uses the kernel to learn and plain products to answer."""

    def decision_function(self, X):
        return X @ self.X.T @ (self.signs * self.counts_)


@mistake("KernelPerceptron", kills="gram-form")
class KernelCountsOnce(right.KernelPerceptron):
    """Notes that a row was added, not how often."""

    def fit(self, X, y):
        super().fit(X, y)
        self.counts_ = np.sign(self.counts_)
        return self


# ------------------------------------------------------------------- formulas


@mistake("signed_rows", kills="merge class")
def _(X, y, *, fit_intercept=True):
    """Appends the 1 after the sign: it is 1 in both classes."""
    rows = np.asarray(X) * np.asarray(y)[:, None]
    return np.column_stack([rows, np.ones(len(rows))]) if fit_intercept else rows


mistake.rows("signed_rows", ("Appends the 1 always.", "merge class",
    lambda X, y, *, fit_intercept=True: right.signed_rows(X, y)))  # fmt: skip
mistake.rows("mistake_set",
    ("Leaves out the boundary.", "mistake-set erratum-w9",
     lambda w, Z: np.flatnonzero(np.asarray(Z) @ w < 0)),
    ("Returns the rows that are right.", "mistake-set", lambda w, Z: np.flatnonzero(np.asarray(Z) @ w > 0)),
)  # fmt: skip
mistake.rows("perceptron_loss",
    ("Adds distances: divides by the norm of w.", "loss loss-dist erm-view erratum-y14",
     lambda w, Z: right.perceptron_loss(w, Z) / max(float(np.linalg.norm(w)), 1e-300)),
    ("Counts the mistakes.", "loss erm-view", lambda w, Z: float((np.asarray(Z) @ w <= 0).sum())),
    ("The hinge loss: a margin of 1.", "loss erratum-s11 erratum-y14",
     lambda w, Z: float(np.maximum(0, 1 - np.asarray(Z) @ w).sum())),
)  # fmt: skip
mistake.rows("perceptron_subgradient",
    ("Has the sign of the update.", "subgradient sgd-view", negated),
    ("Divides by the number of rows.", "subgradient sgd-view",
     lambda w, Z: right.perceptron_subgradient(w, Z) / len(Z)),
    ("Adds all rows, right or wrong.", "subgradient sgd-view", lambda w, Z: -np.asarray(Z).sum(axis=0)),
)  # fmt: skip
mistake.rows("margin",
    ("Does not divide by the norm of w.", "margin nonunique erratum-w11",
     lambda w, Z: float((np.asarray(Z) @ w).min())),
    ("Takes the farthest point.", "margin",
     lambda w, Z: float((np.asarray(Z) @ w).max() / np.linalg.norm(w))),
)  # fmt: skip
mistake.rows("mistake_bound",
    ("Does not square the radius.", "mistake-bound convergence",
     lambda radius, margin, *, start_norm=0.0, start_along=0.0: radius / margin**2),
    ("Does not square the margin.", "mistake-bound convergence",
     lambda radius, margin, *, start_norm=0.0, start_along=0.0: radius**2 / margin),
    ("Forgets the start.", "convergence",
     lambda radius, margin, *, start_norm=0.0, start_along=0.0: (radius / margin) ** 2),
)  # fmt: skip
mistake.rows("slack_bound", ("Forgets what the rows lack.", "slack-bound",
    lambda w, Z, margin: (np.linalg.norm(Z, axis=1).max() / margin) ** 2))  # fmt: skip


@mistake("slack_bound", kills="slack-bound")
def _(w, Z, margin):
    """Does not normalise w."""
    lack = np.maximum(0, margin - np.asarray(Z) @ w)
    return ((np.linalg.norm(Z, axis=1).max() + np.linalg.norm(lack)) / margin) ** 2


mistake.rows("one_pass", ("Moves by r, not 2 r.", "pseudocode erratum-t11", scaled(0.5)))


@mistake("one_pass", kills="pseudocode")
def _(X, y, *, rate=0.5):
    """Takes a score of zero for a mistake of every label."""
    b = np.zeros(np.shape(X)[1] + 1)
    for z in right.signed_rows(X, y):
        b += 2 * rate * z * (z @ b <= 0)
    return b


@mistake("one_pass", kills="erratum-t10")
def _(X, y, *, rate=0.5):
    """Goes on until there is no mistake."""
    model = right.Perceptron().fit(X, y)
    return np.append(model.coef_, model.intercept_)


@mistake("separability", kills="separable nonunique")
def _(Z, *, exact=False, **options):
    """Gives a separator and no weights."""
    proof = separability(Z, exact=exact)
    return Separability(proof.separable, proof.w, 0 * proof.weights, proof.lower, math.inf)


@mistake("separability", kills="separable class erratum-w10")
def _(Z, *, exact=False, **options):
    """Takes products of zero for separated: w = 0 separates everything."""
    proof = separability(Z, exact=exact)
    return Separability(True, proof.w, proof.weights, proof.lower, proof.upper)


# ------------------------------------------------------------------- zeros for answers


@mistake("Perceptron", kills="eta1 erratum-y15")
class _(right.Perceptron):
    """Names its updates, and hands out weights of zero."""

    def fit(self, X, y, *start):
        super().fit(X, y, *start)
        self.coef_ = np.zeros_like(self.coef_)
        return self


mistake.rows("mistake_set", ("Takes every row for a mistake.", "erratum-w9", lambda w, Z: np.arange(len(Z))))
mistake.rows("separability", ("Says of all rows that no weights separate them.", "erratum-w10",
    lambda Z: Separability(False, None, np.full(len(Z), 1 / len(Z)), 0.0, 0.0)))  # fmt: skip
