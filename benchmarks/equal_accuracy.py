"""The methods whose solvers stop at different gaps by default, raced at the same accuracy.

The data are those of the races at defaults. A support vector machine ends here at a relative gap of about
1e-12, where libsvm stops at a violation of 1e-3; so libsvm gets `tol=1e-9`, and then ours gets `tol=1e-3`.
Logistic regression is raced twice: both sides to a gradient of 1e-8, our default, and both to 1e-4, the
peer's. Ours bounds the norm of the gradient, the peer its largest entry. Disagreement: the fraction of labels
of new observations that differ; of three classes and more, equal votes are decided in different ways.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

from sklearn import linear_model, svm

import mlnotes
from benchmarks.defaults import PAIRS, SEEDS, TABLES, problems
from benchmarks.harness import Race

MOST = 3_000  # rows; with more, libsvm takes minutes to 1e-9
SIDES: tuple[tuple[str, str, Callable[[], Any], Callable[[], Any], float], ...] = (
    ("SVC", "gap of 1e-9", mlnotes.SVC, lambda: svm.SVC(tol=1e-9), 0.01),
    ("SVC", "gap of 1e-3", lambda: mlnotes.SVC(tol=1e-3), svm.SVC, 0.01),
    (
        "logistic",
        "gradient of 1e-8",
        mlnotes.LogisticRegression,
        lambda: linear_model.LogisticRegression(tol=1e-8, max_iter=10_000),
        0.001,
    ),
    (
        "logistic",
        "gradient of 1e-4",
        lambda: mlnotes.LogisticRegression(tol=1e-4),
        lambda: linear_model.LogisticRegression(max_iter=10_000),
        0.01,
    ),
)


def races() -> Iterator[Race]:
    """Yield the fits of each size with the first of the seeds."""
    pairs = {pair.name: pair for pair in PAIRS}
    for name, accuracy, ours, peer, tolerance in SIDES:
        for size, draw in problems(pairs[name]):
            X, y, new, _ = draw(SEEDS[0])
            if len(X) <= MOST and size != TABLES[-1]:
                yield Race(
                    f"{name} fit, {accuracy}, {size}",
                    _fit(ours, X, y),
                    _fit(peer, X, y),
                    "sklearn",
                    lambda a, b, new=new: float((a.predict(new) != b.predict(new)).mean()),
                    tolerance,
                )


def _fit(make: Callable[[], Any], X: Any, y: Any) -> Callable[[], Any]:
    def call() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return make().fit(X, y)

    return call
