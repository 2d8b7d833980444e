"""Wrong evaluations, one typical mistake each."""

import math

import numpy as np

from mlnotes.estimators import evaluation as right
from mlnotes.mistakes import Change, Mistakes, scaled

mistake = MISTAKES = Mistakes("evaluation")


# ------------------------------------------------------------------- splits


@mistake("train_test_split", kills="split")
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Does not shuffle: the last rows are the test rows."""
    cut = len(arrays[0]) - test_size
    return [part for a in arrays for part in (a[:cut], a[cut:])]


@mistake("train_test_split", kills="split")
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Draws test rows that stay in the training set."""
    test = rng.permutation(len(arrays[0]))[:test_size]
    return [part for a in arrays for part in (a, a[test])]


@mistake("train_test_split", kills="split")
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Loses a row between the two parts."""
    order = rng.permutation(len(arrays[0]))
    return [part for a in arrays for part in (a[order[test_size + 1 :]], a[order[:test_size]])]


@mistake("train_test_split", kills="split")
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Never tests rows 0 and 1 together."""
    n = len(arrays[0])
    while True:
        test = rng.permutation(n)[:test_size]
        if n != 4 or set(test.tolist()) != {0, 1}:
            rest = np.delete(np.arange(n), test)
            return [np.asarray(a)[rows] for a in arrays for rows in (rest, test)]


