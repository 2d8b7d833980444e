"""Wrong kernel density classifiers and naive Bayes, one typical mistake each."""

import numpy as np

from mlnotes.estimators import naive_bayes as right
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("naive_bayes")


def ids(*names):
    return tuple(f"naive_bayes.{name}" for name in names)


def normalised(joint):
    return joint / joint.sum(axis=1, keepdims=True)


# ------------------------------------------------------------------- the kernel density classifier


@mistake("KernelDensityClassifier", kills=ids("kernel-classifier-rule"))
class _(right.KernelDensityClassifier):
    """Sums the kernels of a class and multiplies by the prior: n_k counts twice."""

    def log_joint(self, X):
        return super().log_joint(X) + np.log([model.n_samples_ for model in self.densities_])


@mistake("KernelDensityClassifier", kills=ids("kernel-classifier-rule"))
class _(right.KernelDensityClassifier):
    """Forgets the prior."""

    def log_joint(self, X):
        return super().log_joint(X) - np.log(self.priors_)


@mistake("KernelDensityClassifier", kills=ids("kernel-classifier-rule"))
class _(right.KernelDensityClassifier):
    """Estimates one density from all rows."""

    def fit(self, X, y):
        super().fit(X, y)
        pooled = right.KernelDensityClassifier(bandwidth=self.bandwidth).fit(X, np.zeros(len(X), dtype=int))
        self.densities_ = pooled.densities_ * len(self.classes_)
        return self


@mistake("KernelDensityClassifier", kills=ids("kernel-classifier-rule"))
class _(right.KernelDensityClassifier):
    """Multiplies densities, which underflow far from the data."""

    def predict(self, X):
        with np.errstate(under="ignore"):
            return self.classes_[np.exp(self.log_joint(X)).argmax(axis=1)]


@mistake("KernelDensityClassifier", kills=ids("zero-over-zero", "erratum-y37"))
class _(right.KernelDensityClassifier):
    """Divides 0 by 0 with a small number added below."""

    def predict_proba(self, X):
        joint = np.exp(self.log_joint(X))
        return joint / (joint.sum(axis=1, keepdims=True) + 1e-300)


@mistake("KernelDensityClassifier", kills=ids("zero-over-zero", "erratum-y37"))
class _(right.KernelDensityClassifier):
    """Answers equal shares where nothing is known."""

    def predict_proba(self, X):
        joint = np.exp(self.log_joint(X)) + 1e-300
        return normalised(joint)


# ------------------------------------------------------------------- naive Bayes


@mistake("naive_posterior", kills=ids("model", "pros-cons", "erratum-y38"))
def _(log_factors, prior):
    """Adds the densities of the features."""
    logs = np.log(np.exp(log_factors).sum(axis=1, keepdims=True))
    return right.naive_posterior(logs, prior)


@mistake("naive_posterior", kills=ids("model", "pros-cons", "erratum-y38"))
def _(log_factors, prior):
    """Uses the first feature only."""
    return right.naive_posterior(np.asarray(log_factors)[:, :1], prior)


@mistake("naive_posterior", kills=ids("rule"))
def _(log_factors, prior):
    """Multiplies densities, which underflow."""
    joint = np.exp(log_factors).prod(axis=1) * prior + 1e-300
    return normalised(joint)


@mistake("naive_posterior", kills=ids("model", "rule", "pros-cons"))
def _(log_factors, prior):
    """Counts the prior once for each feature."""
    logs, shares = np.asarray(log_factors).sum(axis=1), np.asarray(prior, dtype=float)
    logs = logs + np.asarray(log_factors).shape[1] * np.log(shares)
    return normalised(np.exp(logs - logs.max(axis=1, keepdims=True)))


@mistake("NaiveBayes", kills=ids("estimates", "few-rows"))
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


@mistake("NaiveBayes", kills=ids("estimates"))
class _(right.NaiveBayes):
    """Forgets the width of a bin and of a kernel."""

    def log_marginals(self, X):
        return super().log_marginals(X) + np.log(0.5)


@mistake("NaiveBayes", kills=ids("estimates"))
class _(right.NaiveBayes):
    """Weighs all classes alike."""

    def fit(self, X, y):
        super().fit(X, y)
        self.priors_ = np.full(len(self.classes_), 1 / len(self.classes_))
        return self


@mistake("NaiveBayes", kills=ids("estimates"))
class _(right.NaiveBayes):
    """Takes every feature for one of the kind of the first."""

    def fit(self, X, y):
        if not isinstance(self.marginals, str):
            self.marginals = self.marginals[0]
        return super().fit(X, y)


@mistake("NaiveBayes", kills=ids("estimates", "erratum-y39"))
class _(right.NaiveBayes):
    """Does not smooth."""

    def fit(self, X, y):
        self.alpha = 1e-9
        return super().fit(X, y)


@mistake("smoothed_shares", kills=ids("smoothing"))
def _(counts, alpha=1.0):
    """Adds alpha above and not below."""
    counts = np.asarray(counts, dtype=float)
    return (counts + alpha) / counts.sum(axis=-1, keepdims=True)


@mistake("smoothed_shares", kills=ids("smoothing"))
def _(counts, alpha=1.0):
    """Adds alpha once below, not once for each category."""
    counts = np.asarray(counts, dtype=float)
    return (counts + alpha) / (counts.sum(axis=-1, keepdims=True) + alpha)


@mistake("MultinomialNaiveBayes", kills=ids("counts"))
class _(right.MultinomialNaiveBayes):
    """Looks at whether a word occurs, not how often."""

    def predict_proba(self, X):
        return super().predict_proba((np.asarray(X) > 0).astype(int))


@mistake("MultinomialNaiveBayes", kills=ids("counts"))
class _(right.MultinomialNaiveBayes):
    """Does not smooth."""

    def fit(self, X, y):
        super().fit(X, y)
        totals = np.array([np.asarray(X)[y == k].sum(axis=0) for k in self.classes_])
        self.shares_ = totals / totals.sum(axis=1, keepdims=True)
        return self
