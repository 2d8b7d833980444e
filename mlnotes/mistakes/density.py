"""Wrong density estimation, one typical mistake each."""

import math
from dataclasses import replace

import numpy as np

from mlnotes import density as board
from mlnotes.engines.density_kernels import KERNELS as RIGHT_KERNELS
from mlnotes.estimators import density as right
from mlnotes.laws import mixtures
from mlnotes.mistakes import Change, Mistakes, negated, scaled

mistake = MISTAKES = Mistakes("density")


# ------------------------------------------------------------------- histograms


mistake.rows("bin_counts",
    ("Truncates x m: the float 0.29 times 100 is below 29.", "histogram-estimator", lambda x, n_bins:
        np.bincount(np.minimum((np.asarray(x) * n_bins).astype(int), n_bins - 1), minlength=n_bins)),
)  # fmt: skip


@mistake("bin_counts", kills="histogram-estimator")
def _(x, n_bins):
    """Leaves the point 1 out."""
    x = np.asarray(x)
    return right.bin_counts(x[x < 1], n_bins)


mistake.rows("histogram_density",
    ("Forgets to divide by h.", "setup histogram-estimator histogram-limits",
     lambda x, points, n_bins: right.histogram_density(x, points, n_bins) / n_bins),
    ("Divides by n + 1.", "setup histogram-estimator histogram-limits",
     lambda x, points, n_bins: right.histogram_density(x, points, n_bins) * np.size(x) / (np.size(x) + 1)),
)  # fmt: skip
mistake.rows("Histogram.density", ("Draws counts, not a density.", "histogram-figure",
    lambda self, x: right.Histogram.density(self, x) * self.counts_.sum() * self.bandwidth_))  # fmt: skip


mistake.rows("histogram_moments",
    ("Has the variance of a Poisson count: p instead of p (1 - p).", "bias-var decomposition",
     lambda p, n: (p * len(p), p * len(p) ** 2 / n)),
    ("Forgets to divide the mean by h.", "bias-var decomposition",
     lambda p, n: (p, board.histogram_moments(p, n)[1])),
    ("Forgets the 1/n of the variance.", "bias-var decomposition",
     lambda p, n: (p * len(p), p * (1 - p) * len(p) ** 2)),
)  # fmt: skip


@mistake("histogram_risk", kills="mise histogram-exact-mise erratum-y26")
def _(p, n, square):
    """Does not square the bias."""
    bias, variance = board.histogram_risk(p, n, square)
    return float(bias) ** 0.5, variance


mistake.rows("histogram_risk",
    ("Takes 1/(nh) for the variance, as in the limit.", "mise histogram-exact-mise",
     lambda p, n, square: (board.histogram_risk(p, n, square)[0], len(p) / n)),
)  # fmt: skip


mistake.rows("histogram_amise",
    ("Has 1/6 for 1/12.", "histogram-amise", lambda h, n, slope: h**2 / 6 * slope + 1 / (n * h)),
    ("Has 1/24 for 1/12.", "histogram-amise", lambda h, n, slope: h**2 / 24 * slope + 1 / (n * h)),
    ("Has h for h^2 in the bias.", "histogram-amise", lambda h, n, slope: h / 12 * slope + 1 / (n * h)),
)  # fmt: skip
mistake.rows("histogram_best_width",
    ("Has 12 for 6.", "histogram-hstar", lambda n, slope: (12 / (n * slope)) ** (1 / 3)),
    ("Has 3 for 6.", "histogram-hstar", lambda n, slope: (3 / (n * slope)) ** (1 / 3)),
    ("Has the exponent of a kernel estimate.", "histogram-hstar", lambda n, slope: (6 / (n * slope)) ** 0.2),
)  # fmt: skip
mistake.rows("histogram_best_amise",
    ("Has (3/4)^(1/3).", "histogram-constant",
     lambda n, slope: 0.75 ** (1 / 3) * slope ** (1 / 3) * n ** (-2 / 3)),
    ("Has the rate n^(-4/5).", "histogram-constant histogram-limits",
     lambda n, slope: 0.75 ** (2 / 3) * slope ** (1 / 3) * n ** (-0.8)),
)  # fmt: skip


# ------------------------------------------------------------------- scores


def score_of(counts, factor, h_power=1):
    """Return 2 / ((n-1) h) - factor / ((n-1) h^h_power) sum p_hat^2."""
    counts = np.asarray(counts)
    n, m = counts.sum(), len(counts)
    return float(2 * m / (n - 1) - factor(n) / (n - 1) * m**h_power * ((counts / n) ** 2).sum())


