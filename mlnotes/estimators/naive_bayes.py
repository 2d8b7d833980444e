r"""Kernel classifiers and naive Bayes on data: the board `mlnotes.naive_bayes` with checked input, weights.

Priors are the shares :math:`n_k / n` of the classes, unless they are given. A product of 1,000 factors
underflows, the sum of their logarithms does not. Ties go to the first class in the order of ``classes_``.

**0/0.** Where *every* estimated density is zero (kernels of bounded support, empty bins without smoothing)
Bayes' formula says 0/0: the answer is the prior, with a `LimitWarning`. A value that training has not seen
(outside the range of a histogram, an unknown category) leaves its factor out: it would be 0 in every class.

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

from mlnotes import naive_bayes as board
from mlnotes.discriminant import log_posterior
from mlnotes.engines.density_histograms import bins_of
from mlnotes.engines.density_kernels import Kernel, as_kernel
from mlnotes.engines.rows import last_argmax
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

__all__ = [
    "KernelDensityClassifier", "MultinomialNaiveBayes", "NaiveBayes", "naive_posterior", "smoothed_shares",
]  # fmt: skip

Array = NDArray[np.float64]
Groups = list[Any]  # of each class the rows, and their weights


def naive_posterior(log_factors: ArrayLike, prior: ArrayLike) -> Array:
    r"""Return :math:`\pi_k\prod_jf_{k,j}(x_j) / \sum_l\pi_l\prod_jf_{l,j}(x_j)`, shape (n, K).

    Parameters
    ----------
    log_factors : array-like of shape (n, d, K)
        :math:`\log f_{k,j}(x_j)` of each row; ``-inf`` where a factor is zero.
    prior : array-like of shape (K,)

    Notes
    -----
    A row in which every product is zero gets the prior, see the module.

    Examples
    --------
    >>> naive_posterior([[[-1000.0, -1001.0]]], [0.5, 0.5]).round(3).tolist()
    [[0.731, 0.269]]
    """
    logs = _as_numbers(log_factors, "log_factors")
    if logs.ndim != 3 or not logs.size or np.isnan(logs).any() or (logs == np.inf).any():
        raise ValueError(
            f"log_factors must have shape (n, d, K), no NaN and no +inf, got shape {logs.shape}."
        )
    weights = _check_priors(prior, logs.shape[2], "prior")
    return np.exp(log_posterior(_or_prior(logs.sum(axis=1) + np.log(weights), weights)))


def smoothed_shares(counts: ArrayLike, alpha: float = 1.0) -> Array:
    r"""Return :math:`(c_j + \alpha)/(\sum_lc_l + m\alpha)` along the last axis, shape of ``counts``.

    The posterior mean of the shares under a Dirichlet prior with all parameters :math:`\alpha`; for
    :math:`\alpha = 1` Laplace's rule of succession, for 0 the relative frequencies.

    Examples
    --------
    >>> smoothed_shares([3, 0]).tolist()
    [0.8, 0.2]
    """
    c = np.atleast_1d(_as_numbers(counts, "counts"))
    check_scalar(alpha, name="alpha", minimum=0)
    if not c.size or not np.isfinite(c).all() or c.min() < 0:
        raise ValueError("counts must be finite numbers >= 0, at least one.")
    if alpha == 0 and not c.any(axis=-1).all():
        raise ValueError("counts are all zero and alpha is 0: there is nothing to share; set alpha > 0.")
    return np.asarray(board.smoothed_shares(c, alpha))


def _or_prior(scores: Array, prior: Array) -> Array:
    """Return log joint densities (n, K), the prior's logarithms where all of them are ``-inf``."""
    nowhere = board.says_nothing(scores)
    if not nowhere.any():
        return scores
    rows = f"{nowhere.sum()} of {len(scores)} rows"
    warnings.warn(
        f"{rows} have density 0 in every class (0/0): they get the prior.", LimitWarning, stacklevel=4
    )
    return np.where(nowhere[:, None], np.log(prior), scores)


def _as_numbers(value: Any, name: str) -> Array:
    """Return a float array of any number of axes."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of numbers, all rows of one length ({error}).") from error


def _check_priors(priors: Any, K: int, name: str) -> Array:
    weights = check_probabilities(priors, name=name, ndim=1).astype(np.float64)
    if len(weights) != K or weights.min() <= 0:
        raise ValueError(f"{name} must be {K} positive probabilities, one a class, got {weights.tolist()}.")
    return weights


class _Generative(Classifier):
    r"""What the classifiers share: priors, and answers from :math:`\log\hat\pi_k\hat f_k(x)`."""

    priors: Any

    def _start(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Array, NDArray[np.int64], Array]:
        """Check the data, set ``priors_``; return X, codes, weights."""
        X, codes, weights = self._start_weighted_fit(X, y, sample_weight, min_classes=1)
        K = len(self.classes_)
        shares = np.bincount(codes, weights=weights, minlength=K)
        own = self.priors is None
        self.priors_ = shares / shares.sum() if own else _check_priors(self.priors, K, "priors")
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
        return self.classes_[::-1][last_argmax(scores[::-1])]  # the first class on ties


class KernelDensityClassifier(_Generative):
    r"""Bayes' rule with a kernel density estimate of each class: :math:`\arg\max_k\hat\pi_k\hat f_k(x)`.

    Parameters
    ----------
    bandwidth : float, array-like of shape (d, d), "silverman", "scott" or "cv", default "silverman"
        As in `KernelDensity`, chosen for each class by its own rows. Where a feature does not vary within a
        class, a rule takes its variance over all rows, or 1 if it does not vary at all.
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
    With one row in each class, one bandwidth for all and equal priors it is the nearest-neighbour rule.

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
    """Return the estimate from a class; a rule takes the variance over all rows, or 1, where it has none."""
    if isinstance(bandwidth, str) and bandwidth in ("silverman", "scott"):
        n, own = feature_variances(X, weights)
        variances = np.where(own > 0, own, np.where(overall > 0, overall, 1.0))
        bandwidth = rule_bandwidth(bandwidth, n, variances, as_kernel(kernel))
    copies = None if (weights == 1).all() else weights  # sums without weights are faster
    return KernelDensity(bandwidth=bandwidth, kernel=kernel).fit(X, sample_weight=copies)


