"""Mistakes about ensembles that are no line of the board."""

import numpy as np

from mlnotes.estimators import boosting
from mlnotes.estimators.ensemble import AdaBoostClassifier
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("ensemble")


@mistake("AdaBoostClassifier._weak_learner", kills="boosting-setup")
def _(self, X, codes):
    """Copies a method of one's own with the same seed for each round."""
    if self.estimator is None:
        return AdaBoostClassifier._weak_learner(self, X, codes)
    return lambda X, codes, w: boosting.fresh_copy(self.estimator, np.random.default_rng(0)).fit(
        X, codes, sample_weight=w
    )
