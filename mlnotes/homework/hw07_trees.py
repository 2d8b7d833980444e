"""Homework 7: trees and boosting. Six questions, 20 points; decided by the theorems of lectures 12 and 13."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from mlnotes import ensemble
from mlnotes.checking import at_most, equal, rounding, statement
from mlnotes.claims import ensemble as ensemble_claims
from mlnotes.claims import tree as tree_claims
from mlnotes.homework import Assignment, part, variant

# ------------------------------------------------------------------- instances, and the truth in fractions


def _grow(X, y, depth):
    """Return the predictions of CART on its training set, or None if two splits or two majorities tie."""
    counts = np.bincount(y, minlength=2)
    if depth == 0 or (counts > 0).sum() == 1:
        return np.full(len(y), counts.argmax()) if counts[0] != counts[1] else None
    (best, j, t), *others = sorted(tree_claims._every_split(X, y))
    if others and others[0][0] == best:
        return None
    left, predicted = X[:, j] <= t, np.empty(len(y), dtype=np.int64)
    for side in (left, ~left):
        below = _grow(X[side], y[side], depth - 1)
        if below is None:
            return None
        predicted[side] = below
    return predicted


def _rows(rng, n):
    """Return observations with different values in two features, and labels 0, 1 that depend on both."""
    X = np.column_stack([rng.permutation(n), rng.permutation(n)]).astype(np.float64)
    y = ((X[:, 1] > n / 3) & (X[:, 0] < 0.8 * n)).astype(np.int64)
    flipped = rng.choice(n, n // 5, replace=False)
    y[flipped] = 1 - y[flipped]
    return X, y


def _minority_first(rng):
    """Return data and CART's predictions at depth 1; the first and last of each leaf are a minority."""
    y = np.array([0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1])
    order = np.array([1, 12, *rng.permutation(np.setdiff1d(np.arange(20), [1, 12, 7, 18])), 7, 18])
    return order[:, None] * 1.0, y[order], order >= 10


def _without_ties(rng, n, depth):
    """Return data and the predictions of CART, where every correct CART predicts the same."""
    while True:
        X, y = _rows(rng, n)
        predicted = _grow(X, y, depth)
        if predicted is not None and (predicted != _grow(X, y, 0)).any():
            return X, y, predicted


# ------------------------------------------------------------------- the claims


