"""The statements on classification trees as executable claims, in the order of the lecture.

Counts are integers and impurities exact fractions, computed here; a cut is judged by the partition that it
makes of the rows, so that any of several equally good cuts is accepted.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, misprint, rounding, statement, within
from mlnotes.checking.outputs import as_numbers, fit_copies, refuses, scalar

OUTPUTS = {
    "DecisionTreeClassifier.apply": "(n,)", "DecisionTreeClassifier.predict": "(n,)",
    "DecisionTreeClassifier.predict_proba": "(n, K)", "DecisionTreeClassifier.feature_importances_": "(d,)",
    "best_split.decrease": "number", "best_split.impurity": "number", "class_shares": "(K,)", "gini": "(n,)",
    "partition_loss": "number",
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
    """Return the number of rows of each class as Python integers."""
    return [int(c) for c in np.bincount(y, minlength=2)]


def _cut_impurity(X, y, cut, impurity=_gini):
    """Return the weighted impurity of the children of a cut in fractions; 2 for a cut that is none."""
    j, t = cut
    if not (j in range(X.shape[1]) and X[:, int(j)].min() <= t < X[:, int(j)].max()):
        return Fraction(2)
    left = X[:, int(j)] <= t
    return _weighted(_counts(y[left]), _counts(y[~left]), impurity)


def _weighted(one, other, impurity):
    """Return the weighted impurity of two children in fractions, given their counts of the classes."""
    n, m = sum(one), sum(other)
    if impurity is _gini:  # over one denominator: most of the time goes here
        pairs = m * (n * n - sum(c * c for c in one)) + n * (m * m - sum(c * c for c in other))
        return Fraction(pairs, n * m * (n + m))
    return Fraction(n, n + m) * impurity(one) + Fraction(m, n + m) * impurity(other)


def _weighed_cuts(X, y, impurity=_gini):
    """Yield (weighted impurity, feature, threshold) of all cuts; one product counts for all of a feature."""
    Y = (y[:, None] == np.unique(y)).astype(np.int64)
    for j, x in enumerate(X.T):
        values = np.unique(x)
        thresholds = (values[:-1] + values[1:]) / 2
        left = (x <= thresholds[:, None]) @ Y  # (cuts, K)
        for t, one, other in zip(thresholds, left.tolist(), (Y.sum(axis=0) - left).tolist(), strict=True):
            yield _weighted(one, other, impurity), j, t


def _least(X, y, impurity=_gini):
    """Return the least weighted impurity of all cuts."""
    return min(weighted for weighted, _, _ in _weighed_cuts(X, y, impurity))


def _above_best(X, y, cut, impurity=_gini):
    """Return the impurity of a cut less the least of all cuts."""
    return _cut_impurity(X, y, cut, impurity) - _least(X, y, impurity)


def _all_cuts(X):
    for j in range(X.shape[1]):
        for low, high in itertools.pairwise(np.unique(X[:, j])):
            yield j, (low + high) / 2


def _cut_of(X, side):
    """Return feature and threshold of the first cut that parts these rows from the others; -1 for none."""
    for j, t in _all_cuts(X):
        left = X[:, j] <= t
        if (side == left).all() or (side != left).all():
            return j, t
    return -1, math.nan


def _answer(split):
    """Return feature and threshold of a cut; NaN for what is none."""
    return scalar(getattr(split, "feature", math.nan)), scalar(getattr(split, "threshold", math.nan))


def _rows(rng, n=24, d=3, K=3):
    """Return integer rows with ties and labels that depend on them; all K classes occur."""
    X = rng.integers(0, 6, (n, d)).astype(np.float64)
    y = ((X[:, -1] > 2) + (rng.random(n) < 0.3)) % K
    y[:K] = np.arange(K)
    return X, y.astype(np.int64)


def _equal_values(rng, best):
    """Return rows of which eight share the value of a feature, sorted by label: no cut goes between them.

    One that did would have children of Gini index 0.28; the best cut, by feature `best` of two, has 0.33 and
    is the only one.
    """
    blocks = np.repeat(np.sort(rng.choice(9, 3, replace=False)), [2, 8, 2])  # labels 0, 1 in each
    y = np.array([0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1])
    pattern = np.array([0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1])  # labels along the other feature
    other = np.empty(12)
    for label in (0, 1):
        other[y == label] = rng.permutation(np.flatnonzero(pattern == label))
    return np.column_stack([other, blocks] if best == 0 else [blocks, other]), y


def _line(labels):
    """Return the rows 0, 1, 2, ... of one feature, with these digits for labels."""
    return np.arange(len(labels))[:, None] * 1.0, np.array(list(labels), dtype=int)


_LINE = _line("01001001001101101101")
_CHAIN = _line("01010102323232")  # children are unequal: the sum without their shares would isolate one row


def _in_classes(y):
    """Return Y, (n, K): 1 in the column of the class of each row."""
    return (y[:, None] == np.unique(y)) * 1.0


def _sides(above, below):
    """Yield the rows of each leaf, (n,) of bool, and those of each leaf that replaces it, a list of such."""
    for leaf in np.unique(above):
        inside = above == leaf
        yield inside, [inside & (below == side) for side in np.unique(below[inside])]


def _leaves(DecisionTreeClassifier, X, y, **options):
    """Return the leaf of each row in the tree of these rows."""
    return DecisionTreeClassifier(**options).fit(X, y).apply(X)


def _n_leaves(DecisionTreeClassifier, X, y, **options):
    return len(np.unique(_leaves(DecisionTreeClassifier, X, y, **options)))


def _grown(DecisionTreeClassifier, X, y, **options):
    """Yield the rows of each node that is cut and the list of those of its parts, level by level.

    A tree of depth k + 1 is one of depth k with some of its leaves cut. The last level is the tree without
    a limit.
    """
    n_leaves, above = _n_leaves(DecisionTreeClassifier, X, y, **options), np.zeros(len(y))
    for depth in range(len(y) + 1):
        below = _leaves(DecisionTreeClassifier, X, y, max_depth=depth, **options)
        yield from ((rows, sides) for rows, sides in _sides(above, below) if len(sides) > 1)
        if len(np.unique(below)) == n_leaves:
            return
        above = below


def _answers_shares(model, X, y):
    """Compare the answers of a tree with the shares of the classes among the rows of each leaf."""
    leaves = model.apply(X)
    shares = [_in_classes(y)[leaves == leaf].mean(axis=0) for leaf in leaves]
    return equal("shares of the rows of each leaf", model.predict_proba(X), shares, rounding(2), X=X)


def _first_question(DecisionTreeClassifier, X, y):
    """Return the feature that a tree asks for first, told by its leaves at depth 1; -1 if for none."""
    leaves = _leaves(DecisionTreeClassifier, X, y, max_depth=1)
    return _cut_of(X, leaves == leaves[0])[0]


# ------------------------------------------------------------------- 1 What a tree is
@statement("definition", "1", "Yan, classification tree", "Recitation 7, 3")
def setup(DecisionTreeClassifier, rng):
    r"""A classification tree cuts $\mathbb R^d$ by questions $x_j \le t$ into boxes, one a leaf: every $x$
    lies in exactly one leaf, and the leaves partition the training rows."""
    X, y = _rows(rng)
    model = DecisionTreeClassifier().fit(X, y)
    points = np.array(list(itertools.product(np.arange(-2, 14) / 2, repeat=3)))  # on the thresholds too
    leaves, strangers = model.apply(points), 0
    for leaf in np.unique(leaves):
        low, high = points[leaves == leaf].min(axis=0), points[leaves == leaf].max(axis=0)
        strangers += (((low <= points) & (points <= high)).all(axis=1) & (leaves != leaf)).sum()
    yield equal("points of other leaves in the box of a leaf", strangers, 0, X=X, y=y)
    near = np.array([[1.0], [np.nextafter(1, 2)]])  # no number lies between: the lower one is the threshold
    told = DecisionTreeClassifier().fit(near, np.arange(2)).predict(near)
    yield equal("labels of a row on the cut and of one above it", told, [0, 1])
    yield equal("leaves without a row", len(np.setdiff1d(leaves, model.apply(X))), 0, X=X, y=y)
    yield _answers_shares(model, X, y)


@statement("formula", "1", "Yan, classification tree", "Recitation 7, 3")
def leaf_vote(DecisionTreeClassifier, rng):
    r"""$\hat f(x) = \arg\max_k\sum_{x_i \in R_j}1\{y_i = k\}$ for $x \in R_j$: the majority makes the
    fewest training errors in its leaf. Of equally frequent labels the smallest answers. A row of weight $k$
    counts as $k$ rows."""
    values = np.repeat(np.arange(6.0), 6)
    y = np.concatenate([[0, 0, 1, 1, 2, 2], [2, 0, 0, 2, 1, 1], rng.integers(0, 3, 24)])
    model, T = DecisionTreeClassifier().fit(values[:, None], y), np.arange(6.0)[:, None]
    answers, counts = model.predict(T), np.array([np.bincount(y[values == v], minlength=3) for v in range(6)])
    votes = np.where(answers[:, None] == np.arange(3), counts, 0).sum(axis=1)
    yield equal("errors in each leaf against the fewest", 6 - votes, 6 - counts.max(axis=1), y=y)
    yield equal("labels, the smallest on ties", answers, counts.argmax(axis=1), y=y)
    yield equal("shares of the classes in each leaf", model.predict_proba(T), counts / 6, rounding(2), y=y)
    times = rng.integers(0, 4, 36, dtype=np.intp)
    times[2::6] = 3  # some of each value, and of each class
    weighted = fit_copies(DecisionTreeClassifier(), times, values[:, None], y)
    counts = np.array([np.bincount(y[values == v], times[values == v], 3) for v in range(6)])
    shares = counts / counts.sum(axis=1, keepdims=True)
    yield equal("shares of weighted rows", weighted.predict_proba(T), shares, rounding(20), y=y, times=times)


@statement("figure", "1", "Yan, classification tree")
def saheart_figure(load_saheart):
    r"""South African heart disease: 462 men, 160 with the disease (label 1). The first question is age $\le
    50.5$; of the older men more than half are ill, of the younger ones less than a quarter."""
    data = load_saheart()
    X, y = np.asarray(data.X), as_numbers(data.y, 462)
    yield equal("ill and healthy", [(y == 1).sum(), (y == 0).sum()], [160, 302])
    age, tobacco = (list(data.feature_names).index(name) for name in ("age", "tobacco"))
    best = min(_weighed_cuts(X, np.nan_to_num(y).astype(np.int64)))[1:]
    yield equal("best cut of all features", best, (age, 50.5))
    more = X[y == 1, tobacco].mean() - X[y == 0, tobacco].mean()
    yield at_least("kg of tobacco that men of label 1 smoked more", more, 2.0)
    young = X[:, age] <= 50.5
    yield at_most("share of the ill up to 50", y[young].mean(), 0.25)
    yield at_least("share of the ill above 50", y[~young].mean(), 0.5)


@statement("formula", "1", "Yan, impurity function", "Recitation 7, 3")
def pk(class_shares, rng):
    r"""$p_k = \frac{1}{|R|}\sum_{x_i \in R}1\{y_i = k\}$, where $|R|$ is the number of training rows in
    $R$: at least one, for an empty node has no shares."""
    y = np.concatenate([[3, 3, 1], rng.integers(1, 4, 12)])
    truth = [np.mean(y == k) for k in (1, 2, 3, 4)]
    yield equal("shares", class_shares(y, [1, 2, 3, 4]), truth, rounding(2), y=y)
    yield equal("an empty node is refused", refuses(class_shares, [], [1, 2]), True)


# ------------------------------------------------------------------- 2 Impurity and cuts
@statement("formula", "2", "Yan, impurity function")
def gini(gini, rng):
    r"""$\gamma = \sum_kp_k(1 - p_k)$ is the chance that two draws with replacement differ; it lies between
    0 and $1 - \frac1K$, and $1 - \max_kp_k \le \gamma \le 2(1 - \max_kp_k)$."""
    counts = rng.integers(1, 8, 4).tolist()
    p = np.array([np.divide(counts, sum(counts)), [1 / 4] * 4, [1, 0, 0, 0], [1 / 2, 1 / 2, 0, 0]])
    values, differ = gini(p), sum(a * (sum(counts) - a) for a in counts) / sum(counts) ** 2
    yield equal("chance that two draws differ", values, [differ, 0.75, 0.0, 0.5], rounding(8), p=p)
    rest = 1 - p.max(axis=1)
    yield within("against 1 - max p", values, rest, 2 * rest, rounding(8))


@statement("formula", "2", "Yan, impurity function")
def entropy(entropy, rng):
    r"""$\gamma = -\sum_kp_k\log p_k$ with $0\log0 = 0$: between 0, exactly, at a pure node and $\log K$ at
    equal shares; the entropy of two independent draws is the sum of theirs."""
    counts = rng.integers(1, 8, 3)
    p = counts / counts.sum()
    value = scalar(entropy(p))
    yield equal("against the sum", value, _entropy(counts), rounding(8, 2), p=p)
    yield equal("a pure node", scalar(entropy(np.array([0.0, 1.0, 0.0]))), 0.0)
    yield equal("equal shares of 8", scalar(entropy(np.full(8, 1 / 8))), math.log(8), rounding(16, 3))
    pair = scalar(entropy(np.outer(p, [0.25, 0.75]).ravel()))
    yield equal("of a pair of independent draws", pair, value + _entropy([1, 3]), rounding(24, 3))


@statement("definition", "2", "Yan, how to grow a classification tree", "Recitation 7, 3.1")
def split(best_split, rng):
    r"""A cut of $R$ at $(j, t)$ is $R_1 = \{x \in R: x_j \le t\}$, $R_2 = \{x \in R: x_j > t\}$. All
    thresholds between two neighbouring values make the same partition of the training rows; the library
    takes the midpoint."""
    X, y = _rows(rng)
    X *= 2
    cut = best_split(X, y)
    j, t = _answer(cut)
    fall = float(_gini(_counts(y)) - _cut_impurity(X, y, (j, t)))
    yield equal("decrease of the impurity", cut.decrease, fall, rounding(20))
    column = X[:, int(j)] if j in range(3) else np.full(len(X), np.nan)
    low, high = column[column <= t], column[column > t]
    yield at_least("rows on each side", [len(low), len(high)], 1, X=X, y=y)
    ends = (low.max(), high.min()) if len(low) and len(high) else (math.nan, math.nan)
    yield equal("threshold against the midpoint of its neighbours", t, sum(ends) / 2, X=X)
    moved = [(column <= s).sum() for s in (ends[0], t, ends[1] - 1e-6)]
    yield equal("rows to the left for other thresholds in between", np.ptp(moved), 0)
    near = np.nextafter([1, np.nextafter(1, 2)], 2)  # the midpoint is rounded up
    t = _answer(best_split(near[:, None], np.array([0, 1])))[1]
    yield equal("rows to the left of a cut between neighbours in float64", (near <= t).sum(), 1)


@statement("algorithm", "2", "Yan, impurity function")
def impurity(best_split, rng, *, n=14):
    r"""The best cut minimises $\frac{|R_1|}{|R|}\gamma(R_1) + \frac{|R_2|}{|R|}\gamma(R_2)$ over all features
    $j$ and all thresholds $t$ that leave no child empty. One pass along each sorted feature finds it."""
    # best after four rows; the entropy, the error rate, and the index without a class choose other cuts
    apart = _line("0000202101")
    shared = (_equal_values(rng, 0), _equal_values(rng, 1))
    wide = np.column_stack([np.arange(3.0)] * 29 + [[0.0, 1.0, 0.0]]), np.array([0, 1, 0])  # the last is best
    for X, y in (_rows(rng, n=n, d=2, K=2), _rows(rng, n=n), _CHAIN, apart, *shared, _LINE, wide):
        best, cut = _least(X, y), best_split(X, y)
        impurity = _cut_impurity(X, y, _answer(cut))
        yield equal("impurity of the cut, the least of all", impurity, best, X=X, y=y)
        yield equal("reported impurity", cut.impurity, float(best), rounding(20), X=X, y=y)


@statement("theorem", "2", "Yan, impurity function (implicit)", "Breiman et al., 1984, proposition 4.4")
def gain_nonneg(gini, entropy, misclassification, rng):
    r"""For a concave $\gamma$ no cut increases the weighted impurity: $w\gamma(p) + (1 - w)\gamma(q) \le
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
    r"""With the entropy for $\gamma$ growing is the same: each node makes the cut of its rows with the least
    $\frac{|R_1|}{|R|}\gamma(R_1) + \frac{|R_2|}{|R|}\gamma(R_2)$, also where children are of very unequal
    size."""
    for X, y in (_CHAIN, _rows(rng)):
        gaps = [
            _weighted(_counts(y[one]), _counts(y[other]), _entropy) - _least(X[s], y[s], _entropy)
            for s, (one, other) in _grown(DecisionTreeClassifier, X, y, criterion="entropy")
        ]
        yield at_least("nodes that are cut", len(gaps), 2)
        yield equal("entropy of each cut above the least", gaps, 0.0, rounding(40, 4), X=X, y=y)


