"""The statements on ensembles as executable claims, in the order of the lecture.

Expectations over training sets and bootstrap samples are exact: all of them are enumerated, in fractions.
AdaBoost is judged by replaying it: the members' answers to the training rows give all weights and errors.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, hoeffding, rounding, statement
from mlnotes.checking.outputs import as_numbers, fit_copies, quiet_fit, quietly, refuses, scalar

OUTPUTS = {
    "AdaBoostClassifier.decision_function": "(n,)", "AdaBoostClassifier.estimator_errors_": "(n,)",
    "AdaBoostClassifier.estimator_weights_": "(n,)", "AdaBoostClassifier.predict": "(n,) any",
    "BaggingClassifier.oob_decision_function_": "(n, K)", "BaggingClassifier.oob_score_": "number",
    "BaggingClassifier.predict": "(n,) any", "RandomForestClassifier.oob_score_": "number",
    "RandomForestClassifier.oob_decision_function_": "(n, K)", "adaboost_update": "(n,)",
    "adaboost_weight": "number", "bootstrap_rows": "(n,)", "majority_vote": "(n,)",
    "out_of_bag_probability": "number", "training_bound": "number", "variance_of_average": "number",
}  # fmt: skip

# ------------------------------------------------------------------- instances and the truth about them

# Training sets of two numbers, each 1 with probability 3/4; a member answers 1 if its two draws contain a 1.
_SETS = {z: Fraction(3 ** sum(z), 16) for z in itertools.product((0, 1), repeat=2)}


def _outcomes(z):
    """Return what a member answers, for each of the four samples."""
    return [max(sample) for sample in itertools.product(z, repeat=2)]


def _mean(values):
    values = list(values)
    return Fraction(sum(values)) / len(values)


def _given(z):
    """Return E[f | Z = z] of a member."""
    return _mean(_outcomes(z))


def _members(z, B):
    """Return what B members of one training set answer, in all cases, which are equally likely."""
    return list(itertools.product(_outcomes(z), repeat=B))


def _expectation(value):
    """Return the mean of value(z) over the training sets z."""
    return sum(p * value(z) for z, p in _SETS.items())


def _member_moments():
    """Return mean and variance of a member, and the covariance of two members of one training set."""
    mean = _expectation(_given)
    return mean, mean - mean**2, _expectation(lambda z: _given(z) ** 2) - mean**2


def _labelled(rng, n=40, d=3):
    """Return rows with distinct values and labels -1, 1 that no stump gets right."""
    X = np.column_stack([rng.permutation(n) for _ in range(d)]).astype(np.float64)
    y = np.where((X[:, 0] > n / 4) & (X[:, 0] < 3 * n / 4), 1, -1)
    flipped = rng.choice(n, n // 8, replace=False)
    y[flipped] *= -1
    return X, y


def _codes(members, X):
    """Return what the members answer, shape (M, n)."""
    return np.array([as_numbers(member.predict(X), len(X)) for member in members])


def _answers(model, X):
    """Return the answers of the members as -1 and 1, shape (M, n); they may answer 0 and 1 as well."""
    codes = _codes(model.estimators_, X)
    return np.where(codes == 0, -1.0, codes)


def _hits(codes, K):
    """Return for which of K classes each member votes, shape (M, n, K)."""
    return codes[..., None] == np.arange(K)


def _replay(answers, y, K=2):
    """Yield err and alpha of each round, and the weights before and after it, from the answers alone."""
    w = np.full(len(y), 1 / len(y))
    for row in answers:
        before, wrong = w, row != y
        err = w[wrong].sum()
        odds = (K - 1) * (1 - err) / err
        w = np.where(wrong, w * odds, w)
        w = w / w.sum()
        yield err, math.log(odds), before, w


def _errors_and_scores(model, X, y):
    """Return err of each round and the scores F, from the answers and the reported alphas."""
    answers = _answers(model, X)
    errors = np.array([err for err, *_ in _replay(answers, y)])
    return errors, as_numbers(model.estimator_weights_, len(answers)) @ answers


def _best_stump(X, y, w):
    """Return (err, feature, threshold) of the first stump of least error; each side answers by majority."""
    W = (y[:, None] == np.unique(y)) * w[:, None]
    stumps: list[tuple[float, int, float]] = []
    for j, x in enumerate(X.T):
        values = np.unique(x)
        thresholds = (values[:-1] + values[1:]) / 2
        left = x <= thresholds[:, None]
        errors = w.sum() - (left @ W).max(axis=1) - (~left @ W).max(axis=1)
        stumps += zip(errors, itertools.repeat(j), thresholds)
    least = min(stumps)[0]
    return next(stump for stump in stumps if stump[0] <= least + 2.0**-40)


def _rounds(model, X, y):
    """Compare err, alpha and stump of each round with the truth, which the members' answers tell."""
    classes, codes = np.unique(y, return_inverse=True)
    replay = _replay(_codes(model.estimators_, X), codes, len(classes))
    errors, alphas, weights, _ = zip(*replay, strict=True)
    stumps = [_best_stump(X, codes, w) for w in weights]
    slack = rounding(10 * len(y), 1 / max(min(errors), 1e-3))
    K = f"{len(classes)} classes"
    yield equal(f"alpha, {K}", model.estimator_weights_, alphas, slack, X=X, y=y)
    yield equal(f"reported errors, {K}", model.estimator_errors_, errors, slack)
    least, *asked = zip(*stumps, strict=True)
    yield equal(f"err of the weak classifiers against the least of all stumps, {K}", errors, least, slack)
    told = [[getattr(m, name) for m in model.estimators_] for name in ("feature", "threshold")]
    yield equal(f"the first of equally good stumps: feature and threshold, {K}", told, asked)


_XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
_XOR_LABELS = np.array([-1, 1, 1, -1])
_LINE = np.arange(4.0)[:, None]
_LINE_LABELS = np.array([-1, 1, 1, -1])


# ------------------------------------------------------------------- 1 Bootstrap and vote
@statement("algorithm", "1", "Yan, bagging", false_alarm=1e-09)
def bagging_bootstrap(bootstrap_rows, out_of_bag_probability, rng):
    """A bootstrap sample is $n$ independent draws, with replacement, each row equally likely. A row is in
    none of them with probability $(1 - 1/n)^n$."""
    n, calls = 5, 4000
    draws = np.array([bootstrap_rows(n, rng) for _ in range(calls)])
    slack = hoeffding(calls, 1e-9 / 7)  # 7 frequencies: of independent calls, so of independent indicators
    shares = np.array([(draws[:, 0] == i).mean() for i in range(n)])
    yield equal("first draws of each row", shares, np.full(n, 1 / n), slack)
    yield equal("draws that are row numbers", int(np.isin(draws, range(n)).sum()), n * calls)
    yield equal("first and last draw equal", (draws[:, 0] == draws[:, -1]).mean(), 1 / n, slack)
    yield equal("the only row", bootstrap_rows(1, rng), [0.0])
    yield equal("samples without row 0", (draws != 0).all(axis=1).mean(), (1 - 1 / n) ** n, slack)
    sizes = np.array([1, 2, 5, 100])
    values = [out_of_bag_probability(int(m)) for m in sizes]
    yield equal("the formula, n = 1, 2, 5, 100", values, (1 - 1 / sizes) ** sizes, rounding(100))


@statement("formula", "1", "Yan, bagging")
def bagging_vote(majority_vote, BaggingClassifier, rng):
    r"""$\hat f^{\text{bagging}}(x) = \arg\max_k\sum_{b=1}^B1\{\hat f_b(x) = k\}$; of equally many votes the
    smallest label wins, and the shares of the votes are told. With $B = 1$ it is the member."""
    votes = np.column_stack([[0, 0, 1, 2, 2, 1], [0, 0, 0, 1, 2, 2], rng.integers(0, 3, (6, 20))])
    winners = _hits(votes, 3).sum(axis=0).argmax(axis=1)
    yield equal("winners", majority_vote(votes), winners, votes=votes)
    X, y = _labelled(rng)
    three = np.where(np.arange(40) < 20, 9, 4 + y)  # labels 3, 5 and 9
    model = BaggingClassifier(n_estimators=8, random_state=rng.integers(10**6)).fit(X, three)
    counts = _hits(_codes(model.estimators_, X), 3).sum(axis=0)
    yield equal("eight members", model.predict(X), np.array([3, 5, 9])[counts.argmax(axis=1)], X=X, y=three)
    yield equal("shares of their votes", model.predict_proba(X), counts / 8, X=X, y=three)
    one = BaggingClassifier(n_estimators=1, random_state=rng.integers(10**6)).fit(X, y)
    yield equal("one member", one.predict(X), _answers(one, X)[0], X=X, y=y)


