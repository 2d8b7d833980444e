"""Wrong perceptrons, one typical mistake each."""

import math
import warnings

import numpy as np

from mlnotes import perceptron as right
from mlnotes.base import ConvergenceWarning
from tests.mutants import Mutants

mutant = MUTANTS = Mutants()

MOVES = ("perceptron.update", "perceptron.goal", "perceptron.mistake-bound", "perceptron.nonunique")


class Loop:
    """The plain loop, right for two classes; every mutant changes one thing."""

    def __init__(
        self, pick="cyclic", output="last", eta0=1.0, fit_intercept=True, max_iter=1000, random_state=None
    ):
        self.pick, self.output, self.eta0, self.max_iter = pick, output, eta0, max_iter
        self.fit_intercept, self.rng = fit_intercept, np.random.default_rng(random_state)

    def signed(self, X, signs):
        rows = np.column_stack([X, np.ones(len(X))]) if self.fit_intercept else np.asarray(X, dtype=float)
        return rows * signs[:, None]

    def start(self, D):
        return np.zeros(D)

    def is_wrong(self, product):
        return product <= 0

    def move(self, w, z):
        return w + self.eta0 * z

    def choose(self, products, wrong):
        if self.pick == "worst":
            return int(np.argmin(products))
        return int(self.rng.choice(wrong)) if self.pick == "random" else int(wrong[0])

    def fit(self, X, y, coef_init=None, intercept_init=None):
        X = np.asarray(X, dtype=float)
        self.classes_, codes = np.unique(y, return_inverse=True)
        Z = self.signed(X, 2.0 * codes - 1)
        w = self.start(Z.shape[1])
        if coef_init is not None:
            w[: X.shape[1]] = np.ravel(coef_init)
        rows = []
        if self.pick == "cyclic":
            w, rows = self.cycle(Z, w)
        else:
            while len(rows) < len(Z) * self.max_iter:
                products = Z @ w
                wrong = np.flatnonzero(self.is_wrong(products))
                if not len(wrong):
                    break
                picked = wrong if self.pick == "batch" else [self.choose(products, wrong)]
                w = self.move_all(w, Z, picked)
                rows.extend(int(i) for i in picked)
        self.finish(X, Z, w, rows)
        return self

    def move_all(self, w, Z, picked):
        for i in picked:
            w = self.move(w, Z[i])
        return w

    def cycle(self, Z, w):
        rows = []
        for _ in range(self.max_iter):
            before = len(rows)
            for i, z in enumerate(Z):
                if self.is_wrong(z @ w):
                    w = self.move(w, z)
                    rows.append(i)
            if len(rows) == before:
                break
        return w, rows

    def finish(self, X, Z, w, rows):
        self.mistakes_ = np.array(rows, dtype=np.int64)
        self.coef_ = w[None, : X.shape[1]]
        self.intercept_ = w[X.shape[1] :] if len(w) > X.shape[1] else np.zeros(1)
        if (Z @ w <= 0).any():
            warnings.warn("not separated", ConvergenceWarning, stacklevel=2)
            self.combination_ = right.separability(Z).weights

    def decision_function(self, X):
        return np.asarray(X) @ self.coef_[0] + self.intercept_[0]

    def predict(self, X):
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]


@mutant(
    "Perceptron", kills=("perceptron.mistake-set", *MOVES, "perceptron.erratum-s9", "perceptron.proof-steps")
)
class Strict(Loop):
    """Takes only products below zero for mistakes: from zero it never moves."""

    def is_wrong(self, product):
        return product < 0


@mutant("Perceptron", kills=("perceptron.update", "perceptron.proof-steps", "perceptron.mistake-bound"))
class UpdatesRightRows(Loop):
    """Updates at every row of the first pass, right or wrong."""

    def cycle(self, Z, w):
        w, rows = super().cycle(Z, w + Z.sum(axis=0))
        return w, [*range(len(Z)), *rows]


@mutant("Perceptron", kills=("perceptron.update", "perceptron.erratum-w12", "perceptron.erratum-t10"))
class NoIntercept(Loop):
    """Forgets the appended 1."""

    def signed(self, X, signs):
        return np.asarray(X, dtype=float) * signs[:, None]


@mutant("Perceptron", kills=("perceptron.update", "perceptron.eta1", "perceptron.nonunique"))
class UnitRows(Loop):
    """Adds rows of length 1."""

    def move(self, w, z):
        return w + z / (np.linalg.norm(z) or 1.0)