@statement("algorithm", "3", "Yan, how to grow a classification tree", "Recitation 7, 3.1")
def stopping(DecisionTreeClassifier, rng):
    r"""Growing stops at depth $k$, at nodes with fewer than $n_0$ rows, where a child would have fewer than
    $n_{\min}$ rows, and at nodes of one class. Without limits only rows that are equal in every feature
    share a leaf with another class. Candidates of a node are all
    $d$ features, or $m$ that are drawn: a number, a share, or the root of $d$, at least 1."""
    X, y = _rows(rng, n=60)
    leaves = [_leaves(DecisionTreeClassifier, X, y, max_depth=k) for k in range(5)]
    yield equal("leaves with max_depth=0", len(np.unique(leaves[0])), 1)
    parts = [len(sides) for pair in itertools.pairwise(leaves) for _, sides in _sides(*pair)]
    yield at_most("leaves that one more question makes of a leaf", parts, 2, X=X, y=y)
    every = np.sort([rows.sum() for rows, _ in _grown(DecisionTreeClassifier, X, y)])
    n_0 = int(every[len(every) // 2])
    grown = _grown(DecisionTreeClassifier, X, y, min_samples_split=n_0)
    sizes = np.sort([rows.sum() for rows, _ in grown])
    yield equal(f"rows of the nodes that min_samples_split={n_0} cuts", sizes, every[every >= n_0], X=X, y=y)
    counts = _leaf_counts(_leaves(DecisionTreeClassifier, X, y, min_samples_leaf=5), y)
    yield at_least("rows of leaves, min_samples_leaf=5", [sum(row) for row in counts], 5, X=X, y=y)
    if hasattr(DecisionTreeClassifier(), "max_features"):
        wide = rng.random((9, 9))
        asked = (None, 9), (4, 4), ("sqrt", 3), (0.5, 4), (1.0, 9), (0.01, 1)
        told = [DecisionTreeClassifier(max_features=m).fit(wide, y[:9]).max_features_ for m, _ in asked]
        told.append(DecisionTreeClassifier(max_features="sqrt").fit(wide[:, :3], y[:9]).max_features_)
        yield equal("candidates, of 9 features and the root of 3", told, [*(m for _, m in asked), 1])
    six = _line("011111")  # the best cut parts one row from five
    halves = [_n_leaves(DecisionTreeClassifier, *six, min_samples_leaf=m) for m in (3, 4)]
    yield equal("leaves of these six rows, min_samples_leaf=3 and 4", halves, [2, 1])
    places = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    errors = (DecisionTreeClassifier().fit(X, y).predict(X) != y).sum()
    yield equal("training errors without limits", errors, _leaf_errors(places, y), X=X, y=y)


@statement("algorithm", "3", "Recitation 7, 3.1")
def cart_growing(DecisionTreeClassifier, grow, rng):
    r"""CART replaces $B^{(j)}$ by $B^{(2j)} = B^{(j)} \cap \{x_i \le t\}$ and $B^{(2j+1)} = B^{(j)} \cap
    \{x_i > t\}$, starting from $B^{(1)} = \mathbb R^d$. A node of depth $k$ has a number in $[2^k,
    2^{k+1})$, and its rows are those of its two children."""
    X, y = _rows(rng, n=40)
    yield _answers_shares(DecisionTreeClassifier().fit(X, y), X, y)
    nodes = _grown(DecisionTreeClassifier, X, y)
    above = [_above_best(X[s], y[s], _cut_of(X[s], low[s])) for s, (low, _) in nodes]
    yield equal("impurity of each cut above the least of its node", max(above, default=2), 0, X=X, y=y)
    path = list(grow(X, _in_classes(y)))
    cut, numbers = [node for node in path if node.cut], [node.number for node in path]
    halves = [2 * node.number + side for node in cut for side in (0, 1)]
    yield equal("numbers: 1, and 2j and 2j + 1 for each j that is cut", sorted(numbers), [1, *sorted(halves)])
    preorder = sorted(numbers, key=bin)  # the digits of a number are the sides on the path to its box
    yield equal("boxes in the order of growing: j, the boxes in 2j, those in 2j + 1", numbers, preorder)
    rows, misplaced, outside = {node.number: node.rows for node in path}, 0, 0
    for node in cut:
        goes_right = X[:, node.cut[0]] > node.cut[1]
        for side, is_there in enumerate((~goes_right, goes_right)):
            child = rows.get(2 * node.number + side, [])
            misplaced += len(np.setxor1d(node.rows[is_there[node.rows]], child))
        outside += goes_right.sum() - len(child)
    yield equal("rows of a box that are not those of its two children", misplaced, 0)
    gaps = [_above_best(X[node.rows], y[node.rows], node.cut[:2]) for node in cut]
    yield equal("impurity of each cut above the least of its box", max(gaps), 0)
    yield at_least("rows above t that are not in the box, summed over the cuts", outside, 1)
    counts = np.array([_in_classes(y)[node.rows].sum(axis=0) for node in path])
    yield equal("classes counted in each box", [node.counts for node in path], counts)
    different = [len(np.unique(X[node.rows], axis=0)) > 1 for node in path]
    mixed = np.logical_and((counts > 0).sum(axis=1) > 1, different)
    is_cut = [node.cut is not None for node in path]
    yield equal("boxes that are cut: those of several classes and different rows", is_cut, mixed)


@statement("claim", "3", "Recitation 7, 3.2")
def cart_cost_split():
    """With the rows of a node sorted by each feature, one pass over each feature finds the best cut: $dn$
    labels are read. Counting each child anew for every threshold reads $dn(n - 1)$."""
    d = 3
    for n in (4, 8, 16, 32):
        labels = [i % 2 for i in range(n)]
        scan = [label for _ in range(d) for label in labels]  # each moves from right to left
        naive = [label for _ in range(d) for i in range(1, n) for label in labels[:i] + labels[i:]]
        yield equal(f"labels read by the scan, n = {n}", len(scan), d * n)
        yield equal(f"labels read by the naive way, n = {n}", len(naive), d * n * (n - 1))


class _Counted(float):
    """A label that counts the arithmetic done with it, and with what came of it."""

    steps = 0


def _counting(name):
    def step(self, other):
        _Counted.steps += 1
        answer = getattr(float, name)(self, other)
        return answer if answer is NotImplemented else _Counted(answer)

    return step


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"):
    setattr(_Counted, f"__{_name}__", _counting(f"__{_name}__"))


def _steps(grow, X, y, depth):
    """Return how many operations on labels it takes to grow a tree of this depth."""
    Y = np.frompyfunc(_Counted, 1, 1)(_in_classes(y))
    _Counted.steps = 0
    for _ in grow(X, Y, max_depth=depth):
        pass
    return _Counted.steps


@statement("claim", "3", "Recitation 7, 3.2")
def cart_cost_total(DecisionTreeClassifier, grow, rng, *, n=32, k=3):
    r"""The nodes of one level hold at most $n$ rows together, so that depth $k$ costs $O(dnk)$ after
    sorting: «n» rows and four times as many, grown to depth «k», differ by the factor 4 in the operations
    on labels, not by 16. The worst case is a chain that loses one row at a time: $\frac{n(n+1)}2 - 1$ rows
    in its inner nodes, hence $O(dn^2)$."""
    X, y = rng.random((4 * n, 2)), rng.permutation(4 * n) % 2
    few, many = (_steps(grow, X[:m], y[:m], k) for m in (n, 4 * n))
    yield at_most("operations for four times the rows, against 4^1.5 times those before", many, 8 * few)
    m = 15
    chain = np.arange(m)[:, None] * 1.0, np.arange(m) % 2
    cut = sum(rows.sum() for rows, _ in _grown(DecisionTreeClassifier, *chain))
    yield equal("rows in the boxes of the chain that are cut", cut, m * (m + 1) // 2 - 1)


# ------------------------------------------------------------------- 4 What the recitation maximises
@statement("formula", "4 deeper", "Recitation 7, 3.1")
def cart_g(best_split):
    r"""The success of a cut is $\frac{n(B_-)}{n(B)}P_{\hat y}(B_-) + \frac{n(B_+)}{n(B)}P_{\hat y}(B_+)$,
    with the children's shares of the rows. On twenty rows of a line the best cut errs on 6; the unweighted
    sum of the two rates prefers to isolate one row and errs on 9."""
    X, y = _LINE
    answer = _answer(best_split(X, y, criterion="misclassification"))
    yield equal("error of the weighted cut", _cut_impurity(X, y, answer, _error), Fraction(6, 20))
    success = [sum(1 - _error(_counts(side)) for side in (y[:i], y[i:])) for i in range(1, 20)]
    printed = 1 + success.index(max(success))
    yield equal("rows that the unweighted cut isolates", min(printed, 20 - printed), 1)
    yield equal("its error", _cut_impurity(X, y, (0, printed - 0.5), _error), Fraction(9, 20))


@statement("algorithm", "4 deeper", "Recitation 7, 3.1")
def cart_choice(best_split, rng):
    r"""CART takes for each feature $i$ the best threshold $t_i$ and then the feature $i_\star$ whose $t_i$
    is best: a cut that is best among all pairs $(i, t)$."""
    for best_feature in (0, 2, 3):
        X, y = rng.integers(0, 6, (20, 4)) * 1.0, np.arange(20) % 2
        X[:, best_feature] = 3 * y + rng.integers(0, 3, 20)  # no other feature separates these labels
        X[:2] = X[0]  # nor this one: two equal rows with different labels
        answer = _answer(best_split(X, y, criterion="misclassification"))
        lost = _above_best(X, y, answer, _error)
        yield equal("error of the cut above the least of all pairs", lost, 0, X=X, y=y)
    X, y = _line("00011111")
    answer = _answer(best_split(X, y, criterion="misclassification"))
    yield equal("error of the best cut of a line", _cut_impurity(X, y, answer, _error), Fraction(0))
    worst = max(_weighed_cuts(X, y, _error))[0]
    yield equal("error of the cut with the largest risk", worst, Fraction(3, 8))


# ------------------------------------------------------------------- 5 Greed and the best tree
@statement("formula", "5 deeper", "Recitation 7, 3")
def loss(partition_loss, rng):
    r"""The training error of a partition is $\frac1n\sum_jn(B_j)(1 - \max_yP_y(B_j))$: 0 if every box has
    one class, and unchanged when the labels or the boxes are renamed."""
    y = np.concatenate([[0, 1, 2, 0, 0], rng.integers(0, 3, 20)])
    boxes = np.concatenate([[0, 0, 0, 0, 1], rng.integers(0, 4, 20)])
    values, truths = [partition_loss(boxes[:n], y[:n]) for n in (5, 25)], [0.4, _leaf_errors(boxes, y) / 25]
    yield equal("against the count, of five rows and of all", values, truths, rounding(4), y=y, boxes=boxes)
    finer = np.where(np.arange(25) == 3, 3, y)  # the pure box of class 0 is cut once more
    yield equal("pure boxes, and finer ones", [partition_loss(b, y) for b in (y, finer)], 0.0, rounding(4))
    printed = [sum((y[cut == b] == 0).mean() for b in np.unique(cut)) for cut in (y, finer)]
    yield equal("printed sum of the shares of class 0, of pure boxes and of finer ones", printed, [1.0, 2.0])
    yield equal("after renaming", partition_loss(3 - boxes, (y + 1) % 3), values[1], rounding(4))


@statement("definition", "5 deeper", "Recitation 7, 3")
def hypothesis_class(n_formal_trees, rng):
    r"""The trees of depth at most $k$ are the functions that are constant on the boxes of at most $2^k - 1$
    questions. Formally there are $N_k = (dn)^{2^k - 1}\,2^{2^k}$ full trees with $n$ thresholds a feature
    and two labels: $N_{k+1} = dn\,N_k^2$."""
    n, d = (int(v) for v in rng.integers(2, 5, 2))
    trees = 2
    for k in range(4):
        yield equal(f"N_{k}", n_formal_trees(n, d, k), trees, n=n, d=d)
        trees = d * n * trees**2  # a question and two trees below it


@statement("claim", "5 deeper", "Recitation 7, 3", "Hyafil and Rivest, 1976")
def np_(n_formal_trees):
    """For fixed depth $k$ the number of trees is a polynomial in $d$ of degree $2^k - 1$: doubling $d$
    multiplies it by $2^{2^k - 1}$. It is doubly exponential in $k$ (deciding whether a small enough tree
    exists is NP-complete when the size is part of the input; a polynomial algorithm exists if and only if P
    = NP)."""
    ratios = [Fraction(n_formal_trees(5, 6, k), n_formal_trees(5, 3, k)) for k in range(5)]
    yield equal("doubling d, k = 0 to 4", ratios, [Fraction(2 ** (2**k - 1)) for k in range(5)])
    cubic = [n_formal_trees(2, d, 2) for d in range(1, 7)]
    yield equal("third differences in d, depth 2: 3! times 2^3 2^4", np.diff(cubic, 3), [6 * 2**7] * 3)
    digits = np.array([n_formal_trees(5, 3, k).bit_length() for k in range(3, 7)])
    yield at_least("digits against twice those of k - 1, k = 4 to 6", digits[1:], 2 * digits[:-1] - 2)


@statement("definition", "5", "Recitation 7, 3")
def erm(exhaustive_tree, DecisionTreeClassifier, rng):
    r"""$h^\star = \arg\min_{h \in \mathcal H^k}L_S(h)$ over all trees of depth at most $k$ is not what
    greed finds: on an XOR with a third, weakly informative feature the best tree of depth 2 is right
    everywhere, while CART asks for the third feature first and errs on two rows in five."""
    a, b, i = np.array(list(itertools.product((0, 1), (0, 1), range(5))))[rng.permutation(20)].T
    y = a ^ b
    X = np.column_stack([a, b, y ^ (i > 2)]) * 1.0  # the decoy is right on three of five rows of each corner
    best = as_numbers(exhaustive_tree(X, y, 2).apply(X), 20)
    yield equal("errors of the best tree of depth 2", _leaf_errors(best, y), 0, X=X, y=y)
    greedy = DecisionTreeClassifier(max_depth=2).fit(X, y)
    yield equal("first question of CART", _first_question(DecisionTreeClassifier, X, y), 2)
    yield equal("errors of CART", (greedy.predict(X) != y).sum(), 8)
    near = np.array([[1.0], [np.nextafter(1, 2)]])  # no number lies between: the lower one is the threshold
    predicted = as_numbers(exhaustive_tree(near, [0, 1], 2).predict(near), 2)
    yield equal("predictions for two neighbouring numbers", predicted, [0, 1], X=near)
    for K in (2, 4):
        X, y = _rows(rng, n=10, d=2)[0], rng.integers(0, K, 10)  # labels of chance: every leaf has errors
        tree = exhaustive_tree(X, y, 2)
        triples = itertools.product([X[:, j] <= t for j, t in _all_cuts(X)], repeat=3)
        fewest = min(_leaf_errors(2 * root + np.where(root, a, b), y) for root, a, b in triples)
        errors = _leaf_errors(as_numbers(tree.apply(X), 10), y)
        yield equal(f"{K} classes, against all triples of questions", errors, fewest, X=X, y=y)
        yield at_most("depth", int(tree.depth.max()), 2)


def _leaf_counts(leaves, y):
    """Return how many rows of each class there are in each leaf."""
    return [_counts(y[leaves == leaf]) for leaf in np.unique(leaves)]


def _leaf_errors(leaves, y):
    return sum(sum(counts) - max(counts) for counts in _leaf_counts(leaves, y))


@statement("claim", "5", "Yan, insights")
def unstable(DecisionTreeClassifier):
    """Small changes of the data can change the whole tree: one label of ten decides which feature the
    first question asks for."""
    yield equal("labels that differ", (_FLIP["before"] != _FLIP["after"]).sum(), 1)
    for first, (name, labels) in enumerate(_FLIP.items()):
        question = _first_question(DecisionTreeClassifier, _PAIR, labels)
        yield equal(f"first question {name} the flip", question, first)


_PAIR = np.array([[0, 0]] * 3 + [[1, 1]] * 4 + [[0, 1]] * 2 + [[1, 0]], dtype=float)
_FLIP = {
    "before": np.array([0, 0, 0, 1, 1, 1, 1, 0, 1, 1]),  # feature 0 errs on one row, feature 1 on two
    "after": np.array([0, 0, 0, 1, 1, 1, 1, 0, 1, 0]),  # the other way round
}


@statement("claim", "5", "Yan, insights")
def interpretable(DecisionTreeClassifier):
    """A tree can be read, but it tells of association, not of cause: where a disease, which depends on a
    risk factor, almost always produces a symptom, the tree asks for the symptom first."""
    cells = np.repeat([[1, 1, 1], [1, 0, 0], [0, 1, 1], [0, 0, 0]], [20, 30, 5, 45], axis=0)
    X, y = cells[:, :2] * 1.0, cells[:, 2]  # half are exposed; 40 % of them are ill, 10 % of the others
    X[[0, 20, 50, 55], 1] = [0, 1, 0, 1]  # the symptom errs once in each group
    question = _first_question(DecisionTreeClassifier, X, y)
    yield equal("first question (0 the cause, 1 the symptom)", question, 1)
    cause = _cut_impurity(X, y, (0, 0.5))
    yield at_most("impurity of the cut by the symptom", _cut_impurity(X, y, (1, 0.5)), cause / 2)
    ill = DecisionTreeClassifier(max_depth=1).fit(X, y).predict(X * [1, 0])
    if hasattr(DecisionTreeClassifier, "to_text"):
        corner = DecisionTreeClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
        rain = ["rain <= 0.5: 0 (2 rows)", "rain > 0.5"]
        lines = [*rain, "    cold <= 0.5: 0 (1 row)", "    cold > 0.5: 1 (1 row)"]
        yield equal("the tree of an AND, read", corner.to_text(["rain", "cold"]).splitlines(), lines)
        leaf = DecisionTreeClassifier().fit([[0], [1]], [7, 7]).to_text()
        yield equal("a leaf, read", leaf, "always: 7 (2 rows)")
    told = "ill in truth, and according to the tree once the symptom is treated"
    yield equal(told, [y.sum(), ill.sum()], [25, 0])


# ------------------------------------------------------------------- 6 Pruning
@statement("theorem", "6", "Breiman et al., 1984, theorems 3.7 and 3.10")
def pruning(pruning_path, weakest_links, node_risks, DecisionTreeClassifier, Tree, grow, rng):
    r"""Cutting the weakest link again and again gives nested trees $T_0 \supset T_1 \supset \dots \supset
    \{\text{root}\}$ and prices $0 = \alpha_0 < \alpha_1 < \dots$ such that $T_i$ has the least $R(T) +
    \alpha|T|$ of *all* pruned subtrees for $\alpha_i \le \alpha \le \alpha_{i+1}$, and the fewest leaves of
    these if $\alpha < \alpha_{i+1}$."""
    X, y = _line("0000010011111110")
    y[rng.choice([1, 2, 11, 12, 13])] ^= 1

    def risk(counts):
        return Fraction(sum(counts), 16) * _gini(counts)

    nodes = list(grow(X, _in_classes(y)))
    counts = {node.number: node.counts.astype(int).tolist() for node in nodes}
    R = {j: risk(row) for j, row in counts.items()}
    risks_of_nodes = np.array([float(value) for value in R.values()])
    tree, place = Tree(nodes), {j: t for t, j in enumerate(counts)}
    yield equal("risks of the nodes", node_risks(tree, "gini"), risks_of_nodes, rounding(20))
    children = [[place.get(2 * j + side, -1) for j in counts] for side in (0, 1)]
    yield equal("children of each node, -1 for none", [tree.left, tree.right], children)
    sizes = [sum(row) for row in counts.values()], [j.bit_length() - 1 for j in counts]
    yield equal("rows and depth of each node", [tree.n_rows, tree.depth], sizes)
    every = np.array(sorted(_pruned_subtrees(R, 1)), dtype=np.float64)
    path = pruning_path(DecisionTreeClassifier().fit(X, y).tree_, risks_of_nodes)
    alphas = np.asarray(path.ccp_alphas, dtype=float)
    yield equal("first price", float(alphas[0]), 0.0)
    yield at_least("steps between the prices", np.diff(alphas, append=alphas[-1] + 1), 1e-12)
    walk = list(weakest_links(tree, risks_of_nodes))
    yield equal("prices at which the walk rises", [price for price, _ in walk], alphas, rounding(60, 20))
    steps = np.append(alphas, alphas[-1] + 1)
    between = (steps[1:] + steps[:-1]) / 2
    costs = every[:, 0] + between[:, None] * every[:, 1]
    least = costs.min(axis=1)
    fewest = np.where(costs <= least[:, None] + 1e-9, every[:, 1], np.inf).min(axis=1)
    for name, trees in (("subtree", [path.subtree(a) for a in between]), ("walk", [t for _, t in walk])):
        leaves = [_leaf_counts(pruned.apply(X), y) for pruned in trees]
        n_leaves = np.array([len(tree) for tree in leaves])
        costs = [float(sum(map(risk, tree))) for tree in leaves] + between * n_leaves
        what = f"{name}: cost between the prices, against all subtrees"
        yield equal(what, costs, least, rounding(60, 20), X=X, y=y)
        yield equal(f"{name}: number of leaves, against the fewest", n_leaves, fewest, X=X, y=y)


def _pruned_subtrees(R, j):
    """Return the pairs (risk, leaves) of all pruned subtrees of the tree in box j, given R of its boxes."""
    pairs = {(R[j], 1)}
    if 2 * j in R:
        below = itertools.product(_pruned_subtrees(R, 2 * j), _pruned_subtrees(R, 2 * j + 1))
        pairs |= {(low[0] + high[0], low[1] + high[1]) for low, high in below}
    return pairs


@statement(
    "algorithm",
    "6",
    "Breiman et al., 1984, section 3.4.3",
    estimators_only="The reference module does not cross-validate.",
)
def price(choose_alpha, DecisionTreeClassifier, rng):
    r"""Of each interval of prices from $\alpha_i$ to $\alpha_{i+1}$ cross-validation tries
    $\sqrt{\alpha_i\alpha_{i+1}}$: the tree of a fold, pruned at this price, answers for the rows left out.
    A common rule takes the largest price whose error is at most the least plus one standard error."""
    X, y = _rows(rng, n=32, d=2, K=2)
    part = rng.permutation(32) % 4  # errors are multiples of 1/32, which are exact
    folds = [(np.flatnonzero(part != f), np.flatnonzero(part == f)) for f in range(4)]
    choice = choose_alpha(DecisionTreeClassifier(), X, y, folds)
    steps = DecisionTreeClassifier().cost_complexity_pruning_path(X, y).ccp_alphas
    leaves = [_n_leaves(DecisionTreeClassifier, X, y, ccp_alpha=a) for a in [*steps, steps[-1] + 1]]
    full = _n_leaves(DecisionTreeClassifier, X, y)
    yield equal("leaves at the first price, at the last and beyond", [leaves[0], *leaves[-2:]], [full, 1, 1])
    yield at_most("change of the leaves at each price", np.diff(leaves[:-1]), -1)
    tried = np.sqrt(steps * np.append(steps[1:], steps[-1]))
    yield equal("prices that are tried", choice.alphas, tried, rounding(4), X=X, y=y)

    def error(alpha, rows, rest):
        tree = DecisionTreeClassifier(ccp_alpha=alpha).fit(X[rows], y[rows])
        return (tree.predict(X[rest]) != y[rest]).mean()

    wrong = [[error(alpha, *fold) for alpha in choice.alphas] for fold in folds]
    errors, deviations = np.mean(wrong, axis=0), np.std(wrong, axis=0, ddof=1) / 2
    yield equal("errors on the rows left out", choice.errors, errors)
    yield equal("standard errors", choice.standard_errors, deviations, rounding(8))
    best = np.flatnonzero(errors == errors.min())[-1]
    chosen = choice.alphas[best], choice.alphas[errors <= errors[best] + deviations[best]][-1]
    told = [choice.best, choice.simplest]
    yield equal("largest prices: of least error, within one standard error", told, chosen)
    yield equal("one fold is refused", refuses(choose_alpha, DecisionTreeClassifier(), X, y, folds[:1]), True)


@statement("formula", "6", "Breiman et al., 1984, section 5.3.4")
def importances(DecisionTreeClassifier, rng):
    """The importance of feature $j$ is the sum of $R(t) - R(t_L) - R(t_R)$ over the nodes that ask for it,
    divided by the sum over all nodes. It is measured on the training rows: a feature of pure noise gets a
    share."""
    rows = "001 100 101 101 001 010 100 010 011 010"
    X, y = np.array([list(row) for row in rows.split()], dtype=float), _line("0111000110")[1]
    # the risk falls by 5/60 at the root, which asks for feature 0, and by 4/60 and 3/60 at its children
    shares = DecisionTreeClassifier(max_depth=2).fit(X, y).feature_importances_
    yield equal("shares of the decrease", shares, [5 / 12, 4 / 12, 3 / 12], rounding(100))
    noise = np.column_stack([np.arange(30) % 2, rng.permutation(30)]).astype(float)
    labels = np.where(np.arange(30) % 5 == 0, 1, 0) ^ (np.arange(30) % 2)  # right on four rows of five
    share = DecisionTreeClassifier().fit(noise, labels).feature_importances_[1]
    yield at_least("share of a feature of noise", share, 0.1)


# ------------------------------------------------------------------- 7 What the notes got wrong
@correction("wrong", "7 deeper", "Yan, impurity function")
def erratum_y41(best_split):
    r"""Printed: The best cut minimises the impurity over $j$ and $t$.
    Right: Over those that leave no child empty (else $|R_1| = 0$ and $p_k = 0/0$), with $0\log0 = 0$ and a
    rule for ties."""
    X, y = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]]), np.array([0, 1, 0])
    cut = best_split(X, y, criterion="entropy")
    feature, threshold = _answer(cut)
    yield equal("feature: the constant one cannot be cut", feature, 1.0)
    yield within("rows in the left child", (X[:, 1] <= threshold).sum(), 1, 2)
    yield equal("impurity with a pure child", cut.impurity, 2 / 3 * math.log(2), rounding(8))
    yield equal("refused where no cut is possible", refuses(best_split, X[:, :1], y), True)


