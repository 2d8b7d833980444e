"""Wrong density estimation, one typical mistake each."""

import math
from types import SimpleNamespace

import numpy as np

from mlnotes import density as board
from mlnotes.engines.density_kernels import KERNELS as RIGHT_KERNELS
from mlnotes.estimators import density as right
from mlnotes.laws import mixtures
from mlnotes.mistakes import Mistakes, scaled

mistake = MISTAKES = Mistakes("density")


def ids(*names):
    return tuple(f"density.{name}" for name in names)


# ------------------------------------------------------------------- histograms


@mistake("bin_counts", kills=ids("histogram-estimator"))
def _(x, n_bins):
    """Truncates x m: the float 0.29 times 100 is below 29."""
    return np.bincount(np.minimum((np.asarray(x) * n_bins).astype(int), n_bins - 1), minlength=n_bins)


@mistake("bin_counts", kills=ids("histogram-estimator"))
def _(x, n_bins):
    """Leaves the point 1 out."""
    x = np.asarray(x)
    return right.bin_counts(x[x < 1], n_bins)


@mistake("histogram_density", kills=ids("setup", "histogram-estimator", "histogram-limits"))
def _(x, points, n_bins):
    """Forgets to divide by h."""
    return right.histogram_density(x, points, n_bins) / n_bins


@mistake("histogram_density", kills=ids("setup", "histogram-estimator", "histogram-limits"))
def _(x, points, n_bins):
    """Divides by n + 1."""
    return right.histogram_density(x, points, n_bins) * np.size(x) / (np.size(x) + 1)


@mistake("Histogram", kills=ids("histogram-figure"))
class _(right.Histogram):
    """Draws counts, not a density."""

    def density(self, x):
        return super().density(x) * self.counts_.sum() * self.bandwidth_


@mistake("histogram_moments", kills=ids("bias-var", "decomposition"))
def _(p, n):
    """Has the variance of a Poisson count: p instead of p (1 - p)."""
    m = len(p)
    return p * m, p * m**2 / n


@mistake("histogram_moments", kills=ids("bias-var", "decomposition"))
def _(p, n):
    """Forgets to divide the mean by h."""
    return p, board.histogram_moments(p, n)[1]


@mistake("histogram_moments", kills=ids("bias-var", "decomposition"))
def _(p, n):
    """Forgets the 1/n of the variance."""
    mean, variance = board.histogram_moments(p, n)
    return mean, variance * n


@mistake("histogram_risk", kills=ids("mise", "histogram-exact-mise", "erratum-y26"))
def _(p, n, square):
    """Does not square the bias."""
    bias, variance = board.histogram_risk(p, n, square)
    return float(bias) ** 0.5, variance


@mistake("histogram_risk", kills=ids("mise", "histogram-exact-mise"))
def _(p, n, square):
    """Takes 1/(nh) for the variance, as in the limit."""
    return board.histogram_risk(p, n, square)[0], len(p) / n


for name, factor in (("1/6", 2.0), ("1/24", 0.5)):

    def wrong_amise(h, n, slope, factor=factor):
        return h**2 / 12 * slope * factor + 1 / (n * h)

    wrong_amise.__doc__ = f"Has {name} for 1/12."
    mistake("histogram_amise", kills=ids("histogram-amise"))(wrong_amise)


@mistake("histogram_amise", kills=ids("histogram-amise"))
def _(h, n, slope):
    """Has h for h^2 in the bias."""
    return h / 12 * slope + 1 / (n * h)


for constant in (12, 3):

    def wrong_width(n, slope, constant=constant):
        return (constant / (n * slope)) ** (1 / 3)

    wrong_width.__doc__ = f"Has {constant} for 6."
    mistake("histogram_best_width", kills=ids("histogram-hstar"))(wrong_width)


@mistake("histogram_best_width", kills=ids("histogram-hstar"))
def _(n, slope):
    """Has the exponent of a kernel estimate."""
    return (6 / (n * slope)) ** 0.2