@mutant("Perceptron", kills=("perceptron.eta1", "perceptron.erratum-y15"))
class NoStep(Loop):
    """Ignores the step."""

    def move(self, w, z):
        return w + z


@mutant("Perceptron", kills=("perceptron.convergence", "perceptron.eta1"))
class IgnoresTheStart(Loop):
    """Starts at zero whatever it is given."""

    def fit(self, X, y, coef_init=None, intercept_init=None):
        return super().fit(X, y)


@mutant("Perceptron", kills=("perceptron.update", "perceptron.proof-steps"))
class StartsAnywhere(Loop):
    """Starts at weights of its own, not at zero."""

    def start(self, D):
        return np.full(D, 0.5)


@mutant("Perceptron", kills=("perceptron.goal", "perceptron.convergence", "perceptron.many-steps"))
class OnePassOnly(Loop):
    """Stops after one pass and says nothing."""

    def fit(self, X, y, coef_init=None, intercept_init=None):
        self.max_iter = 1
        if self.pick != "cyclic":
            self.pick = "cyclic"
        return super().fit(X, y, coef_init)


@mutant("Perceptron", kills=("perceptron.mistake-bound", "perceptron.proof-steps", "perceptron.update"))
class CountsPasses(Loop):
    """Reports a pass where it should report an update."""

    def finish(self, X, Z, w, rows):
        super().finish(X, Z, w, rows)
        self.mistakes_ = np.unique(self.mistakes_)


@mutant("Perceptron", kills=("perceptron.mistake-bound", "perceptron.proof-steps", "perceptron.slack-bound"))
class ReportsNothing(Loop):
    """Claims to have made no mistake."""

    def finish(self, X, Z, w, rows):
        super().finish(X, Z, w, [])


@mutant("Perceptron", kills=("perceptron.mistake-bound", "perceptron.update"))
class ReportsText(Loop):
    """Reports what is no row."""

    def finish(self, X, Z, w, rows):
        super().finish(X, Z, w, rows)
        self.mistakes_ = "none"


@mutant("Perceptron", kills=("perceptron.update", "perceptron.nonunique"))
class LastMistakeFirst(Loop):
    """Picks the last mistake for "first" and goes through the rows backwards."""

    def choose(self, products, wrong):
        return int(wrong[-1])

    def cycle(self, Z, w):
        w, rows = super().cycle(Z[::-1], w)
        return w, [len(Z) - 1 - i for i in rows]


@mutant("Perceptron", kills=("perceptron.nonseparable",))
class SaysNothing(Loop):
    """Ends after max_iter without a word, as if it had converged."""

    def finish(self, X, Z, w, rows):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            super().finish(X, Z, w, rows)


@mutant("Perceptron", kills=("perceptron.nonseparable",))
class ProvesNothing(Loop):
    """Gives equal weights for a proof, whatever the data."""

    def finish(self, X, Z, w, rows):
        super().finish(X, Z, w, rows)
        self.combination_ = np.full(len(Z), 2.0 / len(Z))


@mutant("Perceptron", kills=("perceptron.predict",))
class SignOfZero(Loop):
    """Answers a score of zero with the first class."""

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


@mutant("Perceptron", kills=("perceptron.predict",))
class AnswersSigns(Loop):
    """Answers with np.sign and not with a label."""

    def predict(self, X):
        return np.sign(self.decision_function(X))


@mutant("Perceptron", kills=("perceptron.batch", "perceptron.erratum-s9"))
class BatchOneByOne(Loop):
    """Goes through the mistakes of a batch one after the other and tests again before each."""

    def move_all(self, w, Z, picked):
        for i in picked:
            if Z[i] @ w <= 0:
                w = self.move(w, Z[i])
        return w


@mutant("Perceptron", kills=("perceptron.batch",))
class BatchMean(Loop):
    """Moves by the mean of the mistakes in place of their sum."""

    def move_all(self, w, Z, picked):
        return w + self.eta0 * Z[picked].mean(axis=0)


@mutant("Perceptron", kills=("perceptron.erratum-s10", "perceptron.batch"))
class BatchLosesTheLast(Loop):
    """Hands over the weights before the last update."""

    def move_all(self, w, Z, picked):
        self.before = w
        return super().move_all(w, Z, picked)

    def finish(self, X, Z, w, rows):
        super().finish(X, Z, self.before if self.pick == "batch" else w, rows)


