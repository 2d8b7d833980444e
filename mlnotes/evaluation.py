r"""Evaluation: how good is a classifier, and how sure can one be?  Lecture 2.

A classifier D is fitted to training rows and judged on test rows, which had no part in its making:

    err = 1/n sum_i 1{D(x_i) != y_i}                        training error, test error       (1.1)
    n err ~ Binomial(n, R(D))                               on test rows, given D
    err = sum over folds of the errors / n                  cross-validation
    (false, true positive rate) of 1{score >= t}, all t     ROC curve

From this: the exact interval of Clopper and Pearson holds every risk that neither tail of the
binomial distribution rejects at alpha/2. The area under the ROC curve is the probability that a positive row
scores higher than a negative one, a tie counting one half.

Of two classes the larger label is the positive one; a score equal to the threshold is positive; ties
of votes go to the largest label, ties of costs to the largest threshold. `rng` is a generator of
NumPy. What a definition asks for is checked here: a row for each part, two classes, labels for all
answers, no forecast of 0 that comes true. Else NumPy speaks; mlnotes/estimators checks all input.
"""

import copy
import math
from collections import namedtuple
from fractions import Fraction

import numpy as np

from mlnotes.bayes import last_argmax

# ---- 1 Training and test data


def random_order(n, rng, stratify=None):
    """A random order of the rows; with labels one that runs class by class."""
    order = rng.permutation(n)
    return order if stratify is None else order[np.argsort(np.asarray(stratify)[order], kind="stable")]


def train_test_split(*arrays, rng, test_size=0.25, stratify=None):
    """[first training part, first test part, second training part, ...]; test_size: share or number."""
    n = len(arrays[0])  # a share is the decimal as written: 0.07 of 100 rows are 7
    n_test = test_size if isinstance(test_size, int) else math.ceil(Fraction(str(test_size)) * n)
    if not 0 < n_test < n:
        raise ValueError(f"test_size={test_size} asks for {n_test} test rows out of {n}, both parts need one")
    places = (np.arange(1, n_test + 1) * n - 1) // n_test  # in the order, as far apart as they can be
    test = np.zeros(n, dtype=bool)
    test[random_order(n, rng, stratify)[places]] = True
    return [part for array in map(np.asarray, arrays) for part in (array[~test], array[test])]


def error_rate(y_true, y_pred):
    if len(y_true) != len(y_pred):
        raise ValueError(f"each row has one label and one answer, got {len(y_true)} and {len(y_pred)}.")
    return np.mean(np.asarray(y_true) != np.asarray(y_pred))  # (1.1)


def confusion_matrix(y_true, y_pred, labels=None):
    """Rows are the truth, columns the answers."""
    labels = np.union1d(y_true, y_pred) if labels is None else np.asarray(labels)
    truth = np.asarray(y_true)[:, None] == labels
    answers = np.asarray(y_pred)[:, None] == labels
    return (truth[:, :, None] & answers[:, None, :]).sum(axis=0)


# ---- 2 Learning by heart


class MemorisingClassifier:
    """The most frequent label of each row that was seen, and of all rows for the others."""

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.counts = {}
        for x, code in zip(map(tuple, X), codes, strict=True):
            self.counts.setdefault(x, np.zeros(len(self.classes_)))[code] += 1
        self.overall = np.bincount(codes)
        self.training_error_ = 1 - sum(counts.max() for counts in self.counts.values()) / len(y)  # (2.1)
        return self

    def predict(self, X):
        votes = [self.counts.get(x, self.overall) for x in map(tuple, X)]
        return self.classes_[last_argmax(votes)]


def least_training_error(X, y):
    """Of any rule at all: it can please one label at each distinct row."""
    return MemorisingClassifier().fit(X, y).training_error_


# ---- 3 How sure one can be


def binomial_tail(k, n, p):
    """P(B >= k), B ~ Binomial(n, p); the smaller tail is summed, so that nothing cancels."""
    if k > n or p == 0:
        return float(k <= 0)
    if k <= n * p:
        return 1 - binomial_tail(n - k + 1, n, 1 - p)
    log_choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    first = math.exp(log_choose + k * math.log(p) + (n - k) * math.log1p(-p))
    j = np.arange(k, n)
    return first * (1 + np.cumprod((n - j) / (j + 1) * (p / (1 - p))).sum())


class Interval(namedtuple("Interval", "low high confidence")):
    def __contains__(self, value):
        return self.low <= value <= self.high


def risk_with_tail(k, n, level):
    """The largest p with P(B >= k) <= level: by bisection, for the tail rises with p; 0 for k = 0."""
    low, high = 0.0, k / n  # at k / n the tail is at least 1/2: k is a median
    while low < (low + high) / 2 < high:  # until low and high are neighbours among the floats
        middle = (low + high) / 2
        if binomial_tail(k, n, middle) <= level:
            low = middle
        else:
            high = middle
    return low


def hoeffding_ends(k, n, alpha):
    t = math.sqrt(math.log(2 / alpha) / (2 * n))
    return max(0.0, k / n - t), min(1.0, k / n + t)  # (3.2)


def exact_ends(k, n, alpha):
    return risk_with_tail(k, n, alpha / 2), 1 - risk_with_tail(n - k, n, alpha / 2)  # (3.3)


ENDS = {"hoeffding": hoeffding_ends, "exact": exact_ends}


def error_interval(n_errors, n, confidence=0.95, method="exact"):
    return Interval(*ENDS[method](n_errors, n, 1 - confidence), confidence)