# ------------------------------------------------------------------- 2 Variance and bias
@statement("formula", "1", "Breiman, 1996")
def out_of_bag(BaggingClassifier, RandomForestClassifier, rng):
    """Out of bag a row is judged by the vote of those members that were grown without it:
    `oob_decision_function_` holds the shares of their votes, and `oob_score_` is the share of right answers
    among the rows that somebody judges, 0 if there is none. They are told where `oob_score` asks for them."""
    # each row has a class of its own, or shares it with the next one: full trees know the rows they have seen
    n, B, seed = 14, 9, rng.integers(10**6)
    X = np.column_stack([rng.permutation(n), rng.permutation(n)]).astype(np.float64)
    for method in (BaggingClassifier, RandomForestClassifier):
        model = method().fit(X[:2], [0, 1])
        yield equal("told without being asked for", hasattr(model, "oob_score_"), False)
        yield equal("members, where none are asked for", len(model.estimators_), 100)
        model = quietly(method(n_estimators=3, oob_score=True).fit, X[:1], [0])
        yield equal("score of the only row, which all members know", model.oob_score_, 0.0)
        yield equal("shares of its votes", model.oob_decision_function_, [[0.0]])
    for name, method in (
        ("bagging", BaggingClassifier(n_estimators=B, oob_score=True, random_state=seed)),
        ("forest", RandomForestClassifier(B, max_features=1, oob_score=True, random_state=seed)),
    ):
        model = quietly(method.fit, X, np.arange(n))
        votes = _hits(_codes(model.estimators_, X), n).sum(axis=0) * (1 - np.eye(n))
        shares, told = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1), model.oob_decision_function_
        yield equal(f"{name}: shares of the votes of members that have not seen a row", told, shares, 1e-15)
        yield equal(f"{name}: right answers, where no two rows share a class", model.oob_score_, 0.0)
        model = quietly(method.fit, X[:, :1], X[:, 0].astype(int) // 2)
        shares = model.oob_decision_function_
        has_judge = shares.sum(axis=1) > 0
        right = (shares.argmax(axis=1) == X[:, 0] // 2)[has_judge].mean()
        yield equal(f"{name}: right answers of two rows a class", model.oob_score_, right, 1e-15)


@statement("claim", "2", "Yan, insights on bagging", false_alarm=1e-09)
def bagging_identical(BaggingClassifier, rng, *, B=1000):
    r"""Bagged members are identically distributed and in general not independent: given the training rows $Z$
    they are independent, so that $\operatorname{Cov}(f_1, f_2) = \operatorname{Var}(E[f \mid Z]) \ge 0$.
    Given two rows, 0 of one class and 1 of the other, each of «B» members answers 1 at 0 with chance
    $\frac14$, and agrees with the one before it with chance $\frac58$."""
    rows, labels = np.array([[0.0], [1.0]]), np.array([-1, 1])
    model = BaggingClassifier(n_estimators=B, random_state=rng.integers(10**6)).fit(rows, labels)
    ones = _answers(model, rows) == 1
    slack = hoeffding(B // 2, 1e-9 / 5)
    shares = np.array([ones[b::2].mean(axis=0) for b in (0, 1)])
    chances = np.tile([1 / 4, 3 / 4], (2, 1))
    yield equal("members that answer 1 at 0 and at 1, every second one", shares, chances, slack)
    yield equal("pairs that agree at 0", float((ones[::2, 0] == ones[1::2, 0]).mean()), 5 / 8, slack)
    mean, variance, covariance = _member_moments()
    products = {z: _mean(a * b for a, b in _members(z, 2)) for z in _SETS}
    pairs = _expectation(products.get)
    yield equal("covariance of two members, all pairs of samples enumerated", pairs - mean**2, covariance)
    yield at_least("covariance", covariance, Fraction(1, 20))
    yield at_most("covariance against the variance", covariance, variance - Fraction(1, 20))
    means = [_given(z) ** 2 for z in _SETS]
    yield equal("the same given Z: product of the means", list(products.values()), means)


@statement("claim", "2 deeper", "Yan, insights on bagging")
def bagging_bias(majority_vote):
    r"""The *average* of bagged members has the expectation of one member grown on a *bootstrap sample*. It is
    not that of the method on the original rows, and not that of the majority vote: in an example these are
    $\frac{27}{32}$, $\frac{30}{32}$ and, for three votes, $\frac{225}{256}$."""
    average = _expectation(lambda z: _mean(map(_mean, _members(z, 3))))
    vote = _expectation(lambda z: Fraction(majority_vote(np.transpose(_members(z, 3))).mean()))
    yield equal("expectation of a member", _expectation(_given), Fraction(27, 32))
    yield equal("of the average of three members", average, Fraction(27, 32))
    yield equal("of the method on the original rows", _expectation(max), Fraction(30, 32))
    yield equal("of the vote of three members", vote, Fraction(225, 256))


@statement("formula", "2", "Yan, insights on bagging")
def bagging_var_formula(variance_of_average):
    r"""The average of $B$ variables with variance $\sigma^2$ and one common correlation $\rho$ has the
    variance $\rho\sigma^2 + \frac{1 - \rho}B\sigma^2$. For bagged members, $\rho\sigma^2 =
    \operatorname{Var}(E[f \mid Z])$."""
    cases = list(itertools.product((0.5, 4.0), (0.0, 0.25, 1.0), (1, 2, 5)))
    matrices = [variance * (rho + (1 - rho) * np.eye(B)) for variance, rho, B in cases]
    values = [variance_of_average(*case) for case in cases]
    yield equal("against 1'C1 / B^2", values, [C.mean() for C in matrices], rounding(8, 8))
    mean, variance, covariance = _member_moments()
    square = _expectation(lambda z: _mean(_mean(triple) ** 2 for triple in _members(z, 3)))
    value = variance_of_average(float(variance), float(covariance / variance), 3)
    yield equal("three bagged members, all samples enumerated", value, float(square - mean**2), rounding(8))


@statement("claim", "2", "Yan, insights on bagging")
def bagging_variance_reduction(variance_of_average):
    r"""Averaging never increases the variance: $\rho\sigma^2 + \frac{1 - \rho}B\sigma^2 \le \sigma^2$, with
    equality only for $B = 1$ or $\rho = 1$ (or $\sigma = 0$)."""
    rhos = np.array([0.0, 0.3, 0.9])
    gone = [1 - variance_of_average(4.0, rho, 7) / 4 for rho in rhos]
    yield equal("share of the variance that is gone, B = 7", gone, (1 - rhos) * 6 / 7, rounding(8))
    ends = [variance_of_average(4.0, *pair) for pair in ((0.3, 1), (-1.0, 1), (1.0, 7))]
    yield equal("one member, and equal members", ends, [4.0] * 3, rounding(8, 4))


@statement("claim", "2", "Yan, insights on bagging")
def bagging_B_limit(variance_of_average):
    r"""More members reduce the second term only: the variance decreases with $B$ to $\rho\sigma^2 =
    \operatorname{Var}(E[f \mid Z])$."""
    _, variance, covariance = _member_moments()
    v, rho = float(variance), float(covariance / variance)
    values = np.array([variance_of_average(v, rho, 10**k) for k in range(10)])
    yield at_most("steps from B to 10 B", np.diff(values), 0.0, rounding(4))
    yield equal("at B = 10^9, against Var E[f | Z]", values[-1], float(covariance), 2e-9)
    rest = (values[:4] - float(covariance)) * 10.0 ** np.arange(4)
    yield equal("B times the rest", rest, np.full(4, v * (1 - rho)), rounding(10**4))


@statement("formula", "2 deeper", "Searle, Casella and McCulloch, 1992, chapter 3")
def variance_parts(variance_parts):
    r"""From $B$ members on each of $r$ training sets both parts can be estimated without bias: the mean
    variance within the sets estimates $E\operatorname{Var}(f \mid Z)$, and the variance of the set means,
    less the former over $B$, estimates $\operatorname{Var}E[f \mid Z]$."""
    _, variance, covariance = _member_moments()
    pairs = list(itertools.product((0, 1), repeat=2))  # of answers of two members of one training set
    chances = [_expectation(lambda z, pair=pair: Fraction(_members(z, 2).count(pair), 16)) for pair in pairs]
    between, inside = 0.0, 0.0
    for (one, p), (other, q) in itertools.product(zip(pairs, chances, strict=True), repeat=2):
        parts = variance_parts([one, other])
        between += float(p * q) * parts.between
        inside += float(p * q) * parts.within
    parts = variance_parts([[0, 1, 2], [4, 5, 6]])  # three members each: variances 1, of the means 8
    told = [parts.between, parts.within, parts.variance, parts.correlation]
    truth = [8 - 1 / 3, 1.0, 9 - 1 / 3, 23 / 26]
    yield equal("parts of 0, 1, 2 and 4, 5, 6, sum and correlation", told, truth, rounding(20, 8))
    three = variance_parts([[[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[4, 0, 0], [5, 0, 0], [6, 0, 0]]])
    told = [three.between, three.within]
    yield equal("means with two points where all members agree", told, [23 / 9, 1 / 3], rounding(20, 8))
    alone = [refuses(variance_parts, table) for table in ([[0, 1]], [[0], [1]])]
    yield equal("refused: one training set, and one member on each", alone, [True, True])
    yield equal("correlation without variance", variance_parts([[1, 1], [1, 1]]).correlation, 0.0)
    yield equal("mean of the estimates of Var E[f | Z]", between, float(covariance), rounding(4096))
    yield equal("mean of the estimates of E Var(f | Z)", inside, float(variance - covariance), rounding(4096))


# ------------------------------------------------------------------- 3 Random forests
@statement("algorithm", "3", "Yan, random forests", "Breiman, 2001", false_alarm=1e-09)
def forest_algorithm(RandomForestClassifier, BaggingClassifier, rng):
    """A random forest is bagging of trees that seek each cut among $m$ features drawn anew at every node.
    With $m = d$ it is bagging, tree for tree; with $m = 1$ one tree still asks for different features. The
    limits of a tree hold for each. The importance of a feature is the mean of its shares in the trees."""
    X, y = rng.random((120, 4)), rng.integers(0, 2, 120)
    y[:2], seed = (0, 1), rng.integers(10**6)

    def forest(n=120, **options):
        return RandomForestClassifier(5, random_state=seed, **options).fit(X[:n], y[:n])

    def nodes(model, name):
        return np.concatenate([getattr(tree, name) for tree in model.trees_])

    for n in (3, 120):
        full, bagged = forest(n, max_features=4), BaggingClassifier(n_estimators=5, random_state=seed)
        bagged = bagged.fit(X[:n], y[:n])
        for name in ("feature", "threshold"):
            yield equal(f"{name} of each node, m = d, {n} rows", nodes(full, name), nodes(bagged, name))
        total, has_cut = sum(full.feature_importances_), (nodes(full, "feature") >= 0).any()
        yield equal(f"sum of the importances, {n} rows", total, float(has_cut), rounding(20))
    shares = np.mean([_gini_shares(tree, 4) for tree in full.trees_], axis=0)
    yield equal("importances", full.feature_importances_, shares, rounding(2000), X=X, y=y)
    yield at_most("max_depth=3", nodes(forest(max_depth=3), "depth"), 3)
    yield at_least("min_samples_leaf=5", nodes(forest(min_samples_leaf=5), "n_rows"), 5)
    large = forest(min_samples_split=30)
    yield at_least("min_samples_split=30", nodes(large, "n_rows")[nodes(large, "feature") >= 0], 30)
    usual, pairs = nodes(forest(), "feature"), nodes(forest(max_features=2), "feature")  # m is the root of d
    yield equal("feature of each node, m = 2 of d = 4, which is the default", usual, pairs)
    thin = forest(max_features=1)
    alone = [t.feature[t.feature >= 0] for t in thin.trees_]
    # at 20 inner nodes one and the same feature is drawn with probability 4^-19 < 2e-12: times 5 trees
    kinds = [len(set(a[:20].tolist())) for a in alone if len(a) >= 20]
    yield at_least("different features in each tree of 20 inner nodes or more, m = 1", kinds or [2], 2)
    right = (thin.predict(X) == y).mean()
    yield at_least("training accuracy of the thin forest, whose trees are full", right, 0.8)


def _gini_shares(tree, d):
    """Return the share of each feature in the decrease of the Gini risk."""
    n, value = np.sum(tree.value, axis=1), np.asarray(tree.value)
    R = n - (value**2).sum(axis=1) / n
    sums = np.bincount(tree.feature + 1, R - R[tree.left] - R[tree.right], d + 1)[1:]  # without leaves
    return sums / sums.sum()


@statement("claim", "3 deeper", "Yan, random forests", false_alarm=1e-09)
def forest_decorrelate(RandomForestClassifier, rng, *, both=0.3, one=0.15):
    """Drawing candidates decorrelates the trees. On a distribution with two training sets, where in either
    another of two features is better, stumps that see both ($m = 2$) have a correlation of at least «both»,
    and stumps that see one at random ($m = 1$) of at most «one». The variance of one stump is 1/4 either
    way."""
    y, B = np.repeat([0, 1], 20), 600
    better, worse = y.copy(), y.copy()
    better[[0, 1, 20, 21]] ^= 1  # right on 36 rows of 40
    worse[[2, 3, 4, 5, 6, 22, 23, 24, 25, 26]] ^= 1  # right on 30
    point = [[1.0, 0.0]]
    # Hoeffding: a share of 600 members is within 0.138 of its expectation but for 2.5e-10, four for 1e-9. The
    # expectations, from 20,000 members each, are 0.50 and 0.50 (m = 1), 0.95 and 0.05 (m = 2), give or
    # take 0.02; so the correlations are at most (0.16 / 0.5)^2 = 0.11 and at least (0.29 / 0.5)^2 = 0.33.
    for m in (1, 2):
        shares = []
        for columns in ((better, worse), (worse, better)):
            X = np.column_stack(columns).astype(np.float64)
            options = {"max_depth": 1, "max_features": m, "random_state": rng.integers(10**6)}
            forest = RandomForestClassifier(B, **options).fit(X, y)
            shares.append(forest.predict_proba(point)[0, 1])
        mean = sum(shares) / 2
        rho = ((shares[0] - shares[1]) / 2) ** 2 / (mean * (1 - mean))
        name = f"correlation of two stumps, m = {m}"
        yield at_most(name, rho, one) if m == 1 else at_least(name, rho, both)


# ------------------------------------------------------------------- 4 AdaBoost
@statement("definition", "4", "Yan, boosting", given=("DecisionTreeClassifier",))
def boosting_setup(AdaBoostClassifier, DecisionTreeClassifier, rng):
    r"""Boosting adds up weak classifiers, $\hat f(x) = \operatorname{sign}(\sum_m\alpha_m\hat f_m(x))$ with
    answers $\pm1$; at 0 the library answers $-1$. As a probability $\hat f$ is $1/(1 + e^{-F})$. A method of
    one's own is copied for each round, with a seed of its own."""
    X, y = _labelled(rng)
    model = AdaBoostClassifier(n_estimators=7).fit(X, y)
    F = _errors_and_scores(model, X, y)[1]
    yield equal("rounds, where none are asked for", len(AdaBoostClassifier().fit(X, y).estimators_), 50)
    yield equal("scores against the weighted sum", model.decision_function(X), F, rounding(40, 20))
    yield equal("probabilities", model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-F)), rounding(40, 20))
    if hasattr(model, "staged_predict"):
        stages = np.cumsum(model.estimator_weights_[:, None] * _answers(model, X), axis=0)
        told = list(model.staged_decision_function(X)), list(model.staged_predict(X))
        yield equal("scores round by round", told[0], stages, rounding(40, 20), X=X, y=y)
        clear = abs(stages) > 1e-9
        yield equal("answers round by round", np.array(told[1])[clear], np.sign(stages)[clear])
        weak = DecisionTreeClassifier(max_depth=2, max_features=1)
        deep = AdaBoostClassifier(weak, n_estimators=8, random_state=0).fit(X, y)
        errors, scores = _errors_and_scores(deep, X, y)
        alphas = np.log(1 / errors - 1)
        yield equal("alpha of trees of two levels", deep.estimator_weights_, alphas, rounding(400, 1000))
        yield equal("their scores", deep.decision_function(X), scores, rounding(40, 20))
        yield equal("their seeds", len({member.random_state for member in deep.estimators_}), 8)
        yield equal("their depth", max(member.tree_.depth.max() for member in deep.estimators_), 2)
    clear = abs(F) > 1e-9
    yield equal("answers", model.predict(X)[clear], np.sign(F)[clear], X=X, y=y)
    guess = quietly(AdaBoostClassifier().fit, _XOR, _XOR_LABELS)
    yield equal("scores on an XOR", guess.decision_function(_XOR), np.zeros(4))
    yield equal("answers at score 0", guess.predict(_XOR), -np.ones(4))


@statement("algorithm", "4", "Yan, AdaBoost", "Freund and Schapire, 1997")
def adaboost_algorithm(AdaBoostClassifier, boost, rng):
    r"""AdaBoost: $w_i = \frac1n$; fit $f_m$ to the weights; $\mathrm{err} =
    \sum_iw_i1\{\text{wrong}\}/\sum_iw_i$; $\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}}$; multiply the
    weights of the wrong rows by $e^\alpha$. Of equally good stumps the first feature and the lowest threshold
    win. On the labels $-, +, +, -$ of four points of a line err is
    $\frac14, \frac16, \frac15$ and $e^\alpha$ is 3, 5, 4."""
    four = AdaBoostClassifier(n_estimators=3).fit(_LINE, _LINE_LABELS)
    errors, _ = _errors_and_scores(four, _LINE, _LINE_LABELS)
    yield equal("err on four points", errors, [1 / 4, 1 / 6, 1 / 5], rounding(8))
    yield equal("exp(alpha)", np.exp(four.estimator_weights_), [3.0, 5.0, 4.0], rounding(64, 5))
    yield equal("answers", four.predict(_LINE), _LINE_LABELS)
    yield from _rounds(four, _LINE, _LINE_LABELS)
    X, y = _labelled(rng)
    ties = X[:, [0, 0, 1]] // 4 * 4, np.column_stack([0 * y, X // 20, X[:, 0] // 2]), np.maximum(X, 1)
    rare = np.where((X[:, 0] < 8) | (X[:, 0] == 30), -1, 1)
    for columns, labels in ((X, y), (X, rare), *((columns, y) for columns in ties)):
        model = AdaBoostClassifier(n_estimators=10).fit(columns, labels)
        yield from _rounds(model, columns, labels)
    codes, slack = (y + 1) // 2, rounding(400, 1000)
    walk = itertools.islice(boost(X, codes, np.full(40, 1 / 40)), 10)
    members, *told = zip(*walk, strict=True)
    answers = _codes(members, X)
    errors, alphas, before, after = zip(*_replay(answers, codes), strict=True)
    yield equal("rounds of the walk", len(members), 10)
    for name, mine, theirs in zip(("err", "alpha", "weights"), (errors, alphas, after), told, strict=True):
        yield equal(f"walk: {name}", theirs, mine, slack)
    least = [_best_stump(X, y, w)[0] for w in before]
    yield equal("walk: err of the best stump", errors, least, slack)
    halves = ((answers != codes) * told[-1]).sum(axis=1)
    yield equal("walk: weight of the wrong rows after the update", halves, 0.5, slack)


@statement("theorem", "4", "Yan, AdaBoost: insights")
def adaboost_reweighted_half(adaboost_weight, adaboost_update, rng):
    r"""If $0 < \mathrm{err}_m < 1$, then after the update $f_m$ has weighted error exactly $\frac12$: the
    next classifier has to find something new."""
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
    for rounds in dict.fromkeys(min(r, most) for r in (1, 2, 5, 12)):
        model = AdaBoostClassifier(n_estimators=rounds).fit(X, y)
        errors, _ = _errors_and_scores(model, X, y)
        F = model.decision_function(X)
        products.append(np.prod(2 * np.sqrt(errors * (1 - errors))))
        mean = float(np.exp(-y * F / 2).mean())
        yield equal(f"mean of exp(-yF/2), {rounds} rounds", mean, products[-1], 1e-10, X=X, y=y)
        wrong = float((model.predict(X) != y).mean())
        yield at_most(f"training error, {rounds} rounds", wrong, products[-1], 1e-10, X=X, y=y)
    # some stump errs on at most 10 rows of 40 and the 5 that were flipped: 2 sqrt(3/8 5/8) = 0.968
    yield at_most("product after one round", products[0], 0.97, X=X, y=y)


@statement("formula", "4")
def adaboost_certificate(AdaBoostClassifier, rng):
    r"""A fit tells its training error, the bound $\prod_m2\sqrt{\mathrm{err}_m(1 - \mathrm{err}_m)}$, the
    mean of $e^{-y_iF(x_i)/2}$ over the rows, the number of its rounds, and for a row its margin
    $yF(x)/\sum_m|\alpha_m|$. A row of weight $k$ counts as $k$ rows. Without a vote the bound is 1."""
    X, y = _labelled(rng)
    counts = rng.integers(0, 4, 40, dtype=np.intp)
    weighted = fit_copies(AdaBoostClassifier(n_estimators=8), counts, X, y)
    X, y = np.repeat(X, counts, axis=0), np.repeat(y, counts)
    scores, told = weighted.decision_function(X), weighted.certificate_
    for rounds in (1, 8):
        model = AdaBoostClassifier(n_estimators=rounds).fit(X, y)
        errors, F = _errors_and_scores(model, X, y)
        margins = y * F / abs(model.estimator_weights_).sum()
        yield equal(f"margins, {rounds} rounds", model.margins(X, y), margins, 1e-10, X=X)
        truth = {
            "training_error": (model.predict(X) != y).mean(),
            "bound": math.prod(2 * math.sqrt(e * (1 - e)) for e in errors),
            "exponential_loss": np.exp(-y * F / 2).mean(),
            "n_rounds": len(errors),
        }
        for name, value in truth.items():
            yield equal(f"{name}, {rounds} rounds", scalar(model.certificate_[name]), value, 1e-10, X=X)
    yield equal("scores by weights and by copies", scores, F, 1e-10, X=X, y=y)
    for name, value in truth.items():
        yield equal(f"{name} by weights and by copies", scalar(told[name]), value, 1e-10)
    same = AdaBoostClassifier().fit(_LINE, np.ones(4))
    yield equal("bound of one class", scalar(same.certificate_["bound"]), 0.0)
    guess = quietly(AdaBoostClassifier().fit, _XOR, _XOR_LABELS)
    told = [scalar(guess.certificate_[name]) for name in truth]
    yield equal("error, bound, exponential loss and rounds on an XOR", told, [1 / 2, 1.0, 1.0, 1.0])
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
    r"""With $\mathrm{err} < \frac12$ the weights of the wrong rows are multiplied by $e^\alpha > 1$ and the
    others unchanged, *before* normalisation; after it a right row with share $\frac14$ has $\frac16$ (err $=
    \frac14$). With $\mathrm{err} = \frac34$ the wrong rows shrink."""
    quarter = np.full(4, 0.25)
    half, sixth = 1 / 2, 1 / 6
    for n_wrong, truth in ((1, [half, *[sixth] * 3]), (2, quarter), (3, [*[sixth] * 3, half])):
        err = n_wrong / 4
        w = adaboost_update(quarter, np.arange(4) < n_wrong, adaboost_weight(err))
        yield equal(f"weights after err = {err:g}", w, truth, rounding(16))
        yield equal("wrong against right: exp(alpha)", w[0] / w[3], (1 - err) / err, rounding(32, 4))


def _says(answers):
    """Return a weak classifier with these answers."""
    return SimpleNamespace(predict=lambda X: answers)


@statement("claim", "4", "Yan, AdaBoost")
def adaboost_edge_cases(AdaBoostClassifier, adaboost_weight, adaboost_update, boost):
    r"""err $= 0$: $\alpha$ would be infinite; stop, and let the perfect classifier decide. err $= \frac12$:
    $\alpha = 0$, the weights stay as they are; stop, in the first round with a warning. err $> \frac12$:
    $\alpha < 0$ turns the classifier around; err $= 1$: stop as well. A perfect classifier outvotes all
    before it together."""
    X, y = np.arange(6.0)[:, None], np.array([-1, -1, -1, 1, 1, 1])
    perfect, told = quiet_fit(AdaBoostClassifier(n_estimators=5), X, y)
    yield equal("rounds and warnings when the first is perfect", [len(perfect.estimators_), told], [1, 0])
    same = AdaBoostClassifier(n_estimators=5).fit(X, np.ones(6))
    yield equal("answers and margins of one class", [same.predict(X), same.margins(X, np.ones(6))], 1.0)
    codes, log_7 = np.arange(8) // 4, math.log(7)
    right, wrong, half = _says(codes), _says(1 - codes), _says(np.arange(8) % 2)
    seven, one = _says(np.arange(8) // 5), _says(1 - np.arange(8) // 5)  # right on 7 of 8 rows, and on 1
    for says, truth in (
        ([seven, right], [log_7, 1 + log_7]), ([one, right], [-log_7, 1 + log_7]), ([seven, seven], [log_7]),
        ([half], [0.0]), ([wrong], [0.0]), ([right], [1.0]),
    ):  # fmt: skip
        weak = iter(says)
        walk = boost(np.zeros((8, 1)), codes, np.full(8, 1 / 8), lambda *rows, weak=weak: next(weak))
        alphas = [scalar(alpha) for _, _, alpha, _ in walk]
        yield equal("alpha of each round until it stops", alphas, truth, rounding(16, 5))
    sure = adaboost_update(np.full(2, 0.5), np.array([True, False]), 1000.0)
    yield equal("weights after alpha = 1000", sure, [1.0, 0.0])
    scores = perfect.decision_function(X)
    yield equal("finite scores of the right sign", int((np.isfinite(scores) & (scores * y > 0)).sum()), 6)
    guess, told = quiet_fit(AdaBoostClassifier(n_estimators=5), _XOR, _XOR_LABELS)
    yield equal("rounds and warnings when the first only guesses", [len(guess.estimators_), told], [1, 1])
    yield equal("scores then", guess.decision_function(_XOR), np.zeros(4))
    yield equal("weight at err = 4/5: log 1/4", adaboost_weight(0.8), -math.log(4), rounding(8, 2))
    yield equal("weight at err = 1/2", adaboost_weight(0.5), 0.0, rounding(2))
    for n_wrong, share in ((2, 1 / 4), (3, 1 / 6)):
        w = adaboost_update(np.full(4, 0.25), np.arange(4) < n_wrong, adaboost_weight(n_wrong / 4))
        yield equal(f"weight of each wrong row after err = {n_wrong}/4", w[:n_wrong], share, rounding(16))
    yield equal("no weight at err = 0 or 1", [refuses(adaboost_weight, e) for e in (0.0, 1.0)], [True, True])


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
    errors = [int((answers != _XOR_LABELS).sum()) for answers in stumps]
    yield equal("errors of each stump on an XOR", errors, [2] * 4)


@statement("algorithm", "4 deeper", "Zhu, Zou, Rosset and Hastie, 2009")
def samme(AdaBoostClassifier, adaboost_weight, adaboost_update, rng):
    r"""With $K$ classes $\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}} + \log(K - 1)$: a weak classifier
    need only be better than a guess, err $< 1 - \frac1K$. After the update the wrong rows have the weight $1
    - \frac1K$."""
    x = rng.permutation(60)
    y = np.digitize(x, [20, 40])
    y[rng.choice(60, 6, replace=False)] = 1
    few = np.column_stack([0 * x, x // 10, rng.integers(0, 3, 60), x // 7]) * 2.0  # no cut in the first
    for X in (x[:, None] * 1.0, few):
        model = AdaBoostClassifier(n_estimators=8).fit(X, 3 * y)
        yield from _rounds(model, X, y)
        alphas = model.estimator_weights_
        votes = np.tensordot(alphas, _hits(_codes(model.estimators_, X), 3), 1)
        first = (votes >= votes.max(axis=1, keepdims=True) - 1e-10).argmax(axis=1)
        yield equal("answers: the most votes", model.predict(X), 3 * first, X=X, y=y)
        shares = np.exp(votes) / np.exp(votes).sum(axis=1, keepdims=True)
        yield equal("shares: the softmax of the votes", model.predict_proba(X), shares, 1e-10, X=X, y=y)
        rivals = np.where(y[:, None] == np.arange(3), -np.inf, votes).max(axis=1)
        margins = (votes[np.arange(60), y] - rivals) / abs(alphas).sum()
        yield equal("margins: less the most votes for another", model.margins(X, 3 * y), margins, 1e-10)
        if hasattr(model, "certificate_"):
            errors = model.estimator_errors_
            bound = np.prod(3 * np.sqrt(errors * (1 - errors) / 2))
            yield equal("bound", scalar(model.certificate_["bound"]), bound, rounding(80, 3**8))
        if hasattr(model, "staged_decision_function"):
            last = list(model.staged_decision_function(X))[-1]
            yield equal("scores after the last round: the votes", last, votes, 1e-10, X=X, y=y)
    third = AdaBoostClassifier(n_estimators=1).fit(np.arange(3.0)[:, None], [0, 1, 2])
    twice = third.estimator_weights_
    yield equal("alpha where err is 1/3: twice log 2", twice, [math.log(4)], rounding(8, 2))
    guess = quietly(AdaBoostClassifier().fit, np.zeros((6, 1)), np.arange(6) % 3)
    yield equal("alpha where err is 2/3: no better than a guess", guess.estimator_weights_, [0.0])
    alpha, miss = adaboost_weight(0.6, 3), np.arange(10) < 6
    after = adaboost_update(np.full(10, 0.1), miss, alpha)
    yield equal("weight of the wrong rows after err = 3/5", float(after[miss].sum()), 2 / 3, rounding(20))


# ------------------------------------------------------------------- 5 What the notes got wrong
@correction("sharper", "5 deeper", "Yan, insights on bagging")
def erratum_y46():
    """Printed: Bagged trees are identically distributed (not independent!).
    Right: Right; more precisely they are i.i.d. *given* the training rows, which is why their correlation is
    never negative."""
    mean, _, covariance = _member_moments()
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
    least = [variance_of_average(1.0, -1 / (B - 1), B) for B in (2, 3, 5)]
    yield equal("averages at -1/(B - 1), B = 2, 3, 5", least, np.zeros(3), rounding(8))
    pairs = (-1.1, 2), (-0.6, 3), (-0.35, 5), (1.1, 5)
    beyond = [refuses(variance_of_average, 1.0, *pair) for pair in pairs]
    yield equal("no such variables below -1/(B - 1) or above 1", beyond, [True] * 4)
    unequal = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]])
    yield equal("different correlations: their mean decides", unequal.sum() / 9, 0.3 + 0.7 / 3, rounding(9))


erratum_y45 = bagging_bias.corrects("y45", "wrong", "5 deeper", "Yan, insights on bagging", r"""
    Printed: The bias of bagged trees is the same as that of the individual tree.
    Right: For averages (not votes), and an individual tree grown on a bootstrap sample (not
    on the original rows).""")  # fmt: skip
erratum_y48 = adaboost_edge_cases.corrects("y48", "wrong", "5 deeper", "Yan, AdaBoost", r"""
    Printed: Compute $\alpha_m = \log\frac{1 - \mathrm{err}}{\mathrm{err}}$; misclassified points are
    inflated.
    Right: For $0 < \mathrm{err} < \frac12$. At 0 it does not exist, at $\frac12$ nothing changes, above
    $\frac12$ the wrong points are *deflated*.""")  # fmt: skip
erratum_y49 = adaboost_inflate.corrects("y49", "notation", "5 deeper", "Yan, AdaBoost", r"""
    Printed: Weights $w_i$ and $\omega_i$; $f_m$ does well if err is small.
    Right: One symbol. 'Well' means err $< \frac12$: from there on $\alpha \le 0$,
    and no row is inflated.""")  # fmt: skip
erratum_y50 = boosting_bias.corrects("y50", "wrong", "5 deeper", "Yan, boosting", r"""
    Printed: How to remove bias: boosting.
    Right: If the weak classifiers are better than guessing on *every* weighting. Stumps on an XOR are not,
    and boosting stays at half of the rows.""")  # fmt: skip