@mutant("Perceptron", kills=("perceptron.averaged",))
class AverageOfUpdates(right.Perceptron):
    """Averages over the updates, not over the visits."""

    def fit(self, X, y, *start):
        super().fit(X, y, *start)
        if self.output == "average":
            signs = 2.0 * (np.asarray(y) == self.classes_[1]) - 1
            Z = np.asarray(X) * signs[:, None]
            self.coef_ = np.cumsum(Z[self.mistakes_], axis=0).mean(axis=0)[None]
        return self


@mutant("Perceptron", kills=("perceptron.averaged",))
class VoteOnce(right.Perceptron):
    """Gives every weight vector one vote."""

    def fit(self, X, y, *start):
        super().fit(X, y, *start)
        if self.output == "vote":
            self.votes_ = np.ones_like(self.votes_)
        return self


class Classes(right.Perceptron):
    """A loop over the rows for more than two classes."""

    def subtract(self, W, rival, k, x):
        W[rival] -= x

    def own(self, W, k, x):
        W[k] += x

    def is_wrong(self, mine, best):
        return mine <= best

    def fit(self, X, y, *start):
        super().fit(X, y, *start)
        if len(self.classes_) == 2:
            return self
        codes, W, rows = np.searchsorted(self.classes_, y), np.zeros_like(self.coef_), []
        for _ in range(200):
            before = len(rows)
            for i, x in enumerate(np.asarray(X)):
                scores, k = W @ x, codes[i]
                mine, scores[k] = scores[k], -math.inf
                if self.is_wrong(mine, scores.max()):
                    rival = int(scores.argmax())
                    self.own(W, k, x)
                    self.subtract(W, rival, k, x)
                    rows.append(i)
            if len(rows) == before:
                break
        self.coef_, self.mistakes_ = W, np.array(rows, dtype=np.int64)
        return self


@mutant("Perceptron", kills=("perceptron.multiclass",))
class OnlyAdds(Classes):
    """Adds the row to its class and subtracts it nowhere."""

    def subtract(self, W, rival, k, x):
        pass


@mutant("Perceptron", kills=("perceptron.multiclass",))
class SubtractsEverywhere(Classes):
    """Subtracts the row from all other classes."""

    def subtract(self, W, rival, k, x):
        W[np.arange(len(W)) != k] -= x


@mutant("Perceptron", kills=("perceptron.multiclass",))
class TiesAreRight(Classes):
    """Takes a tie for right: from zero it never moves."""

    def is_wrong(self, mine, best):
        return mine < best


@mutant("KernelPerceptron", kills=("perceptron.gram-form",))
class KernelWithoutLabels(right.KernelPerceptron):
    """Forgets the labels in the score."""

    def _scores(self, X):
        return self._gram(X, self._X) @ abs(self._weights)


@mutant("KernelPerceptron", kills=("perceptron.gram-form",))
class KernelInTrainingOnly(right.KernelPerceptron):
    """Uses the kernel to learn and plain products to answer."""

    def _scores(self, X):
        return X @ self._X.T @ self._weights


@mutant("KernelPerceptron", kills=("perceptron.gram-form",))
class KernelCountsOnce(right.KernelPerceptron):
    """Notes that a row was added, not how often."""

    def fit(self, X, y):
        super().fit(X, y)
        self.counts_, self._weights = np.sign(self.counts_), np.sign(self._weights)
        return self


# ------------------------------------------------------------------- formulas


@mutant("signed_rows", kills=("perceptron.merge", "perceptron.class"))
def _(X, y, *, fit_intercept=True):
    """Appends the 1 after the sign: it is 1 in both classes."""
    rows = np.asarray(X) * np.asarray(y)[:, None]
    return np.column_stack([rows, np.ones(len(rows))]) if fit_intercept else rows


@mutant("signed_rows", kills=("perceptron.merge", "perceptron.class"))
def _(X, y, *, fit_intercept=True):
    """Appends the 1 always."""
    return right.signed_rows(X, y)


@mutant("mistake_set", kills=("perceptron.mistake-set", "perceptron.erratum-w9"))
def _(w, Z):
    """Leaves out the boundary."""
    return np.flatnonzero(np.asarray(Z) @ w < 0)


@mutant("mistake_set", kills=("perceptron.mistake-set",))
def _(w, Z):
    """Returns the rows that are right."""
    return np.flatnonzero(np.asarray(Z) @ w > 0)


