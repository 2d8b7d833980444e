r"""Density estimation on data: the board `mlnotes.density` with checked input, fast sums and certificates.

A bandwidth is the width 1/m of a bin or the scale h of a kernel, in the unit of the data; of several features
it is a matrix H, in *squared* units. Scores :math:`\hat J(h)` estimate :math:`\int\hat f^2 - 2\int\hat ff`,
without bias. In one feature sums of kernels cost :math:`O(n\log n)` and are within 1e-12 of their maximum:
`mlnotes.engines.density_sums`. Of several features the Gaussian kernel is summed over all pairs. Exact risks
of known distributions are in `mlnotes.datasets.mixtures`.

Sources: Yan, slides on density estimation, Theorems 2.4 to 2.7; Rosenblatt (1956); Rudemo (1982); Stone
(1984); Silverman (1986); Scott (1992).
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import density as board
from mlnotes.engines.density_kernels import GAUSSIAN, KERNELS, Kernel, as_kernel
from mlnotes.engines.density_sums import (
    REACH,
    Spectrum,
    kernel_sum,
    log_kernel_sum,
    multivariate_log_sum,
    pair_sum,
    slow_log_sums,
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
    bin_counts,
    check_sample,
    check_support,
    histogram_cv_scores,
    histogram_density,
    least_score,
    select_bins,
)

__all__ = [
    "KERNELS", "BandwidthSearch", "DensityThreshold", "Histogram", "Kernel", "KernelDensity", "bin_counts",
    "histogram_cv_scores", "histogram_density", "kernel_cv_approximation", "kernel_cv_scores",
    "kernel_density", "log_density", "multivariate_density", "scott_bandwidth", "select_bandwidth",
    "select_bins", "silverman_bandwidth", "ties_break_selection",
]  # fmt: skip

Array = NDArray[np.float64]

# ------------------------------------------------------------------- kernel estimates


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
        Weight k is the point k times.

    Notes
    -----
    Within 1e-12 of the maximum of the estimate, for any bandwidth. Costs :math:`O(n + m)` for the Gaussian
    kernel (with one sort if h is small), :math:`O((n + m)\log(n + m))` for polynomial kernels.
    The uniform kernel jumps at its ends: whether a point at just that distance counts is left to rounding.

    Examples
    --------
    >>> kernel_density([0.0, 2.0], [0.0, 1.0], 1.0, "uniform").tolist()
    [0.25, 0.0]
    """
    x, w, points, h, K, total = _check_sum(x, points, bandwidth, kernel, sample_weight)
    return kernel_sum(x, w, K, h, points) / h / total


def log_density(
    x: ArrayLike,
    points: ArrayLike,
    bandwidth: float,
    kernel: str | Kernel = "gaussian",
    sample_weight: ArrayLike | None = None,
) -> Array:
    r"""Return :math:`\log\hat f(t)`, to an absolute error of 1e-9 however far t is, shape (m,).

    Parameters are those of `kernel_density`. Where the estimate is far below its maximum the terms are taken
    one by one, the largest set to 1. Beyond the reach of a kernel of bounded support, and where the logarithm
    itself overflows, the answer is ``-inf``.
    """
    x, w, points, h, K, total = _check_sum(x, points, bandwidth, kernel, sample_weight)
    return log_kernel_sum(x, w, K, h, points) - math.log(h) - math.log(total)


def kernel_cv_scores(x: ArrayLike, bandwidths: ArrayLike, kernel: str | Kernel = "gaussian") -> Array:
    r"""Return :math:`\hat J(h) = \int\hat f^2 - \frac2n\sum_i\hat f_{(-i)}(X_i)` for each h, shape (k,).

    With :math:`A = \frac1{n^2h}\sum_{ij}(K * K)(\frac{X_i - X_j}h)` and
    :math:`S = \frac1h\sum_{i \ne j}K(\frac{X_i - X_j}h)` it is :math:`A - \frac{2S}{n(n-1)}`. For the
    Gaussian kernel both are sums over the power spectrum: after one pass over the data a bandwidth costs as
    many operations as there are frequencies.

    Parameters
    ----------
    x : array-like of shape (n,)
        n >= 2.
    bandwidths : array-like of shape (k,)
    kernel : str or Kernel
    """
    n, sums = _pair_sums(x, bandwidths, kernel)
    return board.score_of_sums(sums, n * (n - 1))