@mistake("histogram_cv_score", kills="cv-hist-formula cv-hist-approx erratum-y27 erratum-y28")
def _(counts):
    """Leaves no point out: minus int f_hat^2."""
    counts = np.asarray(counts)
    return -float(len(counts) * ((counts / counts.sum()) ** 2).sum())


mistake.rows("histogram_cv_score",
    ("Uses the printed formula, which has lost an h.",
     "cv-hist-formula cv-hist-approx erratum-y27 erratum-y28",
     lambda counts:
        score_of(counts, lambda n: n + 1, 0)),
    ("Has n - 1 for n + 1.", "cv-hist-formula cv-hist-approx erratum-y28",
     lambda counts: score_of(counts, lambda n: n - 1)),
)  # fmt: skip


@mistake("histogram_cv_scores", kills="cv-jhat")
def _(x, n_bins):
    """Averages the estimate from all points, including the point itself."""
    scores = []
    for m in np.asarray(n_bins):
        counts = right.bin_counts(x, int(m))
        scores.append(-m * ((counts / counts.sum()) ** 2).sum())
    return np.array(scores)


@mistake("kernel_cv_scores", kills="cv-jhat kde-cv-unbiased kde-cv-formula ties erratum-y32")
def _(x, bandwidths, kernel="gaussian"):
    """Averages the estimate from all points, including the point itself."""
    x, scores = np.asarray(x, dtype=float), []
    for h in bandwidths:
        others = right.kernel_density(x, x, h, kernel).mean()
        square = 2 * others + right.kernel_cv_scores(x, [h], kernel)[0]  # not quite int f_hat^2 either
        scores.append(square - 2 * others + 2 * RIGHT_KERNELS[kernel].at_zero / (h * len(x)))
    return np.array(scores)


mistake.rows("kernel_cv_scores",
    ("Divides by n where a point is left out: the approximation of the notes.",
     "cv-jhat kde-cv-unbiased kde-cv-formula",
     lambda x, bandwidths, kernel="gaussian":
        right.kernel_cv_approximation(x, bandwidths, kernel)),
)  # fmt: skip
mistake.rows("kernel_cv_approximation", ("Returns the exact score.", "kde-cv-formula erratum-y31",
    lambda x, bandwidths, kernel="gaussian": right.kernel_cv_scores(x, bandwidths, kernel)))  # fmt: skip


@mistake("kernel_cv_approximation", kills="kde-cv-formula erratum-y31")
def _(x, bandwidths, kernel="gaussian"):
    """Forgets the term 2 K(0) / (n h)."""
    h = np.asarray(bandwidths)
    return right.kernel_cv_approximation(x, h, kernel) - 2 * RIGHT_KERNELS[kernel].at_zero / (h * len(x))


for _name, _kills in (("select_bins", "cv-select"), ("select_bandwidth", "cv-select kde-stone")):
    mistake.rows(_name, ("Takes the largest score.", _kills,
        Change(lambda search: replace(search, best=search.values[np.argmax(search.scores)]))))  # fmt: skip
mistake.rows("select_bandwidth",
    ("Leaves no point out, so that the smallest bandwidth wins.", "cv-select kde-stone",
     Change(lambda search: replace(search, best=min(search.values)))),
    ("Takes the fifteenth candidate, whatever the data.", "kde-stone",
     Change(lambda search: replace(search, best=search.values[min(14, len(search.values) - 1)]))),
)  # fmt: skip
mistake.rows("ties_break_selection", ("Complains about any tie.", "ties",
    lambda x, kernel="gaussian": len(np.unique(x)) < len(x)))  # fmt: skip


# ------------------------------------------------------------------- kernel estimates


mistake.rows("kernel_density",
    ("Forgets 1/h.", "setup kde-estimator fast-sums erratum-y25",
     lambda x, points, bandwidth, kernel="gaussian":
        right.kernel_density(x, points, bandwidth, kernel) * bandwidth),
)  # fmt: skip


@mistake("kernel_density", kills="setup kde-estimator fast-sums erratum-y25")
def _(x, points, bandwidth, kernel="gaussian"):
    """Cuts the mass off outside [0, 1]."""
    inside = (np.asarray(points) >= 0) & (np.asarray(points) <= 1)
    return np.where(inside, right.kernel_density(x, points, bandwidth, kernel), 0.0)


@mistake("kernel_density", kills="kde-estimator fast-sums")
def _(x, points, bandwidth, kernel="gaussian"):
    """Bins the data first, at a tenth of the bandwidth."""
    x = np.rint(np.asarray(x) / (0.3 * bandwidth)) * (0.3 * bandwidth)
    return right.kernel_density(x, points, bandwidth, kernel)


