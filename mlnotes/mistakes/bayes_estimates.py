"""Mistakes about what estimates put in place of Bayes rule, as students make them.

Wrong code may divide by zero or overflow: the tests let it.
"""

import math

import numpy as np

from mlnotes import bayes as board
from mlnotes.estimators import bayes as right
from mlnotes.mistakes import Change, Mistakes, scaled

mistake = MISTAKES = Mistakes("bayes")


# ------------------------------------------------------------------- losses of a margin


mistake.rows("misclassification_loss",
    ("1{m < 0}: a point on the boundary is right.", "setup-losses",
     lambda margin: (np.asarray(margin) < 0).astype(float)),
    ("Compares the sign with itself: no margin is an error.", "setup-losses",
     lambda margin: (np.sign(margin) != np.sign(margin)).astype(float)),
)  # fmt: skip
mistake.rows("hinge_loss",
    ("max(0, 1 - m)^2.", "setup-losses", lambda margin: np.maximum(0, 1 - np.asarray(margin)) ** 2),
    ("max(0, 1 + m).", "setup-losses setup-surrogate erratum-s7",
     lambda margin: np.maximum(0, 1 + np.asarray(margin))),
)  # fmt: skip
mistake.rows("perceptron_loss",
    ("max(0, m).", "setup-losses", lambda margin: np.maximum(0, np.asarray(margin))),
    ("max(0, 1 - m).", "setup-losses setup-surrogate erratum-s7",
     lambda margin: np.maximum(0, 1 - np.asarray(margin))),
)  # fmt: skip
mistake.rows("logistic_loss", ("log(1 + exp(-m)) as it stands: infinite at m = -1000.", "setup-losses",
    lambda margin: np.log(1 + np.exp(-np.asarray(margin)))))  # fmt: skip


@mistake("logistic_loss", "exponential_loss", kills="setup-losses setup-surrogate")
def grows_with_the_margin(margin):
    """e^m: a large margin is punished."""
    return np.exp(np.minimum(np.asarray(margin), 700))


mistake.rows("regularised_risk",
    ("Divides lambda by n as well.", "setup-regularised-erm",
     lambda w, b, X, y, *, penalty, loss=board.hinge_loss:
        board.regularised_risk(w, b, X, y, penalty=penalty / len(X), loss=loss)),
    ("lambda |w|^2.", "setup-regularised-erm", lambda w, b, X, y, *, penalty, loss=board.hinge_loss:
        board.regularised_risk(w, b, X, y, penalty=2 * penalty, loss=loss)),
    ("Penalises the bias too.", "setup-regularised-erm erratum-s8",
     lambda w, b, X, y, *, penalty, loss=board.hinge_loss:
        board.regularised_risk(w, b, X, y, penalty=penalty, loss=loss) + penalty / 2 * b**2),
)  # fmt: skip


@mistake("regularised_risk", kills="setup-regularised-erm")
def sum_of_losses(w, b, X, y, *, penalty, loss=board.hinge_loss):
    """Adds the losses up and does not divide by n."""
    X, w = np.asarray(X), np.asarray(w)
    return float(loss(np.asarray(y) * (X @ w + b)).sum() + penalty / 2 * w @ w)


mistake.rows("append_one",
    ("Puts the column of ones in front.", "setup-bias-merge erratum-s8",
     lambda X: np.column_stack([np.ones(len(X)), X])),
    ("Appends a column of zeros: the bias is lost.", "setup-bias-merge",
     lambda X: np.column_stack([X, np.zeros(len(X))])),
)  # fmt: skip


# ------------------------------------------------------------------- maximum likelihood


mistake.rows("bernoulli_mle",
    ("(n_1 + 1) / (n + 2): a posterior mean, not the maximum of the likelihood.",
     "mle-bernoulli mle-def erratum-r8",
     lambda y:
        (sum(y) + 1) / (len(y) + 2)),
    ("1 - p in place of p.", "mle-bernoulli mle-def erratum-r8", lambda y: 1 - sum(y) / len(y)),
    ("n_1 / (n - 1), cut at 1.", "mle-bernoulli", lambda y: min(1.0, sum(y) / max(len(y) - 1, 1))),
)  # fmt: skip