def kernel_cv_approximation(x: ArrayLike, bandwidths: ArrayLike, kernel: str | Kernel = "gaussian") -> Array:
    r"""Return the approximate score of the notes, with :math:`K^* = K * K - 2K`, shape (k,).

    .. math:: \frac1{n^2h}\sum_{ij}K^*\left(\frac{X_i - X_j}h\right) + \frac2{nh}K(0)

    It divides by :math:`n^2` where the score divides by n(n - 1): it exceeds `kernel_cv_scores` by
    :math:`\frac2{n^2}\sum_i\hat f_{(-i)}(X_i)`, exactly.
    """
    n, sums = _pair_sums(x, bandwidths, kernel)
    return board.score_of_sums(sums, n**2)


def _pair_sums(x: ArrayLike, bandwidths: ArrayLike, kernel: str | Kernel) -> tuple[int, tuple[Array, Array]]:
    """Return n, and A(h) and S(h) of `kernel_cv_scores`."""
    x, K = check_sample(x, least=2), as_kernel(kernel)
    widths = check_vector(bandwidths, name="bandwidths")
    if widths.min() <= 0:
        raise ValueError(f"bandwidths must be positive, got {widths.min()}.")
    n, spectrum = len(x), None
    if K is GAUSSIAN:
        spectrum = Spectrum.where_faster(x, float(widths.min()), float(widths.max()))
    sums = np.array([pair_sum(x, K, float(h), spectrum) for h in widths])  # (k, 2)
    return n, (sums[:, 0] / (n**2 * widths), sums[:, 1] / widths)


def select_bandwidth(
    x: ArrayLike, bandwidths: ArrayLike | None = None, kernel: str | Kernel = "gaussian"
) -> BandwidthSearch:
    r"""Return the bandwidth with the least :math:`\hat J`; of equals the first.

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
        If the best candidate is the first or the last one, or `ties_break_selection`.
    """
    x, K = check_sample(x, least=2), as_kernel(kernel)
    if bandwidths is None:
        h = math.sqrt(rule_bandwidth("silverman", *_spreads(x[:, None]), K).item())
        widths = h * np.geomspace(1 / 30, 2, 60)
    else:
        widths = check_vector(bandwidths, name="bandwidths")
    ends, breaks = [widths.min(), widths.max()], ties_break_selection(x, K)
    return least_score(x, widths, kernel_cv_scores(x, widths, K), breaks, ends, "bandwidth")


def ties_break_selection(x: ArrayLike, kernel: str | Kernel = "gaussian") -> bool:
    r"""Return whether :math:`\hat J(h) \to -\infty` as h goes to 0.

    With T ordered pairs of equal values, :math:`nh\hat J(h) \to R(K)(1 + \frac Tn) - 2K(0)\frac T{n-1}`. This
    is negative as soon as T is about 0.55 n for the Gaussian kernel: if each value occurs twice, T = n.
    """
    x, K = check_sample(x, least=2), as_kernel(kernel)
    return bool(board.ties_break_selection(x, K))


# ------------------------------------------------------------------- several features


def silverman_bandwidth(X: ArrayLike) -> Array:
    r"""Return Silverman's H: a diagonal of :math:`(\frac4{n(d+2)})^{2/(d+4)}\hat\sigma_i^2`, shape (d, d).

    AMISE-optimal for a normal distribution with uncorrelated features and the Gaussian kernel (Silverman,
    1986, section 4.3.2); :math:`\hat\sigma_i^2` divides by n - 1. The notes print :math:`\hat\sigma_i`,
    which is no squared unit.
    """
    return rule_bandwidth("silverman", *_spreads(check_matrix(X)))


def scott_bandwidth(X: ArrayLike) -> Array:
    r"""Return Scott's :math:`H = \operatorname{diag}(n^{-2/(d+4)}\hat\sigma_i^2)`, shape (d, d)."""
    return rule_bandwidth("scott", *_spreads(check_matrix(X)))


