"""Mistakes about data of the wrong shape, which the reference module does not check."""

import numpy as np

from mlnotes.estimators.bayes import PlugInClassifier
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("bayes")


@mistake("PlugInClassifier", kills="setup-data-matrix")
class GuessesTheOrientation(PlugInClassifier):
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
    return PlugInClassifier.fit(self, X[:n], y[:n])
