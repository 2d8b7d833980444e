"""Linear and quadratic discriminant analysis against scikit-learn.

LDA is timed against the default solver and against "lsqr", the faster one, ours with its certificate.
The divisors differ (n - K and n_k - 1 here, n and n_k there): the agreement takes them into account, and
before predictions are compared the peers' covariances get our divisor, or the priors are equal.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn import discriminant_analysis as peers

from benchmarks.harness import Race
from mlnotes.discriminant import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

SIZES = tuple((n, d) for d in (2, 20, 100, 784) for n in (1_000, 10_000, 100_000) if n * d < 10**8)
K = 3


def _data(n, d):
    rng = np.random.default_rng(0)
    y = rng.integers(0, K, n)
    return rng.standard_normal((n, d)) + rng.normal(0, 4 / np.sqrt(d), (K, d))[y], y


def _coefficients_differ(ours, theirs):
    """Return the relative gap; coefficients are defined up to a vector common to all classes."""
    a, b = (model.coef_ - model.coef_.mean(axis=0) for model in (ours, theirs))
    return abs(a * ours.factor - b).max() / abs(b).max()


def _determinants_differ(ours, theirs):
    inflated = [
        np.log(scale * factor).sum() for scale, factor in zip(theirs.scalings_, ours.factors, strict=True)
    ]
    return abs(ours.log_det_ - inflated).max() / ours.n_features_in_


def _labels_differ(a, b):
    return float(np.mean(a != b))


def races() -> Iterator[Race]:
    for n, d in SIZES:
        X, y = _data(n, d)
        yield from _linear(X, y, f"n={n}, d={d}")
        if np.bincount(y).min() > d:
            yield from _quadratic(X, y, f"n={n}, d={d}")


def _linear(X, y, size) -> Iterator[Race]:
    def ours():
        model = LinearDiscriminantAnalysis(priors="equal").fit(X, y)
        model.factor = len(X) / (len(X) - K)
        return model

    for solver in ("svd", "lsqr"):

        def peer(solver=solver):
            return peers.LinearDiscriminantAnalysis(solver=solver).fit(X, y)

        yield Race(f"LDA fit, {size}", ours, peer, f"sklearn {solver}", _coefficients_differ, 1e-8)
    mine = LinearDiscriminantAnalysis(priors="equal").fit(X, y)
    theirs = peers.LinearDiscriminantAnalysis(priors=np.full(K, 1 / K)).fit(X, y)
    yield Race(
        f"LDA predict, {size}",
        lambda: mine.predict(X),
        lambda: theirs.predict(X),
        "sklearn",
        _labels_differ,
        0,
    )


def _quadratic(X, y, size) -> Iterator[Race]:
    counts = np.bincount(y)

    def ours():
        model = QuadraticDiscriminantAnalysis().fit(X, y)
        model.factors = counts / (counts - 1)
        return model

    def peer():
        return peers.QuadraticDiscriminantAnalysis().fit(X, y)

    yield Race(f"QDA fit, {size}", ours, peer, "sklearn", _determinants_differ, 1e-9)
    mine, theirs = ours(), peer()
    theirs.scalings_ = [s * factor for s, factor in zip(theirs.scalings_, mine.factors, strict=True)]
    yield Race(
        f"QDA predict, {size}",
        lambda: mine.predict(X),
        lambda: theirs.predict(X),
        "sklearn",
        _labels_differ,
        0,
    )
