"""Mistakes about laws that are drawn from, and about data of the wrong shape, as students make them."""

import math
from dataclasses import dataclass

import numpy as np

from mlnotes import bayes as board
from mlnotes.estimators.bayes import PlugInClassifier
from mlnotes.laws.datasets import BeersLaw as RightBeers
from mlnotes.laws.datasets import FiniteLaw, GaussianClasses, recitation_example
from mlnotes.laws.losses import hinge_loss
from mlnotes.mistakes import Change, Mistakes

mistake = MISTAKES = Mistakes("bayes")


# ------------------------------------------------------------------- finite laws


def law_with(sampler):
    """Return a class of finite laws that draws with `sampler(law, n, rng)`."""
    return type("WrongLaw", (FiniteLaw,), {"sample": sampler, "__doc__": sampler.__doc__})


@mistake("FiniteLaw", kills="setup-iid")
@law_with
def labels_from_the_prior(law, n, rng):
    """Draws the label without looking at x."""
    X, _ = FiniteLaw.sample(law, n, rng)
    return X, FiniteLaw.sample(law, n, rng)[1]


@mistake("FiniteLaw", kills="setup-iid")
@law_with
def fixed_class_counts(law, n, rng):
    """Draws exactly n P(Y = k) rows of class k."""
    X, y = FiniteLaw.sample(law, 4 * n + 1000, rng)
    keep = [np.flatnonzero(y == k)[: round(n * p)] for k, p in enumerate(law.prior)]
    rows = rng.permutation(np.concatenate(keep))
    return X[rows], y[rows]


@mistake("FiniteLaw", kills="setup-iid")
@law_with
def every_row_twice(law, n, rng):
    """Repeats each draw: the rows are not independent."""
    X, y = FiniteLaw.sample(law, n // 2, rng)
    return np.repeat(X, 2, axis=0), np.repeat(y, 2)


@mistake("FiniteLaw", kills="setup-iid")
@law_with
def the_sample_twice(law, n, rng):
    """Draws half of the rows and appends a copy of them."""
    X, y = FiniteLaw.sample(law, n // 2, rng)
    return np.tile(X, (2, 1)), np.tile(y, 2)


@mistake("FiniteLaw", kills="setup-iid")
@law_with
def atoms_are_equally_likely(law, n, rng):
    """Draws x uniformly, then y given x."""
    x = rng.integers(0, law.n_atoms, n)
    y = (rng.random(n) < law.conditional().astype(float)[x, 1]).astype(int)
    return x[:, None].astype(float), y


def posterior_from(eta):
    """Return a posterior whose second column is this function of sleep and beers together."""

    def posterior(self, X):
        one = eta(np.asarray(X, dtype=float).sum(axis=1))
        return np.column_stack([1 - one, one])

    return posterior


mistake.rows("BeersLaw.posterior",
    ("Passes whoever is below 7: laziness is forgotten.", "beers-eta beers-rule",
     posterior_from(lambda s: 1.0 * (s <= 7))),
    ("Puts the threshold at 7 + log 2.", "beers-eta beers-rule",
     posterior_from(lambda s: 1.0 * (s <= 7 + math.log(2)))),
    ("Takes the logarithm to the base 10.", "beers-eta beers-rule",
     posterior_from(lambda s: 1.0 * (s <= 7 - math.log10(2)))),
    ("1 - e^(s - 7) also where it is negative.", "beers-eta", posterior_from(lambda s: -np.expm1(s - 7))),
    ("1 - e^(7 - s), cut at 0.", "beers-eta beers-rule",
     posterior_from(lambda s: np.maximum(0, -np.expm1(7 - s)))),
)  # fmt: skip
mistake.rows("BeersLaw.bayes_risk", ("Returns the risk of the threshold 7.", "beers-rule",
    lambda self: 24.5 * math.exp(-7)))  # fmt: skip


@mistake("BeersLaw.sample", kills="beers-model")
def _(self, n, rng):
    """Forgets the third variable in the draw."""
    X = rng.exponential(size=(n, 2))
    return X, (X.sum(axis=1) <= 7).astype(int)


mistake.rows("BeersLaw.sample",
    ("Draws who passes without looking at sleep and beers.", "beers-model",
     lambda self, n, rng: (RightBeers.sample(self, n, rng)[0], RightBeers.sample(self, n, rng)[1])),
)  # fmt: skip


@mistake("BeersLaw.sample", kills="beers-model")
def _(self, n, rng):
    """Takes the rate for the mean: exponentials of mean 2, and a limit of 14."""
    X, y = RightBeers.sample(self, n, rng)
    return 2 * X, y


class WrongClasses(GaussianClasses):
    def root(self, k):
        return np.linalg.cholesky(self.covariances[k])

    def sample(self, n, rng):
        y = rng.choice(len(self.prior), size=n, p=self.prior)
        roots = np.array([self.root(k) for k in range(len(self.prior))])
        return self.means[y] + np.einsum("nij,nj->ni", roots[y], rng.standard_normal((n, 2))), y


@mistake("GaussianClasses", kills="generative-model")
class FactorTransposed(WrongClasses):
    """Multiplies by the transpose of the Cholesky factor."""

    def root(self, k):
        return super().root(k).T


@mistake("GaussianClasses", kills="generative-model")
class CovarianceForStandardDeviation(WrongClasses):
    """Multiplies by the covariance in place of its root."""

    def root(self, k):
        return self.covariances[k]


@mistake("GaussianClasses", kills="generative-model")
class PriorSwapped(WrongClasses):
    """p is the probability of class 0."""

    def sample(self, n, rng):
        return GaussianClasses(self.prior[::-1], self.means, self.covariances).sample(n, rng)


@mistake("GaussianClasses", kills="generative-model")
class CorrelationOfTheWrongSign(WrongClasses):
    """Mirrors the draws at the axis."""

    def root(self, k):
        return super().root(k) * [[1], [-1]]


mistake.rows("GaussianClasses.posterior",
    ("Normalises the densities: the prior is missing.", "generative-model",
     lambda self, X: board.posterior([0.5, 0.5], self.log_density(X))),
    ("Uses the average covariance for both classes.", "generative-model",
     lambda self, X: GaussianClasses(self.prior, self.means, self.covariances.mean(axis=0)).posterior(X)),
)  # fmt: skip


def example(kind, risk=0.0225145165):
    """Return a maker of Example 1.1 as a law of another kind, or with another risk."""
    law, told = recitation_example(), type(kind.__name__, (kind,), {"bayes_risk": lambda self: risk})
    return lambda: told(law.prior, law.means, law.covariances)


for kind in (FactorTransposed, CovarianceForStandardDeviation, PriorSwapped, CorrelationOfTheWrongSign):
    mistake.add(kind.__doc__, "generative-ex1.1", {"recitation_example": example(kind)})
mistake.rows("recitation_example", ("Returns the risk of maximum likelihood.", "generative-ex1.1",
    example(GaussianClasses, 0.0229850105)))  # fmt: skip


# ------------------------------------------------------------------- tables


@dataclass
class Table:
    y: np.ndarray


mistake.rows("articles",
    ("Reads the topics from right to left.", "setup-articles",
     lambda: Table(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]]))),
    ("Codes no as 1.", "setup-articles", lambda: Table(np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1]]))),
)  # fmt: skip


