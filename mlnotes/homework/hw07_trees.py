"""Homework 7: trees and boosting. Six questions, 20 points; decided by the theorems of lectures 12 and 13."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from mlnotes import ensemble
from mlnotes.checking import at_most, equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import OutputError
from mlnotes.checking.regimes import LEVELS, feature_matrices, random_labels, repeatable, stateless, thirds
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


@hard_cases(luck_)
def luck_of_large_nodes(luck, rng, *, children=2):
    """Many classes and many observations: two different ones differ with probability $n G/(n - 1)$, so that a
    child of size m has the expected index $(m - 1)/m$ times that."""
    for counts in ([40, 60, 20], [1, 1], [3, 1, 4, 1, 5, 9], [500, 1], rng.integers(1, 30, 6).tolist()):
        n = sum(counts)
        if n < children:
            continue
        sizes = [*rng.integers(1, max(n // children, 2), children - 1).tolist()]
        truth = float(tree_claims._gini(counts)) * (children - 1) / (n - 1)
        answer = float(luck(np.array(counts), *sizes))
        yield equal("expected decrease", answer, truth, rounding(24), counts=counts, sizes=sizes)
    if children == 2:
        yield from repeatable("luck", luck, np.array([3, 2]), 2)


def _children_gini(X, y, j, t):
    """Return the weighted Gini index of the children; refuses a split with an empty child."""
    left = X[:, int(j)] <= t
    if left.all() or not left.any():
        raise OutputError(f"the split of feature {j} at {t} has an empty child")
    return sum(len(part) - (np.bincount(part) ** 2).sum() / len(part) for part in (y[left], y[~left])) / len(
        y
    )


def _best_gini(X, y):
    splits = [(j, t) for j in range(X.shape[1]) for t in np.unique(X[:, j])[:-1]]
    return min(_children_gini(X, y, j, t) for j, t in splits)


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


@hard_cases(cut_)
def cut_of_any_table(cut, rng):
    """Decimals, two to 60 observations, up to five features of which the last decides, and six classes."""
    cases: list[tuple[str, Any, Any]] = []
    for i, (name, X) in enumerate(feature_matrices(rng, min_n=2, many=60)):
        cases.append((name, X, rng.permutation(np.arange(len(X)) % (2, 3, 5)[i % 3])))
    cases += [("between 0.2 and 0.8", np.array([[0.2], [0.45], [0.55], [0.8]]), np.array([0, 0, 1, 1]))]
    cases += [("nine digits agree", 1 + 1e-9 * np.arange(5.0)[:, None], np.array([0, 0, 1, 1, 1]))]
    for d, n_classes in ((3, 3), (5, 4), (5, 6)):  # the last class is as large as the others together
        X = thirds(rng, (24, d)) + 1e-6 * np.arange(24)[:, None]
        y = np.empty(24, dtype=np.int64)
        y[np.argsort(X[:, -1])] = np.minimum(np.arange(24) * (n_classes - 1) // 10, n_classes - 1)
        cases.append((f"feature {d} decides, K = {n_classes}", X, y))
    X = thirds(rng, (110, 1), 3000)
    late = np.arange(110) >= 50
    cases.append(
        ("110 observations", X, np.where(late, X[:, 0] > 200, rng.random(110) < 0.5).astype(np.int64))
    )
    for name, X, y in cases:
        j, t = cut(X, y)
        found, best = _children_gini(X, y, j, t), _best_gini(X, y)
        yield at_most(f"weighted Gini index, {name}", found, best, rounding(len(X)), X=X, y=y)
    yield from repeatable("cut", cut, X, y)


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


def _decided_late(rng, n, d, depth):
    """Return decimals of which the last features decide, and CART's predictions, where no two splits tie."""
    while True:
        X = thirds(rng, (n, d), 300) + rng.integers(1, 9, (n, d)) / 700
        y = ((X[:, -1] > 0) ^ (depth > 1) * (X[:, -2] > 80)).astype(np.int64)
        flipped = rng.choice(n, n // 8, replace=False)
        y[flipped] = 1 - y[flipped]
        answers = _grow(X, y, depth)
        if answers is not None:
            return X, y, answers


@hard_cases(tree)
def tree_of_any_data(Tree, rng):
    """Decimals, up to five features, nodes of two and of one against many, and values that nearly agree."""

    def grown(k, X, y):
        model = Tree(k)
        model.learn(X.copy(), y.copy())
        return model, np.asarray(model.answer(X)).astype(np.int64)

    for n, d, depth in ((20, 3, 2), (24, 5, 1), (16, 3, 3)):
        X, y, answers = _decided_late(rng, n, d, depth)
        yield equal(f"predictions at depth {depth}, {d} features", grown(depth, X, y)[1], answers, X=X, y=y)
    line = np.array([0.1, 0.3, 0.4, 0.8])[:, None]
    cases = [("two", line[:2], [0, 1]), ("0, 1, 0, 1", line, [0, 1, 0, 1]), ("one", line[:1], [1])]
    cases += [("one of thirty", thirds(rng, (30, 1), 3000), np.eye(30, dtype=int)[rng.integers(30)])]
    cases += [("nine digits agree", 1 + 1e-9 * np.arange(5.0)[:, None], [0, 1, 0, 0, 1])]
    cases += [("below one another", 0.2 + np.arange(9)[:, None] / 20, [0, 1, 1, 0, 1, 0, 0, 0, 1])]
    cases += [
        (
            "in three dimensions",
            np.array([*itertools.product((0.25, 0.75), repeat=3)]),
            [0, 1, 1, 0, 1, 0, 0, 1],
        )
    ]
    for name, X in feature_matrices(rng, many=100):
        cases.append((name, X, rng.integers(2, size=len(X))))
    for name, X, y in cases:
        y = np.array(y)
        places = np.unique(X, axis=0, return_inverse=True)[1].ravel()
        certain = [y[places == place].min() == y[places == place].max() for place in places]
        model, answers = grown(200, X, y)
        yield equal(
            f"errors of a full tree where no equal observations disagree, {name}",
            int((answers != y)[certain].sum()),
            0,
            X=X,
            y=y,
        )
        if X.shape[1] == 1 and all(certain):
            ends = np.asarray(model.answer(np.array([[X.min() - 1e6], [X.max() + 1e6]]))).astype(np.int64)
            yield equal(f"predictions beyond the ends, {name}", ends, y[[X.argmin(), X.argmax()]], X=X, y=y)
    X, y = np.array([0.1, 0.1, 0.1, 0.9, 0.9, 0.9])[:, None], np.array([1, 0, 0, 0, 1, 1])
    majority = np.array([0, 0, 0, 1, 1, 1])
    yield equal("predictions where equal observations disagree", grown(3, X, y)[1], majority, X=X, y=y)
    y = np.array([0, 1, 0, 0, 1, 0])
    yield equal("predictions of no question", grown(0, np.arange(6.0)[:, None], y)[1], 0 * y, y=y)
    data = [(thirds(rng, (14, 3)), random_labels(rng, 14, 2)) for _ in range(2)]
    data[1] = data[1][0], 1 - data[0][1]
    queries = [thirds(rng, (8, 3)), thirds(rng, (8, 3))]
    yield from stateless(
        "predictions",
        lambda: Tree(4),
        lambda model, known: model.learn(*known),
        lambda model, X: np.asarray(model.answer(X)).astype(np.int64),
        data,
        queries,
    )


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


def _least_risks(left, right, risk):
    """Return the smallest risk of the pruned subtrees with 1, 2, ... leaves."""
    table: dict[int, list[float]] = {}
    for t in reversed(range(len(left))):  # children have larger numbers
        table[t] = [float(risk[t])]
        if left[t] >= 0:
            a, b = table[int(left[t])], table[int(right[t])]
            pairs = [
                [a[i] + b[k - i] for i in range(len(a)) if 0 <= k - i < len(b)]
                for k in range(len(a) + len(b) - 1)
            ]
            table[t] += [min(sums) for sums in pairs]
    return [(value, k) for k, value in enumerate(table[0], 1)]


@hard_cases(links_)
def links_of_large_trees(links, rng):
    """Trees with 25 leaves, chains, a single question, and risks in any unit."""
    depth = 14
    left = np.full(2 * depth + 1, -1)
    right = np.full(2 * depth + 1, -1)
    risk = np.empty(2 * depth + 1)
    risk[0] = 1.0
    node = 0
    for level in range(depth):
        left[node], right[node] = 2 * level + 1, 2 * level + 2
        shares = risk[node] * rng.uniform(0.6, 0.95) * np.array([0.1, 0.9])
        risk[2 * level + 1], risk[2 * level + 2] = shares
        node = 2 * level + 2
    trees = [(left, right, risk), _shape(rng, 2), _shape(rng, 9), _shape(rng, 25)]
    trees += [(a, b, 1e-5 * r) for a, b, r in (_shape(rng, 7),)] + [
        (a, b, 1e6 * r) for a, b, r in (_shape(rng, 7),)
    ]
    for left, right, risk in trees:
        true_alphas, true_leaves = _sequence(_least_risks(left, right, risk))
        alphas, leaves = links(risk, left, right)
        words = f"{(left < 0).sum()} leaves, risk {risk[0]:g}"
        yield equal(f"leaves from each alpha on, {words}", np.asarray(leaves, dtype=float), true_leaves)
        yield equal(f"alphas, {words}", np.asarray(alphas, dtype=float), true_alphas, rounding(64, risk[0]))
    yield from repeatable("links", links, risk, left, right)


@statement("homework", "lectures/13_ensemble.ipynb, section 4")
def vote_(vote, rng):
    r"""With $\beta$ the wrong examples, times $e^\beta$, weigh as much as the right ones, times $e^{-\beta}$,
    for any weighted error strictly between 0 and 1."""
    for err in (*LEVELS, 1e-9, 0.1234567, *rng.random(3).tolist()):
        beta = float(vote(err))
        wrong, right = math.log(err) + beta, math.log(1 - err) - beta
        slack = rounding(4, 60 + 1 / min(err, 1 - err))  # as for arctanh(1 - 2 err)
        yield equal(f"log weights, err = {err:g}", wrong, right, slack)
    yield from repeatable("vote", vote, 0.3)


def _boosting_rows(rng, n):
    """Return n >= 4 observations with different values whose labels -1, 1 no stump gets right."""
    while True:
        X = np.column_stack([rng.permutation(n), rng.permutation(n)]).astype(np.float64)
        y = np.where((X[:, 0] >= n / 4) & (X[:, 0] < 3 * n / 4), 1, -1)
        y[rng.choice(n, 2, replace=False)] *= -1
        if _least_error(X, y, np.full(n, 1 / n)) > 0.01 and len(set(y)) == 2:
            return X, y


def _least_error(X, y, w):
    """Return the smallest weighted error of the stumps that are not constant."""
    features, thresholds = zip(*tree_claims._all_splits(X), strict=True)
    wrong = w @ ((X[:, features] > thresholds) != (y > 0)[:, None])  # (splits,), with sign 1
    return float(min(wrong.min(), (w.sum() - wrong).min()))


@statement("homework", "lectures/13_ensemble.ipynb, section 4")
def stumps(boost, rng, *, n=12, rounds=6):
    """Each stump of AdaBoost has at most the smallest weighted error of those that are not constant, with
    the weights that its predecessors leave."""
    # replay the stumps: the lecture's claim compares with all, and here constant ones are optional
    rows, y = _boosting_rows(rng, max(n, 4))
    # the first stump is not that of the smallest Gini index, the third not that after other weights
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
        what = "error of each stump against the smallest"
        yield at_most(what, np.array(errors), np.array(least), 1e-10, X=X, y=labels)


@hard_cases(stumps)
def rounds_on_any_data(boost, rng):
    """Decimals, up to five features of which the last decides, many rounds, an XOR, and the votes."""
    xor = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([-1, 1, 1, -1])
    cases = [("an XOR", *xor, 4), ("an XOR in decimals", 0.2 + 0.3 * xor[0], -xor[1], 3)]
    for n, d, rounds in ((14, 3, 12), (40, 5, 25), (110, 1, 8)):
        X = thirds(rng, (n, d), 300) + rng.integers(1, 9, (n, d)) / 700
        y = np.where(np.sin(X[:, -1] / 12) + thirds(rng, n) / 12 > 0, 1, -1)
        y[:2] = 1, -1
        if d == 3:
            X[:, 0] = 0.3
        cases.append((f"{n} examples, {d} features", X, y, rounds))
    X = 1 + 1e-9 * rng.permutation(30)[:, None]  # nine digits agree, and one example of thirty is wrong
    y = np.where(X[:, 0] > 1 + 13e-9, 1, -1)
    y[X[:, 0].argmin()] = 1
    cases.append(("one exception", X, y, 3))
    X, y = cases[3][1:3]
    cases += [(f"unit {unit:g}", unit * X[:30], y[:30], 3) for unit in (1e-5, 1e5)]
    cases += [("repeated examples", np.vstack([X[:6], X[:6]]), np.concatenate([y[:6], -y[:6]]), 3)]
    for name, X, y, rounds in cases:
        found = [np.asarray(values, dtype=float).ravel() for values in boost(X.copy(), y.copy(), rounds)]
        if {len(values) for values in found} != {rounds}:
            raise OutputError(f"boost returns {len(found[0])} stumps for rounds = {rounds}")
        w, errors, least, votes = np.full(len(y), 1 / len(y)), [], [], []
        for j, t, sign, _ in zip(*found, strict=True):
            wrong = np.where(X[:, int(j)] > t, sign, -sign) != y
            err = w[wrong].sum()
            if not 1e-6 < err < 1 - 1e-6:
                break  # a stump that is right on all, which the question excludes
            errors.append(err)
            least.append(_least_error(X, y, w))
            votes.append(math.log((1 - err) / err))
            w = np.where(wrong, w * (1 - err) / err, w)
            w = w / w.sum()
        n = len(votes)
        yield at_most(
            f"errors against the smallest, {name}", np.array(errors), np.array(least), 1e-10, X=X, y=y
        )
        yield equal(f"votes, {name}", found[3][:n], np.array(votes), 1e-8, X=X, y=y)
    yield from repeatable("boost", boost, X, y, 2)


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
    vote_,
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