@correction("wrong", "7 deeper", "Yan, insights")
def erratum_y42(exhaustive_tree):
    """Printed: Trees are unstable due to the use of greedy search.
    Right: Not only: the best of all trees with one question, found without any greed, changes its feature
    with one label as well."""
    yield equal("labels that differ", (_FLIP["before"] != _FLIP["after"]).sum(), 1)
    for first, (name, labels) in enumerate(_FLIP.items()):
        tree = exhaustive_tree(_PAIR, labels, 1)
        yield equal(f"best first question {name} the flip", int(tree.feature[0]), first)
        errors = [_leaf_errors(x, labels) for x in _PAIR.T]
        yield at_most("its errors against the other feature's", errors[first], errors[1 - first] - 1)


@correction("wrong", "7 deeper", "Recitation 7, 3")
def erratum_r16(exhaustive_tree, rng):
    r"""Printed: The problem is NP-complete, so there is no polynomial algorithm.
    Right: Its decision form is; there is none if P $\ne$ NP; and for fixed depth trying all trees is
    polynomial."""
    X = np.column_stack([rng.integers(0, 6, 12), rng.permutation(12)]) * 1.0
    y = np.isin(X[:, 1], [5, 6, 7, 9, 10, 11]) * 1  # a stump helps
    errors = _leaf_errors(as_numbers(exhaustive_tree(X, y, 1).apply(X), 12), y)
    best = min(_leaf_errors(X[:, j] <= t, y) for j, t in [*_all_cuts(X), (0, 99.0)])
    yield equal("errors of the best stump, found exactly", errors, best, X=X, y=y)
    yield at_most("cuts that had to be tried, at most d(n - 1)", len(list(_all_cuts(X))), 22)