def rule_bandwidth(rule: str, n: float, variances: Array, kernel: Kernel = GAUSSIAN) -> Array:
    """Return the H of a reference rule, shape (d, d); Scott's is Silverman's but for a factor of d alone."""
    H, d = board.reference_bandwidth(n, variances, kernel), len(variances)
    return H if rule == "silverman" else H * ((d + 2) / 4) ** (2 / (d + 4))


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


def multivariate_density(X: ArrayLike, points: ArrayLike, bandwidth: ArrayLike) -> Array:
    r"""Return :math:`\frac1n\sum_i\det(H)^{-1/2}K(H^{-1/2}(t - x_i))` with the Gaussian K, shape (m,).

    X has the shape (n, d), the points t (m, d), H = ``bandwidth`` (d, d); a number h means :math:`H = h^2I`.
    """
    return KernelDensity(bandwidth=bandwidth).fit(X).density(points)


def whitener(bandwidth: Any, d: int) -> tuple[Array, float]:
    """Return A with A H A' = I, shape (d, d), and the log of the density of N(0, H) at 0.

    Any root of the inverse of H serves, since the Gaussian kernel knows lengths only: A is triangular.
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


# ------------------------------------------------------------------- estimators


class KernelDensity(Estimator):
    r"""Kernel density estimate, of one feature with any kernel, of several with the Gaussian one.

    Parameters
    ----------
    bandwidth : float, array-like of shape (d, d), "silverman", "scott" or "cv", default "silverman"
        h, or the matrix H; of several features a number h is :math:`H = h^2I`, h from 1e-150 to 1e150. The
        rules are the normal reference rules; for one feature and another kernel
        than the Gaussian they are the AMISE-optimal ones of that kernel for a normal distribution. "cv"
        takes the least leave-one-out score (one feature, no weights).
    kernel : str or Kernel, default "gaussian"
    support : pair of float or None, default None
        For one feature: where the density is known to live. The estimate is not changed, but the mass that it
        puts elsewhere is in the certificate, and more than 1 % is warned of.
    verbose : bool or callable, default False
        Whether sums of more than a second say how far they are; see `mlnotes.engines.progress`.

    Attributes
    ----------
    bandwidth_ : float or ndarray of shape (d, d)
        h for one feature, H for several.
    n_samples_ : float
        n, or the sum of the weights.
    certificate_ : dict
        ``ties``: share of the points that are not the only one of their value, copies counted; ``leak``:
        mass outside the support (0 without); for "cv" ``score``: the least :math:`\hat J`.
    n_features_in_ : int

    Warns
    -----
    LimitWarning
        If more than 1 % of the mass leaks; under "cv" as `select_bandwidth` does.

    Notes
    -----
    scikit-learn's ``bandwidth="silverman"`` and "scott" do not look at the scale of the data; these do.
    ``sample_weight`` counts copies: weight k is the row k times.

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
        """Keep the rows X, shape (n, d), and their weights, shape (n,), and choose H; return self."""
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
        self.n_samples_ = float(len(matrix) if weights is None else weights.sum())
        self._rows, self._weights = matrix.copy(), weights
        self.certificate_ = {"ties": _share_of_ties(matrix, weights), "leak": 0.0} | certificate
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
        """Return the log of the estimate at each row, shape (m,): log density, which may exceed 0."""
        X = self._check_input(X)
        if X.shape[1] == 1:
            return log_density(self._rows.ravel(), X.ravel(), self.bandwidth_, self.kernel_, self._weights)
        return self._many_features(X)

    def density(self, X: ArrayLike) -> Array:
        """Return the estimate at each row, shape (m,)."""
        X = self._check_input(X)
        if X.shape[1] == 1:
            return kernel_density(self._rows.ravel(), X.ravel(), self.bandwidth_, self.kernel_, self._weights)
        return np.exp(self._many_features(X))

    def _many_features(self, X: Array) -> Array:
        A, at_zero = whitener(self.bandwidth_, X.shape[1])
        with progress("KernelDensity", self.verbose) as tell:
            logs = multivariate_log_sum(self._rows, self._weights, X, A, tell)
        return logs + at_zero - math.log(self.n_samples_)

    def score(self, X: ArrayLike, y: None = None) -> float:
        """Return the total log-likelihood of the rows."""
        return float(self.score_samples(X).sum())

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Array:
        """Draw from the estimate, shape (n_samples, d): an observation, plus noise from the kernel."""
        check_fitted(self)
        check_scalar(n_samples, name="n_samples", kind=int, minimum=1)
        rng, d = check_rng(random_state), self.n_features_in_
        shares = None if self._weights is None else self._weights / self._weights.sum()
        rows = self._rows[rng.choice(len(self._rows), n_samples, p=shares)]
        if d == 1:
            return rows + self.bandwidth_ * self.kernel_.draw(n_samples, rng)[:, None]
        return rows + rng.standard_normal((n_samples, d)) @ np.linalg.cholesky(self.bandwidth_).T