@statement("homework", "lectures/12_tree.ipynb, section 2")
def luck_(luck, rng, *, children=2):
    """Where all orders of the labels are equally likely, the decrease of the Gini index by a split has an
    expectation that the counts of the classes and the sizes of the children determine."""
    # sum over all counts that a child may get: the lecture states only that no split raises the index
    tables = [[3, 1], [1, 1, 1], [6, 2, 1], *rng.integers(2, 6, (3, 3)).tolist()]
    for counts in tables:
        n, gini = sum(counts), tree_claims._gini
        sizes = rng.integers(1, n // children + 1, children - 1).tolist()
        left = Fraction(0)
        for size in (*sizes, n - sum(sizes)):
            pairs = 0  # of rows of the child in different classes, over all children of this size
            for child in itertools.product(*(range(c + 1) for c in counts)):
                if sum(child) == size:
                    ways = math.prod(map(math.comb, counts, child))
                    pairs += ways * (size * size - sum(c * c for c in child))
            left += Fraction(pairs, n * size * math.comb(n, size))
        truth = float(gini(counts) - left)
        answer = float(luck(np.array(counts), *sizes))
        yield equal("expected decrease", answer, truth, rounding(24), counts=counts, sizes=sizes)


@statement("homework", "lectures/12_tree.ipynb, section 2")
def cut_(cut, rng):
    """The best split is the best by the Gini index of all classes, of all splits: also of those that separate
    one observation from the others."""
    # where the lecture's instances leave it to chance: the first split, the last, one class of three
    lone = [0, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 1]
    # by the class of one observation against the others another split is the best
    blocks = [0, 0, 0, 1, 1, 1, 2], [1, 1, 1, 2, 2, 2, 0], [0, 0, 0, 2, 2, 2, 1]
    errors = [2, 0, 1, 2, 2, 1, 1, 2]  # would be the smallest after five observations
    for labels in (*lone, *blocks, errors):
        order = np.array([0, *rng.permutation(np.arange(1, len(labels)))])
        X, y = order[:, None] * 1.0, np.array(labels)[order]
        value, best = tree_claims._split_impurity(X, y, cut(X, y)), tree_claims._smallest(X, y)
        yield equal("weighted Gini index of the children (2: one is empty)", value, best, X=X, y=y)


@statement("homework", "lectures/12_tree.ipynb, section 3")
def tree(Tree, rng, *, n=12, m=20):
    """CART of depth $k$ predicts on its training set what the recursion of best splits does; without a limit
    that matters it errs only where equal observations have different labels."""

    # compare predictions where no two splits tie: the lecture's claims on growing need a tree's nodes
    def grown(k, X, y):
        model = Tree(k)
        model.learn(X, y)
        return model, np.asarray(model.answer(X)).astype(float)

    X, y, predicted = _without_ties(rng, max(n, 5), 2)
    yield equal("predictions of a tree of depth 2", grown(2, X, y)[1], predicted.astype(float), X=X, y=y)
    # without weights the best split of the first would isolate one observation, by entropy that of the second
    ten = np.arange(10)[:, None] * 1.0, np.array([0, 1, 1, 1, 1, 1, 1, 0, 0, 1]), np.arange(10) < 7
    # by the error rate, not by the entropy, the best split would be after eight observations
    twelve = np.arange(12)[:, None] * 1.0, np.array([1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0]), np.arange(12) < 3
    for X, y, ones in (_minority_first(rng), ten, twelve):
        yield equal("predictions of one split on a line", grown(1, X, y)[1] == 1, ones, X=X, y=y)
    X, y = tree_claims._equal_values(rng, 1)
    predicted = _grow(X, y, 1).astype(float)
    yield equal("predictions where values are equal", grown(1, X, y)[1], predicted, X=X, y=y)
    X, y = _rows(rng, m)
    X, y = np.vstack([X, X[:3], X[:3]]), np.concatenate([y, y[:3], 1 - y[:3]])  # two against one
    model, predicted = grown(25, X, y)
    errors = int((predicted != y).sum())
    yield equal("errors of a full tree with three contradictory observations", errors, 3, X=X, y=y)
    alone = int(np.asarray(model.answer(X[:1]))[0])
    yield equal("prediction for a single observation", alone, int(y[0]), row=X[0])
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2) * rng.integers(1, 9, 2).astype(np.float64)
    xor = np.array([0, 1, 1, 0] * 2)
    errors = int((grown(2, corners, xor)[1] != xor).sum())  # no first split of an XOR gains anything
    yield equal("errors on an XOR at depth k = 2", errors, 0)


def _shape(rng, leaves):
    """Return left and right children and risks of a random tree, numbered in preorder."""
    left, right, risk = [-1], [-1], [1.0]
    for _ in range(leaves - 1):
        leaf = int(rng.choice([t for t in range(len(left)) if left[t] < 0]))
        left[leaf], right[leaf] = len(left), len(left) + 1
        shares = risk[leaf] * rng.uniform(0.2, 0.9) * rng.dirichlet([2.0, 2.0])
        left, right, risk = [*left, -1, -1], [*right, -1, -1], [*risk, *shares.tolist()]
    return np.array(left), np.array(right), np.array(risk)


def _subtrees(t, left, right, risk):
    found = [(float(risk[t]), 1)]
    if left[t] >= 0:
        low, high = (_subtrees(int(child), left, right, risk) for child in (left[t], right[t]))
        found += [(a[0] + b[0], a[1] + b[1]) for a in low for b in high]
    return found


