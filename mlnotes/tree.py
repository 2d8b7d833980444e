r"""Classification trees: cut where the impurity falls most (CART), then prune.  Lecture 12 and Deeper 12.

A tree cuts R^d into boxes; a leaf answers with the majority of its training rows. Growing: find the
best cut of a box, then do the same with both children, until no box may be cut.

    children of a box B    B_1 = {x in B: x_j <= s},  B_2 = {x in B: x_j > s}                (1.1)
    shares of the classes  p_k = |{i in B: y_i = k}| / |B|,  gamma their impurity            (1.3)
    the best cut           least  |B_1|/|B| gamma(B_1) + |B_2|/|B| gamma(B_2)                (2.2)
    cost of a tree         R(T) + a |T|,  R(T) = sum over its leaves of R(t) = |t|/n gamma   (6.1)
    link of a node         g(t) = (R(t) - R(T_t)) / (|T_t| - 1),  T_t the branch below t     (6.2)

Theorem 2.3: no cut raises a concave impurity gamma; all three here are. Theorem 6.1: turn the weakest
link into a leaf, again and again; for every price a you meet the smallest of the cheapest subtrees.

Of equal cuts the first feature wins, then the lowest threshold, a midpoint; of equal classes the
first. A node is cut unless it has one class or equal rows, even if nothing is gained. Weight 2 is
two rows in all shares; the limits min_samples_* count rows, whatever they weigh, as a weight may be 1/n.

Y (n, K): the weight of row i at its class, else 0; its sums are counts (K,). rows are row numbers, t
a node, R (N,) risks of nodes. No cut or no shares: ValueError; else NumPy speaks, estimators check.
"""

from collections import namedtuple
from functools import partial

import numpy as np

Node = namedtuple("Node", "number rows counts cut")  # box 1 is R^d; box j is cut into 2j and 2j + 1
Split = namedtuple("Split", "feature threshold impurity decrease")

# ---- 1 What a tree is


class Tree:
    """N nodes in preorder, as arrays. At a leaf feature, left and right are -1."""

    def __init__(self, nodes):
        self.nodes = list(nodes)
        place = {node.number: t for t, node in enumerate(self.nodes)}
        self.is_leaf = np.array([node.cut is None for node in self.nodes])
        self.feature = np.array([node.cut[0] if node.cut else -1 for node in self.nodes])
        self.threshold = np.array([node.cut[1] if node.cut else 0.0 for node in self.nodes])
        self.left = np.array([place.get(2 * number, -1) for number in place])  # (3.1)
        self.right = np.array([place.get(2 * number + 1, -1) for number in place])
        self.depth = np.array([number.bit_length() - 1 for number in place])
        self.n_rows = np.array([len(node.rows) for node in self.nodes])
        self.value = np.array([node.counts for node in self.nodes])  # (N, K)

    def __len__(self):
        return len(self.nodes)

    def apply(self, X):
        """The leaf that each row reaches."""
        X, t = np.asarray(X, float), np.zeros(len(X), dtype=int)
        for _ in range(self.depth.max()):
            left = X[np.arange(len(X)), self.feature[t]] <= self.threshold[t]  # (1.1)
            t = np.where(self.is_leaf[t], t, np.where(left, self.left[t], self.right[t]))
        return t

    def predict(self, X):
        return majority(shares(self.value))[self.apply(X)]


def one_hot(y, sample_weight=1.0):
    return (np.asarray(y)[:, None] == np.unique(y)) * np.reshape(sample_weight, (-1, 1))


def majority(counts):
    return counts.argmax(axis=-1)  # (1.2), the first class on ties


def shares(counts):
    return counts / counts.sum(axis=-1, keepdims=True)  # (1.3)


def class_shares(y, classes):
    if not len(y):
        raise ValueError("an empty node has no shares")
    return np.array([np.mean(np.asarray(y) == k) for k in classes])  # (1.3)


# ---- 2 Impurity, and the best cut


def gini(p):
    p = np.asarray(p)
    return (p * (1 - p)).sum(axis=-1)  # (2.1)


def entropy(p):
    p = np.asarray(p, float)
    return 0.0 - (p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1)  # (2.1), 0 log 0 = 0


def misclassification(p):
    return 1 - np.max(p, axis=-1)  # (2.1)


IMPURITY = {"gini": gini, "entropy": entropy, "misclassification": misclassification}


