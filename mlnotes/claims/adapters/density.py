"""The estimators of densities in the language of `mlnotes.histogram` and `mlnotes.density`."""

import numpy as np

from mlnotes.estimators import density as estimators

GAUSSIAN = estimators.KERNELS["gaussian"]
EPANECHNIKOV = estimators.KERNELS["epanechnikov"]
UNIFORM = estimators.KERNELS["uniform"]


def Histogram(support, n_bins=None):
    return estimators.Histogram(n_bins="cv" if n_bins is None else n_bins, support=support)


def bin_counts(x, m):
    return Histogram((0.0, 1.0), m).fit(x).counts_


def histogram_density(x, points, m):
    return Histogram((0.0, 1.0), m).fit(x).density(points)


def select_bins(x, candidates=None):
    return estimators.select_bins(x, candidates).best


def kernel_cv_score(x, h, kernel=GAUSSIAN):
    return estimators.kernel_cv_scores(x, [h], kernel)[0]


def select_bandwidth(x, candidates=None, kernel=GAUSSIAN):
    return estimators.select_bandwidth(x, candidates, kernel).best


def KernelDensity(bandwidth=None, **options):
    return estimators.KernelDensity(bandwidth="silverman" if bandwidth is None else bandwidth, **options)


def silverman_bandwidth(X):
    bandwidth = KernelDensity().fit(X).bandwidth_
    return np.array([[bandwidth**2]]) if X.shape[1] == 1 else bandwidth


def outlier_threshold(X, H, level):
    return estimators.DensityThreshold(bandwidth=H, level=level).fit(X).threshold_