def _share_of_ties(X: Array, weights: Array | None) -> float:
    """Return the share of the rows, counted as often as they weigh, that are not the only one of their value.

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
    r"""Novelty detection: a point is new where the estimated density of the training rows is low.

    Parameters
    ----------
    bandwidth : as in `KernelDensity`
    level : float, default 0.05
        Share of points of the training distribution to be called new by mistake, in (0, 1).
    verbose : bool or callable, default False
        Whether sums of more than a second say how far they are; see `mlnotes.engines.progress`.

    Attributes
    ----------
    density_ : KernelDensity
    threshold_ : float
        The :math:`\lceil level\cdot n\rceil`-th smallest *leave-one-out* log density of the training rows:
        the density at a training row itself is too high by K(0)/(nh).
    n_features_in_ : int

    Notes
    -----
    Rows whose log density is below the threshold are new. Fewer than ``level`` n training rows are below it
    when each is judged without itself.

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
        """Estimate the density of the rows X, shape (n, d), and the threshold; return self."""
        level = check_scalar(self.level, name="level", above=0, below=1)
        X = self._record_features(X, min_rows=2)
        model = KernelDensity(bandwidth=self.bandwidth, verbose=self.verbose).fit(X)
        alone = _left_out_log_densities(X, model)
        rank = board.rank_of_level(level, len(X))
        self.density_, self.threshold_ = model, float(np.sort(alone)[rank - 1])
        return self

    def score_samples(self, X: ArrayLike) -> Array:
        """Return the log density of each row, shape (m,)."""
        self._check_input(X)
        return self.density_.score_samples(X)

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Return -1 for a new row, 1 for one like those of training, shape (m,)."""
        return np.where(self.score_samples(X) < self.threshold_, -1, 1).astype(np.int64)


def _left_out_log_densities(X: Array, model: KernelDensity) -> Array:
    """Return the log of the estimate at each row of X, shape (n, d), from the other rows, shape (n,).

    The share of the others in the estimate of all, 1 - K_H(0) / (n f), cancels where it is small: there they
    are added one by one, n evaluations for each such row. Errors are below 1e-6.
    """
    n, d = X.shape
    A, top = whitener(model.bandwidth_, d)  # log K_H(0)
    logs = model.score_samples(X)
    others = -np.expm1(np.minimum(top - math.log(n) - logs, 0.0))
    few = np.flatnonzero(others < 1e-3)
    logs += np.log(np.maximum(others, 1e-3)) + math.log(n / (n - 1))
    logs[few] = slow_log_sums(X, None, X[few], A, left_out=few) + top - math.log(n - 1)
    return logs


# ------------------------------------------------------------------- checks of arguments


def _weighted(rows: Array, sample_weight: ArrayLike | None) -> tuple[Array, Array | None]:
    """Return the rows of positive weight, and their weights."""
    if sample_weight is None:
        return rows, None
    weights = check_weights(sample_weight, len(rows))
    return rows[weights > 0], weights[weights > 0]


def _check_bandwidth(bandwidth: Any, most: float = 1e300) -> float:
    return float(check_scalar(bandwidth, name="bandwidth", minimum=1 / most, maximum=most))


def _check_sum(
    x: ArrayLike, points: ArrayLike, bandwidth: float, kernel: str | Kernel, sample_weight: ArrayLike | None
) -> tuple[Array, Array | None, Array, float, Kernel, float]:
    values, weights = _weighted(check_sample(x), sample_weight)
    places = check_vector(points, name="points")
    total = len(values) if weights is None else weights.sum()
    return values, weights, places, _check_bandwidth(bandwidth), as_kernel(kernel), total
