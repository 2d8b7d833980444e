"""The statements on ensembles as executable claims, in the order of the lecture.

Expectations over training sets and bootstrap samples are exact: all of them are enumerated, in fractions.
AdaBoost is checked by replaying it: the classifiers' predictions on the training set give all weights and
errors.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np

from mlnotes import tree
from mlnotes.checking import at_least, at_most, correction, equal, hard_cases, hoeffding, rounding, statement
from mlnotes.checking.outputs import as_numbers, quiet_fit, quietly, refuses, scalar
from mlnotes.estimators.tree import DecisionTreeClassifier

OUTPUTS = {
    "AdaBoostClassifier.decision_function": "(n,)", "AdaBoostClassifier.predict": "(n,) any",
    "BaggingClassifier.predict": "(n,) any", "RandomForestClassifier.predict": "(n,) any",
    "adaboost_update": "(n,)", "adaboost_weight": "number", "bootstrap_rows": "(n,)",
    "class_scores": "(n, K)", "majority_vote": "(n,)", "out_of_bag_probability": "number",
    "out_of_bag_votes": "(n, K)", "training_bound": "number", "variance_of_average": "number",
}  # fmt: skip

# ------------------------------------------------------------------- instances and the truth about them

# Training sets of two numbers, each 1 with probability 3/4; a classifier predicts 1 if its two draws
# contain a 1.
_SETS = {z: Fraction(3 ** sum(z), 16) for z in itertools.product((0, 1), repeat=2)}


def _outcomes(z):
    """Return what a classifier predicts, for each of the four samples."""
    return [max(sample) for sample in itertools.product(z, repeat=2)]


def _mean(values):
    values = list(values)
    return Fraction(sum(values)) / len(values)


def _given(z):
    """Return E[f | Z = z] of a bagged classifier."""
    return _mean(_outcomes(z))


def _predictions(z, B):
    """Return what B classifiers of one training set predict, in all cases, which are equally likely."""
    return list(itertools.product(_outcomes(z), repeat=B))


def _expectation(value):
    """Return the mean of value(z) over the training sets z."""
    return sum(p * value(z) for z, p in _SETS.items())


def _moments():
    """Return mean and variance of a classifier, and the covariance of two of one training set."""
    mean = _expectation(_given)
    return mean, mean - mean**2, _expectation(lambda z: _given(z) ** 2) - mean**2


def _labelled(rng, n=40, d=3):
    """Return distinct values and labels -1, 1 that no stump gets right."""
    X = np.column_stack([rng.permutation(n) for _ in range(d)]).astype(np.float64)
    y = np.where((X[:, 0] > n / 4) & (X[:, 0] < 3 * n / 4), 1, -1)
    flipped = rng.choice(n, n // 8, replace=False)
    y[flipped] *= -1
    return X, y


def _votes(trees, X):
    """Return the class, 0 to K - 1, that each tree predicts for each observation, shape (B, n)."""
    return np.array([tree.predict(one, X) for one in trees])


def _hits(codes, K):
    """Return which of K classes is predicted, shape (M, n, K)."""
    return codes[..., None] == np.arange(K)


def _codes(rounds, X):
    """Return what the classifiers of the rounds predict, shape (M, n)."""
    return np.array([as_numbers(one.classifier.predict(X), len(X)) for one in rounds])


def _signs(rounds, X):
    """Return the same as -1 and 1; classifiers may predict 0 and 1 as well."""
    codes = _codes(rounds, X)
    return np.where(codes == 0, -1.0, codes)


def _alphas(rounds):
    return np.array([scalar(one.alpha) for one in rounds])


def _replay(predictions, y, K=2):
    """Yield err and alpha of each round, and the weights before and after it, from predictions alone."""
    w = np.full(len(y), 1 / len(y))
    for row in predictions:
        before, wrong = w, row != y
        err = w[wrong].sum()
        odds = (K - 1) * (1 - err) / err
        w = np.where(wrong, w * odds, w)
        w = w / w.sum()
        yield err, math.log(odds), before, w


def _best_stump(X, y, w):
    """Return (err, feature, threshold) of the first stump of smallest error, where majorities predict."""
    W = (y[:, None] == np.unique(y)) * w[:, None]
    stumps: list[tuple[float, int, float]] = []
    for j, x in enumerate(X.T):
        values = np.unique(x)
        thresholds = (values[:-1] + values[1:]) / 2
        left = x <= thresholds[:, None]
        errors = w.sum() - (left @ W).max(axis=1) - (~left @ W).max(axis=1)
        stumps += zip(errors, itertools.repeat(j), thresholds)
    smallest = min(stumps)[0]
    return next(stump for stump in stumps if stump[0] <= smallest + 2.0**-40)


def _is_adaboost(rounds, X, y, K=2):
    """Compare error, alpha, weights and stump of each round with what the predictions imply."""
    predictions = _codes(rounds, X)
    errors, alphas, before, after = zip(*_replay(predictions, y, K), strict=True)
    slack = rounding(10 * len(y), 1 / max(min(errors), 1e-3))
    yield equal(f"err, {K} classes", [scalar(one.error) for one in rounds], errors, slack, X=X, y=y)
    yield equal(f"alpha, {K} classes", _alphas(rounds), alphas, slack)
    yield equal(f"weights after the round, {K} classes", [one.weights for one in rounds], after, slack)
    smallest = [_best_stump(X, y, w)[0] for w in before]
    yield equal(f"err against the smallest of all stumps, {K} classes", errors, smallest, slack)


_XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
_XOR_LABELS = np.array([-1, 1, 1, -1])
_LINE = np.arange(4.0)[:, None]
_LINE_LABELS = np.array([-1, 1, 1, -1])


# ------------------------------------------------------------------- 1 Bootstrap and vote
@statement("algorithm", "1", "Yan, bagging", false_alarm=1e-09)
def bagging_bootstrap(bootstrap_rows, out_of_bag_probability, rng):
    """A bootstrap sample is $n$ independent draws, with replacement, each example equally likely. An example
    is in none of them with probability $(1 - 1/n)^n$."""
    n, calls = 5, 4000
    draws = np.array([bootstrap_rows(n, rng) for _ in range(calls)])
    slack = hoeffding(calls, 1e-9 / 7)  # 7 frequencies: of independent calls, so of independent indicators
    frequencies = np.array([(draws[:, 0] == i).mean() for i in range(n)])
    yield equal("first draws of each example", frequencies, np.full(n, 1 / n), slack)
    yield equal("draws that are row numbers", int(np.isin(draws, range(n)).sum()), n * calls)
    yield equal("first and last draw equal", (draws[:, 0] == draws[:, -1]).mean(), 1 / n, slack)
    yield equal("samples without example 0", (draws != 0).all(axis=1).mean(), (1 - 1 / n) ** n, slack)
    sizes = np.array([1, 2, 5, 100])
    values = [out_of_bag_probability(int(m)) for m in sizes]
    yield equal("the formula, n = 1, 2, 5, 100", values, (1 - 1 / sizes) ** sizes, rounding(100))


@hard_cases(bagging_bootstrap)
def one_example(bootstrap_rows, rng):
    yield equal("the only example", bootstrap_rows(1, rng), [0.0])


@statement("formula", "1", "Yan, bagging")
def bagging_vote(majority_vote, BaggingClassifier, rng):
    r"""$\hat f^{\text{bagging}}(x) = \arg\max_k\sum_{b=1}^B1\{\hat f_b(x) = k\}$; if several classes have
    the most votes, the first of them wins. With $B = 1$ it is the single tree."""
    votes = np.column_stack([[0, 0, 1, 2, 2, 1], [0, 0, 0, 1, 2, 2], rng.integers(0, 3, (6, 20))])
    winners = _hits(votes, 3).sum(axis=0).argmax(axis=1)
    yield equal("winners", majority_vote(votes), winners, votes=votes)
    X, y = _labelled(rng)
    three = np.where(np.arange(40) < 20, 9, 4 + y)  # labels 3, 5 and 9
    for B in (1, 8):
        model = BaggingClassifier(n_estimators=B, random_state=rng.integers(10**6)).fit(X, three)
        counts = _hits(_votes(model.trees_, X), 3).sum(axis=0)
        winners = np.array([3, 5, 9])[counts.argmax(axis=1)]
        yield equal(f"predictions of {B} trees", model.predict(X), winners, X=X, y=three)


@hard_cases(bagging_vote, estimators_only="The reference module predicts classes, not probabilities.")
def probabilities_of_a_vote(BaggingClassifier, rng):
    X, y = _labelled(rng)
    model = BaggingClassifier(n_estimators=8, random_state=rng.integers(10**6)).fit(X, y)
    counts = _hits(_votes(model.trees_, X), 2).sum(axis=0)
    yield equal("proportions of the votes", model.predict_proba(X), counts / 8, X=X, y=y)


@statement("formula", "1", "Breiman, 1996")
def out_of_bag(bagging, out_of_bag_votes, rng):
    """Out of bag an example is judged by the votes of those trees that were grown without it."""
    n, B = 14, 9
    X = np.column_stack([rng.permutation(n), rng.permutation(n)]).astype(np.float64)
    y = X[:, 0].astype(int) // 2  # two examples a class: a tree knows the examples that it has seen
    trees, samples = zip(*bagging(X, y, list(rng.integers(10**6, size=B))), strict=True)
    unseen = np.array([~np.isin(np.arange(n), rows) for rows in samples])
    truth = (_hits(_votes(trees, X), n // 2) & unseen[..., None]).sum(axis=0)
    yield equal(
        "votes of the trees that have not seen it", out_of_bag_votes(trees, samples, X, n // 2), truth
    )
    right = (_votes(trees, X) == y) | unseen
    yield equal("predictions of a tree for what it has seen", right.sum(), n * B)


@hard_cases(out_of_bag, estimators_only="The reference module counts votes and computes no score.")
def out_of_bag_score(BaggingClassifier, RandomForestClassifier, rng):
    """The proportion of right votes among the examples with at least one judge, 0 if there is none."""
    n, seed = 14, rng.integers(10**6)
    X = np.column_stack([rng.permutation(n), rng.permutation(n)]).astype(np.float64)
    y = X[:, 0].astype(int) // 2
    for name, method in (("bagging", BaggingClassifier), ("forest", RandomForestClassifier)):
        model = method().fit(X[:2], [0, 1])
        yield equal(f"{name}: a score without oob_score=True", hasattr(model, "oob_score_"), False)
        yield equal(f"{name}: trees by default", len(model.trees_), 100)
        model = quietly(method(n_estimators=3, oob_score=True).fit, X[:1], [0])
        found = [model.oob_score_, model.oob_decision_function_[0, 0]]
        yield equal(f"{name}: the only example, which all trees have seen", found, [0.0, 0.0])
        model = quietly(method(n_estimators=9, oob_score=True, random_state=seed).fit, X, y)
        unseen = np.array([~np.isin(np.arange(n), rows) for rows in model.samples_])
        votes = (_hits(_votes(model.trees_, X), n // 2) & unseen[..., None]).sum(axis=0)
        total = votes.sum(axis=1)
        truth = votes / np.maximum(total, 1)[:, None]
        yield equal(f"{name}: proportions of the votes", model.oob_decision_function_, truth, 1e-15)
        right = (votes.argmax(axis=1) == y)[total > 0].mean()
        yield equal(f"{name}: score", model.oob_score_, right, 1e-15)


# ------------------------------------------------------------------- 2 Variance and bias
@statement("claim", "2", "Yan, insights on bagging", false_alarm=1e-09)
def bagging_identical(bagging, rng, *, B=1000):
    r"""Bagged trees are identically distributed and in general not independent: given the training set $Z$
    they are independent, so that $\operatorname{Cov}(f_1, f_2) = \operatorname{Var}(E[f \mid Z]) \ge 0$.
    Given two examples, 0 of one class and 1 of the other, each of «B» trees predicts 1 at 0 with probability
    $\frac14$, and agrees with the one before it with probability $\frac58$."""
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    trees, _ = zip(*bagging(X, y, list(rng.integers(10**9, size=B))), strict=True)
    ones = _votes(trees, X) == 1
    slack = hoeffding(B // 2, 1e-9 / 5)
    frequencies = np.array([ones[b::2].mean(axis=0) for b in (0, 1)])
    truth = np.tile([1 / 4, 3 / 4], (2, 1))
    yield equal("trees that predict 1 at 0 and at 1, every second one", frequencies, truth, slack)
    yield equal("pairs that agree at 0", float((ones[::2, 0] == ones[1::2, 0]).mean()), 5 / 8, slack)
    mean, variance, covariance = _moments()
    products = {z: _mean(a * b for a, b in _predictions(z, 2)) for z in _SETS}
    pairs = _expectation(products.get)
    yield equal("covariance of two trees, all pairs of samples enumerated", pairs - mean**2, covariance)
    yield at_least("covariance", covariance, Fraction(1, 20))
    yield at_most("covariance against the variance", covariance, variance - Fraction(1, 20))
    means = [_given(z) ** 2 for z in _SETS]
    yield equal("the same given Z: product of the means", list(products.values()), means)


@statement("claim", "2 deeper", "Yan, insights on bagging")
def bagging_bias(majority_vote):
    r"""The *average* of bagged classifiers has the expectation of one of them, trained on a *bootstrap
    sample*. It is not that of the method on the training set, and not that of the majority vote: in an
    example these are $\frac{27}{32}$, $\frac{30}{32}$ and, for three votes, $\frac{225}{256}$."""
    average = _expectation(lambda z: _mean(map(_mean, _predictions(z, 3))))
    vote = _expectation(lambda z: Fraction(majority_vote(np.transpose(_predictions(z, 3))).mean()))
    yield equal("expectation of one", _expectation(_given), Fraction(27, 32))
    yield equal("of the average of three", average, Fraction(27, 32))
    yield equal("of the method on the training set", _expectation(max), Fraction(30, 32))
    yield equal("of the vote of three", vote, Fraction(225, 256))


@statement("formula", "2", "Yan, insights on bagging")
def bagging_var_formula(variance_of_average):
    r"""The average of $B$ variables with variance $\sigma^2$ and one common correlation $\rho$ has the
    variance $\rho\sigma^2 + \frac{1 - \rho}B\sigma^2$. For bagged trees, $\rho\sigma^2 =
    \operatorname{Var}(E[f \mid Z])$."""
    cases = list(itertools.product((0.5, 4.0), (0.0, 0.25, 1.0), (1, 2, 5)))
    matrices = [variance * (rho + (1 - rho) * np.eye(B)) for variance, rho, B in cases]
    values = [variance_of_average(*case) for case in cases]
    yield equal("against 1'C1 / B^2", values, [C.mean() for C in matrices], rounding(8, 8))
    mean, variance, covariance = _moments()
    square = _expectation(lambda z: _mean(_mean(triple) ** 2 for triple in _predictions(z, 3)))
    value = variance_of_average(float(variance), float(covariance / variance), 3)
    yield equal("three classifiers, all samples enumerated", value, float(square - mean**2), rounding(8))


@statement("claim", "2", "Yan, insights on bagging")
def bagging_variance_reduction(variance_of_average):
    r"""Averaging never increases the variance: $\rho\sigma^2 + \frac{1 - \rho}B\sigma^2 \le \sigma^2$, with
    equality only for $B = 1$ or $\rho = 1$ (or $\sigma = 0$)."""
    rhos = np.array([0.0, 0.3, 0.9])
    gone = [1 - variance_of_average(4.0, rho, 7) / 4 for rho in rhos]
    yield equal("fraction of the variance that is gone, B = 7", gone, (1 - rhos) * 6 / 7, rounding(8))
    ends = [variance_of_average(4.0, *pair) for pair in ((0.3, 1), (-1.0, 1), (1.0, 7))]
    yield equal("a single classifier, and equal ones", ends, [4.0] * 3, rounding(8, 4))


@statement("claim", "2", "Yan, insights on bagging")
def bagging_B_limit(variance_of_average):
    r"""More classifiers reduce the second term only: the variance decreases with $B$ to $\rho\sigma^2 =
    \operatorname{Var}(E[f \mid Z])$."""
    _, variance, covariance = _moments()
    v, rho = float(variance), float(covariance / variance)
    values = np.array([variance_of_average(v, rho, 10**k) for k in range(10)])
    yield at_most("steps from B to 10 B", np.diff(values), 0.0, rounding(4))
    yield equal("at B = 10^9, against Var E[f | Z]", values[-1], float(covariance), 2e-9)
    rest = (values[:4] - float(covariance)) * 10.0 ** np.arange(4)
    yield equal("B times the rest", rest, np.full(4, v * (1 - rho)), rounding(10**4))


@statement("formula", "2 deeper", "Searle, Casella and McCulloch, 1992, chapter 3")
def variance_parts(variance_parts):
    r"""From $B$ classifiers on each of $r$ training sets both parts can be estimated without bias: the mean
    variance within the sets estimates $E\operatorname{Var}(f \mid Z)$, and the variance of the set means,
    minus the former over $B$, estimates $\operatorname{Var}E[f \mid Z]$."""
    _, variance, covariance = _moments()
    pairs = list(itertools.product((0, 1), repeat=2))  # predictions of two classifiers of one training set
    chances = [
        _expectation(lambda z, pair=pair: Fraction(_predictions(z, 2).count(pair), 16)) for pair in pairs
    ]
    between, inside = 0.0, 0.0
    for (one, p), (other, q) in itertools.product(zip(pairs, chances, strict=True), repeat=2):
        if one[0] == one[1] == other[0] == other[1]:
            continue  # both parts are 0
        parts = variance_parts([one, other])
        between += float(p * q) * parts.between
        inside += float(p * q) * parts.within
    yield equal("mean of the estimates of Var E[f | Z]", between, float(covariance), rounding(4096))
    yield equal("mean of the estimates of E Var(f | Z)", inside, float(variance - covariance), rounding(4096))


@hard_cases(variance_parts)
def three_classifiers_and_points(variance_parts):
    parts = variance_parts([[0, 1, 2], [4, 5, 6]])  # three each: variances 1, of the means 8
    found = [parts.between, parts.within, parts.variance, parts.correlation]
    truth = [8 - 1 / 3, 1.0, 9 - 1 / 3, 23 / 26]
    yield equal("parts of 0, 1, 2 and 4, 5, 6, sum and correlation", found, truth, rounding(20, 8))
    three = variance_parts([[[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[4, 0, 0], [5, 0, 0], [6, 0, 0]]])
    found = [three.between, three.within]
    yield equal("means with two points where all agree", found, [23 / 9, 1 / 3], rounding(20, 8))


# ------------------------------------------------------------------- 3 Random forests
def _split_features(trees):
    """Return the features of the inner nodes of each tree, in preorder."""
    boxes = [sorted(one.values(), key=lambda node: bin(node.number)) for one in trees]
    return [[node.split.feature for node in nodes if node.split] for nodes in boxes]


def _thresholds(trees):
    boxes = [sorted(one.values(), key=lambda node: bin(node.number)) for one in trees]
    return [node.split.threshold for nodes in boxes for node in nodes if node.split]


@statement("algorithm", "3", "Yan, random forests", "Breiman, 2001", false_alarm=1e-09)
def forest_algorithm(random_forest, bagging, rng):
    """A random forest is bagging of trees that choose each split among $q$ features drawn anew at every
    node. With $q = d$ it is bagging, tree for tree; with $q = 1$ one tree still uses different features."""
    X, y = rng.random((120, 4)), rng.integers(0, 2, 120)
    y[:2], seeds = (0, 1), list(rng.integers(10**6, size=5))
    for n in (3, 120):
        full, _ = zip(*random_forest(X[:n], y[:n], seeds, 4), strict=True)
        bagged, _ = zip(*bagging(X[:n], y[:n], seeds), strict=True)
        features = [list(itertools.chain(*_split_features(trees))) for trees in (full, bagged)]
        yield equal(f"features of the nodes, q = d, {n} examples", *features)
        yield equal(f"thresholds of the nodes, q = d, {n} examples", _thresholds(full), _thresholds(bagged))
    thin, _ = zip(*random_forest(X, y, seeds, 1), strict=True)
    # at 20 inner nodes one and the same feature is drawn with probability 4^-19 < 2e-12: times 5 trees
    used = [len(set(features[:20])) for features in _split_features(thin) if len(features) >= 20]
    yield at_least("features used in each tree of 20 inner nodes or more, q = 1", used or [2], 2)
    right = (_votes(thin, X).mean(axis=0).round() == y).mean()
    yield at_least("training accuracy of the thin forest, whose trees are full", right, 0.8)


@hard_cases(forest_algorithm)
def votes_of_a_forest(RandomForestClassifier, rng):
    """The class with the most votes is predicted."""
    X, y = _labelled(rng, d=9)
    three = np.where(np.arange(40) < 20, 9, 4 + y)  # labels 3, 5 and 9
    forest = RandomForestClassifier(8).fit(X, three)
    counts = _hits(_votes(forest.trees_, X), 3).sum(axis=0)
    winners = np.array([3, 5, 9])[counts.argmax(axis=1)]
    yield equal("predictions of eight trees", forest.predict(X), winners, X=X, y=three)


@hard_cases(forest_algorithm, estimators_only="The trees of the reference module's forest have no limits.")
def limits_and_importances(RandomForestClassifier, rng):
    """The limits of a tree hold for each; the importance of a feature is the mean over the trees."""
    X, y, seed = rng.random((120, 4)), rng.integers(0, 2, 120), rng.integers(10**6)

    def forest(**options):
        return RandomForestClassifier(5, random_state=seed, **options).fit(X, y).model

    def nodes(model, name):
        return np.concatenate([getattr(one, name) for one in model.trees_])

    yield at_most("max_depth=3", nodes(forest(max_depth=3), "depth"), 3)
    yield at_least("min_samples_leaf=5", nodes(forest(min_samples_leaf=5), "n_rows"), 5)
    large = forest(min_samples_split=30)
    yield at_least("min_samples_split=30", nodes(large, "n_rows")[nodes(large, "feature") >= 0], 30)
    usual, pairs = nodes(forest(), "feature"), nodes(forest(max_features=2), "feature")
    yield equal("features of the nodes, q = 2 of 4 against the default, the root", usual, pairs)
    full = forest(max_features=4)
    truth = np.mean([_gini_importances(one, 4) for one in full.trees_], axis=0)
    yield equal("importances", full.feature_importances_, truth, rounding(2000), X=X, y=y)


def _gini_importances(one, d):
    """Return the fraction of the decrease of the Gini risk that is due to each feature."""
    n, value = np.sum(one.value, axis=1), np.asarray(one.value)
    R = n - (value**2).sum(axis=1) / n
    sums = np.bincount(one.feature + 1, R - R[one.left] - R[one.right], d + 1)[1:]  # without leaves
    return sums / sums.sum()


@statement("claim", "3 deeper", "Yan, random forests", false_alarm=1e-09)
def forest_decorrelate(random_forest, rng, *, both=0.3, one=0.15):
    """Drawing candidate features decorrelates the trees. With two possible training sets, in each of which
    another of two features is better, stumps that consider both ($q = 2$) have a correlation of at least
    «both», and stumps that consider one at random ($q = 1$) of at most «one». The variance of one stump is
    1/4 either way."""
    y, B = np.repeat([0, 1], 20), 600
    better, worse = y.copy(), y.copy()
    better[[0, 1, 20, 21]] ^= 1  # right on 36 of 40
    worse[[2, 3, 4, 5, 6, 22, 23, 24, 25, 26]] ^= 1  # right on 30
    point = np.array([[1.0, 0.0]])
    # Hoeffding: a mean of 600 stumps is within 0.138 of its expectation but for 2.5e-10, four for 1e-9. The
    # expectations, from 20,000 stumps each, are 0.50 and 0.50 (q = 1), 0.95 and 0.05 (q = 2), give or
    # take 0.02; so the correlations are at most (0.16 / 0.5)^2 = 0.11 and at least (0.29 / 0.5)^2 = 0.33.
    for q in (1, 2):
        means = []
        for columns in ((better, worse), (worse, better)):
            X, seeds = np.column_stack(columns).astype(np.float64), list(rng.integers(10**9, size=B))
            stumps, _ = zip(*random_forest(X, y, seeds, q, max_depth=1), strict=True)
            means.append(_votes(stumps, point).mean())
        mean = sum(means) / 2
        rho = ((means[0] - means[1]) / 2) ** 2 / (mean * (1 - mean))
        name = f"correlation of two stumps, q = {q}"
        yield at_most(name, rho, one) if q == 1 else at_least(name, rho, both)


# ------------------------------------------------------------------- 4 AdaBoost
@statement("definition", "4", "Yan, boosting")
def boosting_setup(AdaBoostClassifier, rng):
    r"""Boosting adds up weak classifiers, $\hat f(x) = \operatorname{sign}(\sum_m\alpha_mf_m(x))$ with
    predictions $f_m(x) = \pm1$; at 0 the library predicts $-1$."""
    X, y = _labelled(rng)
    model = AdaBoostClassifier(n_estimators=7).fit(X, y)
    F = _alphas(model.rounds_) @ _signs(model.rounds_, X)
    yield equal("scores against the weighted sum", model.decision_function(X), F, rounding(40, 20), X=X, y=y)
    clear = abs(F) > 1e-9
    yield equal("predictions", model.predict(X)[clear], np.sign(F)[clear], X=X, y=y)
    yield equal("rounds by default", len(AdaBoostClassifier().fit(X, y).rounds_), 50)


@hard_cases(boosting_setup)
def score_zero(AdaBoostClassifier):
    """On an XOR no stump is better than guessing."""
    guess = quietly(AdaBoostClassifier().fit, _XOR, _XOR_LABELS)
    yield equal("scores on an XOR", guess.decision_function(_XOR), np.zeros(4))
    yield equal("predictions at score 0", guess.predict(_XOR), -np.ones(4))


@hard_cases(boosting_setup, estimators_only="The reference module has neither probabilities nor stages.")
def probabilities_stages_and_other_classifiers(AdaBoostClassifier, rng):
    """As a probability F is 1/(1 + e^-F). An estimator is copied for each round, with a seed of its own."""
    X, y = _labelled(rng)
    model = AdaBoostClassifier(n_estimators=7).fit(X, y)
    stages = np.cumsum(_alphas(model.rounds_)[:, None] * _signs(model.rounds_, X), axis=0)
    truth = 1 / (1 + np.exp(-stages[-1]))
    yield equal("probabilities", model.predict_proba(X)[:, 1], truth, rounding(40, 20))
    scores, predicted = list(model.staged_decision_function(X)), list(model.staged_predict(X))
    yield equal("scores round by round", scores, stages, rounding(40, 20), X=X, y=y)
    clear = abs(stages) > 1e-9
    yield equal("predictions round by round", np.array(predicted)[clear], np.sign(stages)[clear])
    weak = DecisionTreeClassifier(max_depth=2, max_features=1)
    deep = AdaBoostClassifier(weak, n_estimators=8, random_state=0).fit(X, y)
    errors, alphas, _, _ = zip(*_replay(_signs(deep.rounds_, X), y), strict=True)
    yield equal("errors of trees of depth 2", deep.estimator_errors_, errors, rounding(400, 1000))
    yield equal("alpha of trees of depth 2", deep.estimator_weights_, alphas, rounding(400, 1000))
    yield equal(
        "their scores", deep.decision_function(X), alphas @ _signs(deep.rounds_, X), rounding(4000, 20)
    )
    yield equal("their seeds", len({one.random_state for one in deep.estimators_}), 8)
    yield equal("their depth", max(one.tree_.depth.max() for one in deep.estimators_), 2)


@statement("algorithm", "4", "Yan, AdaBoost", "Freund and Schapire, 1997")
def adaboost_algorithm(boost, rng):
    r"""AdaBoost: $w_i = \frac1n$; train $f_m$ with the weights; $\mathrm{err} =
    \sum_iw_i1\{f_m(x_i) \ne y_i\}$; $\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}}$; multiply the
    weights of the misclassified examples by $e^\alpha$ and normalise. On the labels $-, +, +, -$ of four
    points of a line err is $\frac14, \frac16, \frac15$ and $e^\alpha$ is 3, 5, 4."""
    rounds = list(itertools.islice(boost(_LINE, (_LINE_LABELS + 1) // 2, 2), 3))
    yield equal(
        "err on four points", [scalar(one.error) for one in rounds], [1 / 4, 1 / 6, 1 / 5], rounding(8)
    )
    yield equal("exp(alpha)", np.exp(_alphas(rounds)), [3.0, 5.0, 4.0], rounding(64, 5))
    X, y = _labelled(rng)
    rounds = list(itertools.islice(boost(X, (y + 1) // 2, 2), 10))
    yield equal("rounds", len(rounds), 10)
    yield from _is_adaboost(rounds, X, (y + 1) // 2)


@hard_cases(adaboost_algorithm)
def ties_and_constant_features(boost, rng):
    X, y = _labelled(rng)
    ties = X[:, [0, 0, 1]] // 4 * 4, np.column_stack([0 * y, X // 20, X[:, 0] // 2]), np.maximum(X, 1)
    rare = np.where((X[:, 0] < 8) | (X[:, 0] == 30), -1, 1)
    for columns, labels in ((X, rare), *((columns, y) for columns in ties)):
        codes = (labels + 1) // 2
        yield from _is_adaboost(list(itertools.islice(boost(columns, codes, 2), 10)), columns, codes)


@hard_cases(adaboost_algorithm, estimators_only="In the reference module the last bit decides between ties.")
def the_first_of_equally_good_stumps(AdaBoostClassifier, rng):
    """The first feature and the lowest threshold win."""
    X, y = _labelled(rng)
    ties = X[:, [0, 0, 1]] // 4 * 4, np.column_stack([0 * y, X // 20, X[:, 0] // 2]), np.maximum(X, 1)
    for columns, labels in ((_LINE, _LINE_LABELS), (X, y), *((columns, y) for columns in ties)):
        model = AdaBoostClassifier(n_estimators=10).fit(columns, labels)
        replay = _replay(_signs(model.rounds_, columns), labels)
        first = [_best_stump(columns, labels, w)[1:] for _, _, w, _ in replay]
        found = [(one.feature, one.threshold) for one in model.estimators_]
        yield equal("feature and threshold", found, first, X=columns, y=labels)


@statement("theorem", "4", "Yan, AdaBoost: insights")
def adaboost_reweighted_half(adaboost_weight, adaboost_update, rng):
    r"""If $0 < \mathrm{err}_m < 1$, then after the update $f_m$ has weighted error exactly $\frac12$: to beat
    guessing, the next classifier must be different."""
    halves = []
    for n_wrong in (1, 3, 5, 7):
        w, wrong = rng.integers(1, 9, 12).astype(float), np.arange(12) < n_wrong
        w[-1] = 0
        err = w[wrong].sum() / w.sum()
        alpha = adaboost_weight(float(err))
        after = adaboost_update(w / w.sum(), wrong, alpha)
        halves.append(after[wrong].sum() / after.sum())
    yield equal("weighted error after the update", halves, np.full(4, 0.5), rounding(60))
    yield equal("weights add up to", float(after.sum()), 1.0, rounding(24))


@statement("theorem", "4", "Yan, AdaBoost (behind it)", "Freund and Schapire, 1997, theorem 6")
def adaboost_exp_identity(AdaBoostClassifier, rng, *, n=40, d=3, most=12):
    r"""If $0 < \mathrm{err}_m < 1$ in every round, then $\frac1n\sum_ie^{-y_iF(x_i)/2} =
    \prod_m2\sqrt{\mathrm{err}_m(1 - \mathrm{err}_m)}$, and the training error is at most this."""
    X, y = _labelled(rng, n, d)
    products = []
    for M in dict.fromkeys(min(r, most) for r in (1, 2, 5, 12)):
        model = AdaBoostClassifier(n_estimators=M).fit(X, y)
        errors = np.array([err for err, *_ in _replay(_signs(model.rounds_, X), y)])
        F = model.decision_function(X)
        products.append(np.prod(2 * np.sqrt(errors * (1 - errors))))
        mean = float(np.exp(-y * F / 2).mean())
        yield equal(f"mean of exp(-yF/2), {M} rounds", mean, products[-1], 1e-10, X=X, y=y)
        wrong = float((model.predict(X) != y).mean())
        yield at_most(f"training error, {M} rounds", wrong, products[-1], 1e-10, X=X, y=y)
    # some stump errs on at most 10 of 40 and the 5 that were flipped: 2 sqrt(3/8 5/8) = 0.968
    yield at_most("product after one round", products[0], 0.97, X=X, y=y)


@statement("formula", "4", estimators_only="The reference module reports no certificate.")
def adaboost_certificate(AdaBoostClassifier, rng):
    r"""A fit reports its training error, the bound $\prod_m2\sqrt{\mathrm{err}_m(1 - \mathrm{err}_m)}$, the
    mean of $e^{-y_iF(x_i)/2}$ over the training set, the number of its rounds, and for an example its margin
    $yF(x)/\sum_m|\alpha_m|$."""
    X, y = _labelled(rng)
    for M in (1, 8):
        model = AdaBoostClassifier(n_estimators=M).fit(X, y)
        yield from _is_certified(model, X, y, f"{M} rounds")


def _is_certified(model, X, y, what):
    signs = _signs(model.rounds_, X)
    errors, alphas = (np.array(column) for column in list(zip(*_replay(signs, y), strict=True))[:2])
    F = alphas @ signs
    truth = {
        "training_error": (model.predict(X) != y).mean(),
        "bound": math.prod(2 * math.sqrt(e * (1 - e)) for e in errors),
        "exponential_loss": np.exp(-y * F / 2).mean(),
        "n_rounds": len(errors),
    }
    yield equal(f"margins, {what}", model.margins(X, y), y * F / abs(alphas).sum(), 1e-10, X=X)
    for name, value in truth.items():
        yield equal(f"{name}, {what}", scalar(model.certificate_[name]), value, 1e-10, X=X)


@hard_cases(adaboost_certificate)
def weights_one_class_and_guesses(AdaBoostClassifier, rng):
    """An example of weight k counts as k examples. With one class the bound is 0, without a vote it is 1."""
    X, y = _labelled(rng)
    counts = rng.integers(0, 4, 40, dtype=np.intp)
    weighted = AdaBoostClassifier(n_estimators=8).fit(X, y, sample_weight=counts)
    copies = np.repeat(X, counts, axis=0), np.repeat(y, counts)
    same = AdaBoostClassifier(n_estimators=8).fit(*copies)
    yield equal(
        "scores by weights and by copies", weighted.decision_function(X), same.decision_function(X), 1e-10
    )
    names = ("training_error", "bound", "exponential_loss", "n_rounds")
    reported, truth = ([scalar(m.certificate_[name]) for name in names] for m in (weighted, same))
    yield equal("certificate by weights and by copies", reported, truth, 1e-10)
    one = AdaBoostClassifier().fit(_LINE, np.ones(4))
    yield equal("bound of one class", scalar(one.certificate_["bound"]), 0.0)
    guess = quietly(AdaBoostClassifier().fit, _XOR, _XOR_LABELS)
    found = [scalar(guess.certificate_[name]) for name in names]
    yield equal("error, bound, exponential loss and rounds on an XOR", found, [1 / 2, 1.0, 1.0, 1.0])
    yield equal("margins on an XOR", guess.margins(_XOR, _XOR_LABELS), np.zeros(4))


@statement("theorem", "4", "Freund and Schapire, 1997, theorem 6")
def training_bound(training_bound, rng):
    r"""$\prod_m2\sqrt{\mathrm{err}_m(1 - \mathrm{err}_m)} \le e^{-2\sum_m(1/2 - \mathrm{err}_m)^2}$: if every
    weak error is at most $\frac12 - \gamma$, the training error is at most $e^{-2\gamma^2M}$ after $M$
    rounds."""
    errors = rng.integers(1, 100, (20, 6)) / 100
    errors[0], errors[1] = 0.5, [0.01, 0.5, 0.5, 0.5, 0.5, 0.5]
    bounds = np.array([training_bound(row) for row in errors])
    squares = (4 * errors * (1 - errors)).prod(axis=1)
    yield equal("square against the product", bounds**2, squares, rounding(30))
    weaker = np.exp(-2 * ((0.5 - errors) ** 2).sum(axis=1))
    yield at_most("against the exponential", bounds, weaker, rounding(30))


@statement("claim", "4", "Yan, AdaBoost: insights")
def adaboost_inflate(adaboost_weight, adaboost_update):
    r"""With $\mathrm{err} < \frac12$ the weights of the misclassified examples are multiplied by $e^\alpha >
    1$ and the others unchanged, *before* normalisation; after it a weight of $\frac14$ of a correctly
    classified example is $\frac16$ (err $= \frac14$). With $\mathrm{err} = \frac34$ the weights of the
    misclassified examples shrink."""
    quarter = np.full(4, 0.25)
    half, sixth = 1 / 2, 1 / 6
    for n_wrong, truth in ((1, [half, *[sixth] * 3]), (2, quarter), (3, [*[sixth] * 3, half])):
        err = n_wrong / 4
        w = adaboost_update(quarter, np.arange(4) < n_wrong, adaboost_weight(err))
        yield equal(f"weights after err = {err:g}", w, truth, rounding(16))
        yield equal(
            "misclassified against correct: exp(alpha)", w[0] / w[3], (1 - err) / err, rounding(32, 4)
        )


def _fixed(predictions):
    """Return a weak classifier with these predictions."""
    return SimpleNamespace(predict=lambda X: predictions)


def _trained(boost, *classifiers):
    """Return the rounds on eight examples, four of each class, with these classifiers one after another."""
    weak = iter(classifiers)
    return list(boost(np.zeros((8, 1)), np.arange(8) // 4, 2, lambda X, y, weights: next(weak)))


@statement("claim", "4", "Yan, AdaBoost")
def adaboost_edge_cases(boost, adaboost_weight, adaboost_update):
    r"""err $= 0$: $\alpha$ would be infinite; stop, and let the perfect classifier decide alone. err $=
    \frac12$: $\alpha = 0$ and the weights stay as they are; stop. err $> \frac12$: $\alpha < 0$, and the
    weights of the misclassified examples shrink."""
    codes = np.arange(8) // 4
    right, half, seven = _fixed(codes), _fixed(np.arange(8) % 2), _fixed(np.arange(8) // 5)
    rounds = _trained(boost, seven, right)
    yield equal(
        "alpha of a classifier that is right on 7 of 8", _alphas(rounds)[0], math.log(7), rounding(16, 5)
    )
    yield equal("rounds until a classifier is perfect", len(rounds), 2)
    yield at_least("its alpha, against that of all others together", _alphas(rounds)[1], math.log(7) + 0.5)
    yield equal("sum of the alphas of one that guesses", sum(_alphas(quietly(_trained, boost, half))), 0.0)
    yield equal("weight at err = 4/5: log 1/4", adaboost_weight(0.8), -math.log(4), rounding(8, 2))
    yield equal("weight at err = 1/2", adaboost_weight(0.5), 0.0, rounding(2))
    for n_wrong, weight in ((2, 1 / 4), (3, 1 / 6)):
        w = adaboost_update(np.full(4, 0.25), np.arange(4) < n_wrong, adaboost_weight(n_wrong / 4))
        yield equal(f"misclassified weights after err = {n_wrong}/4", w[:n_wrong], weight, rounding(16))


@hard_cases(
    adaboost_edge_cases, estimators_only="The estimator has finite alphas, warns, and turns classifiers."
)
def finite_alphas_and_warnings(boost, AdaBoostClassifier):
    """A perfect classifier has 1 plus the sum of the others; alpha < 0 turns a classifier around."""
    codes, log_7 = np.arange(8) // 4, math.log(7)
    right, wrong, half = _fixed(codes), _fixed(1 - codes), _fixed(np.arange(8) % 2)
    seven, one = _fixed(np.arange(8) // 5), _fixed(1 - np.arange(8) // 5)  # right on 7 of 8, and on 1
    for classifiers, truth in (
        ([seven, right], [log_7, 1 + log_7]),
        ([one, right], [-log_7, 1 + log_7]),
        ([seven, seven], [log_7]),
        ([half], [0.0]),
        ([wrong], [0.0]),
        ([right], [1.0]),
    ):
        alphas = _alphas(quietly(_trained, boost, *classifiers))
        yield equal("alpha of each round until it stops", alphas, truth, rounding(16, 5))
    X, y = np.arange(6.0)[:, None], np.array([-1, -1, -1, 1, 1, 1])
    perfect, n_warnings = quiet_fit(AdaBoostClassifier(n_estimators=5), X, y)
    yield equal("rounds and warnings when the first is perfect", [len(perfect.rounds_), n_warnings], [1, 0])
    scores = perfect.decision_function(X)
    yield equal("finite scores of the right sign", int((np.isfinite(scores) & (scores * y > 0)).sum()), 6)
    same = AdaBoostClassifier(n_estimators=5).fit(X, np.ones(6))
    yield equal("predictions and margins of one class", [same.predict(X), same.margins(X, np.ones(6))], 1.0)
    guess, n_warnings = quiet_fit(AdaBoostClassifier(n_estimators=5), _XOR, _XOR_LABELS)
    yield equal("rounds and warnings when the first only guesses", [len(guess.rounds_), n_warnings], [1, 1])


@statement("claim", "4", "Yan, boosting")
def boosting_bias(AdaBoostClassifier):
    """Boosting can remove bias: no stump classifies $-, +, +, -$ on a line, three boosted ones do. It cannot
    where every weak classifier errs on half of the weight: stumps on an XOR."""
    one = AdaBoostClassifier(n_estimators=1).fit(_LINE, _LINE_LABELS)
    three = AdaBoostClassifier(n_estimators=3).fit(_LINE, _LINE_LABELS)
    wrong = [int((m.predict(_LINE) != _LINE_LABELS).sum()) for m in (one, three)]
    yield equal("errors of one stump and of three", wrong, [1, 0])
    guess = quietly(AdaBoostClassifier(n_estimators=50).fit, _XOR, _XOR_LABELS)
    yield equal("errors on an XOR", (guess.predict(_XOR) != _XOR_LABELS).sum(), 2)
    stumps = [np.where(_XOR[:, j] <= t, -1, 1) for j in (0, 1) for t in (-1, 0.5)]
    errors = [int((predictions != _XOR_LABELS).sum()) for predictions in stumps]
    yield equal("errors of each stump on an XOR", errors, [2] * 4)


def _three_classes(rng):
    """Return one feature, labels 0, 1, 2 along it, six of them changed; and the feature coarsened."""
    x = rng.permutation(60)
    y = np.digitize(x, [20, 40])
    y[rng.choice(60, 6, replace=False)] = 1
    few = np.column_stack([0 * x, x // 10, rng.integers(0, 3, 60), x // 7]) * 2.0  # the first is constant
    return y, (x[:, None] * 1.0, few)


@statement("algorithm", "4 deeper", "Zhu, Zou, Rosset and Hastie, 2009")
def samme(boost, class_scores, adaboost_weight, adaboost_update, rng):
    r"""With $K$ classes $\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}} + \log(K - 1)$: a weak classifier
    need only be better than a guess, err $< 1 - \frac1K$. After the update the misclassified examples have
    the weight $1 - \frac1K$. The class with the largest $\sum_m\alpha_m1\{f_m(x) = k\}$ is predicted."""
    y, features = _three_classes(rng)
    for X in features:
        rounds = list(itertools.islice(boost(X, y, 3), 8))
        yield from _is_adaboost(rounds, X, y, 3)
        scores = np.tensordot(_alphas(rounds), _hits(_codes(rounds, X), 3), 1)
        yield equal("scores", class_scores(rounds, X, 3), scores, 1e-10, X=X, y=y)
    (third,) = itertools.islice(boost(np.arange(3.0)[:, None], np.arange(3), 3), 1)
    yield equal("alpha where err is 1/3: twice log 2", scalar(third.alpha), math.log(4), rounding(8, 2))
    alpha, wrong = adaboost_weight(0.6, 3), np.arange(10) < 6
    after = adaboost_update(np.full(10, 0.1), wrong, alpha)
    yield equal("misclassified weight after err = 3/5", float(after[wrong].sum()), 2 / 3, rounding(20))


@hard_cases(
    samme, estimators_only="The reference module has neither probabilities, margins nor a certificate."
)
def many_classes_on_data(AdaBoostClassifier, rng):
    y, features = _three_classes(rng)
    for X in features:
        model = AdaBoostClassifier(n_estimators=8).fit(X, 3 * y)
        rounds, alphas = model.rounds_, model.estimator_weights_
        errors, truth, weights, _ = zip(*_replay(_codes(rounds, X), y, 3), strict=True)
        yield equal("alpha", alphas, truth, rounding(600, 1000), X=X, y=y)
        first = [_best_stump(X, y, w)[1:] for w in weights]
        found = [(one.feature, one.threshold) for one in model.estimators_]
        yield equal("the first of equally good stumps: feature and threshold", found, first, X=X, y=y)
        scores = np.tensordot(alphas, _hits(_codes(rounds, X), 3), 1)
        best = (scores >= scores.max(axis=1, keepdims=True) - 1e-10).argmax(axis=1)
        yield equal("predictions: the largest score", model.predict(X), 3 * best, X=X, y=y)
        softmax = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        yield equal("probabilities: the softmax", model.predict_proba(X), softmax, 1e-10, X=X, y=y)
        rivals = np.where(y[:, None] == np.arange(3), -np.inf, scores).max(axis=1)
        margins = (scores[np.arange(60), y] - rivals) / abs(alphas).sum()
        yield equal("margins: minus the largest score of another", model.margins(X, 3 * y), margins, 1e-10)
        bound = np.prod([3 * math.sqrt(e * (1 - e) / 2) for e in errors])
        yield equal("bound", scalar(model.certificate_["bound"]), bound, rounding(80, 3**8))
        last = list(model.staged_decision_function(X))[-1]
        yield equal("scores after the last round", last, scores, 1e-10, X=X, y=y)
    guess = quietly(AdaBoostClassifier().fit, np.zeros((6, 1)), np.arange(6) % 3)
    yield equal("alpha where err is 2/3: no better than a guess", guess.estimator_weights_, [0.0])


# ------------------------------------------------------------------- 5 What the notes got wrong
@correction("sharper", "5 deeper", "Yan, insights on bagging")
def erratum_y46():
    """Printed: Bagged trees are identically distributed (not independent!).
    Right: Right; more precisely they are i.i.d. *given* the training set, which is why their correlation is
    never negative."""
    mean, _, covariance = _moments()
    spread = _expectation(lambda z: (_given(z) - mean) ** 2)
    yield equal("covariance: the variance of E[f | Z]", covariance, spread)
    yield at_least("it is positive", covariance, Fraction(1, 1000))


@correction("sharper", "5 deeper", "Yan, insights on bagging")
def erratum_y47(variance_of_average):
    r"""Printed: $B$ variables with *positive* pairwise correlation $\rho$: $\rho\sigma^2 + \frac{1 -
    \rho}B\sigma^2$.
    Right: One *common* $\rho$ is needed; it may be negative, down to $-\frac1{B - 1}$."""
    # draws without replacement from 0, 1, ..., B have the correlation -1/B; all B of B + 1 are enumerated
    B = 3
    averages = [sum(c) / B for c in itertools.combinations(range(B + 1), B)]
    value = variance_of_average(((B + 1) ** 2 - 1) / 12, -1 / B, B)
    yield equal("negative correlation", value, np.var(averages), rounding(8, 4))
    smallest = [variance_of_average(1.0, -1 / (B - 1), B) for B in (2, 3, 5)]
    yield equal("averages at -1/(B - 1), B = 2, 3, 5", smallest, np.zeros(3), rounding(8))
    pairs = (-1.1, 2), (-0.6, 3), (-0.35, 5), (1.1, 5)
    beyond = [refuses(variance_of_average, 1.0, *pair) for pair in pairs]
    yield equal("no such variables below -1/(B - 1) or above 1", beyond, [True] * 4)
    unequal = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]])
    yield equal("different correlations: their mean decides", unequal.sum() / 9, 0.3 + 0.7 / 3, rounding(9))


erratum_y45 = bagging_bias.corrects(
    "y45",
    "wrong",
    "5 deeper",
    "Yan, insights on bagging",
    r"""
    Printed: The bias of bagged trees is the same as that of the individual tree.
    Right: For averages (not votes), and an individual tree grown on a bootstrap sample (not
    on the training set).""",
)
erratum_y48 = adaboost_edge_cases.corrects(
    "y48",
    "wrong",
    "5 deeper",
    "Yan, AdaBoost",
    r"""
    Printed: Compute $\alpha_m = \log\frac{1 - \mathrm{err}}{\mathrm{err}}$; misclassified points are
    inflated.
    Right: For $0 < \mathrm{err} < \frac12$. At 0 it does not exist, at $\frac12$ nothing changes, above
    $\frac12$ the wrong points are *deflated*.""",
)
erratum_y49 = adaboost_inflate.corrects(
    "y49",
    "notation",
    "5 deeper",
    "Yan, AdaBoost",
    r"""
    Printed: Weights $w_i$ and $\omega_i$; $f_m$ does well if err is small.
    Right: One symbol. 'Well' means err $< \frac12$: from there on $\alpha \le 0$,
    and no weight is inflated.""",
)
erratum_y50 = boosting_bias.corrects(
    "y50",
    "wrong",
    "5 deeper",
    "Yan, boosting",
    r"""
    Printed: How to remove bias: boosting.
    Right: If the weak classifiers are better than guessing on *every* weighting. Stumps on an XOR are not,
    and boosting stays at an error of one half.""",
)