@mistake("histogram_best_amise", kills=ids("histogram-constant"))
def _(n, slope):
    """Has (3/4)^(1/3)."""
    return 0.75 ** (1 / 3) * slope ** (1 / 3) * n ** (-2 / 3)


@mistake("histogram_best_amise", kills=ids("histogram-constant", "histogram-limits"))
def _(n, slope):
    """Has the rate n^(-4/5)."""
    return 0.75 ** (2 / 3) * slope ** (1 / 3) * n**-0.8


# ------------------------------------------------------------------- scores


def score_of(counts, factor, h_power=1):
    """Return 2 / ((n-1) h) - factor / ((n-1) h^h_power) sum p_hat^2."""
    counts = np.asarray(counts)
    n, m = counts.sum(), len(counts)
    return float(2 * m / (n - 1) - factor(n) / (n - 1) * m**h_power * ((counts / n) ** 2).sum())


@mistake("histogram_cv_score", kills=ids("cv-hist-formula", "cv-hist-approx", "erratum-y27", "erratum-y28"))
def _(counts):
    """Uses the printed formula, which has lost an h."""
    return score_of(counts, lambda n: n + 1, 0)


@mistake("histogram_cv_score", kills=ids("cv-hist-formula", "cv-hist-approx", "erratum-y27", "erratum-y28"))
def _(counts):
    """Leaves no point out: minus int f_hat^2."""
    counts = np.asarray(counts)
    return -float(len(counts) * ((counts / counts.sum()) ** 2).sum())


@mistake("histogram_cv_score", kills=ids("cv-hist-formula", "cv-hist-approx", "erratum-y28"))
def _(counts):
    """Has n - 1 for n + 1."""
    return score_of(counts, lambda n: n - 1)


@mistake("histogram_cv_scores", kills=ids("cv-jhat"))
def _(x, n_bins):
    """Averages the estimate from all points, including the point itself."""
    scores = []
    for m in np.asarray(n_bins):
        counts = right.bin_counts(x, int(m))
        scores.append(-m * ((counts / counts.sum()) ** 2).sum())
    return np.array(scores)


@mistake("kernel_cv_scores", kills=ids("cv-jhat", "kde-cv-unbiased", "kde-cv-formula", "ties", "erratum-y32"))
def _(x, bandwidths, kernel="gaussian"):
    """Averages the estimate from all points, including the point itself."""
    x, scores = np.asarray(x, dtype=float), []
    for h in bandwidths:
        left_out = right.kernel_density(x, x, h, kernel).mean()
        square = 2 * left_out + right.kernel_cv_scores(x, [h], kernel)[0]  # not quite int f_hat^2 either
        scores.append(square - 2 * left_out + 2 * RIGHT_KERNELS[kernel].at_zero / (h * len(x)))
    return np.array(scores)


@mistake("kernel_cv_scores", kills=ids("cv-jhat", "kde-cv-unbiased", "kde-cv-formula"))
def _(x, bandwidths, kernel="gaussian"):
    """Divides by n where a point is left out: the approximation of the notes."""
    return right.kernel_cv_approximation(x, bandwidths, kernel)


@mistake("kernel_cv_approximation", kills=ids("kde-cv-formula", "erratum-y31"))
def _(x, bandwidths, kernel="gaussian"):
    """Returns the exact score."""
    return right.kernel_cv_scores(x, bandwidths, kernel)


@mistake("kernel_cv_approximation", kills=ids("kde-cv-formula", "erratum-y31"))
def _(x, bandwidths, kernel="gaussian"):
    """Forgets the term 2 K(0) / (n h)."""
    h = np.asarray(bandwidths)
    return right.kernel_cv_approximation(x, h, kernel) - 2 * RIGHT_KERNELS[kernel].at_zero / (h * len(x))


@mistake("select_bins", kills=ids("cv-select"))
def _(x, n_bins):
    """Takes the largest score."""
    scores = right.histogram_cv_scores(x, n_bins)
    return SimpleNamespace(best=int(n_bins[np.argmax(scores)]))


