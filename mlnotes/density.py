r"""Density estimation: draw the density of a sample without a formula for it.  Lecture 10 and Deeper 10.

    f_hat = p_hat_j / h  on bin j = [(j - 1)/m, j/m), the last one closed, h = 1/m            (2.1)
    f_hat(t) = 1/n sum_i 1/h K((t - x_i) / h)            a bump on every point                (5.1)
    MISE = E int (f_hat - f)^2 = int b^2 + int v         squared bias and variance            (1.2)
    J_hat = int f_hat^2 - 2/n sum_i f_hat_(-i)(x_i)      each point judged without itself     (4.2)

A narrow bandwidth h has variance, a wide one bias. The best one depends on f by one number, slope =
int f'^2 or curvature = int f''^2 (Theorems 3.2 and 6.1). Without f the least J_hat wins: its mean is
that of int (f_hat - f)^2 less a constant (Theorem 4.1). In d dimensions a matrix H is in place of h^2.

    x (n,)  points    X (n, d)  rows    p (m,)  masses of bins, exact for fractions    K  a Kernel

Sums run over all pairs of points. Only what a definition asks for is checked; else NumPy speaks, and the
estimators check input and take many points.
"""

import math
from collections import namedtuple

import numpy as np

# ---- 2, 3 Histograms on [0, 1], and the best width of a bin


def bin_of(x, n_bins):
    """Counted from 0: how many of the inner edges 1/m, ..., (m - 1)/m are at most x."""
    return np.searchsorted(np.arange(1, n_bins) / n_bins, x, side="right")


def bin_counts(x, n_bins):
    if not (np.min(x) >= 0 and np.max(x) <= 1):  # nor where all points are equal: 0/0
        raise ValueError("a histogram on [0, 1], or on a given support, has all its points there")
    return np.bincount(bin_of(x, n_bins), minlength=n_bins)


def histogram_density(x, points, n_bins):
    heights = bin_counts(x, n_bins) * (n_bins / len(x))  # (2.1)
    return np.where((points >= 0) & (points <= 1), heights[bin_of(points, n_bins)], 0)


def histogram_moments(p, n):
    """Mean and variance of f_hat on each bin: the counts are binomial."""
    return p * len(p), p * (1 - p) * len(p) ** 2 / n  # (2.2)


def histogram_risk(p, n, square):
    """int b^2 and int v for every density with these masses and this int f^2."""
    m, squares = len(p), (p * p).sum()
    if square < m * squares * (1 - 1e-9):
        raise ValueError(f"int f^2 is at least sum p_j^2 / h = {m * squares}, got {square}.")
    return square - m * squares, (1 - squares) * m / n  # (2.3)


def histogram_amise(h, n, slope):
    return h**2 / 12 * slope + 1 / (n * h)  # (3.1)


def histogram_best_width(n, slope):
    return (6 / (n * slope)) ** (1 / 3)  # (3.2)


def histogram_best_amise(n, slope):
    return (3 / 4) ** (2 / 3) * slope ** (1 / 3) * n ** (-2 / 3)  # (3.2)


# ---- 4 Letting the data choose


def score_of_squares(m, n, squares):
    """J_hat of m bins with this sum of squared counts, in integers: it is rounded once."""
    return m * (2 * n**2 - (n + 1) * squares) / ((n - 1) * n**2)  # (4.3)


def histogram_cv_score(counts):
    counts = [int(c) for c in counts]
    return score_of_squares(len(counts), sum(counts), sum(c * c for c in counts))


def histogram_cv_scores(x, n_bins):
    return np.array([histogram_cv_score(bin_counts(x, m)) for m in n_bins])


Search = namedtuple("Search", "values scores best")


def search(candidates, score):
    """Try one after the other. Yield those that were tried, their scores, and the best so far."""
    values, scores = np.array(candidates), np.array([])
    for k, value in enumerate(values, start=1):
        scores = np.append(scores, score(value))
        yield Search(values[:k], scores, values[np.argmin(scores)])


def select_bins(x, n_bins=None):
    sizes = range(1, max(5, math.isqrt(len(x))) + 1) if n_bins is None else n_bins
    return list(search(sizes, lambda m: histogram_cv_scores(x, [m])[0]))[-1]


class Histogram:
    """m equal bins on (low, high), by default on the range of the points."""

    def __init__(self, n_bins="cv", support=None):
        self.n_bins, self.support = n_bins, support

    def fit(self, x, y=None):
        self.support_ = low, high = self.support or (min(x), max(x))
        self.unit = np.subtract(x, low) / (high - low)
        self.n_bins_ = select_bins(self.unit).best if self.n_bins == "cv" else self.n_bins
        return self

    def density(self, x):
        low, high = self.support_
        unit = np.subtract(x, low) / (high - low)
        return histogram_density(self.unit, unit, self.n_bins_) / (high - low)