def _sequence(every):
    """Return alphas and leaves along the lower convex hull of (leaves, risk), from most leaves to one."""
    least = {size: min(risk for risk, leaves in every if leaves == size) for _, size in every}
    steps, size = [], max(least)
    while size > 1:
        alpha, size = min(((least[k] - least[size]) / (size - k), k) for k in least if k < size)
        steps.append((alpha, float(size)))
    alphas, leaves = zip(*steps, strict=True)
    return np.array(alphas), np.array(leaves)


@statement("homework", "lectures/12_tree.ipynb, section 6")
def links_(links, rng, *, most=6):
    r"""The values of $\alpha$ are those at which the smallest subtree with the smallest $R(T) + \alpha|T|$
    among *all* pruned subtrees changes, and the number beside each is that of its leaves from there on."""
    # enumerate all pruned subtrees: the lecture's claim needs trees, not alphas and sizes
    # the link at node 1 is weaker than that at node 3 below it, which would come next
    left, right = np.array([1, 3, 7, 5, -1, -1, -1, -1, -1]), np.array([2, 4, 8, 6, -1, -1, -1, -1, -1])
    one = left, right, rng.integers(1, 9) * np.array([100, 17, 22, 12, 1, 1, 1, 1, 1]) / 128
    for left, right, risk in (one, *(_shape(rng, most) for _ in range(3))):
        true_alphas, true_leaves = _sequence(_subtrees(0, left, right, risk))
        alphas, leaves = links(risk, left, right)
        yield equal("leaves from each alpha on", np.asarray(leaves, dtype=float), true_leaves)
        yield equal("alphas", np.asarray(alphas, dtype=float), true_alphas, rounding(64, 8))


def _boosting_rows(rng, n):
    """Return n >= 4 observations with different values whose labels -1, 1 no stump gets right."""
    while True:
        X = np.column_stack([rng.permutation(n), rng.permutation(n)]).astype(np.float64)
        y = np.where((X[:, 0] >= n / 4) & (X[:, 0] < 3 * n / 4), 1, -1)
        y[rng.choice(n, 2, replace=False)] *= -1
        if _least_error(X, y, np.full(n, 1 / n)) > 0.01 and len(set(y)) == 2:
            return X, y


def _least_error(X, y, w):
    """Return the least weighted error of the stumps that are not constant."""
    features, thresholds = zip(*tree_claims._all_splits(X), strict=True)
    wrong = w @ ((X[:, features] > thresholds) != (y > 0)[:, None])  # (cuts,), with sign 1
    return float(min(wrong.min(), (w.sum() - wrong).min()))


@statement("homework", "lectures/13_ensemble.ipynb, section 4")
def stumps(boost, rng, *, n=12, rounds=6):
    """Each stump of AdaBoost has at most the smallest weighted error of those that are not constant, with
    the weights that its predecessors leave."""
    # replay the stumps: the lecture's claim compares with all, and here constant ones are optional
    rows, y = _boosting_rows(rng, max(n, 4))
    # the first stump is not that of the least Gini index, the third not that after other votes
    order = rng.permutation(10)
    other = np.array([4, 8, 7, 3, 5, 0, 2, 9, 6, 1])[order]
    telling = np.array([1, 1, 1, 1, -1, -1, 1, 1, -1, 1])[order]
    spread = np.cumsum([1, 2, 3, 1, 2, 3, 1, 2, 3, 1])[np.column_stack([order, other])] * 1.0
    # of each also the other sign: then stumps of the other sign are the best
    for X, labels in ((rows, y), (rows, -y), (spread, telling), (spread, -telling)):
        w, errors, least = np.full(len(X), 1 / len(X)), [], []
        for j, t, sign, _ in zip(*boost(X, labels, rounds), strict=True):
            wrong = np.where(X[:, int(j)] > t, sign, -sign) != labels
            err = min(max(w[wrong].sum(), 1e-9), 1 - 1e-9)
            errors.append(err)
            least.append(_least_error(X, labels, w))
            w = np.where(wrong, w * (1 - err) / err, w)
            w = w / w.sum()
        what = "error of each stump against the least"
        yield at_most(what, np.array(errors), np.array(least), 1e-10, X=X, y=labels)


# ------------------------------------------------------------------- how the claims of the lecture ask