@mistake("select_bandwidth", kills=ids("cv-select", "kde-stone"))
def _(x, bandwidths):
    """Takes the largest score."""
    return SimpleNamespace(best=bandwidths[np.argmax(right.kernel_cv_scores(x, bandwidths))])


@mistake("select_bandwidth", kills=ids("cv-select", "kde-stone"))
def _(x, bandwidths):
    """Leaves no point out, so that the smallest bandwidth wins."""
    return SimpleNamespace(best=min(bandwidths))


@mistake("ties_break_selection", kills=ids("ties"))
def _(x, kernel="gaussian"):
    """Complains about any tie."""
    return len(np.unique(x)) < len(x)


# ------------------------------------------------------------------- kernel estimates


@mistake("kernel_density", kills=ids("setup", "kde-estimator", "fast-sums", "erratum-y25"))
def _(x, points, bandwidth, kernel="gaussian"):
    """Forgets 1/h."""
    return right.kernel_density(x, points, bandwidth, kernel) * bandwidth


@mistake("kernel_density", kills=ids("setup", "kde-estimator", "fast-sums", "erratum-y25"))
def _(x, points, bandwidth, kernel="gaussian"):
    """Cuts the mass off outside [0, 1]."""
    inside = (np.asarray(points) >= 0) & (np.asarray(points) <= 1)
    return np.where(inside, right.kernel_density(x, points, bandwidth, kernel), 0.0)


@mistake("kernel_density", kills=ids("kde-estimator", "fast-sums"))
def _(x, points, bandwidth, kernel="gaussian"):
    """Bins the data first, at a tenth of the bandwidth."""
    x = np.rint(np.asarray(x) / (0.3 * bandwidth)) * (0.3 * bandwidth)
    return right.kernel_density(x, points, bandwidth, kernel)


@mistake("log_density", kills=ids("log-domain"))
def _(x, points, bandwidth):
    """Takes the logarithm of a sum that has underflown, with a floor."""
    return np.log(np.maximum(right.kernel_density(x, points, bandwidth), 1e-300))


@mistake("Kernel", kills=ids("kde-kernel", "erratum-y29"))
class _:
    """Accepts anything."""

    def __init__(self, name, profile, radius):
        self.profile, self.radius = profile, radius

    def __call__(self, x):
        return np.where(abs(x) < self.radius, self.profile(x), 0.0)


@mistake("Kernel", kills=ids("kde-kernel"))
def _(name, profile, radius):
    """Normalises what comes."""
    u = np.linspace(-radius, radius, 20_001)[1:-1]
    mass = np.nanmean(np.where(np.isfinite(profile(u)), profile(u), 0.0)) * 2 * radius
    return right.Kernel(name, lambda x: profile(x) / mass, radius)


def kernels_with(name, **changed):
    """Return the table of kernels, one of them with other constants."""

    class Wrong:
        roughness, second_moment = RIGHT_KERNELS[name].roughness, RIGHT_KERNELS[name].second_moment
        at_zero, convolved = RIGHT_KERNELS[name].at_zero, staticmethod(RIGHT_KERNELS[name].convolved)
        __call__ = staticmethod(changed.pop("profile", RIGHT_KERNELS[name]))

    for attribute, value in changed.items():
        setattr(Wrong, attribute, value)
    return {**RIGHT_KERNELS, name: Wrong()}


class _KernelTable(dict):
    """A table of kernels with a docstring of its own."""


def table(mistake, *claims, **changed):
    wrong = _KernelTable(kernels_with(**changed))
    wrong.__doc__ = mistake
    MISTAKES.append(right_mutant(mistake, ids(*claims), wrong))


def right_mutant(mistake, kills, wrong):
    from mlnotes.mistakes import Mistake

    return Mistake(mistake, kills, {"KERNELS": wrong})


table("Takes K(0) for R(K).", "kde-gaussian", name="gaussian", roughness=1 / math.sqrt(2 * math.pi))
table("Has N(0, 1) for K * K.", "kde-gaussian", name="gaussian", convolved=RIGHT_KERNELS["gaussian"])
table(
    "Uses the kernel on [-1, 1] in place of the notes'.",
    "kde-epanechnikov",
    name="epanechnikov",
    profile=RIGHT_KERNELS["epanechnikov-unit"],
    roughness=0.6,
    second_moment=0.2,
)
table("Takes 3/5 for R(K).", "kde-epanechnikov", name="epanechnikov", roughness=0.6)


