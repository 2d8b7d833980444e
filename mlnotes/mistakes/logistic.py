"""Mistakes in what the reference module does not have: logarithms, and slow solvers."""

import numpy as np

from mlnotes.estimators.logistic import LogisticRegression
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("logistic")


@mistake("LogisticRegression.fit", kills="mle penalty recovers-binary")
def _(self, X, y, sample_weight=None):
    """Stops after two steps."""
    self.max_iter = 2
    return LogisticRegression.fit(self, X, y, sample_weight)


@mistake("LogisticRegression.predict_log_proba", kills="solvers")
def _(self, X):
    """Takes logarithms of probabilities, which have underflown."""
    return np.log(np.maximum(self.predict_proba(X), 1e-300))


@mistake("LogisticRegression.fit", kills="solvers")
def _(self, X, y, sample_weight=None):
    """Forgets the penalty in the stochastic solver."""
    self.penalty = None if self.solver == "sgd" else self.penalty
    return LogisticRegression.fit(self, X, y, sample_weight)


@mistake("LogisticRegression.fit", kills="solvers")
def _(self, X, y, sample_weight=None):
    """Stops gradient descent after three steps."""
    self.max_iter = 3 if self.solver == "gd" else self.max_iter
    return LogisticRegression.fit(self, X, y, sample_weight)