def _cut(cut, X, y):
    return cut(X.T.copy(), y + 1)


def _best_split(cut, X, Y):
    y = Y.argmax(axis=1)
    j, t = _cut(cut, X, y)
    smallest = float(tree_claims._smallest(X, y))  # the question does not require it
    return SimpleNamespace(feature=j, threshold=t, impurity=smallest)


def _update_both(w, wrong, alpha):
    w = w * np.exp(np.where(wrong, alpha / 2, -alpha / 2))
    return w / w.sum()


class _Booster:
    """The student's stumps and weights as the classifier that the claims fit."""

    boost: Any

    def __init__(self, n_estimators):
        self.n_estimators = n_estimators

    def fit(self, X, y):
        self.rounds_ = []
        for j, t, sign, alpha in zip(*self.boost(X, y, self.n_estimators), strict=True):
            stump = ensemble.Stump(int(j), t, (1 - sign) / 2, (1 + sign) / 2)
            self.rounds_.append(ensemble.Round(stump, None, alpha, None))
        return self

    def decision_function(self, X):
        return sum(one.alpha * (2 * one.classifier.predict(X) - 1) for one in self.rounds_)

    def predict(self, X):
        return np.where(self.decision_function(X) > 0, 1, -1)


# ------------------------------------------------------------------- the questions


@part(2, luck_)
def luck(counts, left):
    """**Derive.** A feature has nothing to do with the labels: every order of the labels along it is equally
    likely. How much does the Gini index decrease on average, by a split, fixed in advance, that sends
    `left` observations to the left? (Lecture 12, section 2. The Gini index is the probability that two draws
    with replacement differ. What is the probability that two *different* observations differ?)

    Return the expected decrease.

    counts (K,) int >= 1: observations of each class in the node
    left int >= 1: observations to the left, from 1 to n - 1
    returns: expected decrease of the weighted Gini index
    """


@part(3, tree_claims.impurity, cut_, adapt={"best_split": _best_split, "cut": _cut})
def cut(table, labels):
    """**Build.** The best split by the Gini index (lecture 12, section 2.1). Mind the convention: here the
    *columns* are the observations, and the labels are 1, ..., K.

    Return the pair (feature, threshold). Features may have repeated values; no child is empty.

    table (d, n): one column an observation
    labels (n,) int >= 1: 1, ..., K
    returns int in [0, d): row of the table, counted from 0
    returns: threshold: values at most this go left
    """


@part(5, tree)
class Tree:
    """**Write CART** by the Gini index, with depth at most k (lecture 12, section 3). A node with two classes
    is split wherever two of its observations differ, even if nothing is gained (an XOR). In a leaf with as
    many 0 as 1 either prediction is right.

    A classification tree for two classes.

    k int >= 0: largest depth
    X (n, d): one row an observation
    """

    def __init__(self, k): ...

    def learn(self, X, y):
        """Grow on the observations X.

        y (n,) int in [0, 1]: 0 or 1
        """

    def answer(self, X):
        """Return the majority of the leaf of each observation.

        returns (n,) int in [0, 1]: 0 or 1
        """


@part(4, links_)
def links(risk, left, right):
    r"""**Build.** The pruning sequence (lecture 12, section 6): the values of $\alpha$ at which the best
    subtree changes, and its number of leaves from each value on. The full tree, best from $\alpha = 0$ on, is
    not listed. Node 0 is the root, children have larger numbers than their parents, a split always lowers
    the risk, and no two links are equally weak.

    Return the pair (alphas, leaves).

    risk (N,) >= 0: R(t) of each node as a leaf
    left (N,) int >= -1: left child, -1 at a leaf
    right (N,) int >= -1: right child, -1 at a leaf
    returns (m,) >= 0: alphas, ascending
    returns (m,) int >= 1: leaves from each alpha on; the last is 1
    """