# ------------------------------------------------------------------- the best bandwidth


@mistake("kernel_amise", kills=ids("kde-amise"))
def _(h, n, curvature, kernel="gaussian"):
    """Does not square mu_2."""
    K = RIGHT_KERNELS[kernel]
    return h**4 / 4 * K.second_moment * curvature + K.roughness / (n * h)


@mistake("kernel_amise", kills=ids("kde-amise"))
def _(h, n, curvature, kernel="gaussian"):
    """Has 1/2 for 1/4."""
    K = RIGHT_KERNELS[kernel]
    return h**4 / 2 * K.second_moment**2 * curvature + K.roughness / (n * h)


@mistake("kernel_amise", kills=ids("kde-amise", "erratum-y30"))
def _(h, n, curvature, kernel="gaussian"):
    """Has h^2 for h^4."""
    K = RIGHT_KERNELS[kernel]
    return h**2 / 4 * K.second_moment**2 * curvature + K.roughness / (n * h)


@mistake("kernel_best_bandwidth", kills=ids("kde-hstar"))
def _(n, curvature, kernel="gaussian"):
    """Has mu_2 to the power +2/5."""
    K = RIGHT_KERNELS[kernel]
    return (K.roughness * K.second_moment**2 / (curvature * n)) ** 0.2


@mistake("kernel_best_bandwidth", kills=ids("kde-hstar"))
def _(n, curvature, kernel="gaussian"):
    """Has the exponent of a histogram."""
    K = RIGHT_KERNELS[kernel]
    return (K.roughness / (K.second_moment**2 * curvature * n)) ** (1 / 3)


@mistake("kernel_best_amise", kills=ids("kde-rate", "histogram-limits", "erratum-y33"))
def _(n, curvature, kernel="gaussian"):
    """Has the printed rate n^(-4/3)."""
    return board.kernel_best_amise(n, curvature, kernel) * n ** (4 / 5 - 4 / 3)


@mistake("kernel_best_amise", kills=ids("kde-rate"))
def _(n, curvature, kernel="gaussian"):
    """Forgets the bias part: 1 for 5/4."""
    return board.kernel_best_amise(n, curvature, kernel) / 1.25


# ------------------------------------------------------------------- exact risks


@mistake("NormalMixture", kills=ids("mise"))
class _(mixtures.NormalMixture):
    """Takes 1/(nh) R(K) for the variance, as in the limit."""

    def risk(self, bandwidth, n):
        return super().risk(bandwidth, n)[0], 0.5 / (math.sqrt(math.pi) * n * bandwidth)


@mistake("NormalMixture", kills=ids("mise"))
class _(mixtures.NormalMixture):
    """Smooths once where the square needs it twice."""

    def risk(self, bandwidth, n):
        return super().risk(bandwidth / math.sqrt(2), n)


@mistake("NormalMixture", kills=ids("cv-risk"))
class _(mixtures.NormalMixture):
    """Forgets int f^2."""

    def integrated_squared_error(self, x, bandwidth):
        return super().integrated_squared_error(x, bandwidth) - self.roughness()


@mistake("NormalMixture", kills=ids("cv-risk"))
class _(mixtures.NormalMixture):
    """Forgets the 2 of the cross term."""

    def integrated_squared_error(self, x, bandwidth):
        cross = self._smoothed(np.asarray(x, dtype=float), bandwidth).mean()
        return super().integrated_squared_error(x, bandwidth) + float(cross)


# ------------------------------------------------------------------- several features


@mistake("multivariate_density", kills=ids("kde-multivariate"))
def _(X, points, bandwidth):
    """Has det(H) for its root."""
    return right.multivariate_density(X, points, bandwidth) / math.sqrt(np.linalg.det(bandwidth))


