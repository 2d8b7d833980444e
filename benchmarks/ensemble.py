"""Forests and AdaBoost against scikit-learn's.

Forests of 100 trees (20 for 100,000 rows), two threads on each side, in fit and in predict; they are random,
so the test accuracies must agree within 0.03 and the mean sizes of the trees within 10 %. AdaBoost with 100
stumps, one thread: ours take the stump of least weighted error, scikit-learn's that of least Gini impurity;
the training errors must agree within 0.03. Predictions are those of the models of the last fit.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.ensemble import AdaBoostClassifier as PeerBoost
from sklearn.ensemble import RandomForestClassifier as PeerForest
from sklearn.tree import DecisionTreeClassifier as PeerTree

from benchmarks.harness import Race
from benchmarks.tree import data
from mlnotes.estimators.ensemble import AdaBoostClassifier, RandomForestClassifier

FORESTS = tuple((n, d, K) for n in (1_000, 10_000, 100_000) for d in (10, 20) for K in (2, 10))
BOOSTS = ((1_000, 10), (1_000, 20), (10_000, 10), (10_000, 20), (100_000, 10), (100_000, 20))


def races() -> Iterator[Race]:
    for n, d, K in FORESTS:
        yield from _forest(n, d, K)
    for n, d in BOOSTS:
        yield from _boost(n, d)


def _forest(n: int, d: int, K: int) -> Iterator[Race]:
    X, y = data(n + 2_000, d, K)
    X, X_new, y, y_new = X[:n], X[n:], y[:n], y[n:]
    n_trees, models = 100 if n < 100_000 else 20, {}

    def disagreement(ours, theirs):
        sizes = [len(t) for t in ours.trees_], [e.tree_.node_count for e in theirs.estimators_]
        gap = abs(np.mean(sizes[0]) / np.mean(sizes[1]) - 1)
        return max(abs(ours.score(X_new, y_new) - theirs.score(X_new, y_new)), gap * 0.3)

    def ours():
        models["ours"] = RandomForestClassifier(n_trees, n_jobs=2, random_state=0).fit(X, y)
        return models["ours"]

    def peer():
        models["peer"] = PeerForest(n_trees, n_jobs=2, random_state=0).fit(X, y)
        return models["peer"]

    size = f"n={n}, d={d}, K={K}" + ", 20 trees" * (n_trees == 20)
    runs = 5 if n < 100_000 else 3
    yield Race(f"forest fit, {size}", ours, peer, "sklearn", disagreement, 0.03, runs)
    yield Race(
        f"forest predict, {size}",
        lambda: models["ours"].predict(X),
        lambda: models["peer"].predict(X),
        "sklearn",
        lambda a, b: float(np.mean(a != b)),
        0.01,
        runs,
    )


def _boost(n: int, d: int) -> Iterator[Race]:
    X, y = data(n, d, 2)
    models = {}

    def disagreement(ours, theirs):
        return abs(ours.score(X, y) - theirs.score(X, y))

    def ours():
        models["ours"] = AdaBoostClassifier(n_estimators=100).fit(X, y)
        return models["ours"]

    def peer():
        models["peer"] = PeerBoost(PeerTree(max_depth=1), n_estimators=100, random_state=0).fit(X, y)
        return models["peer"]

    runs = 5 if n < 100_000 else 2
    yield Race(f"AdaBoost fit, n={n}, d={d}", ours, peer, "sklearn", disagreement, 0.03, runs)
    yield Race(
        f"AdaBoost predict, n={n}, d={d}",
        lambda: models["ours"].predict(X),
        lambda: models["peer"].predict(X),
        "sklearn",
        lambda a, b: abs(float(np.mean(a == y)) - float(np.mean(b == y))),
        0.03,
        runs,
    )