def mcnemar_test(y_true, y_pred, other_pred):
    """Of the m rows that just one gets wrong, each is the first's with probability 1/2."""
    ours, theirs = np.not_equal(y_true, y_pred), np.not_equal(y_true, other_pred)
    first, m = np.sum(ours & ~theirs), np.sum(ours ^ theirs)
    return min(1.0, 2 * binomial_tail(int(max(first, m - first)), int(m), 0.5)) if m else 1.0


# ---- 4 Cross-validation


def k_folds(n, k, rng, stratify=None):
    """k pairs (train, test) of row numbers: every row is a test row once."""
    if not 2 <= k <= n:
        raise ValueError(f"k folds of n rows need 2 <= k <= n, got k = {k}, n = {n}: each part needs a row")
    fold = np.empty(n, dtype=int)
    fold[random_order(n, rng, stratify)] = np.arange(n) % k
    return [(np.flatnonzero(fold != j), np.flatnonzero(fold == j)) for j in range(k)]


def leave_one_out(n):
    return [(np.delete(np.arange(n), i), np.array([i])) for i in range(n)]


class CrossValidation:
    def __init__(self, errors, sizes):
        self.fold_errors, self.fold_sizes = np.array(errors), np.array(sizes)
        self.error = np.average(self.fold_errors, weights=self.fold_sizes)  # in the mean (4.1)
        self.standard_error = self.fold_errors.std(ddof=1) / math.sqrt(len(errors))


def cross_validate(model, X, y, folds):
    """Fit a copy of the model to the training rows of each fold, judge it on the test rows."""
    X, y, errors = np.asarray(X), np.asarray(y), []
    for train, test in folds:
        rule = copy.deepcopy(model).fit(X[train], y[train])
        errors.append(error_rate(y[test], rule.predict(X[test])))
    return CrossValidation(errors, [len(test) for _, test in folds])


Selection = namedtuple("Selection", "results best simplest")


def select_by_cross_validation(models, X, y, folds):
    return select([cross_validate(model, X, y, folds) for model in models])


def select(results):
    """The best of methods ordered from simple to flexible, and the simplest within a standard error."""
    errors = np.array([result.error for result in results])
    best = int(errors.argmin())
    limit = errors[best] + results[best].standard_error
    return Selection(results, best, int(np.argmax(errors <= limit)))


# ---- 5 Thresholds and the ROC curve


def is_positive(y_true):
    classes = np.unique(y_true)
    if len(classes) != 2:
        raise ValueError(f"thresholds, curves and forecasts need rows of two classes, got {len(classes)}.")
    return np.asarray(y_true) == classes[1]


def apply_threshold(score, threshold):
    return (np.asarray(score) >= threshold).astype(int)  # (5.1)


class RocCurve:
    """Rows answered positive at each threshold, from none of them to all."""

    def __init__(self, thresholds, false_positives, true_positives):
        self.thresholds = thresholds
        self.false_positives, self.true_positives = false_positives, true_positives

    @property
    def false_positive_rate(self):
        return self.false_positives / self.false_positives[-1]

    @property
    def true_positive_rate(self):
        return self.true_positives / self.true_positives[-1]

    @property
    def area(self):
        false, true = self.false_positives, self.true_positives
        pairs = np.diff(false) / 2 * (true[1:] + true[:-1])
        return float(pairs.sum()) / (int(false[-1]) * int(true[-1]))  # (5.3)


def roc_curve(y_true, score):
    """At the threshold infinity and at each distinct score, decreasing."""
    positive, score = is_positive(y_true), np.asarray(score)
    thresholds = np.append(np.inf, np.unique(score)[::-1])
    answers = score >= thresholds[:, None]
    return RocCurve(thresholds, (answers & ~positive).sum(axis=1), (answers & positive).sum(axis=1))


ThresholdChoice = namedtuple("ThresholdChoice", "threshold cost")


def choose_threshold(y_true, score, *, false_positive=1.0, false_negative=1.0):
    return cheapest_threshold(roc_curve(y_true, score), false_positive, false_negative)


def cheapest_threshold(curve, false_positive, false_negative):
    """The threshold of least average cost on the rows of the curve."""
    n = curve.true_positives[-1] + curve.false_positives[-1]
    misses = curve.true_positives[-1] - curve.true_positives
    costs = false_positive * curve.false_positives + false_negative * misses
    return ThresholdChoice(curve.thresholds[costs.argmin()], costs.min() / n)


# ---- 6 Is a probability a probability?


def brier_score(y_true, probability):
    return np.mean((np.asarray(probability) - is_positive(y_true)) ** 2)  # (6.1)


def log_loss(y_true, probability):
    p = np.asarray(probability)
    right = np.where(is_positive(y_true), p, 1 - p)
    if (right == 0).any():
        raise ValueError("a row was given probability 0 of what it is: the log loss is infinite.")
    return -np.log(right).mean()  # (6.1)


class Calibration:
    """Groups of rows: mean forecast, share of positive rows, number of rows."""

    def __init__(self, forecast, observed, count):
        self.forecast, self.observed, self.count = forecast, observed, count
        mean = np.average(observed, weights=count)
        self.error = np.average(abs(forecast - observed), weights=count)
        self.reliability = np.average((forecast - observed) ** 2, weights=count)  # (6.2)
        self.resolution = np.average((observed - mean) ** 2, weights=count)
        self.uncertainty = mean * (1 - mean)


def calibration_curve(y_true, probability, n_bins=None):
    """Without bins a group is one distinct forecast."""
    p, positive = np.asarray(probability), is_positive(y_true)
    group = p if n_bins is None else np.searchsorted(np.arange(1, n_bins) / n_bins, p, side="right")
    members = [group == g for g in np.unique(group)]
    forecast = np.array([p[m].mean() for m in members])
    observed = np.array([positive[m].mean() for m in members])
    return Calibration(forecast, observed, np.array([m.sum() for m in members]))
