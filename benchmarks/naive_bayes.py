"""Naive Bayes against scikit-learn: Gaussian marginals, and kernel marginals against its KernelDensity."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn import naive_bayes as peers
from sklearn import neighbors

from benchmarks.harness import Race
from mlnotes.estimators.naive_bayes import KernelDensityClassifier, NaiveBayes

SIZES = ((10**4, 10), (10**5, 10), (10**5, 50))


def _data(rng, n, d):
    y = rng.integers(0, 2, n)
    return rng.standard_normal((n, d)) + 0.5 * y[:, None], y


def _differ(a, b):
    return abs(a - b).max()


def races() -> Iterator[Race]:
    rng = np.random.default_rng(0)
    for n, d in SIZES:
        X, y = _data(rng, n, d)
        yield Race(
            f"Gaussian, n={n:.0e}, d={d}",
            lambda X=X, y=y: NaiveBayes().fit(X, y).predict_proba(X),
            lambda X=X, y=y: peers.GaussianNB(var_smoothing=1e-12).fit(X, y).predict_proba(X),
            "sklearn",
            _differ,
            1e-8,
        )
    for n, d in ((5_000, 4), (20_000, 4)):
        yield _kernel(rng, n, d)
    X, y = _data(rng, 5_000, 6)
    yield Race(
        "kernel density classifier, n=5e+03, d=6",
        lambda: KernelDensityClassifier(bandwidth=0.5).fit(X, y).predict_proba(X[:1000]),
        lambda: _posterior(_full(X, y, X[:1000])),
        "sklearn",
        _differ,
        1e-8,
    )


def _posterior(scores):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _full(X, y, places):
    columns = []
    for k in (0, 1):
        model = neighbors.KernelDensity(bandwidth=0.5, rtol=0, atol=0).fit(X[y == k])
        columns.append(model.score_samples(places) + np.log(np.mean(y == k)))
    return np.column_stack(columns)


def _kernel(rng, n, d) -> Race:
    X, y = _data(rng, n, d)
    places = X[:1000]

    def peer():
        scores = np.zeros((len(places), 2)) + np.log(np.bincount(y) / n)
        for k in (0, 1):
            for j in range(d):
                model = neighbors.KernelDensity(bandwidth=0.3, rtol=0, atol=0).fit(X[y == k, j : j + 1])
                scores[:, k] += model.score_samples(places[:, j : j + 1])
        return _posterior(scores)

    def ours():
        return NaiveBayes(marginals="kernel", bandwidth=0.3).fit(X, y).predict_proba(places)

    return Race(f"kernel marginals, n={n:.0e}, d={d}", ours, peer, "sklearn", _differ, 1e-8)