def impurity(counts, criterion):
    return IMPURITY[criterion](shares(counts))  # gamma


def rounding(Y, n):
    """Impurities of n rows that differ by less are equal: sums of whole weights alone are exact."""
    return 2.0**-44 * (Y.shape[1] + n * (Y % 1).any())  # so much for one term of a sum


def children_impurity(counts_1, counts_2, criterion):
    """The impurity that a random row of the node meets in its child."""
    n_1, n_2 = counts_1.sum(axis=-1), counts_2.sum(axis=-1)
    sums = n_1 * impurity(counts_1, criterion) + n_2 * impurity(counts_2, criterion)
    return sums / (n_1 + n_2)  # (2.2)


def cuts(x, Y, least=1):
    """The cuts of a feature with `least` rows on each side: thresholds, counts of both children."""
    order = np.argsort(x)
    x, Y = x[order], Y[order]  # one row after the other goes left
    counts_1, counts_2 = np.cumsum(Y, axis=0), np.cumsum(Y[::-1], axis=0)[::-1]  # a difference cancels
    m = np.arange(1, len(x))  # rows that went left
    last = np.flatnonzero((x[:-1] < x[1:]) & (m >= least) & (len(x) - m >= least))
    middle = x[last] / 2 + x[last + 1] / 2  # the sum may overflow, and the middle be the upper one
    return np.where(middle < x[last + 1], middle, x[last]), counts_1[last], counts_2[last + 1]


def find_cut(X, Y, criterion="gini", least=1):
    """The best threshold of each feature, then the best feature; None if nothing can be cut."""
    counts, best, slack = Y.sum(axis=0), None, rounding(Y, len(Y))
    if (counts > 0).sum() == 1:
        return None
    for j, x in enumerate(X.T):
        thresholds, counts_1, counts_2 = cuts(x, Y, least)
        if len(thresholds):
            values = children_impurity(counts_1, counts_2, criterion)
            i = np.argmax(values < values.min() + slack)  # the first, so the lowest threshold
            if best is None or values[i] < best.impurity - slack:
                best = Split(j, thresholds[i], values[i], impurity(counts, criterion) - values[i])
    return best


# ---- 3 Growing


def grow(X, Y, find=find_cut, max_depth=np.inf, min_samples_split=2):
    """Cut the box of all rows, then all boxes in its left part, then all in its right part.

    Yield each Node as it is cut or becomes a leaf. `find` answers the cut of the rows of a box."""
    boxes = [(1, np.flatnonzero(Y.any(axis=1)))]  # rows of weight 0 are left out
    while boxes:
        number, rows = boxes.pop()
        if not len(rows):
            raise ValueError("a box without rows: they have no weight, or a cut sent all to one side")
        may_split = number.bit_length() - 1 < max_depth and len(rows) >= min_samples_split
        cut = find(X[rows], Y[rows]) if may_split else None
        yield Node(number, rows, Y[rows].sum(axis=0), cut)
        if cut:
            left = X[rows, cut.feature] <= cut.threshold  # (1.1)
            boxes += [(2 * number + 1, rows[~left]), (2 * number, rows[left])]  # (3.1)


def best_split(X, y, criterion="gini", sample_weight=1.0, min_samples_leaf=1):
    find = partial(find_cut, criterion=criterion, least=min_samples_leaf)
    cut = next(grow(np.asarray(X, float), one_hot(y, sample_weight), find)).cut
    if cut is None:
        raise ValueError("there is no cut: one class, or equal rows, or min_samples_leaf too large")
    return cut


class DecisionTreeClassifier:
    def __init__(self, criterion="gini", max_depth=np.inf, min_samples_split=2, min_samples_leaf=1):
        self.criterion, self.max_depth = criterion, max_depth
        self.min_samples_split, self.min_samples_leaf = min_samples_split, min_samples_leaf

    def fit(self, X, y, sample_weight=1.0):
        X, Y = np.asarray(X, float), one_hot(y, sample_weight)
        has_rows = Y.any(axis=0)  # a weight of 0: no row
        self.classes_, Y = np.unique(y)[has_rows], Y[:, has_rows]
        find = partial(find_cut, criterion=self.criterion, least=self.min_samples_leaf)
        self.tree_ = Tree(grow(X, Y, find, self.max_depth, self.min_samples_split))
        self.feature_importances_ = importances(self.tree_, self.criterion, X.shape[1])
        return self

    def apply(self, X):
        return self.tree_.apply(X)

    def predict(self, X):
        return self.classes_[self.tree_.predict(X)]

    def predict_proba(self, X):
        return shares(self.tree_.value)[self.apply(X)]