mistake.rows("Gaussian.log_density",
    ("1 / (sqrt(2 pi) sigma^2) before the exponential.", "mle-likelihood erratum-r4 erratum-r6",
     lambda self, X: right.Gaussian.log_density(self, X) - np.linalg.slogdet(self.covariance)[1] / 2),
    ("The exponential alone, without 1 / (sqrt(2 pi) sigma).",
     "mle-likelihood mle-ex1.2 erratum-r4 erratum-r5 erratum-r6",
     lambda self, X: -0.5 * (self.whiten(X) ** 2).sum(axis=1)),
    ("Takes logarithms to the base 10.", "mle-likelihood mle-ex1.2 erratum-r5", scaled(1 / math.log(10))),
    ("Returns densities, so that their sum stands for a product.", "mle-likelihood mle-ex1.2 erratum-r5",
     Change(np.exp)),
    ("Takes the covariance for a standard deviation.", "mle-likelihood erratum-r4 erratum-r6",
     lambda self, X: right.Gaussian(self.mean, self.covariance @ self.covariance).log_density(X)),
)  # fmt: skip


def fit_with(covariance):
    """Return the fit whose covariance is this function of the right one and of the rows."""
    return classmethod(lambda cls, X: cls(X.mean(axis=0), covariance(right.Gaussian.fit(X).covariance, X)))


mistake.rows("Gaussian.fit",
    ("The unbiased covariance, which is not the maximum of the likelihood.", "mle-gauss-params",
     fit_with(lambda S, X: S * len(X) / (len(X) - 1))),
    ("Variances over n, covariances over n - 1.", "mle-gauss-params",
     fit_with(lambda S, X: S * np.where(np.eye(len(S)), 1, len(X) / (len(X) - 1)))),
    ("Forgets to subtract the mean before squaring.", "mle-gauss-params",
     fit_with(lambda S, X: X.T @ X / len(X))),
)  # fmt: skip
mistake.rows("score_residual",
    ("Looks at the mean of the whitened rows and forgets their second moments.", "mle-gauss",
     lambda law, X: abs(law.whiten(X).mean(axis=0)).max()),
)  # fmt: skip


@mistake("rejection_threshold", kills="setup-novelty")
def one_too_many(scores, rate):
    """Takes the next larger score."""
    values = np.sort(scores)
    return values[min(int(rate * len(values)) + 1, len(values) - 1)]


@mistake("rejection_threshold", kills="setup-novelty")
def rejects_the_normal_ones(scores, rate):
    """Cuts at the other end."""
    values = np.sort(scores)
    return values[int((1 - rate) * (len(values) - 1))]


mistake.rows("rejection_threshold",
    ("Cuts at a share of the range of the scores, not of the rows.", "setup-novelty",
     lambda scores, rate: min(scores) + rate * (max(scores) - min(scores))),
)  # fmt: skip


# ------------------------------------------------------------------- the plug-in classifier


mistake.rows("PlugInClassifier.predict",
    ("Answers with the number of the class in place of its label.", "setup-classifier setup-labels",
     lambda self, X: self.predict_proba(X).argmax(axis=1)),
    ("Knows the labels 0 and 1 only.", "setup-classifier setup-labels",
     lambda self, X: (self.predict_proba(X)[:, 1] >= 0.5).astype(int)),
)  # fmt: skip


@mistake("PlugInClassifier.predict", kills="setup-classifier setup-labels")
def _(self, X):
    """Knows the labels -1 and 1 only, and a tie is neither."""
    posterior = self.predict_proba(X)
    return np.sign(posterior[:, -1] - posterior[:, 0])


