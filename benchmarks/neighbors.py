"""Nearest neighbours against scikit-learn's brute force, class means against its NearestCentroid.

Both sides search exactly; their neighbours must be the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn import neighbors as peers

from benchmarks.harness import Race
from mlnotes.estimators.neighbors import KNeighborsClassifier, NearestCentroid

SIZES = [(n, d) for n in (1_000, 10_000, 100_000) for d in (2, 20, 100, 784)]
N_QUERIES = 500


def _share_of_different_rows(ours, theirs):
    return float(np.mean(ours[1] != theirs[1]))


def _share_of_different_labels(ours, theirs):
    return float(np.mean(ours != theirs))


def races() -> Iterator[Race]:
    for n, d in SIZES:
        rng = np.random.default_rng(0)
        y = rng.integers(0, 3, n)
        X = rng.standard_normal((n, d)) + rng.normal(0, 2, (3, d))[y]
        Q = rng.standard_normal((N_QUERIES, d)) + rng.normal(0, 2, (3, d))[y[:N_QUERIES]]
        mine = KNeighborsClassifier(5).fit(X, y)
        theirs = peers.KNeighborsClassifier(5, algorithm="brute").fit(X, y)
        yield Race(
            f"kNN, k=5, {N_QUERIES} queries, n={n}, d={d}",
            lambda m=mine, Q=Q: m.kneighbors(Q),
            lambda t=theirs, Q=Q: t.kneighbors(Q),
            "sklearn brute",
            _share_of_different_rows,
            0.0,
        )
        centroid, peer = NearestCentroid().fit(X, y), peers.NearestCentroid().fit(X, y)
        yield Race(
            f"class means fit, n={n}, d={d}, K=3",
            lambda X=X, y=y: NearestCentroid().fit(X, y),
            lambda X=X, y=y: peers.NearestCentroid().fit(X, y),
            "sklearn",
            lambda a, b: float(np.abs(a.centroids_ - b.centroids_).max()),
            1e-12,
        )
        yield Race(
            f"class means predict, n={n}, d={d}, K=3",
            lambda c=centroid, X=X: c.predict(X),
            lambda c=peer, X=X: c.predict(X),
            "sklearn",
            _share_of_different_labels,
            0.0,
        )
