"""Mistakes about ensembles that are no line of the board, or would take the board too long."""

import numpy as np

from mlnotes.estimators import boosting
from mlnotes.estimators.ensemble import AdaBoostClassifier, RandomForestClassifier
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("ensemble")


@mistake("RandomForestClassifier.fit", kills="forest-decorrelate")
def _(self, X, y):
    """Ignores max_features."""
    self.max_features = None
    return RandomForestClassifier.fit(self, X, y)


@mistake("RandomForestClassifier.fit", kills="forest-decorrelate")
def _(self, X, y):
    """Looks at one feature at each node, whatever max_features says."""
    self.max_features = 1
    return RandomForestClassifier.fit(self, X, y)


@mistake("AdaBoostClassifier._weak_learner", kills="boosting-setup")
def _(self, X, codes):
    """Copies a method of one's own with the same seed for each round."""
    if self.estimator is None:
        return AdaBoostClassifier._weak_learner(self, X, codes)
    return lambda X, codes, w: boosting.fresh_copy(self.estimator, np.random.default_rng(0)).fit(
        X, codes, sample_weight=w
    )