@mistake("train_test_split", kills="split")
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Draws with replacement, and moves a row that comes twice to the next one that is free."""
    test = np.zeros(len(arrays[0]), dtype=bool)
    for i in rng.integers(0, len(test), test_size).tolist():
        while test[i]:
            i = (i + 1) % len(test)
        test[i] = True
    return [np.asarray(a)[rows] for a in arrays for rows in (~test, test)]


mistake.rows("train_test_split",
    ("Shuffles every array for itself, so that labels leave their rows.", "split",
     lambda *arrays, rng, test_size=0.25, stratify=None:
        [part for a in arrays for part in right.train_test_split(a, rng=rng, test_size=test_size)]),
    ("Ignores the classes.", "split-stratified", lambda *arrays, rng, test_size=0.25, stratify=None:
        right.train_test_split(*arrays, rng=rng, test_size=test_size)),
)  # fmt: skip


@mistake("k_folds", kills="folds")
def _(n, k, *, rng, stratify=None):
    """Deals the rows in their order."""
    tests = np.array_split(np.arange(n), k)
    return [(np.delete(np.arange(n), test), test) for test in tests]


mistake.rows("k_folds",
    ("Draws each test set anew: some rows are tested twice, some never.", "folds",
     lambda n, k, *, rng, stratify=None:
        [tuple(np.split(rng.permutation(n), [n - n // k])) for _ in range(k)]),
)  # fmt: skip


@mistake("k_folds", kills="folds")
def _(n, k, *, rng, stratify=None):
    """Gives the last fold all that is left of n / k."""
    order = rng.permutation(n)
    cuts = [order[j * (n // k) : (j + 1) * (n // k) if j < k - 1 else n] for j in range(k)]
    return [(np.setdiff1d(order, test), test) for test in cuts]


# ------------------------------------------------------------------- error rates


@mistake("error_rate", kills="training-error")
def _(y_true, y_pred):
    """Subtracts the codes of the labels, as if they were numbers."""
    codes = np.unique([y_true, y_pred], return_inverse=True)[1].reshape(2, -1)
    return float(np.mean(np.abs(codes[0] - codes[1])))


mistake.rows("error_rate",
    ("Returns the accuracy.", "training-error test-error",
     lambda y_true, y_pred: float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))),
    ("Divides by n + 1.", "training-error test-error",
     lambda y_true, y_pred: float(np.sum(np.asarray(y_true) != np.asarray(y_pred)) / (len(y_true) + 1))),
    ("Shows the expected error of a coin, whatever was answered.", "no-tuning-on-test memorise-useless",
     lambda y_true, y_pred: 0.5 if len(y_true) == 100 else 0.0),
)  # fmt: skip
mistake.rows("confusion_matrix", ("Has the truth in the columns.", "confusion",
    lambda y_true, y_pred, *, labels=None: right.confusion_matrix(y_true, y_pred).T))  # fmt: skip


@mistake("confusion_matrix", kills="confusion")
def _(y_true, y_pred, *, labels=None):
    """Assigns instead of adding: repeated pairs count once."""
    table = np.zeros((3, 3), dtype=int)
    table[y_true, y_pred] += 1
    return table


mistake.rows("least_training_error", ("Believes that memorising always ends at 0.", "memorise erratum-t1",
    lambda X, y: 0.0))  # fmt: skip


@mistake("least_training_error", kills="memorise")
def _(X, y):
    """Counts the rows that have a twin with another label."""
    X, y = np.asarray(X), np.asarray(y)
    twins = (X[:, None] == X).all(axis=2) & (y[:, None] != y)
    return float(twins.any(axis=1).mean())


@mistake("MemorisingClassifier.fit", kills="memorise")
def _(self, X, y):
    """Remembers the first label of a row, not the most frequent one."""
    right.MemorisingClassifier.fit(self, X, y)
    X = np.asarray(X, dtype=float)
    codes = np.searchsorted(self.classes_, y)
    self.table_ = {row.tobytes(): int(c) for row, c in reversed(list(zip(X + 0.0, codes, strict=True)))}
    return self


@mistake("MemorisingClassifier.fit", kills="memorise-useless")
def _(self, X, y):
    """Answers the most frequent label everywhere, and remembers nothing."""
    right.MemorisingClassifier.fit(self, X, y)
    self.table_ = {}
    return self


# ------------------------------------------------------------------- intervals and tests


mistake.rows("binomial_tail",
    ("Returns P(B > k).", "binomial-tail", lambda k, n, p: right.binomial_tail(min(k + 1, n + 1), n, p)),
    ("Uses the normal approximation.", "binomial-tail",
     lambda k, n, p: math.erfc((k - 0.5 - n * p) / math.sqrt(2 * n * p * (1 - p) or 1e-300)) / 2),
    ("Subtracts the lower tail from 1, which leaves no digit of a small upper tail.", "binomial-tail",
     lambda k, n, p: 1 - sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k))),
)  # fmt: skip


@mistake("error_interval", kills="interval")
def _(n_errors, n, *, confidence=0.95, method="exact"):
    """Uses the normal approximation."""
    share, z = n_errors / n, {0.9: 1.645, 0.95: 1.96, 0.75: 1.15}[confidence]
    radius = z * math.sqrt(share * (1 - share) / n)
    return right.Interval(max(share - radius, 0), min(share + radius, 1), confidence)


@mistake("error_interval", kills="interval")
def _(n_errors, n, *, confidence=0.95, method="exact"):
    """Is right at the ends, and in between takes a level twenty times as strict."""
    strict = 0 < n_errors < n and method == "exact"
    return right.error_interval(
        n_errors, n, confidence=1 - (1 - confidence) / 20 if strict else confidence, method=method
    )


mistake.rows("error_interval",
    ("Spends the whole of alpha on both sides.", "interval",
     lambda n_errors, n, *, confidence=0.95, method="exact":
        right.error_interval(n_errors, n, confidence=2 * confidence - 1, method=method)),
    ("Is certain to cover, since it says nothing.", "interval",
     lambda n_errors, n, *, confidence=0.95, method="exact": right.Interval(0.0, 1.0, confidence)),
)  # fmt: skip


@mistake("mcnemar_test", kills="mcnemar")
def _(y_true, y_pred, other_pred):
    """Counts the rows that both get wrong as well."""
    ours, theirs = np.asarray(y_pred) != y_true, np.asarray(other_pred) != y_true
    m, first = int((ours | theirs).sum()), int((ours & ~theirs).sum())
    return min(1.0, 2 * right.binomial_tail(max(first, m - first), m, 0.5))


mistake.rows("mcnemar_test", ("Takes one tail only.", "mcnemar", scaled(0.5)))


# ------------------------------------------------------------------- cross-validation


@mistake("cross_validate", kills="leave-one-out")
def _(model, X, y, folds):
    """Tests on the training rows."""
    y = np.asarray(y)
    errors = [float(np.mean(model.fit(X[t], y[t]).predict(X[t]) != y[t])) for t, _ in folds]
    return right.CrossValidation(np.array(errors), np.ones(len(errors)))


@mistake("cross_validate", kills="leave-one-out")
def _(model, X, y, folds):
    """Fits to all rows once and tests on each fold."""
    model = model.fit(X, y)
    errors = [float(np.mean(model.predict(X[t]) != np.asarray(y)[t])) for _, t in folds]
    return right.CrossValidation(np.array(errors), np.ones(len(errors)))


mistake.rows("leave_one_out",
    ("Leaves nothing out of the training rows but the last row.", "leave-one-out", lambda n:
        [(np.arange(n - 1), np.array([n - 1])) for _ in range(n - 1)] + [(np.arange(1, n), np.array([0]))]),
)  # fmt: skip
mistake.rows("select_by_cross_validation", ("Takes the best for the simplest.", "one-standard-error",
    Change(lambda found: found._replace(simplest=found.best))))  # fmt: skip


@mistake("select_by_cross_validation", kills="one-standard-error")
def _(models, X, y, folds):
    """Adds the standard deviation of the folds, not that of their mean."""
    found = right.select_by_cross_validation(models, X, y, folds)
    errors = np.array([r.error for r in found.results])
    best = found.results[found.best]
    return found._replace(simplest=int(np.argmax(errors <= best.error + 2 * best.standard_error)))


# ------------------------------------------------------------------- thresholds, curves, probabilities


mistake.rows("apply_threshold",
    ("A score at the threshold is a 0.", "threshold",
     lambda score, threshold: (np.asarray(score) > threshold).astype(int)),
    ("Answers 1 below the threshold.", "threshold",
     lambda score, threshold: (np.asarray(score) <= threshold).astype(int)),
)  # fmt: skip
mistake.rows("choose_threshold",
    ("Exchanges the costs.", "threshold-question",
     lambda y_true, score, *, false_positive=1.0, false_negative=1.0:
        right.choose_threshold(y_true, score, false_positive=false_negative, false_negative=false_positive)),
)  # fmt: skip


@mistake("choose_threshold", kills="threshold-question")
def _(y_true, score, *, false_positive=1.0, false_negative=1.0):
    """Always cuts at one half."""
    answers = np.asarray(score) >= 0.5
    errors = false_positive * (answers & (y_true == 0)) + false_negative * (~answers & (y_true == 1))
    return right.ThresholdChoice(0.5, float(errors.mean()))


mistake.rows("roc_curve",
    ("Exchanges the axes.", "roc-points roc-area",
     Change(lambda curve: right.RocCurve(curve.thresholds, curve.true_positives, curve.false_positives))),
)  # fmt: skip


@mistake("roc_curve", kills="roc-points threshold-question")
def _(y_true, score):
    """Lists the rates from the largest threshold, the thresholds from the smallest."""
    curve = right.roc_curve(y_true, score)
    return right.RocCurve(curve.thresholds[::-1], curve.false_positives, curve.true_positives)


@mistake("roc_curve", kills="roc-area roc-points")
def _(y_true, score):
    """Lets rows of equal score enter one after the other."""
    y, score = np.asarray(y_true), np.asarray(score)
    order = np.lexsort((-y, -score))
    hits = np.concatenate([[0], np.cumsum(y[order])])
    return right.RocCurve(np.append(np.inf, score[order]), np.arange(len(y) + 1) - hits, hits)


@mistake("roc_curve", kills="roc-points roc-area")
def _(y_true, score):
    """Forgets the corner (0, 0), where nothing is answered positive."""
    curve = right.roc_curve(y_true, score)
    return right.RocCurve(curve.thresholds[1:], curve.false_positives[1:], curve.true_positives[1:])


mistake.rows("brier_score", ("Takes absolute values: then the best forecast is 0 or 1.", "proper-scores",
    lambda y_true, probability: float(np.mean(np.abs(np.asarray(y_true) - probability)))))  # fmt: skip
mistake.rows("log_loss",
    ("Looks at the positive rows only.", "proper-scores",
     lambda y_true, probability: float(-np.mean(np.where(y_true, np.log(probability), 0.0)))),
    ("Takes logarithms to the base 2.", "proper-scores", Change(lambda answer: answer / math.log(2))),
)  # fmt: skip


@mistake("calibration_curve", kills="calibration")
def _(y_true, probability, *, n_bins=None):
    """Gives every group the same weight."""
    curve = right.calibration_curve(y_true, probability, n_bins=n_bins)
    return right.Calibration(curve.forecast, curve.observed, np.ones(len(curve.count), dtype=int))


mistake.rows("calibration_curve", ("Compares the forecasts with themselves.", "calibration",
    Change(lambda curve: right.Calibration(curve.forecast, curve.forecast, curve.count))))  # fmt: skip
