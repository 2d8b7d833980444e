r"""Density estimation on data: `mlnotes.density` with validated input, weights, fast sums and certificates.

A bandwidth is the scale h of a kernel, in the unit of the data; of several features it is a matrix H, in
*squared* units. On the line sums of kernels are within 1e-12 of their maximum, and with the Gaussian kernel
they cost :math:`O(n\log n)`: `mlnotes.engines.density_sums`. In several features the Gaussian kernel is
summed over all pairs. Exact risks of known distributions are in `mlnotes.datasets.mixtures`.

Sources: Yan, slides on density estimation, Theorems 2.4 to 2.7; Rosenblatt (1956); Rudemo (1982); Stone
(1984); Silverman (1986); Scott (1992).
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import density as reference
from mlnotes.engines.density_kernels import GAUSSIAN, KERNELS, Kernel, as_kernel
from mlnotes.engines.density_sums import (
    REACH,
    Spectrum,
    direct_log_sum,
    kernel_sum,
    log_kernel_sum,
    multivariate_log_sum,
    pair_sum,
)
from mlnotes.engines.linear_algebra import cholesky
from mlnotes.engines.progress import Tell, progress
from mlnotes.estimators.base import (
    Estimator,
    LimitWarning,
    check_fitted,
    check_matrix,
    check_option,
    check_rng,
    check_scalar,
    check_squares,
    check_vector,
    check_weights,
)
from mlnotes.estimators.density_histogram import (
    BandwidthSearch,
    Histogram,
    check_sample,
    check_support,
    select_bins,
    smallest_score,
)

__all__ = [
    "KERNELS", "BandwidthSearch", "DensityThreshold", "Histogram", "Kernel", "KernelDensity",
    "kernel_cv_scores", "kernel_density", "select_bandwidth", "select_bins",
]  # fmt: skip

Array = NDArray[np.float64]

# ---- kernel estimates on the line


def kernel_density(
    x: ArrayLike,
    points: ArrayLike,
    bandwidth: float,
    kernel: str | Kernel = "gaussian",
    sample_weight: ArrayLike | None = None,
) -> Array:
    r"""Return :math:`\hat f(t) = \frac1{nh}\sum_iK(\frac{t - x_i}h)` at the points t, shape (m,).

    Parameters
    ----------
    x : array-like of shape (n,)
    points : array-like of shape (m,)
    bandwidth : float
    kernel : str or Kernel
        One of "gaussian", "epanechnikov" (variance 1, as in the notes), "epanechnikov-unit" (on [-1, 1]),
        "biweight", "uniform", "triangular".
    sample_weight : array-like of shape (n,), optional
        Weight k is the observation k times.

    Notes
    -----
    Within 1e-12 of the maximum of the estimate, for any bandwidth. Costs :math:`O(n + m)` for the Gaussian
    kernel (with one sort if h is small); for the others a sort, and one operation for every observation in
    reach of a point. The uniform kernel jumps at its ends: whether an observation at just that distance
    counts is left to rounding.

    Examples
    --------
    >>> kernel_density([0.0, 2.0], [0.0, 1.0], 1.0, "uniform").tolist()
    [0.25, 0.0]
    """
    values, weights = _weighted(check_sample(x), sample_weight)
    places, h = check_vector(points, name="points"), _check_bandwidth(bandwidth)
    return kernel_sum(values, weights, as_kernel(kernel), h, places) / h / _size(values, weights)


def kernel_cv_scores(x: ArrayLike, bandwidths: ArrayLike, kernel: str | Kernel = "gaussian") -> Array:
    r"""Return :math:`\hat J(h) = \int\hat f^2 - \frac2n\sum_i\hat f_{(-i)}(X_i)` for each h, shape (k,).

    With :math:`A = \frac1{n^2h}\sum_{ij}(K * K)(\frac{X_i - X_j}h)` and
    :math:`S = \frac1h\sum_{i \ne j}K(\frac{X_i - X_j}h)` it is :math:`A - \frac{2S}{n(n-1)}`. For the
    Gaussian kernel both are sums over the power spectrum: after one pass over the data a bandwidth costs as
    many operations as there are frequencies. For the others a bandwidth costs one operation for every pair in
    reach of each other.

    Parameters
    ----------
    x : array-like of shape (n,)
        n >= 2.
    bandwidths : array-like of shape (k,)
    kernel : str or Kernel
    """
    x, K = check_sample(x, least=2), as_kernel(kernel)
    widths = check_vector(bandwidths, name="bandwidths")
    if widths.min() <= 0:
        raise ValueError(f"bandwidths must be positive, got {widths.min()}.")
    n, spectrum = len(x), None
    if K is GAUSSIAN:
        spectrum = Spectrum.where_faster(x, float(widths.min()), float(widths.max()))
    sums = np.array([pair_sum(x, K, float(h), spectrum) for h in widths])  # (k, 2)
    return sums[:, 0] / (n**2 * widths) - 2 * sums[:, 1] / widths / (n * (n - 1))


def select_bandwidth(
    x: ArrayLike, bandwidths: ArrayLike | None = None, kernel: str | Kernel = "gaussian"
) -> BandwidthSearch:
    r"""Return the bandwidth with the smallest :math:`\hat J`; of equals the first.

    Parameters
    ----------
    x : array-like of shape (n,)
        n >= 2, not all equal unless ``bandwidths`` are given.
    bandwidths : array-like of shape (k,), optional
        Candidates; by default 60 from 1/30 to 2 times the normal reference rule, in equal ratios.
    kernel : str or Kernel

    Warns
    -----
    LimitWarning
        If the best candidate is the first or the last one, or ties make the score fall without bound.
    """
    x, K = check_sample(x, least=2), as_kernel(kernel)
    if bandwidths is None:
        h = math.sqrt(rule_bandwidth("silverman", *_spreads(x[:, None]), K).item())
        widths = h * np.geomspace(1 / 30, 2, 60)
    else:
        widths = check_vector(bandwidths, name="bandwidths")
    ends, unbounded = [widths.min(), widths.max()], bool(reference.kernel_cv_limit(x, K) < 0)
    return smallest_score(x, widths, kernel_cv_scores(x, widths, K), unbounded, ends, "bandwidth")


# ---- bandwidths


def rule_bandwidth(rule: str, n: float, variances: Array, kernel: Kernel = GAUSSIAN) -> Array:
    r"""Return the H of a reference rule, shape (d, d), for n observations with these variances (d,).

    Silverman's :math:`(\frac4{n(d+2)})^{2/(d+4)}\hat\sigma_i^2` or Scott's
    :math:`n^{-2/(d+4)}\hat\sigma_i^2`; on the line for any kernel.
    """
    d = len(variances)
    factor = 4 / (d + 2) if rule == "silverman" else 1.0
    h = (factor / n) ** (1 / (d + 4))
    h *= reference.best_bandwidth(1, 1, kernel) / reference.best_bandwidth(1, 1)
    return np.diag(h**2 * variances)


def feature_variances(X: Array, weights: Array | None = None) -> tuple[float, Array]:
    """Return n and the variances of the features (d,), divisor n - 1; 0 below rounding and for one row."""
    check_squares(X, axis=0)
    w = np.ones(len(X)) if weights is None else weights
    n, mean = float(w.sum()), w @ X / w.sum()
    if n <= 1:
        return n, np.zeros_like(mean)
    variances = w @ (X - mean) ** 2 / (n - 1)
    return n, np.where(variances > (1e-14 * abs(X).max(axis=0)) ** 2, variances, 0.0)


def _spreads(X: Array, weights: Array | None = None) -> tuple[float, Array]:
    """Return n and the variances of the features (d,), which must be positive."""
    n, variances = feature_variances(X, weights)
    if not variances.all():
        raise ValueError(
            f"feature {np.argmin(variances)} of X does not vary over n_samples = {n:g}: no rule gives a "
            "bandwidth; set one."
        )
    return n, variances


def whitener(bandwidth: Any, d: int) -> tuple[Array, float]:
    """Return A with A H A' = I, shape (d, d), and the log of the density of N(0, H) at 0.

    Any root of the inverse of H serves, since the Gaussian kernel depends on lengths only: A is triangular.
    """
    constant = -0.5 * d * math.log(2 * math.pi)
    if np.ndim(bandwidth) == 0:
        h = _check_bandwidth(bandwidth, 1e300 if d == 1 else 1e150)
        return np.eye(d) / h, constant - d * math.log(h)
    if np.shape(bandwidth) != (d, d):
        raise ValueError(
            f"bandwidth must be a number or a symmetric matrix of shape ({d}, {d}), "
            f"got shape {np.shape(bandwidth)}."
        )
    H = check_matrix(bandwidth, name="bandwidth")
    if abs(H - H.T).max() > 1e-12 * abs(H).max():
        raise ValueError("bandwidth must be a symmetric matrix; this one is not.")
    scale = np.sqrt(np.where(np.diag(H) > 0, np.diag(H), 1.0))
    try:
        L = cholesky(H / scale / scale[:, None])
    except np.linalg.LinAlgError:
        L = np.zeros((d, d))
    if np.diag(L).min() ** 2 < 1e-12:
        raise ValueError("bandwidth must be a positive definite matrix; this one is singular or indefinite.")
    return np.linalg.inv(L) / scale, constant - float(np.log(np.diag(L)).sum() + np.log(scale).sum())


# ---- estimators


class KernelDensity(Estimator):
    r"""Kernel density estimate, of one feature with any kernel, of several with the Gaussian one.

    Parameters
    ----------
    bandwidth : float, array-like of shape (d, d), "silverman", "scott" or "cv", default "silverman"
        h, or the matrix H; of several features a number h is :math:`H = h^2I`, h from 1e-150 to 1e150. The
        rules are the normal reference rules; for one feature and another kernel
        than the Gaussian they are the AMISE-optimal ones of that kernel for a normal distribution. "cv" takes
        the smallest leave-one-out score (one feature, no weights).
    kernel : str or Kernel, default "gaussian"
    support : pair of float or None, default None
        For one feature: where the density is known to live. The estimate is not changed, but the mass that it
        puts elsewhere is in the certificate, and more than 1 % causes a warning.
    verbose : bool or callable, default False
        Whether sums of more than a second report their progress; see `mlnotes.engines.progress`.

    Attributes
    ----------
    bandwidth_ : float or ndarray of shape (d, d)
        h for one feature, H for several.
    n_samples_ : float
        n, or the sum of the weights.
    certificate_ : dict
        ``ties``: proportion of the observations whose value is not unique, copies counted; ``leak``:
        mass outside the support (0 without); for "cv" ``score``: the smallest :math:`\hat J`.
    n_features_in_ : int

    Warns
    -----
    LimitWarning
        If more than 1 % of the mass leaks; under "cv" as `select_bandwidth` does.

    Notes
    -----
    scikit-learn's ``bandwidth="silverman"`` and "scott" ignore the scale of the data; these use it.
    ``sample_weight`` counts copies: weight k is the observation k times.

    Examples
    --------
    >>> model = KernelDensity(bandwidth=1.0).fit([[0.0], [1.0]])
    >>> model.density([[0.0]]).round(4).tolist()
    [0.3205]
    """

    def __init__(
        self,
        *,
        bandwidth: Any = "silverman",
        kernel: str | Kernel = "gaussian",
        support: Any = None,
        verbose: bool | Tell = False,
    ) -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.support = support
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: None = None, sample_weight: ArrayLike | None = None) -> KernelDensity:
        """Keep the observations X, shape (n, d), and their weights, shape (n,); choose H; return self."""
        matrix, weights = _weighted(check_matrix(X), sample_weight)
        kernel = as_kernel(self.kernel)
        d = matrix.shape[1]
        if d > 1 and kernel is not GAUSSIAN:
            raise ValueError(f"kernel must be 'gaussian' for X with {d} features, got {kernel.name!r}.")
        if d > 1 and self.support is not None:
            raise ValueError(f"support is for one feature, X has {d}.")
        ends = None if self.support is None else check_support(self.support, matrix.ravel())
        bandwidth, certificate = self._choose(matrix, weights, kernel)
        self._restart(X, d)
        self.kernel_, self.bandwidth_ = kernel, bandwidth
        self.n_samples_ = float(_size(matrix, weights))
        self._rows, self._weights = matrix.copy(), weights
        self.certificate_ = {"ties": _proportion_of_ties(matrix, weights), "leak": 0.0} | certificate
        if ends:
            self._measure_leak(*ends)
        return self

    def _choose(self, X: Array, weights: Array | None, kernel: Kernel) -> tuple[Any, dict[str, float]]:
        d = X.shape[1]
        if not isinstance(self.bandwidth, str):
            A, _ = whitener(self.bandwidth, d)
            if np.ndim(self.bandwidth):
                return (1 / A.item() if d == 1 else np.array(self.bandwidth, dtype=float)), {}
            h = float(self.bandwidth)
            return (h if d == 1 else h**2 * np.eye(d)), {}
        options = ("silverman", "scott", "cv")
        check_option(self.bandwidth, name="bandwidth, unless it is a number or a matrix,", options=options)
        if self.bandwidth == "cv":
            if d > 1 or weights is not None:
                raise ValueError(
                    f"bandwidth='cv' is for one feature without weights, got {d} feature(s)"
                    f"{' and weights' if weights is not None else ''}; use 'silverman' or a matrix."
                )
            search = select_bandwidth(X.ravel(), kernel=kernel)
            return search.best, {"score": float(search.scores.min())}
        H = rule_bandwidth(self.bandwidth, *_spreads(X, weights), kernel)
        return (math.sqrt(H.item()) if d == 1 else H), {}

    def _measure_leak(self, low: float, high: float) -> None:
        """Integrate the estimate from the ends of the support outwards."""
        reach = min(self.kernel_.radius, REACH) * self.bandwidth_
        nodes, node_weights = np.polynomial.legendre.leggauss(80)
        steps = reach * (nodes + 1) / 2
        outside = self.density(np.concatenate([low - steps, high + steps])[:, None])
        leak = float(reach / 2 * (outside.reshape(2, -1) @ node_weights).sum())
        self.certificate_["leak"] = leak
        if leak > 0.01:
            message = (
                f"{leak:.1%} of the mass of the estimate lies outside the support [{low:g}, {high:g}]: it is "
                "too low near the ends."
            )
            warnings.warn(message, LimitWarning, stacklevel=3)

    def score_samples(self, X: ArrayLike) -> Array:
        """Return the log of the estimate at each row of X, shape (m,), to an absolute error of 1e-9.

        Beyond the reach of a kernel of bounded support, and where the logarithm itself overflows, it is
        ``-inf``.
        """
        X = self._check_input(X)
        if X.shape[1] > 1:
            return self._many_features(X)
        h = self.bandwidth_
        logs = log_kernel_sum(self._rows.ravel(), self._weights, self.kernel_, h, X.ravel())
        return logs - math.log(h) - math.log(self.n_samples_)

    def density(self, X: ArrayLike) -> Array:
        """Return the estimate at each row of X, shape (m,)."""
        X = self._check_input(X)
        if X.shape[1] > 1:
            return np.exp(self._many_features(X))
        h = self.bandwidth_
        return kernel_sum(self._rows.ravel(), self._weights, self.kernel_, h, X.ravel()) / h / self.n_samples_

    def _many_features(self, X: Array) -> Array:
        A, at_zero = whitener(self.bandwidth_, X.shape[1])
        with progress("KernelDensity", self.verbose) as tell:
            logs = multivariate_log_sum(self._rows, self._weights, X, A, tell)
        return logs + at_zero - math.log(self.n_samples_)

    def score(self, X: ArrayLike, y: None = None) -> float:
        """Return the total log-likelihood of the rows of X."""
        return float(self.score_samples(X).sum())

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Array:
        """Draw from the estimate, shape (n_samples, d): observations plus noise from the kernel."""
        check_fitted(self)
        check_scalar(n_samples, name="n_samples", kind=int, minimum=1)
        rng, d = check_rng(random_state), self.n_features_in_
        p = None if self._weights is None else self._weights / self._weights.sum()
        centres = self._rows[rng.choice(len(self._rows), n_samples, p=p)]
        if d == 1:
            return centres + self.bandwidth_ * self.kernel_.draw(n_samples, rng)[:, None]
        return centres + rng.standard_normal((n_samples, d)) @ np.linalg.cholesky(self.bandwidth_).T


def _proportion_of_ties(X: Array, weights: Array | None) -> float:
    """Return the proportion of the rows, counted as often as they weigh, whose value is not unique.

    Equal rows have equal sums with any factors, added up feature by feature; only rows whose sum repeats are
    compared in full.
    """
    copies = np.ones(len(X)) if weights is None else weights
    factors = np.random.default_rng(0).uniform(size=X.shape[1]) / X.shape[1]  # no overflow
    sums = np.asarray(sum(column * factor for column, factor in zip(X.T, factors, strict=True)))
    order = np.argsort(sums)
    equal = np.diff(sums[order]) == 0
    some = order[np.append(equal, False) | np.append(False, equal)]
    group = np.unique(X[some], axis=0, return_inverse=True)[1].ravel()
    counts = copies.copy()
    counts[some] = np.bincount(group, copies[some])[group]
    return float(copies[counts > 1].sum() / copies.sum())


class DensityThreshold(Estimator):
    r"""Outlier detection: a point is an outlier where the estimated density of the training data is low.

    Parameters
    ----------
    bandwidth : as in `KernelDensity`
    level : float, default 0.05
        Proportion of points of the training distribution to be flagged by mistake, in (0, 1).
    verbose : bool or callable, default False
        Whether sums of more than a second report their progress; see `mlnotes.engines.progress`.

    Attributes
    ----------
    density_ : KernelDensity
    threshold_ : float
        The :math:`\lceil level\cdot n\rceil`-th smallest *leave-one-out* log density of the training data:
        the density at a training observation itself is too high by K(0)/(nh).
    n_features_in_ : int

    Notes
    -----
    Points whose log density is below the threshold are outliers. Fewer than ``level`` n training observations
    are below it when each is left out of its estimate.

    Examples
    --------
    >>> model = DensityThreshold(bandwidth=1.0).fit([[0.0], [1.0], [2.0], [1.5]])
    >>> model.predict([[1.0], [9.0]]).tolist()
    [1, -1]
    """

    def __init__(
        self, *, bandwidth: Any = "silverman", level: float = 0.05, verbose: bool | Tell = False
    ) -> None:
        self.bandwidth = bandwidth
        self.level = level
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: None = None) -> DensityThreshold:
        """Estimate the density of X, shape (n, d), and the threshold; return self."""
        level = check_scalar(self.level, name="level", above=0, below=1)
        X = self._record_features(X, min_rows=2)
        model = KernelDensity(bandwidth=self.bandwidth, verbose=self.verbose).fit(X)
        left_out = np.sort(_left_out_log_densities(X, model))
        rank = max(math.ceil(round(level * len(X), 9)), 1)  # 0.07 times 100 is a little more than 7
        self.density_, self.threshold_ = model, float(left_out[rank - 1])
        return self

    def score_samples(self, X: ArrayLike) -> Array:
        """Return the log density at each row of X, shape (m,)."""
        self._check_input(X)
        return self.density_.score_samples(X)

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Return -1 for an outlier, 1 for a point like those of training, shape (m,)."""
        return np.where(self.score_samples(X) < self.threshold_, -1, 1).astype(np.int64)