# ---- 5 Kernel estimates

ROOTS, LENGTHS = np.polynomial.legendre.leggauss(64)  # Gauss's rule, on [-1, 0] and on [0, 1]
NODES, WEIGHTS = np.append(ROOTS - 1, ROOTS + 1) / 2, np.append(LENGTHS, LENGTHS) / 2


class Kernel:
    """K >= 0, int K = 1, int xK = 0, finite mu_2 = int x^2 K and R(K) = int K^2; 0 beyond the radius."""

    def __init__(self, name, profile, radius, twice=None):
        self.profile, self.radius, self.twice = profile, radius, twice
        u, w = min(radius, 9) * NODES, min(radius, 9) * WEIGHTS  # at 9 the normal density is 1e-18
        K = profile(u)
        if K.min() < 0 or abs(w @ K - 1) > 1e-9 or abs(w @ (u * K)) > 1e-9:
            raise ValueError(f"kernel {name} is no density with mean 0 to Gauss's rule of 128 nodes.")
        self.second_moment, self.roughness = w @ (u**2 * K), w @ K**2  # (5.2)
        self.at_zero = profile(np.zeros(1))[0]

    def __call__(self, u):
        return np.where(abs(u) < self.radius, self.profile(u), 0)

    def self_convolution(self, u):
        """(K * K)(u), the density of the sum of two draws."""
        return np.where(abs(u) < 2 * self.radius, self.twice(abs(u)), 0)


def normal(u, s=1.0):
    return np.exp(-0.5 * (u / s) ** 2) / (s * math.sqrt(2 * math.pi))


def parabola_twice(v):
    return 3 / 160 * (2 - v) ** 3 * (v**2 + 6 * v + 4)


def epanechnikov(name, r):
    return Kernel(name, lambda u: 0.75 / r * (1 - (u / r) ** 2), r, lambda u: parabola_twice(u / r) / r)


KERNELS = {
    "gaussian": Kernel("gaussian", normal, math.inf, lambda u: normal(u, math.sqrt(2))),
    "epanechnikov": epanechnikov("epanechnikov", math.sqrt(5)),
    "epanechnikov-unit": epanechnikov("epanechnikov-unit", 1.0),
    "uniform": Kernel("uniform", lambda u: np.full(np.shape(u), 0.5), 1.0, lambda u: (2 - u) / 4),
}


def as_kernel(kernel):
    return KERNELS.get(kernel, kernel)


def kernel_density(x, points, bandwidth, kernel="gaussian"):
    u = np.subtract.outer(points, x) / bandwidth  # (m, n)
    return as_kernel(kernel)(u).mean(axis=1) / bandwidth  # (5.1)


# ---- 6 The best bandwidth


def kernel_amise(h, n, curvature, kernel="gaussian"):
    K = as_kernel(kernel)
    return h**4 / 4 * K.second_moment**2 * curvature + K.roughness / (n * h)  # (6.1)


def kernel_best_bandwidth(n, curvature, kernel="gaussian"):
    K = as_kernel(kernel)
    return (K.roughness / (K.second_moment**2 * curvature * n)) ** (1 / 5)  # (6.5)


def kernel_best_amise(n, curvature, kernel="gaussian"):
    K = as_kernel(kernel)
    return 5 / 4 * (K.second_moment**0.5 * K.roughness) ** 0.8 * curvature**0.2 * n**-0.8  # (6.5)


# ---- 7 Cross-validation of kernel estimates


def pair_sums(x, h, kernel="gaussian"):
    """A = int f_hat^2 from all pairs, S from those of different points."""
    K, n = as_kernel(kernel), len(x)
    u = np.subtract.outer(x, x) / h
    return K.self_convolution(u).sum() / (n**2 * h), (K(u).sum() - n * K.at_zero) / h  # (7.1)


def score_of_sums(sums, n_pairs):
    return sums[0] - 2 * sums[1] / n_pairs  # Proposition 7.1


def kernel_cv_scores(x, bandwidths, kernel="gaussian"):
    n = len(x)
    return np.array([score_of_sums(pair_sums(x, h, kernel), n * (n - 1)) for h in bandwidths])


def kernel_cv_approximation(x, bandwidths, kernel="gaussian"):
    return np.array([score_of_sums(pair_sums(x, h, kernel), len(x) ** 2) for h in bandwidths])  # (7.2)


