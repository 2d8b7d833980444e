r"""Kernel density estimation: put a bump on every observation and add them up.  Lecture 10, part B.

    f_hat(x) = 1/n sum_i 1/h K((x - x_i) / h)                   the kernel K is a density with mean 0    (5.1)
    AMISE(h) = h^4/4 mu_2^2 int f''^2 + R(K)/(n h)              mu_2 = int x^2 K,  R(K) = int K^2        (6.1)
    h* = (R(K) / (mu_2^2 int f''^2 n))^(1/5)                    minimises the AMISE                      (6.5)
    J_hat(h) = int f_hat^2 - 2/n sum_i f_hat_(-i)(x_i)          f_hat_(-i): from all points but x_i      (4.2)
    f_hat(x) = 1/n sum_i det(H)^(-1/2) K(H^(-1/2) (x - X_i))    in d dimensions, K being N(0, I)         (8.1)

With a narrow bandwidth h the estimate has a large variance, with a wide one a large bias.

Theorem 6.1. If f, f', f'' are square integrable, MISE <= AMISE, and MISE / AMISE -> 1 as h -> 0, n h -> oo.
Theorem 4.1. For fixed h the expectation of J_hat(h) is MISE(h) - int f^2: to compare bandwidths, we need not
know f.

Samples are x (n,) on the line and X (n, d) in d dimensions.  All pairs of points are stored at once.
Inputs are not validated here; the estimators do that.
"""

from collections import namedtuple

import numpy as np

# ---- 5 Kernel estimates

# K, K * K, and the two constants mu_2 and R(K) of (5.2)
Kernel = namedtuple("Kernel", "density self_convolution second_moment roughness")


def normal_density(u, sigma=1.0):
    return np.exp(-0.5 * (u / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi))


GAUSSIAN = Kernel(
    density=normal_density,
    self_convolution=lambda u: normal_density(u, np.sqrt(2)),  # the sum of two draws is N(0, 2)
    second_moment=1,
    roughness=1 / (2 * np.sqrt(np.pi)),
)


def kernel_density(x, points, h, kernel=GAUSSIAN):
    """The estimate from the sample x with bandwidth h, at the given points."""
    u = np.subtract.outer(points, x) / h
    return kernel.density(u).mean(axis=1) / h  # (5.1)


# ---- 6 The best bandwidth


def kernel_amise(h, n, curvature, kernel=GAUSSIAN):
    squared_bias = h**4 / 4 * kernel.second_moment**2 * curvature  # curvature = int f''^2
    variance = kernel.roughness / (n * h)
    return squared_bias + variance  # (6.1)


def best_bandwidth(n, curvature, kernel=GAUSSIAN):
    return (kernel.roughness / (kernel.second_moment**2 * curvature * n)) ** (1 / 5)  # (6.5)


def normal_reference_bandwidth(x, kernel=GAUSSIAN):
    """The best bandwidth if the points were normal: int f''^2 is 3 / (8 sqrt(pi) sigma^5)."""
    sigma = np.std(x, ddof=1)
    return best_bandwidth(len(x), 3 / (8 * np.sqrt(np.pi) * sigma**5), kernel)


# ---- 7 Cross-validation


def kernel_cv_score(x, h, kernel=GAUSSIAN):
    """J_hat(h), by leaving out one point after the other."""
    n = len(x)
    u = np.subtract.outer(x, x) / h
    integral_of_square = kernel.self_convolution(u).sum() / (n**2 * h)  # (7.1)
    K = kernel.density(u)
    np.fill_diagonal(K, 0)  # leave one out
    left_out = K.sum(axis=1) / ((n - 1) * h)  # f_hat_(-i)(x_i)
    return integral_of_square - 2 * left_out.mean()  # (4.2)


def select_bandwidth(x, candidates=None, kernel=GAUSSIAN):
    if candidates is None:
        candidates = normal_reference_bandwidth(x, kernel) * np.geomspace(1 / 30, 2, 60)
    scores = [kernel_cv_score(x, h, kernel) for h in candidates]
    return candidates[np.argmin(scores)]


def kernel_cv_limit(x, kernel=GAUSSIAN):
    """The limit of n h J_hat(h) as h -> 0.  If ties make it negative, cross-validation fails: h = 0 wins."""
    n = len(x)
    counts = np.unique(x, return_counts=True)[1]
    T = (counts * (counts - 1.0)).sum()  # ordered pairs of equal points
    return kernel.roughness * (1 + T / n) - 2 * T * kernel.density(0) / (n - 1)  # (7.3)


# ---- 5 Two other kernels


def epanechnikov_density(u):
    return np.where(abs(u) < np.sqrt(5), 3 / (4 * np.sqrt(5)) * (1 - u**2 / 5), 0)


def epanechnikov_convolution(u):
    v = np.minimum(abs(u) / np.sqrt(5), 2)
    return 3 / (160 * np.sqrt(5)) * (2 - v) ** 3 * (v**2 + 6 * v + 4)


EPANECHNIKOV = Kernel(
    density=epanechnikov_density,
    self_convolution=epanechnikov_convolution,
    second_moment=1,
    roughness=3 / (5 * np.sqrt(5)),
)

UNIFORM = Kernel(
    density=lambda u: np.where(abs(u) < 1, 1 / 2, 0),
    self_convolution=lambda u: np.maximum(2 - abs(u), 0) / 4,
    second_moment=1 / 3,
    roughness=1 / 2,
)

# ---- 8, 9 Several features, and logarithms


def silverman_bandwidth(X):
    """H_ii = (4 / (n (d + 2)))^(2/(d + 4)) sigma_i^2, the best diagonal H for independent normal features."""
    n, d = X.shape
    h = (4 / (n * (d + 2))) ** (1 / (d + 4))
    return h**2 * np.diag(X.var(axis=0, ddof=1))


def log_bumps(X, points, H):
    """The log density of N(X_i, H) at every point, shape (m, n)."""
    variances, axes = np.linalg.eigh(H)
    if variances.min() <= 0:
        raise ValueError("H must be positive definite: otherwise there is no H^(-1/2).")
    u = (points[:, None] - X) @ axes / np.sqrt(variances)  # (m, n, d), H^(-1/2) (x - X_i) but for a rotation
    squared_lengths = (u**2).sum(axis=2)
    return -0.5 * (squared_lengths + np.log(2 * np.pi * variances).sum())


def log_sum_exp(logs):
    """The log of the sum of exp(logs) over every row, where exp alone might underflow to 0."""
    return np.logaddexp.reduce(logs, axis=1)


class KernelDensity:
    """Gaussian kernel; the bandwidth is a matrix H, by default Silverman's."""

    def __init__(self, bandwidth=None):
        self.bandwidth = bandwidth

    def fit(self, X):
        self.X_ = X
        self.bandwidth_ = silverman_bandwidth(X) if self.bandwidth is None else self.bandwidth
        return self

    def score_samples(self, X):
        logs = log_bumps(self.X_, X, self.bandwidth_)
        return log_sum_exp(logs) - np.log(len(self.X_))  # log f_hat, (8.1)


def outlier_threshold(X, H, level):
    """The level quantile of the leave-one-out log densities: flag points whose log density is below it."""
    n = len(X)
    logs = log_bumps(X, X, H)
    np.fill_diagonal(logs, -np.inf)  # leave one out
    left_out = log_sum_exp(logs) - np.log(n - 1)  # log f_hat_(-i)(X_i)
    return np.quantile(left_out, level, method="inverted_cdf")
