"""Histograms and kernel estimates against NumPy, SciPy, scikit-learn, and one sort of the data.

Bandwidths are those of the normal reference rule. Peers are set to full accuracy (scikit-learn with both
tolerances zero: its sums of logarithms still err by 2e-11 of the maximum at n = 1e6, and by more far out).
SciPy has no kernel but the Gaussian. On the line ours starts from the raw data; peers are fitted before the
clock starts, in their favour. They take the places one by one, and where all would take minutes they get
every s-th only, "(1/s of the places)" in the name, and their time is multiplied by s. So does the loop over
``np.histogram``, which gets every 20th number of bins. The leave-one-out scores have no peer at their size:
their ratio is the time of ``np.sort(x)`` over ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.stats import gaussian_kde
from sklearn import neighbors

from benchmarks.harness import Race, growth
from mlnotes.estimators.density import KERNELS, KernelDensity, kernel_cv_scores, kernel_density, select_bins

SIZES = (10**4, 10**5, 10**6)
PLACES = (10**3, 10**4)
DIMENSIONS = (2, 5, 10, 20)


def _against_maximum(ours, theirs):
    return abs(ours - theirs).max() / abs(theirs).max()


def races() -> Iterator[Race]:
    rng = np.random.default_rng(0)
    for n in SIZES:
        x = rng.standard_normal(n)
        for m in PLACES:
            yield from _line(x, np.linspace(-4, 4, m))
    yield from _scores(rng)
    for d in DIMENSIONS:
        yield _space(rng.standard_normal((10**4, d)), rng.standard_normal((10**3, d)), d)


def remarks() -> list[str]:
    """Return how the times grow with n, from 1e4 to 1e7."""
    x = np.random.default_rng(0).standard_normal(10**7)
    sizes = 10 ** np.arange(4, 8)
    places = np.linspace(-4, 4, 10**3)
    return [
        growth(task, sizes, lambda n, call=call: call(x[:n], 1.06 * n**-0.2))
        for task, call in (
            ("np.sort", lambda x, h: np.sort(x)),
            ("Gaussian, m=1e+03", lambda x, h: kernel_density(x, places, h)),
            ("Gaussian, m=n", lambda x, h: kernel_density(x, x, h)),
            ("50 leave-one-out scores", lambda x, h: kernel_cv_scores(x, h * np.geomspace(0.05, 1.5, 50))),
        )
    ]


def _line(x, places) -> Iterator[Race]:
    h = 1.06 * len(x) ** -0.2
    yield _race("Gaussian", x, places, h, gaussian_kde(x, bw_method=h / x.std(ddof=1)), "scipy", 10**8, 1e-12)
    for kernel, width, pairs, accuracy in (
        ("Gaussian", h, 10**8, 1e-10),
        ("Epanechnikov", math.sqrt(5) * h, 10**9, 1e-12),  # its tree skips what a bounded kernel cannot reach
    ):
        if kernel == "Epanechnikov" and len(x) > 10**5:  # observations in reach are added one by one
            continue
        tree = neighbors.KernelDensity(kernel=kernel.lower(), bandwidth=width, rtol=0, atol=0).fit(x[:, None])

        def peer(some, tree=tree):
            return np.exp(tree.score_samples(some[:, None]))

        yield _race(kernel, x, places, h, peer, "sklearn", pairs, accuracy)


def _race(kernel, x, places, h, peer, peer_name, pairs, accuracy) -> Race:
    """Return the race in which the peer gets at most about so many pairs of a point and a place."""
    step = max(1, len(x) * len(places) // pairs)
    part = f" (1/{step} of the places)" if step > 1 else ""
    return Race(
        f"{kernel}, n={len(x):.0e}, m={len(places):.0e}",
        lambda: kernel_density(x, places, h, kernel.lower()),
        lambda: peer(places[::step]),
        peer_name + part,
        lambda ours, theirs: _against_maximum(ours[::step], theirs),
        accuracy,
        runs=3,
        share=1 / step,
    )


def _scores(rng) -> Iterator[Race]:
    x = rng.standard_normal(10**6)
    widths = 1.06 * len(x) ** -0.2 * np.geomspace(0.05, 1.5, 50)

    def checked_at_the_data(ours, _):
        K, n, gaps = KERNELS["gaussian"], len(x), []
        for k in (0, 49):
            h = widths[k]
            square = kernel_density(x, x, math.sqrt(2) * h).mean()
            left_out = (kernel_density(x, x, h).mean() * n - K.density(0.0) / h) / (n - 1)
            gaps.append(abs(ours[k] / (square - 2 * left_out) - 1))
        return max(gaps)

    yield Race(
        "50 leave-one-out scores, n=1e+06",
        lambda: kernel_cv_scores(x, widths),
        lambda: np.sort(x),
        "np.sort",
        checked_at_the_data,
        1e-10,
    )
    for n, step in ((10**4, 1), (10**6, 20)):
        yield _bins(rng.beta(2, 3, n), step)


def _bins(x, step) -> Race:
    n, sizes = len(x), np.arange(1, math.isqrt(len(x)) + 1)

    def loop():
        scores = []
        for m in sizes[::step]:
            share = np.histogram(x, bins=m, range=(0, 1))[0] / n
            scores.append((2 - (n + 1) * (share @ share)) * m / (n - 1))
        return np.array(scores)

    return Race(
        f"{len(sizes)} histogram scores, n={n:.0e}",
        lambda: select_bins(x, sizes).scores,
        loop,
        "np.histogram" + (f" (1/{step} of the sizes)" if step > 1 else ""),
        lambda ours, theirs: _against_maximum(ours[::step], theirs),
        1e-10,
        share=len(sizes[::step]) / len(sizes),
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