# ---- 5 Greed and the best tree


def partition_loss(boxes, y):
    counts = one_hot(boxes).T @ one_hot(y)  # of each class in each box
    return 1 - counts.max(axis=1).sum() / len(y)  # (5.1)


def n_formal_trees(n, d, depth):
    return (d * n) ** (2**depth - 1) * 2 ** (2**depth)  # Proposition 5.1, of two classes


def exhaustive_tree(X, y, depth):
    """A tree of at most this depth with the fewest errors. Of equal ones: a leaf before a cut."""
    return Tree(fewest_errors(np.asarray(X, float), one_hot(y), np.arange(len(y)), depth)[1])


def fewest_errors(X, Y, rows, depth, number=1):
    """(errors, nodes) of the best tree of these rows: a leaf, or a cut and the best trees below."""
    counts = Y[rows].sum(axis=0)
    options = [(len(rows) - counts.max(), [Node(number, rows, counts, None)])]
    for cut in cuts_to_try(X[rows], Y[rows], depth):
        left = X[rows, cut[0]] <= cut[1]
        errors_1, nodes_1 = fewest_errors(X, Y, rows[left], depth - 1, 2 * number)
        errors_2, nodes_2 = fewest_errors(X, Y, rows[~left], depth - 1, 2 * number + 1)
        nodes = [Node(number, rows, counts, cut), *nodes_1, *nodes_2]
        options.append((errors_1 + errors_2, nodes))
    return min(options, key=lambda option: option[0])


def cuts_to_try(X, Y, depth):
    """All cuts; where both children will be leaves, the best one is enough."""
    if depth > 1:
        return [(j, s) for j, x in enumerate(X.T) for s in cuts(x, Y)[0]]
    cut = find_cut(X, Y, "misclassification") if depth else None
    return [cut[:2]] if cut else []


# ---- 6 Pruning


def node_risks(tree, criterion):
    return tree.value.sum(axis=1) / tree.value[0].sum() * impurity(tree.value, criterion)  # (6.1)


def links(tree, R):
    """g(t) of every node, infinite at a leaf, and |T_t|."""
    leaves, below = np.ones(len(tree), dtype=int), R.copy()  # |T_t| and R(T_t)
    for t in np.flatnonzero(~tree.is_leaf)[::-1]:  # children before parents
        children = [tree.left[t], tree.right[t]]
        leaves[t], below[t] = leaves[children].sum(), below[children].sum()
    return np.where(tree.is_leaf, np.inf, (R - below) / np.maximum(leaves - 1, 1)), leaves  # (6.2)


def weakest_links(tree, R):
    """Turn the node with the least g into a leaf, again and again, until the root is one.

    Yield (price, tree) whenever the price rises: the tree has been the cheapest since that price."""
    R, price = np.asarray(R, float), 0.0
    slack = len(tree) * np.finfo(float).eps * R[0]  # the rounding of a sum of R
    while len(tree) > 1:
        g, leaves = links(tree, R)
        t = g.argmin()
        if g[t] > price + slack:
            yield price, tree
            price = g[t]
        end = t + 2 * leaves[t] - 1  # in preorder T_t is the block from t to here
        tree = Tree([*tree.nodes[:t], tree.nodes[t]._replace(cut=None), *tree.nodes[end:]])
        R = np.delete(R, slice(t + 1, end))
    yield price, tree


class PruningPath(namedtuple("PruningPath", "ccp_alphas trees")):  # what weakest_links yields
    def subtree(self, alpha):
        return self.trees[np.searchsorted(self.ccp_alphas, alpha, side="right") - 1]


def pruning_path(tree, R):
    return PruningPath(*zip(*weakest_links(tree, R), strict=True))


def importances(tree, criterion, d):
    """The share of each feature in the decrease of the risk."""
    R, n = node_risks(tree, criterion), tree.value.sum(axis=1)
    gains = R - R[tree.left] - R[tree.right]
    gains *= gains > rounding(tree.value, tree.n_rows) * n / n[0]
    sums = np.bincount(tree.feature + 1, gains, minlength=d + 1)[1:]  # without leaves
    return sums / sums.sum() if sums.any() else sums
