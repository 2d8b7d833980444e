"""Support vector machines against libsvm and liblinear, as scikit-learn ships them, at their default
tolerance.

Agreement is measured by duality gaps, relative to the primal value: ours must be at most 1e-8, and not
larger than the peer's. A gap is computed here from the multipliers, the offset and the scores alone.
liblinear penalises the offset and keeps no multipliers: it is judged by its primal value, with the best
offset for its weights, which must not be below our dual value. Fit is timed with our certificate.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from sklearn import svm as peers

from benchmarks.harness import Race
from mlnotes.estimators.svm import SVC

KERNEL_SIZES = tuple((n, d, C) for n in (1_000, 3_000, 10_000) for d in (2, 20) for C in (1.0, 10.0))
LINE_SIZES = tuple((n, C) for n in (10_000, 100_000) for C in (1.0, 10.0, 100.0))


def _data(n, d):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    X = rng.standard_normal((n, d))
    X[:, 0] += 1.5 * y
    X[:, 1] += (y - 0.5) * (X[:, 0] ** 2 - 1)
    return X, y


def _kernel_gap(model, X, y, C):
    """Return the relative duality gap of a fitted kernel SVM of either library."""
    signs, beta = 2.0 * y - 1, np.zeros(len(X))
    beta[model.support_] = model.dual_coef_[0]
    f = model.decision_function(X)
    quadratic = float(beta @ (f - model.intercept_[0]))
    primal = 0.5 * quadratic + C * np.maximum(0, 1 - signs * f).sum()
    return (primal - (signs @ beta - 0.5 * quadratic)) / primal


def _gaps_in_order(X, y, C):
    def disagreement(ours, theirs):
        mine, other = _kernel_gap(ours, X, y, C), _kernel_gap(theirs, X, y, C)
        return max(mine, 0.0 if mine <= max(other, 1e-12) else mine - other)

    return disagreement


def _best_primal(model, X, y, C):
    """Return the smallest primal value of the peer's weights, over offsets near its own."""
    signs, w = 2.0 * y - 1, model.coef_[0]
    s = X @ w
    offsets = [model.intercept_[0], *(model.intercept_[0] + np.linspace(-0.05, 0.05, 41))]
    return 0.5 * w @ w + C * min(np.maximum(0, 1 - signs * (s + b)).sum() for b in offsets)


def _not_above(X, y, C):
    def disagreement(ours, theirs):
        worse = (ours.certificate_["primal"] - _best_primal(theirs, X, y, C)) / ours.certificate_["primal"]
        return max(abs(ours.certificate_["gap"]), worse)

    return disagreement


def _scores_differ(a, b):
    return float(abs(a - b).max())


def _quiet(call):
    def run():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # liblinear does not converge at most sizes
            return call()

    return run


def _separable(n, d):
    X, y = _data(n, d)
    X[:, 0] += 8 * y
    return X, y


def races() -> Iterator[Race]:
    for n, d, C in KERNEL_SIZES:
        yield from _kernel(n, d, C)
    for n, C in LINE_SIZES:
        yield from _line(n, C)
    for n, passes in ((10_000, 1000), (10_000, 100_000), (100_000, 1000)):
        X, y = _separable(n, 20)  # liblinear needs some 20,000 passes to its tolerance at n = 1e4
        yield _against_liblinear(f"linear SVC fit, separable, n={n}, d=20, C=1", X, y, 1.0, passes)


def _kernel(n, d, C) -> Iterator[Race]:
    X, y = _data(n, d)
    yield Race(
        f"SVC rbf fit, n={n}, d={d}, C={C:g}",
        lambda: SVC(C).fit(X, y),
        lambda: peers.SVC(C=C, cache_size=1000).fit(X, y),
        "libsvm",
        _gaps_in_order(X, y, C),
        1e-8,
    )
    if C == 1:
        ours, theirs = SVC(C).fit(X, y), peers.SVC(C=C, tol=1e-6).fit(X, y)
        yield Race(
            f"SVC rbf scores, n={n}, d={d}",
            lambda: ours.decision_function(X),
            lambda: theirs.decision_function(X),
            "libsvm",
            _scores_differ,
            1e-4,
        )


def _against_liblinear(task, X, y, C, passes) -> Race:
    def liblinear():
        return peers.LinearSVC(C=C, loss="hinge", dual=True, max_iter=passes).fit(X, y)

    name = f"liblinear, {passes} passes"
    return Race(
        task, lambda: SVC(C, kernel="linear").fit(X, y), _quiet(liblinear), name, _not_above(X, y, C), 1e-8
    )


def _line(n, C) -> Iterator[Race]:
    X, y = _data(n, 20)
    task = f"linear SVC fit, n={n}, d=20, C={C:g}"
    passes = 1000 if n <= 10_000 else 50  # 1000 is its default, which takes a minute and more at n = 1e5
    yield _against_liblinear(task, X, y, C, passes)
    if n <= 10_000:
        yield Race(
            task,
            lambda: SVC(C, kernel="linear").fit(X, y),
            _quiet(lambda: peers.SVC(C=C, kernel="linear", max_iter=200_000).fit(X, y)),
            "libsvm, 2e5 steps",
            _gaps_in_order(X, y, C),
            1e-8,
        )
