"""Mistakes about support vector machines that take more rows, prices or classes than the board does."""

import numpy as np

from mlnotes.estimators.svm import SVC
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("svm")


def _fit_with(change):
    """Return a fit at another price, which may depend on the number of rows."""

    def fit(self, X, y):
        self.C = change(self.C, len(X))
        return SVC.fit(self, X, y)

    return fit


mistake.rows("SVC.fit",
    ("Returns something on data that are not separable.", "hard-primal erratum-y17",
     _fit_with(lambda C, n: min(C, 100.0))),
    ("Takes C over n.", "soft-dual strong-duality C-infinity erratum-y22 complementarity",
     _fit_with(lambda C, n: C / n)),
    ("Forgets the box.", "soft-dual strong-duality C-infinity complementarity sparsity",
     _fit_with(lambda C, n: max(C, 1e4))),
    ("Forgets the weights of the rows.", "several-classes",
     lambda self, X, y, sample_weight=None: SVC.fit(self, X, y)),
)  # fmt: skip
mistake.rows("SVC.predict", ("Never answers the last of three classes.", "several-classes",
    lambda self, X: self.decision_function(X)[:, :2].argmax(axis=1)))  # fmt: skip


@mistake("SVC.fit", kills="soft-dual strong-duality b-average")
def _(self, X, y):
    """Penalises the offset: it is one more feature."""
    C = min(self.C, 1e6)
    rows = np.column_stack([X, np.ones(len(X))])
    twice = SVC(C, kernel="linear").fit(np.vstack([rows, -rows]), np.concatenate([y, -np.asarray(y)]))
    self.coef_, self.intercept_ = twice.coef_[:, :-1], twice.coef_[:, -1]  # symmetric data: no offset
    alpha = np.zeros(2 * len(X))
    alpha[twice.support_] = abs(twice.dual_coef_[0])
    alpha = alpha[: len(X)] + alpha[len(X) :]
    self.support_, self.dual_coef_ = np.arange(len(X)), (np.asarray(y) * alpha)[None]
    return self


@mistake("SVC.fit", kills="span strong-duality hard-dual")
def _(self, X, y):
    """Loses a support vector."""
    SVC.fit(self, X, y)
    largest = np.argmax(abs(self.dual_coef_[0]))
    self.dual_coef_ = np.delete(self.dual_coef_, largest, axis=1)
    self.support_ = np.delete(self.support_, largest)
    return self
