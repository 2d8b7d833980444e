"""Mistakes about ensembles that are no line of the board, or would take the board too long."""

import numpy as np

from mlnotes.estimators import boosting
from mlnotes.estimators.ensemble import AdaBoostClassifier, RandomForestClassifier
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("ensemble")


def fit_among(m):
    return lambda self, X, y: RandomForestClassifier.fit(self.set_params(max_features=m), X, y)


mistake.rows("RandomForestClassifier.fit",
    ("Ignores max_features.", "forest-decorrelate", fit_among(None)),
    ("Looks at one feature at each node, whatever max_features says.", "forest-decorrelate", fit_among(1)),
)  # fmt: skip


@mistake("AdaBoostClassifier._weak_learner", kills="boosting-setup")
def _(self, X, codes):
    """Copies a method of one's own with the same seed for each round."""
    if self.estimator is None:
        return AdaBoostClassifier._weak_learner(self, X, codes)
    return lambda X, codes, w: boosting.fresh_copy(self.estimator, np.random.default_rng(0)).fit(
        X, codes, sample_weight=w
    )
