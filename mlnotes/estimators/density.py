r"""Density estimation on data: the board `mlnotes.density` with checked input, fast sums and certificates.

A bandwidth is the width 1/m of a bin or the scale h of a kernel, in the unit of the data; of several features
it is a matrix H, in *squared* units. Scores :math:`\hat J(h)` estimate :math:`\int\hat f^2 - 2\int\hat ff`,
without bias. Histograms are in `mlnotes.estimators.density_histogram`, kernel estimates in
`mlnotes.estimators.density_kernel`, exact risks of known laws in `mlnotes.laws.mixtures`. Source: Yan, slides
on density estimation, Theorems 2.4 to 2.7.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import density as board
from mlnotes.engines.density_kernels import KERNELS, Kernel
from mlnotes.engines.density_sums import slow_log_sums
from mlnotes.engines.progress import Tell
from mlnotes.estimators.base import Estimator, check_scalar
from mlnotes.estimators.density_histogram import (
    BandwidthSearch,
    Histogram,
    bin_counts,
    histogram_cv_scores,
    histogram_density,
    select_bins,
)
from mlnotes.estimators.density_kernel import (
    KernelDensity,
    kernel_cv_approximation,
    kernel_cv_scores,
    kernel_density,
    log_density,
    multivariate_density,
    scott_bandwidth,
    select_bandwidth,
    silverman_bandwidth,
    ties_break_selection,
    whitener,
)

__all__ = [
    "KERNELS", "BandwidthSearch", "DensityThreshold", "Histogram", "Kernel", "KernelDensity", "bin_counts",
    "histogram_cv_scores", "histogram_density", "kernel_cv_approximation", "kernel_cv_scores",
    "kernel_density", "log_density", "multivariate_density", "scott_bandwidth", "select_bandwidth",
    "select_bins", "silverman_bandwidth", "ties_break_selection",
]  # fmt: skip

Array = NDArray[np.float64]


class DensityThreshold(Estimator):
    r"""Novelty detection: a point is new where the estimated density of the training rows is low.

    Parameters
    ----------
    bandwidth : as in `KernelDensity`
    level : float, default 0.05
        Share of points of the training law to be called new by mistake, in (0, 1).
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
