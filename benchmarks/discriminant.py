"""Linear and quadratic discriminant analysis against scikit-learn.

LDA is timed against the default solver and against "lsqr", the faster one, ours with its certificate.
The divisors differ (n - K and n_k - 1 here, n and n_k there): the agreement takes them into account, and
before predictions are compared the peers' covariances get our divisor, or the priors are equal. At n = 1e5
and d = 784 races of fits and of QDA are run twice only.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn import discriminant_analysis as peers

from benchmarks.harness import Race
from mlnotes import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

SIZES = tuple((n, d) for d in (2, 20, 100, 784) for n in (1_000, 10_000, 100_000))
K = 3
LEARNED = 10_000  # rows from which the two that predict have learned, at most


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
    def ours(n=None):
        model = LinearDiscriminantAnalysis(priors="equal").fit(X[:n], y[:n])
        model.factor = len(y[:n]) / (len(y[:n]) - K)
        return model

    def peer(solver):
        return lambda: peers.LinearDiscriminantAnalysis(solver=solver).fit(X, y)

    for solver in ("svd", "lsqr"):
        task = f"LDA fit, {size}"
        yield Race(task, ours, peer(solver), f"sklearn {solver}", _coefficients_differ, 1e-8, _runs(X))
    mine = ours(LEARNED)
    theirs = peers.LinearDiscriminantAnalysis(priors=np.full(K, 1 / K)).fit(X[:LEARNED], y[:LEARNED])
    yield _predictions(f"LDA predict, {size}", mine, theirs, X, runs=7)


def _quadratic(X, y, size) -> Iterator[Race]:
    def ours(n=None):
        model, counts = QuadraticDiscriminantAnalysis().fit(X[:n], y[:n]), np.bincount(y[:n])
        model.factors = counts / (counts - 1)
        return model

    def peer(n=None):
        return peers.QuadraticDiscriminantAnalysis().fit(X[:n], y[:n])

    yield Race(f"QDA fit, {size}", ours, peer, "sklearn", _determinants_differ, 1e-9, _runs(X))
    mine, theirs = ours(LEARNED), peer(LEARNED)
    theirs.scalings_ = [s * factor for s, factor in zip(theirs.scalings_, mine.factors, strict=True)]
    yield _predictions(f"QDA predict, {size}", mine, theirs, X, _runs(X))


def _predictions(task, mine, theirs, X, runs) -> Race:
    return Race(
        task, lambda: mine.predict(X), lambda: theirs.predict(X), "sklearn", _labels_differ, 0, runs=runs
    )


def _runs(X) -> int:
    return 7 if X.size < 5e6 else 5 if X.size <= 10**7 else 2  # at d = 784 the peer takes 1 or 15 s
