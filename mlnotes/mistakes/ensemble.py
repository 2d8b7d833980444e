"""Mistakes about ensembles that are not in the reference module."""

from mlnotes.estimators.ensemble import AdaBoostClassifier
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("ensemble")


@mistake("AdaBoostClassifier._certificate", kills="adaboost-certificate")
def _(self, X, codes, w):
    """Reports the training error of its last classifier as its own."""
    last = self.estimators_[-1].predict(X)
    certificate = AdaBoostClassifier._certificate(self, X, codes, w)
    return certificate | {"training_error": float(w[last != codes].sum())}
