"""The statements on classification trees as executable claims, in the order of the lecture.

Counts are integers and impurities exact fractions, computed here. A split is judged by the two sets of
training observations that it makes, so that any of several equally good splits is accepted.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from mlnotes import tree as reference
from mlnotes.checking import (
    at_least,
    at_most,
    correction,
    equal,
    hard_cases,
    misprint,
    rounding,
    statement,
    within,
)
from mlnotes.checking.outputs import as_numbers, refuses, scalar

OUTPUTS = {
    "DecisionTreeClassifier.apply": "(n,)", "DecisionTreeClassifier.predict": "(n,)",
    "DecisionTreeClassifier.predict_proba": "(n, K)", "DecisionTreeClassifier.feature_importances_": "(d,)",
    "gini": "(n,)", "one_hot": "(n, K)", "proportions": "(n, K)",
}  # fmt: skip


# ------------------------------------------------------------------- instances and the truth about them
def _gini(counts):
    n = sum(counts)
    return Fraction(n * n - sum(c * c for c in counts), n * n)


def _error(counts):
    return 1 - Fraction(max(counts), sum(counts))


def _entropy(counts):
    return -sum(c / sum(counts) * math.log(c / sum(counts)) for c in counts if c)


def _counts(y):
    """Return the number of observations of each class as Python integers."""
    return [int(c) for c in np.bincount(y, minlength=2)]


def _split_impurity(X, y, split, impurity=_gini):
    """Return the weighted impurity of the children of a split (j, t); 2 if a child is empty."""
    j, t = split
    if not (j in range(X.shape[1]) and X[:, int(j)].min() <= t < X[:, int(j)].max()):
        return Fraction(2)
    left = X[:, int(j)] <= t
    return _weighted(_counts(y[left]), _counts(y[~left]), impurity)


def _weighted(left, right, impurity):
    """Return the weighted impurity of two children, given the counts of their classes."""
    n, m = sum(left), sum(right)
    if impurity is _gini:  # over one denominator: most of the time goes here
        pairs = m * (n * n - sum(c * c for c in left)) + n * (m * m - sum(c * c for c in right))
        return Fraction(pairs, n * m * (n + m))
    return Fraction(n, n + m) * impurity(left) + Fraction(m, n + m) * impurity(right)


def _every_split(X, y, impurity=_gini):
    """Yield (weighted impurity, feature, threshold) of all splits."""
    Y = _classes(y)
    for j, x in enumerate(X.T):
        values = np.unique(x)
        thresholds = (values[:-1] + values[1:]) / 2
        left = (x <= thresholds[:, None]) @ Y  # (splits, K)
        for t, a, b in zip(thresholds, left.tolist(), (Y.sum(axis=0) - left).tolist(), strict=True):
            yield _weighted(a, b, impurity), j, t


def _smallest(X, y, impurity=_gini):
    """Return the smallest weighted impurity of all splits."""
    return min(weighted for weighted, _, _ in _every_split(X, y, impurity))


def _above_smallest(X, y, split, impurity=_gini):
    """Return the weighted impurity of a split minus the smallest of all splits."""
    return _split_impurity(X, y, split, impurity) - _smallest(X, y, impurity)


def _all_splits(X):
    for j in range(X.shape[1]):
        for low, high in itertools.pairwise(np.unique(X[:, j])):
            yield j, (low + high) / 2


def _split_of(X, side):
    """Return feature and threshold of the first split that separates these from the others; -1 for none."""
    for j, t in _all_splits(X):
        left = X[:, j] <= t
        if (side == left).all() or (side != left).all():
            return j, t
    return -1, math.nan


def _pair(split):
    """Return feature and threshold of a split; NaN if there is none."""
    return scalar(getattr(split, "feature", math.nan)), scalar(getattr(split, "threshold", math.nan))


def _sample(rng, n=24, d=3, K=3):
    """Return integer features with ties, and labels that depend on them; all K classes occur."""
    X = rng.integers(0, 6, (n, d)).astype(np.float64)
    y = ((X[:, -1] > 2) + (rng.random(n) < 0.3)) % K
    y[:K] = np.arange(K)
    return X, y.astype(np.int64)


def _equal_values(rng, best):
    """Return a sample with eight equal values of one feature, sorted by label: no split separates these.

    One that did would have children of Gini index 0.28; the best split, by feature `best` of two, has 0.33
    and is unique.
    """
    blocks = np.repeat(np.sort(rng.choice(9, 3, replace=False)), [2, 8, 2])  # labels 0, 1 in each
    y = np.array([0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1])
    pattern = np.array([0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1])  # labels along the other feature
    other = np.empty(12)
    for label in (0, 1):
        other[y == label] = rng.permutation(np.flatnonzero(pattern == label))
    return np.column_stack([other, blocks] if best == 0 else [blocks, other]), y


def _line(labels):
    """Return the points 0, 1, 2, ... of a line, labelled with these digits."""
    return np.arange(len(labels))[:, None] * 1.0, np.array(list(labels), dtype=int)


_LINE = _line("01001001001101101101")
_CHAIN = _line("01010102323232")  # without the weights the best split would isolate one observation


def _classes(y):
    """Return Y, (n, K): 1 in the column of the class of each observation."""
    return (y[:, None] == np.unique(y)).astype(np.int64)


def _parts(above, below):
    """Yield the observations of each leaf, (n,) of bool, and those of each leaf that replaces it."""
    for leaf in np.unique(above):
        inside = above == leaf
        yield inside, [inside & (below == side) for side in np.unique(below[inside])]


def _leaves(DecisionTreeClassifier, X, y, **options):
    """Return the leaf of each training observation."""
    return DecisionTreeClassifier(**options).fit(X, y).apply(X)


def _n_leaves(DecisionTreeClassifier, X, y, **options):
    return len(np.unique(_leaves(DecisionTreeClassifier, X, y, **options)))


def _splits(DecisionTreeClassifier, X, y, **options):
    """Yield the observations of each node that is split, and the list of those of its children, by level.

    A tree of depth k + 1 is one of depth k with some of its leaves split. The last level is the tree without
    a limit.
    """
    n_leaves, above = _n_leaves(DecisionTreeClassifier, X, y, **options), np.zeros(len(y))
    for depth in range(len(y) + 1):
        below = _leaves(DecisionTreeClassifier, X, y, max_depth=depth, **options)
        yield from ((inside, parts) for inside, parts in _parts(above, below) if len(parts) > 1)
        if len(np.unique(below)) == n_leaves:
            return
        above = below


def _leaf_proportions(model, X, y):
    """Compare predicted probabilities with the class proportions among the observations of each leaf."""
    leaves = model.apply(X)
    truth = [_classes(y)[leaves == leaf].mean(axis=0) for leaf in leaves]
    return equal("class proportions in each leaf", model.predict_proba(X), truth, rounding(2), X=X)


def _first_feature(DecisionTreeClassifier, X, y):
    """Return the feature of the first split, recovered from the leaves at depth 1; -1 for none."""
    leaves = _leaves(DecisionTreeClassifier, X, y, max_depth=1)
    return _split_of(X, leaves == leaves[0])[0]


def _leaf_counts(leaves, y):
    """Return the class counts of each leaf."""
    return [_counts(y[leaves == leaf]) for leaf in np.unique(leaves)]


def _leaf_errors(leaves, y):
    return sum(sum(counts) - max(counts) for counts in _leaf_counts(leaves, y))


def _reached(tree, X):
    """Return the number of the leaf that each observation reaches in a dictionary of nodes."""
    numbers = np.zeros(len(X), dtype=np.int64)
    for leaf, rows in reference.find_leaves(tree, X):
        numbers[rows] = leaf.number
    return numbers


# ------------------------------------------------------------------- 1 What a tree is
@statement("definition", "1", "Yan, classification tree", "Recitation 7, 3")
def setup(DecisionTreeClassifier, rng):
    r"""A classification tree splits $\mathbb R^d$ by tests $x_j \le t$ into boxes, one for each leaf: every
    $x$ lies in exactly one leaf, and the leaves partition the training observations."""
    X, y = _sample(rng)
    model = DecisionTreeClassifier().fit(X, y)
    points = np.array(list(itertools.product(np.arange(-2, 14) / 2, repeat=3)))  # on the thresholds too
    leaves = model.apply(points)
    strangers = 0
    for leaf in np.unique(leaves):
        low, high = points[leaves == leaf].min(axis=0), points[leaves == leaf].max(axis=0)
        strangers += (((low <= points) & (points <= high)).all(axis=1) & (leaves != leaf)).sum()
    yield equal("points of other leaves in the box of a leaf", strangers, 0, X=X, y=y)
    yield equal("leaves without an observation", len(np.setdiff1d(leaves, model.apply(X))), 0, X=X, y=y)
    yield _leaf_proportions(model, X, y)


@hard_cases(setup)
def neighbouring_numbers(DecisionTreeClassifier):
    """No number lies between these two: the lower one is the threshold, and goes left."""
    near = np.array([[1.0], [np.nextafter(1, 2)]])
    predicted = DecisionTreeClassifier().fit(near, np.arange(2)).predict(near)
    yield equal("predictions on the threshold and above it", predicted, [0, 1])


@statement("formula", "1", "Yan, classification tree", "Recitation 7, 3")
def leaf_vote(DecisionTreeClassifier, rng):
    r"""$\hat f(x) = \arg\max_k\sum_{x_i \in R_j}1\{y_i = k\}$ for $x \in R_j$: the majority makes the
    fewest training errors in its leaf. Of equally frequent classes the first one is predicted."""
    values = np.repeat(np.arange(6.0), 6)
    y = np.concatenate([[0, 0, 1, 1, 2, 2], [2, 0, 0, 2, 1, 1], rng.integers(0, 3, 24)])
    model, T = DecisionTreeClassifier().fit(values[:, None], y), np.arange(6.0)[:, None]
    predicted, counts = (
        model.predict(T),
        np.array([np.bincount(y[values == v], minlength=3) for v in T[:, 0]]),
    )
    votes = np.where(predicted[:, None] == np.arange(3), counts, 0).sum(axis=1)
    yield equal("errors in each leaf against the fewest", 6 - votes, 6 - counts.max(axis=1), y=y)
    yield equal("predictions, the first class on ties", predicted, counts.argmax(axis=1), y=y)
    yield equal("class proportions in each leaf", model.predict_proba(T), counts / 6, rounding(2), y=y)


@hard_cases(leaf_vote, estimators_only="The reference module takes no sample weights.")
def weights_count_copies(DecisionTreeClassifier, rng):
    """An observation of weight k counts as k observations, and one of weight 0 as none."""
    values, y = np.repeat(np.arange(6.0), 6), rng.integers(0, 3, 36)
    times = rng.integers(0, 4, 36, dtype=np.intp)
    y[2::6] = np.arange(6) % 3
    times[2::6] = 3  # some of each value, and of each class
    model = DecisionTreeClassifier().fit(values[:, None], y, sample_weight=times)
    counts = np.array([np.bincount(y[values == v], times[values == v], 3) for v in range(6)])
    truth = counts / counts.sum(axis=1, keepdims=True)
    predicted = model.predict_proba(np.arange(6.0)[:, None])
    yield equal("class proportions by weight", predicted, truth, rounding(20), y=y, times=times)


@statement("figure", "1", "Yan, classification tree")
def saheart_figure(load_saheart):
    r"""South African heart disease: 462 men, 160 with the disease (label 1). The first split is age $\le
    50.5$; of the older men more than half are ill, of the younger ones less than a quarter."""
    data = load_saheart()
    X, y = np.asarray(data.X), as_numbers(data.y, 462)
    yield equal("ill and healthy", [(y == 1).sum(), (y == 0).sum()], [160, 302])
    age, tobacco = (list(data.feature_names).index(name) for name in ("age", "tobacco"))
    best = min(_every_split(X, np.nan_to_num(y).astype(np.int64)))[1:]
    yield equal("best split of all features", best, (age, 50.5))
    more = X[y == 1, tobacco].mean() - X[y == 0, tobacco].mean()
    yield at_least("kg of tobacco that men of label 1 smoked more", more, 2.0)
    young = X[:, age] <= 50.5
    yield at_most("proportion of the ill up to 50", y[young].mean(), 0.25)
    yield at_least("proportion of the ill above 50", y[~young].mean(), 0.5)


@statement("formula", "1", "Yan, impurity function", "Recitation 7, 3")
def pk(one_hot, proportions, rng):
    r"""$p_k = \frac{1}{|R|}\sum_{x_i \in R}1\{y_i = k\}$, where $|R|$ is the number of training observations
    in $R$; an observation of weight $w$ counts $w$ times."""
    y = np.concatenate([[3, 3, 1, 2], rng.integers(1, 4, 12)])
    Y = one_hot(y)
    counts = np.array([Y[:4].sum(axis=0), Y.sum(axis=0), (Y[:4] * [[3], [0], [1], [2]]).sum(axis=0)])
    truth = [[1 / 4, 1 / 4, 1 / 2], [np.mean(y == k) for k in (1, 2, 3)], [1 / 6, 1 / 3, 1 / 2]]
    yield equal(
        "proportions of four, of all, and of four with weights", proportions(counts), truth, rounding(2)
    )


# ------------------------------------------------------------------- 2 Impurity and splits
@statement("formula", "2", "Yan, impurity function")
def gini(gini, rng):
    r"""$\gamma = \sum_kp_k(1 - p_k)$ is the probability that two draws with replacement differ; it lies
    between 0 and $1 - \frac1K$, and $1 - \max_kp_k \le \gamma \le 2(1 - \max_kp_k)$."""
    counts = rng.integers(1, 8, 4).tolist()
    p = np.array([np.divide(counts, sum(counts)), [1 / 4] * 4, [1, 0, 0, 0], [1 / 2, 1 / 2, 0, 0]])
    values, differ = gini(p), sum(a * (sum(counts) - a) for a in counts) / sum(counts) ** 2
    yield equal("probability that two draws differ", values, [differ, 0.75, 0.0, 0.5], rounding(8), p=p)
    rest = 1 - p.max(axis=1)
    yield within("against 1 - max p", values, rest, 2 * rest, rounding(8))


@statement("formula", "2", "Yan, impurity function")
def entropy(entropy, rng):
    r"""$\gamma = -\sum_kp_k\log p_k$ with $0\log0 = 0$: between 0, exactly, at a pure node and $\log K$ at
    equal proportions; the entropy of two independent draws is the sum of theirs."""
    counts = rng.integers(1, 8, 3)
    p = counts / counts.sum()
    value = scalar(entropy(p))
    yield equal("against the sum", value, _entropy(counts), rounding(8, 2), p=p)
    yield equal("a pure node", scalar(entropy(np.array([0.0, 1.0, 0.0]))), 0.0)
    yield equal("equal proportions of 8", scalar(entropy(np.full(8, 1 / 8))), math.log(8), rounding(16, 3))
    pair = scalar(entropy(np.outer(p, [0.25, 0.75]).ravel()))
    yield equal("of a pair of independent draws", pair, value + _entropy([1, 3]), rounding(24, 3))


@statement("definition", "2", "Yan, how to grow a classification tree", "Recitation 7, 3.1")
def split(best_split, rng):
    r"""A split of $R$ at $(j, t)$ is $R_1 = \{x \in R: x_j \le t\}$, $R_2 = \{x \in R: x_j > t\}$. All
    thresholds between two neighbouring values divide the training observations in the same way; the library
    takes the midpoint."""
    X, y = _sample(rng)
    X *= 2
    j, t = _pair(best_split(X, _classes(y)))
    column = X[:, int(j)] if j in range(3) else np.full(len(X), np.nan)
    low, high = column[column <= t], column[column > t]
    yield at_least("observations on each side", [len(low), len(high)], 1, X=X, y=y)
    ends = (low.max(), high.min()) if len(low) and len(high) else (math.nan, math.nan)
    yield equal("threshold against the midpoint of its neighbours", t, sum(ends) / 2, X=X)
    moved = [(column <= s).sum() for s in (ends[0], t, ends[1] - 1e-6)]
    yield equal("observations to the left for other thresholds in between", np.ptp(moved), 0)


@hard_cases(split, estimators_only="The reference module takes the midpoint, which may be rounded up.")
def midpoint_rounded_up(best_split):
    near = np.nextafter([1, np.nextafter(1, 2)], 2)
    t = _pair(best_split(near[:, None], np.eye(2)))[1]
    yield equal("observations to the left of a split between neighbours in float64", (near <= t).sum(), 1)


@statement("algorithm", "2", "Yan, impurity function")
def impurity(best_split, rng, *, n=14):
    r"""The best split minimises $\frac{|R_1|}{|R|}\gamma(R_1) + \frac{|R_2|}{|R|}\gamma(R_2)$ over all
    features $j$ and all thresholds $t$ that leave no child empty. One pass along each sorted feature finds
    it."""
    for X, y in (_sample(rng, n=n, d=2, K=2), _sample(rng, n=n)):
        yield from _is_best(best_split, X, y)


def _is_best(best_split, X, y):
    best, found = _smallest(X, y), best_split(X, _classes(y))
    value = _split_impurity(X, y, _pair(found))
    yield equal("impurity of the split, the smallest of all", value, best, X=X, y=y)
    reported = scalar(getattr(found, "impurity", math.nan))
    yield equal("reported impurity", reported, float(best), rounding(20), X=X, y=y)


@hard_cases(impurity)
def where_other_criteria_choose_other_splits(best_split, rng):
    """Entropy, error rate, the index without a class or without weights; equal values; the last feature."""
    wide = np.column_stack([np.arange(3.0)] * 29 + [[0.0, 1.0, 0.0]]), np.array([0, 1, 0])
    for X, y in (_CHAIN, _line("0000202101"), _equal_values(rng, 0), _equal_values(rng, 1), _LINE, wide):
        yield from _is_best(best_split, X, y)


@statement("theorem", "2", "Yan, impurity function (implicit)", "Breiman et al., 1984, proposition 4.4")
def gain_nonneg(gini, entropy, misclassification, rng):
    r"""For a concave $\gamma$ no split increases the weighted impurity: $w\gamma(p) + (1 - w)\gamma(q) \le
    \gamma(wp + (1 - w)q)$. For Gini and entropy, which are strictly concave, equality needs $p = q$; for
    the error rate it does not."""
    p, q = rng.dirichlet(np.ones(3), (2, 50))
    w = rng.random((50, 1))
    p[0], q[0], w[0] = [0.8, 0.1, 0.1], [0.6, 0.4, 0.0], 0.5  # one majority: no gain for the error rate
    p[1], q[1], w[1] = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.5
    gains = {}
    for name, gamma in (("gini", gini), ("entropy", entropy), ("error rate", misclassification)):
        parts = [as_numbers(gamma(s / s.sum(axis=1, keepdims=True)), 50) for s in (p, q, w * p + (1 - w) * q)]
        gains[name] = parts[2] - w[:, 0] * parts[0] - (1 - w[:, 0]) * parts[1]
        yield at_least(f"decrease by {name}", gains[name], 0.0, rounding(12, 3), p=p, q=q)
    spread = (w * (1 - w))[:, 0] * ((p - q) ** 2).sum(axis=1)
    yield equal("Gini: w(1 - w)|p - q|^2", gains["gini"], spread, rounding(12, 3))
    yield at_least("entropy: at least half of that", gains["entropy"], spread / 2, rounding(12, 3))
    yield equal("error rate: no gain with one majority", gains["error rate"][0], 0.0, rounding(4))
    yield equal("error rate: 1/2 when it separates", gains["error rate"][1], 0.5, rounding(4))


# ------------------------------------------------------------------- 3 Growing
@statement("algorithm", "3", "Yan, how to grow a classification tree")
def growing_by_entropy(DecisionTreeClassifier, rng):
    r"""With the entropy for $\gamma$ growing is the same: each node is split so that
    $\frac{|R_1|}{|R|}\gamma(R_1) + \frac{|R_2|}{|R|}\gamma(R_2)$ is smallest, also where children are of very
    unequal size."""
    for X, y in (_CHAIN, _sample(rng)):
        gaps = [
            _weighted(_counts(y[left]), _counts(y[right]), _entropy) - _smallest(X[s], y[s], _entropy)
            for s, (left, right) in _splits(DecisionTreeClassifier, X, y, criterion=reference.entropy)
        ]
        yield at_least("nodes that are split", len(gaps), 2)
        yield equal("entropy of each split above the smallest", gaps, 0.0, rounding(40, 4), X=X, y=y)


@statement("algorithm", "3", "Yan, how to grow a classification tree", "Recitation 7, 3.1")
def stopping(DecisionTreeClassifier, rng):
    r"""Growing stops at depth $k$, at nodes with fewer than $n_0$ observations, where a child would have
    fewer than $n_{\min}$, and at nodes of one class. Without limits only observations that are equal in every
    feature share a leaf with another class."""
    X, y = _sample(rng, n=60)
    leaves = [_leaves(DecisionTreeClassifier, X, y, max_depth=k) for k in range(5)]
    yield equal("leaves with max_depth=0", len(np.unique(leaves[0])), 1)
    parts = [len(parts) for pair in itertools.pairwise(leaves) for _, parts in _parts(*pair)]
    yield at_most("leaves that one more level makes of a leaf", parts, 2, X=X, y=y)
    every = np.sort([inside.sum() for inside, _ in _splits(DecisionTreeClassifier, X, y)])
    n_0 = int(every[len(every) // 2])
    sizes = np.sort([s.sum() for s, _ in _splits(DecisionTreeClassifier, X, y, min_samples_split=n_0)])
    yield equal(
        f"sizes of the nodes that are split, min_samples_split={n_0}", sizes, every[every >= n_0], X=X
    )
    counts = _leaf_counts(_leaves(DecisionTreeClassifier, X, y, min_samples_leaf=5), y)
    yield at_least("sizes of leaves, min_samples_leaf=5", [sum(c) for c in counts], 5, X=X, y=y)
    places = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    errors = (DecisionTreeClassifier().fit(X, y).predict(X) != y).sum()
    yield equal("training errors without limits", errors, _leaf_errors(places, y), X=X, y=y)


@hard_cases(stopping)
def a_split_into_halves(DecisionTreeClassifier):
    """The best split would separate one observation from five."""
    six = _line("011111")
    n_leaves = [_n_leaves(DecisionTreeClassifier, *six, min_samples_leaf=m) for m in (3, 4)]
    yield equal("leaves of these six observations, min_samples_leaf=3 and 4", n_leaves, [2, 1])


@hard_cases(stopping, estimators_only="In the reference module only a forest considers some features.")
def number_of_features_considered(DecisionTreeClassifier, rng):
    """All d features, or q that are drawn: a number, a fraction, or the root of d, at least 1."""
    wide, y = rng.random((9, 9)), np.arange(9) % 3
    expected = {None: 9, 4: 4, "sqrt": 3, 0.5: 4, 1.0: 9, 0.01: 1}
    found = [DecisionTreeClassifier(max_features=q).fit(wide, y).max_features_ for q in expected]
    yield equal("features considered, of 9", found, list(expected.values()))
    few = DecisionTreeClassifier(max_features="sqrt").fit(wide[:, :3], y)
    yield equal("the root of 3", few.max_features_, 1)


@statement("algorithm", "3", "Recitation 7, 3.1")
def cart_growing(grow, rng):
    r"""CART replaces $B^{(j)}$ by $B^{(2j)} = B^{(j)} \cap \{x_i \le t\}$ and $B^{(2j+1)} = B^{(j)} \cap
    \{x_i > t\}$, starting from $B^{(1)} = \mathbb R^d$, with the best split of each box. A box is split
    if it has several classes and not all of its observations are equal."""
    X, y = _sample(rng, n=40)
    Y = _classes(y)
    boxes = {node.number: node for node in grow(X, Y)}
    split = [node for node in boxes.values() if node.split]
    for node in split:
        below = X[node.rows, node.split.feature] <= node.split.threshold
        for side, inside in ((0, below), (1, ~below)):
            child = boxes.get(2 * node.number + side)
            yield equal(
                "observations of a child", np.sort(getattr(child, "rows", [])), np.sort(node.rows[inside])
            )
    gaps = [_above_smallest(X[node.rows], y[node.rows], _pair(node.split)) for node in split]
    yield equal("impurity of each split above the smallest of its box", max(gaps), 0, X=X, y=y)
    counts = np.array([Y[node.rows].sum(axis=0) for node in boxes.values()])
    yield equal("classes counted in each box", [node.counts for node in boxes.values()], counts)
    differ = [len(np.unique(X[node.rows], axis=0)) > 1 for node in boxes.values()]
    mixed = np.logical_and((counts > 0).sum(axis=1) > 1, differ)
    is_split = [node.split is not None for node in boxes.values()]
    yield equal("boxes that are split: several classes, different observations", is_split, mixed)


@hard_cases(cart_growing)
def boxes_in_preorder(grow, rng):
    """The digits of a number are the sides on the path to its box."""
    X, y = _sample(rng, n=40)
    path = list(grow(X, _classes(y)))
    numbers = [node.number for node in path]
    children = [2 * node.number + side for node in path if node.split for side in (0, 1)]
    yield equal("numbers: 1, and 2j and 2j + 1 for each split box j", sorted(numbers), [1, *sorted(children)])
    yield equal(
        "a box, then all boxes in its left part, then in its right", numbers, sorted(numbers, key=bin)
    )


@hard_cases(cart_growing)
def the_whole_classifier(DecisionTreeClassifier, rng):
    X, y = _sample(rng, n=40)
    yield _leaf_proportions(DecisionTreeClassifier().fit(X, y), X, y)
    nodes = _splits(DecisionTreeClassifier, X, y)
    above = [_above_smallest(X[s], y[s], _split_of(X[s], left[s])) for s, (left, _) in nodes]
    yield equal("impurity of each split above the smallest of its node", max(above, default=2), 0, X=X, y=y)


@statement("claim", "3", "Recitation 7, 3.2")
def cart_cost_split():
    """With the observations of a node sorted by each feature, one pass over each feature finds the best
    split: $dn$ labels are read. Counting each child anew for every threshold reads $dn(n - 1)$."""
    d = 3
    for n in (4, 8, 16, 32):
        labels = [i % 2 for i in range(n)]
        scan = [label for _ in range(d) for label in labels]  # each moves from right to left
        naive = [label for _ in range(d) for i in range(1, n) for label in labels[:i] + labels[i:]]
        yield equal(f"labels read by the scan, n = {n}", len(scan), d * n)
        yield equal(f"labels read by the naive way, n = {n}", len(naive), d * n * (n - 1))


class _Counted(float):
    """A label that counts the arithmetic done with it, and with its results."""

    steps = 0


def _counting(name):
    def step(self, other):
        _Counted.steps += 1
        result = getattr(float, name)(self, other)
        return result if result is NotImplemented else _Counted(result)

    return step


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"):
    setattr(_Counted, f"__{_name}__", _counting(f"__{_name}__"))


def _steps(grow, X, y, depth):
    """Return how many operations on labels it takes to grow a tree of this depth."""
    Y = np.frompyfunc(_Counted, 1, 1)(_classes(y))
    _Counted.steps = 0
    for _ in grow(X, Y, max_depth=depth):
        pass
    return _Counted.steps


@statement("claim", "3", "Recitation 7, 3.2")
def cart_cost_total(DecisionTreeClassifier, grow, rng, *, n=32, k=3):
    r"""The nodes of one level hold at most $n$ observations together, so that depth $k$ costs $O(dnk)$ after
    sorting: «n» observations and four times as many, grown to depth «k», differ by the factor 4 in the
    operations on labels, not by 16. The worst case is a chain that loses one observation at a time:
    $\frac{n(n+1)}2 - 1$ observations in its inner nodes, hence $O(dn^2)$."""
    X, y = rng.random((4 * n, 2)), rng.permutation(4 * n) % 2
    few, many = (_steps(grow, X[:m], y[:m], k) for m in (n, 4 * n))
    yield at_most(
        "operations for four times the observations, against 4^1.5 times those before", many, 8 * few
    )
    m = 15
    chain = np.arange(m)[:, None] * 1.0, np.arange(m) % 2
    sizes = sum(inside.sum() for inside, _ in _splits(DecisionTreeClassifier, *chain))
    yield equal("observations in the inner nodes of the chain", sizes, m * (m + 1) // 2 - 1)


# ------------------------------------------------------------------- 4 What the recitation maximises
@statement("formula", "4 deeper", "Recitation 7, 3.1")
def cart_g(best_split):
    r"""The success of a split is $\frac{n(B_-)}{n(B)}P_{\hat y}(B_-) + \frac{n(B_+)}{n(B)}P_{\hat y}(B_+)$,
    where the children are weighted by their sizes. On twenty points of a line the best split errs on 6; the
    unweighted sum of the two rates prefers to isolate one point and errs on 9."""
    X, y = _LINE
    found = _pair(best_split(X, _classes(y), reference.misclassification))
    yield equal("error of the weighted split", _split_impurity(X, y, found, _error), Fraction(6, 20))
    success = [sum(1 - _error(_counts(side)) for side in (y[:i], y[i:])) for i in range(1, 20)]
    printed = 1 + success.index(max(success))
    yield equal("points that the unweighted split isolates", min(printed, 20 - printed), 1)
    yield equal("its error", _split_impurity(X, y, (0, printed - 0.5), _error), Fraction(9, 20))


@statement("algorithm", "4 deeper", "Recitation 7, 3.1")
def cart_choice(best_split, rng):
    r"""CART takes for each feature $i$ the best threshold $t_i$ and then the feature $i_\star$ whose $t_i$
    is best: a split that is best among all pairs $(i, t)$."""
    for best_feature in (0, 2, 3):
        X, y = rng.integers(0, 6, (20, 4)) * 1.0, np.arange(20) % 2
        X[:, best_feature] = 3 * y + rng.integers(0, 3, 20)  # no other feature separates these labels
        X[:2] = X[0]  # nor this one: two equal observations with different labels
        found = _pair(best_split(X, _classes(y), reference.misclassification))
        lost = _above_smallest(X, y, found, _error)
        yield equal("error of the split above the smallest of all pairs", lost, 0, X=X, y=y)
    X, y = _line("00011111")
    found = _pair(best_split(X, _classes(y), reference.misclassification))
    yield equal("error of the best split of a line", _split_impurity(X, y, found, _error), Fraction(0))
    worst = max(_every_split(X, y, _error))[0]
    yield equal("error of the split with the largest risk", worst, Fraction(3, 8))


# ------------------------------------------------------------------- 5 Greed and the best tree
@statement("formula", "5 deeper", "Recitation 7, 3")
def loss(grow, node_risks, rng):
    r"""The training error of a tree with the leaves $B_1, \dots, B_N$ is $\frac1n\sum_jn(B_j)(1 -
    \max_yP_y(B_j))$: 0 if every leaf has one class."""
    X, y = _sample(rng, n=25)
    for depth in (0, 1, 2, 25):
        tree = {node.number: node for node in grow(X, _classes(y), max_depth=depth)}
        R = node_risks(tree, reference.misclassification)
        value = sum(R[t] for t, node in tree.items() if node.split is None)
        errors = _leaf_errors(_reached(tree, X), y)
        yield equal(f"against the count, depth {depth}", value, errors / 25, rounding(30), X=X, y=y)
    pure, finer = _line("0001111"), _line("0002111")  # the pure box of class 0 is split once more
    printed = [sum((y == 0)[y == k].mean() for k in np.unique(y)) for y in (pure[1], finer[1])]
    yield equal("printed sum of the proportions of class 0, of pure boxes", printed, [1.0, 1.0])
    boxes = np.array([0, 0, 1, 2, 2, 2, 2])
    printed = sum((pure[1] == 0)[boxes == b].mean() for b in np.unique(boxes))
    yield equal("printed sum after a pure box of class 0 is split", printed, 2.0)


@statement("definition", "5 deeper", "Recitation 7, 3")
def hypothesis_class():
    r"""The trees of depth at most $k$ are the functions that are constant on the boxes of at most $2^k - 1$
    splits. Formally there are $N_k = (dn)^{2^k - 1}\,2^{2^k}$ full trees with $n$ thresholds a feature
    and two labels: $N_{k+1} = dn\,N_k^2$."""
    for n, d in ((1, 1), (2, 1), (1, 2)):
        trees: list = [0, 1]
        for k in range(3):
            yield equal(f"N_{k}, n = {n}, d = {d}, enumerated", len(trees), _formal_trees(n, d, k))
            pairs = itertools.product(trees, repeat=2)
            trees = list(itertools.product(range(d), range(n), pairs)) if k < 2 else []


def _formal_trees(n, d, k):
    return (d * n) ** (2**k - 1) * 2 ** (2**k)


@statement("claim", "5 deeper", "Recitation 7, 3", "Hyafil and Rivest, 1976")
def np_():
    """For fixed depth $k$ the number of trees is a polynomial in $d$ of degree $2^k - 1$: doubling $d$
    multiplies it by $2^{2^k - 1}$. It is doubly exponential in $k$ (deciding whether a small enough tree
    exists is NP-complete when the size is part of the input; a polynomial algorithm exists if and only if P
    = NP)."""
    ratios = [Fraction(_formal_trees(5, 6, k), _formal_trees(5, 3, k)) for k in range(5)]
    yield equal("doubling d, k = 0 to 4", ratios, [Fraction(2 ** (2**k - 1)) for k in range(5)])
    cubic = [_formal_trees(2, d, 2) for d in range(1, 7)]
    yield equal("third differences in d, depth 2: 3! times 2^3 2^4", np.diff(cubic, 3), [6 * 2**7] * 3)
    digits = np.array([_formal_trees(5, 3, k).bit_length() for k in range(3, 7)])
    yield at_least("digits against twice those of k - 1, k = 4 to 6", digits[1:], 2 * digits[:-1] - 2)


@statement("definition", "5", "Recitation 7, 3")
def erm(best_tree, DecisionTreeClassifier, rng):
    r"""$h^\star = \arg\min_{h \in \mathcal H^k}L_S(h)$ over all trees of depth at most $k$ is not what
    greed finds: on an XOR with a third, weakly informative feature the best tree of depth 2 makes no error,
    while CART uses the third feature first and errs on two observations in five."""
    a, b, i = np.array(list(itertools.product((0, 1), (0, 1), range(5))))[rng.permutation(20)].T
    y = a ^ b
    X = np.column_stack([a, b, y ^ (i > 2)]) * 1.0  # the third is right on three of five at each corner
    best = best_tree(X, _classes(y), 2)
    yield equal("errors of the best tree of depth 2", _leaf_errors(_reached(best, X), y), 0, X=X, y=y)
    greedy = DecisionTreeClassifier(max_depth=2).fit(X, y)
    yield equal("first feature of CART", _first_feature(DecisionTreeClassifier, X, y), 2)
    yield equal("errors of CART", (greedy.predict(X) != y).sum(), 8)


@hard_cases(erm)
def against_all_triples_of_splits(best_tree, rng):
    """With random labels every leaf has errors; between two neighbouring numbers lies a threshold."""
    near = np.array([[1.0], [np.nextafter(1, 2)]])
    leaves = _reached(best_tree(near, np.eye(2), 2), near)
    yield equal("leaves of two neighbouring numbers", leaves, [2, 3], X=near)
    for K in (2, 4):
        X, y = _sample(rng, n=10, d=2)[0], rng.integers(0, K, 10)
        tree = best_tree(X, _classes(y), 2)
        triples = itertools.product([X[:, j] <= t for j, t in _all_splits(X)], repeat=3)
        fewest = min(_leaf_errors(2 * root + np.where(root, a, b), y) for root, a, b in triples)
        errors = _leaf_errors(_reached(tree, X), y)
        yield equal(f"{K} classes, against all triples of splits", errors, fewest, X=X, y=y)
        yield at_most("largest number of a node of depth 2", max(tree), 7)


@statement("claim", "5", "Yan, insights")
def unstable(DecisionTreeClassifier):
    """Small changes of the data can change the whole tree: one label of ten decides which feature is split
    first."""
    yield equal("labels that differ", (_FLIP["before"] != _FLIP["after"]).sum(), 1)
    for first, (name, labels) in enumerate(_FLIP.items()):
        feature = _first_feature(DecisionTreeClassifier, _PAIR, labels)
        yield equal(f"first feature {name} the flip", feature, first)


_PAIR = np.array([[0, 0]] * 3 + [[1, 1]] * 4 + [[0, 1]] * 2 + [[1, 0]], dtype=float)
_FLIP = {
    "before": np.array([0, 0, 0, 1, 1, 1, 1, 0, 1, 1]),  # feature 0 errs once, feature 1 twice
    "after": np.array([0, 0, 0, 1, 1, 1, 1, 0, 1, 0]),  # the other way round
}


@statement("claim", "5", "Yan, insights")
def interpretable(DecisionTreeClassifier):
    """A tree can be read, but it shows association, not cause: where a disease, which depends on a risk
    factor, almost always produces a symptom, the tree splits by the symptom first."""
    cells = np.repeat([[1, 1, 1], [1, 0, 0], [0, 1, 1], [0, 0, 0]], [20, 30, 5, 45], axis=0)
    X, y = cells[:, :2] * 1.0, cells[:, 2]  # half are exposed; 40 % of them are ill, 10 % of the others
    X[[0, 20, 50, 55], 1] = [0, 1, 0, 1]  # the symptom errs once in each group
    feature = _first_feature(DecisionTreeClassifier, X, y)
    yield equal("first feature (0 the cause, 1 the symptom)", feature, 1)
    cause = _split_impurity(X, y, (0, 0.5))
    yield at_most("impurity of the split by the symptom", _split_impurity(X, y, (1, 0.5)), cause / 2)
    ill = DecisionTreeClassifier(max_depth=1).fit(X, y).predict(X * [1, 0])
    both = "truly ill, and ill according to the tree once the symptom is treated"
    yield equal(both, [y.sum(), ill.sum()], [25, 0])


@hard_cases(interpretable, estimators_only="The reference module does not print trees.")
def trees_as_text(DecisionTreeClassifier):
    corner = DecisionTreeClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    rain = ["rain <= 0.5: 0 (2 rows)", "rain > 0.5"]
    lines = [*rain, "    cold <= 0.5: 0 (1 row)", "    cold > 0.5: 1 (1 row)"]
    yield equal("the tree of an AND", corner.to_text(["rain", "cold"]).splitlines(), lines)
    leaf = DecisionTreeClassifier().fit([[0], [1]], [7, 7]).to_text()
    yield equal("a leaf", leaf, "always: 7 (2 rows)")


# ------------------------------------------------------------------- 6 Pruning
def _pruned_subtrees(R, t):
    """Return the pairs (risk, leaves) of all pruned subtrees of the branch at t, given R of the nodes."""
    pairs = {(R[t], 1)}
    if 2 * t in R:
        below = itertools.product(_pruned_subtrees(R, 2 * t), _pruned_subtrees(R, 2 * t + 1))
        pairs |= {(low[0] + high[0], low[1] + high[1]) for low, high in below}
    return pairs


def _flipped_line(rng):
    X, y = _line("0000010011111110")
    y[rng.choice([1, 3, 13])] ^= 1
    return X, y


@statement("theorem", "6", "Breiman et al., 1984, theorems 3.7 and 3.10")
def pruning(grow, node_risks, weakest_links, rng):
    r"""Collapsing the weakest link again and again gives nested trees $T_0 \supset T_1 \supset \dots \supset
    \{\text{root}\}$ and $0 = \alpha_0 < \alpha_1 < \dots$ such that $T_i$ has the smallest $R(T) +
    \alpha|T|$ of *all* pruned subtrees for $\alpha_i \le \alpha \le \alpha_{i+1}$, and the fewest leaves of
    these if $\alpha < \alpha_{i+1}$."""
    X, y = _flipped_line(rng)
    tree = {node.number: node for node in grow(X, _classes(y))}
    R = {t: Fraction(len(node.rows), 16) * _gini(_counts(y[node.rows])) for t, node in tree.items()}
    every = np.array(sorted(_pruned_subtrees(R, 1)), dtype=np.float64)
    risks = node_risks(tree)
    yield equal("risks of the nodes", [risks[t] for t in R], [float(r) for r in R.values()], rounding(20))
    alphas, trees = zip(*weakest_links(tree, risks), strict=True)
    yield equal("first alpha", float(alphas[0]), 0.0)
    yield at_least("steps of alpha", np.diff(alphas, append=alphas[-1] + 1), 1e-12)
    steps = np.append(alphas, alphas[-1] + 1)
    yield from _are_cheapest("between two alphas", trees, (steps[1:] + steps[:-1]) / 2, every, X, y)


def _are_cheapest(what, trees, alphas, every, X, y):
    """Compare pruned trees with the (risk, leaves) of every pruned subtree, each tree at its alpha."""
    costs = every[:, 0] + alphas[:, None] * every[:, 1]
    smallest = costs.min(axis=1)
    fewest = np.where(costs <= smallest[:, None] + 1e-9, every[:, 1], np.inf).min(axis=1)
    leaves = [_leaf_counts(_reached(pruned, X), y) for pruned in trees]
    risk = [float(sum(Fraction(sum(c), len(y)) * _gini(c) for c in tree)) for tree in leaves]
    n_leaves = np.array([len(tree) for tree in leaves])
    yield equal(
        f"cost {what}, against all subtrees", risk + alphas * n_leaves, smallest, rounding(60, 20), y=y
    )
    yield equal(f"number of leaves {what}, against the fewest", n_leaves, fewest, y=y)


@hard_cases(pruning)
def pruned_at_any_alpha(grow, node_risks, weakest_links, prune, rng):
    """At the alphas themselves the smaller tree is taken."""
    X, y = _flipped_line(rng)
    tree = {node.number: node for node in grow(X, _classes(y))}
    risks = node_risks(tree)
    exact = {t: Fraction(len(node.rows), 16) * _gini(_counts(y[node.rows])) for t, node in tree.items()}
    every = np.array(sorted(_pruned_subtrees(exact, 1)), dtype=np.float64)
    steps = np.array([alpha for alpha, _ in weakest_links(tree, risks)])
    alphas = np.concatenate([steps + 1e-9, np.append((steps[1:] + steps[:-1]) / 2, 2 * steps[-1] + 1)])
    yield from _are_cheapest("at some alpha", [prune(tree, risks, a) for a in alphas], alphas, every, X, y)


@hard_cases(
    pruning, estimators_only="The reference module stores nothing but numbers: children are 2t, 2t + 1."
)
def trees_as_arrays(DecisionTreeClassifier, rng):
    X, y = _flipped_line(rng)
    tree = DecisionTreeClassifier().fit(X, y).tree_
    nodes = sorted(reference.grow(X, _classes(y)), key=lambda node: bin(node.number))
    place = {node.number: t for t, node in enumerate(nodes)}
    children = [[place.get(2 * t + side, -1) for t in place] for side in (0, 1)]
    yield equal("children of each node, -1 for none", [tree.left, tree.right], children)
    sizes = [len(node.rows) for node in nodes], [t.bit_length() - 1 for t in place]
    yield equal("observations and depth of each node", [tree.n_rows, tree.depth], sizes)


@statement(
    "algorithm",
    "6",
    "Breiman et al., 1984, section 3.4.3",
    estimators_only="The reference module does not cross-validate.",
)
def price(choose_alpha, DecisionTreeClassifier, rng):
    r"""From each interval between $\alpha_i$ and $\alpha_{i+1}$ cross-validation tries
    $\sqrt{\alpha_i\alpha_{i+1}}$: the tree of a fold, pruned with this $\alpha$, predicts the observations
    left out. The one-standard-error rule takes the largest $\alpha$ whose error is at most the smallest plus
    one standard error."""
    X, y = _sample(rng, n=32, d=2, K=2)
    part = rng.permutation(32) % 4  # errors are multiples of 1/32, which are exact
    folds = [(np.flatnonzero(part != f), np.flatnonzero(part == f)) for f in range(4)]
    choice = choose_alpha(DecisionTreeClassifier(), X, y, folds)
    steps = DecisionTreeClassifier().cost_complexity_pruning_path(X, y).ccp_alphas
    tried = np.sqrt(steps * np.append(steps[1:], steps[-1]))
    yield equal("alphas that are tried", choice.alphas, tried, rounding(4), X=X, y=y)

    def error(alpha, training, test):
        tree = DecisionTreeClassifier(ccp_alpha=alpha).fit(X[training], y[training])
        return (tree.predict(X[test]) != y[test]).mean()

    wrong = [[error(alpha, *fold) for alpha in choice.alphas] for fold in folds]
    errors, deviations = np.mean(wrong, axis=0), np.std(wrong, axis=0, ddof=1) / 2
    yield equal("errors on the observations left out", choice.errors, errors)
    yield equal("standard errors", choice.standard_errors, deviations, rounding(8))
    best = np.flatnonzero(errors == errors.min())[-1]
    chosen = choice.alphas[best], choice.alphas[errors <= errors[best] + deviations[best]][-1]
    yield equal(
        "alpha of the smallest error, within one standard error", [choice.best, choice.simplest], chosen
    )


@hard_cases(price)
def ends_of_the_path(choose_alpha, DecisionTreeClassifier, rng):
    X, y = _sample(rng, n=32, d=2, K=2)
    steps = DecisionTreeClassifier().cost_complexity_pruning_path(X, y).ccp_alphas
    leaves = [_n_leaves(DecisionTreeClassifier, X, y, ccp_alpha=a) for a in [*steps, steps[-1] + 1]]
    full = _n_leaves(DecisionTreeClassifier, X, y)
    yield equal("leaves at the first alpha, the last and beyond", [leaves[0], *leaves[-2:]], [full, 1, 1])
    yield at_most("change of the leaves at each alpha", np.diff(leaves[:-1]), -1)
    one_fold = [(np.arange(16), np.arange(16, 32))]
    yield equal("one fold is refused", refuses(choose_alpha, DecisionTreeClassifier(), X, y, one_fold), True)


@statement("formula", "6", "Breiman et al., 1984, section 5.3.4")
def importances(DecisionTreeClassifier, rng):
    """The importance of feature $j$ is the sum of $R(t) - R(t_L) - R(t_R)$ over the nodes that are split by
    it, divided by the sum over all nodes. It is measured on the training set: a feature of pure noise has
    positive importance."""
    rows = "001 100 101 101 001 010 100 010 011 010"
    X, y = np.array([list(row) for row in rows.split()], dtype=float), _line("0111000110")[1]
    # the risk falls by 5/60 at the root, which is split by feature 0, and by 4/60 and 3/60 at its children
    found = DecisionTreeClassifier(max_depth=2).fit(X, y).feature_importances_
    yield equal("fractions of the decrease", found, [5 / 12, 4 / 12, 3 / 12], rounding(100))
    noise = np.column_stack([np.arange(30) % 2, rng.permutation(30)]).astype(float)
    labels = np.where(np.arange(30) % 5 == 0, 1, 0) ^ (np.arange(30) % 2)  # right on four of five
    found = DecisionTreeClassifier().fit(noise, labels).feature_importances_[1]
    yield at_least("importance of a feature of noise", found, 0.1)


@hard_cases(importances)
def a_leaf_alone(DecisionTreeClassifier):
    """Where nothing is split, no feature is important."""
    found = DecisionTreeClassifier().fit(np.ones((3, 2)), np.array([0, 1, 1])).feature_importances_
    yield equal("importances without a split", found, [0.0, 0.0])


# ------------------------------------------------------------------- 7 What the notes got wrong
@correction("wrong", "7 deeper", "Yan, impurity function")
def erratum_y41(best_split):
    r"""Printed: The best split minimises the impurity over $j$ and $t$.
    Right: Over those that leave no child empty (else $|R_1| = 0$ and $p_k = 0/0$), with $0\log0 = 0$ and a
    rule for ties."""
    X, y = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]]), np.array([0, 1, 0])
    found = best_split(X, _classes(y), reference.entropy)
    feature, threshold = _pair(found)
    yield equal("feature: the constant one allows no split", feature, 1.0)
    yield within("observations in the left child", (X[:, 1] <= threshold).sum(), 1, 2)
    reported = scalar(getattr(found, "impurity", math.nan))
    yield equal("impurity with a pure child", reported, 2 / 3 * math.log(2), rounding(8))
    yield equal("no split of a constant feature", best_split(X[:, :1], _classes(y)) is None, True)


@correction("wrong", "7 deeper", "Yan, insights")
def erratum_y42(best_tree):
    """Printed: Trees are unstable due to the use of greedy search.
    Right: Not only: the best of all trees with one split, found without any greed, changes its feature
    with one label as well."""
    yield equal("labels that differ", (_FLIP["before"] != _FLIP["after"]).sum(), 1)
    for first, (name, labels) in enumerate(_FLIP.items()):
        tree = best_tree(_PAIR, _classes(labels), 1)
        feature = _pair(tree[1].split)[0]
        yield equal(f"best first feature {name} the flip", feature, first)
        errors = [_leaf_errors(x, labels) for x in _PAIR.T]
        yield at_most("its errors against the other feature's", errors[first], errors[1 - first] - 1)


@correction("wrong", "7 deeper", "Recitation 7, 3")
def erratum_r16(best_tree, rng):
    r"""Printed: The problem is NP-complete, so there is no polynomial algorithm.
    Right: Its decision form is; there is none if P $\ne$ NP; and for fixed depth trying all trees is
    polynomial."""
    X = np.column_stack([rng.integers(0, 6, 12), rng.permutation(12)]) * 1.0
    y = np.isin(X[:, 1], [5, 6, 7, 9, 10, 11]) * 1  # a stump helps
    errors = _leaf_errors(_reached(best_tree(X, _classes(y), 1), X), y)
    best = min(_leaf_errors(X[:, j] <= t, y) for j, t in [*_all_splits(X), (0, 99.0)])
    yield equal("errors of the best stump, found exactly", errors, best, X=X, y=y)
    yield at_most("splits that had to be tried, at most d(n - 1)", len(list(_all_splits(X))), 22)


@correction("sharper", "7 deeper", "Recitation 7, 3.2")
def erratum_r18(grow, rng, *, k=4):
    r"""Printed: A tree of depth $k$ takes $O(dn\,2^k)$ steps.
    Right: True, and loose: $O(dnk)$ after sorting, since the nodes of one level hold the $n$ observations
    together. Depth $k = «k»$ takes less than $2k$ times the operations of the first level, not $2^k - 1$
    times. The bound $O(dn^2)$ is right."""
    m = 2**k
    box = rng.permutation(np.repeat(np.arange(m), m - 1))
    X = (box[:, None] >> rng.permutation(k) & 1) * 1.0  # the highest bit separates best: a split into halves
    y = np.zeros(len(box), dtype=np.int64)
    for j in range(m):
        y[np.flatnonzero(box == j)[:j]] = 1  # j of m - 1 observations
    one, deep = (_steps(grow, X, y, depth) for depth in (1, k))
    yield at_most(f"operations on labels, depth {k}, against those of depth 1", deep, 2 * k * one, X=X, y=y)


erratum_y40 = misprint(
    "tree.y40",
    "7 deeper",
    "Yan, how to grow a classification tree",
    """
    Printed: Choose a covariate $X_i$ ... $R_1(j, t)$; $|R|$ without a definition.
    Right: Choose a feature $j$; $|R|$ is the number of training observations in $R$.""",
)
erratum_r13 = misprint(
    "tree.r13",
    "7 deeper",
    "Recitation 7, 3.1",
    r"""
    Printed: $i_\star = \arg\max_{t \in [d]}g_i(t_i)$.
    Right: $i_\star = \arg\max_{i \in [d]}g_i(t_i)$.""",
)
erratum_y43 = interpretable.corrects(
    "y43",
    "wrong",
    "7 deeper",
    "Yan, insights",
    r"""
    Printed: A tree allows reasoning about the cause of diseases.
    Right: About association: a tree splits by whatever predicts best, an effect
    of the disease as well.""",
)
erratum_y44 = saheart_figure.corrects(
    "y44",
    "wrong",
    "7 deeper",
    "Yan, classification tree",
    r"""
    Printed: South African heart disease: '0' = yes, disease; '1' = no.
    Right: The public table codes disease as 1: 160 of 462 men.""",
)
erratum_r10 = loss.corrects(
    "r10",
    "wrong",
    "7 deeper",
    "Recitation 7, 3",
    r"""
    Printed: $L(B_1, \dots, B_N) = \sum_jP_1^S(B_j)$.
    Right: $L = \frac1n\sum_jn(B_j)\,(1 - \max_yP_y^S(B_j))$.""",
)
erratum_r11 = cart_g.corrects(
    "r11",
    "wrong",
    "7 deeper",
    "Recitation 7, 3.1",
    r"""
    Printed: $g_i(t) = P(B_-) + P(B_+)$.
    Right: $\frac{n(B_-)}{n(B)}P(B_-) + \frac{n(B_+)}{n(B)}P(B_+)$.""",
)
erratum_r12 = cart_choice.corrects(
    "r12",
    "wrong",
    "7 deeper",
    "Recitation 7, 3.1",
    r"""
    Printed: $P$ is the optimal misclassification *risk*, and $t_i = \arg\max g_i$.
    Right: $P$ is the success rate of the majority, then argmax is right; of the risk it
    would take a worst split.""",
)
erratum_r14 = cart_growing.corrects(
    "r14",
    "wrong",
    "7 deeper",
    "Recitation 7, 3.1",
    r"""
    Printed: $B_{+,t}^{(j)} = \{x : x_i > t\}$.
    Right: $B_{+,t}^{(j)} = B^{(j)} \cap \{x : x_i > t\}$.""",
)
erratum_r15 = np_.corrects(
    "r15",
    "wrong",
    "7 deeper",
    "Recitation 7, 3",
    r"""
    Printed: The number of trees is exponential in the number of features and the depth.
    Right: For fixed depth $k$ polynomial in $d$, of degree $2^k - 1$;
    doubly exponential in $k$.""",
)
erratum_r17 = cart_cost_split.corrects(
    "r17",
    "sharper",
    "7 deeper",
    "Recitation 7, 3.2",
    r"""
    Printed: A split takes $O(dn)$.
    Right: If the observations are sorted by each feature beforehand; counting anew for each threshold takes
    $O(dn^2)$.""",
)