@correction("sharper", "7 deeper", "Recitation 7, 3.2")
def erratum_r18(grow, rng, *, k=4):
    r"""Printed: A tree of depth $k$ takes $O(dn\,2^k)$ steps.
    Right: True, and loose: $O(dnk)$ after sorting, since the nodes of one level share the $n$ rows. Depth
    $k = «k»$ takes less than $2k$ times the operations of the first level, not $2^k - 1$ times. The bound
    $O(dn^2)$ is right."""
    m = 2**k
    box = rng.permutation(np.repeat(np.arange(m), m - 1))
    X = (box[:, None] >> rng.permutation(k) & 1) * 1.0  # the highest bit tells most: a cut halves its rows
    y = np.zeros(len(box), dtype=np.int64)
    for j in range(m):
        y[np.flatnonzero(box == j)[:j]] = 1  # j of m - 1 rows
    one, deep = (_steps(grow, X, y, depth) for depth in (1, k))
    yield at_most(f"operations on labels, depth {k}, against those of depth 1", deep, 2 * k * one, X=X, y=y)


erratum_y40 = misprint("tree.y40", "7 deeper", "Yan, how to grow a classification tree", """
    Printed: Choose a covariate $X_i$ ... $R_1(j, t)$; $|R|$ without a definition.
    Right: Choose a feature $j$; $|R|$ is the number of training rows in $R$.""")  # fmt: skip
