"""Forests and AdaBoost against scikit-learn's.

Forests of 100 trees, two threads on each side; they are random, so the test accuracies must agree within 0.03
and the mean sizes of the trees within 10 %. AdaBoost with 100 stumps: ours take the stump of least weighted
error, scikit-learn's that of least Gini impurity; the training errors must agree within 0.03.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.ensemble import AdaBoostClassifier as PeerBoost
from sklearn.ensemble import RandomForestClassifier as PeerForest
from sklearn.tree import DecisionTreeClassifier as PeerTree

from benchmarks.harness import Race
from benchmarks.tree import data
from mlnotes.ensemble import AdaBoostClassifier, RandomForestClassifier

FORESTS = (
    (1_000, 10, 2),
    (1_000, 20, 10),
    (10_000, 20, 2),
    (10_000, 20, 10),
    (10_000, 100, 2),
    (100_000, 10, 2),
)
BOOSTS = ((1_000, 10), (10_000, 10), (10_000, 20), (100_000, 20))


def races() -> Iterator[Race]:
    for n, d, K in FORESTS:
        yield from _forest(n, d, K)
    for n, d in BOOSTS:
        yield from _boost(n, d)


def _forest(n: int, d: int, K: int) -> Iterator[Race]:
    X, y = data(n + 2_000, d, K)
    X, X_new, y, y_new = X[:n], X[n:], y[:n], y[n:]

    def disagreement(ours, theirs):
        size = np.mean([len(t) for t in ours.trees_]) / np.mean(
            [e.tree_.node_count for e in theirs.estimators_]
        )
        return max(abs(ours.score(X_new, y_new) - theirs.score(X_new, y_new)), abs(size - 1) * 0.3)

    def ours():
        return RandomForestClassifier(100, n_jobs=2, random_state=0).fit(X, y)

    def peer():
        return PeerForest(100, n_jobs=2, random_state=0).fit(X, y)

    yield Race(f"forest fit, n={n}, d={d}, K={K}", ours, peer, "sklearn", disagreement, 0.03)
    mine, theirs = ours(), peer()
    yield Race(
        f"forest predict, n={n}, d={d}, K={K}",
        lambda: mine.predict(X),
        lambda: theirs.predict(X),
        "sklearn",
        lambda a, b: float(np.mean(a != b)),
        0.01,
    )


def _boost(n: int, d: int) -> Iterator[Race]:
    X, y = data(n, d, 2)

    def disagreement(ours, theirs):
        return abs(ours.score(X, y) - theirs.score(X, y))

    def ours():
        return AdaBoostClassifier(n_estimators=100).fit(X, y)

    def peer():
        return PeerBoost(PeerTree(max_depth=1), n_estimators=100, random_state=0).fit(X, y)

    yield Race(f"AdaBoost fit, n={n}, d={d}", ours, peer, "sklearn", disagreement, 0.03)
    mine, theirs = ours(), peer()
    yield Race(
        f"AdaBoost predict, n={n}, d={d}",
        lambda: mine.predict(X),
        lambda: theirs.predict(X),
        "sklearn",
        lambda a, b: abs(float(np.mean(a == y)) - float(np.mean(b == y))),
        0.03,
    )