def reference_bandwidth(n, variances, kernel="gaussian"):
    """The best H for a normal distribution with these variances; of any kernel on the line."""
    d = len(variances)
    h = (4 / (n * (d + 2))) ** (1 / (d + 4))  # Proposition 8.1
    h *= kernel_best_bandwidth(1, 1, kernel) / kernel_best_bandwidth(1, 1)
    return np.diag(h**2 * variances)


def silverman_bandwidth(X, kernel="gaussian"):
    return reference_bandwidth(len(X), np.var(X, axis=0, ddof=1), kernel)


def select_bandwidth(x, bandwidths=None, kernel="gaussian"):
    if bandwidths is None:
        H = silverman_bandwidth(np.reshape(x, (-1, 1)), kernel)
        bandwidths = math.sqrt(H[0, 0]) * np.geomspace(1 / 30, 2, 60)
    return list(search(bandwidths, lambda h: kernel_cv_scores(x, [h], kernel)[0]))[-1]


def tied_pairs(x):
    counts = np.unique(x, return_counts=True)[1].astype(float)
    return (counts * (counts - 1)).sum()


def ties_break_selection(x, kernel="gaussian"):
    """Whether J_hat falls to minus infinity as h goes to 0."""
    K, n, T = as_kernel(kernel), len(x), tied_pairs(x)
    return K.roughness * (1 + T / n) < 2 * T * K.at_zero / (n - 1)  # (7.3)


# ---- 8, 9 Several features, and far from the data


def log_kernel(K, u):
    with np.errstate(divide="ignore"):
        return -0.5 * (u**2 + math.log(2 * math.pi)) if K is KERNELS["gaussian"] else np.log(K(u))


def log_bumps(X, points, H, kernel="gaussian"):
    """log det(H)^(-1/2) K(H^(-1/2)(t - x_i)), shape (m, n), with K(u) = K(u_1) ... K(u_d)."""
    if np.linalg.eigvalsh(H)[0] <= 0:  # in a browser Cholesky does not say so
        raise ValueError("H must be positive definite: else there is no H^(-1/2).")
    L = np.linalg.cholesky(H)  # L^-1 v is as long as H^(-1/2) v
    u = (np.asarray(points)[:, None] - X) @ np.linalg.inv(L).T  # (m, n, d)
    return log_kernel(as_kernel(kernel), u).sum(axis=2) - np.log(np.diag(L)).sum()


def log_mean(logs):
    """log of the mean of e^l in each row, relative to the largest: nothing underflows."""
    return np.logaddexp.reduce(logs, axis=1) - math.log(logs.shape[1])


RULES = {"silverman": silverman_bandwidth}


class KernelDensity:
    """Of one feature with any kernel, of several with the Gaussian one."""

    def __init__(self, bandwidth="silverman", kernel="gaussian"):
        self.bandwidth, self.kernel = bandwidth, kernel

    def fit(self, X, y=None):
        self.X = np.asarray(X, dtype=float)
        H = RULES[self.bandwidth](self.X, self.kernel) if isinstance(self.bandwidth, str) else self.bandwidth
        self.H = H if np.ndim(H) else H**2 * np.eye(self.X.shape[1])
        return self

    def score_samples(self, X):
        """Logarithms of the density."""
        return log_mean(log_bumps(self.X, X, self.H, self.kernel))  # (8.1)


def multivariate_density(X, points, bandwidth):
    return np.exp(KernelDensity(bandwidth).fit(X).score_samples(points))


def log_density(x, points, bandwidth, kernel="gaussian"):
    model = KernelDensity(bandwidth, kernel).fit(np.reshape(x, (-1, 1)))
    return model.score_samples(np.reshape(points, (-1, 1)))


def rank_of_level(level, n):
    return max(math.ceil(round(level * n, 9)), 1)  # 0.07 times 100 is a little more than 7


class DensityThreshold(KernelDensity):
    """New is what is less dense than the share `level` of the rows are, each judged without itself."""

    def __init__(self, bandwidth="silverman", level=0.05):
        super().__init__(bandwidth)
        self.level = level

    def fit(self, X, y=None):
        super().fit(X)
        logs, n = log_bumps(X, X, self.H), len(X)
        np.fill_diagonal(logs, -np.inf)  # leave one out
        alone = np.sort(log_mean(logs)) + math.log(n / (n - 1))
        self.threshold_ = alone[rank_of_level(self.level, n) - 1]
        return self

    def predict(self, X):
        return np.where(self.score_samples(X) < self.threshold_, -1, 1)
