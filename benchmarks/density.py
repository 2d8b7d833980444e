"""Histograms and kernel estimates against NumPy, SciPy, scikit-learn, and one sort of the data.

Bandwidths are those of the normal reference rule. Peers are asked for full accuracy (scikit-learn with both
tolerances zero: its sums of logarithms still err by 2e-11 of the maximum at n = 1e6, and by more far out),
and both sides start from the raw data. The leave-one-out scores have no peer at their size:
their ratio is the time of ``np.sort(x)`` over ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.stats import gaussian_kde
from sklearn import neighbors

from benchmarks.harness import Race
from mlnotes.density import KERNELS, KernelDensity, histogram_cv_scores, kernel_cv_scores, kernel_density

SIZES = ((10**4, 10**3), (10**4, 10**4), (10**5, 10**3), (10**6, 10**3))
DIMENSIONS = (2, 5, 10, 20)


def _against_maximum(ours, theirs):
    return abs(ours - theirs).max() / abs(theirs).max()


def races() -> Iterator[Race]:
    rng = np.random.default_rng(0)
    for n, m in SIZES:
        x, places = rng.standard_normal(n), np.linspace(-4, 4, m)
        yield from _line(x, places, f"n={n:.0e}, m={m:.0e}")
    yield from _scores(rng)
    for d in DIMENSIONS:
        yield _space(rng.standard_normal((10**4, d)), rng.standard_normal((10**3, d)), d)


def _line(x, places, size) -> Iterator[Race]:
    h = 1.06 * len(x) ** -0.2

    def scipy():
        return gaussian_kde(x, bw_method=h / x.std(ddof=1))(places)

    def sklearn(kernel="gaussian", width=h):
        model = neighbors.KernelDensity(kernel=kernel, bandwidth=width, rtol=0, atol=0).fit(x[:, None])
        return np.exp(model.score_samples(places[:, None]))

    def ours():
        return kernel_density(x, places, h)

    yield Race(f"Gaussian, {size}", ours, scipy, "scipy", _against_maximum, 1e-12)
    if len(x) * len(places) <= 10**8:  # beyond it takes minutes
        yield Race(f"Gaussian, {size}", ours, sklearn, "sklearn", _against_maximum, 1e-10)
    wide = math.sqrt(5) * h
    yield Race(
        f"Epanechnikov, {size}",
        lambda: kernel_density(x, places, h, "epanechnikov"),
        lambda: sklearn("epanechnikov", wide),
        "sklearn",
        _against_maximum,
        1e-12,
    )


def _scores(rng) -> Iterator[Race]:
    x = rng.standard_normal(10**6)
    widths = 1.06 * len(x) ** -0.2 * np.geomspace(0.05, 1.5, 50)
    checked = []

    def checked_at_the_data(ours, _):
        K, n = KERNELS["gaussian"], len(x)
        for k in (0, 49):
            h = widths[k]
            square = kernel_density(x, x, math.sqrt(2) * h).mean()
            left_out = (kernel_density(x, x, h).mean() * n - K.at_zero / h) / (n - 1)
            checked.append(abs(ours[k] / (square - 2 * left_out) - 1))
        return max(checked)

    yield Race(
        "50 leave-one-out scores, n=1e+06",
        lambda: kernel_cv_scores(x, widths),
        lambda: np.sort(x),
        "np.sort",
        checked_at_the_data,
        1e-10,
    )
    for n in (10**4, 10**6):
        unit, sizes = rng.beta(2, 3, n), np.arange(1, math.isqrt(n) + 1)

        def loop(unit=unit, sizes=sizes, n=n):
            scores = []
            for m in sizes:
                share = np.histogram(unit, bins=m, range=(0, 1))[0] / n
                scores.append((2 - (n + 1) * (share @ share)) * m / (n - 1))
            return np.array(scores)

        yield Race(
            f"{len(sizes)} histogram scores, n={n:.0e}",
            lambda unit=unit, sizes=sizes: histogram_cv_scores(unit, sizes),
            loop,
            "np.histogram",
            _against_maximum,
            1e-10,
        )


def _space(X, places, d) -> Race:
    h = (4 / (len(X) * (d + 2))) ** (1 / (d + 4))

    def peer():
        return neighbors.KernelDensity(bandwidth=h, rtol=0, atol=0).fit(X).score_samples(places)

    return Race(
        f"Gaussian, n=1e+04, m=1e+03, d={d}",
        lambda: KernelDensity(bandwidth=h).fit(X).score_samples(places),
        peer,
        "sklearn",
        lambda a, b: _against_maximum(np.exp(a), np.exp(b)),
        1e-6,  # scikit-learn's error, which grows with d; ours is below 1e-12
    )