@part(
    2,
    ensemble_claims.adaboost_reweighted_half,
    ensemble_claims.adaboost_inflate,
    adapt={"adaboost_weight": lambda vote, err: 2 * vote(err)},
    given={"adaboost_update": _update_both},
)
def vote(err):
    r"""**Derive.** In the other convention of AdaBoost the weights of misclassified examples are multiplied
    by $e^\beta$ *and* those of the others by $e^{-\beta}$. Which $\beta$ makes the weighted error $\frac12$
    (lecture 13, section 4)?

    Return beta.

    err in [0, 1]: weighted error, 0 < err < 1
    returns: beta
    """


@part(
    4, ensemble_claims.adaboost_exp_identity.at(d=2, most=5), stumps, adapt={"AdaBoostClassifier": _Booster}
)
def boost(X, y, rounds):
    r"""**Write AdaBoost** with stumps of smallest weighted error, in the convention of the lecture (lecture
    13, section 4): stump m has the weight $\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}}$. Stump m
    predicts sign if the feature is above the threshold, and -sign otherwise. No stump is always right. Try
    the splits between different values; whether you also try constant stumps (a threshold beyond all values)
    is up to you. At the error 1/2 alpha is 0: go on.

    Return (features, thresholds, signs, alphas), in the order of the rounds.

    X (n, d): one row an observation
    y (n,) int in [-1, 1]: -1 or 1
    rounds int >= 1: number of stumps, m
    returns (m,) int in [0, d): features
    returns (m,) or infinite: thresholds
    returns (m,) int in [-1, 1]: signs, -1 or 1
    returns (m,): alphas
    """


# ------------------------------------------------------------------- the same questions in other conventions


@variant(
    "luck",
    (
        "`left` observations to the left",
        "`left` observations to the first child, `second` to the second and the others to a *third*",
    ),
    ("by a split", "by a split into three"),
    claims=(luck_.at(children=3),),
)
def _in_three(luck, *given):
    """counts, left
    second int >= 1: observations of the second child
    """
    return luck(*given)


@variant("vote", ("", r"Write it in the *edge* $\frac12 - \mathrm{err}$."))
def _of_the_edge(vote, err):
    """edge in [-0.5, 0.5]: 1/2 - err, -1/2 < edge < 1/2"""
    return vote(0.5 - err)


@variant("boost", ("above the threshold", "*at most* the threshold"))
def _answers_below(boost, *given):
    features, thresholds, signs, votes = boost(*given)
    return features, thresholds, -np.asarray(signs), votes


@variant(
    "links",
    (
        "its number of leaves from each value on",
        "its number of nodes from each value on. Here *every node* is penalised: the criterion is the risk "
        r"plus $\alpha$ times the number of all nodes, leaves or not",
    ),
)
def _priced_by_node(links, *given):
    """Return the pair (alphas, nodes).

    returns (m,) >= 0: alphas, ascending
    returns (m,) int >= 1: nodes from each alpha on; the last is 1
    """
    alphas, nodes = links(*given)
    return 2 * np.asarray(alphas), (np.asarray(nodes) + 1) / 2


@variant(
    "boost",
    (
        r"stump m has the weight $\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}}$. ",
        r"but with the weights $\beta$ of the *other* convention, in which misclassified examples are "
        r"multiplied by $e^\beta$ and the others by $e^{-\beta}$. ",
    ),
)
def _in_both_directions(boost, *given):
    """returns (m,) int in [0, d): features
    returns (m,) or infinite: thresholds
    returns (m,) int in [-1, 1]: signs, -1 or 1
    returns (m,): betas
    """
    features, thresholds, signs, votes = boost(*given)
    return features, thresholds, signs, 2 * np.asarray(votes)


assignment = Assignment(
    id="hw07",
    title="Trees and boosting",
    lecture="lectures/12_tree.ipynb",
    variants=(_in_three, (_of_the_edge, _answers_below), _priced_by_node, _in_both_directions),
    intro="You need NumPy and lectures 12 and 13, nothing else. Of equally good splits any one is right, and "
    "so is any threshold between two neighbouring values.",
    parts=(luck, cut, Tree, links, vote, boost),  # type: ignore[arg-type]
)