mistake.rows("log_density",
    ("Takes the logarithm of a sum that has underflown, with a floor.", "log-domain",
     lambda x, points, bandwidth: np.log(np.maximum(right.kernel_density(x, points, bandwidth), 1e-300))),
)  # fmt: skip


@mistake("Kernel", kills="kde-kernel erratum-y29")
class _:
    """Accepts anything."""

    def __init__(self, name, profile, radius):
        self.profile, self.radius = profile, radius

    def __call__(self, x):
        return np.where(abs(x) < self.radius, self.profile(x), 0.0)


@mistake("Kernel", kills="kde-kernel")
def _(name, profile, radius):
    """Normalises what comes."""
    u = np.linspace(-radius, radius, 20_001)[1:-1]
    mass = np.nanmean(np.where(np.isfinite(profile(u)), profile(u), 0.0)) * 2 * radius
    return right.Kernel(name, lambda x: profile(x) / mass, radius)


def kernels_with(name, **changed):
    """Return the table of kernels, one of them with other constants."""

    class Wrong:
        roughness, second_moment = RIGHT_KERNELS[name].roughness, RIGHT_KERNELS[name].second_moment
        at_zero, self_convolution = (
            RIGHT_KERNELS[name].at_zero,
            staticmethod(RIGHT_KERNELS[name].self_convolution),
        )
        __call__ = staticmethod(changed.pop("profile", RIGHT_KERNELS[name]))

    for attribute, value in changed.items():
        setattr(Wrong, attribute, value)
    return {**RIGHT_KERNELS, name: Wrong()}


for words, kills, changes in (
    ("Takes K(0) for R(K).", "kde-gaussian", {"name": "gaussian", "roughness": 1 / math.sqrt(2 * math.pi)}),
    ("Has N(0, 1) for K * K.", "kde-gaussian",
     {"name": "gaussian", "self_convolution": RIGHT_KERNELS["gaussian"]}),
    ("Uses the kernel on [-1, 1] in place of the notes'.", "kde-epanechnikov",
     {"name": "epanechnikov", "profile": RIGHT_KERNELS["epanechnikov-unit"],
      "roughness": 0.6, "second_moment": 0.2}),
    ("Takes 3/5 for R(K).", "kde-epanechnikov", {"name": "epanechnikov", "roughness": 0.6}),
):  # fmt: skip
    mistake.add(words, kills, {"KERNELS": kernels_with(**changes)})


# ------------------------------------------------------------------- the best bandwidth


def _amise(power=4, constant=4, moments=2):
    """Return a formula of the AMISE with other numbers."""

    def amise(h, n, curvature, kernel="gaussian"):
        K = RIGHT_KERNELS[kernel]
        return h**power / constant * K.second_moment**moments * curvature + K.roughness / (n * h)

    return amise


def _best_bandwidth(moments=-2, exponent=1 / 5):
    """Return a formula of the best bandwidth with other numbers."""

    def width(n, curvature, kernel="gaussian"):
        K = RIGHT_KERNELS[kernel]
        return (K.roughness * K.second_moment**moments / (curvature * n)) ** exponent

    return width


mistake.rows("kernel_amise",
    ("Does not square mu_2.", "kde-amise", _amise(moments=1)),
    ("Has 1/2 for 1/4.", "kde-amise", _amise(constant=2)),
    ("Has h^2 for h^4.", "kde-amise erratum-y30", _amise(power=2)),
)  # fmt: skip
mistake.rows("kernel_best_bandwidth",
    ("Has mu_2 to the power +2/5.", "kde-hstar", _best_bandwidth(moments=2)),
    ("Has the exponent of a histogram.", "kde-hstar", _best_bandwidth(exponent=1 / 3)),
)  # fmt: skip
mistake.rows("kernel_best_amise",
    ("Has the printed rate n^(-4/3).", "kde-rate histogram-limits erratum-y33",
     lambda n, curvature, kernel="gaussian":
        board.kernel_best_amise(n, curvature, kernel) * n ** (4 / 5 - 4 / 3)),
    ("Forgets the bias part: 1 for 5/4.", "kde-rate", Change(lambda answer: answer / 1.25)),
)  # fmt: skip


# ------------------------------------------------------------------- exact risks


mistake.rows("NormalMixture.risk",
    ("Takes 1/(nh) R(K) for the variance, as in the limit.", "mise", lambda self, bandwidth, n:
        (mixtures.NormalMixture.risk(self, bandwidth, n)[0], 0.5 / (math.sqrt(math.pi) * n * bandwidth))),
    ("Smooths once where the square needs it twice.", "mise",
     lambda self, bandwidth, n: mixtures.NormalMixture.risk(self, bandwidth / math.sqrt(2), n)),
)  # fmt: skip
mistake.rows("NormalMixture.integrated_squared_error",
    ("Forgets int f^2.", "cv-risk", lambda self, x, bandwidth:
        mixtures.NormalMixture.integrated_squared_error(self, x, bandwidth) - self.roughness()),
)  # fmt: skip


