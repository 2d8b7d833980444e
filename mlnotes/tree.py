r"""Classification trees: find the best split, split again, then prune (CART).  Lecture 12 and its companion.

    split            the box R becomes  R_1 = {x in R: x_j <= s}  and  R_2 = {x in R: x_j > s}          (1.1)
    prediction       the majority class among the training observations in the leaf                     (1.2)
    proportions      p_k = |{i: x_i in R, y_i = k}| / |R|                                               (1.3)
    impurity gamma   Gini: sum_k p_k (1 - p_k),  entropy: -sum_k p_k log p_k                            (2.1)
    best split       minimises  |R_1|/|R| gamma(R_1) + |R_2|/|R| gamma(R_2)                             (2.2)

Theorem 2.3. If gamma is a concave function of the proportions, no split increases the impurity (2.2).

X (n, d) holds the observations.  Y (n, K) holds their classes: Y[i, k] is 1 (or a weight) if y_i = k, and 0
otherwise; the sum of some rows of Y counts their classes.  A tree is a dictionary {number: node} in which a
parent stands before its children.  Inputs are not validated here; the estimators do that.
"""

from collections import namedtuple
from functools import partial

import numpy as np

# ---- 2 The best split

Split = namedtuple("Split", "feature threshold impurity")


def one_hot(y):
    return (np.asarray(y)[:, None] == np.unique(y)).astype(int)


def proportions(counts):
    return counts / counts.sum(axis=-1, keepdims=True)  # (1.3)


def gini(p):
    return (p * (1 - p)).sum(axis=-1)  # (2.1)


def children_impurity(left, right, criterion=gini):
    n_left = left.sum(axis=-1)
    n_right = right.sum(axis=-1)
    total = n_left * criterion(proportions(left)) + n_right * criterion(proportions(right))
    return total / (n_left + n_right)  # (2.2)


def candidate_splits(x, Y, min_samples_leaf=1):
    """All splits by one feature x (n,): thresholds, and the class counts of the left and right children."""
    order = x.argsort()
    x = x[order]
    left = Y[order].cumsum(axis=0)[:-1]  # one observation after another moves to the left child
    right = Y.sum(axis=0) - left
    n_left = np.arange(1, len(x))
    n_right = len(x) - n_left
    thresholds = (x[:-1] + x[1:]) / 2
    is_split = thresholds < x[1:]  # false for equal values, and where the midpoint is rounded up to x[1:]
    is_allowed = is_split & (n_left >= min_samples_leaf) & (n_right >= min_samples_leaf)
    return thresholds[is_allowed], left[is_allowed], right[is_allowed]


def best_split(X, Y, criterion=gini, min_samples_leaf=1):
    """The best split, or None if there is no split.

    Of equally good ones the first feature wins, then the lowest threshold. But impurities that are equal on
    paper may differ in the last bit, and then the last bit decides.
    """
    best = None
    for j, x in enumerate(X.T):
        thresholds, left, right = candidate_splits(x, Y, min_samples_leaf)
        if len(thresholds) > 0:
            impurities = children_impurity(left, right, criterion)
            i = impurities.argmin()
            if best is None or impurities[i] < best.impurity:
                best = Split(j, thresholds[i], impurities[i])
    return best


# ---- 3 Growing a tree, and predicting with it
#
# Box 1 is R^d, and the split of box t makes the boxes 2t and 2t + 1 (3.1).

Node = namedtuple("Node", "number rows counts split")  # split is None at a leaf


def grow(X, Y, find_split=best_split, max_depth=np.inf, min_samples_split=2):
    """Yield the nodes in preorder: a box, then everything in its left part, then everything in its right.

    It is recursive: Python's limit allows some 900 levels.  Those of `mlnotes.estimators.tree` may be deeper.
    """

    def grow_box(t, rows):
        counts = Y[rows].sum(axis=0)
        depth = t.bit_length() - 1
        split = None
        if (counts > 0).sum() > 1 and depth < max_depth and len(rows) >= min_samples_split:
            split = find_split(X[rows], Y[rows])
        yield Node(t, rows, counts, split)
        if split is not None:
            goes_left = X[rows, split.feature] <= split.threshold  # (1.1)
            yield from grow_box(2 * t, rows[goes_left])
            yield from grow_box(2 * t + 1, rows[~goes_left])  # (3.1)

    return grow_box(1, np.arange(len(X)))


def find_leaves(tree, X):
    """Send all observations down the tree.  Yield each leaf, and the rows of X that end there."""
    rows = {1: np.arange(len(X))}
    for t, node in tree.items():
        if node.split is None:
            yield node, rows[t]
        else:
            goes_left = X[rows[t], node.split.feature] <= node.split.threshold  # (1.1)
            rows[2 * t] = rows[t][goes_left]
            rows[2 * t + 1] = rows[t][~goes_left]  # (3.1)


def predict(tree, X):
    """The majority class, 0 to K - 1, of the leaf that each observation reaches; the first one on ties."""
    y = np.zeros(len(X), dtype=int)
    for leaf, rows in find_leaves(tree, X):
        y[rows] = leaf.counts.argmax()  # (1.2)
    return y