def _left_out_log_densities(X: Array, model: KernelDensity) -> Array:
    """Return the log of the estimate at each row of X, shape (n, d), from the other rows, shape (n,).

    The proportion of the others in the estimate of all, 1 - K_H(0) / (n f), cancels where it is small: there
    they are added one by one, n evaluations for each such row. Errors are below 1e-6.
    """
    n, d = X.shape
    A, top = whitener(model.bandwidth_, d)  # log K_H(0)
    logs = model.score_samples(X)
    others = -np.expm1(np.minimum(top - math.log(n) - logs, 0.0))
    few = np.flatnonzero(others < 1e-3)
    logs += np.log(np.maximum(others, 1e-3)) + math.log(n / (n - 1))
    logs[few] = direct_log_sum(X, None, X[few], A, left_out=few) + top - math.log(n - 1)
    return logs


# ---- validation


def _weighted(rows: Array, sample_weight: ArrayLike | None) -> tuple[Array, Array | None]:
    """Return the observations of positive weight, and their weights."""
    if sample_weight is None:
        return rows, None
    weights = check_weights(sample_weight, len(rows))
    return rows[weights > 0], weights[weights > 0]


def _size(rows: Array, weights: Array | None) -> float:
    return len(rows) if weights is None else float(weights.sum())


def _check_bandwidth(bandwidth: Any, most: float = 1e300) -> float:
    return float(check_scalar(bandwidth, name="bandwidth", minimum=1 / most, maximum=most))