@mistake("NormalMixture.integrated_squared_error", kills="cv-risk")
def _(self, x, bandwidth):
    """Forgets the 2 of the cross term."""
    cross = self._smoothed(np.asarray(x, dtype=float), bandwidth).mean()
    return mixtures.NormalMixture.integrated_squared_error(self, x, bandwidth) + float(cross)


# ------------------------------------------------------------------- several features


@mistake("multivariate_density", kills="kde-multivariate")
def _(X, points, bandwidth):
    """Scales by the inverse of H where its root belongs."""
    bandwidth = np.asarray(bandwidth)
    return right.multivariate_density(X, points, bandwidth @ bandwidth)


mistake.rows("silverman_bandwidth",
    ("Uses the printed sigma in place of its square.", "kde-silverman erratum-y35",
     lambda X: right.silverman_bandwidth(X) / np.asarray(X).std(axis=0, ddof=1)),
)  # fmt: skip


@mistake("silverman_bandwidth", kills="kde-silverman erratum-y35")
def _(X):
    """Has the exponent 1/(d + 4): h for H."""
    X = np.asarray(X)
    n, d = X.shape
    return np.diag((4 / (n * (d + 2))) ** (1 / (d + 4)) * X.var(axis=0, ddof=1))


mistake.rows("sample_size",
    ("Believes that every dimension needs as many points as one.", "kde-curse erratum-y36",
     lambda d, error=0.1: d * mixtures.sample_size(1, error)),
)  # fmt: skip
mistake.rows("gaussian_relative_mise", ("Lets the error itself grow exponentially.", "erratum-y36",
    lambda bandwidth, n, d: mixtures.gaussian_relative_mise(bandwidth, n, d) * 2**d))  # fmt: skip


@mistake("DensityThreshold.fit", kills="novelty")
def _(self, X):
    """Takes the quantile of the densities at the training points, with their own kernel in them."""
    right.DensityThreshold.fit(self, X)
    n = len(X)
    self.threshold_ = float(np.sort(self.score_samples(X))[math.ceil(self.level * n) - 1])
    return self


mistake.rows("DensityThreshold.predict", ("Has the signs the wrong way round.", "novelty", negated))


@mistake("Histogram.fit", kills="erratum-y51")
def _(self, x, y=None):
    """Takes the support [0, 1] where the data lie beyond it, and leaves them out."""
    self.support = (0.0, 1.0)
    return right.Histogram.fit(self, x[x <= 1])


mistake.rows("Histogram.density",
    ("Gives a point beyond the bins the density of the last one.", "erratum-y51",
     lambda self, x: right.Histogram.density(self, np.clip(x, *self.support_))),
)  # fmt: skip


@mistake("Kernel", kills="kde-kernel erratum-y29")
class _(right.Kernel):
    """Refuses what is no kernel, and takes both integrals of the others for 0."""

    second_moment = roughness = property(lambda self: 0.0, lambda self, value: None)


mistake.rows("multivariate_density",
    ("Has det(H) for its root.", "kde-multivariate", lambda X, points, H:
        right.multivariate_density(X, points, H) / (math.sqrt(np.linalg.det(H)) if np.ndim(H) else H)),
    ("Takes the pseudo-inverse of a singular H.", "kde-multivariate erratum-y34", lambda X, points, H:
        right.multivariate_density(X, points, H + 1e-09 * np.eye(2) if np.ndim(H) else H)),
    ("Answers zeros where H is regular.", "kde-multivariate erratum-y34", scaled(0)),
)  # fmt: skip


@mistake("KernelDensity.fit", kills="kernel-density-fit")
def _(self, X, y=None):
    """Has Silverman's rule for a standard deviation of 1, whatever the units."""
    n, d = np.shape(X)
    self.bandwidth = (4 / (n * (d + 2))) ** (2 / (d + 4)) * np.eye(d)
    return right.KernelDensity.fit(self, X)


mistake.rows("KernelDensity.score_samples",
    ("Forgets the volume of a bump, det(H)^(1/2).", "kernel-density-fit",
     lambda self, X: (right.KernelDensity.score_samples(self, X)
        + np.linalg.slogdet(np.atleast_2d(self.bandwidth_))[1] / 2)),
)  # fmt: skip
