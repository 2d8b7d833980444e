"""Wrong perceptrons, one typical mistake each."""

import math
import warnings

import numpy as np

from mlnotes import perceptron as right
from mlnotes.estimators.perceptron import Separability, separability
from mlnotes.mistakes import Mistakes, negated, scaled

mistake = MISTAKES = Mistakes("perceptron", "board")


@mistake("Perceptron.path", kills="mistake-set update goal mistake-bound nonunique erratum-s9 proof-steps")
def _(self, rows, codes, w):
    """Takes only products below zero for mistakes: from zero it never moves."""
    for _ in range(self.max_iter):
        wrong = np.flatnonzero(rows @ w < 0)[:1]
        w = w + rows[wrong].sum(axis=0)
        yield w, wrong


@mistake("Perceptron.path", kills="update proof-steps mistake-bound")
def _(self, rows, codes, w):
    """Updates at every row of the first pass, right or wrong."""
    yield from zip(w + np.cumsum(rows, axis=0), range(len(rows)), strict=True)
    yield from right.Perceptron.path(self, rows, codes, w + rows.sum(axis=0))


@mistake("Perceptron.fit", kills="update erratum-t10")
def _(self, X, y, *start):
    """Forgets the appended 1."""
    self.fit_intercept = False
    return right.Perceptron.fit(self, X, y, *start)


@mistake("Perceptron.path", kills="eta1 erratum-y15")
def _(self, rows, codes, w):
    """Ignores the step."""
    self.eta0 = 1.0
    return right.Perceptron.path(self, rows, codes, w)


mistake.rows("Perceptron.fit", ("Starts at zero whatever it is given.", "convergence eta1",
    lambda self, X, y, *start: right.Perceptron.fit(self, X, y)))  # fmt: skip
mistake.rows("Perceptron.path",
    ("Adds rows of length 1.", "update nonunique", lambda self, rows, codes, w:
        right.Perceptron.path(self, rows / np.linalg.norm(rows, axis=1, keepdims=True), codes, w)),
    ("Starts at weights of its own, not at zero.", "update proof-steps",
     lambda self, rows, codes, w: right.Perceptron.path(self, rows, codes, w + 0.5)),
)  # fmt: skip


@mistake("Perceptron.path", kills="goal convergence many-steps")
def _(self, rows, codes, w):
    """Stops after one pass."""
    self.pick, self.max_iter = "cyclic", 1
    return right.Perceptron.path(self, rows, codes, w)


@mistake("Perceptron.fit", kills="mistake-bound proof-steps update")
def _(self, X, y, *start):
    """Reports every row once, however often it was added."""
    right.Perceptron.fit(self, X, y, *start)
    self.mistakes_ = np.unique(self.mistakes_)
    return self


@mistake("Perceptron.fit", kills="mistake-bound proof-steps slack-bound")
def _(self, X, y, *start):
    """Claims to have made no mistake."""
    right.Perceptron.fit(self, X, y, *start)
    self.mistakes_ = self.mistakes_[:0]
    return self


@mistake("Perceptron.fit", kills="mistake-bound update")
def _(self, X, y, *start):
    """Reports what is no row."""
    right.Perceptron.fit(self, X, y, *start).mistakes_ = "none"
    return self


@mistake("Perceptron.path", kills="update nonunique")
def _(self, rows, codes, w):
    """Picks the last mistake for "first" and goes through the rows backwards."""
    states = right.Perceptron.path(self, rows[::-1], codes, w)
    return ((w, None if i is None else len(rows) - 1 - i) for w, i in states)


@mistake("Perceptron.fit", kills="nonseparable")
def _(self, X, y, *start):
    """Ends after max_iter without a word, as if it had converged."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return right.Perceptron.fit(self, X, y, *start)


@mistake("Perceptron.fit", kills="nonseparable")
def _(self, X, y, *start):
    """Gives equal weights for a proof, whatever the data."""
    right.Perceptron.fit(self, X, y, *start).combination_ = np.full(len(X), 2.0 / len(X))
    return self


mistake.rows("Perceptron.predict",
    ("Answers a score of zero with the first class.", "predict",
     lambda self, X: self.classes_[(self.decision_function(X) > 0).astype(int)]),
    ("Answers with np.sign and not with a label.", "predict",
     lambda self, X: np.sign(self.decision_function(X))),
)  # fmt: skip


@mistake("Perceptron.path", kills="batch erratum-s9")
def _(self, rows, codes, w):
    """Goes through the mistakes of a batch one after the other and tests again before each."""
    for _ in range(self.max_iter):
        batch = right.mistake_set(w, rows)
        for i in batch:
            w = w + rows[i] * (rows[i] @ w <= 0)
        yield w, batch


@mistake("Perceptron.path", kills="batch")
def _(self, rows, codes, w):
    """Moves by the mean of the mistakes in place of their sum."""
    while len(batch := right.mistake_set(w, rows)):
        w = w + rows[batch].mean(axis=0)
        yield w, batch


@mistake("Perceptron.fit", kills="erratum-s10 batch")
def _(self, X, y, *start):
    """Hands over the weights before the last update."""
    right.Perceptron.fit(self, X, y, *start)
    self.coef_ = self.path_[-2:][0]
    return self


@mistake("Perceptron.path", kills="averaged")
def _(self, rows, codes, w):
    """Averages over the updates, not over the visits."""
    states = right.Perceptron.path(self, rows, codes, w)
    return (state for state in states if self.output != "average" or state[1] is not None)


@mistake("Perceptron.path", kills="averaged")
def _(self, rows, codes, w):
    """Gives every weight vector one vote."""
    states = right.Perceptron.path(self, rows, codes, w)
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


@mistake("KernelPerceptron.decision_function", kills="gram-form")
def _(self, X):
    """Forgets the labels in the score."""
    self.signs = abs(self.signs)
    return right.KernelPerceptron.decision_function(self, X)


mistake.rows("KernelPerceptron.decision_function",
    ("Uses the kernel to learn and plain products to answer.", "gram-form",
     lambda self, X: X @ self.X.T @ (self.signs * self.counts_)),
)  # fmt: skip


@mistake("KernelPerceptron.fit", kills="gram-form")
def _(self, X, y):
    """Notes that a row was added, not how often."""
    right.KernelPerceptron.fit(self, X, y)
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


@mistake("Perceptron.fit", kills="eta1 erratum-y15")
def _(self, X, y, *start):
    """Names its updates, and hands out weights of zero."""
    right.Perceptron.fit(self, X, y, *start)
    self.coef_ = np.zeros_like(self.coef_)
    return self


mistake.rows("mistake_set", ("Takes every row for a mistake.", "erratum-w9", lambda w, Z: np.arange(len(Z))))
mistake.rows("separability", ("Says of all rows that no weights separate them.", "class erratum-w12",
    lambda Z: Separability(False, None, np.full(len(Z), 1 / len(Z)), 0.0, 0.0)))  # fmt: skip