erratum_r13 = misprint("tree.r13", "7 deeper", "Recitation 7, 3.1", r"""
    Printed: $i_\star = \arg\max_{t \in [d]}g_i(t_i)$.
    Right: $i_\star = \arg\max_{i \in [d]}g_i(t_i)$.""")  # fmt: skip
erratum_y43 = interpretable.corrects("y43", "wrong", "7 deeper", "Yan, insights", r"""
    Printed: A tree allows reasoning about the cause of diseases.
    Right: About association: a tree cuts by whatever predicts best, an effect
    of the disease as well.""")  # fmt: skip
erratum_y44 = saheart_figure.corrects("y44", "wrong", "7 deeper", "Yan, classification tree", r"""
    Printed: South African heart disease: '0' = yes, disease; '1' = no.
    Right: The public table codes disease as 1: 160 of 462 men.""")  # fmt: skip
erratum_r10 = loss.corrects("r10", "wrong", "7 deeper", "Recitation 7, 3", r"""
    Printed: $L(B_1, \dots, B_N) = \sum_jP_1^S(B_j)$.
    Right: $L = \frac1n\sum_jn(B_j)\,(1 - \max_yP_y^S(B_j))$.""")  # fmt: skip
erratum_r11 = cart_g.corrects("r11", "wrong", "7 deeper", "Recitation 7, 3.1", r"""
    Printed: $g_i(t) = P(B_-) + P(B_+)$.
    Right: $\frac{n(B_-)}{n(B)}P(B_-) + \frac{n(B_+)}{n(B)}P(B_+)$.""")  # fmt: skip
