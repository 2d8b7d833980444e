"""The statements on training, testing and thresholds as executable claims, in the order of the lecture.

Where a statement is about probabilities and can be, the samples of a small finite distribution are enumerated
and weighted with `fractions.Fraction`: no simulation, no tolerance.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np

from mlnotes.checking import (
    at_least,
    at_most,
    bernstein,
    equal,
    hard_cases,
    hoeffding,
    misprint,
    rounding,
    statement,
)
from mlnotes.checking.outputs import refuses
from mlnotes.datasets import FiniteDistribution, random_finite_distribution

OUTPUTS = {
    "MemorisingClassifier.predict": "(n,) any", "apply_threshold": "(n,)", "confusion_matrix": "(K, K)",
    "binomial_tail": "number", "error_rate": "number", "minimum_training_error": "number",
    "mcnemar_test": "number", "clopper_pearson_interval.low": "number",
    "clopper_pearson_interval.high": "number", "hoeffding_interval.low": "number",
    "hoeffding_interval.high": "number", "cross_validate.error": "number",
    "select_by_cross_validation.best": "int", "select_by_cross_validation.simplest": "int",
    "roc_curve.area": "number", "roc_curve.thresholds": "(m,)", "roc_curve.false_positive_rate": "(m,)",
    "roc_curve.true_positive_rate": "(m,)", "choose_threshold.cost": "number",
    "choose_threshold.threshold": "number", "brier_score": "number", "log_loss": "number",
    "calibration_curve.observed": "(m,)", "calibration_curve.reliability": "number",
    "calibration_curve.resolution": "number", "calibration_curve.uncertainty": "number",
}  # fmt: skip


def _samples(distribution, n):
    """Iterate over all samples of n observations: probability, atoms (n,), labels (n,)."""
    cells = [(x, k) for x in range(distribution.n_atoms) for k in range(distribution.n_classes)]
    for sample in itertools.product(cells, repeat=n):
        mass = math.prod(distribution.joint[x][k] for x, k in sample)
        yield mass, np.array([x for x, _ in sample]), np.array([k for _, k in sample])


def _binomial(n, p):
    """Return P(B = 0), ..., P(B = n) for B ~ Binomial(n, p), exact for a Fraction."""
    return [math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)]


def _counts(y):
    """Return how often 0, 1, 2, 3 occur."""
    return (np.asarray(y).ravel()[:, None] == np.arange(4)).sum(axis=0)


# A candidate's output goes through these: nonsense becomes empty, which no evidence survives.


def _folds(output):
    """Return pairs of integer arrays; none if the output is anything else."""
    try:
        pairs = [(np.asarray(train), np.asarray(test)) for train, test in output]
    except (TypeError, ValueError):
        return []
    return pairs if all(side.ndim == 1 and side.dtype.kind in "iu" for pair in pairs for side in pair) else []


def _parts(output):
    """Return X_train, X_test, y_train, y_test; empty arrays if the output is anything else."""
    fits = isinstance(output, (list, tuple)) and len(output) == 4
    return [np.asarray(part) for part in output] if fits else [np.empty(0)] * 4


# ------------------------------------------------------------------- 1 Training and test data
@statement("algorithm", "1", "Chapter 10, 10.1.1", false_alarm=1e-09)
def split(train_test_split, rng):
    """The observations are divided at random into training and test data: none is in both, none is lost, $n =
    n_{train} + n_{test}$, and every set of $n_{test}$ observations is equally likely to be the test set."""
    for n, n_test in ((2, 1), (7, 3), (50, 13)):
        y = np.arange(n)
        parts = train_test_split(y[:, None] * 3, y, test_size=n_test, rng=rng)
        X_train, X_test, y_train, y_test = _parts(parts)
        both = np.sort(np.append(y_train, y_test))
        yield equal("observations of both parts together, sorted", both, y)
        yield equal("number of test observations", len(y_test), n_test)
        yield equal("features of the training data", X_train.ravel(), 3 * y_train)
        yield equal("features of the test data", X_test.ravel(), 3 * y_test)
        if not np.array_equal(both, y):
            return  # refuted; the draws are many
    four = np.arange(4)
    refused = [refuses(train_test_split, four, four, test_size=size, rng=rng) for size in (0, 1, 3, 4)]
    yield equal("0, 1, 3 and 4 of four observations for testing: refused", refused, [1, 0, 0, 1])
    draws, sets = 8000, list(itertools.combinations(range(4), 2))
    tests = (_parts(train_test_split(four, four, test_size=2, rng=rng))[3] for _ in range(draws))
    counts = Counter(tuple(sorted(test.tolist())) for test in tests)
    frequencies, band = [counts[s] / draws for s in sets], bernstein(draws, 5 / 36, 1e-9 / len(sets))
    yield equal("frequencies of the six test sets", frequencies, 1 / 6, band)  # the chances are added up


@statement("algorithm", "1")
def split_stratified(train_test_split, rng):
    """The test set of a stratified split has $n_k n_{test}/n$ observations of class $k$, rounded up or
    down."""
    y = np.repeat(np.arange(4), 25)
    for _ in range(6):  # a split that ignores the classes hits 10 of each with probability 0.01
        _, _, _, y_test = _parts(train_test_split(y, y, test_size=40, rng=rng, stratify=y))
        yield equal("40 of 100, 25 of each class: test observations of each", _counts(y_test), [10] * 4)
    y = np.append(rng.integers(0, 4, 56), np.arange(4))
    for n_test in (1, 16, 17, 40):
        _, _, y_train, y_test = _parts(train_test_split(y, y, test_size=n_test, rng=rng, stratify=y))
        distance = abs(_counts(y_test) * 60 - _counts(y) * n_test)
        yield at_most("60 times the distance from n_k n_test / n, per class", distance, 59, labels=y)
        yield equal("observations of each class", _counts(np.append(y_train, y_test)), _counts(y))


@statement("formula", "1", "Chapter 10, 10.1.1", "Shi, generalisation error")
def training_error(error_rate, rng):
    r"""The error rate on $n$ observations is $\frac1n \sum_{i=1}^n 1\{D(x_i) \ne y_i\}$: training error on
    the training data, test error on the test data."""
    names = np.array(["no", "yes", "maybe"])
    for n in (1, 8, 64):  # powers of two: n times the rate is exact
        truth, predicted = rng.integers(0, 3, (2, n))
        wrong = sum(1 for a, b in zip(truth.tolist(), predicted.tolist(), strict=True) if a != b)
        yield equal(f"error rate times {n}", error_rate(truth, predicted) * n, wrong)
        yield equal("labels as text", error_rate(names[truth], names[predicted]) * n, wrong)
    y = np.array([0, 0, 1, 2])
    yield equal("3 of 4 wrong, by 1 and by 2", error_rate(y, np.array([0, 2, 2, 0])), 0.75)
    yield equal("labels of different number are refused", refuses(error_rate, y, y[:1]), True)


@statement("definition", "1")
def confusion(confusion_matrix, rng):
    """The confusion matrix counts observations by label (row) and prediction (column): its row sums are the
    class counts, and the error rate is 1 minus its trace over $n$."""
    truth, predicted = rng.integers(0, 3, (2, 37))
    truth, predicted = np.append(truth, [0] * 40 + [1, 2]), np.append(predicted, [1] * 40 + [1, 2])
    table = confusion_matrix(truth, predicted)  # 40 of class 0 are predicted as 1: not symmetric
    naive = [[int(((truth == i) & (predicted == j)).sum()) for j in range(3)] for i in range(3)]
    yield equal("confusion matrix", table, naive, truth=truth, predicted=predicted)
    yield equal("n minus its trace", 79 - np.trace(table), int((truth != predicted).sum()))


# ------------------------------------------------------------------- 2 Memorising the training data
@statement("claim", "2", "Chapter 10, 10.1.1")
def memorise(minimum_training_error, MemorisingClassifier, rng):
    r"""The smallest training error of any classifier is $\frac1n \sum_x (n_x - \max_k n_{xk})$, attained by
    the one that memorises the training data, and predicts the most frequent label of all where $x$ is
    new. It is 0 iff no $x$ comes with two labels."""
    for n in (4, 16, 32):
        where, y = rng.integers(0, 4, n), rng.integers(0, 3, n)
        X = np.array([[0, 0], [0, 1], [1, 0], [-1, 2]])[where] / 4
        yield from _learned_by_heart(minimum_training_error, MemorisingClassifier, X, where, y)


@hard_cases(memorise)
def near_points(minimum_training_error, MemorisingClassifier):
    """Points that are close, -0 and 0 that are equal, and a first label that is the rarer one."""
    where, y = np.array([0, 0, 0, 1, 2, 2, 3]), np.array([0, 1, 1, 2, 1, 0, 0])
    X = 2.0**-60 * np.array([[0, 0], [0, 1], [1, 0], [-1, 2]])[where]
    X[::2] *= np.where(X[::2] == 0, -1, 1)
    yield from _learned_by_heart(minimum_training_error, MemorisingClassifier, X, where, y)
    mixed = minimum_training_error(np.zeros((3, 1)), np.array([0, 0, 1]))
    yield equal("smallest error where one point comes with the labels 0, 0, 1", mixed, 1 / 3, rounding(3))


def _learned_by_heart(minimum_training_error, MemorisingClassifier, X, where, y):
    n = len(y)
    smallest = min(int((np.array(rule)[where] != y).sum()) for rule in itertools.product(range(3), repeat=4))
    model, most = MemorisingClassifier().fit(X, y), max(y, key=lambda k: ((y == k).sum(), k))
    errors = (model.predict(X) != y).sum()
    yield equal("its errors against the best of all 81 classifiers", errors, smallest, X=X, y=y)
    yield equal("its prediction at a new point", model.predict(np.array([[9.0, 9.0]])), [most], X=X, y=y)
    value = minimum_training_error(X, y)
    yield equal("n times the smallest training error", value * n, smallest, rounding(4, n), X=X, y=y)
    free = minimum_training_error(X, where % 3)
    yield equal("smallest error with labels 0, 1, 2, 0 at the points", free, 0.0)


@statement("example", "2", "Chapter 10, 10.1.1", false_alarm=1e-09)
def memorise_useless(MemorisingClassifier, error_rate, rng):
    """Training error 0 does not bound the risk: with labels from a fair coin, the memorising classifier has
    training error 0 on distinct observations and errs on half of the new ones."""
    n = 2000
    X, y, y_new = rng.standard_normal((2 * n, 1)), rng.integers(0, 2, n), rng.integers(0, 2, n)
    model = MemorisingClassifier().fit(X[:n], y)
    seen, fresh = model.predict(X[:n]), model.predict(X[n:])
    yield equal("predictions that are labels", np.isin([seen, fresh], (0, 1)).sum(), 2 * n)
    yield equal("training error", error_rate(y, seen), 0.0)
    yield equal("test error", error_rate(y_new, fresh), 0.5, hoeffding(n, 1e-9))


# ------------------------------------------------------------------- 3 How sure is a test error?
@statement("formula", "3", "Chapter 10, 10.1.1")
def test_error(error_rate, rng):
    r"""Given the classifier $D$, the number of errors on $n$ new observations is $\mathrm{Binomial}(n,
    R(D))$. So the test error is unbiased, and $P(|\mathrm{err} - R| \ge t) \le 2e^{-2nt^2}$."""
    n = 4
    for distribution in (
        FiniteDistribution.from_weights([[5, 1], [2, 8]]),
        random_finite_distribution(rng, 2, 2, denominator=64),
    ):
        joint = distribution.joint
        rule, risk = np.array([0, 1]), joint[0][1] + joint[1][0]
        errors: Counter = Counter()
        for mass, atoms, labels in _samples(distribution, n):
            errors[error_rate(labels, rule[atoms]) * n] += mass
        masses = [errors.pop(count, Fraction(0)) for count in range(n + 1)]
        yield equal("samples whose error rate is no multiple of 1/4", len(errors), 0)
        expected = _binomial(n, risk)
        yield equal(
            "distribution of the number of errors over all 256 samples", masses, expected, joint=joint
        )
        mean = sum(m * Fraction(j, n) for j, m in enumerate(masses))
        yield equal("expected test error against the risk", mean, risk)
        distances = [Fraction(k, 4) for k in (1, 2, 3)]
        tails = [sum(m for j, m in enumerate(masses) if abs(Fraction(j, n) - risk) >= t) for t in distances]
        bounds = [2 * math.exp(-2 * n * float(t) ** 2) for t in distances]
        yield at_most("P(|err - R| >= t), t = 1/4, 1/2, 3/4", np.array(tails, dtype=float), bounds)


@statement("formula", "3 deeper")
def binomial_tail(binomial_tail):
    r"""$P(B \ge k) = \sum_{j \ge k} \binom nj p^j (1-p)^{n-j}$, with small tails to full relative
    accuracy."""
    for n in (1, 5, 30, 300):
        chances = [Fraction(m, 64) for m in (0, 1, 32, 56, 64)]
        cases = list(itertools.product(range(0, n + 2, max(1, n // 6)), chances))
        exact = np.array([float(sum(_binomial(n, p)[k:], Fraction(0))) for k, p in cases])
        tails = [binomial_tail(k, n, float(p)) for k, p in cases]
        yield equal(f"P(B >= k), n = {n}, relative", tails, exact, rounding(2 * n) * exact)


@statement("theorem", "3", "Clopper and Pearson (1934)", "Hoeffding (1963), Thm 1")
def interval(clopper_pearson_interval, hoeffding_interval):
    r"""The interval of all $R$ with $P_R(B \ge e) > \alpha/2$ and $P_R(B \le e) > \alpha/2$ contains the risk
    with probability at least $1 - \alpha$, whatever the risk. So does $e/n \pm \sqrt{\log(2/\alpha)/(2n)}$.
    """
    exact, simple = ("Clopper-Pearson", clopper_pearson_interval), ("Hoeffding", hoeffding_interval)
    for (name, method), n, alpha in ((exact, 11, 0.1), (exact, 25, 0.05), (simple, 11, 0.25)):
        low, high = _ends(method, n, alpha)
        rates = np.arange(n + 1) / n
        inside = (low >= 0) & (low <= rates) & (rates <= high) & (high <= 1)
        yield equal(f"intervals around e/n, {name}", inside.sum(), n + 1)
        # between two ends the coverage is a sum of binomial masses: it is least next to an end, or at 1/2
        near = np.clip([low - 1e-9, low + 1e-9, high - 1e-9, high + 1e-9], 0, 1)
        risks = np.unique(np.append(near, [0, 0.5, 1]))
        covered = np.array([np.array(_binomial(n, p))[(low <= p) & (p <= high)].sum() for p in risks])
        yield at_least(f"smallest coverage, {name}, n = {n}", covered.min(), 1 - alpha, rounding(n))
        yield at_most("proportion of these risks that are always covered", np.mean(covered > 1 - 1e-12), 0.5)


@hard_cases(interval)
def ends_of_the_intervals(clopper_pearson_interval, hoeffding_interval):
    """The ends themselves, where both have a formula: nothing shorter covers, and nothing longer is exact."""
    rates, t = np.arange(12) / 11, math.sqrt(math.log(2 / 0.25) / (2 * 11))
    cut = np.clip([rates - t, rates + t], 0, 1)
    yield equal("e/n - t and e/n + t, cut to [0, 1]", _ends(hoeffding_interval, 11, 0.25), cut, rounding(8))
    highs = [clopper_pearson_interval(0, n).high for n in (1, 40)]
    truth = [1 - 0.025, 1 - 0.025 ** (1 / 40)]
    yield equal("upper ends after no error on 1 and on 40 observations", highs, truth, rounding(400))
    lows, highs = _ends(clopper_pearson_interval, 25, 0.05)
    above = [sum(_binomial(25, lows[e])[e:]) for e in range(1, 26)]
    below = [sum(_binomial(25, highs[e])[: e + 1]) for e in range(25)]
    slack = rounding(50, 25)  # an end of 16 digits moves a tail by its slope, at most n, times its rounding
    yield equal("P(B >= e) at the lower ends for e = 1, ..., 25", above, 0.025, slack)
    yield equal("P(B <= e) at the upper ends for e = 0, ..., 24", below, 0.025, slack)
    yield equal("lower end for e = 0, upper end for e = 25", [lows[0], highs[25]], [0.0, 1.0])


def _ends(method, n, alpha):
    """Return the lower and the upper ends for 0, ..., n errors."""
    intervals = [method(e, n, alpha) for e in range(n + 1)]
    return np.array([(i.low, i.high) for i in intervals]).T


@statement("claim", "3", "Chapter 10, 10.1.1", false_alarm=1e-12)
def no_tuning_on_test(error_rate, rng):
    """Test data must only judge. The smallest of 1,000 test errors is far below the risk: on 100 test
    observations labelled by a fair coin let 1,000 classifiers guess by independent coin flips. Each has risk
    1/2, and the smallest error is at most 0.4 with probability above $1 - 10^{-12}$."""
    n, classifiers = 100, 1000
    below = sum(math.comb(n, j) for j in range(41)) / 2**n
    yield at_most("P(smallest of 1,000 errors > 0.4)", (1 - below) ** classifiers, 1e-12)
    y, predicted = rng.integers(0, 2, n), rng.integers(0, 2, (classifiers, n))
    errors = np.array([error_rate(y, guesses) for guesses in predicted])
    yield equal("test errors of 1,000 classifiers", errors, (predicted != y).mean(axis=1), rounding(n), y=y)
    yield at_most("the smallest of them", errors.min(), 0.4)


@statement("theorem", "3", "McNemar (1947)")
def mcnemar(mcnemar_test):
    r"""If two classifiers have the same risk, the observations where just one errs are flips of a fair coin:
    the two-sided tail of $\mathrm{Binomial}(m, \frac12)$ is a p-value, $P(p \le \alpha) \le \alpha$."""
    for m in (0, 1, 2, 7, 12):
        truth, first, second = np.zeros((3, m + 3), dtype=int)
        first[m], second[m] = 1, 1  # one observation that both get wrong
        values = []
        for b in range(m + 1):
            first[:m], second[:m] = np.arange(m) < b, np.arange(m) >= b
            values.append(mcnemar_test(truth, first, second))
        masses = np.array(_binomial(m, 0.5))
        exact = [min(1.0, 2 * masses[max(b, m - b) :].sum()) for b in range(m + 1)]
        yield equal(f"p-values for m = {m}", values, exact, rounding(2 * m + 1))
        size = max(masses[np.array(values) <= a].sum() - a for a in values)
        yield at_most("largest P(p <= a) - a", size, 0.0, rounding(4 * m + 4))


# ------------------------------------------------------------------- 4 Cross-validation
@statement("algorithm", "4", "Stone (1974)", false_alarm=1e-09)
def folds(k_folds, rng):
    """In $k$-fold cross-validation every observation is tested exactly once, never by its own training set,
    the folds differ in size by at most one, and they are drawn at random."""
    for n, k in ((2, 2), (10, 3), (43, 10)):
        parts = _folds(k_folds(n, k, rng=rng))
        tested = sorted(i for _, test in parts for i in test.tolist())
        yield equal("test observations of all folds, sorted", tested, np.arange(n))
        sizes = [len(test) for _, test in parts] or [0]
        yield equal("number of folds", len(parts), k)
        yield at_most("largest fold minus smallest", max(sizes) - min(sizes), 1)
        whole = [np.array_equal(np.sort(np.append(a, b)), np.arange(n)) for a, b in parts]
        yield equal("folds that are partitions", sum(whole), k)
        if sum(whole) != k:
            return
    labels = rng.permutation(np.repeat(np.arange(4), (7, 9, 12, 15)))
    counts = [_counts(labels[test]) for _, test in _folds(k_folds(43, 10, rng=rng, stratify=labels))]
    spread = np.ptp(counts, axis=0) if counts else []
    yield at_most("of each class, stratified: largest number in a fold minus smallest", spread, 1)
    draws = 2000
    drawn = [_folds(k_folds(6, 3, rng=rng)) for _ in range(draws)]
    together = np.mean([any({0, 1} <= set(test.tolist()) for _, test in parts) for parts in drawn])
    yield equal("how often 0 and 1 are in one fold", together, 0.2, bernstein(draws, 0.16, 1e-9))


@statement("theorem", "4", "Luntz and Brailovsky (1969)", given=("MemorisingClassifier",))
def leave_one_out(cross_validate, leave_one_out, MemorisingClassifier, rng):
    r"""The leave-one-out error on $n$ observations is an unbiased estimate of the risk of the classifier
    fitted to $n - 1$: $E\,\mathrm{LOO}_n = E\,R(D_{n-1})$. With $k$ folds, $k$ a divisor of $n$:
    $E\,\mathrm{CV} = E\,R(D_{n - n/k})$."""
    distribution = random_finite_distribution(rng, 2, 2, denominator=64)
    joint = distribution.joint

    def expected(n, folds):
        """Return n times the expectation of the cross-validation error on n observations."""
        total = Fraction(0)
        for mass, x, y in _samples(distribution, n):
            error = cross_validate(MemorisingClassifier(), x[:, None], y, folds).error
            total += mass * Fraction(error * n).limit_denominator(10**6)  # an integer, but for rounding
        return total

    folds = _folds(leave_one_out(3))
    tests, trains = ([i for fold in folds for i in fold[side].tolist()] for side in (1, 0))
    yield equal("test observations, fold by fold", tests, [0, 1, 2])
    yield equal("training observations, fold by fold", trains, [1, 2, 0, 2, 0, 1])
    if (tests, trains) != ([0, 1, 2], [1, 2, 0, 2, 0, 1]):
        return
    truth = Fraction(0)
    for mass, x, y in _samples(distribution, 2):
        rule = MemorisingClassifier().fit(x[:, None], y).predict(np.array([[0], [1]]))
        truth += mass * sum(joint[a][k] for a in range(2) for k in range(2) if k != rule[a])
    yield equal("3 E LOO over 64 samples, and 3 E R over 16", expected(3, folds), 3 * truth, joint=joint)
    halves = [(np.array([2, 3]), np.array([0, 1])), (np.array([0, 1]), np.array([2, 3]))]
    yield equal("two folds: 4 E CV over 256 samples, and 4 E R(D_2)", expected(4, halves), 4 * truth)


@statement("algorithm", "4", "Breiman, Friedman, Olshen and Stone (1984), 3.4.3")
def one_standard_error(select_by_cross_validation):
    r"""The one-standard-error rule takes the simplest method whose cross-validation error is at most the
    smallest one plus its standard error, $s/\sqrt k$ over the fold errors."""
    i = np.arange(20)
    folds = [(np.setdiff1d(i, test), test) for test in i.reshape(4, 5)]
    for wrong, best, simplest in (((9, 4, 3), 2, 1), ((7, 3, 3), 1, 1), ((6, 6, 3), 2, 0)):
        models = [_ErrsBelow(w) for w in wrong]
        choice = select_by_cross_validation(models, i[:, None] * 1.0, i % 2, folds)
        yield equal(f"best of methods with {wrong} errors", choice.best, best)
        yield equal("simplest within one standard error", choice.simplest, simplest)
        errors = [[min(max(w - start, 0), 5) / 5 for start in (0, 5, 10, 15)] for w in wrong]
        stated = [result.standard_error for result in choice.results]
        yield equal("standard errors", stated, np.std(errors, axis=1, ddof=1) / 2, rounding(8))


class _ErrsBelow:
    """Knows the labels 0, 1, 0, 1, ... of the observations 0, 1, 2, ... and errs on those below `wrong`."""

    def __init__(self, wrong):
        self.wrong = wrong

    def fit(self, X, y):
        return self

    def predict(self, X):
        parity = X[:, 0].astype(np.int64) % 2
        return np.where(X[:, 0] < self.wrong, 1 - parity, parity)


# ------------------------------------------------------------------- 5 Thresholds and the ROC curve
@statement("definition", "5", "Recitation 7, 2.2")
def threshold(apply_threshold, rng):
    r"""A probability becomes a prediction by a threshold, $\hat y = 1\{p(x) \ge t\}$. The number of positive
    predictions decreases in $t$; at $p(x) = t$ the prediction is 1."""
    p = rng.integers(0, 17, 50) / 16
    predicted = np.array([apply_threshold(p, t / 16) for t in range(18)])
    truth = (16 * p >= np.arange(18)[:, None]) * 1.0
    yield equal("predictions at t = 0, 1/16, ..., 17/16", predicted, truth, p=p)
    yield at_most("increases with t", np.diff(predicted.sum(axis=1)), 0)
    yield equal("prediction at p = t = 1/2", apply_threshold(np.array([0.5]), 0.5), [1])


@statement("homework", "5", "Recitation 7, 2.2")
def threshold_question(choose_threshold, roc_curve, rng):
    r"""Raising $t$ lowers the false positive rate and raises the false negative rate. If $p(x) = \eta(x)$ and
    errors cost $c_{FP}$, $c_{FN}$, then $t = c_{FP}/(c_{FP} + c_{FN})$ has the smallest cost."""
    fixed = [[3, 1], [1, 3], [2, 2], [7, 1], [1, 7], [5, 3], [3, 5]]  # eta from 1/8 to 7/8
    counts = np.vstack([fixed, rng.integers(1, 9, (4, 2), dtype=np.intp)])  # labels 0 and 1 at each point
    y = np.concatenate([np.repeat([0, 1], pair) for pair in counts])
    total = counts.sum(axis=1)
    eta = np.repeat(counts[:, 1] / total, total)
    curve = roc_curve(y, eta)
    yield equal("number of thresholds", len(curve.thresholds), len(np.unique(eta)) + 1)
    yield at_most("steps of the threshold along the curve", np.diff(curve.thresholds[1:]), 0.0)
    yield at_least("steps of the false positive rate as t falls", np.diff(curve.false_positive_rate), 0.0)
    yield at_most("steps of the false negative rate as t falls", np.diff(1 - curve.true_positive_rate), 0.0)
    for fp, fn in ((1, 1), (1, 4), (3, 1), (7, 2), (0, 1)):
        costs = {"false_positive": float(fp), "false_negative": float(fn)} if fp != fn else {}
        chosen = choose_threshold(y, eta, **costs)
        positive = [Fraction(int(one), int(zero + one)) >= Fraction(fp, fp + fn) for zero, one in counts]
        smallest = int(np.where(positive, fp * counts[:, 0], fn * counts[:, 1]).sum())
        cost, slack = chosen.cost * len(y), rounding(8, smallest)
        yield equal(f"smallest cost, c = ({fp}, {fn})", cost, smallest, slack, counts=counts)
        predicted = eta >= chosen.threshold
        spent = fp * int((predicted & (y == 0)).sum()) + fn * int((~predicted & (y == 1)).sum())
        yield equal("cost of the returned threshold", spent, smallest)


@statement("theorem", "5", "Hanley and McNeil (1982)")
def roc_area(roc_curve, rng):
    r"""The area under the ROC curve is the probability that a random positive observation scores higher than
    a random negative one, ties counted one half: $P(S_+ > S_-) + \frac12 P(S_+ = S_-)$."""
    fixed = [([0, 1, 0, 1], [3, 3, 3, 3]), ([0, 1, 1, 0], [2, 4, 6, 3]), ([0, 0, 1, 1], [1, 3, 2, 2])]
    drawn = [(np.append(rng.integers(0, 2, 30), [0, 1]), rng.integers(0, m, 32)) for m in (2, 5, 1000)]
    for labels, values in (*fixed, *drawn):
        y, score = np.array(labels), np.array(values) / 2
        plus, minus = score[y == 1][:, None], score[y == 0]
        pairs = float((plus > minus).sum() + 0.5 * (plus == minus).sum())
        area = roc_curve(y, score).area * plus.size * minus.size
        yield equal("area times pairs", area, pairs, rounding(4, plus.size * minus.size), y=y, score=score)


@statement("definition", "5")
def roc_points(roc_curve, rng):
    """The ROC curve has a point (false positive rate, true positive rate) for every threshold, from $(0, 0)$
    to $(1, 1)$; observations of equal score enter together."""
    y, score = np.append(rng.integers(0, 2, 30), [0, 1]), rng.integers(0, 6, 32) / 4
    levels, curve = np.unique(score)[::-1], roc_curve(y, score)
    predicted = score >= np.append(np.inf, levels)[:, None]
    yield equal("thresholds after the first", curve.thresholds[1:], levels, y=y, score=score)
    yield at_least("first threshold against the largest score", curve.thresholds[0], levels[0] + 2.0**-40)
    for what, rate, k in (("false", curve.false_positive_rate, 0), ("true", curve.true_positive_rate, 1)):
        yield equal(f"{what} positive rates", rate, predicted[:, y == k].mean(axis=1), rounding(32))


# ------------------------------------------------------------------- 6 Is a probability a probability?
@statement("theorem", "6", "Brier (1950)", "Good (1952)")
def proper_scores(brier_score, log_loss):
    r"""Brier score and log loss are proper: if the proportion $\eta$ of the observations is positive, the
    forecast $\eta$ has the smallest expected score, $\eta(1 - \eta)$ and the entropy."""
    ones, p = np.array([1, 4, 7, 13]), np.arange(1, 16) / 16
    eta = ones / 16
    entropy = -eta * np.log(eta) - (1 - eta) * np.log(1 - eta)
    scores = {"Brier score": (brier_score, eta * (1 - eta)), "log loss": (log_loss, entropy)}
    for name, (score, smallest) in scores.items():
        table = np.array([[score(1 * (np.arange(16) < m), np.full(16, q)) for q in p] for m in ones])
        yield equal(f"forecasts of smallest {name}", p[table.argmin(axis=1)], eta)
        yield equal(f"smallest {name}", table.min(axis=1), smallest, rounding(16, 4))
        sure = score(np.array([0, 1, 1]), np.array([0.0, 1.0, 1.0]))
        yield equal(f"{name} of what is sure and right", sure, 0.0)
    y = np.array([0, 1])
    refused = [refuses(log_loss, y, np.array(p)) for p in ([0.5, 0.0], [1.0, 0.5])]
    yield equal("log loss, infinite where what had probability 0 happens, is refused", refused, True)


@statement("theorem", "6", "Murphy (1973)")
def calibration(calibration_curve, rng):
    r"""Grouped by forecast, the Brier score is reliability $-$ resolution $+$ uncertainty: $\sum_g
    \frac{n_g}{n}(p_g - \bar y_g)^2 - \sum_g \frac{n_g}{n}(\bar y_g - \bar y)^2 + \bar y(1 - \bar y)$."""
    eighths = np.append(rng.integers(0, 8, 63), 8)  # the last forecast comes once
    y = np.append(rng.integers(0, 2, 62), [0, 1])
    levels, sizes = np.unique(eighths, return_counts=True)
    forecast = np.array([Fraction(g, 8) for g in levels.tolist()])
    hits = (eighths == levels[:, None]) @ y
    observed = np.array([Fraction(*pair) for pair in zip(hits.tolist(), sizes.tolist(), strict=True)])
    overall = Fraction(int(y.sum()), 64)
    truth = {
        "reliability": (sizes * (forecast - observed) ** 2).sum() / 64,
        "resolution": (sizes * (observed - overall) ** 2).sum() / 64,
        "uncertainty": overall * (1 - overall),
    }
    reliability, resolution, uncertainty = truth.values()
    brier = Fraction(int(((eighths - 8 * y) ** 2).sum()), 64 * 64)
    yield equal("Murphy's identity, exactly", reliability - resolution + uncertainty, brier)
    curve = calibration_curve(y, eighths / 8)
    for name, part in truth.items():
        yield equal(name, getattr(curve, name), float(part), rounding(64))


@hard_cases(calibration)
def bins_of_forecasts(calibration_curve, rng):
    """Bins are closed on the left, the last one on both sides, and empty ones are left out."""
    eighths = np.append(rng.integers(0, 8, 63), 8)
    y = np.append(rng.integers(0, 2, 62), [0, 1])
    for n_bins in (None, 1, 4, 16):  # of the last every second one is empty
        bins = eighths if n_bins is None else np.minimum(eighths * n_bins // 8, n_bins - 1)
        curve, members = calibration_curve(y, eighths / 8, n_bins=n_bins), bins == np.unique(bins)[:, None]
        sizes = members.sum(axis=1)
        p, observed = members @ eighths / 8 / sizes, members @ y / sizes
        yield equal(f"observations in each bin that is not empty, n_bins = {n_bins}", curve.count, sizes)
        yield equal("their mean forecasts", curve.forecast, p, rounding(64))
        yield equal("their observed frequencies", curve.observed, observed, rounding(64), y=y)
        yield equal("mean distance of the two", curve.error, sizes @ abs(p - observed) / 64, rounding(64))


# ------------------------------------------------------------------- 7 What the notes got wrong
# fmt: off
erratum_t1 = memorise.corrects("t1", "wrong", "7 deeper", "Chapter 10, 10.1.1", r"""
    Printed: It is always possible to attain an error rate of 0 by memorising the data set.
    Right: Iff no feature vector comes with two labels. In general the smallest error rate is $\frac1n \sum_x
    (n_x - \max_k n_{xk})$.""")
erratum_t3 = misprint("evaluation.t3", "7 deeper", "Chapter 10, 10.1.1, training and test error", """
    Printed: $D(X_{train}, i)$, $Y_{train}, i$; the last test vector is $X_{test, n_{train}}$.
    Right: $D(X_{train, i})$, $Y_{train, i}$; the last test vector is $X_{test, n_{test}}$.""")
