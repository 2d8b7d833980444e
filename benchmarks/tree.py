"""Trees against scikit-learn's, both exact CART, grown until every leaf is pure.

Ties between splits may be broken differently, so whole trees are compared by what they are for: no error on
the training observations, and sizes within 8 %. The same decrease at each node is tested in
tests/test_tree.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.tree import DecisionTreeClassifier as PeerTree

from benchmarks.harness import Race
from mlnotes import DecisionTreeClassifier

SIZES = tuple((n, d, K) for n in (1_000, 10_000, 100_000) for d in (10, 20) for K in (2, 10))


def data(n: int, d: int, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Return overlapping Gaussian classes; X as scikit-learn will see it, in single precision."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, K, n)
    X = rng.standard_normal((n, d)) + rng.normal(0, 3 / np.sqrt(d), (K, d))[y]
    return X.astype(np.float32).astype(np.float64), y


def races() -> Iterator[Race]:
    for n, d, K in SIZES:
        X, y = data(n, d, K)

        def disagreement(ours, theirs, X=X, y=y):
            errors = (ours.predict(X) != y).sum() + (theirs.predict(X) != y).sum()
            return errors + abs(len(ours.tree_) / theirs.tree_.node_count - 1)

        def ours(X=X, y=y):
            return DecisionTreeClassifier().fit(X, y)

        def peer(X=X, y=y):
            return PeerTree(random_state=0).fit(X, y)

        yield Race(f"tree fit, n={n}, d={d}, K={K}", ours, peer, "sklearn", disagreement, 0.08)
        mine, theirs = ours(), peer()
        theirs_as_ours = _copy(theirs, mine)
        yield Race(
            f"tree predict, n={n}, d={d}, K={K}",
            lambda X=X, model=theirs_as_ours: model.predict(X),
            lambda X=X, model=theirs: model.predict(X),
            "sklearn",
            lambda a, b: float(np.mean(a != b)),
            0,
        )


def _copy(theirs, mine):
    """Return our estimator around the peer's very tree, so that both predict with the same tree."""
    arrays, is_leaf = theirs.tree_, theirs.tree_.children_left < 0
    tree = type(mine.tree_)(
        np.where(is_leaf, -1, arrays.feature),
        np.where(is_leaf, 0.0, arrays.threshold),
        arrays.children_right.astype(np.int64),
        arrays.value[:, 0] * arrays.weighted_n_node_samples[:, None],
        arrays.n_node_samples,
    )
    return mine._adopt(tree)
