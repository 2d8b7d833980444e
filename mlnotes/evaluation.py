r"""Evaluation: how good is a classifier, and how sure can we be?  Lecture 2, sections 1 to 4.

A classifier D is fitted to training data and judged on test data that had no part in its making:

    err = 1/n sum_i 1{D(x_i) != y_i}                         training error, test error              (1.1)
    min_D err = 1/n sum_x (n_x - max_k n_xk)                 n_xk training labels k at the point x   (2.1)
    e = n err ~ Binomial(n, R(D))                            errors on n test data, given D
    e/n - r <= R <= e/n + r,  r = sqrt(log(2/alpha)/(2n))    Hoeffding's interval                    (3.2)
    P_R(B >= e) > alpha/2  and  P_R(B <= e) > alpha/2        Clopper-Pearson interval                (3.3)
    CV = (errors on all folds) / n                           k-fold cross-validation

Theorem 3.3 (Clopper and Pearson). The interval (3.3) contains R with probability at least 1 - alpha, for
every R and n.
Theorem 4.1. If k divides n, then E CV = E R(D_(n - n/k)), where D_m is fitted to m observations.    (4.1)

X (n, d) holds the observations and y (n,) their labels; `rng` is a random generator of NumPy.  Section 5,
thresholds and ROC curves, is in roc.py, and section 6, forecasts of probabilities, in calibration.py.
Inputs are not validated here; the estimators do that.
"""

import copy
import math
from collections import Counter, defaultdict, namedtuple

import numpy as np

# ---- 1 Training and test data


def random_order(n, rng, stratify=None):
    """A random order of 0, ..., n - 1; given labels, the classes come one after the other."""
    order = rng.permutation(n)
    if stratify is None:
        return order
    return order[np.argsort(stratify[order], kind="stable")]


