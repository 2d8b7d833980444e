r"""Kernel classifiers and naive Bayes on data: `mlnotes.naive_bayes` with validated input and weights.

Priors are the proportions :math:`n_k / n` of the classes, unless they are given. A product of 1,000 factors
underflows, the sum of their logarithms does not. Ties go to the first class in the order of ``classes_``.

**0/0.** Where *every* estimated density is zero (kernels of bounded support, empty bins without smoothing)
Bayes' formula is 0/0: the posterior is the prior, with a `LimitWarning`. The factor of a value that is new
(outside the range of a histogram, an unknown category) is left out: it would be 0 in every class.

Sources: Yan, slides "Kernel Density Classifier", "Naive Bayes Classifier", "Discussions"; Laplace (1774);
Domingos and Pazzani (1997).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import naive_bayes as reference
from mlnotes.discriminant import log_posterior
from mlnotes.engines.density_kernels import Kernel, as_kernel
from mlnotes.engines.rows import last_argmax_of_columns
from mlnotes.estimators.base import (
    Classifier,
    LimitWarning,
    check_count,
    check_matrix,
    check_option,
    check_probabilities,
    check_scalar,
)
from mlnotes.estimators.density import KernelDensity, feature_variances, rule_bandwidth
from mlnotes.histogram import bin_index

__all__ = ["KernelDensityClassifier", "MultinomialNaiveBayes", "NaiveBayes"]

Array = NDArray[np.float64]
Groups = list[Any]  # for each class the indices of its rows, and their weights


def _or_prior(scores: Array, prior: Array) -> Array:
    """Return log joint densities (n, K), the prior's logarithms where all of them are ``-inf``."""
    all_zero = np.isneginf(scores.max(axis=1)).sum()
    if not all_zero:
        return scores
    rows = f"{all_zero} of {len(scores)} rows"
    warnings.warn(
        f"{rows} have density 0 in every class (0/0): they get the prior.", LimitWarning, stacklevel=4
    )
    return reference.prior_if_all_zero(scores, prior)


def _smoothed(counts: Array, alpha: float) -> Array:
    """Return the smoothed proportions of the categories of each class, shape (K, m)."""
    check_scalar(alpha, name="alpha", minimum=0)
    if alpha == 0 and not counts.any(axis=1).all():
        raise ValueError("counts of a class are all zero and alpha is 0: no proportions; set alpha > 0.")
    return np.asarray(reference.smoothed_proportions(counts, alpha))


class _Generative(Classifier):
    r"""What the classifiers share: priors, and predictions from :math:`\log\hat\pi_k\hat f_k(x)`."""

    priors: Any

    def _start(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Array, NDArray[np.int64], Array]:
        """Check the data, set ``priors_``; return X, codes, weights."""
        X, codes, weights = self._start_weighted_fit(X, y, sample_weight, min_classes=1)
        K = len(self.classes_)
        if self.priors is None:
            sizes = np.bincount(codes, weights=weights, minlength=K)
            self.priors_ = sizes / sizes.sum()
            return X, codes, weights
        self.priors_ = check_probabilities(self.priors, name="priors", ndim=1).astype(np.float64)
        if len(self.priors_) != K or self.priors_.min() <= 0:
            given = self.priors_.tolist()
            raise ValueError(f"priors must be {K} positive probabilities, one a class, got {given}.")
        return X, codes, weights

    def _log_densities(self, X: Array) -> Array:
        """Return the logarithms of the estimated class densities, shape (n, K)."""
        raise NotImplementedError

    def log_joint(self, X: ArrayLike) -> Array:
        r"""Return :math:`\log\hat\pi_k\hat f_k(x)`, shape (n, K); ``-inf`` where the estimate is 0."""
        return self._log_densities(self._check_input(X)) + np.log(self.priors_)

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Return the logarithm of the estimated posterior, shape (n, K)."""
        return np.asarray(log_posterior(_or_prior(self.log_joint(X), self.priors_)))

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the estimated posterior, shape (n, K)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of the largest posterior of each row, shape (n,)."""
        scores = _or_prior(self.log_joint(X), self.priors_).T
        return self.classes_[::-1][last_argmax_of_columns(scores[::-1])]  # the first class on ties