class DecisionTreeClassifier:
    def __init__(self, criterion=gini, max_depth=np.inf, min_samples_split=2, min_samples_leaf=1):
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        find_split = partial(best_split, criterion=self.criterion, min_samples_leaf=self.min_samples_leaf)
        nodes = grow(X, one_hot(y), find_split, self.max_depth, self.min_samples_split)
        self.tree_ = {node.number: node for node in nodes}
        self.feature_importances_ = feature_importances(self.tree_, X.shape[1], self.criterion)
        return self

    def apply(self, X):
        """The leaf that each observation reaches; leaves are counted from 0, from left to right."""
        leaves = np.zeros(len(X), dtype=int)
        for i, (_, rows) in enumerate(find_leaves(self.tree_, X)):
            leaves[rows] = i
        return leaves

    def predict_proba(self, X):
        P = np.zeros((len(X), len(self.classes_)))
        for leaf, rows in find_leaves(self.tree_, X):
            P[rows] = proportions(leaf.counts)
        return P

    def predict(self, X):
        return self.classes_[predict(self.tree_, X)]


# ---- 2 Two other impurities


def entropy(p):
    log_p = np.log(np.where(p > 0, p, 1))  # 0 log 0 = 0
    return -(p * log_p).sum(axis=-1)  # (2.1)


def misclassification(p):
    return 1 - p.max(axis=-1)


# ---- 5 Greed against the best tree


def best_tree(X, Y, depth):
    """Try all trees of at most this depth.  Return one with the fewest training errors."""
    return best_branch(X, Y, np.arange(len(X)), depth, 1)[1]


def best_branch(X, Y, rows, depth, t):
    """The fewest errors that a branch of this depth makes in box t, and such a branch."""
    counts = Y[rows].sum(axis=0)
    fewest = len(rows) - counts.max()
    best = {t: Node(t, rows, counts, None)}
    if depth == 0 or fewest == 0:
        return fewest, best
    for j in range(X.shape[1]):
        for threshold in candidate_splits(X[rows, j], Y[rows])[0]:
            goes_left = X[rows, j] <= threshold
            left_errors, left = best_branch(X, Y, rows[goes_left], depth - 1, 2 * t)
            right_errors, right = best_branch(X, Y, rows[~goes_left], depth - 1, 2 * t + 1)
            if left_errors + right_errors < fewest:
                fewest = left_errors + right_errors
                node = Node(t, rows, counts, Split(j, threshold, None))
                best = {t: node} | left | right
    return fewest, best


# ---- 6 Pruning
#
# pruning          minimises  R(T) + alpha |T|,  R(T) = sum of R(t) = n(t)/n gamma(t) over the leaves    (6.1)
# weakest link     the node t with the smallest  g(t) = (R(t) - R(T_t)) / (|T_t| - 1)                    (6.2)
#
# |T| is the number of leaves of a tree T, and T_t is the branch of T that starts at node t.
#
# Theorem 6.1. Collapsing the weakest link again and again passes through T(alpha), the smallest best subtree,
# for every alpha >= 0.


def node_risks(tree, criterion=gini):
    """R(t) of every node t, whether it is a leaf or not."""
    n = tree[1].counts.sum()
    R = {}
    for t, node in tree.items():
        R[t] = node.counts.sum() / n * criterion(proportions(node.counts))  # (6.1)
    return R


def links(tree, R):
    """g(t) of every node t that is split: the risk that each additional leaf of the branch T_t saves."""
    risk = {}  # R(T_t)
    n_leaves = {}  # |T_t|
    g = {}
    for t in reversed(tree):  # children before parents
        if tree[t].split is None:
            risk[t] = R[t]
            n_leaves[t] = 1
        else:
            risk[t] = risk[2 * t] + risk[2 * t + 1]
            n_leaves[t] = n_leaves[2 * t] + n_leaves[2 * t + 1]
            g[t] = (R[t] - risk[t]) / (n_leaves[t] - 1)  # (6.2)
    return g


def is_below(s, t):
    """Whether box s comes from box t: its binary digits, the path from the root, begin with those of t."""
    return s > t and bin(s).startswith(bin(t))


def collapse(tree, t):
    """The subtree in which node t is a leaf."""
    subtree = {s: node for s, node in tree.items() if not is_below(s, t)}
    subtree[t] = tree[t]._replace(split=None)
    return subtree


def weakest_links(tree, R):
    """Collapse the weakest link until only the root is left.

    Yield (alpha, tree) whenever alpha rises: this is the best subtree from this alpha up to the next one.
    """
    alpha = 0.0
    while tree[1].split is not None:
        g = links(tree, R)
        weakest = min(g, key=g.get)
        if g[weakest] > alpha + 1e-12:  # equal links collapse at the same alpha
            yield alpha, tree
            alpha = g[weakest]
        tree = collapse(tree, weakest)
    yield alpha, tree


def prune(tree, R, alpha):
    """T(alpha), the smallest of the subtrees that minimise R(T) + alpha |T|."""
    for start, subtree in weakest_links(tree, R):
        if start <= alpha:
            best = subtree
    return best


def feature_importances(tree, n_features, criterion=gini):
    """The fraction of the total decrease of the risk that is due to splits by each feature."""
    R = node_risks(tree, criterion)
    decrease = np.zeros(n_features)
    for t, node in tree.items():
        if node.split is not None:
            decrease[node.split.feature] += R[t] - R[2 * t] - R[2 * t + 1]
    total = decrease.sum()
    return decrease / total if total > 0 else decrease
