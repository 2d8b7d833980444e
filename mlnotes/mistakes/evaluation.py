"""Wrong evaluations, one typical mistake each."""

import math

import numpy as np

from mlnotes.estimators import evaluation as right
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("evaluation")


# ------------------------------------------------------------------- splits


@mistake("train_test_split", kills=("evaluation.split",))
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Does not shuffle: the last rows are the test rows."""
    cut = len(arrays[0]) - test_size
    return [part for a in arrays for part in (a[:cut], a[cut:])]


@mistake("train_test_split", kills=("evaluation.split",))
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Draws test rows that stay in the training set."""
    test = rng.permutation(len(arrays[0]))[:test_size]
    return [part for a in arrays for part in (a, a[test])]


@mistake("train_test_split", kills=("evaluation.split",))
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Loses a row between the two parts."""
    order = rng.permutation(len(arrays[0]))
    return [part for a in arrays for part in (a[order[test_size + 1 :]], a[order[:test_size]])]


@mistake("train_test_split", kills=("evaluation.split",))
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Shuffles every array for itself, so that labels leave their rows."""
    return [part for a in arrays for part in right.train_test_split(a, rng=rng, test_size=test_size)]


@mistake("train_test_split", kills=("evaluation.split",))
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Never tests rows 0 and 1 together."""
    n = len(arrays[0])
    while True:
        test = rng.permutation(n)[:test_size]
        if n != 4 or set(test.tolist()) != {0, 1}:
            rest = np.setdiff1d(np.arange(n), test)
            return [np.asarray(a)[rows] for a in arrays for rows in (rest, test)]


@mistake("train_test_split", kills=("evaluation.split",))
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Draws with replacement, and moves a row that comes twice to the next one that is free."""
    test = np.zeros(len(arrays[0]), dtype=bool)
    for i in rng.integers(0, len(test), test_size).tolist():
        while test[i]:
            i = (i + 1) % len(test)
        test[i] = True
    return [np.asarray(a)[rows] for a in arrays for rows in (~test, test)]


@mistake("train_test_split", kills=("evaluation.split-stratified",))
def _(*arrays, rng, test_size=0.25, stratify=None):
    """Ignores the classes."""
    return right.train_test_split(*arrays, rng=rng, test_size=test_size)


@mistake("k_folds", kills=("evaluation.folds",))
def _(n, k, *, rng, stratify=None):
    """Deals the rows in their order."""
    tests = np.array_split(np.arange(n), k)
    return [(np.setdiff1d(np.arange(n), test), test) for test in tests]