# ------------------------------------------------------------------- marginals: one feature, all classes


class _Gaussian:
    """Normal marginals of several features at once: mean and variance (divisor n_k) of each class."""

    def __init__(self, model: NaiveBayes, X: Array, groups: Groups, overall: Array) -> None:
        floor = np.where(overall > 0, model.var_smoothing * overall, 1.0)
        means, variances = [], []
        for rows, w in groups:
            own, share = X.take(rows, axis=0), w / w.sum()
            means.append(share @ own)
            own -= means[-1]
            variances.append(np.maximum(share @ np.square(own, out=own), floor))
        self.means, self.variances = np.array(means), np.array(variances)  # (K, q)
        self._centre = X.mean(axis=0)

    def log_marginals(self, X: Array) -> Array:
        with np.errstate(over="ignore"):  # too far for a square is as good as infinitely far
            return np.asarray(board.normal_log_density(X[:, :, None], self.means.T, self.variances.T))

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
    """The log of a density by the codes of values; 0 for a value unknown to training. `locate` tells both."""

    def __init__(
        self, locate: Any, x: Array, groups: Groups, m: int, alpha: float, length: float = 1.0
    ) -> None:
        self.locate, codes = locate, locate(x)[0]
        counts = [np.bincount(codes[rows], weights=w, minlength=m) for rows, w in groups]
        with np.errstate(divide="ignore"):
            self.logs = np.log(smoothed_shares(np.array(counts), alpha) / length).T  # (m, K)

    def log_density(self, x: Array) -> Array:
        codes, known = self.locate(x)
        return np.where(known[:, None], self.logs[codes], 0.0)


def _histogram(model: NaiveBayes, x: Array, groups: Groups, overall: float) -> _Table:
    """Return histograms on the range of all rows, with equal bins for all classes."""
    m, low, high = check_count(model.n_bins, name="n_bins"), float(x.min()), float(x.max())
    length = high - low
    if length == 0:  # a constant feature: one bin, the same for all classes
        length, m = 1.0, 1
    return _Table(partial(_bin, low, high, m), x, groups, m, model.alpha, length / m)


def _bin(low: float, high: float, m: int, x: Array) -> tuple[NDArray[np.int64], Any]:
    unit = (x - low) / (high - low or 1.0)
    return bins_of(np.clip(unit, 0.0, 1.0), m), (x >= low) & (x <= high)


def _categorical(model: NaiveBayes, x: Array, groups: Groups, overall: float) -> _Table:
    """Return the shares of the categories that training has seen."""
    categories = np.unique(x)
    return _Table(partial(_category, categories), x, groups, len(categories), model.alpha)


def _category(categories: Array, x: Array) -> tuple[NDArray[np.int64], Any]:
    codes = np.minimum(np.searchsorted(categories, x), len(categories) - 1)
    return codes, categories[codes] == x


def _bernoulli(model: NaiveBayes, x: Array, groups: Groups, overall: float) -> _Table:
    """Return the shares of 0 and 1, seen or not."""
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
        (densities), "bernoulli" (0 or 1), "categorical" (numbers that are only names).
    priors : array-like of shape (K,) or None, default None
    var_smoothing : float, default 1e-9
        Gaussian: the variance of a feature in a class is at least this share of its variance over all rows.
    n_bins : int, default 10
        Histogram: equal bins on the range of all rows.
    bandwidth, kernel : as in `KernelDensityClassifier`
    alpha : float, default 1.0
        Histogram, Bernoulli and categorical: `smoothed_shares`. 0 gives relative frequencies, and with them
        factors that are 0.

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
    A feature that is constant over all rows has the same factor in all classes and changes nothing.
    ``sample_weight`` counts copies. scikit-learn's GaussianNB adds 1e-9 times the *largest* variance of a
    feature to all; here the features do not know of each other's units.

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
    :math:`\hat\theta_{kj}` the `smoothed_shares` of feature j among all counts of class k.

    Parameters
    ----------
    alpha : float, default 1.0
    priors : array-like of shape (K,) or None, default None

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    priors_ : ndarray of shape (K,)
    shares_ : ndarray of shape (K, d)
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
        self.shares_ = smoothed_shares(totals, self.alpha)
        return self

    def _log_densities(self, X: Array) -> Array:
        _check_counts(X)
        with np.errstate(divide="ignore"):
            logs = np.log(self.shares_)
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