erratum_r12 = cart_choice.corrects("r12", "wrong", "7 deeper", "Recitation 7, 3.1", r"""
    Printed: $P$ is the optimal misclassification *risk*, and $t_i = \arg\max g_i$.
    Right: $P$ is the success rate of the majority, then argmax is right; of the risk it
    would take a worst cut.""")  # fmt: skip
erratum_r14 = cart_growing.corrects("r14", "wrong", "7 deeper", "Recitation 7, 3.1", r"""
    Printed: $B_{+,t}^{(j)} = \{x : x_i > t\}$.
    Right: $B_{+,t}^{(j)} = B^{(j)} \cap \{x : x_i > t\}$.""")  # fmt: skip
erratum_r15 = np_.corrects("r15", "wrong", "7 deeper", "Recitation 7, 3", r"""
    Printed: The number of trees is exponential in the number of features and the depth.
    Right: For fixed depth $k$ polynomial in $d$, of degree $2^k - 1$;
    doubly exponential in $k$.""")  # fmt: skip
erratum_r17 = cart_cost_split.corrects("r17", "sharper", "7 deeper", "Recitation 7, 3.2", r"""
    Printed: A split takes $O(dn)$.
    Right: If the rows are sorted by each feature beforehand; counting anew for each threshold takes
    $O(dn^2)$.""")  # fmt: skip