# ------------------------------------------------------------------- data of the wrong shape


@mistake("PlugInClassifier", kills="setup-data-matrix")
class GuessesTheOrientation(PlugInClassifier):
    """Transposes X without a word until its rows match."""

    def fit(self, X, y):
        return super().fit(X if len(X) == len(y) else np.transpose(X), y)

    def _check_input(self, X):
        X = np.atleast_2d(X)
        return super()._check_input(X if X.shape[1] == self.n_features_in_ else X.T)


mistake.rows("PlugInClassifier.fit",
    ("Drops rows without a label, as zip does.", "setup-data-matrix",
     lambda self, X, y: PlugInClassifier.fit(self, *(part[: min(len(X), len(y))] for part in (X, y)))),
)  # fmt: skip


# ------------------------------------------------------------------- losses of a margin


mistake.rows("misclassification_loss",
    ("1{m < 0}: a point on the boundary is right.", "setup-losses",
     lambda margin: (np.asarray(margin) < 0).astype(float)),
    ("Compares the sign with itself: no margin is an error.", "setup-losses",
     lambda margin: np.zeros(np.shape(margin))),
)  # fmt: skip

mistake.rows("hinge_loss",
    ("max(0, 1 - m)^2.", "setup-losses", Change(np.square)),
    ("max(0, 1 + m).", "setup-losses setup-surrogate erratum-s7", lambda margin: np.maximum(0.0, 1 + margin)),
)  # fmt: skip

mistake.rows("perceptron_loss",
    ("max(0, m).", "setup-losses", lambda margin: np.maximum(0.0, margin)),
    ("max(0, 1 - m).", "setup-losses setup-surrogate erratum-s7", lambda margin: np.maximum(0.0, 1 - margin)),
)  # fmt: skip

mistake.rows("logistic_loss",
    ("log(1 + exp(-m)) as it stands: infinite at m = -1000.", "setup-losses",
     lambda margin: np.log(1 + np.exp(-margin))),
)  # fmt: skip

mistake.rows("exponential_loss",
    ("e^m: a large margin is punished.", "setup-losses setup-surrogate", np.exp),
)  # fmt: skip


def risk_with(weight, power=1, bias=0):
    """Return a risk with another penalty, or another power of n as the divisor."""

    def regularised_risk(w, b, X, y, *, penalty, loss=hinge_loss):
        losses = loss(y * (np.dot(X, w) + b)).sum() / len(X) ** power
        return losses + penalty * weight(len(X)) * (np.dot(w, w) + bias * b**2)

    return regularised_risk


mistake.rows("regularised_risk",
    ("Divides lambda by n as well.", "setup-regularised-erm", risk_with(lambda n: 0.5 / n)),
    ("lambda |w|^2.", "setup-regularised-erm", risk_with(lambda n: 1.0)),
    ("Penalises the bias too.", "setup-regularised-erm erratum-s8", risk_with(lambda n: 0.5, bias=1)),
    ("Adds the losses up and does not divide by n.", "setup-regularised-erm",
     risk_with(lambda n: 0.5, power=0)),
)  # fmt: skip
