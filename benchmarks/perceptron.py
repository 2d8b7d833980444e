"""The perceptron on separable data against scikit-learn's: the same updates in the same order.

The peer goes through the rows in order (``shuffle=False``) and gets the number of passes, which it cannot
know: its own stopping rule may end before the data are separated, and else goes on for five passes more. Ours
finds the end and computes its certificate. The weights agree.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.harness import Race
from mlnotes import Perceptron

SIZES = tuple(
    (n, d, gap)
    for d in (2, 20, 100)
    for n in (1_000, 10_000, 100_000)
    for gap in (0.1, 0.5)
    if n * d <= 2 * 10**6
)


def _data(n, d, gap):
    """Return Gaussian rows moved apart by the gap on both sides of a random hyperplane."""
    rng = np.random.default_rng(0)
    u = rng.standard_normal(d)
    u /= np.linalg.norm(u)
    X = rng.standard_normal((n, d))
    side = np.sign(X @ u)
    return X + gap * np.outer(side, u), side.astype(np.int64)


def _differ(ours, theirs):
    """Return the relative gap of the weights."""
    a, b = (np.append(model.coef_, model.intercept_) for model in (ours, theirs))
    return abs(a - b).max() / abs(b).max()


def races() -> Iterator[Race]:
    for n, d, gap in SIZES:
        X, y = _data(n, d, gap)
        passes = Perceptron(max_iter=10_000).fit(X, y).n_iter_
        yield Race(
            f"perceptron fit, n={n}, d={d}, gap {gap}",
            lambda X=X, y=y: Perceptron(max_iter=10_000).fit(X, y),
            lambda X=X, y=y, passes=passes: Peer(shuffle=False, max_iter=passes, tol=None).fit(X, y),
            f"sklearn, {passes} passes",
            _differ,
            1e-9,
        )
