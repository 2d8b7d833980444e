"""The plug-in classifier against scikit-learn's quadratic discriminant analysis.

Both fit a Gaussian a class by maximum likelihood (divisor n_k). Ours is
timed with its certificate.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from benchmarks.harness import Race
from mlnotes import PlugInClassifier

SIZES = ((1_000, 2), (10_000, 20), (100_000, 20))


def _data(n, d):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, n)
    return rng.standard_normal((n, d)) + rng.normal(0, 2, (3, d))[y], y


def _covariances_differ(ours, theirs):
    pairs = zip(ours.densities_, theirs.covariance_, strict=True)
    return max(np.abs(density.covariance - S).max() for density, S in pairs)


def races() -> Iterator[Race]:
    for n, d in SIZES:
        X, y = _data(n, d)

        def ours(X=X, y=y):
            return PlugInClassifier().fit(X, y)

        def peer(X=X, y=y):
            return QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, y)

        yield Race(f"plug-in fit, n={n}, d={d}, K=3", ours, peer, "sklearn QDA", _covariances_differ, 1e-10)
        mine, theirs = ours(), peer()
        yield Race(
            f"plug-in predict, n={n}, d={d}, K=3",
            lambda mine=mine, X=X: mine.predict(X),
            lambda theirs=theirs, X=X: theirs.predict(X),
            "sklearn QDA",
            lambda a, b: float(np.mean(a != b)),
            0.0,
        )