class KernelDensityClassifier(_Generative):
    r"""Bayes' rule with a kernel density estimate of each class: :math:`\arg\max_k\hat\pi_k\hat f_k(x)`.

    Parameters
    ----------
    bandwidth : float, array-like of shape (d, d), "silverman", "scott" or "cv", default "silverman"
        As in `KernelDensity`, chosen for each class from its own observations. Where a feature does not
        vary within a class, a rule takes its variance over all classes, or 1 if it does not vary at all.
    kernel : str or Kernel, default "gaussian"
        Of one feature; of several the Gaussian one only.
    priors : array-like of shape (K,) or None, default None

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    priors_ : ndarray of shape (K,)
    densities_ : list of K KernelDensity
    n_features_in_ : int

    Notes
    -----
    With one observation in each class and one bandwidth for all it is the nearest-neighbour rule.

    Examples
    --------
    >>> model = KernelDensityClassifier(bandwidth=1.0).fit([[0.0], [1.0], [5.0]], ["a", "a", "b"])
    >>> model.predict([[0.5], [4.0]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self, *, bandwidth: Any = "silverman", kernel: str | Kernel = "gaussian", priors: Any = None
    ) -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.priors = priors

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> KernelDensityClassifier:
        """Estimate a density of each class from X, shape (n, d), y and weights, shape (n,); return self."""
        X, codes, weights = self._start(X, y, sample_weight)
        overall = feature_variances(X, weights)[1]
        groups = [codes == k for k in range(len(self.classes_))]
        self.densities_ = [
            _estimate(X[rows], weights[rows], overall, self.bandwidth, self.kernel) for rows in groups
        ]
        return self

    def _log_densities(self, X: Array) -> Array:
        return np.column_stack([model.score_samples(X) for model in self.densities_])


def _estimate(
    X: Array, weights: Array, overall: Array, bandwidth: Any, kernel: str | Kernel
) -> KernelDensity:
    """Return the estimate from a class; where it has no variance a rule takes that of all classes, or 1."""
    if isinstance(bandwidth, str) and bandwidth in ("silverman", "scott"):
        n, own = feature_variances(X, weights)
        variances = np.where(own > 0, own, np.where(overall > 0, overall, 1.0))
        bandwidth = rule_bandwidth(bandwidth, n, variances, as_kernel(kernel))
    copies = None if (weights == 1).all() else weights  # sums without weights are faster
    return KernelDensity(bandwidth=bandwidth, kernel=kernel).fit(X, sample_weight=copies)


# ---- marginals: one feature, all classes


class _Gaussian:
    """Normal marginals of several features at once: mean and variance (divisor n_k) of each class."""

    def __init__(self, model: NaiveBayes, X: Array, groups: Groups, overall: Array) -> None:
        floor = np.where(overall > 0, model.var_smoothing * overall, 1.0)
        means, variances = [], []
        for rows, w in groups:
            own, fraction = X.take(rows, axis=0), w / w.sum()
            means.append(fraction @ own)
            own -= means[-1]
            variances.append(np.maximum(fraction @ np.square(own, out=own), floor))
        self.means, self.variances = np.array(means), np.array(variances)  # (K, q)
        self._centre = X.mean(axis=0)

    def log_marginals(self, X: Array) -> Array:
        with np.errstate(over="ignore"):  # too far for a square is as good as infinitely far
            return np.asarray(reference.normal_log_density(X[:, :, None], self.means.T, self.variances.T))

    def log_density(self, X: Array) -> Array:
        """Return the sums over the features, shape (n, K): two matrix products, unless they would cancel."""
        means = self.means - self._centre
        constants = -0.5 * np.log(2 * math.pi * self.variances).sum(axis=1)
        lengths = (means**2 / self.variances).sum(axis=1)
        if lengths.max() <= 1e4:
            with np.errstate(over="ignore", invalid="ignore"):
                gaps = X - self._centre
                scores = gaps @ (means / self.variances).T
                scores += constants - 0.5 * lengths
                scores -= np.square(gaps, out=gaps) @ (0.5 / self.variances).T
            if np.isfinite(scores).all():
                return scores
        with np.errstate(over="ignore"):
            squares = [(((X - m) ** 2) @ (1 / v)) for m, v in zip(self.means, self.variances, strict=True)]
        return constants - 0.5 * np.column_stack(squares)


class _Kernel:
    """Kernel density estimates on the line, one for each class."""

    def __init__(self, model: NaiveBayes, x: Array, groups: Groups, overall: float) -> None:
        spread = np.array([overall])
        self.models = [
            _estimate(x[rows, None], w, spread, model.bandwidth, model.kernel) for rows, w in groups
        ]

    def log_density(self, x: Array) -> Array:
        return np.column_stack([model.score_samples(x[:, None]) for model in self.models])


class _Table:
    """The log of a density by the code of a value, 0 for a new value; `locate` returns code and known."""

    def __init__(
        self, locate: Any, x: Array, groups: Groups, m: int, alpha: float, length: float = 1.0
    ) -> None:
        self.locate, codes = locate, locate(x)[0]
        counts = [np.bincount(codes[rows], weights=w, minlength=m) for rows, w in groups]
        with np.errstate(divide="ignore"):
            self.logs = np.log(_smoothed(np.array(counts), alpha) / length).T  # (m, K)

    def log_density(self, x: Array) -> Array:
        codes, known = self.locate(x)
        return np.where(known[:, None], self.logs[codes], 0.0)


def _histogram(model: NaiveBayes, x: Array, groups: Groups, overall: float) -> _Table:
    """Return histograms on the range of the training data, with equal bins for all classes."""
    m, low, high = check_count(model.n_bins, name="n_bins"), float(x.min()), float(x.max())
    length = high - low
    if length == 0:  # a constant feature: one bin, the same for all classes
        length, m = 1.0, 1
    return _Table(partial(_bin, low, high, m), x, groups, m, model.alpha, length / m)


def _bin(low: float, high: float, m: int, x: Array) -> tuple[NDArray[np.intp], Any]:
    unit = (x - low) / (high - low or 1.0)
    return bin_index(unit, m), (x >= low) & (x <= high)


def _categorical(model: NaiveBayes, x: Array, groups: Groups, overall: float) -> _Table:
    """Return the proportions of the categories that occur in training."""
    categories = np.unique(x)
    return _Table(partial(_category, categories), x, groups, len(categories), model.alpha)


def _category(categories: Array, x: Array) -> tuple[NDArray[np.intp], Any]:
    codes = np.minimum(np.searchsorted(categories, x), len(categories) - 1)
    return codes, categories[codes] == x


def _bernoulli(model: NaiveBayes, x: Array, groups: Groups, overall: float) -> _Table:
    """Return the proportions of 0 and 1, whether they occur or not."""
    return _Table(_bit, x, groups, 2, model.alpha)


def _bit(x: Array) -> tuple[NDArray[np.intp], Any]:
    wrong = x[(x != 0) & (x != 1)]
    if wrong.size:
        raise ValueError(f"a feature with marginal 'bernoulli' must be 0 or 1, got {wrong[0]:g}.")
    return x.astype(np.intp), np.ones(len(x), dtype=bool)


_KINDS: dict[str, Any] = {
    "histogram": _histogram, "kernel": _Kernel, "bernoulli": _bernoulli, "categorical": _categorical,
}  # fmt: skip


class NaiveBayes(_Generative):
    r"""Bayes' rule with features that are independent given the class.

    .. math:: \arg\max_k\hat\pi_k\prod_j\hat f_{k,j}(x_j)

    Parameters
    ----------
    marginals : str or sequence of d str, default "gaussian"
        The kind of :math:`\hat f_{k,j}`, for all features or for each: "gaussian", "histogram", "kernel"
        (densities), "bernoulli" (0 or 1), "categorical" (numbers as names).
    priors : array-like of shape (K,) or None, default None
    var_smoothing : float, default 1e-9
        Gaussian: the variance of a feature in a class is at least this fraction of its variance over all
        classes.
    n_bins : int, default 10
        Histogram: equal bins on the range of the training data.
    bandwidth, kernel : as in `KernelDensityClassifier`
    alpha : float, default 1.0
        Histogram, Bernoulli and categorical: added to every count. With 0, factors may be 0.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    priors_ : ndarray of shape (K,)
    marginals_ : tuple of d str
    n_features_in_ : int

    Raises
    ------
    ValueError
        For parameters out of range, and Bernoulli features that are not 0 or 1.

    Notes
    -----
    A feature that is constant has the same factor in all classes and changes nothing.
    ``sample_weight`` counts copies. scikit-learn's GaussianNB adds 1e-9 times the *largest* variance of a
    feature to all; here no feature depends on the units of another.

    Examples
    --------
    >>> model = NaiveBayes(marginals="bernoulli").fit([[1, 0], [1, 1], [0, 0], [0, 1]], [1, 1, 0, 0])
    >>> model.predict_proba([[1, 0]]).round(12).tolist()
    [[0.25, 0.75]]
    """

    def __init__(
        self,
        *,
        marginals: str | Sequence[str] = "gaussian",
        priors: Any = None,
        var_smoothing: float = 1e-9,
        n_bins: int = 10,
        bandwidth: Any = "silverman",
        kernel: str | Kernel = "gaussian",
        alpha: float = 1.0,
    ) -> None:
        self.marginals = marginals
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.n_bins = n_bins
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.alpha = alpha

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> NaiveBayes:
        """Estimate the marginals of each class from X, shape (n, d), labels and weights (n,); return self."""
        X, codes, weights = self._start(X, y, sample_weight)
        d = X.shape[1]
        kinds = (self.marginals,) * d if np.ndim(self.marginals) == 0 else tuple(self.marginals)
        if len(kinds) != d:
            raise ValueError(f"marginals must be one name or {d} names, one a feature, got {len(kinds)}.")
        for kind in kinds:
            check_option(kind, name="marginals", options=("gaussian", *_KINDS))
        check_scalar(self.var_smoothing, name="var_smoothing", above=0)
        check_scalar(self.alpha, name="alpha", minimum=0)
        order = [np.flatnonzero(codes == k) for k in range(len(self.classes_))]
        groups, overall = [(rows, weights[rows]) for rows in order], feature_variances(X, weights)[1]
        normal = np.flatnonzero([kind == "gaussian" for kind in kinds])
        self._gaussian = None
        if len(normal):
            columns = X if len(normal) == d else X[:, normal]
            self._gaussian = (normal, _Gaussian(self, columns, groups, overall[normal]))
        self._factors = {
            j: _KINDS[kind](self, np.ascontiguousarray(X[:, j]), groups, float(overall[j]))
            for j, kind in enumerate(kinds)
            if kind != "gaussian"
        }
        self.marginals_ = kinds
        return self

    def log_marginals(self, X: ArrayLike) -> Array:
        r"""Return :math:`\log\hat f_{k,j}(x_j)`, shape (n, d, K); 0 for a value unknown to training."""
        X = self._check_input(X)
        logs = np.empty((*X.shape, len(self.classes_)))
        if self._gaussian:
            logs[:, self._gaussian[0]] = self._gaussian[1].log_marginals(X[:, self._gaussian[0]])
        for j, factor in self._factors.items():
            logs[:, j] = factor.log_density(X[:, j])
        return logs

    def _log_densities(self, X: Array) -> Array:
        logs = np.zeros((len(X), len(self.classes_)))
        if self._gaussian:
            columns = self._gaussian[0]
            logs += self._gaussian[1].log_density(X if len(columns) == X.shape[1] else X[:, columns])
        for j, factor in self._factors.items():
            logs += factor.log_density(np.ascontiguousarray(X[:, j]))
        return logs


class MultinomialNaiveBayes(_Generative):
    r"""Naive Bayes for counts: given the class and the length, the words of a text are independent draws.

    :math:`\log\hat f_k(x) = \sum_jx_j\log\hat\theta_{kj}` up to a term without k, with
    :math:`\hat\theta_{kj}` the smoothed proportion of feature j among all counts of class k.

    Parameters
    ----------
    alpha : float, default 1.0
    priors : array-like of shape (K,) or None, default None

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    priors_ : ndarray of shape (K,)
    feature_log_prob_ : ndarray of shape (K, d)
        :math:`\log\hat\theta_{kj}`.
    n_features_in_ : int
    """

    def __init__(self, *, alpha: float = 1.0, priors: Any = None) -> None:
        self.alpha = alpha
        self.priors = priors

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> MultinomialNaiveBayes:
        """Add up the counts X >= 0, shape (n, d), of each class of y, shape (n,); return self."""
        _check_counts(check_matrix(X))
        X, codes, weights = self._start(X, y, sample_weight)
        totals = np.array([weights[codes == k] @ X[codes == k] for k in range(len(self.classes_))])
        with np.errstate(divide="ignore"):
            self.feature_log_prob_ = np.log(_smoothed(totals, self.alpha))
        return self

    def _log_densities(self, X: Array) -> Array:
        _check_counts(X)
        logs = self.feature_log_prob_
        never = np.isneginf(logs)
        if not never.any():
            return (logs @ X.T).T
        impossible = (X > 0).astype(np.float64) @ never.T > 0  # 0 log 0 is 0, 1 log 0 is not
        return np.where(impossible, -np.inf, X @ np.where(never, 0.0, logs).T)

    def __sklearn_tags__(self) -> Any:
        """Say that counts are not negative, and that other data are not to be expected to fit."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        tags.input_tags.positive_only = True
        return tags


def _check_counts(X: Array) -> None:
    if X.min() < 0:
        raise ValueError(
            f"Negative values in data passed to MultinomialNaiveBayes: counts are >= 0, got {X.min()}."
        )
