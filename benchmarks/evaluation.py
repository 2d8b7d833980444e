"""ROC curve, area, confusion matrix and random split against scikit-learn's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn import metrics, model_selection

from benchmarks.harness import Race
from mlnotes.estimators import evaluation

SIZES = (1_000, 10_000, 100_000, 1_000_000)


def _largest_gap(ours, theirs):
    return float(np.abs(np.asarray(ours) - np.asarray(theirs)).max())


def _roc_gap(ours, theirs):
    fpr, tpr, _ = theirs
    return max(_largest_gap(ours.false_positive_rate, fpr), _largest_gap(ours.true_positive_rate, tpr))


def races() -> Iterator[Race]:
    rng = np.random.default_rng(0)
    for n in SIZES:
        y = rng.integers(0, 2, n)
        score = y + rng.normal(0, 1, n)
        labels, answers = rng.integers(0, 10, n), rng.integers(0, 10, n)
        yield Race(
            f"ROC curve, n={n}",
            lambda y=y, s=score: evaluation.roc_curve(y, s),
            lambda y=y, s=score: metrics.roc_curve(y, s, drop_intermediate=False),
            "sklearn",
            _roc_gap,
            1e-15,
        )
        yield Race(
            f"area under the ROC curve, n={n}",
            lambda y=y, s=score: evaluation.roc_curve(y, s).area,
            lambda y=y, s=score: metrics.roc_auc_score(y, s),
            "sklearn",
            _largest_gap,
            1e-12,
        )
        yield Race(
            f"confusion matrix, n={n}, K=10",
            lambda a=labels, b=answers: evaluation.confusion_matrix(a, b),
            lambda a=labels, b=answers: metrics.confusion_matrix(a, b),
            "sklearn",
            _largest_gap,
            0.0,
        )
        X = rng.standard_normal((n, 20))
        yield Race(
            f"train_test_split, n={n}, d=20",
            lambda X=X, y=y: evaluation.train_test_split(X, y, rng=np.random.default_rng(0)),
            lambda X=X, y=y: model_selection.train_test_split(X, y, random_state=0),
            "sklearn",
            lambda a, b: float(max(len(u) != len(v) for u, v in zip(a, b, strict=True))),
            0.0,
        )