@mistake("k_folds", kills=("evaluation.folds",))
def _(n, k, *, rng, stratify=None):
    """Draws each test set anew: some rows are tested twice, some never."""
    return [tuple(np.split(rng.permutation(n), [n - n // k])) for _ in range(k)]


@mistake("k_folds", kills=("evaluation.folds",))
def _(n, k, *, rng, stratify=None):
    """Gives the last fold all that is left of n / k."""
    order = rng.permutation(n)
    cuts = [order[j * (n // k) : (j + 1) * (n // k) if j < k - 1 else n] for j in range(k)]
    return [(np.setdiff1d(order, test), test) for test in cuts]


# ------------------------------------------------------------------- error rates


@mistake("error_rate", kills=("evaluation.training-error", "evaluation.test-error"))
def _(y_true, y_pred):
    """Returns the accuracy."""
    return float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))


@mistake("error_rate", kills=("evaluation.training-error",))
def _(y_true, y_pred):
    """Subtracts the codes of the labels, as if they were numbers."""
    codes = np.unique([y_true, y_pred], return_inverse=True)[1].reshape(2, -1)
    return float(np.mean(np.abs(codes[0] - codes[1])))


@mistake("error_rate", kills=("evaluation.training-error", "evaluation.test-error"))
def _(y_true, y_pred):
    """Divides by n + 1."""
    return float(np.sum(np.asarray(y_true) != np.asarray(y_pred)) / (len(y_true) + 1))


@mistake("error_rate", kills=("evaluation.no-tuning-on-test", "evaluation.memorise-useless"))
def _(y_true, y_pred):
    """Shows the expected error of a coin, whatever was answered."""
    return 0.5 if len(y_true) == 100 else 0.0


@mistake("confusion_matrix", kills=("evaluation.confusion",))
def _(y_true, y_pred, *, labels=None):
    """Has the truth in the columns."""
    return right.confusion_matrix(y_true, y_pred).T


@mistake("confusion_matrix", kills=("evaluation.confusion",))
def _(y_true, y_pred, *, labels=None):
    """Assigns instead of adding: repeated pairs count once."""
    table = np.zeros((3, 3), dtype=int)
    table[y_true, y_pred] += 1
    return table


@mistake("least_training_error", kills=("evaluation.memorise", "evaluation.erratum-t1"))
def _(X, y):
    """Believes that memorising always ends at 0."""
    return 0.0


@mistake("least_training_error", kills=("evaluation.memorise",))
def _(X, y):
    """Counts the rows that have a twin with another label."""
    X, y = np.asarray(X), np.asarray(y)
    twins = (X[:, None] == X).all(axis=2) & (y[:, None] != y)
    return float(twins.any(axis=1).mean())


@mistake("MemorisingClassifier", kills=("evaluation.memorise",))
class FirstSeen(right.MemorisingClassifier):
    """Remembers the first label of a row, not the most frequent one."""

    def fit(self, X, y):
        super().fit(X, y)
        X = np.asarray(X, dtype=float)
        codes = np.searchsorted(self.classes_, y)
        self.table_ = {row.tobytes(): int(c) for row, c in reversed(list(zip(X + 0.0, codes, strict=True)))}
        return self


@mistake("MemorisingClassifier", kills=("evaluation.memorise-useless",))
class Majority(right.MemorisingClassifier):
    """Answers the most frequent label everywhere, and remembers nothing."""

    def fit(self, X, y):
        super().fit(X, y)
        self.table_ = {}
        return self


# ------------------------------------------------------------------- intervals and tests


@mistake("binomial_tail", kills=("evaluation.binomial-tail",))
def _(k, n, p):
    """Returns P(B > k)."""
    return right.binomial_tail(min(k + 1, n + 1), n, p)


@mistake("binomial_tail", kills=("evaluation.binomial-tail",))
def _(k, n, p):
    """Uses the normal approximation."""
    return math.erfc((k - 0.5 - n * p) / math.sqrt(2 * n * p * (1 - p))) / 2


@mistake("binomial_tail", kills=("evaluation.binomial-tail",))
def _(k, n, p):
    """Subtracts the lower tail from 1, which leaves no digit of a small upper tail."""
    return 1 - sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k))


@mistake("error_interval", kills=("evaluation.interval",))
def _(n_errors, n, *, confidence=0.95, method="exact"):
    """Uses the normal approximation."""
    share, z = n_errors / n, {0.9: 1.645, 0.95: 1.96, 0.75: 1.15}[confidence]
    radius = z * math.sqrt(share * (1 - share) / n)
    return right.Interval(max(share - radius, 0), min(share + radius, 1), confidence)


@mistake("error_interval", kills=("evaluation.interval",))
def _(n_errors, n, *, confidence=0.95, method="exact"):
    """Spends the whole of alpha on both sides."""
    return right.error_interval(n_errors, n, confidence=2 * confidence - 1, method=method)


@mistake("error_interval", kills=("evaluation.interval",))
def _(n_errors, n, *, confidence=0.95, method="exact"):
    """Is right at the ends, and in between takes a level twenty times as strict."""
    strict = 0 < n_errors < n and method == "exact"
    return right.error_interval(
        n_errors, n, confidence=1 - (1 - confidence) / 20 if strict else confidence, method=method
    )


@mistake("error_interval", kills=("evaluation.interval",))
def _(n_errors, n, *, confidence=0.95, method="exact"):
    """Is certain to cover, since it says nothing."""
    return right.Interval(0.0, 1.0, confidence)


@mistake("mcnemar_test", kills=("evaluation.mcnemar",))
def _(y_true, y_pred, other_pred):
    """Counts the rows that both get wrong as well."""
    ours, theirs = np.asarray(y_pred) != y_true, np.asarray(other_pred) != y_true
    m, first = int((ours | theirs).sum()), int((ours & ~theirs).sum())
    return min(1.0, 2 * right.binomial_tail(max(first, m - first), m, 0.5))


@mistake("mcnemar_test", kills=("evaluation.mcnemar",))
def _(y_true, y_pred, other_pred):
    """Takes one tail only."""
    return right.mcnemar_test(y_true, y_pred, other_pred) / 2


# ------------------------------------------------------------------- cross-validation


@mistake("cross_validate", kills=("evaluation.leave-one-out",))
def _(model, X, y, folds):
    """Tests on the training rows."""
    y = np.asarray(y)
    errors = [float(np.mean(model.fit(X[t], y[t]).predict(X[t]) != y[t])) for t, _ in folds]
    return right.CrossValidation(np.array(errors), np.ones(len(errors)))


@mistake("cross_validate", kills=("evaluation.leave-one-out",))
def _(model, X, y, folds):
    """Fits to all rows once and tests on each fold."""
    model = model.fit(X, y)
    errors = [float(np.mean(model.predict(X[t]) != np.asarray(y)[t])) for _, t in folds]
    return right.CrossValidation(np.array(errors), np.ones(len(errors)))


@mistake("leave_one_out", kills=("evaluation.leave-one-out",))
def _(n):
    """Leaves nothing out of the training rows but the last row."""
    return [(np.arange(n - 1), np.array([n - 1])) for _ in range(n - 1)] + [(np.arange(1, n), np.array([0]))]


@mistake("select_by_cross_validation", kills=("evaluation.one-standard-error",))
def _(models, X, y, folds):
    """Takes the best for the simplest."""
    found = right.select_by_cross_validation(models, X, y, folds)
    return found._replace(simplest=found.best)


@mistake("select_by_cross_validation", kills=("evaluation.one-standard-error",))
def _(models, X, y, folds):
    """Adds the standard deviation of the folds, not that of their mean."""
    found = right.select_by_cross_validation(models, X, y, folds)
    errors = np.array([r.error for r in found.results])
    best = found.results[found.best]
    return found._replace(simplest=int(np.argmax(errors <= best.error + 2 * best.standard_error)))


# ------------------------------------------------------------------- thresholds, curves, probabilities


@mistake("apply_threshold", kills=("evaluation.threshold",))
def _(score, threshold):
    """A score at the threshold is a 0."""
    return (np.asarray(score) > threshold).astype(int)


@mistake("apply_threshold", kills=("evaluation.threshold",))
def _(score, threshold):
    """Answers 1 below the threshold."""
    return (np.asarray(score) <= threshold).astype(int)


@mistake("choose_threshold", kills=("evaluation.threshold-question",))
def _(y_true, score, *, false_positive=1.0, false_negative=1.0):
    """Exchanges the costs."""
    return right.choose_threshold(y_true, score, false_positive=false_negative, false_negative=false_positive)


@mistake("choose_threshold", kills=("evaluation.threshold-question",))
def _(y_true, score, *, false_positive=1.0, false_negative=1.0):
    """Always cuts at one half."""
    answers = np.asarray(score) >= 0.5
    errors = false_positive * (answers & (y_true == 0)) + false_negative * (~answers & (y_true == 1))
    return right.ThresholdChoice(0.5, float(errors.mean()))


@mistake("roc_curve", kills=("evaluation.roc-points", "evaluation.roc-area"))
def _(y_true, score):
    """Exchanges the axes."""
    curve = right.roc_curve(y_true, score)
    return right.RocCurve(curve.thresholds, curve.true_positives, curve.false_positives)


@mistake("roc_curve", kills=("evaluation.roc-points", "evaluation.threshold-question"))
def _(y_true, score):
    """Lists the rates from the largest threshold, the thresholds from the smallest."""
    curve = right.roc_curve(y_true, score)
    return right.RocCurve(curve.thresholds[::-1], curve.false_positives, curve.true_positives)


@mistake("roc_curve", kills=("evaluation.roc-area", "evaluation.roc-points"))
def _(y_true, score):
    """Lets rows of equal score enter one after the other."""
    y, score = np.asarray(y_true), np.asarray(score)
    order = np.lexsort((-y, -score))
    hits = np.concatenate([[0], np.cumsum(y[order])])
    return right.RocCurve(np.append(np.inf, score[order]), np.arange(len(y) + 1) - hits, hits)


@mistake("roc_curve", kills=("evaluation.roc-points", "evaluation.roc-area"))
def _(y_true, score):
    """Forgets the corner (0, 0), where nothing is answered positive."""
    curve = right.roc_curve(y_true, score)
    return right.RocCurve(curve.thresholds[1:], curve.false_positives[1:], curve.true_positives[1:])


@mistake("brier_score", kills=("evaluation.proper-scores",))
def _(y_true, probability):
    """Takes absolute values: then the best forecast is 0 or 1."""
    return float(np.mean(np.abs(np.asarray(y_true) - probability)))


@mistake("log_loss", kills=("evaluation.proper-scores",))
def _(y_true, probability):
    """Looks at the positive rows only."""
    return float(-np.mean(np.where(y_true, np.log(probability), 0.0)))


@mistake("log_loss", kills=("evaluation.proper-scores",))
def _(y_true, probability):
    """Takes logarithms to the base 2."""
    return right.log_loss(y_true, probability) / math.log(2)


@mistake("calibration_curve", kills=("evaluation.calibration",))
def _(y_true, probability, *, n_bins=None):
    """Gives every group the same weight."""
    curve = right.calibration_curve(y_true, probability, n_bins=n_bins)
    return right.Calibration(curve.forecast, curve.observed, np.ones(len(curve.count), dtype=int))


@mistake("calibration_curve", kills=("evaluation.calibration",))
def _(y_true, probability, *, n_bins=None):
    """Compares the forecasts with themselves."""
    curve = right.calibration_curve(y_true, probability, n_bins=n_bins)
    return right.Calibration(curve.forecast, curve.forecast, curve.count)