def train_test_split(X, y, test_size, rng, stratify=None):
    """Draw test_size of n observations; given labels, class k gets n_k test_size / n, rounded up or down."""
    n = len(y)
    if not 0 < test_size < n:
        raise ValueError(f"{test_size} test observations out of {n}: each part needs at least one.")
    evenly_spaced = [(j * n - 1) // test_size for j in range(1, test_size + 1)]
    test = np.zeros(n, dtype=bool)
    test[random_order(n, rng, stratify)[evenly_spaced]] = True
    return X[~test], X[test], y[~test], y[test]


def error_rate(y_true, y_pred):
    if len(y_true) != len(y_pred):
        raise ValueError(f"{len(y_true)} labels, but {len(y_pred)} predictions.")
    return np.mean(y_true != y_pred)  # (1.1)


def confusion_matrix(y_true, y_pred):
    """Entry (i, j) counts the observations of class i that are predicted as class j."""
    labels = np.union1d(y_true, y_pred)
    return np.array([[np.sum((y_true == i) & (y_pred == j)) for j in labels] for i in labels])


# ---- 2 Memorising the training data


def most_frequent(labels):
    counts = Counter(labels)
    return max(counts, key=lambda label: (counts[label], label))  # the largest label in a tie


class MemorisingClassifier:
    """Predict the most frequent training label at x; where x is new, the most frequent label of all."""

    def fit(self, X, y):
        labels_at = defaultdict(list)
        for x, label in zip(X, y, strict=True):
            labels_at[tuple(x)].append(label)
        self.table_ = {x: most_frequent(labels) for x, labels in labels_at.items()}
        self.default_ = most_frequent(y)
        return self

    def predict(self, X):
        return np.array([self.table_.get(tuple(x), self.default_) for x in X])


def minimum_training_error(X, y):
    """The smallest training error of any classifier at all: the memorising one attains it."""
    return error_rate(y, MemorisingClassifier().fit(X, y).predict(X))  # (2.1)


# ---- 3 How sure is a test error?


def binomial_tail(k, n, p):
    """P(B >= k) for B ~ Binomial(n, p), accurate even where it is tiny."""
    if k <= 0:
        return 1.0
    if k > n or p == 0:
        return 0.0
    if k <= n * p:  # the other tail is the smaller one
        return 1 - binomial_tail(n - k + 1, n, 1 - p)
    log_choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    first = math.exp(log_choose + k * math.log(p) + (n - k) * math.log1p(-p))  # P(B = k)
    j = np.arange(k, n)
    ratios = (n - j) / (j + 1) * p / (1 - p)  # P(B = j + 1) / P(B = j)
    return first * (1 + np.cumprod(ratios).sum())


Interval = namedtuple("Interval", "low high")


def hoeffding_interval(n_errors, n, alpha=0.05):
    rate = n_errors / n
    radius = math.sqrt(math.log(2 / alpha) / (2 * n))
    return Interval(max(0.0, rate - radius), min(1.0, rate + radius))  # (3.2)


def clopper_pearson_lower(k, n, alpha):
    """The largest p with P(B >= k) <= alpha/2, by bisection: the tail grows with p."""
    low = 0.0
    high = k / n  # here the tail is at least 1/2
    for _ in range(100):
        middle = (low + high) / 2
        if binomial_tail(k, n, middle) <= alpha / 2:
            low = middle
        else:
            high = middle
    return low


def clopper_pearson_interval(n_errors, n, alpha=0.05):
    low = clopper_pearson_lower(n_errors, n, alpha)
    high = 1 - clopper_pearson_lower(n - n_errors, n, alpha)  # the same for the n - e correct predictions
    return Interval(low, high)  # (3.3)


def mcnemar_test(y_true, first_pred, second_pred):
    """The p-value of the hypothesis that two classifiers have the same risk    (Theorem 3.4).

    Of the m observations that exactly one gets wrong, the first one then gets Binomial(m, 1/2) wrong.
    """
    first_wrong = first_pred != y_true
    second_wrong = second_pred != y_true
    m = int(np.sum(first_wrong != second_wrong))
    b = int(np.sum(first_wrong & ~second_wrong))
    return min(1.0, 2 * binomial_tail(max(b, m - b), m, 0.5))


# ---- 4 Cross-validation


def k_folds(n, k, rng, stratify=None):
    """k pairs (train, test) of index arrays; every observation is in exactly one test set."""
    if not 2 <= k <= n:
        raise ValueError(f"{k} folds of {n} observations: 2 <= k <= n is needed.")
    fold = np.empty(n, dtype=int)
    fold[random_order(n, rng, stratify)] = np.arange(n) % k  # deal them like cards
    return [(np.flatnonzero(fold != j), np.flatnonzero(fold == j)) for j in range(k)]


def leave_one_out(n):
    return [(np.delete(np.arange(n), i), np.array([i])) for i in range(n)]


class CrossValidation:
    """The cross-validation error, and its standard error as if the fold errors were independent."""

    def __init__(self, fold_errors, fold_sizes):
        self.fold_errors = np.array(fold_errors)
        self.fold_sizes = np.array(fold_sizes)
        self.error = np.average(self.fold_errors, weights=self.fold_sizes)
        self.standard_error = self.fold_errors.std(ddof=1) / math.sqrt(len(self.fold_errors))


def cross_validate(model, X, y, folds):
    """For each fold, fit a copy of the model to the other folds and count its errors on this one."""
    fold_errors = []
    fold_sizes = []
    for train, test in folds:
        fitted = copy.deepcopy(model).fit(X[train], y[train])
        fold_errors.append(error_rate(y[test], fitted.predict(X[test])))
        fold_sizes.append(len(test))
    return CrossValidation(fold_errors, fold_sizes)


Selection = namedtuple("Selection", "results best simplest")


def one_standard_error_rule(results):
    """The best method, and the simplest within one standard error of it; simple methods come first."""
    errors = np.array([result.error for result in results])
    best = int(errors.argmin())
    within = errors <= errors[best] + results[best].standard_error
    return Selection(results, best, simplest=int(within.argmax()))


def select_by_cross_validation(models, X, y, folds):
    return one_standard_error_rule([cross_validate(model, X, y, folds) for model in models])
