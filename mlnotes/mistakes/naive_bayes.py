"""Wrong kernel density classifiers and naive Bayes, one typical mistake each."""

import numpy as np

from mlnotes.estimators import naive_bayes as right
from mlnotes.mistakes import Change, Mistakes

mistake = MISTAKES = Mistakes("naive_bayes")


def normalised(joint):
    return joint / joint.sum(axis=1, keepdims=True)


# ------------------------------------------------------------------- the kernel density classifier


@mistake("KernelDensityClassifier.log_joint", kills="kernel-classifier-rule")
def _(self, X):
    """Sums the kernels of a class and multiplies by the prior: n_k counts twice."""
    return right.KernelDensityClassifier.log_joint(self, X) + np.log(
        [model.n_samples_ for model in self.densities_]
    )


mistake.rows("KernelDensityClassifier.log_joint", ("Forgets the prior.", "kernel-classifier-rule",
    lambda self, X: right.KernelDensityClassifier.log_joint(self, X) - np.log(self.priors_)))  # fmt: skip


@mistake("KernelDensityClassifier.fit", kills="kernel-classifier-rule")
def _(self, X, y):
    """Estimates one density from all rows."""
    right.KernelDensityClassifier.fit(self, X, y)
    pooled = right.KernelDensityClassifier(bandwidth=self.bandwidth).fit(X, np.zeros(len(X), dtype=int))
    self.densities_ = pooled.densities_ * len(self.classes_)
    return self


@mistake("KernelDensityClassifier.predict", kills="kernel-classifier-rule")
def _(self, X):
    """Multiplies densities, which underflow far from the data."""
    with np.errstate(under="ignore"):
        return self.classes_[np.exp(self.log_joint(X)).argmax(axis=1)]


@mistake("KernelDensityClassifier.predict_proba", kills="zero-over-zero erratum-y37")
def _(self, X):
    """Divides 0 by 0 with a small number added below."""
    joint = np.exp(self.log_joint(X))
    return joint / (joint.sum(axis=1, keepdims=True) + 1e-300)


mistake.rows("KernelDensityClassifier.predict_proba",
    ("Answers equal shares where nothing is known.", "zero-over-zero erratum-y37",
     lambda self, X: normalised(np.exp(self.log_joint(X)) + 1e-300)),
)  # fmt: skip


# ------------------------------------------------------------------- naive Bayes


mistake.rows("naive_posterior",
    ("Adds the densities of the features.", "model pros-cons erratum-y38", lambda log_factors, prior:
        right.naive_posterior(np.log(np.exp(log_factors).sum(axis=1, keepdims=True)), prior)),
    ("Uses the first feature only.", "model pros-cons erratum-y38",
     lambda log_factors, prior: right.naive_posterior(np.asarray(log_factors)[:, :1], prior)),
    ("Multiplies densities, which underflow.", "rule",
     lambda log_factors, prior: normalised(np.exp(log_factors).prod(axis=1) * prior + 1e-300)),
)  # fmt: skip


@mistake("naive_posterior", kills="model rule pros-cons")
def _(log_factors, prior):
    """Counts the prior once for each feature."""
    logs, shares = np.asarray(log_factors).sum(axis=1), np.asarray(prior, dtype=float)
    logs = logs + np.asarray(log_factors).shape[1] * np.log(shares)
    return normalised(np.exp(logs - logs.max(axis=1, keepdims=True)))


@mistake("NaiveBayes", kills="estimates few-rows")
class _(right.NaiveBayes):
    """Estimates the marginals from the rows of all classes."""

    def fit(self, X, y):
        super().fit(X, y)
        pooled = right.NaiveBayes(**self.get_params()).fit(X, np.zeros(len(X), dtype=int))
        self.pooled_ = pooled
        return self

    def log_marginals(self, X):
        return self.pooled_.log_marginals(X).repeat(len(self.classes_), axis=2)

    def _log_densities(self, X):
        return self.log_marginals(X).sum(axis=1)


mistake.rows("NaiveBayes.log_marginals", ("Forgets the width of a bin and of a kernel.", "estimates",
    Change(lambda answer: answer + np.log(0.5))))  # fmt: skip


@mistake("NaiveBayes.fit", kills="estimates")
def _(self, X, y):
    """Weighs all classes alike."""
    right.NaiveBayes.fit(self, X, y)
    self.priors_ = np.full(len(self.classes_), 1 / len(self.classes_))
    return self


@mistake("NaiveBayes.fit", kills="estimates")
def _(self, X, y):
    """Takes every feature for one of the kind of the first."""
    if not isinstance(self.marginals, str):
        self.marginals = self.marginals[0]
    return right.NaiveBayes.fit(self, X, y)


@mistake("NaiveBayes.fit", kills="estimates erratum-y39")
def _(self, X, y):
    """Does not smooth."""
    self.alpha = 1e-9
    return right.NaiveBayes.fit(self, X, y)


@mistake("smoothed_shares", kills="smoothing")
def _(counts, alpha=1.0):
    """Adds alpha above and not below."""
    counts = np.asarray(counts, dtype=float)
    return (counts + alpha) / counts.sum(axis=-1, keepdims=True)


@mistake("smoothed_shares", kills="smoothing")
def _(counts, alpha=1.0):
    """Adds alpha once below, not once for each category."""
    counts = np.asarray(counts, dtype=float)
    return (counts + alpha) / (counts.sum(axis=-1, keepdims=True) + alpha)


mistake.rows("MultinomialNaiveBayes.predict_proba",
    ("Looks at whether a word occurs, not how often.", "counts",
     lambda self, X: right.MultinomialNaiveBayes.predict_proba(self, (np.asarray(X) > 0).astype(int))),
)  # fmt: skip


@mistake("MultinomialNaiveBayes.fit", kills="counts")
def _(self, X, y):
    """Does not smooth."""
    right.MultinomialNaiveBayes.fit(self, X, y)
    totals = np.array([np.asarray(X)[y == k].sum(axis=0) for k in self.classes_])
    self.shares_ = totals / totals.sum(axis=1, keepdims=True)
    return self
