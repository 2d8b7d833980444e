"""Mistakes about support vector machines that the estimators alone can make."""

from mlnotes.estimators.svm import SVC
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("svm")


@mistake("EstimatorSVC.fit", kills="several-classes")
def _(self, X, y, sample_weight=None):
    """Forgets the weights of the training examples."""
    return SVC.fit(self, X, y)


@mistake("EstimatorSVC.predict", kills="several-classes")
def _(self, X):
    """Never predicts the last of three classes."""
    return self.decision_function(X)[:, :2].argmax(axis=1)