@mutant(
    "perceptron_loss",
    kills=("perceptron.loss", "perceptron.loss-dist", "perceptron.erm-view", "perceptron.erratum-y14"),
)
def _(w, Z):
    """Adds distances: divides by the norm of w."""
    return right.perceptron_loss(w, Z) / max(float(np.linalg.norm(w)), 1e-300)


@mutant("perceptron_loss", kills=("perceptron.loss", "perceptron.erm-view"))
def _(w, Z):
    """Counts the mistakes."""
    return float((np.asarray(Z) @ w <= 0).sum())


@mutant("perceptron_loss", kills=("perceptron.loss", "perceptron.erratum-s11", "perceptron.erratum-y14"))
def _(w, Z):
    """The hinge loss: a margin of 1."""
    return float(np.maximum(0, 1 - np.asarray(Z) @ w).sum())


@mutant("perceptron_subgradient", kills=("perceptron.subgradient", "perceptron.sgd-view"))
def _(w, Z):
    """Has the sign of the update."""
    return -right.perceptron_subgradient(w, Z)


@mutant("perceptron_subgradient", kills=("perceptron.subgradient", "perceptron.sgd-view"))
def _(w, Z):
    """Divides by the number of rows."""
    return right.perceptron_subgradient(w, Z) / len(Z)


@mutant("perceptron_subgradient", kills=("perceptron.subgradient", "perceptron.sgd-view"))
def _(w, Z):
    """Adds all rows, right or wrong."""
    return -np.asarray(Z).sum(axis=0)


@mutant("margin", kills=("perceptron.margin", "perceptron.nonunique", "perceptron.erratum-w11"))
def _(w, Z):
    """Does not divide by the norm of w."""
    return float((np.asarray(Z) @ w).min())


@mutant("margin", kills=("perceptron.margin",))
def _(w, Z):
    """Takes the farthest point."""
    return float((np.asarray(Z) @ w).max() / np.linalg.norm(w))


@mutant("mistake_bound", kills=("perceptron.mistake-bound", "perceptron.convergence"))
def _(radius, margin, *, start_norm=0.0, start_along=0.0):
    """Does not square the radius."""
    return radius / margin**2


@mutant("mistake_bound", kills=("perceptron.mistake-bound", "perceptron.convergence"))
def _(radius, margin, *, start_norm=0.0, start_along=0.0):
    """Does not square the margin."""
    return radius**2 / margin


@mutant("mistake_bound", kills=("perceptron.convergence",))
def _(radius, margin, *, start_norm=0.0, start_along=0.0):
    """Forgets the start."""
    return (radius / margin) ** 2


@mutant("slack_bound", kills=("perceptron.slack-bound",))
def _(w, Z, margin):
    """Forgets what the rows lack."""
    return (right.longest(np.asarray(Z)) / margin) ** 2


@mutant("slack_bound", kills=("perceptron.slack-bound",))
def _(w, Z, margin):
    """Does not normalise w."""
    lack = np.maximum(0, margin - np.asarray(Z) @ w)
    return ((right.longest(np.asarray(Z)) + np.linalg.norm(lack)) / margin) ** 2


@mutant("one_pass", kills=("perceptron.pseudocode", "perceptron.erratum-t11"))
def _(X, y, *, rate=0.5):
    """Moves by r, not 2 r."""
    return right.one_pass(X, y, rate=rate / 2)


@mutant("one_pass", kills=("perceptron.pseudocode",))
def _(X, y, *, rate=0.5):
    """Takes a score of zero for a mistake of every label."""
    b = np.zeros(np.shape(X)[1] + 1)
    for z in right.signed_rows(X, y):
        b += 2 * rate * z * (z @ b <= 0)
    return b


@mutant("one_pass", kills=("perceptron.erratum-t10",))
def _(X, y, *, rate=0.5):
    """Goes on until there is no mistake."""
    model = right.Perceptron().fit(X, y)
    return np.append(model.coef_, model.intercept_)


@mutant("separability", kills=("perceptron.separable", "perceptron.nonunique"))
def _(Z, *, exact=False, **options):
    """Gives a separator and no weights."""
    found = right.separability(Z, exact=exact)
    return right.Separability(found.separable, found.w, 0 * found.weights, found.lower, math.inf)


@mutant(
    "separability", kills=("perceptron.separable", "perceptron.class", "perceptron.erratum-w10")
)  # fmt: skip
def _(Z, *, exact=False, **options):
    """Takes products of zero for separated: w = 0 separates everything."""
    found = right.separability(Z, exact=exact)
    return right.Separability(True, found.w, found.weights, found.lower, found.upper)