@mistake("PlugInClassifier.fit", kills="setup-labels")
def _(self, X, y):
    """Keeps the labels in the order in which they come, the posterior in another."""
    right.PlugInClassifier.fit(self, X, y)
    self.classes_ = np.array(list(dict.fromkeys(np.asarray(y).tolist())))
    return self


@mistake("PlugInClassifier", kills="setup-data-matrix")
class GuessesTheOrientation(right.PlugInClassifier):
    """Transposes X without a word until its rows match."""

    def fit(self, X, y):
        return super().fit(X if len(X) == len(y) else np.transpose(X), y)

    def _check_input(self, X):
        X = np.atleast_2d(X)
        return super()._check_input(X if X.shape[1] == self.n_features_in_ else X.T)


@mistake("PlugInClassifier.fit", kills="setup-data-matrix")
def _(self, X, y):
    """Drops rows without a label, as zip does."""
    n = min(len(X), len(y))
    return right.PlugInClassifier.fit(self, X[:n], y[:n])


mistake.rows("PlugInClassifier.fit",
    ("Learns one class and answers it always.", "setup-novelty-why-not-binary",
     lambda self, X, y: self if len(np.unique(y)) == 1 else right.PlugInClassifier.fit(self, X, y)),
)  # fmt: skip


@mistake("PlugInClassifier.fit", kills="plugin-raised plugin-generative")
def _(self, X, y):
    """Adds a thousandth to every variance: no class is singular, and no posterior is that of the fit."""
    right.PlugInClassifier.fit(self, X, y)
    spread = [f.covariance + 1e-3 * np.eye(len(f.mean)) for f in self.densities_]
    self.densities_ = [right.Gaussian(f.mean, S) for f, S in zip(self.densities_, spread, strict=True)]
    return self


@mistake("PlugInClassifier.fit", kills="plugin-generative")
def _(self, X, y):
    """Forgets the class frequencies."""
    right.PlugInClassifier.fit(self, X, y)
    self.prior_ = np.full(len(self.prior_), 1 / len(self.prior_))
    return self


@mistake("PlugInClassifier.fit", kills="plugin-generative")
def _(self, X, y):
    """Divides by n_k - 1."""
    right.PlugInClassifier.fit(self, X, y)
    counts = self.prior_ * len(X)
    self.densities_ = [
        right.Gaussian(f.mean, f.covariance * n / (n - 1))
        for f, n in zip(self.densities_, counts, strict=True)
    ]
    return self


@mistake("PlugInClassifier.fit", kills="plugin-generative")
def _(self, X, y):
    """Pools the covariances: linear, not quadratic."""
    right.PlugInClassifier.fit(self, X, y)
    pooled = sum(p * f.covariance for p, f in zip(self.prior_, self.densities_, strict=True))
    self.densities_ = [right.Gaussian(f.mean, pooled) for f in self.densities_]
    return self


@mistake("PlugInClassifier.fit", kills="plugin-generative")
def _(self, X, y):
    """Drops the correlations: naive Bayes."""
    right.PlugInClassifier.fit(self, X, y)
    self.densities_ = [right.Gaussian(f.mean, np.diag(np.diag(f.covariance))) for f in self.densities_]
    return self


@mistake("PlugInClassifier.predict_proba", kills="plugin-far-points")
def _(self, X):
    """Multiplies densities: far from the data all are 0."""
    X = self._check_input(X)
    joint = self.prior_ * np.exp(np.column_stack([f.log_density(X) for f in self.densities_]))
    return joint / joint.sum(axis=1, keepdims=True)


@mistake("PlugInClassifier.predict_proba", kills="plugin-far-points")
def _(self, X):
    """Adds 1e-300 to every density against the division 0 / 0: far from the data all classes are equal."""
    X = self._check_input(X)
    joint = self.prior_ * (np.exp(np.column_stack([f.log_density(X) for f in self.densities_])) + 1e-300)
    return joint / joint.sum(axis=1, keepdims=True)