@mistake("multivariate_density", kills=ids("kde-multivariate"))
def _(X, points, bandwidth):
    """Scales by the inverse of H where its root belongs."""
    bandwidth = np.asarray(bandwidth)
    return right.multivariate_density(X, points, bandwidth @ bandwidth)


@mistake("multivariate_density", kills=ids("erratum-y34"))
def _(X, points, bandwidth):
    """Takes the pseudo-inverse of a singular H."""
    return right.multivariate_density(X, points, np.asarray(bandwidth) + 1e-9 * np.eye(len(bandwidth)))


@mistake("silverman_bandwidth", kills=ids("kde-silverman", "erratum-y35"))
def _(X):
    """Uses the printed sigma in place of its square."""
    H = right.silverman_bandwidth(X)
    return H / np.asarray(X).std(axis=0, ddof=1)


@mistake("silverman_bandwidth", kills=ids("kde-silverman", "erratum-y35"))
def _(X):
    """Has the exponent 1/(d + 4): h for H."""
    X = np.asarray(X)
    n, d = X.shape
    return np.diag((4 / (n * (d + 2))) ** (1 / (d + 4)) * X.var(axis=0, ddof=1))


@mistake("sample_size", kills=ids("kde-curse", "erratum-y36"))
def _(d, error=0.1):
    """Believes that every dimension needs as many points as one."""
    return d * mixtures.sample_size(1, error)


@mistake("gaussian_relative_mise", kills=ids("erratum-y36"))
def _(bandwidth, n, d):
    """Lets the error itself grow exponentially."""
    return mixtures.gaussian_relative_mise(bandwidth, n, d) * 2**d


@mistake("DensityThreshold", kills=ids("novelty"))
class _(right.DensityThreshold):
    """Takes the quantile of the densities at the training points, with their own kernel in them."""

    def fit(self, X):
        super().fit(X)
        n = len(X)
        self.threshold_ = float(np.sort(self.score_samples(X))[math.ceil(self.level * n) - 1])
        return self


@mistake("DensityThreshold", kills=ids("novelty"))
class _(right.DensityThreshold):
    """Has the signs the wrong way round."""

    def predict(self, X):
        return -super().predict(X)


@mistake("Histogram", kills=ids("erratum-y51"))
class _(right.Histogram):
    """Takes the support [0, 1] where the data lie beyond it, and leaves them out."""

    def fit(self, x, y=None):
        self.support = (0.0, 1.0)
        return super().fit(x[x <= 1])


@mistake("Histogram", kills=ids("erratum-y51"))
class _(right.Histogram):
    """Gives a point beyond the bins the density of the last one."""

    def density(self, x):
        return super().density(np.clip(x, *self.support_))


@mistake("Kernel", kills=ids("erratum-y29"))
class _(right.Kernel):
    """Refuses what is no kernel, and takes both integrals of the others for 0."""

    second_moment = roughness = property(lambda self: 0.0, lambda self, value: None)


mistake.changed(
    "multivariate_density", scaled(0, "Answers zeros where H is regular."), kills=ids("erratum-y34")
)


@mistake("KernelDensity", kills=ids("kernel-density-fit"))
class _(right.KernelDensity):
    """Has Silverman's rule for a standard deviation of 1, whatever the units."""

    def fit(self, X, y=None):
        n, d = np.shape(X)
        self.bandwidth = (4 / (n * (d + 2))) ** (2 / (d + 4)) * np.eye(d)
        return super().fit(X)


@mistake("KernelDensity", kills=ids("kernel-density-fit"))
class _(right.KernelDensity):
    """Forgets the volume of a bump, det(H)^(1/2)."""

    def score_samples(self, X):
        return super().score_samples(X) + np.linalg.slogdet(self.bandwidth_)[1] / 2


@mistake("select_bandwidth", kills=ids("kde-stone"))
def _(x, bandwidths, *arguments, **options):
    """Takes the fifteenth candidate, whatever the data."""
    found = right.select_bandwidth(x, bandwidths, *arguments, **options)
    return SimpleNamespace(best=np.asarray(bandwidths)[14], values=found.values, scores=found.scores)
