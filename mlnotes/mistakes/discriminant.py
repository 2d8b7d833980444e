"""Mistakes about singular covariances, which the estimator alone accepts."""

import numpy as np

from mlnotes.estimators.discriminant import LinearDiscriminantAnalysis
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("discriminant")


@mistake("LinearDiscriminantAnalysis", kills="lda-pinv")
class AddsARidge(LinearDiscriminantAnalysis):
    """Adds a ridge to the covariance by default."""

    def __init__(self, *, priors=None, shrinkage=0.1):
        super().__init__(priors=priors, shrinkage=shrinkage)


@mistake("LinearDiscriminantAnalysis.fit", kills="lda-pinv erratum-t7")
def _(self, X, y):
    """Adds a little noise to singular data, and does not warn."""
    noise = np.random.default_rng(0).standard_normal(np.shape(X))
    return LinearDiscriminantAnalysis.fit(self, X + 1e-3 * noise, y)


@mistake("LinearDiscriminantAnalysis", kills="lda-pinv")
class NoDiscriminant(LinearDiscriminantAnalysis):
    """Returns the discriminant 0 for all classes."""

    def _scores(self, X):
        return np.zeros((len(self.classes_), len(X)))
